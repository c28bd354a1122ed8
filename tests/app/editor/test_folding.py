"""Protects folding: it hides lines and changes nothing, and what a person goes to or edits is shown."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.editor import marked_text
from app.editor.editor import TextEditor
from app.editor.markup_styles import MarkupStyles
from core.documents.format_specs import FORMATS
from core.documents.types import Format
from core.highlighting import wikitext
from core.text.diff import TextEdit
from tests.app.editor.test_editor import marked

TEXT = """👍🏽 Before.
{{Infobox
| name = Jane
| known_for = {{list
| shameful record
}}
}}
Jane is brave.<ref>{{cite
| title = reveals
}}</ref> She wrote.

Last line."""
INFOBOX = (2, 3, 4, 5, 6)
CITATION = (8,)
Key, Shift = Qt.Key, Qt.KeyboardModifier.ShiftModifier
Make = Callable[..., TextEditor]


@pytest.fixture
def make(qtbot: QtBot) -> Make:
    def made(text: str = TEXT, format: Format = Format.WIKITEXT) -> TextEditor:
        editor = TextEditor()
        qtbot.addWidget(editor)
        editor.resize(700, 400)
        editor.load(text)
        editor.set_styles(MarkupStyles(editor.document(), wikitext.highlight_line))
        editor.folding.set_finder(FORMATS[format].find_folds)
        editor.show()
        editor.setFocus()
        qtbot.waitExposed(editor)
        editor.viewport().repaint()
        return editor

    return made


@pytest.fixture
def folded(make: Make) -> TextEditor:
    editor = make()
    editor.folding.fold_all()
    assert hidden(editor) == (*INFOBOX, *CITATION)
    return editor


def hidden(editor: TextEditor) -> tuple[int, ...]:
    """The numbers of the hidden lines."""
    document = editor.document()
    blocks = map(document.findBlockByNumber, range(document.blockCount()))
    return tuple(block.blockNumber() for block in blocks if not block.isVisible())


def at(editor: TextEditor, words: str, *, behind: bool = False) -> int:
    """The position of words, or behind them, in UTF-16 units."""
    index = editor.text().index(words) + behind * len(words)
    return len(editor.text()[:index].encode("utf-16-le")) // 2


def put_caret(editor: TextEditor, position: int) -> None:
    cursor = editor.textCursor()
    cursor.setPosition(position)
    editor.setTextCursor(cursor)


def line(editor: TextEditor) -> int:
    return editor.textCursor().blockNumber()


def test_folding_hides_lines_and_changes_nothing_else(make: Make) -> None:
    editor = make()
    editor.set_marks(marked(TEXT, "shameful|brave|reveals"))
    marks = list(editor.marks)
    edits: list[object] = []
    editor.edited.connect(lambda: edits.append(None))
    lines = editor.document().lineCount()
    editor.folding.fold_all()
    assert hidden(editor) == (*INFOBOX, *CITATION)
    assert editor.document().lineCount() == lines - len(hidden(editor))
    assert editor.text() == TEXT
    assert list(editor.marks) == marks
    assert not editor.document().isModified()
    assert not editor.document().isUndoAvailable()
    editor.folding.unfold_all()
    assert hidden(editor) == ()
    assert editor.document().lineCount() == lines
    assert not edits


def test_hidden_lines_take_no_room_and_are_not_painted(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    editor = make()
    editor.set_marks(marked(TEXT, "shameful|brave"))
    heights = [editor.blockBoundingRect(editor.document().findBlockByNumber(n)).height() for n in range(9)]
    shameful, brave = editor.marks
    top = editor.rects_of(brave)[0].top()
    editor.folding.fold_all()
    assert editor.rects_of(shameful) == []
    assert editor.rects_of(brave)[0].top() == pytest.approx(top - sum(heights[2:7]))
    drawn: list[object] = []
    monkeypatch.setattr(marked_text, "draw_underline", lambda *args, **_: drawn.append(args))
    editor.viewport().grab()
    assert len(drawn) == 1


def test_the_whole_text_is_selected_and_copied(folded: TextEditor) -> None:
    folded.selectAll()
    assert folded.createMimeDataFromSelection().text() == TEXT


def test_the_command_at_the_caret_folds_the_innermost_part(make: Make) -> None:
    editor = make()
    said: list[str] = []
    editor.folding.status_message.connect(said.append)
    put_caret(editor, at(editor, "shameful"))
    editor.folding.toggle_at_caret()
    assert hidden(editor) == (4, 5)
    assert line(editor) == 3
    editor.folding.toggle_at_caret()
    assert hidden(editor) == ()
    put_caret(editor, at(editor, "name ="))
    editor.folding.toggle_at_caret()
    assert hidden(editor) == INFOBOX
    assert editor.textCursor().position() == at(editor, "{{Infobox", behind=True)
    editor.folding.toggle_at_caret()
    put_caret(editor, at(editor, "title"))
    editor.folding.toggle_at_caret()
    assert hidden(editor) == CITATION
    put_caret(editor, at(editor, "Last"))
    editor.folding.toggle_at_caret()
    assert hidden(editor) == CITATION
    assert said == [
        "Template folded.",
        "Unfolded.",
        "Template folded.",
        "Unfolded.",
        "Reference folded.",
        "There is nothing to fold at the caret.",
    ]


def test_all_is_said_in_numbers(make: Make) -> None:
    editor = make()
    said: list[str] = []
    editor.folding.status_message.connect(said.append)
    for command in (editor.folding.unfold_all, editor.folding.fold_all, editor.folding.unfold_all):
        command()
    editor.load("Nothing.")
    editor.folding.fold_all()
    assert said == [
        "Nothing is folded.",
        "2 parts folded.",
        "2 parts unfolded.",
        "There is nothing to fold in this draft.",
    ]


@pytest.mark.parametrize(
    ("words", "expected"), [("shameful", CITATION), ("reveals", INFOBOX), ("Jane is", None)]
)
def test_going_to_a_place_unfolds_it_alone(
    folded: TextEditor, words: str, expected: tuple[int, ...] | None
) -> None:
    folded.go_to(at(folded, words), at(folded, words, behind=True))
    assert hidden(folded) == ((*INFOBOX, *CITATION) if expected is None else expected)
    assert folded.textCursor().selectedText() == words
    assert folded.viewport().rect().contains(folded.cursorRect())


@pytest.mark.parametrize(
    ("start", "keys", "reached"),
    [
        ("{{Infobox", [Key.Key_Right], 7),
        ("{{Infobox", [Key.Key_Down], 7),
        ("{{Infobox", [Key.Key_Down, Key.Key_Up], 1),
        ("{{Infobox", [Key.Key_Down, Key.Key_Home, Key.Key_Left], 1),
        ("{{cite", [Key.Key_Right], 9),
        ("{{cite", [Key.Key_Right, Key.Key_Left], 7),
        ("Last", [Key.Key_Up] * 3, 7),
        ("Last", [Key.Key_PageUp], 0),
        ("Before", [Key.Key_PageDown], 11),
    ],
)
def test_the_caret_moves_over_hidden_lines(
    folded: TextEditor, start: str, keys: list[Qt.Key], reached: int
) -> None:
    put_caret(folded, at(folded, start, behind=True))
    for key in keys:
        QTest.keyClick(folded, key)
        assert folded.textCursor().block().isVisible()
    assert line(folded) == reached
    assert hidden(folded) == (*INFOBOX, *CITATION)


def test_words_and_selections_move_over_hidden_lines(folded: TextEditor) -> None:
    put_caret(folded, at(folded, "{{Infobox", behind=True))
    QTest.keyClick(folded, Key.Key_Right, Qt.KeyboardModifier.ControlModifier)
    assert line(folded) == 7
    QTest.keyClick(folded, Key.Key_Left, Qt.KeyboardModifier.ControlModifier)
    assert line(folded) == 1
    put_caret(folded, at(folded, "{{Infobox", behind=True))
    QTest.keyClick(folded, Key.Key_Right, Shift)
    assert folded.textCursor().selectionStart() == at(folded, "{{Infobox", behind=True)
    assert folded.textCursor().selectionEnd() == at(folded, "Jane is")
    QTest.keyClick(folded, Key.Key_Left, Shift)
    assert not folded.textCursor().hasSelection()


def test_a_fold_at_the_end_keeps_the_caret_out_and_selections_whole(make: Make) -> None:
    text = "A\n{{b\n| c\n}}"
    editor = make(text)
    editor.folding.fold_all()
    QTest.keyClick(editor, Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    assert editor.textCursor().position() == len("A\n{{b")
    QTest.keyClick(editor, Key.Key_Right)
    QTest.keyClick(editor, Key.Key_Down)
    assert editor.textCursor().position() == len("A\n{{b")
    assert hidden(editor) == (2, 3)
    editor.selectAll()
    assert editor.createMimeDataFromSelection().text() == text


def test_folding_takes_the_caret_out(make: Make) -> None:
    editor = make()
    editor.go_to(at(editor, "shameful"), at(editor, "brave"))
    editor.folding.fold_all()
    assert not editor.textCursor().hasSelection()
    assert editor.textCursor().block().isVisible()
    QTest.keyClicks(editor, "x")
    assert editor.text() == TEXT.replace("brave", "xbrave")


def test_typing_elsewhere_leaves_folds_alone(folded: TextEditor) -> None:
    put_caret(folded, at(folded, "Jane is"))
    QTest.keyClicks(folded, "Mrs ")
    QTest.keyClick(folded, Key.Key_Return)
    put_caret(folded, 0)
    QTest.keyClicks(folded, "First line")
    QTest.keyClick(folded, Key.Key_Return)
    put_caret(folded, at(folded, "{{Infobox"))
    QTest.keyClick(folded, Key.Key_Return)
    QTest.keyClick(folded, Key.Key_End)
    QTest.keyClicks(folded, " person")
    new = TEXT.replace("Jane is", "Mrs \nJane is").replace("{{Infobox", "\n{{Infobox person")
    assert folded.text() == "First line\n" + new
    assert hidden(folded) == (4, 5, 6, 7, 8, 11)
    while folded.document().isUndoAvailable():
        folded.undo()
        assert folded.textCursor().block().isVisible()
    assert folded.text() == TEXT


@pytest.mark.parametrize(
    ("start", "behind", "key", "text", "expected"),
    [
        ("{{Infobox", True, Key.Key_Delete, TEXT.replace("Infobox\n", "Infobox"), (2, 3, 4, 5, 7)),
        ("{{Infobox", True, Key.Key_Return, TEXT.replace("Infobox\n", "Infobox\n\n"), (9,)),
        ("box\n", False, Key.Key_Return, TEXT.replace("Infobox", "Info\nbox"), (9,)),
        ("Jane is", False, Key.Key_Backspace, TEXT.replace("}}\nJane", "}}Jane"), ()),
        ("{{Infobox", False, Key.Key_Backspace, TEXT.replace("\n{{Info", "{{Info"), (1, 2, 3, 4, 5, 7)),
    ],
)
def test_an_edit_at_the_edge_hides_no_line_that_was_visible(
    folded: TextEditor, start: str, behind: bool, key: Qt.Key, text: str, expected: tuple[int, ...]
) -> None:
    put_caret(folded, at(folded, start, behind=behind))
    QTest.keyClick(folded, key)
    assert folded.text() == text
    assert hidden(folded) == expected
    assert folded.textCursor().block().isVisible()
    folded.undo()
    assert folded.text() == TEXT
    assert set(hidden(folded)) <= {*INFOBOX, *CITATION}
    assert folded.textCursor().block().isVisible()


def test_undo_and_redo_show_what_they_change(make: Make) -> None:
    editor = make()
    put_caret(editor, at(editor, "shameful"))
    QTest.keyClicks(editor, "most ")
    editor.folding.fold_all()
    editor.undo()
    assert editor.text() == TEXT
    assert hidden(editor) == CITATION
    assert line(editor) == 4
    editor.folding.fold_all()
    editor.redo()
    assert editor.text() == TEXT.replace("shameful", "most shameful")
    assert hidden(editor) == CITATION
    assert editor.textCursor().block().isVisible()


def test_a_suggestion_that_is_taken_back_is_shown_and_the_caret_stays(make: Make) -> None:
    editor = make()
    start = at(editor, "shameful")
    editor.replace([TextEdit(start, start + len("shameful"), "poor")])
    editor.folding.fold_all()
    put_caret(editor, at(editor, "Last"))
    editor.undo()
    assert editor.text() == TEXT
    assert hidden(editor) == CITATION
    assert editor.textCursor().position() == at(editor, "Last")


def test_replacing_shows_only_the_folds_that_it_changes(folded: TextEditor) -> None:
    start, last = at(folded, "Before"), at(folded, "reveals")
    folded.replace([TextEdit(start, start + 6, "After"), TextEdit(last, last + 7, "says")])
    assert hidden(folded) == INFOBOX


def test_deleting_around_a_fold_deletes_it_whole_and_undo_brings_it_back(folded: TextEditor) -> None:
    cursor = folded.textCursor()
    cursor.setPosition(at(folded, "{{Infobox"))
    cursor.setPosition(at(folded, "Jane is"), QTextCursor.MoveMode.KeepAnchor)
    folded.setTextCursor(cursor)
    QTest.keyClick(folded, Key.Key_Delete)
    assert folded.text() == TEXT[: TEXT.index("{{Info")] + TEXT[TEXT.index("Jane is") :]
    assert hidden(folded) == (2,)
    folded.undo()
    assert folded.text() == TEXT
    assert set(hidden(folded)) <= {*INFOBOX, *CITATION}


def test_the_mark_in_the_margin_and_the_ellipsis_are_clicked(make: Make, qtbot: QtBot) -> None:
    editor = make()
    cursor = editor.textCursor()
    cursor.setPosition(at(editor, "{{Infobox"))
    place = editor.cursorRect(cursor)
    margin = QPoint(place.left() - 6, place.center().y())
    qtbot.mouseClick(editor.viewport(), Qt.MouseButton.LeftButton, pos=margin)
    assert hidden(editor) == INFOBOX
    assert editor.textCursor().position() == 0
    qtbot.mouseClick(editor.viewport(), Qt.MouseButton.LeftButton, pos=margin)
    assert hidden(editor) == ()
    qtbot.mouseDClick(editor.viewport(), Qt.MouseButton.LeftButton, pos=margin)
    assert hidden(editor) == INFOBOX
    cursor.setPosition(at(editor, "{{Infobox", behind=True))
    behind = editor.cursorRect(cursor).center() + QPoint(14, 0)
    qtbot.mouseMove(editor.viewport(), QPoint(1, 1))
    qtbot.mouseMove(editor.viewport(), behind)
    assert editor.viewport().cursor().shape() == Qt.CursorShape.PointingHandCursor
    qtbot.mouseClick(editor.viewport(), Qt.MouseButton.LeftButton, pos=behind)
    assert hidden(editor) == ()
    below = margin + QPoint(0, place.height() * 2)
    qtbot.mouseClick(editor.viewport(), Qt.MouseButton.LeftButton, pos=below)
    assert hidden(editor) == ()


def test_marks_follow_the_text(make: Make, qtbot: QtBot) -> None:
    """Where a fold begins is known at every key, and found anew in a pause."""
    editor = make()
    editor.resize(700, 900)

    def marked_lines() -> list[int]:
        cursor, found = editor.textCursor(), []
        for number in range(editor.document().blockCount()):
            cursor.setPosition(editor.document().findBlockByNumber(number).position())
            place = editor.cursorRect(cursor)
            if editor.fold_mark_at(QPoint(place.left() - 6, place.center().y()).toPointF()) is not None:
                found.append(number)
        return found

    assert marked_lines() == [1, 3, 7]
    QTest.keyClick(editor, Key.Key_Return)
    assert marked_lines() == [2, 4, 8]
    put_caret(editor, at(editor, "Last line.", behind=True))
    QTest.keyClicks(editor, "{{a")
    QTest.keyClick(editor, Key.Key_Return)
    QTest.keyClicks(editor, "}}")
    qtbot.waitUntil(lambda: marked_lines() == [2, 4, 8, 12])


def test_the_view_stays_when_lines_above_it_are_folded(make: Make) -> None:
    editor = make("{{a\n" + "| b\n" * 50 + "}}\n" + "\n".join(f"Line {number}" for number in range(90)))
    editor.verticalScrollBar().setValue(80)
    top = editor.firstVisibleBlock().text()
    assert top == "Line 28"
    editor.folding.fold_all()
    assert editor.firstVisibleBlock().text() == top
    editor.folding.unfold_all()
    assert editor.firstVisibleBlock().text() == top
    editor.verticalScrollBar().setValue(20)
    editor.folding.fold_all()
    assert editor.firstVisibleBlock().text() == "{{a"


def test_other_styles_a_new_size_and_a_new_theme_keep_folds(folded: TextEditor) -> None:
    folded.set_styles(MarkupStyles(folded.document(), wikitext.highlight_line))
    folded.folding.set_finder(FORMATS[Format.WIKITEXT].find_folds)
    folded.resize(400, 300)
    folded.set_zoom(4)
    folded.viewport().repaint()
    assert hidden(folded) == (*INFOBOX, *CITATION)
    assert folded.document().findBlockByNumber(2).lineCount() == 0


def test_another_format_or_text_is_not_folded(folded: TextEditor) -> None:
    folded.folding.set_finder(FORMATS[Format.MARKDOWN].find_folds)
    assert hidden(folded) == ()
    folded.load("---\na: b\n---\nc")
    folded.folding.fold_all()
    assert hidden(folded) == (1, 2)
    folded.load("---\na: b\n---\nd")
    assert hidden(folded) == ()
    folded.folding.set_finder(None)
    folded.folding.fold_all()
    assert hidden(folded) == ()


STEPS = st.lists(
    st.tuples(
        st.sampled_from(
            ["fold", "toggle", "unfold", "undo", "redo", "type", "delete", "join", "right", "paste", "up"]
        ),
        st.integers(0, 300),
        st.sampled_from(["x", "{{", "}}", "\n", "<ref>", "\n}}\n", "a\n{{b\n"]),
    ),
    min_size=4,
    max_size=25,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=25)
@given(STEPS)
def test_any_work_with_folds_gives_the_text_that_it_gives_without(
    make: Make, steps: list[tuple[str, int, str]]
) -> None:
    """The same edits in a text that is never folded give the same; every hidden line follows a visible one."""
    editors = [make(), make()]
    folding, plain = editors
    for step, place, text in steps:
        visible = folding.document().findBlock(place % folding.document().characterCount()).isVisible()
        if step == "fold":
            folding.folding.fold_all()
        elif step == "toggle":
            folding.folding.toggle_at_caret()
        elif step == "unfold":
            folding.folding.unfold_all()
        elif step in ("undo", "redo"):
            for editor in editors:
                getattr(editor, step)()
        elif step in ("right", "up"):
            QTest.keyClick(folding, Key.Key_Right if step == "right" else Key.Key_Up)
        elif visible:
            for editor in editors:
                cursor = editor.textCursor()
                cursor.setPosition(place % editor.document().characterCount())
                editor.setTextCursor(cursor)
                if step == "type":
                    for character in text:
                        QTest.keyClick(editor, Key.Key_Return if character == "\n" else character)
                elif step == "paste":
                    editor.textCursor().insertText(text)
                else:
                    QTest.keyClick(editor, Key.Key_Delete if step == "delete" else Key.Key_Backspace)
        assert folding.text() == plain.text()
        assert folding.document().availableUndoSteps() == plain.document().availableUndoSteps()
        assert folding.textCursor().block().isVisible()
        assert folding.document().firstBlock().isVisible()
        assert all(
            folding.document().findBlockByNumber(number).lineCount() == 0 for number in hidden(folding)
        )
