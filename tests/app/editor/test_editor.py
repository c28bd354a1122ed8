"""Protects the person's hands: marks never touch undo, caret, scroll or the text, and stand where the words are."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QMimeData, QObject, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragMoveEvent,
    QDropEvent,
    QFontMetricsF,
    QMouseEvent,
    QTextCursor,
    QWheelEvent,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

import app.editor.marked_text
from app.editor.editor import LINE_LENGTH, TextEditor
from app.editor.marks import Marks
from app.editor.positions import OffsetMap
from core.types import Finding, Kind

TEXT = "The shameful 👍🏽 record reveals much. He was brave.\n\nIt shows שלום the reveals of it."
WORDS = r"shameful|record|reveals"


def marked(text: str, words: str = WORDS) -> Marks:
    found = [
        Finding(*match.span(), match.group(), Kind.FRAMING, 0.9, False, (), f"{match.start()}")
        for match in re.finditer(rf"\b(?:{words})\b", text)
    ]
    return Marks.place(found, OffsetMap(text))


@pytest.fixture
def editor(qtbot: QtBot) -> TextEditor:
    made = TextEditor()
    qtbot.addWidget(made)
    made.resize(700, 400)
    made.load(TEXT)
    made.show()
    made.setFocus()
    qtbot.waitExposed(made)
    made.set_marks(marked(TEXT))
    return made


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[tuple[float, float]]:
    """The ends of every underline that is painted from now on."""
    ends: list[tuple[float, float]] = []
    monkeypatch.setattr(
        app.editor.marked_text, "draw_underline", lambda _painter, _kind, where, **_: ends.append(where)
    )
    return ends


def underlines(editor: TextEditor, drawn: list[tuple[float, float]]) -> int:
    drawn.clear()
    editor.viewport().repaint()
    return len(drawn)


def key(editor: TextEditor, text: str) -> None:
    QTest.keyClicks(editor, text)


def place(editor: TextEditor, words: str) -> int:
    return OffsetMap(editor.text()).to_utf16(editor.text().index(words))


def test_marks_change_nothing_of_the_document(editor: TextEditor) -> None:
    editor.go_to(place(editor, "brave"))
    caret, scroll = editor.textCursor().position(), editor.verticalScrollBar().value()
    editor.set_marks(Marks())
    editor.set_marks(marked(TEXT))
    editor.set_current(editor.marks[0].finding)
    editor.set_search_matches([(0, 3)])
    editor.viewport().repaint()
    assert editor.text() == TEXT
    assert not editor.document().isUndoAvailable()
    assert not editor.document().isModified()
    assert (editor.textCursor().position(), editor.verticalScrollBar().value()) == (caret, scroll)


def test_typing_before_a_mark_moves_it_and_undo_is_the_typing_alone(editor: TextEditor) -> None:
    first = editor.marks[0]
    key(editor, "Oh, ")
    assert (editor.marks[0].start, editor.marks[0].end) == (first.start + 4, first.end + 4)
    assert len(editor.marks) == len(marked(TEXT))
    editor.undo()
    assert editor.text() == TEXT
    assert editor.marks[0].start == first.start


def test_typing_in_a_marked_word_takes_its_mark_away(editor: TextEditor) -> None:
    editor.go_to(place(editor, "shameful") + 3)
    key(editor, "x")
    assert [mark.finding.text for mark in editor.marks] == ["record", "reveals", "reveals"]


def test_a_word_that_is_being_typed_is_underlined_only_when_it_is_left(
    editor: TextEditor, drawn: list[tuple[float, float]]
) -> None:
    editor.load("It was ")
    editor.moveCursor(QTextCursor.MoveOperation.End)
    key(editor, "shameful")
    editor.set_marks(marked(editor.text()))
    assert underlines(editor, drawn) == 0
    key(editor, " ")
    assert underlines(editor, drawn) == 1


def test_a_caret_that_moves_off_a_typed_word_lets_it_be_underlined(
    editor: TextEditor, drawn: list[tuple[float, float]]
) -> None:
    editor.load("and that")
    key(editor, "shameful ")
    editor.moveCursor(QTextCursor.MoveOperation.PreviousWord)
    key(editor, "a ")
    editor.moveCursor(QTextCursor.MoveOperation.Start)
    editor.set_marks(marked(editor.text()))
    assert underlines(editor, drawn) == 1


def test_boxes_stand_on_the_words(editor: TextEditor) -> None:
    for mark in editor.marks:
        boxes = editor.rects_of(mark)
        assert len(boxes) == 1, mark
        cursor = editor.textCursor()
        edges = []
        for position in (mark.start, mark.end):
            cursor.setPosition(position)
            edges.append(editor.cursorRect(cursor))
        assert boxes[0].left() == pytest.approx(edges[0].left(), abs=3)
        assert boxes[0].right() == pytest.approx(edges[1].left(), abs=3)
        assert boxes[0].top() <= edges[0].center().y() <= boxes[0].bottom()
        assert editor.mark_at_point(boxes[0].center()) == mark


def test_words_that_run_from_right_to_left_are_boxed_whole(editor: TextEditor) -> None:
    text = "He said שלום לכם and left"
    editor.load(text)
    editor.set_marks(marked(text, "שלום"))
    word, other = editor.rects_of(editor.marks[0]), editor.rects_of(marked(text, "לכם")[0])
    assert len(word) == len(other) == 1
    assert word[0].left() >= other[0].right(), (
        "the first word of a run from right to left stands on its right"
    )


def test_a_mark_over_a_line_end_has_a_box_on_each_line(editor: TextEditor) -> None:
    text = "word " * 60
    editor.load(text)
    editor.set_marks(
        Marks.place([Finding(0, len(text) - 1, text[:-1], Kind.FRAMING, 0.9, False)], OffsetMap(text))
    )
    boxes = editor.rects_of(editor.marks[0])
    assert len(boxes) == editor.document().firstBlock().layout().lineCount() > 1
    assert [box.top() for box in boxes] == sorted({box.top() for box in boxes})


def test_there_is_air_between_lines_and_a_click_in_it_counts_for_the_nearer(editor: TextEditor) -> None:
    editor.load("word " * 60)
    layout = editor.document().firstBlock().layout()
    first, second = layout.lineAt(0), layout.lineAt(1)
    air = second.y() - (first.y() + first.height())
    assert air > 0.25 * first.height()
    x = first.cursorToX(7)[0]
    below_first = editor.contentOffset().y() + first.y() + first.height() + air * 0.3
    above_second = editor.contentOffset().y() + second.y() - air * 0.3
    offset = editor.contentOffset().x()
    for y, expected in ((below_first, 7), (above_second, second.textStart() + 7)):
        point = QPointF(x + offset + 1, y).toPoint()
        QTest.mouseClick(editor.viewport(), Qt.MouseButton.LeftButton, pos=point)
        assert editor.textCursor().position() == expected


@pytest.mark.parametrize("width", [420, 900, 1800])
def test_lines_keep_the_measure_and_fit(editor: TextEditor, qtbot: QtBot, width: int) -> None:
    editor.load("The quick brown fox jumps over the lazy dog. " * 40)
    editor.resize(width, 400)
    qtbot.waitUntil(lambda: editor.width() == width)
    QApplication.processEvents()
    editor.viewport().repaint()
    layout = editor.document().firstBlock().layout()
    widest = max(layout.lineAt(number).naturalTextWidth() for number in range(layout.lineCount()))
    assert widest <= editor.viewport().width()
    assert widest <= QFontMetricsF(editor.font()).averageCharWidth() * (LINE_LENGTH + 4)
    assert not editor.horizontalScrollBar().isVisible()
    if width == 1800:
        left = editor.viewport().geometry().left()
        right = editor.width() - editor.viewport().geometry().right()
        assert abs(left - right) < 40, "the text stands in the middle"


def test_the_empty_margin_scrolls_the_text(editor: TextEditor) -> None:
    editor.resize(1800, 300)
    editor.load("line\n" * 300)
    QApplication.processEvents()
    point = QPointF(20, 100)
    wheel = QWheelEvent(
        point,
        editor.mapToGlobal(point),
        QPoint(),
        QPoint(0, -240),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(editor, wheel)
    assert editor.verticalScrollBar().value() > 0


def test_only_what_is_in_view_is_drawn(editor: TextEditor, drawn: list[tuple[float, float]]) -> None:
    text = "A shameful line.\n" * 20_000
    editor.load(text)
    editor.set_marks(marked(text, "shameful"))
    assert 5 < underlines(editor, drawn) < 60
    one_line = "A shameful word. " * 6_000
    editor.load(one_line)
    editor.set_marks(marked(one_line, "shameful"))
    assert 5 < underlines(editor, drawn) < 200
    editor.verticalScrollBar().setValue(editor.verticalScrollBar().maximum() // 2)
    assert 5 < underlines(editor, drawn) < 200


def test_only_wanted_findings_are_shown_and_the_others_come_back(editor: TextEditor) -> None:
    editor.set_filter(lambda finding: finding.text == "reveals")
    assert {mark.finding.text for mark in editor.marks} == {"reveals"}
    key(editor, "So: ")
    editor.set_filter(lambda _: True)
    assert [mark.finding.text for mark in editor.marks] == ["shameful", "record", "reveals", "reveals"]
    assert editor.marks[0].start == place(editor, "shameful")


def test_the_present_finding_stays_so_over_a_new_reading(editor: TextEditor) -> None:
    editor.set_current(editor.marks[1].finding)
    key(editor, "So: ")
    editor.set_marks(marked(editor.text()))
    assert editor.current == editor.marks[1].finding


def test_the_finding_of_the_caret_is_told(editor: TextEditor, qtbot: QtBot) -> None:
    told: list[Finding | None] = []
    editor.finding_at_caret_changed.connect(told.append)
    editor.go_to(editor.marks[0].start + 2)
    editor.go_to(place(editor, "brave"))
    assert told == [editor.marks[0].finding, None]


def test_the_finding_under_the_mouse_is_told(editor: TextEditor) -> None:
    told: list[Finding | None] = []
    editor.finding_hovered.connect(told.append)
    box = editor.rects_of(editor.marks[1])[0]
    for spot in (box.center(), QPointF(box.center().x(), editor.viewport().height() - 5)):
        # Not by QTest: the place of the real pointer, which windows before have moved, would come between.
        moved = QMouseEvent(
            QEvent.Type.MouseMove,
            spot,
            editor.viewport().mapToGlobal(spot),
            Qt.MouseButton.NoButton,
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
        )
        QApplication.sendEvent(editor.viewport(), moved)
    assert told == [editor.marks[1].finding, None]


@pytest.mark.parametrize(
    ("pasted", "expected"), [("a\r\nb\rc", "a\nb\nc"), ("no\u00a0break 👍🏽", "no\u00a0break 👍🏽")]
)
def test_text_is_pasted_plain_with_clean_line_ends(editor: TextEditor, pasted: str, expected: str) -> None:
    data = QMimeData()
    data.setText(pasted)
    data.setHtml("<b>never this</b>")
    editor.load("")
    editor.insertFromMimeData(data)
    assert editor.text() == expected
    editor.undo()
    assert editor.text() == "", "one paste is one undo"


def test_a_dropped_file_is_opened_and_not_written_into_the_text(editor: TextEditor, tmp_path: Path) -> None:
    dropped: list[list[Path]] = []
    editor.files_dropped.connect(dropped.append)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / "a.md"))])
    event = QDropEvent(
        QPointF(5, 5),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    editor.dropEvent(event)
    assert dropped == [[tmp_path / "a.md"]]
    assert editor.text() == TEXT


class Dragged(QDropEvent):
    """Something dragged from ``origin``, None for another program; its source proposes to move it."""

    def __init__(
        self,
        data: QMimeData,
        *,
        possible: Qt.DropAction = Qt.DropAction.CopyAction | Qt.DropAction.MoveAction,
        origin: QObject | None = None,
    ) -> None:
        shift = Qt.KeyboardModifier.ShiftModifier
        super().__init__(QPointF(5, 5), possible, data, Qt.MouseButton.LeftButton, shift)
        self.origin = origin
        assert self.proposedAction() == Qt.DropAction.MoveAction

    def source(self) -> QObject | None:
        """Where it comes from."""
        return self.origin


def test_a_dropped_file_stays_where_it_is(editor: TextEditor, tmp_path: Path) -> None:
    """A file manager that proposes to move it would delete it after the drop."""
    dropped: list[list[Path]] = []
    editor.files_dropped.connect(dropped.append)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / "a.md"))])
    event = Dragged(data)
    editor.dropEvent(event)
    assert event.isAccepted()
    assert event.dropAction() == Qt.DropAction.CopyAction
    only_moved = Dragged(data, possible=Qt.DropAction.MoveAction)
    editor.dropEvent(only_moved)
    assert not only_moved.isAccepted()
    assert dropped == [[tmp_path / "a.md"]]


@pytest.mark.parametrize("move", [QDragEnterEvent, QDragMoveEvent])
def test_what_is_dragged_over_the_text_will_be_copied(
    editor: TextEditor, tmp_path: Path, move: type[QDragMoveEvent]
) -> None:
    files, text = QMimeData(), QMimeData()
    files.setUrls([QUrl.fromLocalFile(str(tmp_path / "a.md"))])
    text.setText("words")
    handle = editor.dragEnterEvent if move is QDragEnterEvent else editor.dragMoveEvent
    for data in (files, text):
        event = move(
            QPoint(5, 5),
            Qt.DropAction.CopyAction | Qt.DropAction.MoveAction,
            data,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.ShiftModifier,
        )
        handle(event)
        assert event.isAccepted()
        assert event.dropAction() == Qt.DropAction.CopyAction


def test_text_of_another_program_is_copied_and_that_of_the_draft_moved(editor: TextEditor) -> None:
    data = QMimeData()
    data.setText("words ")
    foreign = Dragged(data)
    editor.dropEvent(foreign)
    assert editor.text().count("words ") == TEXT.count("words ") + 1
    assert foreign.isAccepted()
    assert foreign.dropAction() == Qt.DropAction.CopyAction
    for origin in (editor, editor.viewport()):
        own = Dragged(data, origin=origin)
        editor.dropEvent(own)
        assert own.isAccepted()
        assert own.dropAction() == Qt.DropAction.MoveAction


def test_zoom_is_bounded_and_no_edit(editor: TextEditor) -> None:
    size = editor.font().pointSizeF()
    editor.set_zoom(2)
    assert editor.font().pointSizeF() == pytest.approx(size + 2)
    editor.set_zoom(1000)
    assert editor.font().pointSizeF() < size + 50
    editor.set_zoom(-1000)
    assert editor.font().pointSizeF() > 5
    assert not editor.document().isModified()


def test_tabs_are_as_wide_as_some_letters_at_every_zoom(editor: TextEditor) -> None:
    def letters() -> float:
        return editor.tabStopDistance() / QFontMetricsF(editor.font()).averageCharWidth()

    size = letters()
    assert 4 < size < 10
    editor.set_zoom(12)
    assert letters() == pytest.approx(size)


def test_another_document_starts_clean(editor: TextEditor, qtbot: QtBot) -> None:
    key(editor, "x")
    edits: list[bool] = []
    editor.edited.connect(lambda: edits.append(True))
    editor.load("Other")
    assert edits == []
    assert len(editor.marks) == 0
    assert not editor.document().isUndoAvailable()
    assert not editor.document().isModified()


def test_the_view_is_told_when_it_moves(editor: TextEditor, qtbot: QtBot) -> None:
    views: list[tuple[int, int]] = []
    editor.visible_range_changed.connect(lambda start, end: views.append((start, end)))
    editor.load("line\n" * 500)
    scroll: Callable[[int], None] = editor.verticalScrollBar().setValue
    scroll(250)
    qtbot.waitUntil(lambda: bool(views) and views[-1][0] == 250 * 5)
    assert views[-1][1] < 500 * 5


@pytest.mark.parametrize("height", [200, 333, 480])
def test_the_line_that_is_typed_in_is_whole_in_view(editor: TextEditor, height: int) -> None:
    editor.resize(700, height)
    editor.load("word " * 3000)
    QApplication.processEvents()
    editor.moveCursor(QTextCursor.MoveOperation.End)
    for _ in range(12):
        QTest.keyClick(editor, Qt.Key.Key_Return)
        QTest.keyClicks(editor, "x")
        assert editor.viewport().rect().contains(editor.cursorRect())
    editor.moveCursor(QTextCursor.MoveOperation.Start)
    for _ in range(60):
        QTest.keyClick(editor, Qt.Key.Key_Down)
        assert editor.viewport().rect().contains(editor.cursorRect())


def test_in_a_low_window_the_room_is_below_the_place_that_it_goes_to(editor: TextEditor) -> None:
    """There the card has to stand; with the place in the middle it would have room on neither side."""
    editor.resize(700, 200)
    editor.load("One line.\n" * 60)
    editor.go_to(300)
    caret = editor.cursorRect()
    assert 0 <= caret.top() < editor.viewport().height() / 3
    editor.resize(700, 600)
    editor.go_to(0)
    editor.go_to(350)
    middle = editor.cursorRect().center().y()
    assert abs(middle - editor.viewport().height() / 2) < 2 * editor.cursorRect().height()
