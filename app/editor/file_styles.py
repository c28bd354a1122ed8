"""The look of a docx, odt or html file in the editor: headings, lists, captions, tables, emphasis, links, and space.

A table is a frame with a line between its rows and a fainter one between the cells of a row, which stand one below the
other: the editor shows lines of text, and no columns.

The positions move with edits. They are arrays: a file of 50,000 words has thousands of them, and every key moves them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QFontMetricsF,
    QPainter,
    QPalette,
    QPen,
    QTextBlock,
    QTextCharFormat,
    QTextDocument,
    QTextLayout,
)

from app.editor.block_styles import NO_SPACE, BlockSpace, BlockStyles, format_range
from app.editor.positions import OffsetMap, utf16_length
from app.widgets.theme import markup_colour
from core.highlighting.types import Fold, FoldKind
from core.text.appearance import Appearance, ParagraphStyle, TextStyle


@dataclass(frozen=True, slots=True)
class _Base:
    """How all text of a paragraph looks."""

    size: float = 1.0
    bold: bool = False
    italic: bool = False


_BASES = (
    _Base(),
    *(_Base(size, bold=True) for size in (1.6, 1.35, 1.2, 1.1)),
    _Base(0.88),
    _Base(0.9, italic=True),
    _Base(bold=True),
)
"""Text, headings of the levels from 1 on, notes with headers and footers, captions, and headers of tables."""
_DEEPEST_HEADING, _ASIDE, _CAPTION, _HEADER = 4, 5, 6, 7
_INDENT = 2.2
_ASIDE_INDENT = 13.0
_FIRST, _LAST, _CLOSES, _NUMBER = 1, 2, 4, 8
"""Parts of the user state of a block: the first and the last of its paragraph, the last of a table; and the number of
the style of the paragraph, times the last."""
_PLAIN = TextStyle()
_Places = NDArray[np.int64]
_Style = TypeVar("_Style")


class _Ranges:
    """Sorted, disjoint ranges of a text in UTF-16 units, each with the number of its style."""

    def __init__(self, ranges: list[tuple[int, int, int]], *, sticky: bool) -> None:
        self.starts: _Places = np.array([start for start, _, _ in ranges], dtype=np.int64)
        self.ends: _Places = np.array([end for _, end, _ in ranges], dtype=np.int64)
        self.styles = [style for _, _, style in ranges]
        self._sticky = sticky

    def move(self, position: int, removed: int, added: int, *, at_line_start: bool) -> None:
        """Follow an edit. Text typed at the end of a range is in it; at its start only if the range begins a line."""
        end, new_end = position + removed, position + added
        starts, ends = self.starts, self.ends
        stays = (starts == position) & bool(removed or self._sticky or at_line_start)
        self.starts = np.where((starts >= end) & ~stays, starts + added - removed, starts)
        self.starts = np.where((starts > position) & (starts < end), new_end, self.starts)
        follows = (ends >= end) & ((ends > position) | (removed == 0))
        self.ends = np.where(follows, ends + added - removed, np.where(ends > position, position, ends))


class FileStyles(BlockStyles):
    """The styles of a container's text, which ``document`` shows.

    The user state of a block says what its paragraph is, and where in it the block stands.
    """

    def __init__(self, document: QTextDocument, appearance: Appearance, text: str) -> None:
        self._document = document
        units = OffsetMap(text).to_utf16
        self._texts: dict[TextStyle, int] = {}
        self._looks: dict[ParagraphStyle, int] = {ParagraphStyle(): 0}
        self._runs = _Ranges(
            [
                (units(start), units(end), _number(self._texts, style))
                for start, end, style in appearance.runs
            ],
            sticky=False,
        )
        self._paragraphs = _Ranges(
            [
                (units(start), units(end), _number(self._looks, style))
                for start, end, style in appearance.paragraphs
            ],
            sticky=True,
        )
        self._known_looks = list(self._looks)
        self._formats: dict[tuple[int, int], QTextCharFormat] = {}
        self._spaces: dict[int, BlockSpace] = {}
        self._metrics: _Metrics
        self._palette: QPalette

    def set_theme(self, palette: QPalette, font: QFont) -> None:
        texts = [*self._texts, _PLAIN]
        self._formats = {
            (number, size): _char_format(style, size, palette, font)
            for number, style in enumerate(texts)
            for size in range(len(_BASES))
        }
        self._spaces.clear()
        self._metrics = _Metrics(font, self._known_looks)
        self._palette = palette

    def formats(self, block: QTextBlock) -> list[QTextLayout.FormatRange]:
        begin = block.position()
        end = begin + utf16_length(block.text())
        block.setUserState(self._state(begin, end))
        base = _base(self._look(block))
        found = []
        if base:
            found.append(format_range(0, end - begin, self._formats[len(self._texts), base]))
        runs = self._runs
        first = int(np.searchsorted(runs.ends, begin, side="right"))
        last = int(np.searchsorted(runs.starts, end))
        for at in range(first, last):
            start, stop = max(int(runs.starts[at]), begin), min(int(runs.ends[at]), end)
            found.append(format_range(start - begin, stop - begin, self._formats[runs.styles[at], base]))
        return found

    def space(self, block: QTextBlock) -> BlockSpace:
        state = block.userState()
        if state < 0:
            return NO_SPACE
        if state not in self._spaces:
            self._spaces[state] = self._metrics.space(self._look(block), state)
        return self._spaces[state]

    def label(self, block: QTextBlock) -> str:
        """The bullet, the number or the name that is drawn left of a block."""
        return self._look(block).label if block.userState() & _FIRST else ""

    def paint(self, painter: QPainter, block: QTextBlock, box: QRectF) -> None:
        state = block.userState()
        if state < 0:
            return
        look = self._look(block)
        if look.in_table:
            self._paint_cell(painter, look, state, box)
        line = block.layout().lineAt(0)
        text = box.left() + self.space(block).left
        muted = self._palette.color(QPalette.ColorRole.PlaceholderText)
        if look.quoted:
            at = round(text - self._metrics.em)
            painter.setPen(muted)
            painter.drawLine(at, round(box.top()), at, round(box.bottom()))
        if label := self.label(block):
            painter.setPen(muted)
            place = QRectF(0, box.top() + line.y(), text - 0.7 * self._metrics.em, line.height())
            painter.drawText(place, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, label)

    def _paint_cell(self, painter: QPainter, look: ParagraphStyle, state: int, box: QRectF) -> None:
        """Draw the part of the frame of a table that is beside a block, and the line above the row or the cell."""
        left, right = round(box.left() + self._metrics.frame(look)), round(box.right()) - 1
        top, bottom = round(box.top()), round(box.bottom())
        if state & _CLOSES:
            bottom -= self._metrics.gap
        if look.in_header:
            tint = self._palette.color(QPalette.ColorRole.Window)
            painter.fillRect(left, top, right - left, bottom - top, tint)
        pen = QPen(self._palette.color(QPalette.ColorRole.Mid), 1)
        painter.setPen(pen)
        painter.drawLine(left, top, left, bottom)
        painter.drawLine(right, top, right, bottom)
        if state & _CLOSES:
            painter.drawLine(left, bottom, right, bottom)
        if state & _FIRST and look.starts_row:
            painter.drawLine(left, top, right, top)
        elif state & _FIRST and look.starts_cell:
            pen.setDashPattern([2, 3])
            painter.setPen(pen)
            inset = round(self._metrics.em)
            painter.drawLine(left + inset, top, right - inset, top)

    def moved(self, position: int, removed: int, added: int) -> None:
        at_line_start = not position or self._document.characterAt(position - 1) == "\u2029"
        for ranges in (self._runs, self._paragraphs):
            ranges.move(position, removed, added, at_line_start=at_line_start)

    def find_folds(self, text: str) -> list[Fold]:
        """Notes that follow each other, and the headers and footers, where they have several lines."""
        points = OffsetMap(text).to_code_point
        ranges = self._paragraphs
        folds = []
        for kind, numbers in groupby(range(len(ranges.styles)), self._fold_kind):
            if kind is None:
                continue
            first, *others = numbers
            last = others[-1] if others else first
            start = text.rfind("\n", 0, points(int(ranges.starts[first]))) + 1
            end = text.find("\n", points(int(ranges.ends[last])))
            end = len(text) if end < 0 else end
            if "\n" in text[start:end]:
                folds.append(Fold(start, end, kind))
        return folds

    def _fold_kind(self, paragraph: int) -> FoldKind | None:
        look = self._known_looks[self._paragraphs.styles[paragraph]]
        if not look.aside:
            return None
        return FoldKind.MARGINS if look.in_margin else FoldKind.NOTES

    def _state(self, begin: int, end: int) -> int:
        """The user state of a block from ``begin`` to ``end``."""
        paragraph, last = self._paragraph(begin), self._paragraph(end)
        if paragraph is None:
            return _FIRST | _LAST
        ranges = self._paragraphs
        state = _NUMBER * ranges.styles[paragraph]
        state += _FIRST * (int(ranges.starts[paragraph]) == begin)
        if last is None or int(ranges.ends[last]) == end:
            closes = last is not None and self._known_looks[ranges.styles[last]].ends_table
            state += _LAST + _CLOSES * closes
        return state

    def _look(self, block: QTextBlock) -> ParagraphStyle:
        return self._known_looks[max(block.userState(), 0) // _NUMBER]

    def _paragraph(self, position: int) -> int | None:
        """The number of the paragraph that has a position."""
        at = int(np.searchsorted(self._paragraphs.starts, position, side="right")) - 1
        return at if at >= 0 and self._paragraphs.ends[at] >= position else None


def _number(styles: dict[_Style, int], style: _Style) -> int:
    return styles.setdefault(style, len(styles))


def _base(look: ParagraphStyle) -> int:
    """The number in `_BASES` of a paragraph."""
    if look.aside:
        return _ASIDE
    if look.heading:
        return min(look.heading, _DEEPEST_HEADING)
    return _CAPTION if look.caption else _HEADER if look.in_header else 0


def _char_format(style: TextStyle, number: int, palette: QPalette, font: QFont) -> QTextCharFormat:
    """The format of a style in a paragraph of a number in `_BASES`."""
    base = _BASES[number]
    made = QTextCharFormat()
    if style.bold or base.bold:
        made.setFontWeight(QFont.Weight.Bold)
    if style.italic or base.italic:
        made.setFontItalic(True)
    if style.underlined or style.linked:
        made.setFontUnderline(True)
    if style.struck:
        made.setFontStrikeOut(True)
    if style.raised:
        made.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignSuperScript)
    if style.linked:
        made.setForeground(QColor(markup_colour("link", palette)))
    if style.code:
        made.setFontFamilies(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).families())
    if base.size != 1:
        made.setFontPointSize(font.pointSizeF() * base.size)
    return made


class _Metrics:
    """The space around paragraphs in a font. Lists are indented as far as their widest labels need it."""

    def __init__(self, font: QFont, looks: Iterable[ParagraphStyle]) -> None:
        metrics = QFontMetricsF(font)
        self.em, self._line = metrics.averageCharWidth(), metrics.height()
        self.gap = round(self._line * 0.5)
        self._levels: dict[int, float] = {}
        for look in looks:
            if look.list_level and look.label and not look.aside:
                level = _indent_level(look)
                width = metrics.horizontalAdvance(look.label) + self.em
                self._levels[level] = max(width, self._levels.get(level, _INDENT * self.em))

    def space(self, look: ParagraphStyle, state: int) -> BlockSpace:
        """The space around a block of a paragraph that looks like this."""
        line, indent = self._line, _INDENT * self.em
        level = _indent_level(look)
        levels = (level,) if look.heading else range(1, level + 1)
        left = sum(self._levels.get(one, indent) for one in levels) if look.list_level else 0.0
        left += self.frame(look) + (look.quoted + look.in_table * 0.5) * indent
        begins = look.heading or (look.aside and look.label)
        tight = look.list_level or look.in_table or look.aside
        above = line * (0.5 if begins else 0.3 if look.caption else 0.1 if look.starts_cell else 0)
        below = line * (0.1 if tight else 0.4)
        return BlockSpace(
            above=round(above) if state & _FIRST else 0,
            below=(round(below) if state & _LAST else 0) + (self.gap if state & _CLOSES else 0),
            left=round(left),
        )

    def frame(self, look: ParagraphStyle) -> float:
        """How far from the left a paragraph without lists and quotations begins, with the frame of its table."""
        return look.aside * _ASIDE_INDENT * self.em


def _indent_level(look: ParagraphStyle) -> int:
    """The level by which a list item is indented; the numbers of all headings have the same room."""
    return 0 if look.heading else look.list_level
