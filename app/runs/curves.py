"""Metrics of runs over their steps as curves, each with its own colour and dash pattern, one metric at a time."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import pyqtgraph
from PySide6.QtCore import QEvent, QPointF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPalette, QPen, QWheelEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QStackedLayout, QVBoxLayout, QWidget

from app.runs.recipes import recipe_title
from app.runs.run_status import metric_title, short
from app.runs.store_queries import Told
from app.widgets.flow_layout import FlowLayout
from app.widgets.form_fields import Choice
from app.widgets.labels import scaled, showable
from app.widgets.theme import is_dark, is_stark
from core.i18n import tr
from core.runs.types import Point

# Lines over the steps of a training: each in a colour and a dash pattern of its own, named under the plot.


MOST_POINTS = 600
"""Points of a line that are drawn: what a plot is wide in pixels, about."""

# From the palette of Okabe and Ito (2008), darkened for light grounds until each has 3:1; in their order the first
# ones stay apart for each colour-blindness.
_COLOURS = (
    ("#0072B2", "#56B4E9"),
    ("#B84F00", "#E69F00"),
    ("#00785A", "#2FC79A"),
    ("#A3487A", "#E39BC6"),
    ("#3A3F45", "#D9DADC"),
    ("#7A6A00", "#E8DC4A"),
)
_DASHES: tuple[tuple[float, ...], ...] = ((), (6, 3), (1.5, 2.5), (8, 3, 1.5, 3), (3, 3), (10, 3, 3, 3))
_Role = QPalette.ColorRole


@dataclass(frozen=True, slots=True)
class Series:
    """One line: its name, and as many places as values. Points that are not numbers are left out."""

    name: str
    xs: list[float]
    ys: list[float]


class Curves(QWidget):
    """A plot of lines with what they are called, and a sentence on each for a screen reader. It takes no mouse."""

    def __init__(self, parent: QWidget | None = None, *, title: str = "") -> None:
        super().__init__(parent)
        self._series: list[Series] = []
        self._title = QLabel(title)
        self._title.setFont(scaled(self.font(), 1.0, bold=True))
        self._title.setMinimumWidth(1)
        self._title.setVisible(bool(title))
        self._plot = _Plot()
        self._nothing = QLabel(tr("Nothing has been measured yet."))
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._nothing.setWordWrap(True)
        self._nothing.setForegroundRole(_Role.PlaceholderText)
        self._pages = QStackedLayout()
        self._pages.addWidget(self._nothing)
        self._pages.addWidget(self._plot)
        self._names = QWidget()
        self._row = FlowLayout(spacing=8)
        self._names.setLayout(self._row)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self._names.setSizePolicy(policy)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self._title)
        column.addLayout(self._pages, 1)
        column.addWidget(self._names)
        self.show_series([])

    @property
    def lines(self) -> list[Series]:
        """What is drawn now, thinned."""
        return [Series(one.name, *thinned(one.xs, one.ys, MOST_POINTS)) for one in self._series]

    def show_series(self, series: Sequence[Series]) -> None:
        """Draw these lines in the place of the ones before."""
        self._series = [_numbers(one) for one in series]
        said = "\n".join(told(one) for one in self._series) or tr("Nothing has been measured yet.")
        self.setAccessibleName(self._title.text() or tr("Curves"))
        self.setAccessibleDescription(said)
        self._plot.setAccessibleName(self.accessibleName())
        self._plot.setAccessibleDescription(said)
        self._draw()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._draw()

    def _draw(self) -> None:
        palette = self.palette()
        self._pages.setCurrentWidget(self._plot if any(one.xs for one in self._series) else self._nothing)
        pens = [
            line_pen(at, dark=is_dark(palette), stark=is_stark(palette)) for at in range(len(self._series))
        ]
        self._plot.show_lines(self._series, pens, palette)
        while (item := self._row.takeAt(len(self._series))) is not None:
            item.widget().hide()
            item.widget().deleteLater()
        while self._row.count() < len(self._series):
            self._row.addWidget(_Name())
        for at, (one, pen) in enumerate(zip(self._series, pens, strict=True)):
            name = self._row.itemAt(at)
            if name is not None:
                name.widget().show_name(_with_last(one), pen)
        self._names.setVisible(bool(self._series))
        self._names.updateGeometry()


class _Plot(pyqtgraph.PlotWidget):  # type: ignore[misc]
    """The axes and lines."""

    def __init__(self) -> None:
        super().__init__(background=None)
        self.lines: list[pyqtgraph.PlotDataItem] = []
        self.setMinimumHeight(130)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMenuEnabled(False)
        self.setMouseEnabled(x=False, y=False)
        self.hideButtons()

    def sizeHint(self) -> QSize:
        """Wide and low."""
        return QSize(320, 190)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the page that the plot stands on."""
        event.ignore()

    def show_lines(self, series: Sequence[Series], pens: Sequence[QPen], palette: QPalette) -> None:
        """Draw lines over quiet axes in the colours of the theme, from step 0 on; few points are dots as well."""
        self.setBackground(palette.color(_Role.Window))
        quiet, text = palette.color(_Role.Mid), palette.color(_Role.PlaceholderText)
        for side in ("left", "bottom"):
            axis = self.getAxis(side)
            axis.setPen(quiet)
            axis.setTextPen(text)
            axis.enableAutoSIPrefix(False)
            axis.setStyle(tickFont=scaled(self.font(), 0.85), tickLength=-4)
        most = max((one.xs[-1] for one in series if one.xs), default=1.0)
        self.setXRange(0.0, max(most, 1.0), padding=0.02)
        self.showGrid(x=False, y=True, alpha=0.18)
        while len(self.lines) > len(series):
            self.removeItem(self.lines.pop())
        while len(self.lines) < len(series):
            self.lines.append(self.plot(antialias=True))
        for line, one, pen in zip(self.lines, series, pens, strict=True):
            xs, ys = thinned(one.xs, one.ys, MOST_POINTS)
            dots = {"symbol": "o", "symbolSize": 6, "symbolPen": None, "symbolBrush": pen.color()}
            line.setData(xs, ys, pen=pen, **(dots if len(xs) <= _DOTTED else {"symbol": None}))


