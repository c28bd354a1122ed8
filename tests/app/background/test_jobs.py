"""Protects the background thread: order, results in the window's thread, errors told, nothing lost at the end."""

from __future__ import annotations

import logging
import threading

import pytest
from PySide6.QtCore import QCoreApplication, QThread
from pytestqt.qtbot import QtBot

from app.background.jobs import JobQueue
from core.storage.types import StoreError


@pytest.fixture
def background(qtbot: QtBot) -> JobQueue:
    return JobQueue()


def fail(error: Exception) -> None:
    raise error


def test_jobs_run_in_order_in_one_other_thread(background: JobQueue, qtbot: QtBot) -> None:
    ran: list[tuple[int, QThread]] = []
    for number in range(50):
        background.submit(lambda number=number: ran.append((number, QThread.currentThread())))
    qtbot.waitUntil(lambda: not background.busy)
    assert [number for number, _ in ran] == list(range(50))
    assert len({id(thread) for _, thread in ran}) == 1
    assert ran[0][1] is not QThread.currentThread()
    background.close()


def test_results_come_back_in_the_windows_thread(background: JobQueue, qtbot: QtBot) -> None:
    got: list[tuple[int, bool]] = []
    main = threading.get_ident()
    for number in range(20):
        background.submit(
            lambda number=number: number * 2, lambda r: got.append((r, threading.get_ident() == main))
        )
    assert got == []
    qtbot.waitUntil(lambda: len(got) == 20)
    assert got == [(2 * number, True) for number in range(20)]
    background.close()


def test_close_finishes_what_was_submitted_and_delivers_it(background: JobQueue) -> None:
    """A version that is kept at the very end must be on the disk, and whoever waits for it hears so."""
    gate = threading.Event()
    got: list[int] = []
    background.submit(lambda: gate.wait(10))
    for number in range(10):
        background.submit(lambda number=number: number, got.append)
    gate.set()
    background.close()
    assert got == list(range(10))
    assert not background.busy
    background.submit(lambda: got.append(99))
    background.close()
    QCoreApplication.processEvents()
    assert got == list(range(10))


def test_close_without_a_job_is_nothing(background: JobQueue) -> None:
    background.close()
    background.close()


def test_an_error_goes_to_who_waits_for_it(background: JobQueue, qtbot: QtBot) -> None:
    errors: list[Exception] = []
    told: list[str] = []
    background.failed.connect(told.append)
    background.submit(lambda: fail(ValueError("x")), told.append, errors.append)
    background.submit(lambda: 1, lambda _: errors.append(KeyError()))
    qtbot.waitUntil(lambda: len(errors) == 2)
    assert isinstance(errors[0], ValueError)
    assert told == []
    background.close()


def test_an_error_nobody_waits_for_is_told_in_a_sentence(
    background: JobQueue, qtbot: QtBot, caplog: pytest.LogCaptureFixture
) -> None:
    """What is meant for a person is told as it is; of the rest only the kind, never words of the draft."""
    told: list[str] = []
    background.failed.connect(told.append)
    with caplog.at_level(logging.DEBUG):
        background.submit(lambda: fail(StoreError("The disk is full. Free some space.")))
        background.submit(lambda: fail(ValueError("the shameful secret")))
        qtbot.waitUntil(lambda: len(told) == 2)
    assert told[0] == "The disk is full. Free some space."
    assert "ValueError" in told[1]
    assert "secret" not in told[1]
    assert "secret" not in caplog.text
    assert "ValueError" in caplog.text
    background.close()


def test_an_answer_may_submit_the_next_job(background: JobQueue, qtbot: QtBot) -> None:
    got: list[int] = []

    def again(number: int) -> None:
        got.append(number)
        if number < 5:
            background.submit(lambda: number + 1, again)

    background.submit(lambda: 1, again)
    qtbot.waitUntil(lambda: got == [1, 2, 3, 4, 5])
    background.close()
