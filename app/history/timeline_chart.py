"""The timeline of versions: the mean bias of each, and below it the findings of each kind."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainterPath, QPalette, QPen
from PySide6.QtWidgets import QWidget

from app.charts.base_charts import Chart
from app.history.version_strings import describe_timeline, format_day
from app.widgets.kinds import kind_style
from app.widgets.theme import is_dark
from core.i18n import tr
from core.storage.types import Scores, Version
from core.types import KINDS

_Role = QPalette.ColorRole
_BIAS = 58.0
_KINDS = 44.0
_GAP = 9.0
_GLYPH = 9.0
_DOT = 3.2
_FINEST = 4.0  # pixels between two points of a line
_DOTS_FROM = 9.0  # pixels between two versions below which dots would run into each other


def scale_top(values: Sequence[float]) -> float:
    """The upper end of the bias axis: the next tenth above all values, in (0, 1]."""
    most = max(values, default=0.0)
    return min(1.0, max(0.1, (int(most * 10 + 1e-9) + 1) / 10))


class TimelineChart(Chart):
    """Versions at equal distances from the oldest to the newest, since they may be minutes or weeks apart.

    Selected versions have a ring. A version that was not analysed has no point.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        self._versions: list[Version] = []
        self._points: list[tuple[int, Version, Scores]] = []
        self._chosen: frozenset[int] = frozenset()
        super().__init__(parent)

    def preferred_height(self) -> int:
        """The height of both plots with their titles and the dates."""
        return round(3 * self.line_height() + _BIAS + _KINDS + 3 * _GAP)

    def show_versions(self, versions: Sequence[Version]) -> None:
        """Show versions, from the oldest to the newest."""
        self._versions = list(versions)
        self._points = [
            (number, version, version.scores)
            for number, version in enumerate(self._versions)
            if version.scores is not None
        ]
        self.setAccessibleName(describe_timeline(versions))
        self.redraw()

    def choose(self, chosen: frozenset[int]) -> None:
        """Mark the versions with these ids with a ring."""
        if chosen != self._chosen:
            self._chosen = chosen
            self.update()

    def place(self, number: int, width: float) -> float:
        """The x coordinate of a version, by its number counted from the oldest."""
        left, right = self._edges(width)
        last = len(self._versions) - 1
        return (left + right) / 2 if last < 1 else left + (right - left) * number / last

    def draw(self, width: float, _height: float) -> None:
        """Draw both plots over one axis of versions."""
        if not self._points:
            return
        top = self.line_height() + 3
        self.add_text(tr("Mean bias"), QPointF(0, 0), anchor=(0, 0), bold=True)
        self._draw_bias(width, top)
        top += _BIAS + _GAP
        self.add_text(tr("Findings"), QPointF(0, top), anchor=(0, 0), bold=True)
        top += self.line_height() + 3
        self._draw_kinds(width, top)
        self._draw_days(width, top + _KINDS + 4)

    def _edges(self, width: float) -> tuple[float, float]:
        return self.text_width("0.00") + 12, width - _GLYPH - 8

    def _frame(self, width: float, top: float, height: float, *, most: str) -> None:
        """Draw the lines for zero and the maximum, with their values."""
        left, right = self._edges(width)
        pen = self.line_pen()
        for y in (top + 0.5, top + height - 0.5):
            self.add_line(QPointF(left - 5, y), QPointF(right + 5, y), pen)
        self.add_text(most, QPointF(left - 10, top), anchor=(1, 0), muted=True)
        self.add_text("0", QPointF(left - 10, top + height), anchor=(1, 1), muted=True)

    def _draw_bias(self, width: float, top: float) -> None:
        most = scale_top([scores.bias for _, _, scores in self._points])
        self._frame(width, top, _BIAS, most=f"{most:.1f}")
        points = [
            (
                version.id,
                QPointF(self.place(number, width), top + _BIAS - 1 - (_BIAS - 2) * scores.bias / most),
            )
            for number, version, scores in self._points
        ]
        accent = self.colour(_Role.Accent)
        self._draw_line([point for _, point in points], QPen(accent, 2))
        left, right = self._edges(width)
        roomy = (right - left) / max(1, len(self._versions) - 1) >= _DOTS_FROM
        for number, point in points:
            chosen = number in self._chosen
            if chosen:
                self._draw_dot(point, _DOT + 3, self.colour(_Role.Window), QPen(accent, 2))
            if chosen or roomy or len(points) == 1:
                self._draw_dot(point, _DOT, accent)

    def _draw_kinds(self, width: float, top: float) -> None:
        most = max(1, *(scores.kinds.get(kind, 0) for _, _, scores in self._points for kind in KINDS))
        self._frame(width, top, _KINDS, most=f"{most:,}")
        dark = is_dark(self.palette_in_use)
        ends: list[float] = []
        for kind in KINDS:
            style = kind_style(kind, dark=dark)
            points = [
                QPointF(
                    self.place(number, width),
                    top + _KINDS - 1 - (_KINDS - 2) * scores.kinds.get(kind, 0) / most,
                )
                for number, _, scores in self._points
            ]
            self._draw_line(points, QPen(style.colour, 1.8, style.pen))
            ends.append(points[-1].y())
        for kind, y in zip(KINDS, spread_apart(ends, _GLYPH + 1), strict=True):
            box = QRectF(width - _GLYPH - 1, y - _GLYPH / 2, _GLYPH, _GLYPH)
            self.add_glyph(box, kind)

    def _draw_days(self, width: float, top: float) -> None:
        left, right = self._edges(width)
        first, last = format_day(self._versions[0].made_at), format_day(self._versions[-1].made_at)
        if first == last:
            self.add_text(first, QPointF((left + right) / 2, top), anchor=(0.5, 0), muted=True)
            return
        self.add_text(first, QPointF(left - 5, top), anchor=(0, 0), muted=True)
        self.add_text(last, QPointF(right + 5, top), anchor=(1, 0), muted=True)

    def _draw_line(self, points: Sequence[QPointF], pen: QPen) -> None:
        shown = thin_points(points, round(self.width() / _FINEST))
        path = QPainterPath(shown[0])
        for point in shown[1:]:
            path.lineTo(point)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        self.add_shape(path, brush=QBrush(Qt.BrushStyle.NoBrush), pen=pen)

    def _draw_dot(self, at: QPointF, radius: float, brush: QBrush | QColor, pen: QPen | None = None) -> None:
        path = QPainterPath()
        path.addEllipse(at, radius, radius)
        self.add_shape(path, brush=brush, pen=pen)


def thin_points(points: Sequence[QPointF], most: int) -> list[QPointF]:
    """At most ``most`` points; if there are more, each is the mean of a group."""
    size = -(-len(points) // max(1, most))
    groups = [points[at : at + size] for at in range(0, len(points), size)]
    return [sum(group, QPointF()) / len(group) for group in groups]


def spread_apart(places: Sequence[float], distance: float) -> list[float]:
    """The places moved until all are ``distance`` apart, in the same order."""
    order = sorted(range(len(places)), key=lambda at: places[at])
    moved = list(places)
    for before, after in pairwise(order):
        moved[after] = max(moved[after], moved[before] + distance)
    shift = sum(now - was for now, was in zip(moved, places, strict=True)) / max(1, len(places))
    return [place - shift for place in moved]
