"""Metrics over the steps of runs as curves, each with its own colour and dash pattern."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import pyqtgraph
from PySide6.QtCore import QEvent, QPointF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPalette, QPen, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QStackedLayout, QWidget

from app.runs.run_status import metric_title, recipe_title, short_id
from app.runs.store_queries import RunRecord
from app.widgets.flow_layout import FlowLayout, remove_widgets
from app.widgets.form_fields import ComboBox
from app.widgets.labels import scaled_font, to_single_line
from app.widgets.layouts import make_column, make_row
from app.widgets.plain_text import PlainLabel
from app.widgets.theme import is_dark, is_high_contrast
from core.i18n import tr
from core.runs.types import MetricPoint

MAX_POINTS = 600
"""Points of a curve that are drawn: about the width of a plot in pixels."""

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
    """A curve: its name, x and y values. Values that are not finite are left out."""

    name: str
    xs: list[float]
    ys: list[float]


class CurvePlot(QWidget):
    """A plot of curves with a legend, and a sentence per curve for screen readers. It ignores the mouse."""

    def __init__(self, parent: QWidget | None = None, *, title: str = "") -> None:
        super().__init__(parent)
        self._series: list[Series] = []
        self._title = PlainLabel(title)
        self._title.setFont(scaled_font(self.font(), 1.0, bold=True))
        self._title.setMinimumWidth(1)
        self._title.setVisible(bool(title))
        self._plot = _Plot()
        self._placeholder = PlainLabel(tr("Nothing has been measured yet."))
        self._placeholder.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._placeholder.setWordWrap(True)
        self._placeholder.setForegroundRole(_Role.PlaceholderText)
        self._pages = QStackedLayout()
        self._pages.addWidget(self._placeholder)
        self._pages.addWidget(self._plot)
        self._legend = QWidget()
        self._entries: list[_LegendEntry] = []
        self._legend_layout = FlowLayout(spacing=8)
        self._legend.setLayout(self._legend_layout)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self._legend.setSizePolicy(policy)
        make_column(self._title, (self._pages, 1), self._legend, parent=self, spacing=4)
        self.show_series([])

    @property
    def lines(self) -> list[Series]:
        """The curves as drawn, downsampled."""
        return [Series(item.name, *downsample(item.xs, item.ys, MAX_POINTS)) for item in self._series]

    def show_series(self, series: Sequence[Series]) -> None:
        """Replace the curves."""
        self._series = [_finite_points(item) for item in series]
        description = "\n".join(describe_series(item) for item in self._series) or tr(
            "Nothing has been measured yet."
        )
        self.setAccessibleName(self._title.text() or tr("Curves"))
        self.setAccessibleDescription(description)
        self._plot.setAccessibleName(self.accessibleName())
        self._plot.setAccessibleDescription(description)
        self._draw()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._draw()

    def _draw(self) -> None:
        palette = self.palette()
        self._pages.setCurrentWidget(
            self._plot if any(item.xs for item in self._series) else self._placeholder
        )
        pens = [
            line_pen(at, dark=is_dark(palette), high_contrast=is_high_contrast(palette))
            for at in range(len(self._series))
        ]
        self._plot.show_lines(self._series, pens, palette)
        remove_widgets(self._legend_layout, start=len(self._series))
        del self._entries[len(self._series) :]
        while len(self._entries) < len(self._series):
            self._entries.append(_LegendEntry())
            self._legend_layout.addWidget(self._entries[-1])
        for entry, item, pen in zip(self._entries, self._series, pens, strict=True):
            entry.show_entry(_legend_text(item), pen)
        self._legend.setVisible(bool(self._series))
        self._legend.updateGeometry()


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
        """Let the page scroll."""
        event.ignore()

    def show_lines(self, series: Sequence[Series], pens: Sequence[QPen], palette: QPalette) -> None:
        """Draw the curves from step 0 in the colours of the theme; short ones with dots."""
        self.setBackground(palette.color(_Role.Window))
        quiet, text = palette.color(_Role.Mid), palette.color(_Role.PlaceholderText)
        for side in ("left", "bottom"):
            axis = self.getAxis(side)
            axis.setPen(quiet)
            axis.setTextPen(text)
            axis.enableAutoSIPrefix(False)
            axis.setStyle(tickFont=scaled_font(self.font(), 0.85), tickLength=-4)
        limit = max((item.xs[-1] for item in series if item.xs), default=1.0)
        self.setXRange(0.0, max(limit, 1.0), padding=0.02)
        self.showGrid(x=False, y=True, alpha=0.18)
        while len(self.lines) > len(series):
            self.removeItem(self.lines.pop())
        while len(self.lines) < len(series):
            self.lines.append(self.plot(antialias=True))
        for line, item, pen in zip(self.lines, series, pens, strict=True):
            xs, ys = downsample(item.xs, item.ys, MAX_POINTS)
            dots = {"symbol": "o", "symbolSize": 6, "symbolPen": None, "symbolBrush": pen.color()}
            line.setData(xs, ys, pen=pen, **(dots if len(xs) <= _MAX_DOTTED_POINTS else {"symbol": None}))


_MAX_DOTTED_POINTS = 24  # curves with at most this many points are drawn with dots


class _LegendEntry(QWidget):
    """A sample of a line and its name."""

    _SAMPLE = 30

    def __init__(self) -> None:
        super().__init__()
        self._name = ""
        self._pen = QPen()

    def show_entry(self, name: str, pen: QPen) -> None:
        """Show another name and pen."""
        self._name, self._pen = to_single_line(name), pen
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


def line_pen(index: int, *, dark: bool, high_contrast: bool = False) -> QPen:
    """The pen of curve number ``index``: colours and dash patterns are paired so that no pair repeats soon."""
    colour = QColor(_COLOURS[index % len(_COLOURS)][dark])
    pen = QPen(colour, 2.6 if high_contrast else 2.0)
    pen.setCosmetic(True)
    dash = _DASHES[(index + index // len(_COLOURS)) % len(_DASHES)]
    if dash:
        pen.setDashPattern(dash)
    return pen


def downsample(xs: Sequence[float], ys: Sequence[float], limit: int) -> tuple[list[float], list[float]]:
    """About ``limit`` points: the minimum and the maximum of each chunk, so that no peak is lost."""
    if len(xs) <= limit:
        return list(xs), list(ys)
    size = math.ceil(2 * len(xs) / limit)
    indices: list[int] = []
    for start in range(0, len(xs), size):
        chunk = range(start, min(start + size, len(xs)))
        indices += sorted({min(chunk, key=ys.__getitem__), max(chunk, key=ys.__getitem__)})
    if indices[-1] != len(xs) - 1:
        indices.append(len(xs) - 1)
    return [xs[at] for at in indices], [ys[at] for at in indices]


def describe_series(series: Series) -> str:
    """A curve in a sentence: first, last, lowest and highest value."""
    if not series.xs:
        return tr("{name}: nothing has been measured yet.").format(name=series.name)
    if len(series.xs) == 1:
        return tr("{name}: {value} at step {step}.").format(
            name=series.name, value=format_value(series.ys[0]), step=f"{series.xs[0]:,.0f}"
        )
    description = tr("{name}: from {first} to {last} at step {step}, lowest {low}, highest {high}.")
    return description.format(
        name=series.name,
        first=format_value(series.ys[0]),
        last=format_value(series.ys[-1]),
        step=f"{series.xs[-1]:,.0f}",
        low=format_value(min(series.ys)),
        high=format_value(max(series.ys)),
    )


def format_value(value: float) -> str:
    """A measured value with three significant digits."""
    if value and not 1e-3 <= abs(value) < 1e5:
        return f"{value:.2e}"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}" if abs(value) >= 1 else f"{value:.3f}"


def _legend_text(series: Series) -> str:
    return f"{series.name}  {format_value(series.ys[-1])}" if series.ys else series.name


def _finite_points(series: Series) -> Series:
    pairs = [
        (x, y) for x, y in zip(series.xs, series.ys, strict=True) if math.isfinite(x) and math.isfinite(y)
    ]
    return Series(series.name, [x for x, _ in pairs], [y for _, y in pairs])


Metric = tuple[str, str]
"""A stage and the name of a metric in it."""
_DEFAULT_METRIC = "dev"
"""The metric that is shown first: the one that checkpoints are chosen by, in the last stage."""


class MetricCurves(QWidget):
    """A metric chooser and its curves. The choice is kept if the next runs have that metric."""

    def __init__(self) -> None:
        super().__init__()
        self._records: Sequence[RunRecord] = ()
        self._chosen_metric: Metric | None = None
        self.choice = ComboBox(tr("Metric"))
        self.choice.activated.connect(self._chosen)
        self.curves = CurvePlot()
        label = PlainLabel(tr("Metric"))
        row = make_row(label, self.choice, None)
        make_column(row, (self.curves, 1), parent=self, margins=(8, 8, 8, 8))

    def show_runs(self, describe_series: Sequence[RunRecord]) -> None:
        """Show the curves of these runs."""
        self._records = describe_series
        metrics = metrics_of([item.points for item in describe_series])
        stages = {stage for stage, _ in metrics}
        self.choice.set_choices(
            (
                (stage, name),
                f"{metric_title(name)} · {metric_title(stage)}" if len(stages) > 1 else metric_title(name),
            )
            for stage, name in metrics
        )
        self.choice.setEnabled(bool(metrics))
        if metrics:
            first = next(
                (metric for metric in reversed(metrics) if metric[1] == _DEFAULT_METRIC), metrics[-1]
            )
            self.choice.setCurrentIndex(
                metrics.index(self._chosen_metric if self._chosen_metric in metrics else first)
            )
        self._draw()

    def _chosen(self) -> None:
        self._chosen_metric = tuple(self.choice.currentData())
        self._draw()

    def _draw(self) -> None:
        chosen = self.choice.currentData()
        lines = [] if chosen is None else [_make_series(item, tuple(chosen)) for item in self._records]
        self.curves.show_series([line for line in lines if line.xs])


def metrics_of(runs: Sequence[Sequence[MetricPoint]]) -> list[Metric]:
    """Metrics with at least two points in a run, in the order of their first occurrence."""
    found: dict[Metric, None] = {}
    for points in runs:
        counted = Counter((point.stage, point.name) for point in points if point.event != "end")
        found |= dict.fromkeys(metric for metric, count in counted.items() if count > 1)
    return list(found)


def _make_series(describe_series: RunRecord, metric: Metric) -> Series:
    points = [
        point
        for point in describe_series.points
        if (point.stage, point.name) == metric and point.event != "end"
    ]
    name = f"{recipe_title(describe_series.run.recipe)} {short_id(describe_series.run)}"
    return Series(name, [float(point.step) for point in points], [point.value for point in points])
