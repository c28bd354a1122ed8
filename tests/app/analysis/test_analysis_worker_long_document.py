"""Protects a long draft in the window: its panels are filled step by step, and say the same as at once."""

from __future__ import annotations

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from windows import Make

from app.charts.document_panel import DocumentPanel
from app.review.findings_panel import IssuesPanel

PARAGRAPHS = 320
TEXT = "\n\n".join(
    f"The shameful record number {number} reveals it. The chairman left." for number in range(PARAGRAPHS)
)


def test_the_panels_of_a_long_draft_are_filled(make: Make, qtbot: QtBot) -> None:
    window = make(TEXT)
    panel, document = window.issues_dock.widget(), window.document_dock.widget()
    assert isinstance(panel, IssuesPanel)
    assert isinstance(document, DocumentPanel)
    qtbot.waitUntil(lambda: len(window.pane.marks) == 3 * PARAGRAPHS)
    qtbot.waitUntil(lambda: panel._model.rowCount() == 3 * PARAGRAPHS)
    qtbot.waitUntil(lambda: document.report is window.review.reading.report)
    assert window.strip.accessibleDescription() != "Nothing has been read yet"


def test_marks_of_a_long_draft_come_while_caret_and_scroll_stay(make: Make, qtbot: QtBot) -> None:
    """Complaints 5 and 15: the caret snaps back, and typing waits for the check."""
    window = make(TEXT)
    panel = window.issues_dock.widget()
    assert isinstance(panel, IssuesPanel)
    qtbot.waitUntil(lambda: panel._model.rowCount() == 3 * PARAGRAPHS)
    window.pane.go_to(TEXT.index("number 200"))
    scrolled = window.pane.verticalScrollBar().value()
    qtbot.keyClicks(window.pane, "legendary plot ")
    caret = window.pane.textCursor().position()
    qtbot.waitUntil(lambda: panel._model.rowCount() == 3 * PARAGRAPHS + 2)
    assert window.pane.textCursor().position() == caret
    assert window.pane.verticalScrollBar().value() == scrolled


def test_another_draft_stops_the_filling(make: Make, qtbot: QtBot) -> None:
    window = make(TEXT)
    panel = window.issues_dock.widget()
    assert isinstance(panel, IssuesPanel)
    qtbot.waitUntil(lambda: len(window.pane.marks) == 3 * PARAGRAPHS)
    qtbot.keyClick(window.pane, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    window.pane.document().setModified(False)
    window.drafts.new()
    qtbot.wait(60)
    assert panel._model.rowCount() == 0
