"""Protects what of a docx, odt or html file cannot be edited: no key, paste or suggestion gets at it; and why."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from fake_container import REASON, open_fake
from PySide6.QtCore import QMimeData, QPointF, Qt
from PySide6.QtGui import QDropEvent, QGuiApplication, QInputMethodEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from windows import Make

import app.documents.session
from app.documents.locked_ranges import NO_BREAK
from app.editor.positions import edits_between
from app.main_window.window import MainWindow
from core.text.diff import TextEdit

FIELD = "The 👍🏽 [field 👍] words.\nA cell | with words.\n[locked]line\n"


@pytest.fixture
def window(make: Make, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> MainWindow:
    """The window on a file with locked words in brackets."""
    monkeypatch.setattr(app.documents.session, "open_document", open_fake)
    one = make(None)
    path = tmp_path / "report.docx"
    path.write_bytes(FIELD.encode())
    assert one.components.documents.open(path)
    return one


def put(window: MainWindow, words: str, *, end: int | None = None, after: int = 0) -> None:
    """Put the caret before some words, or select them and ``end`` more."""
    start = window.ui.editor.text().encode("utf-16-le").index(words.encode("utf-16-le")) // 2 + after
    cursor = window.ui.editor.textCursor()
    cursor.setPosition(start)
    if end is not None:
        cursor.setPosition(start + end, QTextCursor.MoveMode.KeepAnchor)
    window.ui.editor.setTextCursor(cursor)


def status_message(window: MainWindow) -> str:
    return window.ui.status_bar.currentMessage()


@pytest.mark.parametrize(
    ("words", "after", "end", "key", "keys"),
    [
        ("field", 0, None, Qt.Key.Key_X, "x"),
        ("[field", 0, 3, Qt.Key.Key_X, "x"),
        ("[field", 0, None, Qt.Key.Key_Delete, ""),
        (" words", 0, None, Qt.Key.Key_Backspace, ""),
        ("field", 0, 2, Qt.Key.Key_Delete, ""),
        ("The", 0, 12, Qt.Key.Key_Backspace, ""),
        ("field", 0, None, Qt.Key.Key_Return, ""),
    ],
)
def test_keys_do_nothing_to_locked_words_and_the_reason_is_told(
    window: MainWindow, words: str, after: int, end: int | None, key: Qt.Key, keys: str
) -> None:
    put(window, words, end=end, after=after)
    QTest.keyClick(window.ui.editor, key)
    assert window.ui.editor.text() == FIELD
    assert status_message(window) == REASON
    assert not window.components.documents.modified


def test_words_beside_and_between_are_edited_as_ever(window: MainWindow, tmp_path: Path) -> None:
    put(window, "[field")
    QTest.keyClicks(window.ui.editor, "own ")
    put(window, " words")
    QTest.keyClicks(window.ui.editor, "!")
    QTest.keyClick(window.ui.editor, Qt.Key.Key_Backspace)
    QTest.keyClicks(window.ui.editor, "?")
    put(window, "The", end=4)
    QTest.keyClick(window.ui.editor, Qt.Key.Key_Delete)
    wanted = FIELD.replace("The 👍🏽 [field 👍] words", "👍🏽 own [field 👍]? words")
    assert window.ui.editor.text() == wanted
    window.ui.actions["save"].trigger()
    assert (tmp_path / "report.docx").read_bytes() == wanted.encode()
    put(window, "field")
    QTest.keyClicks(window.ui.editor, "x")
    assert window.ui.editor.text() == wanted, "what is locked moved with the text, and still is after a save"
    for _ in range(20):
        window.ui.editor.undo()
    put(window, "field")
    QTest.keyClicks(window.ui.editor, "x")
    assert window.ui.editor.text() == FIELD


def test_line_breaks_go_only_where_the_file_has_a_place_for_them(window: MainWindow) -> None:
    put(window, "cell")
    QTest.keyClick(window.ui.editor, Qt.Key.Key_Return)
    assert status_message(window) == NO_BREAK
    data = QMimeData()
    data.setText("two\nlines")
    window.ui.editor.insertFromMimeData(data)
    assert window.ui.editor.text() == FIELD
    put(window, " words.")
    QTest.keyClick(window.ui.editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    window.ui.editor.insertFromMimeData(data)
    assert window.ui.editor.text() == FIELD.replace("] words", "]\ntwo\nlines words")


def test_paste_cut_drop_and_input_methods_are_refused_too(window: MainWindow) -> None:
    editor = window.ui.editor
    data = QMimeData()
    data.setText("pasted")
    put(window, "field", end=3)
    editor.insertFromMimeData(data)
    QGuiApplication.clipboard().setText("before")
    window.ui.actions["cut"].trigger()
    editor.cut()
    QTest.keyClick(editor, Qt.Key.Key_X, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "before"
    composed = QInputMethodEvent("よ", [])
    composed.setCommitString("読")
    QApplication.sendEvent(editor, composed)
    put(window, "field", after=1)
    place = QPointF(editor.cursorRect().center())
    drop = QDropEvent(
        place, Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    QApplication.sendEvent(editor.viewport(), drop)
    assert editor.text() == FIELD
    assert status_message(window) == REASON
    put(window, "words.")
    QApplication.sendEvent(editor, composed)
    assert "読words." in editor.text()


def test_a_suggestion_for_locked_words_is_not_applied(window: MainWindow) -> None:
    at = FIELD.encode("utf-16-le").index("field".encode("utf-16-le")) // 2
    assert not window.ui.editor.replace([TextEdit(0, 3, "That"), TextEdit(at, at + 5, "box")])
    assert window.ui.editor.text() == FIELD
    assert status_message(window) == REASON


def test_what_came_another_way_is_taken_back(window: MainWindow, qtbot: object) -> None:
    put(window, "field", end=5)
    window.ui.editor.textCursor().insertText("gone")
    QApplication.processEvents()
    assert window.ui.editor.text() == FIELD
    assert "undone" in status_message(window)
    put(window, "field")
    QTest.keyClicks(window.ui.editor, "x")
    assert window.ui.editor.text() == FIELD


def test_locked_words_are_shown_and_explained(window: MainWindow) -> None:
    QApplication.processEvents()
    shown = [selection.cursor.selectedText() for selection in window.ui.editor.extraSelections()]
    assert shown == ["[field 👍]", "[locked]"]
    window.ui.actions["new"].trigger()
    QApplication.processEvents()
    assert window.ui.editor.extraSelections() == []
    QTest.keyClicks(window.ui.editor, "[free]")
    assert window.ui.editor.text() == "[free]"


def test_a_recovered_text_stands_with_its_locks(window: MainWindow) -> None:
    session = window.components.documents.session
    text = FIELD.replace("The", "Those").replace("cell |", "long cell |").replace("]line", "]new line")
    window.components.documents.restore(session, text)
    assert window.ui.editor.text() == text
    for words in ("field", "locked"):
        put(window, words)
        QTest.keyClicks(window.ui.editor, "x")
    assert window.ui.editor.text() == text
    put(window, "line")
    QTest.keyClicks(window.ui.editor, "x")
    assert window.ui.editor.text() == text.replace("new line", "new xline")


def test_a_save_that_the_file_refuses_keeps_the_text(
    window: MainWindow, answers: list[tuple[str, str]], tmp_path: Path
) -> None:
    window.components.documents.restore(
        window.components.documents.session, FIELD.replace("[field 👍]", "gone")
    )
    window.ui.actions["save"].trigger()
    assert len(answers) == 1
    assert "save the text as .txt" in answers[0][1]
    assert window.components.documents.modified
    assert (tmp_path / "report.docx").read_bytes() == FIELD.encode()


def test_small_edits_make_one_text_the_other() -> None:
    chance = random.Random(2)
    words = ["a ", "b 👍 ", "\n", "longer word ", "é", "\n\n", "x"]
    for _ in range(200):
        old, new = ("".join(chance.choices(words, k=chance.randrange(14))) for _ in range(2))
        made = old.encode("utf-16-le")
        for start, end, text in reversed(edits_between(old, new)):
            made = made[: 2 * start] + text.encode("utf-16-le") + made[2 * end :]
        assert made.decode("utf-16-le") == new