_DOTTED = 24  # points up to which each has a dot of its own


class _Name(QWidget):
    """A piece of a line and the name beside it."""

    _SAMPLE = 30

    def __init__(self) -> None:
        super().__init__()
        self._name = ""
        self._pen = QPen()

    def show_name(self, name: str, pen: QPen) -> None:
        """Show another name and line."""
        self._name, self._pen = showable(name), pen
        self.setAccessibleName(self._name)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """The sample and the name on one line."""
        metrics = self.fontMetrics()
        return QSize(self._SAMPLE + 14 + metrics.horizontalAdvance(self._name), metrics.height() + 2)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw both."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self._pen)
        middle = self.height() / 2
        painter.drawLine(QPointF(1, middle), QPointF(self._SAMPLE, middle))
        painter.setPen(self.palette().color(_Role.WindowText))
        box = self.rect().adjusted(self._SAMPLE + 7, 0, 0, 0)
        name = self.fontMetrics().elidedText(self._name, Qt.TextElideMode.ElideMiddle, box.width())
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, name)
        painter.end()


def line_pen(place: int, *, dark: bool, stark: bool = False) -> QPen:
    """The pen of the line at a place: at first another colour and another dash each, later another pair of both."""
    colour = QColor(_COLOURS[place % len(_COLOURS)][dark])
    pen = QPen(colour, 2.6 if stark else 2.0)
    pen.setCosmetic(True)
    dash = _DASHES[(place + place // len(_COLOURS)) % len(_DASHES)]
    if dash:
        pen.setDashPattern(dash)
    return pen


def thinned(xs: Sequence[float], ys: Sequence[float], most: int) -> tuple[list[float], list[float]]:
    """At most about ``most`` points; of each stretch its lowest and its highest stay, so that no peak is lost."""
    if len(xs) <= most:
        return list(xs), list(ys)
    size = math.ceil(2 * len(xs) / most)
    kept: list[int] = []
    for start in range(0, len(xs), size):
        stretch = range(start, min(start + size, len(xs)))
        kept += sorted({min(stretch, key=ys.__getitem__), max(stretch, key=ys.__getitem__)})
    if kept[-1] != len(xs) - 1:
        kept.append(len(xs) - 1)
    return [xs[at] for at in kept], [ys[at] for at in kept]


def told(series: Series) -> str:
    """A line in a sentence: where it begins, where it ends and between which values it lies."""
    if not series.xs:
        return tr("{name}: nothing has been measured yet.").format(name=series.name)
    if len(series.xs) == 1:
        return tr("{name}: {value} at step {step}.").format(
            name=series.name, value=number(series.ys[0]), step=f"{series.xs[0]:,.0f}"
        )
    said = tr("{name}: from {first} to {last} at step {step}, lowest {low}, highest {high}.")
    return said.format(
        name=series.name,
        first=number(series.ys[0]),
        last=number(series.ys[-1]),
        step=f"{series.xs[-1]:,.0f}",
        low=number(min(series.ys)),
        high=number(max(series.ys)),
    )


def number(value: float) -> str:
    """A measured value as it is shown: three digits that tell something, and no more."""
    if value and not 1e-3 <= abs(value) < 1e5:
        return f"{value:.2e}"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}" if abs(value) >= 1 else f"{value:.3f}"


def _with_last(series: Series) -> str:
    return f"{series.name}  {number(series.ys[-1])}" if series.ys else series.name


def _numbers(series: Series) -> Series:
    pairs = [
        (x, y) for x, y in zip(series.xs, series.ys, strict=True) if math.isfinite(x) and math.isfinite(y)
    ]
    return Series(series.name, [x for x, _ in pairs], [y for _, y in pairs])


# The metrics of runs over their steps, one metric at a time, the runs over each other.


Metric = tuple[str, str]
"""A stage and the name of a metric in it."""
_FIRST = "dev"
"""The metric that is shown until a person chooses another: what the loop chooses checkpoints by, in the last stage."""


class RunCurves(QWidget):
    """A chooser and the chart. What a person has chosen stays chosen where the next runs have it too."""

    def __init__(self) -> None:
        super().__init__()
        self._told: Sequence[Told] = ()
        self._wanted: Metric | None = None
        self.choice = Choice()
        self.choice.setAccessibleName(tr("Metric"))
        self.choice.activated.connect(self._chosen)
        self.curves = Curves()
        label = QLabel(tr("Metric"))
        row = QHBoxLayout()
        row.addWidget(label)
        row.addWidget(self.choice)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        column.addLayout(row)
        column.addWidget(self.curves, 1)

    def show_runs(self, told: Sequence[Told]) -> None:
        """Show the curves of these runs."""
        self._told = told
        metrics = metrics_of([one.points for one in told])
        stages = {stage for stage, _ in metrics}
        self.choice.blockSignals(True)
        self.choice.clear()
        for stage, name in metrics:
            words = metric_title(name)
            self.choice.addItem(
                f"{words} · {metric_title(stage)}" if len(stages) > 1 else words, (stage, name)
            )
        self.choice.blockSignals(False)
        self.choice.setEnabled(bool(metrics))
        if metrics:
            first = next((metric for metric in reversed(metrics) if metric[1] == _FIRST), metrics[-1])
            self.choice.setCurrentIndex(metrics.index(self._wanted if self._wanted in metrics else first))
        self._draw()

    def _chosen(self) -> None:
        self._wanted = tuple(self.choice.currentData())
        self._draw()

    def _draw(self) -> None:
        chosen = self.choice.currentData()
        lines = [] if chosen is None else [_line(one, tuple(chosen)) for one in self._told]
        self.curves.show_series([line for line in lines if line.xs])


def metrics_of(runs: Sequence[Sequence[Point]]) -> list[Metric]:
    """What there are curves of, in the order in which it was first told: at least two points in some run."""
    found: dict[Metric, None] = {}
    for points in runs:
        counted = Counter((point.stage, point.name) for point in points if point.event != "end")
        found |= dict.fromkeys(metric for metric, count in counted.items() if count > 1)
    return list(found)


def _line(told: Told, metric: Metric) -> Series:
    points = [point for point in told.points if (point.stage, point.name) == metric and point.event != "end"]
    name = f"{recipe_title(told.run.recipe)} {short(told.run)}"
    return Series(name, [float(point.step) for point in points], [point.value for point in points])
