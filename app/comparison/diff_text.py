"""How a difference looks: old words struck through, new words bold; the colour never says it alone."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QFont, QPalette, QTextCharFormat, QTextLayout, QTextOption

from app.analysis.suggestions import Part, Piece, described
from app.editor.positions import TextMap

# Red and teal on the grounds of the two themes, at least 4.5:1 (measured in test_diff_text.py).
_COLOURS = {Part.OUT: ("#a8322a", "#f4a097"), Part.IN: ("#0b6b66", "#6fd0c8")}
_WASH = {Part.OUT: ("#f8e3e0", "#43292a"), Part.IN: ("#dcf0ee", "#1f3b3a")}


def colour_of(part: Part, *, dark: bool) -> tuple[QColor, QColor]:
    """The ink and the ground of old or new words."""
    return QColor(_COLOURS[part][dark]), QColor(_WASH[part][dark])


def diff_layout(
    pieces: Sequence[Piece], font: QFont, palette: QPalette, width: float, *, dark: bool
) -> QTextLayout:
    """The pieces laid out in lines of at most ``width`` pixels, ready to be drawn."""
    text = "".join(piece.text for piece in pieces)
    layout = QTextLayout(text, font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    layout.setFormats(_formats(pieces, TextMap(text), palette, dark=dark))
    layout.beginLayout()
    top = 0.0
    while (line := layout.createLine()).isValid():
        line.setLineWidth(width)
        line.setPosition(QPointF(line.x(), top))
        top += line.height()
    layout.endLayout()
    return layout


def spoken(pieces: Sequence[Piece]) -> str:
    """The changes as words, for those who do not see them."""
    told: list[str] = []
    old = ""
    for piece in pieces:
        if piece.part is Part.OUT:
            old = piece.text
        elif piece.part is Part.IN:
            told.append(described(old, piece.text))
            old = ""
        elif old and piece.text.strip():
            told.append(described(old, ""))
            old = ""
    return "; ".join([*told, described(old, "")] if old else told)


def _formats(
    pieces: Sequence[Piece], positions: TextMap, palette: QPalette, *, dark: bool
) -> list[QTextLayout.FormatRange]:
    ranges = []
    at = 0
    for piece in pieces:
        made = QTextLayout.FormatRange()
        made.start = positions.to_utf16(at)
        at += len(piece.text)
        made.length = positions.to_utf16(at) - made.start
        look = QTextCharFormat()
        if piece.part is Part.KEPT:
            look.setForeground(palette.color(QPalette.ColorRole.WindowText))
        else:
            ink, ground = colour_of(piece.part, dark=dark)
            look.setForeground(ink)
            look.setBackground(ground)
            look.setFontStrikeOut(piece.part is Part.OUT)
            look.setFontWeight(QFont.Weight.Bold if piece.part is Part.IN else QFont.Weight.Normal)
        made.format = look
        ranges.append(made)
    return ranges
