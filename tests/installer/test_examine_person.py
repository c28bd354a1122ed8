"""Protects how the examiner waits before a screen: as long as it takes, no longer than the program lives."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from installer.examine import person as person_module
from installer.examine.examinations.rooms import Album
from installer.examine.failing import FailedError
from installer.examine.person import UNDERLINES, Person


class Screen:
    """A display that nobody sees."""

    display = ":1"

    def __init__(self) -> None:
        self.shown = np.full((800, 1280), 0xFFFFFF, np.uint32)

    def pixels(self) -> np.ndarray:
        return self.shown


class Ended:
    """A program that is gone."""

    code = 1


@pytest.fixture
def screen() -> Any:
    return Screen()


@pytest.fixture
def person(screen: Any, monkeypatch: pytest.MonkeyPatch) -> Person:
    """Somebody whose third Escape brings the draft up; what is pressed is kept in ``pressed``."""
    monkeypatch.setattr(person_module, "_TRY_S", 0.0)
    pressed: list[str] = []

    def xdotool(_self: Person, *words: str) -> str:
        if words[0] == "key":
            pressed.extend(words[3:])
        return "a.md* — Evenhand\n" if pressed.count("Escape") >= 3 else "Settings\n"

    monkeypatch.setattr(Person, "_do", xdotool)
    made = Person(screen)
    made.pressed = pressed  # type: ignore[attr-defined]
    return made


def test_keys_are_pressed_until_the_window_is_there_and_no_more(person: Person) -> None:
    person.escape_to("a.md* — Evenhand")
    assert person.pressed == ["Escape"] * 3  # type: ignore[attr-defined]


def test_a_window_that_never_comes_is_told_with_those_there_are(person: Person) -> None:
    with pytest.raises(FailedError, match=r"No window “b.md” came up; .*Settings"):
        person.press_until("F8", "b.md")


def test_a_program_that_has_ended_is_not_waited_for(person: Person) -> None:
    ended: Any = Ended()
    person.program = ended
    with pytest.raises(FailedError):
        person.await_window("b.md", patience_s=3600)


def test_underlines_are_seen_in_the_text_and_not_in_the_list_beside_it(person: Person, screen: Any) -> None:
    screen.shown[300, 900:1000] = UNDERLINES[0]
    assert not person.sees_underlines()
    screen.shown[300, 200:230] = UNDERLINES[2]
    assert person.sees_underlines()


def test_a_room_that_the_keys_did_not_reach_is_told(screen: Any) -> None:
    """Where Tab skips the tabs of a page, the keyboard walks over its buttons, and the part in front stays."""
    kept: list[str] = []
    stage: Any = SimpleNamespace(person=SimpleNamespace(screen=screen), picture=kept.append)
    album = Album(stage)
    album.add("models")
    screen.shown = screen.shown.copy()
    screen.shown[200:400, 400:700] = 0x202327
    album.add("retrain")
    screen.shown = screen.shown.copy()
    for line in (screen.shown[150:153, 450:560], screen.shown[180:183, 450:560]):
        line[:] = 0x0B7A75
    with pytest.raises(FailedError, match="did not lead to runs: the screen still shows retrain"):
        album.add("runs")
    assert kept == ["models", "retrain", "runs"]
