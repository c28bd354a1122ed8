"""Folding: the lines of a template, of notes or front matter after the first are hidden, until they are shown again.

A fold is folded while the blocks after its first one are invisible. Nothing else knows of it: text, offsets, undo
history and findings are those of the unfolded text. Hidden lines that an edit touches are shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QFontMetricsF, QPainter, QPalette, QPolygonF, QTextBlock, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit

from app.editor.positions import OffsetMap, from_raw_text
from app.editor.spaced_layout import SpacedLayout
from core.highlighting.types import Fold, FoldFinder, FoldKind
from core.i18n import ntr, tr

_PAUSE_MS = 300
_SIZE = 8
"""Width and height of the triangle in the margin, in logical pixels."""

_FOLDED = {
    FoldKind.TEMPLATE: tr("Template folded."),
    FoldKind.TABLE: tr("Table folded."),
    FoldKind.REFERENCE: tr("Reference folded."),
    FoldKind.COMMENT: tr("Comment folded."),
    FoldKind.CODE: tr("Code folded."),
    FoldKind.FRONT_MATTER: tr("Front matter folded."),
    FoldKind.NOTES: tr("Notes folded."),
    FoldKind.MARGINS: tr("Headers and footers folded."),
}
_UNFOLDED = tr("Unfolded.")
_NOTHING_HERE = tr("There is nothing to fold at the caret.")
_NOTHING = tr("There is nothing to fold in this draft.")
_NOTHING_FOLDED = tr("Nothing is folded.")


class Folding(QObject):
    """The folds of the text in ``editor``, which ``layout`` lays out.

    ``status_message``: what was folded or unfolded.
    """

    status_message = Signal(str)

    def __init__(self, editor: QPlainTextEdit, layout: SpacedLayout) -> None:
        super().__init__(editor)
        self._editor, self._layout = editor, layout
        self._find: FoldFinder | None = None
        self._starts: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self._any_hidden = False
        self._edited: tuple[int, int] | None = None
        self._blocks = 1
        self._caret = 0
        self._timer = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._timer.timeout.connect(self._find_starts)

    def set_finder(self, find: FoldFinder | None) -> None:
        """Find folds with ``find``, in the format of the text; None if it has none."""
        if find != self._find:
            self._show_all()
            self._find = find
        self._find_starts()

    @property
    def is_possible(self) -> bool:
        """Whether texts in the format of this one have parts to fold."""
        return self._find is not None

    def clear(self) -> None:
        """Another text was loaded."""
        self._any_hidden, self._edited = False, None
        self._starts = self._starts[:0]
        self._blocks = self._editor.document().blockCount()

    def fold_all(self) -> None:
        """Fold everything that can be folded."""
        folded: list[Fold] = []
        for fold in self._folds():
            if not folded or fold.start > folded[-1].end:
                folded.append(fold)
        self._hide(folded)
        text = ntr("{n} part folded.", "{n} parts folded.", len(folded))
        self.status_message.emit(text.format(n=f"{len(folded):,}") if folded else _NOTHING)

    def unfold_all(self) -> None:
        """Show everything."""
        count = self._show_all()
        text = ntr("{n} part unfolded.", "{n} parts unfolded.", count)
        self.status_message.emit(text.format(n=f"{count:,}") if count else _NOTHING_FOLDED)

    def toggle_at_caret(self) -> None:
        """Fold the innermost part with the line of the caret, or unfold the one that begins there."""
        self.toggle(self._editor.textCursor().block())

    def toggle(self, block: QTextBlock) -> None:
        """Fold the innermost part with a block, or unfold the one that begins there."""
        if _is_hidden(block.next()):
            self._show([block.next()])
            self.status_message.emit(_UNFOLDED)
            return
        around = [fold for fold in self._folds() if fold.start <= block.position() <= fold.end]
        if around:
            self._hide(around[-1:])
            self.status_message.emit(_FOLDED[around[-1].kind])
        else:
            self.status_message.emit(_NOTHING_HERE)

    def reveal(self, ranges: Iterable[tuple[int, int]]) -> None:
        """Unfold what hides any of these ranges, in UTF-16 units."""
        if self._any_hidden:
            find = self._editor.document().findBlock
            self._show([block for start, end in ranges for block in _hidden_between(find(start), find(end))])

    def text_edited(self, position: int, removed: int, added: int) -> None:
        """``removed`` UTF-16 units at ``position`` became ``added``, and are not yet laid out."""
        self.starts_moved(position, removed, added)
        if self._any_hidden:
            self._edited = (position, position + added)

    def starts_moved(self, position: int, removed: int, added: int) -> None:
        """As ``text_edited``, for one of several edits of text that was revealed before."""
        if self._find is not None:
            self._timer.start()
            starts = self._starts
            later = starts[(starts > position) & (starts >= position + removed)]
            self._starts = np.concatenate((starts[starts <= position], later + added - removed))

    def layout_done(self) -> None:
        """An edit was laid out: show the hidden lines that it touched."""
        document = self._editor.document()
        edited, self._edited = self._edited, None
        blocks, self._blocks = self._blocks, document.blockCount()
        if edited is None:
            return
        first, last = document.findBlock(edited[0]), document.findBlock(edited[1])
        touched = list(_hidden_between(first, last))
        # A line was split or joined with another one. Does a fold still begin where lines are hidden?
        if blocks != self._blocks and _is_hidden(last.next()) and not self._is_folded_as_found(last):
            touched.append(last.next())
        self._show(touched)

    def keep_caret_visible(self) -> bool:
        """Move a caret that went into hidden lines over them; returns whether it was moved."""
        self.layout_done()
        cursor = self._editor.textCursor()
        before, self._caret = self._caret, cursor.position()
        if cursor.block().isVisible():
            return False
        following = _next_visible(cursor.block())
        if self._caret > before and following.isValid():
            target = following.position()
        elif self._caret > before and cursor.hasSelection():
            # All up to the end is selected: the selection must reach it.
            self._show([cursor.block()])
            return False
        else:
            target = _end(_first_line(cursor.block()))
        mode = QTextCursor.MoveMode.KeepAnchor if cursor.hasSelection() else QTextCursor.MoveMode.MoveAnchor
        cursor.setPosition(target, mode)
        self._editor.setTextCursor(cursor)
        return True

    @property
    def has_marks(self) -> bool:
        """Whether something can be folded or is folded."""
        return self._any_hidden or self._starts.size > 0

    def is_on_mark(self, block: QTextBlock, top: float, point: QPointF) -> bool:
        """Whether a point of the viewport is on the triangle or the ellipsis of a block."""
        folded = _is_hidden(block.next())
        if not (folded or self._begins_fold(block)):
            return False
        line = block.layout().lineAt(0)
        in_margin = 0 <= self._left - point.x() <= 2 * _SIZE and point.y() <= top + line.y() + line.height()
        return in_margin or (folded and self._ellipsis_box(block, top).contains(point))

    def paint(self, painter: QPainter, block: QTextBlock, top: float) -> None:
        """Draw the triangle and the ellipsis of a block, whose top is at ``top``."""
        folded = _is_hidden(block.next())
        if not (folded or self._begins_fold(block)):
            return
        palette = self._editor.palette()
        colour = palette.color(QPalette.ColorRole.Text if folded else QPalette.ColorRole.PlaceholderText)
        line = block.layout().lineAt(0)
        centre = QPointF(self._left - _SIZE, top + line.y() + line.height() / 2)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawPolygon(_triangle(centre, pointing_right=folded))
        if folded:
            box = self._ellipsis_box(block, top)
            painter.setPen(palette.color(QPalette.ColorRole.PlaceholderText))
            painter.setBrush(palette.color(QPalette.ColorRole.AlternateBase))
            painter.drawRoundedRect(box, 3, 3)
            painter.setPen(palette.color(QPalette.ColorRole.Text))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, "…")

    @property
    def _left(self) -> float:
        """Where the text begins in the viewport."""
        return self._editor.contentOffset().x() + self._editor.document().documentMargin()

    def _ellipsis_box(self, block: QTextBlock, top: float) -> QRectF:
        line = block.layout().lineAt(block.layout().lineCount() - 1)
        width = QFontMetricsF(self._editor.font()).horizontalAdvance("…") + 8
        right = self._editor.contentOffset().x() + line.naturalTextRect().right() + 6
        x = min(right, self._editor.viewport().width() - width - 1)
        return QRectF(x, top + line.y() + 2, width, line.height() - 4)

    def _begins_fold(self, block: QTextBlock) -> bool:
        at = int(np.searchsorted(self._starts, block.position()))
        return at < self._starts.size and int(self._starts[at]) == block.position()

    def _folds(self) -> list[Fold]:
        """The folds, in UTF-16 units."""
        if self._find is None:
            return []
        text = from_raw_text(self._editor.document().toRawText())
        units = OffsetMap(text).to_utf16
        return [replace(fold, start=units(fold.start), end=units(fold.end)) for fold in self._find(text)]

    def _is_folded_as_found(self, first: QTextBlock) -> bool:
        """Whether the lines that are hidden behind a block are those of a fold."""
        *_, last = _hidden_after(first)
        place = (first.position(), _end(last))
        return any((fold.start, fold.end) == place for fold in self._folds())

    def _find_starts(self) -> None:
        """Find where folds begin, for the marks in the margin."""
        self._timer.stop()
        starts = np.array([fold.start for fold in self._folds()], dtype=np.int64)
        if not np.array_equal(starts, self._starts):
            self._starts = starts
            self._editor.viewport().update()

    def _hide(self, folds: list[Fold]) -> None:
        """Hide all lines of these folds but their first ones, and take the caret out of them."""
        find = self._editor.document().findBlock
        hidden = [
            block
            for fold in folds
            for block in _blocks_between(find(fold.start).next(), find(fold.end))
            if block.isVisible()
        ]
        if not hidden:
            return
        self._any_hidden = True
        self._set_visible(hidden, visible=False)
        cursor = self._editor.textCursor()
        if _is_hidden(cursor.block()):
            cursor.setPosition(_end(_first_line(cursor.block())))
            self._editor.setTextCursor(cursor)
            self._editor.ensureCursorVisible()
        elif _is_hidden(find(cursor.anchor())):
            cursor.clearSelection()
            self._editor.setTextCursor(cursor)

    def _show(self, hidden: list[QTextBlock]) -> None:
        """Unfold what hides these blocks."""
        shown: dict[int, QTextBlock] = {}
        for block in hidden:
            if block.blockNumber() not in shown:
                shown |= {one.blockNumber(): one for one in _hidden_after(_first_line(block))}
        if shown:
            self._set_visible(shown.values(), visible=True)

    def _show_all(self) -> int:
        """Unfold everything; returns how many parts were folded."""
        if not self._any_hidden:
            return 0
        document = self._editor.document()
        hidden = list(_hidden_between(document.firstBlock(), document.lastBlock()))
        self._any_hidden = False
        self._set_visible(hidden, visible=True)
        numbers = [block.blockNumber() for block in hidden]
        return sum(number - 1 != before for before, number in pairwise([-1, *numbers]))

    def _set_visible(self, blocks: Iterable[QTextBlock], *, visible: bool) -> None:
        """Show or hide blocks; the first line in view stays there."""
        bar = self._editor.verticalScrollBar()
        top = self._editor.firstVisibleBlock()
        lines_above = bar.value() - top.firstLineNumber()
        self._layout.set_visible(blocks, visible=visible)
        if _is_hidden(top):
            top, lines_above = _first_line(top), 0
        bar.setValue(top.firstLineNumber() + lines_above)


def _is_hidden(block: QTextBlock) -> bool:
    return block.isValid() and not block.isVisible()


def _blocks_between(first: QTextBlock, last: QTextBlock) -> Iterator[QTextBlock]:
    """The blocks from ``first`` to ``last``; to the end of the document if that is not valid."""
    block = first
    while block.isValid():
        yield block
        if block == last:
            return
        block = block.next()


def _hidden_between(first: QTextBlock, last: QTextBlock) -> Iterator[QTextBlock]:
    return (block for block in _blocks_between(first, last) if not block.isVisible())


def _hidden_after(first: QTextBlock) -> Iterator[QTextBlock]:
    """The hidden blocks that follow a visible one."""
    block = first.next()
    while _is_hidden(block):
        yield block
        block = block.next()


def _first_line(block: QTextBlock) -> QTextBlock:
    """The last visible block before a hidden one."""
    while _is_hidden(block) and block.previous().isValid():
        block = block.previous()
    return block


def _next_visible(block: QTextBlock) -> QTextBlock:
    while _is_hidden(block):
        block = block.next()
    return block


def _end(block: QTextBlock) -> int:
    return block.position() + block.length() - 1


def _triangle(centre: QPointF, *, pointing_right: bool) -> QPolygonF:
    half = _SIZE / 2
    corners = ((-half / 2, -half), (half / 2, 0.0), (-half / 2, half))
    return QPolygonF([centre + (QPointF(x, y) if pointing_right else QPointF(y, x)) for x, y in corners])
