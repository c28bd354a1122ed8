"""Protects what of a docx, odt or html file cannot be edited safely: no key, paste or wording gets at it, and why."""

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

FIELD = "The 👍🏽 [field 👍] words.\nA cell | with words.\n[locked]line\n"


@pytest.fixture
def window(make: Make, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> MainWindow:
    """The window on a file with locked words in brackets."""
    monkeypatch.setattr(app.documents.session, "open_document", open_fake)
    one = make(None)
    path = tmp_path / "report.docx"
    path.write_bytes(FIELD.encode())
    assert one.drafts.open(path)
    return one


def put(window: MainWindow, words: str, *, end: int | None = None, after: int = 0) -> None:
    """Put the caret before some words, or select them and ``end`` more."""
    start = window.pane.text().encode("utf-16-le").index(words.encode("utf-16-le")) // 2 + after
    cursor = window.pane.textCursor()
    cursor.setPosition(start)
    if end is not None:
        cursor.setPosition(start + end, QTextCursor.MoveMode.KeepAnchor)
    window.pane.setTextCursor(cursor)


def told(window: MainWindow) -> str:
    return window.status.currentMessage()


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
    QTest.keyClick(window.pane, key)
    assert window.pane.text() == FIELD
    assert told(window) == REASON
    assert not window.drafts.modified


def test_words_beside_and_between_are_edited_as_ever(window: MainWindow, tmp_path: Path) -> None:
    put(window, "[field")
    QTest.keyClicks(window.pane, "own ")
    put(window, " words")
    QTest.keyClicks(window.pane, "!")
    QTest.keyClick(window.pane, Qt.Key.Key_Backspace)
    QTest.keyClicks(window.pane, "?")
    put(window, "The", end=4)
    QTest.keyClick(window.pane, Qt.Key.Key_Delete)
    wanted = FIELD.replace("The 👍🏽 [field 👍] words", "👍🏽 own [field 👍]? words")
    assert window.pane.text() == wanted
    window.commands["save"].trigger()
    assert (tmp_path / "report.docx").read_bytes() == wanted.encode()
    put(window, "field")
    QTest.keyClicks(window.pane, "x")
    assert window.pane.text() == wanted, "what is locked moved with the text, and still is after a save"
    for _ in range(20):
        window.pane.undo()
    put(window, "field")
    QTest.keyClicks(window.pane, "x")
    assert window.pane.text() == FIELD


def test_line_breaks_go_only_where_the_file_has_a_place_for_them(window: MainWindow) -> None:
    put(window, "cell")
    QTest.keyClick(window.pane, Qt.Key.Key_Return)
    assert told(window) == NO_BREAK
    data = QMimeData()
    data.setText("two\nlines")
    window.pane.insertFromMimeData(data)
    assert window.pane.text() == FIELD
    put(window, " words.")
    QTest.keyClick(window.pane, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    window.pane.insertFromMimeData(data)
    assert window.pane.text() == FIELD.replace("] words", "]\ntwo\nlines words")


def test_paste_cut_drop_and_input_methods_are_refused_too(window: MainWindow) -> None:
    pane = window.pane
    data = QMimeData()
    data.setText("pasted")
    put(window, "field", end=3)
    pane.insertFromMimeData(data)
    QGuiApplication.clipboard().setText("before")
    window.commands["cut"].trigger()
    pane.cut()
    QTest.keyClick(pane, Qt.Key.Key_X, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "before"
    composed = QInputMethodEvent("よ", [])
    composed.setCommitString("読")
    QApplication.sendEvent(pane, composed)
    put(window, "field", after=1)
    place = QPointF(pane.cursorRect().center())
    drop = QDropEvent(
        place, Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    QApplication.sendEvent(pane.viewport(), drop)
    assert pane.text() == FIELD
    assert told(window) == REASON
    put(window, "words.")
    QApplication.sendEvent(pane, composed)
    assert "読words." in pane.text()


def test_a_wording_for_locked_words_is_not_applied(window: MainWindow) -> None:
    at = FIELD.encode("utf-16-le").index("field".encode("utf-16-le")) // 2
    assert not window.pane.replace([(0, 3, "That"), (at, at + 5, "box")])
    assert window.pane.text() == FIELD
    assert told(window) == REASON


def test_what_came_another_way_is_taken_back(window: MainWindow, qtbot: object) -> None:
    put(window, "field", end=5)
    window.pane.textCursor().insertText("gone")
    QApplication.processEvents()
    assert window.pane.text() == FIELD
    assert "taken back" in told(window)
    put(window, "field")
    QTest.keyClicks(window.pane, "x")
    assert window.pane.text() == FIELD


def test_locked_words_are_shown_and_explained(window: MainWindow) -> None:
    QApplication.processEvents()
    shown = [selection.cursor.selectedText() for selection in window.pane.extraSelections()]
    assert shown == ["[field 👍]", "[locked]"]
    window.commands["new"].trigger()
    QApplication.processEvents()
    assert window.pane.extraSelections() == []
    QTest.keyClicks(window.pane, "[free]")
    assert window.pane.text() == "[free]"


def test_a_recovered_text_stands_with_its_locks(window: MainWindow) -> None:
    session = window.drafts.session
    text = FIELD.replace("The", "Those").replace("cell |", "long cell |").replace("]line", "]new line")
    window.drafts.restore(session, text)
    assert window.pane.text() == text
    for words in ("field", "locked"):
        put(window, words)
        QTest.keyClicks(window.pane, "x")
    assert window.pane.text() == text
    put(window, "line")
    QTest.keyClicks(window.pane, "x")
    assert window.pane.text() == text.replace("new line", "new xline")


def test_a_save_that_the_file_refuses_keeps_the_text(
    window: MainWindow, answers: list[tuple[str, str]], tmp_path: Path
) -> None:
    window.drafts.restore(window.drafts.session, FIELD.replace("[field 👍]", "gone"))
    window.commands["save"].trigger()
    assert len(answers) == 1
    assert "save the text as .txt" in answers[0][1]
    assert window.drafts.modified
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
