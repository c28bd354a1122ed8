"""What the tests of the window share: a draft, and the ways to answer and to wait."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import (
    QFileDialog,
    QMessageBox,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.main_window.window import MainWindow

TEXT = 'The shameful 👍🏽 record reveals it.\n\nHe said "a disgraceful act" to the chairman.\n'
Make = Callable[..., MainWindow]
Button = QMessageBox.StandardButton


def answer(monkeypatch: pytest.MonkeyPatch, button: QMessageBox.StandardButton) -> list[str]:
    """Answer every question with this button; returns the list of their titles."""
    return _answer(monkeypatch, button, lambda title, _text: title)


def asking(monkeypatch: pytest.MonkeyPatch, button: QMessageBox.StandardButton) -> list[str]:
    """Answer every question with this button; returns the list of their texts."""
    return _answer(monkeypatch, button, lambda _title, text: text)


def _answer(
    monkeypatch: pytest.MonkeyPatch, button: QMessageBox.StandardButton, noted: Callable[[str, str], str]
) -> list[str]:
    asked: list[str] = []

    def question(_window: QWidget, title: str, text: str, *_: object) -> QMessageBox.StandardButton:
        asked.append(noted(title, text))
        return button

    monkeypatch.setattr(QMessageBox, "question", question)
    return asked


def saving_to(monkeypatch: pytest.MonkeyPatch, path: Path | str) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))


def read(window: MainWindow, qtbot: QtBot, words: list[str]) -> None:
    qtbot.waitUntil(lambda: [mark.finding.text for mark in window.ui.editor.marks] == words)
