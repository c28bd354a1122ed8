"""Generous line height for a plain-text document, whose own layout sets lines without any space between them."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QTextBlock, QTextLayout
from PySide6.QtWidgets import QPlainTextDocumentLayout

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
