"""Every room of the window once: what is imported only when it is asked for is what a frozen program lacks."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from installer.examine.failing import check
from installer.examine.stage import Stage

_DRAFT = "The legendary architect of the plan spoke. The vote is due in March.\n"
_TITLE = "rooms.md — Evenhand"
_NOTHING = "No problem since the window was opened."
_BY_KEY = {
    "dashboard": "ctrl+shift+b",
    "words": "ctrl+shift+w",
    "versions": "ctrl+shift+h",
    "compare": "ctrl+shift+d",
    "ignored": "ctrl+shift+i",
    "article": "ctrl+shift+o",
    "shortcuts": "ctrl+slash",
    "audit": "ctrl+shift+a",
}
_SETTINGS = ("general", "checking", "models", "network", "accessibility")
_TRAINING = ("retrain", "runs", "corrections")
TABS_TO_TRAINING = 1
"""From the list of pages in the settings to the parts of *Models and training*."""
_IN_THE_TEXT = (400, 600)
_SMALLEST_FILE = 1000
_FEWEST_NEW = 4000
"""Pixels by which a room differs from all others. Where the keyboard goes within one, fewer change."""


class Album:
    """Pictures of rooms, none of which may look like an earlier one: keys that lead nowhere show the same again."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._pages: dict[str, NDArray[np.uint32]] = {}

    def add(self, room: str) -> None:
        """Keep what the screen shows now. Raises FailedError where that is an earlier room still, or again."""
        now = self._stage.person.screen.pixels()
        self._stage.picture(room)
        same = [other for other, then in self._pages.items() if (now != then).sum() < _FEWEST_NEW]
        check(not same, f"The keys did not lead to {room}: the screen still shows {', '.join(same)}")
        self._pages[room] = now


def visited(stage: Stage) -> str:
    """Every room opens, both exports are written, and the window's own report tells of no problem."""
    person, path, album = stage.person, stage.put("rooms.md", _DRAFT.encode()), Album(stage)
    with stage.window(path) as program:
        person.await_window(_TITLE)
        person.await_underlines()
        person.await_rest()
        album.add("draft")
        for room, keys in _BY_KEY.items():
            person.press(keys)
            person.await_rest()
            album.add(room)
            if room == "audit":
                person.press("ctrl+Tab")
                person.await_rest()
                album.add("compass")
            person.escape_to(_TITLE)
        _settings(stage, album)
        person.choose("pdf")
        person.await_window(".*PDF")
        person.name_file("report.pdf")
        stage.await_file("report.pdf")
        person.await_window(_TITLE)
        person.await_rest()
        person.choose("chart as picture")
        person.await_window("Save a chart as picture")
        person.await_rest()
        stage.picture("chart")
        person.press("Return")
        person.await_window("Save the chart as PNG")
        person.name_file("chart.png")
        stage.await_file("chart.png")
        person.await_rest()
        person.escape_to(_TITLE)
        check_no_problem(stage, "rooms.md")
        stage.leave(program)
    for name in ("report.pdf", "chart.png"):
        check(len(stage.got(name)) > _SMALLEST_FILE, f"{name} is empty")
    rooms = len(_BY_KEY) + len(_SETTINGS) + len(_TRAINING)
    return f"{rooms} rooms, a PDF, a picture, and no problem"


def _settings(stage: Stage, album: Album) -> None:
    """Every page of the settings; on the one of models every part."""
    person = stage.person
    person.press("ctrl+comma")
    person.await_window("Settings")
    for page in _SETTINGS:
        person.await_rest()
        album.add(f"settings-{page}")
        person.press("Down")
    person.press("Up", "Up", *("Tab",) * TABS_TO_TRAINING)
    for part in _TRAINING:
        person.press("Right")
        person.await_rest(2.0)
        album.add(f"settings-{part}")
    person.escape_to(_TITLE)


def check_no_problem(stage: Stage, name: str) -> None:
    """Copy the report of *Problems* into the draft of that name, save it, and raise FailedError if it tells of one."""
    person, title = stage.person, f"{name} — Evenhand"
    draft = stage.got(name).decode()
    person.choose("problems")
    person.await_window("Problems")
    person.press("alt+c")
    person.await_rest()
    person.escape_to(title)
    person.click(*_IN_THE_TEXT)
    person.press("ctrl+End", "ctrl+v")
    person.await_window(re.escape(f"{name}* — Evenhand"))
    person.press("ctrl+s")
    person.await_window(re.escape(title))
    report = stage.got(name).decode().removeprefix(draft)
    kept = f"{stage.name}-problems.txt"
    (stage.out / kept).write_text(report, encoding="utf-8")
    last = report.strip().rpartition("\n")[2].strip()
    check(_NOTHING in report, f"the window's own report tells of a problem, last in {last}; all in {kept}")
