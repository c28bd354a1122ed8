"""The look of a docx, odt or html file in the editor: headings, lists, emphasis, links, and space between paragraphs.

The positions move with edits. They are arrays: a file of 50,000 words has thousands of them, and every key moves them.
"""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QFontMetricsF,
    QPalette,
    QTextBlock,
    QTextCharFormat,
    QTextDocument,
    QTextLayout,
)

from app.editor.block_styles import NO_SPACE, BlockSpace, BlockStyles, format_range
from app.editor.positions import OffsetMap, utf16_length
from app.widgets.theme import markup_colour
from core.text.appearance import Appearance, ParagraphStyle, TextStyle

_SIZES = (1.0, 1.6, 1.35, 1.2, 1.1, 0.88)
"""The sizes of text: in paragraphs, in headings of the levels from 1 on, and in notes, headers and footers."""
_ASIDE = len(_SIZES) - 1
_INDENT = 2.2
_ASIDE_INDENT = 13.0
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

    The user state of a block is the number of the style of its paragraph.
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
        self._spaces: list[BlockSpace] = []

    def set_theme(self, palette: QPalette, font: QFont) -> None:
        texts = [*self._texts, _PLAIN]
        self._formats = {
            (number, size): _char_format(style, size, palette, font)
            for number, style in enumerate(texts)
            for size in range(len(_SIZES))
        }
        self._spaces = [_space(look, QFontMetricsF(font)) for look in self._looks]

    def formats(self, block: QTextBlock) -> list[QTextLayout.FormatRange]:
        begin = block.position()
        end = begin + utf16_length(block.text())
        paragraph = self._paragraph(block)
        number = self._paragraphs.styles[paragraph] if paragraph is not None else 0
        block.setUserState(number)
        look = self._look(block)
        size = _ASIDE if look.aside else min(look.heading, _ASIDE - 1)
        found = []
        if size:
            found.append(format_range(0, end - begin, self._formats[len(self._texts), size]))
        runs = self._runs
        first = int(np.searchsorted(runs.ends, begin, side="right"))
        last = int(np.searchsorted(runs.starts, end))
        for at in range(first, last):
            start, stop = max(int(runs.starts[at]), begin), min(int(runs.ends[at]), end)
            found.append(format_range(start - begin, stop - begin, self._formats[runs.styles[at], size]))
        return found

    def space(self, block: QTextBlock) -> BlockSpace:
        return self._spaces[block.userState()] if block.userState() >= 0 else NO_SPACE

    def label(self, block: QTextBlock) -> str:
        paragraph = self._paragraph(block)
        if paragraph is None or int(self._paragraphs.starts[paragraph]) != block.position():
            return ""
        return self._look(block).label

    def is_ruled(self, block: QTextBlock) -> bool:
        look = self._look(block)
        return look.in_table or look.quoted

    def moved(self, position: int, removed: int, added: int) -> None:
        at_line_start = not position or self._document.characterAt(position - 1) == "\u2029"
        for ranges in (self._runs, self._paragraphs):
            ranges.move(position, removed, added, at_line_start=at_line_start)

    def _look(self, block: QTextBlock) -> ParagraphStyle:
        return self._known_looks[max(block.userState(), 0)]

    def _paragraph(self, block: QTextBlock) -> int | None:
        """The number of the paragraph that has a block."""
        at = int(np.searchsorted(self._paragraphs.starts, block.position(), side="right")) - 1
        return at if at >= 0 and self._paragraphs.ends[at] >= block.position() else None


def _number(styles: dict[_Style, int], style: _Style) -> int:
    return styles.setdefault(style, len(styles))


def _char_format(style: TextStyle, size: int, palette: QPalette, font: QFont) -> QTextCharFormat:
    """The format of a style in the size of a number in `_SIZES`."""
    made = QTextCharFormat()
    if style.bold or 0 < size < _ASIDE:
        made.setFontWeight(QFont.Weight.Bold)
    if style.italic:
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
    if size:
        made.setFontPointSize(font.pointSizeF() * _SIZES[size])
    return made


def _space(look: ParagraphStyle, metrics: QFontMetricsF) -> BlockSpace:
    line, em = metrics.height(), metrics.averageCharWidth()
    levels = look.list_level + look.quoted + look.in_table * 0.5
    tight = look.list_level or look.in_table or look.aside
    return BlockSpace(
        above=round(line * 0.5) if look.heading or (look.aside and look.label) else 0,
        below=round(line * (0.1 if tight else 0.4)),
        left=round(levels * _INDENT * em + look.aside * _ASIDE_INDENT * em),
    )
