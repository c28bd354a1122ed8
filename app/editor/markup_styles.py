"""Highlighting of markup: the formats of each role, and the states of the lines, kept as far as they are needed."""

from __future__ import annotations

from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QPalette,
    QTextBlock,
    QTextCharFormat,
    QTextDocument,
    QTextLayout,
)

from app.editor.block_styles import BlockStyles, format_range
from app.editor.positions import OffsetMap
from app.widgets.theme import MarkupColour, markup_colour
from core.highlighting.types import STATES, LineHighlighter, MarkupRole, MarkupSpan

_COLOURS: dict[MarkupRole, MarkupColour] = {
    MarkupRole.MARK: "mark",
    MarkupRole.TARGET: "mark",
    MarkupRole.LABEL: "link",
    MarkupRole.TEMPLATE: "template",
    MarkupRole.REFERENCE: "reference",
    MarkupRole.COMMENT: "comment",
    MarkupRole.CODE: "code",
    MarkupRole.METADATA: "template",
}

_NEAR = 200


class MarkupStyles(BlockStyles):
    """Styles by a highlighter of lines.

    The user state of a block holds the states at its start and at its end. Those of the first ``_known`` blocks are
    right; those of later ones are computed when a block that comes after them is shown. ``_stale``: a block that was
    laid out with other states waits for being laid out anew.
    """

    def __init__(self, document: QTextDocument, highlight: LineHighlighter) -> None:
        self._document = document
        self._highlight = highlight
        self._known = 0
        self._stale = False
        self._blocks = document.blockCount()
        self._formats: dict[MarkupRole, QTextCharFormat] = {}

    def set_theme(self, palette: QPalette, font: QFont) -> None:  # noqa: ARG002
        fixed = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).families()
        for role in MarkupRole:
            self._formats[role] = made = QTextCharFormat()
            if role in _COLOURS:
                made.setForeground(QColor(markup_colour(_COLOURS[role], palette)))
            if role in (MarkupRole.HEADING, MarkupRole.STRONG):
                made.setFontWeight(QFont.Weight.Bold)
            if role in (MarkupRole.EMPHASIS, MarkupRole.COMMENT):
                made.setFontItalic(True)
            made.setFontStrikeOut(role is MarkupRole.STRUCK)
            if role is MarkupRole.CODE:
                made.setFontFamilies(fixed)

    def formats(self, block: QTextBlock) -> list[QTextLayout.FormatRange]:
        # Qt lays out the last page, too, to know how far it can scroll: that is no reason to read all before it.
        if self._known < block.blockNumber() <= self._known + _NEAR:
            self._walk(block.previous())
        text = block.text()
        spans = self._read(block, text)
        if text.isascii():
            return [format_range(span.start, span.end, self._formats[span.role]) for span in spans]
        units = OffsetMap(text).to_utf16
        return [format_range(units(span.start), units(span.end), self._formats[span.role]) for span in spans]

    def edited(self, position: int, removed: int, added: int) -> None:  # noqa: ARG002
        first, last = self._document.findBlock(position), self._document.findBlock(position + added)
        if first != last or self._blocks != self._document.blockCount():
            self._known = min(self._known, first.blockNumber())
        self._blocks = self._document.blockCount()

    def update_to(self, block: QTextBlock) -> bool:
        if block.blockNumber() >= self._known:
            self._walk(block)
        stale, self._stale = self._stale, False
        return stale

    def _walk(self, last: QTextBlock) -> None:
        """Read the blocks from the first that is not known to ``last``."""
        block = self._document.findBlockByNumber(self._known)
        number, stop = self._known, last.blockNumber()
        while block.isValid() and number <= stop:
            before = block.userState()
            self._read(block, block.text())
            if before >= 0 and before // STATES != block.userState() // STATES and block.layout().lineCount():
                block.clearLayout()
                self._stale = True
            block, number = block.next(), number + 1

    def _read(self, block: QTextBlock, text: str) -> list[MarkupSpan]:
        """The spans of a block, in state 0 as long as its predecessors are not known; notes its states."""
        number, before = block.blockNumber(), block.userState()
        start = max(block.previous().userState(), 0) % STATES if 0 < number <= self._known else 0
        spans, end = self._highlight(text, start)
        block.setUserState(start * STATES + end)
        if number == self._known or (number < self._known and before % STATES != end):
            self._known = number + 1
        return spans
