"""Protects the draft from its own suggestions: what was shown is put in place, whole and undoable, or nothing is."""

from __future__ import annotations

import pytest
from fake_rewriter import FakeRewriter
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QListView, QWidget
from pytestqt.qtbot import QtBot
from windows import TEXT, Make, read

from app.main_window.window import MainWindow
from app.review.ignore_commands import NO_FINDING
from app.review.rewrite_commands import CHANGED
from app.review.suggestion_rows import READ_ONLY
from core.documents.types import Document
from core.types import Finding, Suggestions


def known(window: MainWindow, qtbot: QtBot, number: int = 0) -> Finding:
    """The finding of that number, once its wordings are known."""
    qtbot.waitUntil(
        lambda: (
            len(window.pane.marks) > number
            and not window.suggesting.of(window.pane.marks[number].finding).pending
        )
    )
    return window.pane.marks[number].finding


def ready(make: Make, qtbot: QtBot, text: str = TEXT, **given: object) -> MainWindow:
    """A window whose marks are there; the first finding has its wordings and the caret."""
    window = make(text, **given)
    qtbot.waitUntil(lambda: len(window.pane.marks) > 0)
    window.pane.go_to(window.pane.marks[0].start)
    known(window, qtbot)
    return window


def test_a_key_puts_the_shown_words_in_place_and_one_undo_restores_them(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    window.commands["use_2"].trigger()
    changed = TEXT.replace("shameful", "criticised")
    assert window.pane.text() == changed
    assert "“shameful” → “criticised”" in window.status.currentMessage()
    read(window, qtbot, ["reveals", "chairman"])
    window.commands["undo"].trigger()
    assert window.pane.text() == TEXT
    assert not window.pane.document().isUndoAvailable()
    window.commands["redo"].trigger()
    assert window.pane.text() == changed


def test_several_edits_are_one_undo_step_and_typing_after_them_another(make: Make, qtbot: QtBot) -> None:
    rewriter = FakeRewriter(also=(("The", "A"), ("👍🏽 record", "👍🏽 👎 file"), ("it", "that")))
    window = ready(make, qtbot, load_rewriter=lambda _: rewriter)
    window.commands["use_2"].trigger()
    changed = TEXT.replace("The shameful 👍🏽 record reveals it", "A criticised 👍🏽 👎 file reveals that")
    assert window.pane.text() == changed
    QTest.keyClicks(window.pane, "xy")
    while window.pane.text() != changed:
        window.pane.undo()
    window.pane.undo()
    assert window.pane.text() == TEXT


def test_an_emoji_before_the_words_shifts_nothing(make: Make, qtbot: QtBot) -> None:
    text = "👍🏽 First 🏳️‍🌈 words. The 👩‍👩‍👧 and a\u00a0shameful\u00a0👍 deal."
    window = ready(make, qtbot, text)
    window.commands["use_2"].trigger()
    assert window.pane.text() == text.replace("shameful", "criticised")
    window.pane.undo()
    assert window.pane.text() == text


@pytest.mark.parametrize(
    ("caret", "then"),
    [("The", "The"), ("record", "record"), ("chairman", "chairman"), ("shameful", "criticised")],
)
def test_the_caret_stays_at_its_words(make: Make, qtbot: QtBot, caret: str, then: str) -> None:
    window = ready(make, qtbot)
    finding = known(window, qtbot)
    cursor = window.pane.textCursor()
    at = window.pane.document().find(caret).selectionStart()
    cursor.setPosition(at)
    cursor.setPosition(at + 2, QTextCursor.MoveMode.KeepAnchor)
    window.pane.setTextCursor(cursor)
    window.rewording.apply(finding, 2)
    now = window.pane.textCursor()
    start = window.pane.document().find(then).selectionStart()
    assert now.selectionStart() == start
    assert now.selectedText() == then[:2]
    QTest.keyClicks(window.pane, "Zz")
    qtbot.wait(30)
    assert window.pane.textCursor().position() == start + 2


def test_the_scroll_stays(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot, "Plain words.\n\n" * 60 + "A shameful end.\n\n" + "More.\n\n" * 60)
    window.pane.moveCursor(QTextCursor.MoveOperation.Start)
    window.pane.verticalScrollBar().setValue(100)
    finding = known(window, qtbot)
    before = window.pane.verticalScrollBar().value()
    assert before > 0
    window.rewording.apply(finding, 1)
    assert "A end." in window.pane.text()
    assert window.pane.verticalScrollBar().value() == before


def test_words_that_were_changed_meanwhile_are_left_alone(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    finding = known(window, qtbot)
    cursor = QTextCursor(window.pane.document())
    cursor.setPosition(window.pane.text().index("record") + 2)
    cursor.insertText("whole ")
    before = window.pane.text()
    window.rewording.apply(finding, 1)
    assert window.pane.text() == before
    assert window.status.currentMessage() == CHANGED


def test_an_edit_elsewhere_moves_the_place_not_the_wording(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    known(window, qtbot, 2)
    QTextCursor(window.pane.document()).insertText("👍 So: ")
    window.rewording.apply(window.pane.marks[2].finding, 1)
    assert window.pane.text() == "👍 So: " + TEXT.replace("chairman", "chair")


def test_a_key_without_a_wording_says_so(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot, "A plot.")
    window.commands["use_1"].trigger()
    assert window.status.currentMessage() == "No better wording found."


def test_a_key_of_a_wording_that_is_not_there_says_so(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    window.commands["use_3"].trigger()
    assert window.status.currentMessage() == "There is no wording 3."
    window.pane.moveCursor(QTextCursor.MoveOperation.Start)
    window.commands["use_1"].trigger()
    assert window.status.currentMessage() == NO_FINDING
    assert window.pane.text() == TEXT


def test_a_read_only_draft_shows_and_keeps(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    window.pane.setReadOnly(True)
    window.review.go_to(window.pane.marks[0].finding)
    card = window.middle.findChild(QWidget, "finding_card")
    assert card is not None
    row = card.findChild(QWidget, "suggestion_1")
    assert row is not None
    assert row.isVisible()
    assert not row.isEnabled()
    assert card.wordings.note == READ_ONLY  # type: ignore[attr-defined]
    window.commands["use_1"].trigger()
    assert window.pane.text() == TEXT
    assert window.status.currentMessage() == READ_ONLY


def test_a_click_on_a_row_applies_it_and_the_keyboard_stays_in_the_text(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    window.activateWindow()
    window.review.go_to(window.pane.marks[0].finding)
    row = window.middle.findChild(QWidget, "suggestion_2")
    assert row is not None
    qtbot.waitUntil(row.isVisible)
    QTest.mouseClick(row, Qt.MouseButton.LeftButton, pos=QPoint(60, 8))
    assert window.pane.text() == TEXT.replace("shameful", "criticised")
    assert window.pane.hasFocus()
    QTest.keyClicks(window.pane, "x")
    assert "xcriticised" in window.pane.text()


def test_tab_and_enter_apply_a_row(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    window.activateWindow()
    window.review.go_to(window.pane.marks[0].finding)
    for _ in range(2):
        QTest.keyClick(window.focusWidget(), Qt.Key.Key_Tab)
    row = window.middle.findChild(QWidget, "suggestion_1")
    assert row is not None
    assert row.hasFocus()
    QTest.keyClick(row, Qt.Key.Key_Return)
    assert window.pane.text() == TEXT.replace("shameful ", "")
    assert window.pane.hasFocus()


def test_the_row_of_the_panel_can_be_reworded_from_there(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    known(window, qtbot, 2)
    window.activateWindow()
    listed = window.issues_dock.findChild(QListView)
    assert listed is not None
    window.cards.hide()
    listed.setFocus()
    listed.setCurrentIndex(listed.model().index(2, 0))
    window.commands["use_1"].trigger()
    assert window.pane.text() == TEXT.replace("chairman", "chair")


def test_a_suggestion_outside_its_sentence_is_never_offered(make: Make, qtbot: QtBot) -> None:
    class Wild(FakeRewriter):
        def suggest(self, document: Document, finding: Finding, **_: object) -> Suggestions:  # type: ignore[override]
            fine = super().suggest(document, finding)
            far = fine.items[0].edits[0].__class__(0, 200, "")
            return Suggestions((type(fine.items[0])((far,), "", 1.0, 0.9, 0.1), fine.items[1]))

    window = ready(make, qtbot, load_rewriter=lambda _: Wild())
    window.commands["use_1"].trigger()
    assert window.pane.text() == TEXT.replace("shameful", "criticised")
