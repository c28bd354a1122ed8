"""The political compass as a chart: a marker for each model with its uncertainty, and arrows between models."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainterPath, QPalette, QPen, QPolygonF, QResizeEvent, QTransform
from PySide6.QtWidgets import QWidget

from app.audit.compass_strings import (
    CAUTION,
    ECONOMIC,
    QUADRANTS,
    READING,
    SOCIAL,
    at,
    in_figures,
    rounds,
    told,
    unclear,
)
from app.charts.base_charts import Chart
from app.charts.chart_sections import ChartRow
from app.charts.navigable_charts import WalkChart
from app.widgets.labels import showable
from core.i18n import tr
from core.runs.political_compass import LIMIT, Compass, Place, Stand
from core.types import Report

# How models on the compass are told apart: a shape and a colour each.


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
        for index in range(count):
            angle = math.radians(turn + 360 * index / count)
            reach = 1.1 * radius * (inner if index % 2 else 1.0)
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


# The compass as a chart: quadrants, a mark for each model, what is unsure about it, and arrows from one to another.


_MOST, _MARK, _PAD, _GAP, _BETWEEN = 400.0, 8.0, 6.0, 24.0, 10.0
_INSIDE = 5.0
"""Kept free within the frame that the keyboard's focus draws."""
_INDENT = 2 * _MARK + 12
"""Of a name behind its mark."""
_TICKS = (-10, -5, 0, 5, 10)
_HEAD = 9.0
_NONE = tr("No model has answered yet.")


