"""Protects folding inside lines: a label stands for a reference, the caret skips it, and nothing is edited unseen."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QMimeData, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QDragMoveEvent, QDropEvent, QTextCursor
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.editor import marked_text
from app.editor.editor import TextEditor
from app.editor.inline_folds import HiddenPart, HiddenParts
from app.editor.underlines import caret_x
from core.documents.format_specs import FORMATS
from core.documents.types import Format
from core.highlighting.types import FoldKind
from core.text.diff import TextEdit
from tests.app.editor.shown_editors import show_editor
from tests.app.editor.test_editor import marked

NOTE = '<ref name="Smith">{{cite web|url=https://example.org/a/long/place|title=A shameful 👍🏽 שלום}} There.</ref>'
LONG = "<ref>{{cite\n| title = reveals\n}}</ref>"
TEXT = f"""Jane 👍🏽 is brave.{NOTE} She wrote.<ref>Other</ref>{{{{sfn|Doe|1999}}}} It is {{{{convert|5|km}}}} away.
Middle.{LONG} She left.
End.{LONG}
Last line."""
LABELS = ["ref Smith", "ref", "sfn", "ref", "ref"]
Key, Shift, Control = Qt.Key, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
Make = Callable[..., TextEditor]


@pytest.fixture
def make(qtbot: QtBot) -> Make:
    def made(text: str = TEXT) -> TextEditor:
        editor = show_editor(qtbot, text, height=500)
        spec = FORMATS[Format.WIKITEXT]
        editor.folding.set_finder(spec.find_folds, spec.find_inline_folds)
        return editor

    return made


@pytest.fixture
def folded(make: Make) -> TextEditor:
    editor = make()
    editor.folding.toggle_references()
    editor.viewport().repaint()
    assert labels(editor) == LABELS
    return editor


def labels(editor: TextEditor) -> list[str]:
    """The labels that are drawn, from left to right and line by line."""
    return [label for label, _ in boxes(editor)]


def boxes(editor: TextEditor) -> list[tuple[str, QRectF]]:
    """The labels that are drawn and where."""
    return [
        (part.label, box)
        for block, top, _, _ in editor._lines_in(editor.viewport().rect())
        for part, box in editor.folding._labels(block, top)
    ]


def hidden(editor: TextEditor) -> tuple[int, ...]:
    """The numbers of the hidden lines."""
    document = editor.document()
    blocks = map(document.findBlockByNumber, range(document.blockCount()))
    return tuple(block.blockNumber() for block in blocks if not block.isVisible())


def at(text: str, words: str, *, behind: bool = False) -> int:
    """The position of words, or behind them, in UTF-16 units."""
    index = text.index(words) + behind * len(words)
    return len(text[:index].encode("utf-16-le")) // 2


def put_caret(editor: TextEditor, position: int, anchor: int | None = None) -> None:
    cursor = editor.textCursor()
    cursor.setPosition(position if anchor is None else anchor)
    cursor.setPosition(position, QTextCursor.MoveMode.KeepAnchor)
    editor.setTextCursor(cursor)


def width_between(editor: TextEditor, start: int, end: int) -> float:
    """How far two positions of the first line on the screen are from each other, in pixels."""
    line = editor.document().firstBlock().layout().lineAt(0)
    return caret_x(line, end) - caret_x(line, start)


START, END = at(TEXT, NOTE), at(TEXT, NOTE, behind=True)


def test_a_label_takes_the_place_of_a_reference_and_nothing_else_changes(make: Make) -> None:
    editor = make()
    edits: list[object] = []
    editor.edited.connect(lambda: edits.append(None))
    lines = editor.document().firstBlock().layout().lineCount()
    editor.folding.toggle_references()
    editor.viewport().repaint()
    layout = editor.document().firstBlock().layout()
    assert labels(editor) == LABELS
    assert hidden(editor) == (2, 5, 6)
    assert layout.lineCount() < lines
    box = boxes(editor)[0][1]
    assert width_between(editor, START, END) == pytest.approx(box.width() + 2, abs=2)
    assert width_between(editor, START + 5, END - 5) == pytest.approx(0, abs=3)
    assert layout.lineAt(0).height() == pytest.approx(layout.lineAt(layout.lineCount() - 1).height(), abs=1)
    assert not edits
    assert editor.text() == TEXT
    assert not editor.document().isModified()
    assert not editor.document().isUndoAvailable()
    editor.folding.toggle_references()
    editor.viewport().repaint()
    assert labels(editor) == []
    assert hidden(editor) == ()
    assert editor.document().firstBlock().layout().lineCount() == lines


def test_the_caret_behind_a_label_is_as_high_as_elsewhere(folded: TextEditor, qtbot: QtBot) -> None:
    """Qt takes the height of a caret from the character before it, which is hidden here."""

    def height(position: int) -> int:
        put_caret(folded, position)
        shown = folded.cursorRect()

        def rows() -> int:
            image = folded.viewport().grab().toImage()
            ink = folded.palette().text().color()
            column = [image.pixelColor(shown.x(), y) for y in range(shown.top(), shown.bottom() + 1)]
            return sum(colour == ink for colour in column)

        QTest.keyClick(folded, Key.Key_Left)
        QTest.keyClick(folded, Key.Key_Right)
        qtbot.waitUntil(lambda: rows() > 0)
        return rows()

    assert height(END) >= 0.8 * height(at(TEXT, "She wrote") - 1 + len(" She"))


def test_the_command_says_what_it_did(make: Make) -> None:
    editor = make()
    said: list[str] = []
    editor.folding.status_message.connect(said.append)
    editor.folding.toggle_references()
    editor.folding.toggle_references()
    put_caret(editor, at(TEXT, "Other"))
    editor.folding.toggle_at_caret()
    editor.folding.toggle_references()
    editor.folding.unfold_all()
    editor.load("Nothing.")
    editor.folding.toggle_references()
    assert said == [
        "5 references folded.",
        "5 references unfolded.",
        "Reference folded.",
        "4 references folded.",
        "5 parts unfolded.",
        "There are no references to fold in this draft.",
    ]


def test_the_key_folds_the_whole_reference_or_the_innermost_template_and_opens_it_again(make: Make) -> None:
    editor = make()
    for words, label, lines in (
        ("shameful", "ref Smith", ()),
        ("5|km", "convert", ()),
        ("reveals", "ref", (2,)),
    ):
        put_caret(editor, at(TEXT, words))
        editor.folding.toggle_at_caret()
        editor.viewport().repaint()
        assert labels(editor) == [label]
        assert hidden(editor) == lines
        assert editor.textCursor().block().isVisible()
        editor.folding.toggle_at_caret()
        assert labels(editor) == []
        assert hidden(editor) == ()


def test_a_folded_template_in_a_reference_that_is_folded_is_one_with_it(make: Make) -> None:
    text = "A {{efn|b {{c}} d}} e"
    editor = make(text)
    put_caret(editor, text.index("c}}"))
    editor.folding._hide_parts([FORMATS[Format.WIKITEXT].find_inline_folds(text)[1]])
    assert labels(editor) == ["c"]
    editor.folding.toggle_references()
    assert labels(editor) == ["efn"]
    editor.folding.unfold_all()
    assert labels(editor) == []


@pytest.mark.parametrize(
    ("start", "keys", "reached"),
    [
        (START, [(Key.Key_Right, None)], END),
        (END, [(Key.Key_Left, None)], START),
        (START, [(Key.Key_Right, None)] * 2, END + 1),
        (START, [(Key.Key_Right, Control)], END),
        (END, [(Key.Key_Left, Control)], START),
        (at(TEXT, "<ref>Other"), [(Key.Key_Right, None)] * 2, at(TEXT, "{{sfn|Doe|1999}}", behind=True)),
        (at(TEXT, "{{sfn|Doe|1999}}", behind=True), [(Key.Key_Left, None)] * 2, at(TEXT, "<ref>Other")),
        (at(TEXT, "Middle.", behind=True), [(Key.Key_Right, None)], at(TEXT, " She left")),
        (at(TEXT, " She left"), [(Key.Key_Left, None)], at(TEXT, "Middle.", behind=True)),
        (at(TEXT, "Middle"), [(Key.Key_End, None)], at(TEXT, "Middle.", behind=True)),
        (at(TEXT, "End.", behind=True), [(Key.Key_Right, None)], at(TEXT, "Last")),
        (at(TEXT, "Last"), [(Key.Key_Left, None)], at(TEXT, "End.", behind=True)),
        (at(TEXT, "End"), [(Key.Key_Down, None)], at(TEXT, "Last")),
        (at(TEXT, "Middle"), [(Key.Key_Down, None)] * 2, at(TEXT, "End.")),
        (at(TEXT, "Last"), [(Key.Key_Up, None)], at(TEXT, "End.")),
    ],
)
def test_the_caret_moves_over_labels(
    folded: TextEditor, start: int, keys: list[tuple[Qt.Key, Qt.KeyboardModifier | None]], reached: int
) -> None:
    put_caret(folded, start)
    for key, modifier in keys:
        QTest.keyClick(folded, key, modifier or Qt.KeyboardModifier.NoModifier)
    assert folded.textCursor().position() == reached
    assert not folded.textCursor().hasSelection()
    assert labels(folded) == LABELS


def test_a_selection_goes_over_a_label_and_has_its_markup(folded: TextEditor) -> None:
    put_caret(folded, START)
    QTest.keyClick(folded, Key.Key_Right, Shift)
    assert folded.createMimeDataFromSelection().text() == NOTE
    QTest.keyClick(folded, Key.Key_Left, Shift)
    assert not folded.textCursor().hasSelection()
    folded.selectAll()
    assert folded.createMimeDataFromSelection().text() == TEXT
    put_caret(folded, END, START)
    QTest.keyClick(folded, Key.Key_Delete)
    assert folded.text() == TEXT.replace(NOTE, "")
    assert labels(folded) == LABELS[1:]
    folded.undo()
    assert folded.text() == TEXT


def test_a_click_on_a_label_opens_it(folded: TextEditor, qtbot: QtBot) -> None:
    place = boxes(folded)[0][1].center().toPoint()
    put_caret(folded, 0)
    qtbot.mouseMove(folded.viewport(), QPoint(1, 1))
    qtbot.mouseMove(folded.viewport(), place)
    assert folded.viewport().cursor().shape() == Qt.CursorShape.PointingHandCursor
    qtbot.mouseClick(folded.viewport(), Qt.MouseButton.LeftButton, pos=place)
    folded.viewport().repaint()
    assert labels(folded) == LABELS[1:]
    assert folded.textCursor().position() == 0


def test_a_click_right_behind_a_label_puts_the_caret_behind_it(folded: TextEditor, qtbot: QtBot) -> None:
    box = boxes(folded)[0][1]
    for caret in (0, END, at(TEXT, "Last")):
        put_caret(folded, caret)
        beside = QPoint(int(box.right()) + 2, int(box.center().y()))
        qtbot.mouseClick(folded.viewport(), Qt.MouseButton.LeftButton, pos=beside)
        assert folded.textCursor().position() == END
    assert labels(folded) == LABELS


@pytest.mark.parametrize(
    ("caret", "key", "modifier"),
    [
        (END, Key.Key_Backspace, None),
        (END, Key.Key_Backspace, Control),
        (START, Key.Key_Delete, None),
        (START, Key.Key_Delete, Control),
    ],
)
def test_deleting_beside_a_label_opens_it_first(
    folded: TextEditor, caret: int, key: Qt.Key, modifier: Qt.KeyboardModifier | None
) -> None:
    put_caret(folded, caret)
    QTest.keyClick(folded, key, modifier or Qt.KeyboardModifier.NoModifier)
    assert folded.text() == TEXT
    assert labels(folded) == LABELS[1:]
    assert folded.textCursor().position() == caret
    QTest.keyClick(folded, key)
    assert len(folded.text()) == len(TEXT) - 1


def test_deleting_a_word_that_reaches_into_a_hidden_part_opens_it_first(make: Make) -> None:
    editor = make("A.<ref>b</ref>. C")
    editor.folding.toggle_references()
    put_caret(editor, len("A.<ref>b</ref>."))
    QTest.keyClick(editor, Key.Key_Backspace, Control)
    assert editor.text() == "A.<ref>b</ref>. C"
    assert labels(editor) == []


def test_between_two_labels_the_right_one_opens(folded: TextEditor) -> None:
    put_caret(folded, at(TEXT, "{{sfn"))
    QTest.keyClick(folded, Key.Key_Delete)
    assert labels(folded) == ["ref Smith", "ref", "ref", "ref"]
    folded.folding.toggle_references()
    put_caret(folded, at(TEXT, "{{sfn"))
    QTest.keyClick(folded, Key.Key_Backspace)
    assert labels(folded) == ["ref Smith", "sfn", "ref", "ref"]


def test_the_tooltip_of_a_label_is_what_it_hides(folded: TextEditor) -> None:
    (_, first), *_, (_, last) = boxes(folded)
    assert folded.hidden_text_at(first.center()) == [NOTE]
    assert folded.hidden_text_at(last.center()) == ["<ref>{{cite | title = reveals }}</ref>"]
    assert folded.hidden_text_at(first.center() + QPointF(0, 300)) == []


def test_no_text_is_dropped_into_a_hidden_part(folded: TextEditor) -> None:
    data = QMimeData()
    data.setText("dropped")
    place = boxes(folded)[0][1].center()
    for point, text in ((place, TEXT), (QPointF(12, place.y()), f"dropped{TEXT}")):
        drag = QDragMoveEvent(
            point.toPoint(),
            Qt.DropAction.CopyAction,
            data,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )
        folded.dragMoveEvent(drag)
        assert drag.isAccepted() == (text != TEXT)
        folded.dropEvent(
            QDropEvent(
                point,
                Qt.DropAction.CopyAction,
                data,
                Qt.MouseButton.LeftButton,
                Qt.KeyboardModifier.NoModifier,
            )
        )
        assert folded.text() == text
    assert labels(folded) == LABELS


def test_typing_beside_labels_leaves_them_folded(folded: TextEditor) -> None:
    put_caret(folded, END)
    QTest.keyClicks(folded, "x")
    put_caret(folded, START)
    QTest.keyClicks(folded, "y ")
    QTest.keyClick(folded, Key.Key_Return)
    put_caret(folded, 0)
    QTest.keyClick(folded, Key.Key_Return)
    folded.viewport().repaint()
    assert folded.text() == "\n" + TEXT.replace(NOTE, f"y \n{NOTE}x")
    assert labels(folded) == LABELS
    while folded.document().isUndoAvailable():
        folded.undo()
    assert folded.text() == TEXT
    assert hidden(folded) == (2, 5, 6)


def test_an_edit_of_hidden_text_shows_it(folded: TextEditor) -> None:
    cursor = QTextCursor(folded.document())
    cursor.setPosition(at(TEXT, "reveals"))
    cursor.insertText("x")
    assert hidden(folded) == (5, 6)
    assert labels(folded) == [*LABELS[:3], "ref"]
    cursor.setPosition(START + 3)
    cursor.insertText("x")
    folded.viewport().repaint()
    assert labels(folded) == [*LABELS[1:3], "ref"]
    while folded.document().isUndoAvailable():
        folded.document().undo()
    assert folded.text() == TEXT


def test_what_one_goes_to_or_replaces_is_shown(folded: TextEditor) -> None:
    folded.go_to(at(TEXT, "shameful"), at(TEXT, "shameful", behind=True))
    folded.viewport().repaint()
    assert labels(folded) == LABELS[1:]
    assert folded.textCursor().selectedText() == "shameful"
    folded.go_to(at(TEXT, "reveals"))
    assert hidden(folded) == (5, 6)
    assert folded.textCursor().position() == at(TEXT, "reveals")
    start = at(TEXT, "Other")
    folded.replace([TextEdit(start, start + 5, "Another")])
    folded.viewport().repaint()
    assert labels(folded) == ["sfn", "ref"]
    folded.folding.toggle_references()
    folded.undo()
    folded.viewport().repaint()
    assert labels(folded) == ["ref Smith", "sfn", "ref", "ref"]
    assert folded.text() == TEXT


def test_going_beside_a_label_leaves_it_folded(folded: TextEditor) -> None:
    folded.go_to(at(TEXT, "brave."), START)
    folded.go_to(END, END + 4)
    assert labels(folded) == LABELS


def test_words_in_a_hidden_part_have_no_underline(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    editor = make()
    editor.set_marks(marked(TEXT, "brave|shameful|reveals"))
    drawn: list[object] = []
    monkeypatch.setattr(marked_text, "draw_underline", lambda *args, **_: drawn.append(args))
    editor.folding.toggle_references()
    editor.viewport().grab()
    assert len(drawn) == 1
    assert editor.rects_of(editor.marks[1]) == []
    assert [mark.finding.text for mark in editor.marks] == ["brave", "shameful", "reveals", "reveals"]


def test_labels_follow_size_width_and_theme(folded: TextEditor) -> None:
    before = boxes(folded)[0][1]
    folded.set_zoom(8)
    folded.resize(400, 900)
    folded.viewport().repaint()
    assert labels(folded) == LABELS
    assert boxes(folded)[0][1].width() > before.width()


def test_a_part_that_cannot_be_hidden_is_left_alone(make: Make) -> None:
    editor = make("A.<ref>b\tc</ref> D.<ref>e</ref>")
    editor.folding.toggle_references()
    assert len(labels(editor)) == 1


@pytest.mark.parametrize(
    "text", ["{{}}", "A<ref>b</ref\n>", "A{{\n}}", "<ref>a</ref>\n", "א<ref>ב</ref>ג", "a{{b👍🏽\n👍🏽}}"]
)
def test_short_and_odd_parts_are_hidden_and_shown(make: Make, text: str) -> None:
    editor = make(text)
    put_caret(editor, at(text, "{{" if "{{" in text else "<ref>", behind=True))
    for shown in (1, 0):
        editor.folding.toggle_at_caret()
        editor.viewport().grab()
        assert len(labels(editor)) == shown
        assert editor.text() == text
    editor.folding.toggle_at_caret()
    for key in (
        [Key.Key_Right] * 4 + [Key.Key_Left] * 8 + [Key.Key_Down, Key.Key_End, Key.Key_Up, Key.Key_Home]
    ):
        QTest.keyClick(editor, key)
        assert editor.textCursor().block().isVisible()
        assert editor.folding._parts.around(editor.textCursor().position()) is None
    assert len(labels(editor)) == 1


def test_the_view_stays_when_references_above_it_are_folded(make: Make) -> None:
    editor = make("\n".join(f"Line {number}.{NOTE} More." for number in range(60)))
    editor.resize(400, 300)
    editor.verticalScrollBar().setValue(editor.document().findBlockByNumber(30).firstLineNumber())
    top = editor.firstVisibleBlock().blockNumber()
    editor.folding.toggle_references()
    editor.viewport().repaint()
    assert editor.firstVisibleBlock().blockNumber() == top
    editor.folding.toggle_references()
    editor.viewport().repaint()
    assert editor.firstVisibleBlock().blockNumber() == top


def test_another_text_or_format_has_no_labels(folded: TextEditor) -> None:
    folded.load(TEXT.replace("Jane", "Mary"))
    assert labels(folded) == []
    folded.folding.toggle_references()
    folded.folding.set_finder(FORMATS[Format.MARKDOWN].find_folds)
    assert labels(folded) == []
    assert hidden(folded) == ()


def test_parts_follow_edits_outside_them_and_end_with_edits_inside() -> None:
    def parts_after(*edit: int) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        parts = HiddenParts()
        parts.add(HiddenPart(start, start + 5, FoldKind.REFERENCE, "ref") for start in (20, 10))
        opened = parts.move(*edit)
        return [(part.start, part.end) for part in parts], opened

    assert parts_after(0, 0, 3) == ([(13, 18), (23, 28)], [])
    assert parts_after(10, 0, 3) == ([(13, 18), (23, 28)], [])
    assert parts_after(15, 0, 3) == ([(10, 15), (23, 28)], [])
    assert parts_after(15, 5, 0) == ([(10, 15), (15, 20)], [])
    assert parts_after(25, 9, 1) == ([(10, 15), (20, 25)], [])
    assert parts_after(12, 0, 1) == ([(21, 26)], [(10, 16)])
    assert parts_after(8, 3, 0) == ([(17, 22)], [(8, 12)])
    assert parts_after(5, 15, 0) == ([(5, 10)], [(5, 5)])
    assert parts_after(12, 10, 2) == ([], [(10, 14), (12, 17)])


STEPS = st.lists(
    st.tuples(
        st.sampled_from(
            [
                "notes",
                "lines",
                "toggle",
                "unfold",
                "undo",
                "redo",
                "type",
                "delete",
                "join",
                "right",
                "left",
                "up",
            ]
        ),
        st.integers(0, 400),
        st.sampled_from(["x", "{{", "}}", "\n", "<ref>", "</ref>", "a\n{{b\n"]),
    ),
    min_size=4,
    max_size=25,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=25)
@given(STEPS)
def test_any_work_with_labels_gives_the_text_that_it_gives_without(
    make: Make, steps: list[tuple[str, int, str]]
) -> None:
    """The same edits in a text that is never folded give the same, and the caret is never in a hidden part."""
    editors = [make(), make()]
    folding, plain = editors
    commands = {
        "notes": folding.folding.toggle_references,
        "lines": folding.folding.fold_all,
        "toggle": folding.folding.toggle_at_caret,
        "unfold": folding.folding.unfold_all,
    }
    moves = {"right": Key.Key_Right, "left": Key.Key_Left, "up": Key.Key_Up}
    for step, place, text in steps:
        if step in commands:
            commands[step]()
        elif step in ("undo", "redo"):
            for editor in editors:
                getattr(editor, step)()
        elif step in moves:
            QTest.keyClick(folding, moves[step])
        else:
            put_caret(folding, place % folding.document().characterCount())
            caret = folding.textCursor().position()
            before = folding.text()
            keys: list[Qt.Key | str] = [
                Key.Key_Return if character == "\n" else character for character in text
            ]
            if step != "type":
                keys = [Key.Key_Delete if step == "delete" else Key.Key_Backspace]
            for key in keys:
                QTest.keyClick(folding, key)
            if folding.text() != before:
                put_caret(plain, caret)
                for key in keys:
                    QTest.keyClick(plain, key)
        folding.viewport().repaint()
        assert folding.text() == plain.text()
        assert folding.document().availableUndoSteps() == plain.document().availableUndoSteps()
        assert folding.textCursor().block().isVisible()
        assert folding.folding._parts.around(folding.textCursor().position()) is None
        ends = [(part.start, part.end) for part in folding.folding._parts]
        assert all(before[1] <= after[0] for before, after in pairwise(ends))
        for part in folding.folding._parts:
            words = folding.text_between(part.start, part.end)
            assert words.startswith(("<ref", "{{"))
            assert words.rstrip("\n").endswith((">", "}}"))
