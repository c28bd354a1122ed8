"""Protects the person's hands: marks never touch undo, caret, scroll or the text, and stand where the words are."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QFontMetricsF, QMouseEvent, QTextCursor, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

import app.editor.marked_text
from app.editor.editor import MEASURE, TextPane
from app.editor.marks import Marks
from app.editor.positions import TextMap
from core.types import Finding, Kind

TEXT = "The shameful 👍🏽 record reveals much. He was brave.\n\nIt shows שלום the reveals of it."
WORDS = r"shameful|record|reveals"


def marked(text: str, words: str = WORDS) -> Marks:
    found = [
        Finding(*match.span(), match.group(), Kind.FRAMING, 0.9, False, (), f"{match.start()}")
        for match in re.finditer(rf"\b(?:{words})\b", text)
    ]
    return Marks.place(found, TextMap(text))


@pytest.fixture
def pane(qtbot: QtBot) -> TextPane:
    made = TextPane()
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


def underlines(pane: TextPane, drawn: list[tuple[float, float]]) -> int:
    drawn.clear()
    pane.viewport().repaint()
    return len(drawn)


def key(pane: TextPane, text: str) -> None:
    QTest.keyClicks(pane, text)


def place(pane: TextPane, words: str) -> int:
    return TextMap(pane.text()).to_utf16(pane.text().index(words))


def test_marks_change_nothing_of_the_document(pane: TextPane) -> None:
    pane.go_to(place(pane, "brave"))
    caret, scroll = pane.textCursor().position(), pane.verticalScrollBar().value()
    pane.set_marks(Marks())
    pane.set_marks(marked(TEXT))
    pane.set_current(pane.marks[0].finding)
    pane.set_tints([(0, 3)])
    pane.viewport().repaint()
    assert pane.text() == TEXT
    assert not pane.document().isUndoAvailable()
    assert not pane.document().isModified()
    assert (pane.textCursor().position(), pane.verticalScrollBar().value()) == (caret, scroll)


def test_typing_before_a_mark_moves_it_and_undo_is_the_typing_alone(pane: TextPane) -> None:
    first = pane.marks[0]
    key(pane, "Oh, ")
    assert (pane.marks[0].start, pane.marks[0].end) == (first.start + 4, first.end + 4)
    assert len(pane.marks) == len(marked(TEXT))
    pane.undo()
    assert pane.text() == TEXT
    assert pane.marks[0].start == first.start


def test_typing_in_a_marked_word_takes_its_mark_away(pane: TextPane) -> None:
    pane.go_to(place(pane, "shameful") + 3)
    key(pane, "x")
    assert [mark.finding.text for mark in pane.marks] == ["record", "reveals", "reveals"]


def test_a_word_that_is_being_typed_is_underlined_only_when_it_is_left(
    pane: TextPane, drawn: list[tuple[float, float]]
) -> None:
    pane.load("It was ")
    pane.moveCursor(QTextCursor.MoveOperation.End)
    key(pane, "shameful")
    pane.set_marks(marked(pane.text()))
    assert underlines(pane, drawn) == 0
    key(pane, " ")
    assert underlines(pane, drawn) == 1


def test_a_caret_that_moves_off_a_typed_word_lets_it_be_underlined(
    pane: TextPane, drawn: list[tuple[float, float]]
) -> None:
    pane.load("and that")
    key(pane, "shameful ")
    pane.moveCursor(QTextCursor.MoveOperation.PreviousWord)
    key(pane, "a ")
    pane.moveCursor(QTextCursor.MoveOperation.Start)
    pane.set_marks(marked(pane.text()))
    assert underlines(pane, drawn) == 1


def test_boxes_stand_on_the_words(pane: TextPane) -> None:
    for mark in pane.marks:
        boxes = pane.boxes(mark)
        assert len(boxes) == 1, mark
        cursor = pane.textCursor()
        edges = []
        for position in (mark.start, mark.end):
            cursor.setPosition(position)
            edges.append(pane.cursorRect(cursor))
        assert boxes[0].left() == pytest.approx(edges[0].left(), abs=3)
        assert boxes[0].right() == pytest.approx(edges[1].left(), abs=3)
        assert boxes[0].top() <= edges[0].center().y() <= boxes[0].bottom()
        assert pane.mark_under(boxes[0].center()) == mark


def test_words_that_run_from_right_to_left_are_boxed_whole(pane: TextPane) -> None:
    text = "He said שלום לכם and left"
    pane.load(text)
    pane.set_marks(marked(text, "שלום"))
    word, other = pane.boxes(pane.marks[0]), pane.boxes(marked(text, "לכם")[0])
    assert len(word) == len(other) == 1
    assert word[0].left() >= other[0].right(), (
        "the first word of a run from right to left stands on its right"
    )


def test_a_mark_over_a_line_end_has_a_box_on_each_line(pane: TextPane) -> None:
    text = "word " * 60
    pane.load(text)
    pane.set_marks(
        Marks.place([Finding(0, len(text) - 1, text[:-1], Kind.FRAMING, 0.9, False)], TextMap(text))
    )
    boxes = pane.boxes(pane.marks[0])
    assert len(boxes) == pane.document().firstBlock().layout().lineCount() > 1
    assert [box.top() for box in boxes] == sorted({box.top() for box in boxes})


def test_there_is_air_between_lines_and_a_click_in_it_counts_for_the_nearer(pane: TextPane) -> None:
    pane.load("word " * 60)
    layout = pane.document().firstBlock().layout()
    first, second = layout.lineAt(0), layout.lineAt(1)
    air = second.y() - (first.y() + first.height())
    assert air > 0.25 * first.height()
    x = first.cursorToX(7)[0]
    below_first = pane.contentOffset().y() + first.y() + first.height() + air * 0.3
    above_second = pane.contentOffset().y() + second.y() - air * 0.3
    offset = pane.contentOffset().x()
    for y, expected in ((below_first, 7), (above_second, second.textStart() + 7)):
        point = QPointF(x + offset + 1, y).toPoint()
        QTest.mouseClick(pane.viewport(), Qt.MouseButton.LeftButton, pos=point)
        assert pane.textCursor().position() == expected


@pytest.mark.parametrize("width", [420, 900, 1800])
def test_lines_keep_the_measure_and_fit(pane: TextPane, qtbot: QtBot, width: int) -> None:
    pane.load("The quick brown fox jumps over the lazy dog. " * 40)
    pane.resize(width, 400)
    qtbot.waitUntil(lambda: pane.width() == width)
    QApplication.processEvents()
    pane.viewport().repaint()
    layout = pane.document().firstBlock().layout()
    widest = max(layout.lineAt(number).naturalTextWidth() for number in range(layout.lineCount()))
    assert widest <= pane.viewport().width()
    assert widest <= QFontMetricsF(pane.font()).averageCharWidth() * (MEASURE + 4)
    assert not pane.horizontalScrollBar().isVisible()
    if width == 1800:
        left = pane.viewport().geometry().left()
        right = pane.width() - pane.viewport().geometry().right()
        assert abs(left - right) < 40, "the text stands in the middle"


def test_the_empty_margin_scrolls_the_text(pane: TextPane) -> None:
    pane.resize(1800, 300)
    pane.load("line\n" * 300)
    QApplication.processEvents()
    point = QPointF(20, 100)
    wheel = QWheelEvent(
        point,
        pane.mapToGlobal(point),
        QPoint(),
        QPoint(0, -240),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(pane, wheel)
    assert pane.verticalScrollBar().value() > 0


def test_only_what_is_in_view_is_drawn(pane: TextPane, drawn: list[tuple[float, float]]) -> None:
    text = "A shameful line.\n" * 20_000
    pane.load(text)
    pane.set_marks(marked(text, "shameful"))
    assert 5 < underlines(pane, drawn) < 60
    one_line = "A shameful word. " * 6_000
    pane.load(one_line)
    pane.set_marks(marked(one_line, "shameful"))
    assert 5 < underlines(pane, drawn) < 200
    pane.verticalScrollBar().setValue(pane.verticalScrollBar().maximum() // 2)
    assert 5 < underlines(pane, drawn) < 200


def test_only_wanted_findings_are_shown_and_the_others_come_back(pane: TextPane) -> None:
    pane.set_wanted(lambda finding: finding.text == "reveals")
    assert {mark.finding.text for mark in pane.marks} == {"reveals"}
    key(pane, "So: ")
    pane.set_wanted(lambda _: True)
    assert [mark.finding.text for mark in pane.marks] == ["shameful", "record", "reveals", "reveals"]
    assert pane.marks[0].start == place(pane, "shameful")


def test_the_present_finding_stays_so_over_a_new_reading(pane: TextPane) -> None:
    pane.set_current(pane.marks[1].finding)
    key(pane, "So: ")
    pane.set_marks(marked(pane.text()))
    assert pane.current == pane.marks[1].finding


def test_the_finding_of_the_caret_is_told(pane: TextPane, qtbot: QtBot) -> None:
    told: list[Finding | None] = []
    pane.caret_on.connect(told.append)
    pane.go_to(pane.marks[0].start + 2)
    pane.go_to(place(pane, "brave"))
    assert told == [pane.marks[0].finding, None]


def test_the_finding_under_the_mouse_is_told(pane: TextPane) -> None:
    told: list[Finding | None] = []
    pane.pointed_at.connect(told.append)
    box = pane.boxes(pane.marks[1])[0]
    for spot in (box.center(), QPointF(box.center().x(), pane.viewport().height() - 5)):
        # Not by QTest: the place of the real pointer, which windows before have moved, would come between.
        moved = QMouseEvent(
            QEvent.Type.MouseMove,
            spot,
            pane.viewport().mapToGlobal(spot),
            Qt.MouseButton.NoButton,
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
        )
        QApplication.sendEvent(pane.viewport(), moved)
    assert told == [pane.marks[1].finding, None]


@pytest.mark.parametrize(
    ("pasted", "expected"), [("a\r\nb\rc", "a\nb\nc"), ("no\u00a0break 👍🏽", "no\u00a0break 👍🏽")]
)
def test_text_is_pasted_plain_with_clean_line_ends(pane: TextPane, pasted: str, expected: str) -> None:
    data = QMimeData()
    data.setText(pasted)
    data.setHtml("<b>never this</b>")
    pane.load("")
    pane.insertFromMimeData(data)
    assert pane.text() == expected
    pane.undo()
    assert pane.text() == "", "one paste is one undo"


def test_a_dropped_file_is_opened_and_not_written_into_the_text(pane: TextPane, tmp_path: Path) -> None:
    dropped: list[list[Path]] = []
    pane.files_dropped.connect(dropped.append)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / "a.md"))])
    event = QDropEvent(
        QPointF(5, 5),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    pane.dropEvent(event)
    assert dropped == [[tmp_path / "a.md"]]
    assert pane.text() == TEXT


def test_zoom_is_bounded_and_no_edit(pane: TextPane) -> None:
    size = pane.font().pointSizeF()
    pane.set_zoom(2)
    assert pane.font().pointSizeF() == pytest.approx(size + 2)
    pane.set_zoom(1000)
    assert pane.font().pointSizeF() < size + 50
    pane.set_zoom(-1000)
    assert pane.font().pointSizeF() > 5
    assert not pane.document().isModified()


def test_another_document_starts_clean(pane: TextPane, qtbot: QtBot) -> None:
    key(pane, "x")
    edits: list[bool] = []
    pane.edited.connect(lambda: edits.append(True))
    pane.load("Other")
    assert edits == []
    assert len(pane.marks) == 0
    assert not pane.document().isUndoAvailable()
    assert not pane.document().isModified()


def test_the_view_is_told_when_it_moves(pane: TextPane, qtbot: QtBot) -> None:
    views: list[tuple[int, int]] = []
    pane.view_moved.connect(lambda start, end: views.append((start, end)))
    pane.load("line\n" * 500)
    scroll: Callable[[int], None] = pane.verticalScrollBar().setValue
    scroll(250)
    qtbot.waitUntil(lambda: bool(views) and views[-1][0] == 250 * 5)
    assert views[-1][1] < 500 * 5


@pytest.mark.parametrize("height", [200, 333, 480])
def test_the_line_that_is_typed_in_is_whole_in_view(pane: TextPane, height: int) -> None:
    pane.resize(700, height)
    pane.load("word " * 3000)
    QApplication.processEvents()
    pane.moveCursor(QTextCursor.MoveOperation.End)
    for _ in range(12):
        QTest.keyClick(pane, Qt.Key.Key_Return)
        QTest.keyClicks(pane, "x")
        assert pane.viewport().rect().contains(pane.cursorRect())
    pane.moveCursor(QTextCursor.MoveOperation.Start)
    for _ in range(60):
        QTest.keyClick(pane, Qt.Key.Key_Down)
        assert pane.viewport().rect().contains(pane.cursorRect())
