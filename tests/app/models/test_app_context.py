"""AppContext runs work in the background and drops late answers."""

from __future__ import annotations

from threading import Event

from pytestqt.qtbot import QtBot
from windows import Make

from app.models.app_context import AppContext


def test_answers_and_errors_come_back(make: Make, qtbot: QtBot) -> None:
    context = AppContext(make().components.services)
    heard: list[object] = []
    context.submit(lambda: 1 + 1, heard.append)
    context.submit(lambda: 1 / 0, heard.append, lambda error: heard.append(type(error)))
    context.ask(lambda store: store is context.store, heard.append)
    qtbot.waitUntil(lambda: len(heard) == 3)
    assert heard == [2, ZeroDivisionError, True]


def test_a_late_answer_is_dropped(make: Make, qtbot: QtBot) -> None:
    """The settings can be closed at any moment; what waits for an answer then touches nothing that is gone."""
    window = make()
    context = AppContext(window.components.services)
    heard: list[object] = []
    closed = Event()
    context.submit(closed.wait, heard.append)
    context.deleteLater()
    context.destroyed.connect(closed.set)
    qtbot.waitUntil(lambda: not window.components.background.busy)
    done: list[object] = []
    window.components.background.submit(lambda: 2, done.append)
    qtbot.waitUntil(lambda: done == [2])
    assert heard == []
