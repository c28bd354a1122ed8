"""Protects the draft from its own suggestions: what was shown is put in place, whole and undoable, or nothing is."""

from __future__ import annotations

from threading import Event

import pytest
from fake_rewriter import FakeRewriter
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QListView, QMenu, QToolButton, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import delete
from windows import TEXT, Make, read

from app.main_window.window import MainWindow
from app.review.ignore_commands import NO_FINDING
from app.review.rewrite_commands import SENTENCE_CHANGED
from app.review.suggestion_rows import READ_ONLY
from core.documents.types import Document
from core.types import Finding, Suggestions


def known(window: MainWindow, qtbot: QtBot, number: int = 0) -> Finding:
    """The finding of that number, once its suggestions are known."""
    qtbot.waitUntil(
        lambda: (
            len(window.ui.editor.marks) > number
            and not window.components.prefetch.get(window.ui.editor.marks[number].finding).pending
        )
    )
    return window.ui.editor.marks[number].finding


def ready(make: Make, qtbot: QtBot, text: str = TEXT, **given: object) -> MainWindow:
    """A window whose marks are there; the first finding has its suggestions and the caret."""
    window = make(text, **given)
    qtbot.waitUntil(lambda: len(window.ui.editor.marks) > 0)
    window.ui.editor.go_to(window.ui.editor.marks[0].start)
    known(window, qtbot)
    return window


