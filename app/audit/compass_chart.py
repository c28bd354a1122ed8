"""The political compass as a chart: a marker per model with its uncertainty, and arrows between models."""

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
    count_unclear,
    describe_position,
    format_coordinates,
    format_position,
    format_rounds,
)
from app.charts.base_charts import Chart
from app.charts.chart_sections import ChartSpec
from app.charts.navigable_charts import NavigableChart
from app.widgets.labels import to_single_line
from core.i18n import tr
from core.runs.political_compass import AXIS_LIMIT, CompassPoint, CompassReport, ModelPosition
from core.types import Report

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
"""Inner radius of a star relative to its outer radius."""


def series_color(number: int, *, dark: bool) -> QColor:
    """The colour of a model in a light or a dark theme."""
    return QColor(_COLOURS[number % len(_COLOURS)][dark])


def marker_path(number: int, middle: QPointF, radius: float) -> QPainterPath:
    """The marker of a model around a point."""
    path = QPainterPath()
    _SHAPES[number % len(_SHAPES)](path, middle, radius)
    return path


def _circle(path: QPainterPath, middle: QPointF, radius: float) -> None:
    path.addEllipse(middle, 0.9 * radius, 0.9 * radius)


def _square(path: QPainterPath, middle: QPointF, radius: float) -> None:
    side = 1.6 * radius
    path.addRect(QRectF(middle.x() - side / 2, middle.y() - side / 2, side, side))


def _polygon(
    count: int, turn: float, *, inner: float = 1.0
) -> Callable[[QPainterPath, QPointF, float], None]:
    """A function that adds a polygon; ``turn`` is the angle of its first corner in degrees, ``inner`` shortens every
    other radius.
    """

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
    cross = QPainterPath()
    cross.addRect(QRectF(middle.x() - arm, middle.y() - half, 2 * arm, 2 * half))
    across = QPainterPath()
    across.addRect(QRectF(middle.x() - half, middle.y() - arm, 2 * half, 2 * arm))
    path.addPath(cross.united(across))


_SHAPES: tuple[Callable[[QPainterPath, QPointF, float], None], ...] = (
    _circle,
    _square,
    _polygon(3, -90),
    _polygon(4, 0),
    _plus,
    _polygon(3, 90),
    _polygon(10, -90, inner=_STAR),
)
SHAPE_COUNT = len(_SHAPES)
"""Number of marker shapes."""


_MAX_PLOT, _MARK_RADIUS, _PAD, _GAP, _BETWEEN = 400.0, 8.0, 6.0, 24.0, 10.0
_FOCUS_MARGIN = 5.0
"""Margin inside the focus frame."""
_INDENT = 2 * _MARK_RADIUS + 12
"""Indentation of a name behind its marker."""
_TICKS = (-10, -5, 0, 5, 10)
_HEAD = 9.0
_NONE = tr("No model has answered yet.")


