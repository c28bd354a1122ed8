"""Underlines and highlights of words in a text block: their geometry, and how findings and misspellings are drawn."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, cast

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen, QTextBlock, QTextCharFormat, QTextLayout, QTextLine

from app.editor.positions import has_right_to_left
from app.widgets.kinds import kind_style
from core.types import Kind

Weight = Literal["thin", "normal", "thick"]
_Style = QTextCharFormat.UnderlineStyle
_WEIGHTS: dict[Weight, float] = {"thin": 0.75, "normal": 1.0, "thick": 1.5}
# On pure black and white: 7:1 and more (WCAG 2.2, 1.4.6), and a third stronger.
_HIGH_CONTRAST = {
    Kind.FRAMING: ("#8a3c00", "#ffb733"),
    Kind.EPISTEMOLOGICAL: ("#00507d", "#6dbcf2"),
    Kind.DEMOGRAPHIC: ("#6a1258", "#f2bedf"),
    Kind.STYLE: ("#22380c", "#ccf8a0"),
}
_HIGH_CONTRAST_WEIGHT = 1.35
# Of misspelled words, on a light and a dark background, and the same on pure white and black.
_MISSPELLED, _HIGH_CONTRAST_MISSPELLED = ("#EA004E", "#FF6F91"), ("#8A0032", "#FF9DB4")
# Two runs of characters closer than this, in pixels, share one underline.
_JOIN = 8.0
_NO_WIDTH = 0.5
_PERIODS = 64
_MISSPELLED_WIDTH = 0.55
"""The width of the line under misspelled words, as a share of that under findings."""


def line_segments(block: QTextBlock, start: int, end: int) -> Iterator[tuple[QTextLine, float, float]]:
    """The segments of ``[start, end)`` of the block's text on the screen, as (line, left, right).

    A span is split at line ends and wherever the writing direction changes. Characters that take no room, as in hidden
    parts, have no segments.
    """
    layout = block.layout()
    mixed = has_right_to_left(block.text())
    line = layout.lineForTextPosition(start)
    while line.isValid() and start < end:
        stop = min(end, line.textStart() + line.textLength())
        for left, right in _segments(line, start, stop, mixed):
            if abs(right - left) >= _NO_WIDTH:
                yield line, left, right
        if line.lineNumber() + 1 >= layout.lineCount():
            break
        start = stop
        line = layout.lineAt(line.lineNumber() + 1)


def lines_between(layout: QTextLayout, top: float, bottom: float) -> tuple[int, int]:
    """The text range (start, end) of the lines of a block that overlap ``[top, bottom]``, by binary search.

    Half of the space between two lines belongs to each.
    """
    count = layout.lineCount()
    air = max(0.0, _gap(layout) / 2)
    low, high = 0, max(count - 1, 0)
    while low < high:
        middle = (low + high) // 2
        line = layout.lineAt(middle)
        if line.y() + line.height() + air < top:
            low = middle + 1
        else:
            high = middle
    first = layout.lineAt(low)
    last = low
    while last + 1 < count and layout.lineAt(last + 1).y() - air <= bottom:
        last += 1
    end = layout.lineAt(last)
    return first.textStart(), end.textStart() + end.textLength()


def _gap(layout: QTextLayout) -> float:
    """The space between two lines."""
    if layout.lineCount() < 2:
        return 0.0
    first, second = layout.lineAt(0), layout.lineAt(1)
    return second.y() - first.y() - first.height()


@dataclass(frozen=True, slots=True)
class Pens:
    """How underlines are drawn: dark or light theme, high contrast, and weight."""

    dark: bool
    high_contrast: bool = False
    weight: Weight = "normal"

    def colour(self, kind: Kind) -> QColor:
        """The colour of the underline of a kind."""
        return (
            QColor(_HIGH_CONTRAST[kind][self.dark])
            if self.high_contrast
            else kind_style(kind, dark=self.dark).colour
        )

    @property
    def misspelled(self) -> QColor:
        """The colour of the line under misspelled words."""
        return QColor((_HIGH_CONTRAST_MISSPELLED if self.high_contrast else _MISSPELLED)[self.dark])

    def width(self, size: float) -> float:
        """The width of an underline in logical pixels, for text with an ascent of ``size`` logical pixels.

        It grows with the text and is never below 1.6 pixels: thin waves vanish on dense screens.
        """
        factor = _WEIGHTS[self.weight] * (_HIGH_CONTRAST_WEIGHT if self.high_contrast else 1.0)
        return max(1.6, size / 9) * factor


def draw_underline(
    painter: QPainter, kind: Kind, ends: tuple[float, float], *, baseline: float, size: float, pens: Pens
) -> None:
    """Draw the underline of a kind between ``ends`` (left, right); ``size`` is the font's ascent in pixels."""
    left, right = ends
    style = kind_style(kind, dark=pens.dark)
    width = pens.width(size)
    y = baseline + max(3.0, size * 0.2)
    pen = QPen(pens.colour(kind), width)
    if style.underline == _Style.WaveUnderline:
        _draw_wave(painter, pen, ends, y)
        return
    if style.underline == _Style.DotLine:
        pen.setWidthF(width * 1.35)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        pen.setDashPattern([0.01, 1.9])
    elif style.underline == _Style.SingleUnderline:
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    else:
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        pen.setWidthF(width * 1.1)
        pen.setDashPattern([3.4, 1.7])
    painter.setPen(pen)
    painter.drawLine(QPointF(left + width / 2, y), QPointF(max(right - width / 2, left + width), y))


