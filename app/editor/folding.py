"""Folding: the lines of a template, of notes or front matter after the first are hidden, until they are shown again.
References and templates are hidden inside their lines, too.

Lines are folded while the blocks after the first one are invisible. A part that is hidden inside lines is one of the
`HiddenParts`; the blocks between its first and its last line are invisible. Nothing else knows of it: text, offsets,
undo history and findings are those of the unfolded text. What an edit touches is shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QFontMetricsF, QPainter, QPalette, QPolygonF, QTextBlock, QTextCursor, QTextLayout
from PySide6.QtWidgets import QPlainTextEdit

from app.editor.inline_folds import (
    HiddenPart,
    HiddenParts,
    draw_label,
    hiding_formats,
    label_box,
    label_width,
)
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
_NO_REFERENCES = tr("There are no references to fold in this draft.")
_NOTHING_FOLDED = tr("Nothing is folded.")


_CANNOT_HIDE = "\t\u2028\ufffc"
"""Characters that take room whatever their format is."""


class Folding(QObject):
    """The folds of the text in ``editor``, which ``layout`` lays out.

    ``status_message``: what was folded or unfolded.
    """

    status_message = Signal(str)

    def __init__(self, editor: QPlainTextEdit, layout: SpacedLayout) -> None:
        super().__init__(editor)
        self._editor, self._layout = editor, layout
        self._find: FoldFinder | None = None
        self._find_inline: FoldFinder | None = None
        self._parts = HiddenParts()
        self._opened: list[tuple[int, int]] = []
        self.by_arrow = False
        """Whether the caret is being moved by the key of a horizontal arrow."""
        self._starts: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self._any_hidden = False
        self._edited: tuple[int, int] | None = None
        self._blocks = 1
        self._caret = 0
        self._timer = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._timer.timeout.connect(self._find_starts)

    def set_finder(self, find: FoldFinder | None, find_inline: FoldFinder | None = None) -> None:
        """Find folds with ``find``, and those in lines with ``find_inline``, in the format of the text.

        They are None if it has none.
        """
        if find != self._find:
            self._show_all()
            self._find, self._find_inline = find, find_inline
        self._find_starts()

    @property
    def is_possible(self) -> bool:
        """Whether texts in the format of this one have parts to fold."""
        return self._find is not None

    @property
    def has_references(self) -> bool:
        """Whether texts in the format of this one have references to fold inside lines."""
        return self._find_inline is not None

    def clear(self) -> None:
        """Another text was loaded."""
        self._any_hidden, self._edited = False, None
        self._parts.clear()
        self._opened = []
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

    def toggle_references(self) -> None:
        """Fold all references inside their lines, or unfold them if all are folded."""
        notes: list[Fold] = []
        for fold in self._inline_folds():
            if fold.kind is FoldKind.REFERENCE and (not notes or fold.start >= notes[-1].end):
                notes.append(fold)
        shown = [fold for fold in notes if self._parts.around(fold.start + 1) is None]
        if shown:
            self._hide_parts(shown)
            text = ntr("{n} reference folded.", "{n} references folded.", len(shown))
        else:
            self._open([part for part in self._parts if part.kind is FoldKind.REFERENCE])
            text = ntr("{n} reference unfolded.", "{n} references unfolded.", len(notes))
        count = len(shown) or len(notes)
        self.status_message.emit(text.format(n=f"{count:,}") if count else _NO_REFERENCES)

    def toggle_at_caret(self) -> None:
        """Unfold or fold the reference or template at the caret, or else the lines that have that of the caret.

        Of several in each other it is the outermost reference, else the innermost part.
        """
        cursor = self._editor.textCursor()
        place = cursor.position()
        part = self._parts.touching(place)
        if part is not None:
            self.open(part)
            return
        here = [fold for fold in self._inline_folds() if fold.start <= place <= fold.end]
        if here and not _is_hidden(cursor.block().next()):
            fold = next((fold for fold in here if fold.kind is FoldKind.REFERENCE), here[-1])
            self._hide_parts([fold])
            self.status_message.emit(_FOLDED[fold.kind])
            return
        self.toggle(cursor.block())

    def open(self, part: HiddenPart) -> None:
        """Unfold a part that is hidden inside lines."""
        self._open([part])
        self.status_message.emit(_UNFOLDED)

    def open_between(self, start: int, end: int) -> bool:
        """Unfold the parts that have characters from ``start`` to ``end``; returns whether there are any."""
        parts = self._parts.between(start, end) if start < end else []
        if parts:
            self._open(parts)
            self.status_message.emit(_UNFOLDED)
        return bool(parts)

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
        ranges = list(ranges)
        self._open({part for place in ranges for part in self._parts.between(*place)})
        if self._any_hidden:
            find = self._editor.document().findBlock
            self._show([block for start, end in ranges for block in _hidden_between(find(start), find(end))])

    def text_edited(self, position: int, removed: int, added: int) -> None:
        """``removed`` UTF-16 units at ``position`` became ``added``, and are not yet laid out."""
        self.starts_moved(position, removed, added)
        if self._any_hidden:
            self._edited = (position, position + added)

    def parts_moved(self, position: int, removed: int, added: int) -> None:
        """As ``text_edited``, for every one of several edits, before the layout asks for the formats."""
        self._opened += self._parts.move(position, removed, added)

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
        opened, self._opened = self._opened, []
        for place in opened:
            between = list(_blocks_between(*map(self._block, place)))
            self._show([block for block in between if not block.isVisible()])
            self._set_visible(between, visible=True)
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
        part = self._parts.around(self._caret)
        if part is not None:
            target = self._beside(part, self._caret)
            if self.by_arrow:
                target = part.start if before >= part.end else part.end
            self._move_caret(target)
            return True
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
        self._move_caret(target)
        return True

    def formats(self, block: QTextBlock) -> list[QTextLayout.FormatRange]:
        """The formats that hide parts of a block."""
        font = self._editor.font()
        found = []
        for part in self._parts.between(block.position(), _end(block)):
            found += hiding_formats(block, part, room=label_width(part.label, font), font=font)
        return found

    @property
    def has_marks(self) -> bool:
        """Whether something can be folded or is folded."""
        return self._any_hidden or len(self._parts) > 0 or self._starts.size > 0

    def part_at(self, block: QTextBlock, top: float, point: QPointF) -> HiddenPart | None:
        """The part of a block whose label is at a point of the viewport."""
        return next((part for part, box in self._labels(block, top) if box.contains(point)), None)

    def is_on_mark(self, block: QTextBlock, top: float, point: QPointF) -> bool:
        """Whether a point of the viewport is on the triangle or the ellipsis of a block."""
        folded = _is_hidden(block.next())
        if not (folded or self._begins_fold(block)):
            return False
        line = block.layout().lineAt(0)
        in_margin = 0 <= self._left - point.x() <= 2 * _SIZE and point.y() <= top + line.y() + line.height()
        return in_margin or (self._has_ellipsis(block) and self._ellipsis_box(block, top).contains(point))

    def paint(self, painter: QPainter, block: QTextBlock, top: float) -> None:
        """Draw the labels, the triangle and the ellipsis of a block, whose top is at ``top``."""
        cursor = self._editor.textCursor()
        for part, box in self._labels(block, top):
            selected = cursor.selectionStart() <= part.start and part.end <= cursor.selectionEnd()
            draw_label(
                painter, part, box, self._editor.palette(), font=self._editor.font(), selected=selected
            )
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
        if self._has_ellipsis(block):
            box = self._ellipsis_box(block, top)
            painter.setPen(palette.color(QPalette.ColorRole.PlaceholderText))
            painter.setBrush(palette.color(QPalette.ColorRole.AlternateBase))
            painter.drawRoundedRect(box, 3, 3)
            painter.setPen(palette.color(QPalette.ColorRole.Text))
            painter.setFont(self._editor.font())
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, "…")

    @property
    def _left(self) -> float:
        """Where the text begins in the viewport."""
        return self._editor.contentOffset().x() + self._editor.document().documentMargin()

    def _labels(self, block: QTextBlock, top: float) -> Iterator[tuple[HiddenPart, QRectF]]:
        """The parts that begin in a block, and where their labels are in the viewport."""
        left = self._editor.contentOffset().x()
        for part in self._parts.between(block.position(), _end(block)):
            if part.start >= block.position():
                yield part, label_box(block, top, part.start - block.position(), left=left)

    def _has_ellipsis(self, block: QTextBlock) -> bool:
        """Whether the lines behind a block are hidden, and not by a part that has a label."""
        following = block.next()
        return _is_hidden(following) and self._parts.around(following.position()) is None

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
        """The folds of whole lines, in UTF-16 units."""
        return self._found_by(self._find)

    def _inline_folds(self) -> list[Fold]:
        """The folds inside lines that can be hidden, in UTF-16 units."""
        return self._found_by(self._find_inline, without=_CANNOT_HIDE)

    def _found_by(self, find: FoldFinder | None, *, without: str = "") -> list[Fold]:
        """The folds that ``find`` finds, in UTF-16 units, but for those that have any of some characters."""
        if find is None:
            return []
        text = from_raw_text(self._editor.document().toRawText())
        units = OffsetMap(text).to_utf16
        bad = [character for character in without if character in text]
        return [
            replace(fold, start=units(fold.start), end=units(fold.end))
            for fold in find(text)
            if not any(character in text[fold.start : fold.end] for character in bad)
        ]

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

    def _hide_parts(self, folds: list[Fold]) -> None:
        """Hide these folds, which are disjoint, inside their lines, and take the caret out of them."""
        parts = []
        hidden: list[QTextBlock] = []
        for fold in folds:
            first, last, end = self._block(fold.start), self._block(fold.end), fold.end
            between = list(_blocks_between(first.next(), last)) if first != last else []
            if between and end == _end(last) and last.next().isValid():
                # Nothing follows in its last line, which is hidden with its end.
                end += 1
            elif between:
                del between[-1]
            parts.append(HiddenPart(fold.start, end, fold.kind, fold.label))
            hidden += [block for block in between if block.isVisible()]
        self._parts.add(parts)
        if hidden:
            self._any_hidden = True
            self._set_visible(hidden, visible=False)
        self._lay_out(parts)
        cursor = self._editor.textCursor()
        part = self._parts.around(cursor.position())
        if part is not None:
            cursor.setPosition(self._beside(part, cursor.position()))
            self._editor.setTextCursor(cursor)
        elif self._parts.around(cursor.anchor()) is not None:
            cursor.clearSelection()
            self._editor.setTextCursor(cursor)

    def _open(self, parts: Iterable[HiddenPart]) -> None:
        """Unfold parts that are hidden inside lines, but no lines that are hidden besides."""
        parts = list(parts)
        if not parts:
            return
        self._parts.remove(parts)
        shown: list[QTextBlock] = []
        for part in parts:
            first, last = self._block(part.start), self._block(part.end)
            if first.isVisible():
                shown += _hidden_between(first, last)
        self._set_visible(shown, visible=True)
        self._lay_out(parts)

    def _lay_out(self, parts: Iterable[HiddenPart]) -> None:
        """Lay out the visible lines of these parts anew."""
        blocks: dict[int, QTextBlock] = {}
        for part in parts:
            for block in (self._block(part.start), self._block(part.end)):
                if block.isVisible():
                    blocks[block.blockNumber()] = block
        self._set_visible(blocks.values(), visible=True)

    def _beside(self, part: HiddenPart, position: int) -> int:
        """Where the caret goes that is in a hidden part at a position: to its end, if that is in the same line."""
        first, here, last = (self._block(place) for place in (part.start, position, part.end))
        return part.end if last in (first, here) else part.start

    def _block(self, position: int) -> QTextBlock:
        """The block of a position; the last one for a position behind the text."""
        document = self._editor.document()
        return document.findBlock(max(0, min(position, document.characterCount() - 1)))

    def _move_caret(self, position: int) -> None:
        """Move the caret, and the selection with it."""
        cursor = self._editor.textCursor()
        mode = QTextCursor.MoveMode.KeepAnchor if cursor.hasSelection() else QTextCursor.MoveMode.MoveAnchor
        cursor.setPosition(position, mode)
        self._editor.setTextCursor(cursor)

    def _show(self, hidden: list[QTextBlock]) -> None:
        """Unfold what hides these blocks."""
        shown: dict[int, QTextBlock] = {}
        for block in hidden:
            if block.blockNumber() not in shown:
                shown |= {one.blockNumber(): one for one in _hidden_after(_first_line(block))}
        if shown:
            places = (self._parts.around(block.position()) for block in shown.values())
            parts = {part for part in places if part is not None}
            self._parts.remove(parts)
            self._set_visible(shown.values(), visible=True)
            self._lay_out(parts)

    def _show_all(self) -> int:
        """Unfold everything; returns how many parts were folded."""
        parts = list(self._parts)
        document = self._editor.document()
        hidden = (
            list(_hidden_between(document.firstBlock(), document.lastBlock())) if self._any_hidden else []
        )
        by_lines = [block for block in hidden if self._parts.around(block.position()) is None]
        numbers = [block.blockNumber() for block in by_lines]
        self._parts.clear()
        self._any_hidden = False
        if hidden:
            self._set_visible(hidden, visible=True)
        self._lay_out(parts)
        return len(parts) + sum(number - 1 != before for before, number in pairwise([-1, *numbers]))

    def _set_visible(self, blocks: Iterable[QTextBlock], *, visible: bool) -> None:
        """Show or hide blocks; the first line in view stays there."""
        bar = self._editor.verticalScrollBar()
        top = self._editor.firstVisibleBlock()
        lines_above = bar.value() - top.firstLineNumber()
        self._layout.set_visible(blocks, visible=visible)
        if _is_hidden(top):
            top, lines_above = _first_line(top), 0
        elif lines_above:
            self._layout.blockBoundingRect(top)
            lines_above = min(lines_above, top.lineCount() - 1)
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
