"""How the blocks of a document look: formats of their characters, and the space around their lines.

Formats are set on the layout of a block when it is laid out. They are no part of the document: text, offsets, undo
history and saved bytes know nothing of them.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF
from PySide6.QtGui import QFont, QPainter, QPalette, QTextBlock, QTextCharFormat, QTextLayout

from core.highlighting.types import Fold


@dataclass(frozen=True, slots=True)
class BlockSpace:
    """The space above, below and left of the lines of a block, in logical pixels."""

    above: int = 0
    below: int = 0
    left: int = 0


NO_SPACE = BlockSpace()


class BlockStyles:
    """Blocks that look alike: the styles of plain text, and the base of all others."""

    def set_theme(self, palette: QPalette, font: QFont) -> None:
        """Make formats for these colours and this font; called before anything else and when they change."""

    def formats(self, block: QTextBlock) -> list[QTextLayout.FormatRange]:  # noqa: ARG002
        """The formats of a block that is going to be laid out."""
        return []

    def space(self, block: QTextBlock) -> BlockSpace:  # noqa: ARG002
        """The space around the lines of a block whose formats were asked for since its last edit."""
        return NO_SPACE

    def edited(self, position: int, removed: int, added: int) -> None:
        """The text was edited: ``removed`` UTF-16 units at ``position`` became ``added``."""

    def moved(self, position: int, removed: int, added: int) -> None:
        """Move positions by one of the steps of an edit, of which the last in the text comes first."""

    def paint(self, painter: QPainter, block: QTextBlock, box: QRectF) -> None:
        """Draw what stands around the text of a block, below the text; ``box`` has the width that lines can have."""

    def find_folds(self, text: str) -> list[Fold]:  # noqa: ARG002
        """The parts of the text, in code points, that can be folded because of how they look."""
        return []

    def update_to(self, block: QTextBlock) -> bool:  # noqa: ARG002
        """Bring the formats of all blocks up to ``block`` up to date; returns whether some have to be laid out anew."""
        return False


def format_range(start: int, end: int, format: QTextCharFormat) -> QTextLayout.FormatRange:
    """A format for the characters of a block from ``start`` to ``end``, in UTF-16 units."""
    found = QTextLayout.FormatRange()
    found.start, found.length, found.format = start, end - start, format
    return found