def draw_misspelling(
    painter: QPainter, ends: tuple[float, float], *, baseline: float, size: float, pens: Pens, below: bool
) -> None:
    """Draw the line under a misspelled word: a wave half as thick as that of a finding, in a colour of its own.

    ``below``: the word has the underline of a finding, and this one goes beneath it.
    """
    width = pens.width(size)
    y = baseline + max(3.0, size * 0.2) + (2.3 * width if below else 0.0)
    _draw_wave(painter, QPen(pens.misspelled, max(1.0, width * _MISSPELLED_WIDTH)), ends, y)


def draw_tint(
    painter: QPainter, box: QRectF, colour: QColor, strength: float, *, outlined: bool = False
) -> None:
    """Fill the background of words with ``colour`` at opacity ``strength`` in [0, 1], or draw an outline instead."""
    wash = QColor(colour)
    wash.setAlphaF(strength)
    painter.setPen(QPen(colour, 1.5) if outlined else Qt.PenStyle.NoPen)
    painter.setBrush(Qt.BrushStyle.NoBrush if outlined else wash)
    painter.drawRoundedRect(box, 3, 3)


def _segments(line: QTextLine, start: int, end: int, mixed: bool) -> list[tuple[float, float]]:
    if not mixed:
        return [(caret_x(line, start), caret_x(line, end))]
    found: list[tuple[float, float]] = []
    for left, right in sorted(_glyph_extents(line, start, end)):
        if found and left <= found[-1][1] + _JOIN:
            found[-1] = (found[-1][0], max(right, found[-1][1]))
        else:
            found.append((left, right))
    return found


def _glyph_extents(line: QTextLine, start: int, end: int) -> Iterator[tuple[float, float]]:
    """The horizontal extent of the glyphs: where directions meet, a caret position is ambiguous."""
    for run in line.glyphRuns(start, end - start):
        box = run.boundingRect()
        yield box.left(), box.right()


def caret_x(line: QTextLine, position: int) -> float:
    """Where a caret at a position of a block is from left to right in one of its lines."""
    return cast(tuple[float, int], line.cursorToX(position))[0]


def _draw_wave(painter: QPainter, pen: QPen, ends: tuple[float, float], y: float) -> None:
    """A wave between ``ends``, cut from a cached long one: strokes with many joints are slow."""
    ratio = painter.device().devicePixelRatio()
    strip = _strip(pen.color().rgba(), pen.widthF(), ratio)
    size = QSizeF(strip.size()) / ratio
    left, right, top = (round(edge * ratio) / ratio for edge in (*ends, y - size.height() / 2))
    while left < right:
        part = QRectF(0, 0, min(right - left, size.width()), size.height())
        source = QRectF(0, 0, part.width() * ratio, part.height() * ratio)
        painter.drawImage(part.translated(left, top), strip, source)
        left += part.width()


@lru_cache(maxsize=32)
def _strip(colour: int, width: float, ratio: float) -> QImage:
    """A wave of many whole periods; ``ratio``: device pixels per logical pixel."""
    height, period = width * 0.95, width * 5.2
    length, tall = _PERIODS * period, 2 * (height + width)
    image = QImage(round(length * ratio), math.ceil(tall * ratio), QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.transparent)
    pen = QPen(QColor.fromRgba(colour), width)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    steps = 8 * (_PERIODS + 2)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(pen)
    painter.drawPolyline(
        [
            QPointF((step / 8 - 1) * period, tall / 2 + height * math.sin(step / 8 * math.tau))
            for step in range(steps + 1)
        ]
    )
    painter.end()
    return image
