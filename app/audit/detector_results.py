"""Scores of detectors by group as bars with intervals, and on how many texts the detectors differ."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QBrush, QPalette, QPen
from PySide6.QtWidgets import QWidget

from app.audit.bar_chart import LINE_OVERHANG, Bar, BarGroup, BarStyle, GroupedBarChart
from app.audit.compass_chart import series_color
from app.audit.compass_strings import (
    DETECTOR_CAUTION,
    DETECTOR_NOTE,
    SCORES,
    describe_differing,
    describe_missing_detectors,
    format_score,
    format_text_count,
    group_title,
    task_title,
)
from app.audit.tables import full_precision, to_csv
from app.charts.base_charts import Chart
from app.charts.chart_sections import ChartSpec
from app.widgets.flow_layout import FlowRow
from app.widgets.form_fields import ComboBox, make_button, make_heading, make_hint_label, with_label
from app.widgets.labels import WrapLabel, to_single_line
from app.widgets.layouts import make_column
from core.i18n import tr
from core.runs.political_compass import CompassReport, DetectorScore, DownstreamTask
from core.types import Report

_FILL_PATTERNS = (
    Qt.BrushStyle.SolidPattern,
    Qt.BrushStyle.BDiagPattern,
    Qt.BrushStyle.Dense4Pattern,
    Qt.BrushStyle.HorPattern,
    Qt.BrushStyle.FDiagPattern,
    Qt.BrushStyle.DiagCrossPattern,
    Qt.BrushStyle.VerPattern,
)
_GUESSING_SCORE = 0.5
"""Balanced accuracy of guessing."""
_NONE = tr("No detector has been trained yet.")
_ModelScore = tuple[int, str, DetectorScore]
"""The number of a model, its name, and a score of its detector."""


def model_style(number: int, *, dark: bool) -> BarStyle:
    """The style of a model's bars; the colour is that of its marker on the compass."""
    ink = series_color(number, dark=dark)
    return BarStyle(QBrush(ink, _FILL_PATTERNS[number % len(_FILL_PATTERNS)]), QPen(ink, 1))


def model_numbers(compass: CompassReport) -> dict[str, int]:
    """The number of each model on the compass; models without a position come last."""
    drawn = [position.model for position in compass.positions]
    return {model: at for at, model in enumerate(dict.fromkeys([*drawn, *compass.models]))}


