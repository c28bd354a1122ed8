"""run_blocking: a quick call shows nothing, a slow one can be cancelled, and errors reach the caller."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QProgressDialog, QWidget
from pytestqt.qtbot import QtBot

from app.widgets import dialogs
from app.widgets.dialogs import WaitCancelledError, run_in_thread_and_wait


@pytest.fixture
def window(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> QWidget:
    monkeypatch.setattr(dialogs, "DIALOG_DELAY_S", 0.05)
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    return window


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    gate = threading.Event()
    yield gate
    gate.set()


def dialog_of(window: QWidget) -> QProgressDialog | None:
    return next((one for one in window.findChildren(QProgressDialog) if one.isVisible()), None)


def wait_for(work: object, window: QWidget) -> object:
    return run_in_thread_and_wait(work, window, message="Opening …", cancel_text="Cancel")


def test_a_quick_answer_shows_nothing(window: QWidget) -> None:
    assert wait_for(lambda: 7, window) == 7
    assert not window.findChildren(QProgressDialog)


def test_a_slow_answer_is_waited_for_while_the_window_lives(window: QWidget, gate: threading.Event) -> None:
    seen: list[str] = []

    def look() -> None:
        dialog = dialog_of(window)
        assert dialog is not None
        seen.append(dialog.labelText())
        gate.set()

    QTimer.singleShot(150, look)
    assert wait_for(lambda: gate.wait(10) and "text", window) == "text"
    assert seen == ["Opening …"]
    assert dialog_of(window) is None


def test_waiting_can_be_cancelled(window: QWidget, gate: threading.Event) -> None:
    def cancel() -> None:
        dialog = dialog_of(window)
        assert dialog is not None
        dialog.cancel()

    QTimer.singleShot(150, cancel)
    with pytest.raises(WaitCancelledError):
        wait_for(lambda: gate.wait(10), window)


def test_an_error_is_raised_in_the_caller(window: QWidget) -> None:
    def fail() -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        wait_for(fail, window)
