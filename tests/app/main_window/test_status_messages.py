"""Protects the messages of the status bar: they are there for what was done last, and gone with it."""

from __future__ import annotations

import pytest
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from windows import TEXT, Make

from app.main_window.window import MainWindow


@pytest.fixture
def window(make: Make, qtbot: QtBot) -> MainWindow:
    """A window in which a suggestion was accepted, and that says so."""
    made = make()
    qtbot.waitUntil(lambda: len(made.ui.editor.marks) > 0)
    made.ui.editor.go_to(made.ui.editor.marks[0].start)
    qtbot.waitUntil(lambda: len(made.components.prefetch.get(made.ui.editor.marks[0].finding).items) > 1)
    made.ui.actions["use_2"].trigger()
    assert made.ui.status_bar.currentMessage().endswith("Undo reverts it.")
    return made


def test_a_message_goes_when_its_change_is_undone(window: MainWindow) -> None:
    """What cannot be reverted any more must not be offered."""
    window.ui.actions["undo"].trigger()
    assert window.ui.editor.text() == TEXT
    assert window.ui.status_bar.currentMessage() == ""
    window.ui.actions["redo"].trigger()
    assert window.ui.status_bar.currentMessage() == ""


def test_a_message_goes_when_the_text_is_changed(window: MainWindow) -> None:
    """After typing, Undo reverts that instead; moving the caret changes nothing."""
    window.ui.editor.go_to(len(TEXT))
    assert "Undo reverts it." in window.ui.status_bar.currentMessage()
    QTest.keyClicks(window.ui.editor, "a")
    assert window.ui.status_bar.currentMessage() == ""


def test_a_message_goes_with_its_draft(window: MainWindow) -> None:
    window.ui.editor.document().setModified(False)
    window.ui.actions["sample"].trigger()
    assert window.ui.editor.text() != TEXT
    assert window.ui.status_bar.currentMessage() == ""


def test_the_tip_of_a_command_stays_while_the_text_changes(window: MainWindow) -> None:
    """It is about the command under the mouse, not about the text."""
    window.ui.status_bar.showMessage("Save the draft")
    QTest.keyClicks(window.ui.editor, "a")
    assert window.ui.status_bar.currentMessage() == "Save the draft"
