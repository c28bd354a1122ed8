"""A plain-text view that underlines findings in view and keeps them in place while the text is edited."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from PySide6.QtCore import QPointF, QRect, QRectF, QVariantAnimation, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetricsF,
    QPainter,
    QPaintEvent,
    QPalette,
    QTextBlock,
    QTextCursor,
    QTextDocument,
    QTextLayout,
)
from PySide6.QtWidgets import QPlainTextDocumentLayout, QPlainTextEdit, QWidget

from app.editor.marks import Mark, Marks, Step
from app.editor.positions import from_raw, is_word_character
from app.editor.underlines import Pens, Weight, draw_tint, draw_underline, lines_between, pieces
from app.widgets.kinds import look
from app.widgets.theme import is_dark, is_stark
from core.types import Finding, Kind

# Generous line height for a plain-text document, whose own layout sets lines without any space between them.


# The space between lines, as a share of the height of a line: with most system fonts 1.5 times the font size.
LEADING = 0.36


class SpacedLayout(QPlainTextDocumentLayout):
    """The layout of ``QPlainTextEdit`` with space above and below every line, half of ``LEADING`` on each side."""

    def blockBoundingRect(self, block: QTextBlock) -> QRectF:
        """The box of a block, its lines spread first if Qt has just laid them out anew."""
        box = super().blockBoundingRect(block)
        layout = block.layout()
        if layout is None or not layout.lineCount() or not block.isVisible():
            return box
        half = round(layout.lineAt(0).height() * LEADING / 2)
        if layout.lineAt(0).y() != half:
            _spread(layout, half)
            box = super().blockBoundingRect(block)
        return box.adjusted(0, 0, 0, half)


def _spread(layout: QTextLayout, half: int) -> None:
    top = 0.0
    for number in range(layout.lineCount()):
        line = layout.lineAt(number)
        line.setPosition(QPointF(line.x(), top + half))
        top += line.height() + 2 * half


# A plain-text view that draws findings under the words in view, and keeps them in place while the text is edited.


_FADE_MS = 160
_CURRENT, _FOUND = 0.17, 0.28


class MarkedText(QPlainTextEdit):
    """Text and marks. Marks are painted, never part of the document: undo, caret and scroll stay as they are.

    ``edited``: the text was changed by hand. ``caret_on``: the finding on which the caret stands, or None; a word
    that is being typed counts only when the caret has left it. ``view_moved``: first and last UTF-16 unit in view.
    """

    edited = Signal()
    caret_on = Signal(object)
    view_moved = Signal(int, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        document = QTextDocument(self)
        document.setDocumentLayout(SpacedLayout(document))
        self.setDocument(document)
        self._all = Marks()
        self._shown = Marks()
        self._wanted: Callable[[Finding], bool] = lambda _: True
        self._fresh: frozenset[Finding] = frozenset()
        self._current: Finding | None = None
        self._on: Finding | None = None
        self._tints: Sequence[tuple[int, int]] = ()
        self._typing: tuple[int, int] | None = None
        self._view = (-1, -1)
        self._kept = Marks()
        self._steps: Sequence[Step] = ()
        self._loading = False
        self._weight: Weight = "normal"
        self._fades = True
        self._fade = QVariantAnimation(self)
        self._fade.setStartValue(0.0)
        self._fade.setEndValue(1.0)
        self._fade.setDuration(_FADE_MS)
        self._fade.valueChanged.connect(self._update_fresh)
        document.contentsChange.connect(self._contents_changed)
        self.cursorPositionChanged.connect(self._caret_moved)
        self.updateRequest.connect(self._tell_view)

    def text(self) -> str:
        """The whole text in code points, lines ended by ``\\n``, no-break spaces kept."""
        return from_raw(self.document().toRawText())

    def load(self, text: str) -> None:
        """Put another document in, its undo history empty and nothing marked."""
        self._loading = True
        self.set_marks(Marks())
        self.setPlainText(text)
        self.document().setModified(False)
        self._loading = False
        self.moveCursor(QTextCursor.MoveOperation.Start)

    @property
    def kept(self) -> Marks:
        """Marks that are not shown but move with the text."""
        return self._kept

    def keep_in_place(self, marks: Marks) -> None:
        """Move these marks with the text from now on, without showing them."""
        self._kept = marks

    @property
    def marks(self) -> Marks:
        """The marks that are shown, where they stand now."""
        return self._shown

    @property
    def current(self) -> Finding | None:
        """The finding on a soft ground."""
        return self._current

    def set_marks(self, marks: Marks) -> None:
        """Show these marks instead of the present ones; those that were not there before fade in."""
        known = frozenset(finding.fingerprint for finding in self._shown.findings)
        was = self._shown.find(self._current) if self._current else None
        before = self._look()
        self._all = marks
        self._shown = marks.keep(self._wanted)
        in_view = [mark.finding for mark in self._shown.between(*self._view)]
        self._fresh = frozenset(new for new in in_view if new.fingerprint not in known)
        now = self._shown.at(was.start) if was else None
        self._current = now.finding if was and now and (now.start, now.end) == (was.start, was.end) else None
        self._fade.stop()
        if self._fresh and self._fades and self.isVisible():
            self._fade.start()
        if was is not None or self._look() != before:
            self.viewport().update()
        self._tell_caret()

    def forget(self, finding: Finding) -> None:
        """Mark a finding no more."""
        self._all, self._shown = (
            marks.keep(lambda other: other != finding) for marks in (self._all, self._shown)
        )
        if self._current == finding:
            self._current = None
        self.viewport().update()
        self._tell_caret()

    def set_wanted(self, wanted: Callable[[Finding], bool]) -> None:
        """Show only the findings that are wanted; the others stay known and move with the text."""
        self._wanted = wanted
        self._shown = self._all.keep(wanted)
        if self._current and not wanted(self._current):
            self._current = None
        self.viewport().update()
        self._tell_caret()

    def set_current(self, finding: Finding | None) -> None:
        """Give one finding a soft ground, so that the eye finds it."""
        if finding != self._current:
            self._current = finding
            self.viewport().update()

    def set_drawing(self, *, weight: Weight, fades: bool) -> None:
        """How strong the lines are, and whether new ones fade in or stand there at once."""
        self._weight, self._fades = weight, fades
        self.viewport().update()

    def set_tints(self, ranges: Sequence[tuple[int, int]]) -> None:
        """Give every match of a search a ground: sorted, disjoint ranges in UTF-16 units."""
        self._tints = ranges
        self.viewport().update()

    def boxes(self, mark: Mark) -> list[QRectF]:
        """Where the words of a mark stand in the viewport, one box a line; empty if they are out of sight."""
        found: list[QRectF] = []
        for block, top, start, end in self._lines_in(self.viewport().rect()):
            if mark.start < end and mark.end > start:
                found += self._boxes(block, top, max(mark.start, start), min(mark.end, end))
        return found

    def mark_under(self, point: QPointF) -> Mark | None:
        """The shown mark whose words are under a point of the viewport."""
        point = self.onto_line(point)
        position = self.cursorForPosition(point.toPoint()).position()
        near = self._shown.between(position - 1, position + 1)
        return next((mark for mark in near if any(box.contains(point) for box in self.boxes(mark))), None)

    def onto_line(self, point: QPointF) -> QPointF:
        """The nearest point on a line of text: the air between two lines belongs to the nearer one.

        Qt takes a click in that air for the end of the line above.
        """
        for block, top, start, _ in self._lines_in(QRect(0, int(point.y()), 1, 1)):
            line = block.layout().lineForTextPosition(start - block.position())
            if line.isValid():
                upper = top + line.y()
                return QPointF(point.x(), min(max(point.y(), upper + 1), upper + line.height() - 2))
        return point

    def paintEvent(self, event: QPaintEvent) -> None:
        """Grounds below the text, the text, underlines above it; only for the lines that are painted anyway."""
        self._paint_grounds(event.rect())
        super().paintEvent(event)
        self._paint_underlines(event.rect())

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Leaving the text ends typing in a word."""
        super().focusOutEvent(event)
        self._end_typing()

    def _paint_grounds(self, area: QRect) -> None:
        current = self._shown.find(self._current) if self._current else None
        if current is None and not self._tints:
            return
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for block, top, start, end in self._lines_in(area):
            if current and current.start < end and current.end > start:
                colour = look(current.finding.kind, dark=is_dark(self.palette())).colour
                self._wash(
                    painter, self._boxes(block, top, max(current.start, start), min(current.end, end)), colour
                )
            first = bisect_right(self._tints, start, key=lambda span: span[1])
            last = bisect_left(self._tints, end, key=lambda span: span[0])
            accent = self.palette().color(QPalette.ColorRole.Accent)
            for left, right in self._tints[first:last]:
                boxes = self._boxes(block, top, max(left, start), min(right, end))
                self._wash(painter, boxes, accent, _FOUND)
        painter.end()

    def _wash(
        self, painter: QPainter, boxes: list[QRectF], colour: QColor, strength: float = _CURRENT
    ) -> None:
        for box in boxes:
            outlined = is_stark(self.palette())
            draw_tint(painter, box.adjusted(-2, -1, 2, 2), colour, strength, outlined=outlined)

    def _paint_underlines(self, area: QRect) -> None:
        if not len(self._shown):
            return
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setClipRect(area)
        pens = Pens(is_dark(self.palette()), is_stark(self.palette()), self._weight)
        size = QFontMetricsF(self.font()).ascent()
        running = self._fade.state() == QVariantAnimation.State.Running
        shown = float(self._fade.currentValue()) if running else 1.0
        x = self.contentOffset().x()
        for block, top, start, end in self._lines_in(area):
            for mark in self._shown.between(start, end):
                if self._typing and mark.start <= self._typing[1] and mark.end >= self._typing[0]:
                    continue
                painter.setOpacity(shown if running and mark.finding in self._fresh else 1.0)
                first, last = max(mark.start, start) - block.position(), min(mark.end, end) - block.position()
                for line, left, right in pieces(block, first, last):
                    ends = (x + left, x + right)
                    baseline = top + line.y() + line.ascent()
                    draw_underline(painter, mark.finding.kind, ends, baseline=baseline, size=size, pens=pens)
        painter.end()

    def _look(self) -> list[tuple[int, int, Kind]]:
        """What the marks in view look like."""
        return [(mark.start, mark.end, mark.finding.kind) for mark in self._shown.between(*self._view)]

    def _update_fresh(self) -> None:
        """Paint the marks that fade in, and nothing else."""
        for mark in self._shown.between(*self._view):
            if mark.finding in self._fresh:
                for box in self.boxes(mark):
                    self.viewport().update(box.adjusted(-4, -2, 4, 8).toAlignedRect())

    def _boxes(self, block: QTextBlock, top: float, start: int, end: int) -> list[QRectF]:
        x = self.contentOffset().x()
        return [
            QRectF(x + left, top + line.y(), right - left, line.height())
            for line, left, right in pieces(block, start - block.position(), end - block.position())
        ]

    def _lines_in(self, area: QRect) -> Iterator[tuple[QTextBlock, float, int, int]]:
        """The blocks that reach into ``area``: block, its top, and the range of its text on lines in the area."""
        block = self.firstVisibleBlock()
        top = (
            self.blockBoundingGeometry(block).translated(self.contentOffset()).top() if block.isValid() else 0
        )
        while block.isValid() and top <= area.bottom():
            height = self.blockBoundingRect(block).height()
            if top + height >= area.top() and block.layout().lineCount():
                start, end = lines_between(block.layout(), area.top() - top, area.bottom() - top)
                yield block, top, block.position() + start, block.position() + end
            top += height
            block = block.next()

    def _contents_changed(self, position: int, removed: int, added: int) -> None:
        document = self.document()
        end = position + added
        before = end > 0 and is_word_character(document.characterAt(end - 1))
        after = is_word_character(document.characterAt(position))
        for step in self._steps or (Step(position, removed, added, before, after),):
            for marks in (self._shown, self._all):
                marks.edit(step)
            # Known by their place alone: letters that are typed against such words get their space later.
            self._kept.edit(replace(step, word_before=False, word_after=False))
        self._tints = ()
        if not self._loading:
            self._typing = None if self._steps else self._word_at(position + added)
            self.edited.emit()

    def _caret_moved(self) -> None:
        position = self.textCursor().position()
        if self._typing and not self._typing[0] <= position <= self._typing[1]:
            self._end_typing()
        self._tell_caret()

    def _end_typing(self) -> None:
        if self._typing:
            if self._shown.between(self._typing[0] - 1, self._typing[1] + 1):
                self.viewport().update()
            self._typing = None
            self._tell_caret()

    def _tell_caret(self) -> None:
        mark = None if self._typing else self._shown.at(self.textCursor().position())
        finding = mark.finding if mark else None
        if finding != self._on:
            self._on = finding
            self.caret_on.emit(finding)

    def _word_at(self, position: int) -> tuple[int, int]:
        document, start, end = self.document(), position, position
        while start > 0 and is_word_character(document.characterAt(start - 1)):
            start -= 1
        while is_word_character(document.characterAt(end)):
            end += 1
        return start, end

    def _tell_view(self) -> None:
        """Tell what is in view, if it is not what was told last."""
        ranges = [(start, end) for _, _, start, end in self._lines_in(self.viewport().rect())]
        view = (ranges[0][0], ranges[-1][1]) if ranges else (0, 0)
        if view != self._view:
            self._view = view
            self.view_moved.emit(*view)