def test_a_key_puts_the_shown_words_in_place_and_one_undo_restores_them(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    window.ui.actions["use_2"].trigger()
    changed = TEXT.replace("shameful", "criticised")
    assert window.ui.editor.text() == changed
    assert "“shameful” → “criticised”" in window.ui.status_bar.currentMessage()
    read(window, qtbot, ["reveals", "chairman"])
    window.ui.actions["undo"].trigger()
    assert window.ui.editor.text() == TEXT
    assert not window.ui.editor.document().isUndoAvailable()
    window.ui.actions["redo"].trigger()
    assert window.ui.editor.text() == changed


def test_several_edits_are_one_undo_step_and_typing_after_them_another(make: Make, qtbot: QtBot) -> None:
    rewriter = FakeRewriter(also=(("The", "A"), ("👍🏽 record", "👍🏽 👎 file"), ("it", "that")))
    window = ready(make, qtbot, load_rewriter=lambda _: rewriter)
    window.ui.actions["use_2"].trigger()
    changed = TEXT.replace("The shameful 👍🏽 record reveals it", "A criticised 👍🏽 👎 file reveals that")
    assert window.ui.editor.text() == changed
    QTest.keyClicks(window.ui.editor, "xy")
    while window.ui.editor.text() != changed:
        window.ui.editor.undo()
    window.ui.editor.undo()
    assert window.ui.editor.text() == TEXT


def test_an_emoji_before_the_words_shifts_nothing(make: Make, qtbot: QtBot) -> None:
    text = "👍🏽 First 🏳️‍🌈 words. The 👩‍👩‍👧 and a\u00a0shameful\u00a0👍 deal."
    window = ready(make, qtbot, text)
    window.ui.actions["use_2"].trigger()
    assert window.ui.editor.text() == text.replace("shameful", "criticised")
    window.ui.editor.undo()
    assert window.ui.editor.text() == text


@pytest.mark.parametrize(
    ("caret", "then"),
    [("The", "The"), ("record", "record"), ("chairman", "chairman"), ("shameful", "criticised")],
)
def test_the_caret_stays_at_its_words(make: Make, qtbot: QtBot, caret: str, then: str) -> None:
    window = ready(make, qtbot)
    finding = known(window, qtbot)
    cursor = window.ui.editor.textCursor()
    at = window.ui.editor.document().find(caret).selectionStart()
    cursor.setPosition(at)
    cursor.setPosition(at + 2, QTextCursor.MoveMode.KeepAnchor)
    window.ui.editor.setTextCursor(cursor)
    window.components.rewrite.apply(finding, 2)
    now = window.ui.editor.textCursor()
    start = window.ui.editor.document().find(then).selectionStart()
    assert now.selectionStart() == start
    assert now.selectedText() == then[:2]
    QTest.keyClicks(window.ui.editor, "Zz")
    qtbot.wait(30)
    assert window.ui.editor.textCursor().position() == start + 2


def test_the_scroll_stays(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot, "Plain words.\n\n" * 60 + "A shameful end.\n\n" + "More.\n\n" * 60)
    window.ui.editor.moveCursor(QTextCursor.MoveOperation.Start)
    window.ui.editor.verticalScrollBar().setValue(100)
    finding = known(window, qtbot)
    before = window.ui.editor.verticalScrollBar().value()
    assert before > 0
    window.components.rewrite.apply(finding, 1)
    assert "A end." in window.ui.editor.text()
    assert window.ui.editor.verticalScrollBar().value() == before


def test_words_that_were_changed_meanwhile_are_left_alone(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    finding = known(window, qtbot)
    cursor = QTextCursor(window.ui.editor.document())
    cursor.setPosition(window.ui.editor.text().index("record") + 2)
    cursor.insertText("whole ")
    before = window.ui.editor.text()
    window.components.rewrite.apply(finding, 1)
    assert window.ui.editor.text() == before
    assert window.ui.status_bar.currentMessage() == SENTENCE_CHANGED


def test_an_edit_elsewhere_moves_the_place_not_the_suggestion(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    known(window, qtbot, 2)
    QTextCursor(window.ui.editor.document()).insertText("👍 So: ")
    window.components.rewrite.apply(window.ui.editor.marks[2].finding, 1)
    assert window.ui.editor.text() == "👍 So: " + TEXT.replace("chairman", "chair")


def test_a_key_without_a_suggestion_says_so(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot, "A plot.")
    window.ui.actions["use_1"].trigger()
    assert window.ui.status_bar.currentMessage() == "No suitable suggestion found."


def test_a_key_of_a_suggestion_that_is_not_there_says_so(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    window.ui.actions["use_3"].trigger()
    assert window.ui.status_bar.currentMessage() == "There is no suggestion 3."
    window.ui.editor.moveCursor(QTextCursor.MoveOperation.Start)
    window.ui.actions["use_1"].trigger()
    assert window.ui.status_bar.currentMessage() == NO_FINDING
    assert window.ui.editor.text() == TEXT


def test_a_read_only_draft_shows_and_keeps(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    window.ui.editor.setReadOnly(True)
    window.components.review.go_to(window.ui.editor.marks[0].finding)
    card = window.ui.central.findChild(QWidget, "finding_card")
    assert card is not None
    row = card.findChild(QWidget, "suggestion_1")
    assert row is not None
    assert row.isVisible()
    assert not row.isEnabled()
    assert card.suggestions.note == READ_ONLY  # type: ignore[attr-defined]
    window.ui.actions["use_1"].trigger()
    assert window.ui.editor.text() == TEXT
    assert window.ui.status_bar.currentMessage() == READ_ONLY


def test_a_click_on_a_row_applies_it_and_the_keyboard_stays_in_the_text(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    window.activateWindow()
    window.components.review.go_to(window.ui.editor.marks[0].finding)
    row = window.ui.central.findChild(QWidget, "suggestion_2")
    assert row is not None
    qtbot.waitUntil(row.isVisible)
    QTest.mouseClick(row, Qt.MouseButton.LeftButton, pos=QPoint(60, 8))
    assert window.ui.editor.text() == TEXT.replace("shameful", "criticised")
    assert window.ui.editor.hasFocus()
    QTest.keyClicks(window.ui.editor, "x")
    assert "xcriticised" in window.ui.editor.text()


def test_tab_and_enter_apply_a_row(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    window.activateWindow()
    window.components.review.go_to(window.ui.editor.marks[0].finding)
    for _ in range(2):
        QTest.keyClick(window.focusWidget(), Qt.Key.Key_Tab)
    row = window.ui.central.findChild(QWidget, "suggestion_1")
    assert row is not None
    assert row.hasFocus()
    QTest.keyClick(row, Qt.Key.Key_Return)
    assert window.ui.editor.text() == TEXT.replace("shameful ", "")
    assert window.ui.editor.hasFocus()


def test_the_row_of_the_panel_can_be_reworded_from_there(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    known(window, qtbot, 2)
    window.activateWindow()
    listed = window.ui.findings_dock.findChild(QListView)
    assert listed is not None
    window.components.card.hide()
    listed.setFocus()
    listed.setCurrentIndex(listed.model().index(2, 0))
    window.ui.actions["use_1"].trigger()
    assert window.ui.editor.text() == TEXT.replace("chairman", "chair")


def test_a_suggestion_outside_its_sentence_is_never_offered(make: Make, qtbot: QtBot) -> None:
    class Wild(FakeRewriter):
        def suggest(self, document: Document, finding: Finding, **_: object) -> Suggestions:  # type: ignore[override]
            fine = super().suggest(document, finding)
            far = fine.items[0].edits[0].__class__(0, 200, "")
            return Suggestions((type(fine.items[0])((far,), "", 1.0, 0.9, 0.1), fine.items[1]))

    window = ready(make, qtbot, load_rewriter=lambda _: Wild())
    window.ui.actions["use_1"].trigger()
    assert window.ui.editor.text() == TEXT.replace("shameful", "criticised")


def test_the_whole_sentence_is_reworded_in_one_step_and_one_undo(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    finding = known(window, qtbot)
    window.components.card.show_now(finding)
    window.ui.actions["reword"].trigger()
    assert known(window, qtbot) == finding
    (item,) = window.components.prefetch.get(finding).items
    assert len(item.edits) > 1
    window.ui.actions["use_1"].trigger()
    changed = window.ui.editor.text()
    assert "shameful" not in changed
    assert "says" in changed
    window.ui.actions["undo"].trigger()
    assert window.ui.editor.text() == TEXT


def test_rewording_the_sentence_can_be_taken_back_on_the_card(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    finding = known(window, qtbot)
    own = window.components.prefetch.get(finding).items
    window.ui.editor.setFocus()
    window.components.card.show_now(finding)
    for whole in (True, False):
        button = window.findChild(QToolButton, "reword_sentence")
        assert isinstance(button, QToolButton)
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        known(window, qtbot)
        assert button.isChecked() == whole
        assert (window.components.prefetch.get(finding).items == own) == (not whole)


@pytest.mark.parametrize("command", ["use_2", "ignore", "ignore_words", "allow"])
def test_after_a_choice_next_finding_goes_on_by_itself(make: Make, qtbot: QtBot, command: str) -> None:
    window = ready(make, qtbot)
    window.ui.editor.moveCursor(QTextCursor.MoveOperation.Start)
    window.ui.actions["next"].trigger()
    first, second = (mark.finding.text for mark in list(window.ui.editor.marks)[:2])
    known(window, qtbot)
    assert window.ui.editor.current is not None
    assert window.ui.editor.current.text == first
    window.ui.actions[command].trigger()
    assert window.ui.editor.current is not None
    assert window.ui.editor.current.text == second
    assert window.ui.editor.textCursor().position() == window.ui.editor.marks[0].start


def test_a_finding_that_was_reached_otherwise_keeps_the_caret(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    at = window.ui.editor.textCursor().position()
    window.ui.actions["use_2"].trigger()
    assert window.ui.editor.textCursor().position() == at


def texts(menu: QMenu) -> list[str]:
    """The texts of a menu, without the marks of keys."""
    return [action.text().replace("&", "") for action in menu.actions() if not action.isSeparator()]


def test_the_menu_of_a_finding_has_its_suggestions_and_ways_to_ignore_it(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    mark = window.ui.editor.marks[0]
    menu = window.components.finding_menu.build(mark.start + 1)
    assert texts(menu)[:5] == [
        "“shameful” removed",
        "“shameful” → “criticised”",
        "Ignore once",
        "Ignore here",
        "Always allow",
    ]
    menu.actions()[1].trigger()
    assert window.ui.editor.text() == TEXT.replace("shameful", "criticised")


def test_suggestions_that_are_still_looked_for_come_into_the_open_menu(make: Make, qtbot: QtBot) -> None:
    gate = Event()
    window = make(load_rewriter=lambda _: FakeRewriter(gate=gate))
    qtbot.waitUntil(lambda: len(window.ui.editor.marks) > 0)
    position = window.ui.editor.marks[0].start + 1
    closed, menu = (window.components.finding_menu.build(position) for _ in range(2))
    assert texts(menu)[:2] == ["Looking for suggestions …", "Ignore once"]
    delete(closed)
    gate.set()
    qtbot.waitUntil(
        lambda: texts(menu)[:3] == ["“shameful” removed", "“shameful” → “criticised”", "Ignore once"]
    )
    menu.actions()[1].trigger()
    assert window.ui.editor.text() == TEXT.replace("shameful", "criticised")


def test_the_menu_elsewhere_has_the_commands_of_editing_alone(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    menu = window.components.finding_menu.build(0)
    assert texts(menu) == ["Undo", "Redo", "Cut", "Copy", "Paste", "Select all"]


def test_a_right_click_opens_the_menu_of_the_words_under_it(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    editor = window.ui.editor
    asked: list[int] = []
    editor.menu_requested.disconnect()
    editor.menu_requested.connect(lambda _, position: asked.append(position))
    mark = editor.marks[0]
    point = editor.rects_of(mark)[0].center().toPoint()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, point, editor.viewport().mapToGlobal(point))
    QApplication.sendEvent(editor.viewport(), event)
    assert len(asked) == 1
    assert mark.start <= asked[0] <= mark.end
