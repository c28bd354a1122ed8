"""How models on the compass are told apart: a shape and a colour each."""

from __future__ import annotations

import math
from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainterPath, QPolygonF

# Okabe and Ito (2008), as light or dark as 3:1 asks for on either ground.
_COLOURS = (
    ("#0072B2", "#56B4E9"),
    ("#C75400", "#E69F00"),
    ("#00795C", "#2BC49B"),
    ("#A8488A", "#E19AC5"),
    ("#4A4F54", "#C9CDD1"),
    ("#7A5B00", "#F0E442"),
)
_STAR = 0.45
"""The inner radius of a star, of the outer one."""


def colour(number: int, *, dark: bool) -> QColor:
    """The colour of a model on a dark or a light ground."""
    return QColor(_COLOURS[number % len(_COLOURS)][dark])


def shape(number: int, middle: QPointF, radius: float) -> QPainterPath:
    """The mark of a model around a point."""
    path = QPainterPath()
    _SHAPES[number % len(_SHAPES)](path, middle, radius)
    return path


def _circle(path: QPainterPath, middle: QPointF, radius: float) -> None:
    path.addEllipse(middle, 0.9 * radius, 0.9 * radius)


def _square(path: QPainterPath, middle: QPointF, radius: float) -> None:
    side = 1.6 * radius
    path.addRect(QRectF(middle.x() - side / 2, middle.y() - side / 2, side, side))


def _corners(
    count: int, turn: float, *, inner: float = 1.0
) -> Callable[[QPainterPath, QPointF, float], None]:
    """A polygon with ``count`` corners, the first turned by ``turn`` degrees; every other one at ``inner``."""

    def add(path: QPainterPath, middle: QPointF, radius: float) -> None:
        points = []
        for at in range(count):
            angle = math.radians(turn + 360 * at / count)
            reach = 1.1 * radius * (inner if at % 2 else 1.0)
            points.append(middle + QPointF(reach * math.cos(angle), reach * math.sin(angle)))
        path.addPolygon(QPolygonF([*points, points[0]]))
        path.closeSubpath()

    return add


def _plus(path: QPainterPath, middle: QPointF, radius: float) -> None:
    arm, half = radius, 0.38 * radius
    whole = QPainterPath()
    whole.addRect(QRectF(middle.x() - arm, middle.y() - half, 2 * arm, 2 * half))
    across = QPainterPath()
    across.addRect(QRectF(middle.x() - half, middle.y() - arm, 2 * half, 2 * arm))
    path.addPath(whole.united(across))


_SHAPES: tuple[Callable[[QPainterPath, QPointF, float], None], ...] = (
    _circle,
    _square,
    _corners(3, -90),
    _corners(4, 0),
    _plus,
    _corners(3, 90),
    _corners(10, -90, inner=_STAR),
)
KINDS = len(_SHAPES)
"""How many shapes there are; with the colours they come back after their common multiple."""
