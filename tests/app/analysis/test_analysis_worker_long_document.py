"""Protects a long draft in the window: its panels are filled step by step, and say the same as at once."""

from __future__ import annotations

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from windows import Make

from app.charts.document_panel import DocumentPanel
from app.review.findings_panel import FindingsPanel

PARAGRAPHS = 320
TEXT = "\n\n".join(
    f"The shameful record number {number} reveals it. The chairman left." for number in range(PARAGRAPHS)
)


def test_the_panels_of_a_long_draft_are_filled(make: Make, qtbot: QtBot) -> None:
    window = make(TEXT)
    panel, document = window.ui.findings_dock.panel, window.ui.document_dock.panel
    assert isinstance(panel, FindingsPanel)
    assert isinstance(document, DocumentPanel)
    qtbot.waitUntil(lambda: len(window.ui.editor.marks) == 3 * PARAGRAPHS)
    qtbot.waitUntil(lambda: panel._model.rowCount() == 3 * PARAGRAPHS)
    qtbot.waitUntil(lambda: document.report is window.components.review.result.report)
    assert window.ui.bias_strip.accessibleDescription() != "Nothing has been analysed yet"


def test_marks_of_a_long_draft_come_while_caret_and_scroll_stay(make: Make, qtbot: QtBot) -> None:
    """Complaints 5 and 15: the caret snaps back, and typing waits for the check."""
    window = make(TEXT)
    panel = window.ui.findings_dock.panel
    assert isinstance(panel, FindingsPanel)
    qtbot.waitUntil(lambda: panel._model.rowCount() == 3 * PARAGRAPHS)
    window.ui.editor.go_to(TEXT.index("number 200"))
    scrolled = window.ui.editor.verticalScrollBar().value()
    qtbot.keyClicks(window.ui.editor, "legendary plot ")
    caret = window.ui.editor.textCursor().position()
    qtbot.waitUntil(lambda: panel._model.rowCount() == 3 * PARAGRAPHS + 2)
    assert window.ui.editor.textCursor().position() == caret
    assert window.ui.editor.verticalScrollBar().value() == scrolled


def test_another_draft_stops_the_filling(make: Make, qtbot: QtBot) -> None:
    window = make(TEXT)
    panel = window.ui.findings_dock.panel
    assert isinstance(panel, FindingsPanel)
    qtbot.waitUntil(lambda: len(window.ui.editor.marks) == 3 * PARAGRAPHS)
    qtbot.keyClick(window.ui.editor, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    window.ui.editor.document().setModified(False)
    window.components.documents.new()
    qtbot.wait(60)
    assert panel._model.rowCount() == 0