class CompassChart(NavigableChart[ModelPosition]):
    """Positions of models; arrows connect models by their numbers."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._arrows: tuple[tuple[int, int], ...] = ()
        self._names_below = False
        super().__init__(parent)
        self.setAccessibleName(tr("Political compass"))

    def show_positions(
        self, positions: Sequence[ModelPosition], arrows: Sequence[tuple[int, int]] = ()
    ) -> None:
        """Draw these positions. The keyboard focus stays on its model."""
        self._arrows = tuple(arrows)
        self.show_items(positions, key=lambda position: position.model)

    def describe(self, number: int) -> str:
        """The text of a model."""
        return to_single_line(describe_position(self.items[number]))

    def summary(self) -> str:
        """The text of the whole chart."""
        return " ".join(self.describe(number) for number in range(self.count())) or _NONE

    def item_rect(self, number: int, width: float) -> QRectF:
        """The rectangle of a marker: on the compass, or in the list for a model without a position."""
        reach = _MARK_RADIUS + 4
        position, height = self.items[number], float(self.height())
        middle = (
            self._entry_corner(number, width, height) + self._mark_offset()
            if position.is_all_unclear
            else self._to_pixels(position.point, self._plot_rect(width, height))
        )
        return QRectF(middle.x() - reach, middle.y() - reach, 2 * reach, 2 * reach)

    def preferred_height(self) -> int:
        """The plot with its axes, and the names if they are below it."""
        plot = self._plot_top() + _MAX_PLOT + self._below_plot()
        names = len(self.items) * self._entry_height()
        return round((plot + _GAP + names if self._names_below else max(plot, names)) + 4)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a narrow chart the names are below the plot."""
        super().resizeEvent(event)
        if self._names_below == self._has_room_beside(float(self.width())):
            self._names_below = not self._names_below
            self.redraw()

    def draw(self, width: float, height: float) -> None:
        """Draw background, uncertainty, arrows, markers and names."""
        plot = self._plot_rect(width, height)
        self._draw_ground(plot)
        placed = {
            number: position for number, position in enumerate(self.items) if not position.is_all_unclear
        }
        for number, position in placed.items():
            self._draw_uncertainty(number, position, plot)
        for arrow in self._arrows:
            if placed.keys() >= set(arrow):
                self._draw_arrow(*(self._to_pixels(placed[end].point, plot) for end in arrow))
        for number, position in placed.items():
            self._draw_mark(number, self._to_pixels(position.point, plot))
        for number, position in enumerate(self.items):
            corner = self._entry_corner(number, width, height)
            self._draw_name(number, position, corner, width - corner.x())
        self.draw_focus_frame(width, height)

    # Positions

    def _plot_rect(self, width: float, height: float) -> QRectF:
        """The square of the plot."""
        left = self._plot_left()
        available = height - self._plot_top() - self._below_plot()
        if not self._has_room_beside(width):
            available -= _GAP + len(self.items) * self._entry_height()
        side = max(60.0, min(_MAX_PLOT, width - left - self.text_width("10"), available))
        return QRectF(left, self._plot_top(), side, side)

    def _has_room_beside(self, width: float) -> bool:
        """Whether the names fit beside the plot."""
        coordinates_width = self.text_width(format_coordinates(CompassPoint(-AXIS_LIMIT, -AXIS_LIMIT)))
        return width >= self._plot_left() + _MAX_PLOT + _GAP + _INDENT + coordinates_width

    def _entry_corner(self, number: int, width: float, height: float) -> QPointF:
        """The upper left corner of the entry of a model."""
        plot = self._plot_rect(width, height)
        down = QPointF(0, number * self._entry_height())
        if self._has_room_beside(width):
            return QPointF(plot.right() + _GAP, plot.top()) + down
        return QPointF(_FOCUS_MARGIN, plot.bottom() + self._below_plot() + _GAP) + down

    def _mark_offset(self) -> QPointF:
        """The center of a marker relative to that corner."""
        return QPointF(_MARK_RADIUS + 2, self.line_height() / 2)

    def _plot_left(self) -> float:
        return self.text_width("-10") + _PAD + _FOCUS_MARGIN

    def _plot_top(self) -> float:
        return self.line_height() + _PAD + _FOCUS_MARGIN

    def _below_plot(self) -> float:
        return 2 * self.line_height() + _PAD + 4

    def _entry_height(self) -> float:
        return 3 * self.line_height() + _BETWEEN

    def _to_pixels(self, place: CompassPoint, plot: QRectF) -> QPointF:
        scale = plot.width() / (2 * AXIS_LIMIT)
        return plot.center() + QPointF(place.economic * scale, -place.social * scale)

    # Drawing

    def _draw_ground(self, plot: QRectF) -> None:
        base = self.colour(QPalette.ColorRole.Base)
        self.add_shape(_rectangle(plot), brush=base, pen=self.line_pen())
        tick_pen = self.line_pen(0.6)
        tick_pen.setStyle(Qt.PenStyle.DotLine)
        middle = plot.center()
        for tick in _TICKS:
            x, y = self._to_pixels(CompassPoint(tick, tick), plot).toTuple()
            pen = self.line_pen(1.4) if tick == 0 else tick_pen
            self.add_line(QPointF(x, plot.top()), QPointF(x, plot.bottom()), pen)
            self.add_line(QPointF(plot.left(), y), QPointF(plot.right(), y), pen)
            self.add_text(f"{tick}", QPointF(x, plot.bottom() + 3), anchor=(0.5, 0), muted=True)
            self.add_text(f"{tick}", QPointF(plot.left() - _PAD, y), anchor=(1, 0.5), muted=True)
        under = plot.bottom() + self.line_height() + 5
        self.add_text(self.elide(ECONOMIC, plot.width()), QPointF(middle.x(), under), anchor=(0.5, 0))
        self.add_text(self.elide(SOCIAL, plot.width()), QPointF(middle.x(), _FOCUS_MARGIN), anchor=(0.5, 0))
        for number, name in enumerate(QUADRANTS):
            right, low = number % 2, number // 2
            corner = QPointF(
                plot.right() - _PAD if right else plot.left() + _PAD,
                plot.bottom() - _PAD if low else plot.top() + _PAD,
            )
            text = self.elide(name, plot.width() / 2 - 2 * _PAD)
            self.add_text(text, corner, anchor=(float(right), float(low)), muted=True)

    def _draw_uncertainty(self, number: int, position: ModelPosition, plot: QRectF) -> None:
        line = series_color(number, dark=self._dark)
        fill = QColor(line)
        fill.setAlpha(0 if self._high_contrast else 26)
        if position.unclear:
            low, high = self._to_pixels(position.low, plot), self._to_pixels(position.high, plot)
            box = QRectF(QPointF(low.x(), high.y()), QPointF(high.x(), low.y()))
            self.add_shape(_rectangle(box), brush=fill, pen=QPen(line, 1, Qt.PenStyle.DashLine))
        if position.ellipse is not None:
            self.add_shape(self._ellipse_path(position, plot), brush=fill, pen=QPen(line, 1.4))

    def _ellipse_path(self, position: ModelPosition, plot: QRectF) -> QPainterPath:
        """The confidence ellipse, clipped to the compass."""
        assert position.ellipse is not None
        scale, middle = plot.width() / (2 * AXIS_LIMIT), self._to_pixels(position.ellipse.centre, plot)
        flat = QPainterPath()
        flat.addEllipse(QPointF(0, 0), position.ellipse.longer * scale, position.ellipse.shorter * scale)
        turned = QTransform().translate(middle.x(), middle.y()).rotate(-position.ellipse.angle).map(flat)
        return turned.intersected(_rectangle(plot))

    def _draw_arrow(self, start: QPointF, end: QPointF) -> None:
        line = QLineF(start, end)
        free = _MARK_RADIUS + 3
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
        filled, ground = series_color(number, dark=self._dark), self.colour(QPalette.ColorRole.Base)
        path = marker_path(number, middle, _MARK_RADIUS)
        if hollow:
            self.add_shape(path, brush=QBrush(ground), pen=QPen(filled, 2))
        else:
            self.add_shape(path, brush=filled, pen=QPen(ground, 1.5))

    def _draw_name(self, number: int, position: ModelPosition, corner: QPointF, width: float) -> None:
        line = self.line_height()
        self._draw_mark(number, corner + self._mark_offset(), hollow=position.is_all_unclear)
        left, available = corner.x() + _INDENT, width - _INDENT
        progress_note = "" if position.done == position.planned else f" · {format_rounds(position)}"
        lines = (
            to_single_line(position.model),
            format_position(position),
            f"{count_unclear(position)}{progress_note}",
        )
        for row, text in enumerate(lines):
            place = QPointF(left, corner.y() + row * line)
            # Bold text is wider than the measured text.
            shown = (
                self.elide(text, available)
                if row
                else self.elide(text, 0.9 * available, where=Qt.TextElideMode.ElideMiddle)
            )
            self.add_text(shown, place, anchor=(0, 0), bold=row == 0, muted=row > 0)


def _rectangle(box: QRectF) -> QPainterPath:
    path = QPainterPath()
    path.addRect(box)
    return path


def chart_spec(compass: CompassReport, arrows: Sequence[tuple[int, int]]) -> ChartSpec:
    """The chart for the export."""

    def fill(chart: Chart, _report: Report | None) -> None:
        assert isinstance(chart, CompassChart)
        chart.show_positions(compass.positions, arrows)

    return ChartSpec(
        tr("Political compass"), lambda _: CompassChart(), fill, lambda *_: f"{READING} {CAUTION}"
    )
