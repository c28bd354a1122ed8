"""Protects keys and paints: long work of the window goes in steps, and older work gives way to newer."""

from __future__ import annotations

import time
from collections.abc import Iterator

from PySide6.QtCore import QObject, QTimer
from pytestqt.qtbot import QtBot

from app.background.incremental_tasks import IncrementalTask


def steps(done: list[int], count: int) -> Iterator[None]:
    for number in range(count):
        time.sleep(0.006)
        done.append(number)
        yield


def test_other_events_have_their_turn_between_steps(qtbot: QtBot) -> None:
    parent = QObject()
    done: list[int] = []
    seen: list[int] = []
    beat = QTimer(parent)
    beat.timeout.connect(lambda: seen.append(len(done)))
    beat.start(0)
    IncrementalTask(parent).start(steps(done, 5))
    assert done == [], "nothing is done before the loop has its turn"
    qtbot.waitUntil(lambda: len(done) == 5)
    assert {1, 2, 3, 4} <= set(seen)


def test_newer_work_takes_the_place_of_older(qtbot: QtBot) -> None:
    parent = QObject()
    turns = IncrementalTask(parent)
    old: list[int] = []
    new: list[int] = []
    turns.start(steps(old, 50))
    qtbot.waitUntil(lambda: bool(old))
    turns.start(steps(new, 2))
    before = len(old)
    qtbot.waitUntil(lambda: len(new) == 2)
    assert len(old) == before


def test_what_was_stopped_is_not_done(qtbot: QtBot) -> None:
    parent = QObject()
    turns = IncrementalTask(parent)
    done: list[int] = []
    turns.start(steps(done, 3))
    turns.stop()
    qtbot.wait(40)
    assert done == []


def test_a_step_may_begin_other_work(qtbot: QtBot) -> None:
    parent = QObject()
    turns = IncrementalTask(parent)
    done: list[str] = []

    def first() -> Iterator[None]:
        turns.start(second())
        yield
        done.append("first")
        yield

    def second() -> Iterator[None]:
        done.append("second")
        yield

    turns.start(first())
    qtbot.waitUntil(lambda: done == ["second"])
    qtbot.wait(30)
    assert done == ["second"]
