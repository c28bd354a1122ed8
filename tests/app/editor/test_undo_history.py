"""Protects the order of Undo: typing, edits of commands and actions that change no text are undone one by one, last
first; a action is no change of the draft; caret, view and marks stay where a command's edit is undone.
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.editor.editor import TextEditor
from app.editor.marks import Marks
from app.editor.positions import OffsetMap
from core.text.diff import TextEdit
from core.types import Finding, Kind

LINES = "One plan 👍🏽 here.\n" * 60


class Deeds:
    """Deeds of an editor: which are done now."""

    def __init__(self, editor: TextEditor) -> None:
        self.editor, self.done = editor, list[int]()

    def do(self, number: int) -> None:
        self.done.append(number)
        self.editor.history.add_action(lambda: self.done.remove(number), lambda: self.done.append(number))


@pytest.fixture
def editor(qtbot: QtBot) -> TextEditor:
    made = TextEditor()
    qtbot.addWidget(made)
    made.resize(700, 300)
    made.load(LINES)
    made.show()
    made.setFocus()
    return made


def press(editor: TextEditor, key: Qt.Key) -> None:
    QTest.keyClick(editor, key, Qt.KeyboardModifier.ControlModifier)


def test_a_action_parts_what_is_typed_before_and_after_it(editor: TextEditor) -> None:
    actions = Deeds(editor)
    edits: list[bool] = []
    QTest.keyClicks(editor, "ab")
    editor.edited.connect(lambda: edits.append(True))
    actions.do(1)
    assert edits == []
    QTest.keyClicks(editor, "cd")
    press(editor, Qt.Key.Key_Z)
    assert (editor.text()[:3], actions.done) == ("abO", [1])
    press(editor, Qt.Key.Key_Z)
    assert (editor.text()[:3], actions.done) == ("abO", [])
    press(editor, Qt.Key.Key_Z)
    assert (editor.text(), actions.done) == (LINES, [])
    for expected in (("abO", []), ("abO", [1]), ("abcd", [1])):
        editor.redo()
        assert (editor.text()[: len(expected[0])], actions.done) == expected


def test_a_action_is_no_change_of_the_draft(editor: TextEditor) -> None:
    actions = Deeds(editor)
    actions.do(1)
    assert not editor.document().isModified()
    assert editor.document().isUndoAvailable()
    editor.undo()
    assert not editor.document().isModified()
    editor.redo()
    QTest.keyClicks(editor, "x")
    editor.document().setModified(False)
    actions.do(2)
    editor.undo()
    assert not editor.document().isModified()
    editor.undo()
    assert editor.document().isModified(), "the saved text had an x"
    editor.redo()
    assert not editor.document().isModified()
    editor.redo()
    assert actions.done == [1, 2]
    assert not editor.document().isModified()


def test_an_action_that_is_a_change_of_the_draft_is_to_be_saved_and_so_is_its_undo(
    editor: TextEditor,
) -> None:
    """Among actions that are none, and among typing; who shows that the draft is modified is told each time."""
    document, told = editor.document(), list[bool]()
    document.modificationChanged.connect(told.append)
    plain = Deeds(editor)
    plain.do(1)
    editor.history.add_action(lambda: None, lambda: None, is_change=True)
    assert document.isModified()
    plain.do(2)
    editor.undo()
    assert document.isModified()
    editor.undo()
    assert not document.isModified()
    editor.undo()
    assert not document.isModified()
    for _ in range(3):
        editor.redo()
    assert document.isModified()
    document.setModified(False)
    editor.undo()
    assert not document.isModified()
    editor.undo()
    assert document.isModified(), "it was saved with it"
    editor.redo()
    assert not document.isModified()
    QTest.keyClicks(editor, "x")
    editor.undo()
    editor.undo()
    assert told == [True, False, True, False, True, False, True, False, True]
    assert plain.done == [1]


def test_what_was_undone_is_gone_once_something_else_is_done(editor: TextEditor) -> None:
    actions = Deeds(editor)
    QTest.keyClicks(editor, "a")
    actions.do(1)
    step = editor.history.last
    assert step is not None
    editor.undo()
    QTest.keyClicks(editor, "b")
    assert not step.done
    editor.redo()
    assert actions.done == []
    actions.do(2)
    editor.redo()
    editor.undo()
    assert actions.done == []
    assert not step.done
    editor.undo()
    assert editor.text() == LINES


def test_another_draft_has_another_history(editor: TextEditor) -> None:
    actions = Deeds(editor)
    actions.do(1)
    editor.load("Other")
    assert not editor.document().isUndoAvailable()
    QTest.keyClicks(editor, "x")
    editor.undo()
    editor.undo()
    assert (editor.text(), actions.done) == ("Other", [1])


def test_the_edits_of_a_command_are_undone_where_caret_and_view_are(editor: TextEditor) -> None:
    units = OffsetMap(LINES)
    places = [units.to_utf16(at) for at in range(len(LINES)) if LINES.startswith("plan", at)]
    marks = [
        Finding(at, at + 4, "here", Kind.FRAMING, 0.9, False, (), f"{at}")
        for at in range(len(LINES))
        if LINES.startswith("here", at)
    ]
    editor.set_marks(Marks.place(marks, units))
    was = [(mark.start, mark.end) for mark in editor.marks]
    editor.go_to(places[30] + 1)
    top = editor.verticalScrollBar().value()
    assert top
    editor.replace([TextEdit(at, at + 4, "schemes") for at in places])
    moved = editor.textCursor().position()
    for _ in range(2):
        editor.undo()
        assert editor.text() == LINES
        assert editor.textCursor().position() == places[30] + 1
        assert editor.verticalScrollBar().value() == top
        assert [(mark.start, mark.end) for mark in editor.marks] == was
        editor.redo()
        assert editor.text() == LINES.replace("plan", "schemes")
        assert editor.textCursor().position() == moved
        assert editor.verticalScrollBar().value() == top
        assert len(editor.marks) == 60


def test_an_undo_of_typing_goes_there(editor: TextEditor) -> None:
    QTest.keyClicks(editor, "x")
    editor.moveCursor(QTextCursor.MoveOperation.End)
    press(editor, Qt.Key.Key_Z)
    assert editor.textCursor().position() == 0
    assert editor.verticalScrollBar().value() == 0


def test_actions_are_undone_in_a_draft_that_is_read_only(editor: TextEditor) -> None:
    editor.setReadOnly(True)
    actions = Deeds(editor)
    actions.do(1)
    editor.undo()
    assert actions.done == []
    editor.redo()
    assert actions.done == [1]
    assert editor.text() == LINES


ACTS = st.lists(
    st.sampled_from(["type", "type", "delete", "action", "replace", "undo", "undo", "redo", "save", "end"]),
    max_size=40,
)


@given(ACTS)
@settings(max_examples=60, deadline=None)
def test_any_sequence_equals_a_plain_list_of_states(qapp: object, acts: list[str]) -> None:
    """Undo to the start and redo to the end pass through the same texts, actions and states of saving."""
    editor = TextEditor()
    editor.load("One plan.\nTwo plans.")
    actions = Deeds(editor)
    saved = editor.text()
    for number, act in enumerate(acts):
        match act:
            case "type":
                QTest.keyClicks(editor, "ab")
            case "delete":
                QTest.keyClick(editor, Qt.Key.Key_Backspace)
            case "action":
                actions.do(number)
            case "replace":
                end = editor.document().characterCount() - 1
                editor.replace([TextEdit(0, min(1, end), "Oh"), TextEdit(end, end, "!")])
            case "undo":
                editor.undo()
            case "redo":
                editor.redo()
            case "save":
                editor.document().setModified(False)
                saved = editor.text()
            case "end":
                editor.moveCursor(QTextCursor.MoveOperation.End)
    assert editor.document().isModified() or editor.text() == saved
    while editor.document().isRedoAvailable():
        editor.redo()
    seen = [(editor.text(), sorted(actions.done))]
    while editor.document().isUndoAvailable():
        editor.undo()
        seen.append((editor.text(), sorted(actions.done)))
        assert editor.document().isModified() or editor.text() == saved
    assert seen[-1] == ("One plan.\nTwo plans.", [])
    back: list[tuple[str, list[int]]] = [seen[-1]]
    while editor.document().isRedoAvailable():
        editor.redo()
        back.append((editor.text(), sorted(actions.done)))
    assert back[::-1] == seen
    editor.deleteLater()
