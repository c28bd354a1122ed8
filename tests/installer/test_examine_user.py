"""Protects how the examiner waits before a screen: as long as it takes, no longer than the program lives."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from installer.examine import user as user_module
from installer.examine.examinations.pages import PageRecorder
from installer.examine.results import FailedError
from installer.examine.user import UNDERLINES, User


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
def user(screen: Any, monkeypatch: pytest.MonkeyPatch) -> User:
    """Somebody whose third Escape brings the draft up; what is pressed is kept in ``pressed``."""
    monkeypatch.setattr(user_module, "_TRY_S", 0.0)
    pressed: list[str] = []

    def xdotool(_self: User, *words: str) -> str:
        if words[0] == "key":
            pressed.extend(words[3:])
        return "a.md* — Evenhand\n" if pressed.count("Escape") >= 3 else "Settings\n"

    monkeypatch.setattr(User, "_do", xdotool)
    made = User(screen)
    made.pressed = pressed  # type: ignore[attr-defined]
    return made


def test_keys_are_pressed_until_the_window_is_there_and_no_more(user: User) -> None:
    user.escape_to("a.md* — Evenhand")
    assert user.pressed == ["Escape"] * 3  # type: ignore[attr-defined]


def test_a_window_that_never_opens_is_reported_with_the_open_ones(user: User) -> None:
    with pytest.raises(FailedError, match=r"No window “b.md” came up; .*Settings"):
        user.press_until("F8", "b.md")


def test_a_program_that_has_ended_is_not_waited_for(user: User) -> None:
    ended: Any = Ended()
    user.program = ended
    with pytest.raises(FailedError):
        user.await_window("b.md", timeout_s=3600)


def test_underlines_are_seen_in_the_text_and_not_in_the_list_beside_it(user: User, screen: Any) -> None:
    screen.shown[300, 900:1000] = UNDERLINES[0]
    assert not user.sees_underlines()
    screen.shown[300, 200:230] = UNDERLINES[2]
    assert user.sees_underlines()


def test_a_page_that_the_keys_did_not_reach_is_reported(screen: Any) -> None:
    """Where Tab skips the tabs of a page, the keyboard walks over its buttons, and the part in front stays."""
    kept: list[str] = []
    context: Any = SimpleNamespace(user=SimpleNamespace(screen=screen), screenshot=kept.append)
    album = PageRecorder(context)
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