class CompassChart(WalkChart):
    """Arrows go from one model to another, by their numbers."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._stands: tuple[Stand, ...] = ()
        self._arrows: tuple[tuple[int, int], ...] = ()
        self._below = False
        super().__init__(parent)
        self.setAccessibleName(tr("Political compass"))

    def show_stands(self, stands: Sequence[Stand], arrows: Sequence[tuple[int, int]] = ()) -> None:
        """Draw these. The keyboard stays on its model."""
        here = self._stands[self.current].model if self.current is not None else None
        self._stands, self._arrows = tuple(stands), tuple(arrows)
        keep = [number for number, stand in enumerate(self._stands) if stand.model == here]
        self.refresh(keep=keep[0] if keep else None)

    def count(self) -> int:
        """How many models there are."""
        return len(self._stands)

    def told(self, number: int) -> str:
        """A model in words."""
        return showable(told(self._stands[number]))

    def summary(self) -> str:
        """The whole chart in words."""
        return " ".join(self.told(number) for number in range(self.count())) or _NONE

    def box(self, number: int, width: float) -> QRectF:
        """Around a mark: on the compass, or beside the name where a model has no place there."""
        reach = _MARK + 4
        stand, height = self._stands[number], float(self.height())
        middle = (
            self._entry_at(number, width, height) + self._beside_name()
            if stand.says_nothing
            else self._point(stand.at, self._plot(width, height))
        )
        return QRectF(middle.x() - reach, middle.y() - reach, 2 * reach, 2 * reach)

    def wanted_height(self) -> int:
        """The plot with its axes, and the names where they do not stand beside it."""
        plot = self._above() + _MOST + self._under()
        names = len(self._stands) * self._entry()
        return round((plot + _GAP + names if self._below else max(plot, names)) + 4)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is little width, names stand below."""
        super().resizeEvent(event)
        if self._below == self._has_room_beside(float(self.width())):
            self._below = not self._below
            self.redraw()

    def draw(self, width: float, height: float) -> None:
        """Ground, what is unsure, arrows, marks, names."""
        plot = self._plot(width, height)
        self._draw_ground(plot)
        placed = {number: stand for number, stand in enumerate(self._stands) if not stand.says_nothing}
        for number, stand in placed.items():
            self._draw_unsure(number, stand, plot)
        for arrow in self._arrows:
            if placed.keys() >= set(arrow):
                self._draw_arrow(*(self._point(placed[end].at, plot) for end in arrow))
        for number, stand in placed.items():
            self._draw_mark(number, self._point(stand.at, plot))
        for number, stand in enumerate(self._stands):
            corner = self._entry_at(number, width, height)
            self._draw_name(number, stand, corner, width - corner.x())
        self.draw_focus(width, height)

    # Where things stand

    def _plot(self, width: float, height: float) -> QRectF:
        """The square in which the axes run."""
        left = self._left()
        room = height - self._above() - self._under()
        if not self._has_room_beside(width):
            room -= _GAP + len(self._stands) * self._entry()
        side = max(60.0, min(_MOST, width - left - self.advance("10"), room))
        return QRectF(left, self._above(), side, side)

    def _has_room_beside(self, width: float) -> bool:
        """Whether names with their figures stand beside the plot, else below it."""
        figures = self.advance(in_figures(Place(-LIMIT, -LIMIT)))
        return width >= self._left() + _MOST + _GAP + _INDENT + figures

    def _entry_at(self, number: int, width: float, height: float) -> QPointF:
        """The upper left corner of what is told of a model."""
        plot = self._plot(width, height)
        down = QPointF(0, number * self._entry())
        if self._has_room_beside(width):
            return QPointF(plot.right() + _GAP, plot.top()) + down
        return QPointF(_INSIDE, plot.bottom() + self._under() + _GAP) + down

    def _beside_name(self) -> QPointF:
        """The middle of a mark, from that corner."""
        return QPointF(_MARK + 2, self.line() / 2)

    def _left(self) -> float:
        return self.advance("-10") + _PAD + _INSIDE

    def _above(self) -> float:
        return self.line() + _PAD + _INSIDE

    def _under(self) -> float:
        return 2 * self.line() + _PAD + 4

    def _entry(self) -> float:
        return 3 * self.line() + _BETWEEN

    def _point(self, place: Place, plot: QRectF) -> QPointF:
        scale = plot.width() / (2 * LIMIT)
        return plot.center() + QPointF(place.economic * scale, -place.social * scale)

    # What is drawn

    def _draw_ground(self, plot: QRectF) -> None:
        base = self.colour(QPalette.ColorRole.Base)
        self.add_shape(_rectangle(plot), brush=base, pen=self.line_pen())
        faint = self.line_pen(0.6)
        faint.setStyle(Qt.PenStyle.DotLine)
        middle = plot.center()
        for tick in _TICKS:
            x, y = self._point(Place(tick, tick), plot).toTuple()
            pen = self.line_pen(1.4) if tick == 0 else faint
            self.add_line(QPointF(x, plot.top()), QPointF(x, plot.bottom()), pen)
            self.add_line(QPointF(plot.left(), y), QPointF(plot.right(), y), pen)
            self.add_text(f"{tick}", QPointF(x, plot.bottom() + 3), anchor=(0.5, 0), muted=True)
            self.add_text(f"{tick}", QPointF(plot.left() - _PAD, y), anchor=(1, 0.5), muted=True)
        under = plot.bottom() + self.line() + 5
        self.add_text(self.elided(ECONOMIC, plot.width()), QPointF(middle.x(), under), anchor=(0.5, 0))
        self.add_text(self.elided(SOCIAL, plot.width()), QPointF(middle.x(), _INSIDE), anchor=(0.5, 0))
        for at_, name in enumerate(QUADRANTS):
            right, low = at_ % 2, at_ // 2
            corner = QPointF(
                plot.right() - _PAD if right else plot.left() + _PAD,
                plot.bottom() - _PAD if low else plot.top() + _PAD,
            )
            words = self.elided(name, plot.width() / 2 - 2 * _PAD)
            self.add_text(words, corner, anchor=(float(right), float(low)), muted=True)

    def _draw_unsure(self, number: int, stand: Stand, plot: QRectF) -> None:
        line = colour(number, dark=self._dark)
        wash = QColor(line)
        wash.setAlpha(0 if self._stark else 26)
        if stand.unclear:
            low, high = self._point(stand.low, plot), self._point(stand.high, plot)
            box = QRectF(QPointF(low.x(), high.y()), QPointF(high.x(), low.y()))
            self.add_shape(_rectangle(box), brush=wash, pen=QPen(line, 1, Qt.PenStyle.DashLine))
        if stand.ring is not None:
            self.add_shape(self._ring(stand, plot), brush=wash, pen=QPen(line, 1.4))

    def _ring(self, stand: Stand, plot: QRectF) -> QPainterPath:
        """The ellipse, as far as it lies on the compass."""
        assert stand.ring is not None
        scale, middle = plot.width() / (2 * LIMIT), self._point(stand.ring.centre, plot)
        flat = QPainterPath()
        flat.addEllipse(QPointF(0, 0), stand.ring.longer * scale, stand.ring.shorter * scale)
        turned = QTransform().translate(middle.x(), middle.y()).rotate(-stand.ring.angle).map(flat)
        return turned.intersected(_rectangle(plot))

    def _draw_arrow(self, start: QPointF, end: QPointF) -> None:
        line = QLineF(start, end)
        free = _MARK + 3
        if line.length() < 2 * free + _HEAD:
            return
        along = QPointF(line.dx(), line.dy()) / line.length()
        tip, ink = end - along * free, self.colour(QPalette.ColorRole.WindowText)
        self.add_line(start + along * free, tip - along * _HEAD * 0.8, QPen(ink, 1.8))
        across = QPointF(-along.y(), along.x()) * (_HEAD * math.tan(math.radians(24)))
        head = QPainterPath()
        foot = tip - along * _HEAD
        head.addPolygon(QPolygonF([tip, foot + across, foot - across, tip]))
        self.add_shape(head, brush=ink)

    def _draw_mark(self, number: int, middle: QPointF, *, hollow: bool = False) -> None:
        filled, ground = colour(number, dark=self._dark), self.colour(QPalette.ColorRole.Base)
        path = shape(number, middle, _MARK)
        if hollow:
            self.add_shape(path, brush=QBrush(ground), pen=QPen(filled, 2))
        else:
            self.add_shape(path, brush=filled, pen=QPen(ground, 1.5))

    def _draw_name(self, number: int, stand: Stand, corner: QPointF, width: float) -> None:
        line = self.line()
        self._draw_mark(number, corner + self._beside_name(), hollow=stand.says_nothing)
        left, room = corner.x() + _INDENT, width - _INDENT
        doing = "" if stand.done == stand.planned else f" · {rounds(stand)}"
        lines = (showable(stand.model), at(stand), f"{unclear(stand)}{doing}")
        for row, words in enumerate(lines):
            place = QPointF(left, corner.y() + row * line)
            # Bold words are wider than those that are measured.
            shown = (
                self.elided(words, room)
                if row
                else self.elided(words, 0.9 * room, where=Qt.TextElideMode.ElideMiddle)
            )
            self.add_text(shown, place, anchor=(0, 0), bold=row == 0, muted=row > 0)


def _rectangle(box: QRectF) -> QPainterPath:
    path = QPainterPath()
    path.addRect(box)
    return path


def chart_row(compass: Compass, arrows: Sequence[tuple[int, int]]) -> ChartRow:
    """The chart, to keep as a picture."""

    def fill(chart: Chart, _report: Report | None) -> None:
        assert isinstance(chart, CompassChart)
        chart.show_stands(compass.stands, arrows)

    return ChartRow(
        tr("Political compass"), lambda _: CompassChart(), fill, lambda *_: f"{READING} {CAUTION}"
    )