class DetectorChart(GroupedBarChart):
    """A group of bars per group of test texts, all texts first. Items cannot be activated."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._rows: list[tuple[str, list[_ModelScore]]] = []
        self._shows_guessing = False
        super().__init__(_NONE, parent)
        self.setAccessibleName(tr("Detectors by group"))
        self.setCursor(Qt.CursorShape.ArrowCursor)

    def show_scores(self, compass: CompassReport, found: DownstreamTask | None, score: str) -> None:
        """Draw one score of all detectors of a task; groups without it are left out."""
        self._rows = [] if found is None else list(_by_group(compass, found, score))
        self._shows_guessing = score == "bacc"
        shown = [
            BarGroup(
                group_title(group),
                tuple(_bar(name, one) for _, name, one in rows),
                format_text_count(found.groups.get(group, 0)) if found is not None else "",
            )
            for group, rows in self._rows
        ]
        self.show_groups(shown, maximum=1.0)

    def describe(self, number: int) -> str:
        """The text of a group."""
        group, rows = self._rows[number]
        return (
            f"{group_title(group)}: "
            + "; ".join(f"{name} {format_score(one)}" for _, name, one in rows)
            + "."
        )

    def bar_style(self, group: int, bar: int) -> BarStyle:
        """The style of a model."""
        return model_style(self._rows[group][1][bar][0], dark=self._dark)

    def draw_lines(self, bar: Bar, ground: QRectF) -> None:
        """Draw the interval, and the score of guessing as a dotted line."""
        if self._shows_guessing:
            pen = QPen(self.colour(QPalette.ColorRole.PlaceholderText), 1.2, Qt.PenStyle.DotLine)
            self._draw_vertical(self.x_of(_GUESSING_SCORE, ground), ground, pen)
        if not bar.line_values:
            return
        left, right = (self.x_of(end, ground) for end in bar.line_values)
        middle = ground.center().y()
        outline = QPen(self.colour(QPalette.ColorRole.Base), 4.5)
        for pen in (outline, QPen(self.colour(QPalette.ColorRole.WindowText), 1.6)):
            self.add_line(QPointF(left, middle), QPointF(right, middle), pen)
            for end in (left, right):
                self.add_line(QPointF(end, middle - 3), QPointF(end, middle + 3), pen)

    def _draw_vertical(self, at: float, ground: QRectF, pen: QPen) -> None:
        top, bottom = ground.top() - LINE_OVERHANG - 1, ground.bottom() + LINE_OVERHANG + 1
        self.add_line(QPointF(at, top), QPointF(at, bottom), pen)


def _by_group(
    compass: CompassReport, found: DownstreamTask, score: str
) -> Iterator[tuple[str, list[_ModelScore]]]:
    order = model_numbers(compass)
    for group in found.groups:
        rows = [
            (order[one.model], to_single_line(one.model), model_score)
            for one in sorted(found.detectors, key=lambda one: order[one.model])
            if (model_score := one.score(group, score)) is not None
        ]
        if rows:
            yield group, rows


def _bar(name: str, score: DetectorScore) -> Bar:
    line_values = () if score.low is None or score.high is None else (score.low, score.high)
    return Bar(name, score.value, f"{score.value:.3f}", line_values)


def detector_chart_specs(compass: CompassReport, *, task: str, score: str) -> dict[str, ChartSpec]:
    """All charts for the export; the visible one comes first."""
    shown = [(one.task, name) for one in compass.downstream if one.detectors for name in SCORES]
    shown.sort(key=lambda one: one != (task, score))
    return {f"{task}-{name}": _chart_spec(compass, task, name) for task, name in shown}


def _chart_spec(compass: CompassReport, task: str, score: str) -> ChartSpec:
    found = next(one for one in compass.downstream if one.task == task)

    def fill(chart: Chart, _report: Report | None) -> None:
        assert isinstance(chart, DetectorChart)
        chart.show_scores(compass, found, score)

    title = tr("{score}: {task}").format(score=SCORES[score], task=task_title(task))
    text = " ".join(filter(None, (describe_differing(found), DETECTOR_NOTE, DETECTOR_CAUTION)))
    return ChartSpec(title, lambda _: DetectorChart(), fill, lambda *_: text)


def detectors_csv(compass: CompassReport) -> str:
    """A row per score, group and detector, in English and with full precision."""
    head = ("task", "group", "rows", "model", "seeds", "seeds_planned", "score", "value", "low", "high")
    rows = [
        (
            *(found.task, group, count, one.model, one.done, one.planned, name),
            *map(full_precision, (score.value, score.low, score.high, found.differing)),
        )
        for found in compass.downstream
        for one in found.detectors
        for group, count in found.groups.items()
        for name, score in one.scores.get(group, {}).items()
    ]
    return to_csv((*head, "rows_on_which_detectors_differ"), rows)


_MIN_CHARACTERS = 24


class DetectorResults(QWidget):
    """Hidden if no detectors were requested. ``picture_requested`` and ``table_requested``: exports."""

    picture_requested = Signal()
    table_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._compass: CompassReport | None = None
        self.task, self.score = ComboBox(tr("Detectors of")), ComboBox(tr("Score"), SCORES.items())
        self.chart = DetectorChart()
        self._missing_label, self._differing_label = WrapLabel(), WrapLabel()
        self._caution_label = WrapLabel(DETECTOR_CAUTION)
        self.buttons = {
            "picture": make_button(
                tr("Save the chart of detectors as a picture…"), self.picture_requested.emit
            ),
            "table": make_button(tr("Save scores as CSV…"), self.table_requested.emit),
        }
        for box in (self.task, self.score):
            box.setMinimumContentsLength(_MIN_CHARACTERS)
        self._lay_out()
        self.task.currentIndexChanged.connect(self._update_chart)
        self.score.currentIndexChanged.connect(self._update_chart)

    @property
    def shown(self) -> tuple[str, str]:
        """The selected task and score."""
        return str(self.task.currentData() or ""), str(self.score.currentData())

    @property
    def notes(self) -> str:
        """The notes on missing detectors and differing texts, as shown."""
        labels = (self._missing_label, self._differing_label)
        return "\n".join(label.accessibleName() for label in labels if not label.isHidden())

    def show_compass(self, compass: CompassReport) -> None:
        """Show a report; the choices stay."""
        self._compass = compass
        self.setVisible(bool(compass.tasks))
        trained_tasks = [one.task for one in compass.downstream if one.detectors]
        self.task.set_choices((task, task_title(task)) for task in trained_tasks)
        self._missing_label.show_text(describe_missing_detectors(compass))
        for widget in (self._choices_row, self._buttons_row, self._note_label, self._caution_label):
            widget.setVisible(bool(trained_tasks))
        self._update_chart()

    def _lay_out(self) -> None:
        choices = (with_label(tr("Detectors of"), self.task), with_label(tr("Score"), self.score))
        self._choices_row = FlowRow(*choices, spacing=14)
        self._buttons_row = FlowRow(*self.buttons.values(), spacing=10)
        self._note_label = make_hint_label(DETECTOR_NOTE)
        make_column(
            make_heading(tr("Detectors trained on these models")),
            self._missing_label,
            self._choices_row,
            self.chart,
            self._differing_label,
            self._note_label,
            self._caution_label,
            self._buttons_row,
            parent=self,
            spacing=10,
            margins=(0, 8, 0, 0),
        )

    def _update_chart(self) -> None:
        if self._compass is None:
            return
        task, score = self.shown
        found = next((one for one in self._compass.downstream if one.task == task), None)
        self.chart.show_scores(self._compass, found, score)
        self._differing_label.show_text("" if found is None else describe_differing(found))
