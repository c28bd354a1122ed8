"""Lines and tints under words of a text block: where they run, and how each kind is drawn."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import cast

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QTextBlock, QTextCharFormat, QTextLayout, QTextLine

from app.kinds import look
from app.positions import runs_right_to_left
from core.findings import Kind

_Style = QTextCharFormat.UnderlineStyle
# Two runs of characters nearer than this, in pixels, share one line.
_JOIN = 8.0


def pieces(block: QTextBlock, start: int, end: int) -> Iterator[tuple[QTextLine, float, float]]:
    """Where ``[start, end)`` of the block's text stands: one (line, left, right) for each stretch on the screen.

    A span breaks at line ends, and inside a line wherever the direction of writing turns.
    """
    layout = block.layout()
    mixed = runs_right_to_left(block.text())
    line = layout.lineForTextPosition(start)
    while line.isValid() and start < end:
        stop = min(end, line.textStart() + line.textLength())
        yield from ((line, *edges) for edges in _stretches(line, start, stop, mixed))
        if line.lineNumber() + 1 >= layout.lineCount():
            break
        start = stop
        line = layout.lineAt(line.lineNumber() + 1)


def lines_between(layout: QTextLayout, top: float, bottom: float) -> tuple[int, int]:
    """The text range (start, end) of the lines of a block that reach into ``[top, bottom]``, found by halving.

    The air between two lines belongs half to each.
    """
    count = layout.lineCount()
    air = max(0.0, layout.lineAt(0).y())
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


def draw_underline(
    painter: QPainter, kind: Kind, ends: tuple[float, float], *, baseline: float, size: float, dark: bool
) -> None:
    """One kind's line between ``ends`` (left, right) below ``baseline``; ``size`` is the font's ascent in pixels.

    The line is never thinner than 1.6 logical pixels: thin waves vanish on dense screens.
    """
    left, right = ends
    style = look(kind, dark=dark)
    width = max(1.6, size / 9)
    y = baseline + max(3.0, size * 0.2)
    pen = QPen(style.colour, width)
    if style.underline == _Style.WaveUnderline:
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        painter.drawPolyline(_wave(left, right, y, height=width * 0.95, period=width * 5.2))
        return
    if style.underline == _Style.DotLine:
        pen.setWidthF(width * 1.35)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        pen.setDashPattern([0.01, 1.9])
    else:
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        pen.setWidthF(width * 1.1)
        pen.setDashPattern([3.4, 1.7])
    painter.setPen(pen)
    painter.drawLine(QPointF(left + width / 2, y), QPointF(max(right - width / 2, left + width), y))


def draw_tint(painter: QPainter, box: QRectF, colour: QColor, strength: float) -> None:
    """A soft wash of ``colour`` behind words; ``strength`` is its opacity in [0, 1]."""
    wash = QColor(colour)
    wash.setAlphaF(strength)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(wash)
    painter.drawRoundedRect(box, 3, 3)


def _stretches(line: QTextLine, start: int, end: int, mixed: bool) -> list[tuple[float, float]]:
    if not mixed:
        return [(_x(line, start), _x(line, end))]
    found: list[tuple[float, float]] = []
    for left, right in sorted(_ink(line, start, end)):
        if found and left <= found[-1][1] + _JOIN:
            found[-1] = (found[-1][0], max(right, found[-1][1]))
        else:
            found.append((left, right))
    return found


def _ink(line: QTextLine, start: int, end: int) -> Iterator[tuple[float, float]]:
    """Where the drawn characters stand: where directions meet, a caret position does not say on which side."""
    for run in line.glyphRuns(start, end - start):
        box = run.boundingRect()
        yield box.left(), box.right()


def _x(line: QTextLine, position: int) -> float:
    return cast(tuple[float, int], line.cursorToX(position))[0]


def _wave(left: float, right: float, y: float, *, height: float, period: float) -> list[QPointF]:
    steps = max(2, math.ceil((right - left) / (period / 8)))
    return [
        QPointF(
            left + (right - left) * step / steps,
            y + height * math.sin(step * (right - left) / steps / period * math.tau),
        )
        for step in range(steps + 1)
    ]
