"""The desk asks in the background, and drops answers that come when the room is gone."""

from __future__ import annotations

from threading import Event

from pytestqt.qtbot import QtBot
from windows import Make

from app.models.app_context import Desk


def test_answers_and_errors_come_back(make: Make, qtbot: QtBot) -> None:
    desk = Desk(make().outside)
    heard: list[object] = []
    desk.submit(lambda: 1 + 1, heard.append)
    desk.submit(lambda: 1 / 0, heard.append, lambda error: heard.append(type(error)))
    desk.ask(lambda store: store is desk.store, heard.append)
    qtbot.waitUntil(lambda: len(heard) == 3)
    assert heard == [2, ZeroDivisionError, True]


def test_an_answer_that_comes_too_late_is_dropped(make: Make, qtbot: QtBot) -> None:
    """The settings can be closed at any moment; what waits for an answer then touches nothing that is gone."""
    window = make()
    desk = Desk(window.outside)
    heard: list[object] = []
    closed = Event()
    desk.submit(closed.wait, heard.append)
    desk.deleteLater()
    desk.destroyed.connect(closed.set)
    qtbot.waitUntil(lambda: not window.background.busy)
    done: list[object] = []
    window.background.submit(lambda: 2, done.append)
    qtbot.waitUntil(lambda: done == [2])
    assert heard == []
