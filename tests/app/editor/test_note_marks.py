"""Protects the marks of notes in the text: edits move them as the file does, and their signs have room of their own."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QFontMetricsF, QTextCursor
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.editor.editor import TextEditor
from app.editor.marks import EditStep
from app.editor.note_marks import NoteMark, NoteMarks, character_before, sign_width
from core.text.diff import TextEdit

TEXT = "🙂 Words here.\nMore words.\nThe note.\nAnother one."
Make = Callable[..., TextEditor]


def at(words: str) -> int:
    return len(TEXT[: TEXT.index(words)].encode("utf-16-le")) // 2


FIRST, SECOND = at(" here"), at(".\nThe note")
NOTE, OTHER = at("The note."), at("Another")
MARKS = (
    NoteMark(FIRST, NOTE, OTHER - 1, "1", "Footnote 1"),
    NoteMark(SECOND, OTHER, OTHER + 12, "12", "Footnote 12"),
)


@pytest.fixture
def make(qtbot: QtBot) -> Make:
    def made(*marks: NoteMark) -> TextEditor:
        editor = TextEditor()
        qtbot.addWidget(editor)
        editor.resize(700, 300)
        editor.load(TEXT)
        editor.set_notes(NoteMarks(marks or MARKS))
        editor.show()
        qtbot.waitExposed(editor)
        editor.viewport().repaint()
        return editor

    return made


@pytest.mark.parametrize(
    ("position", "removed", "added", "place"),
    [
        (0, 0, 3, 13),
        (10, 0, 3, 13),
        (11, 0, 3, 10),
        (4, 2, 0, 8),
        (10, 2, 0, 10),
        (10, 2, 5, 10),
        (8, 2, 5, 13),
        (8, 4, 0, 8),
        (8, 4, 3, 11),
        (0, 30, 0, 0),
    ],
)
def test_a_mark_is_behind_what_is_typed_at_it(position: int, removed: int, added: int, place: int) -> None:
    marks = NoteMarks([NoteMark(10, 40, 50, "1", "Footnote 1")])
    marks.edit(EditStep(position, removed, added), at_line_start=False)
    assert [mark.place for mark in marks] == [place]


@pytest.mark.parametrize(
    ("position", "removed", "added", "note"),
    [
        (40, 0, 3, (40, 53)),
        (50, 0, 3, (40, 53)),
        (39, 0, 3, (43, 53)),
        (51, 0, 3, (40, 50)),
        (40, 10, 0, (40, 40)),
        (40, 10, 2, (40, 42)),
        (42, 3, 0, (40, 47)),
    ],
)
def test_a_note_has_what_is_typed_at_its_ends(
    position: int, removed: int, added: int, note: tuple[int, int]
) -> None:
    marks = NoteMarks([NoteMark(10, 40, 50, "1", "Footnote 1")])
    marks.edit(EditStep(position, removed, added), at_line_start=position == 40)
    assert [(mark.start, mark.end) for mark in marks] == [note]


def test_a_mark_that_begins_a_line_stays_there() -> None:
    marks = NoteMarks([NoteMark(10, 40, 50, "1", "Footnote 1")])
    marks.edit(EditStep(10, 0, 4), at_line_start=True)
    assert [mark.place for mark in marks] == [10]


def test_signs_at_one_place_are_drawn_together_and_typed_ones_not_at_all() -> None:
    signs = (("1", 4), ("i", 4), ("", 4), ("", 7), ("2", 9))
    marks = NoteMarks(NoteMark(place, 20, 30, sign, "Note") for sign, place in signs)
    assert marks.signs(0, 9) == [(4, "1,i"), (9, "2")]
    assert marks.signs(5, 8) == []
    assert len(marks.between(4, 7)) == 4


@pytest.mark.parametrize(
    ("text", "position", "start"),
    [
        ("ab", 2, 1),
        ("a🙂", 3, 1),
        ("ae\u0301", 3, 1),
        ("a👍🏽", 5, 1),
        ("a" * 99, 99, 98),
        ("🙂" * 40, 80, 78),
    ],
)
def test_room_is_made_behind_a_whole_character(text: str, position: int, start: int) -> None:
    assert character_before(text, position) == (start, position)


def x_of(editor: TextEditor, position: int) -> int:
    cursor = QTextCursor(editor.document())
    cursor.setPosition(position)
    return editor.cursorRect(cursor).x()


def test_a_sign_has_room_and_changes_no_text(make: Make) -> None:
    editor = make()
    with_signs = x_of(editor, FIRST)
    assert editor.text() == TEXT
    assert not editor.document().isModified()
    assert not editor.document().isUndoAvailable()
    editor.set_notes(NoteMarks())
    editor.viewport().repaint()
    assert with_signs - x_of(editor, FIRST) == pytest.approx(sign_width("1", editor.font()), abs=1.5)


def test_a_sign_is_drawn_in_its_room(make: Make) -> None:
    editor = make()
    editor.setCursorWidth(0)
    right, line = x_of(editor, FIRST), editor.cursorRect()
    shown = editor.viewport().grab().toImage()
    # The same room, but nothing to see in it.
    editor.set_notes(NoteMarks([NoteMark(mark.place, mark.start, mark.end, "\u2007", "") for mark in MARKS]))
    empty = editor.viewport().grab().toImage()
    changed = [
        (x, y)
        for x in range(right - 15, right + 5)
        for y in range(line.top(), line.bottom())
        if shown.pixel(x, y) != empty.pixel(x, y)
    ]
    assert changed
    assert max(x for x, _ in changed) <= right
    ascent = QFontMetricsF(editor.font()).ascent()
    assert max(y for _, y in changed) < line.top() + 0.8 * ascent, (
        "it ends well above the baseline of the text"
    )


def test_a_sign_moves_with_the_text(make: Make) -> None:
    editor = make()
    editor.replace([TextEdit(0, 0, "New "), TextEdit(FIRST, FIRST, "s"), TextEdit(NOTE, NOTE, "See: ")])
    first, second = editor.notes
    assert editor.text_between(first.place - 5, first.place) == "ordss"
    assert editor.text_between(first.start, first.end) == "See: The note."
    assert editor.text_between(second.place - 5, second.place) == "words"
    assert editor.text_between(second.start, second.end) == "Another one."
    block = editor.document().begin()
    editor.viewport().repaint()
    (room,) = block.layout().formats()
    assert (room.start, room.length) == (first.place - 1, 1)


def sign_point(editor: TextEditor, place: int) -> QPoint:
    cursor = QTextCursor(editor.document())
    cursor.setPosition(place)
    return editor.cursorRect(cursor).center() - QPoint(3, 0)


def test_a_click_with_ctrl_goes_to_the_note(make: Make) -> None:
    editor = make()
    point = sign_point(editor, SECOND)
    assert [mark.label for mark in editor.notes_at_point(QPointF(point))] == ["Footnote 12"]
    assert editor.notes_at_point(QPointF(point) - QPointF(40, 0)) == []
    press = (editor.viewport(), Qt.MouseButton.LeftButton)
    QTest.mouseClick(*press, Qt.KeyboardModifier.NoModifier, point)
    assert abs(editor.textCursor().position() - SECOND) <= 1
    QTest.mouseClick(*press, Qt.KeyboardModifier.ControlModifier, point)
    assert editor.textCursor().position() == OTHER


def test_another_text_has_no_marks_of_this_one(make: Make) -> None:
    editor = make()
    editor.load("Other words that are longer than all of that.")
    assert len(editor.notes) == 0
