"""Every page of the window once: modules that are imported lazily are the ones that a frozen program may lack."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from installer.examine.context import Context
from installer.examine.results import check

_DRAFT = "The legendary architect of the plan spoke. The vote is due in March.\n"
_TITLE = "pages.md — Evenhand"
_NO_PROBLEM = "No problem since the window was opened."
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
"""Tab presses from the list of settings pages to the tabs of *Models and training*."""
_INSIDE_TEXT = (400, 600)
_MIN_FILE_BYTES = 1000
_MIN_NEW_PIXELS = 4000
"""Pixels in which two pages differ at least. Moving the focus within a page changes fewer."""


class PageRecorder:
    """Screenshots of pages; none may look like an earlier one, which would mean that the keys had no effect."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._pages: dict[str, NDArray[np.uint32]] = {}

    def add(self, page: str) -> None:
        """Save a screenshot. Raises FailedError where it shows an earlier page."""
        now = self._context.user.screen.pixels()
        self._context.screenshot(page)
        same = [other for other, then in self._pages.items() if (now != then).sum() < _MIN_NEW_PIXELS]
        check(not same, f"The keys did not lead to {page}: the screen still shows {', '.join(same)}")
        self._pages[page] = now


def open_all(context: Context) -> str:
    """Every page opens, both exports are written, and *Help ▸ Problems* lists none."""
    user, path, recorder = context.user, context.write("pages.md", _DRAFT.encode()), PageRecorder(context)
    with context.window(path) as program:
        user.await_window(_TITLE)
        user.await_underlines()
        user.await_rest()
        recorder.add("draft")
        for page, keys in _BY_KEY.items():
            user.press(keys)
            user.await_rest()
            recorder.add(page)
            if page == "audit":
                user.press("ctrl+Tab")
                user.await_rest()
                recorder.add("compass")
            user.escape_to(_TITLE)
        _settings(context, recorder)
        user.choose("pdf")
        user.await_window(".*PDF")
        user.name_file("report.pdf")
        context.await_file("report.pdf")
        user.await_window(_TITLE)
        user.await_rest()
        user.choose("chart as picture")
        user.await_window("Save a chart as a picture")
        user.await_rest()
        context.screenshot("chart")
        user.press("Return")
        user.await_window("Save the chart as PNG")
        user.name_file("chart.png")
        context.await_file("chart.png")
        user.await_rest()
        user.escape_to(_TITLE)
        check_no_problem(context, "pages.md")
        context.quit(program)
    for name in ("report.pdf", "chart.png"):
        check(len(context.read(name)) > _MIN_FILE_BYTES, f"{name} is empty")
    pages = len(_BY_KEY) + len(_SETTINGS) + len(_TRAINING)
    return f"{pages} pages, a PDF, a picture, and no problem"


def _settings(context: Context, recorder: PageRecorder) -> None:
    """Every page of the settings, and every tab of the one on models."""
    user = context.user
    user.press("ctrl+comma")
    user.await_window("Settings")
    for page in _SETTINGS:
        user.await_rest()
        recorder.add(f"settings-{page}")
        user.press("Down")
    user.press("Up", "Up", *("Tab",) * TABS_TO_TRAINING)
    for part in _TRAINING:
        user.press("Right")
        user.await_rest(2.0)
        recorder.add(f"settings-{part}")
    user.escape_to(_TITLE)


def check_no_problem(context: Context, name: str) -> None:
    """Copy the text of *Problems* into this draft, save it, and raise FailedError if it lists one."""
    user, title = context.user, f"{name} — Evenhand"
    draft = context.read(name).decode()
    user.choose("problems")
    user.await_window("Problems")
    user.press("alt+c")
    user.await_rest()
    user.escape_to(title)
    user.click(*_INSIDE_TEXT)
    user.press("ctrl+End", "ctrl+v")
    user.await_window(re.escape(f"{name}* — Evenhand"))
    user.press("ctrl+s")
    user.await_window(re.escape(title))
    report = context.read(name).decode().removeprefix(draft)
    kept = f"{context.name}-problems.txt"
    (context.out / kept).write_text(report, encoding="utf-8")
    last = report.strip().rpartition("\n")[2].strip()
    check(_NO_PROBLEM in report, f"the window reports a problem, last: {last}; the full text is in {kept}")
