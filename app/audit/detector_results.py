"""Scores of detectors by group as bars with their uncertainty, and on how many texts the detectors differ."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QBrush, QPalette, QPen
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.audit.bar_chart import STICKS_OUT, Bar, Bars, GroupBars, Look
from app.audit.compass_chart import colour
from app.audit.compass_strings import (
    DETECTOR_CAUTION,
    NOTE,
    SCORES,
    differing,
    group_title,
    missing_detectors,
    scored,
    task_title,
    texts,
)
from app.charts.base_charts import Chart
from app.charts.chart_sections import ChartRow
from app.widgets.flow_layout import FlowRow
from app.widgets.form_fields import Choice, button, heading, labelled, note
from app.widgets.labels import WrapLabel, showable
from core.i18n import tr
from core.runs.political_compass import Compass, Downstream, Score
from core.types import Report

# Scores of detectors by group as bars, one colour and filling a model, with what other test texts would change.


_FILLINGS = (
    Qt.BrushStyle.SolidPattern,
    Qt.BrushStyle.BDiagPattern,
    Qt.BrushStyle.Dense4Pattern,
    Qt.BrushStyle.HorPattern,
    Qt.BrushStyle.FDiagPattern,
    Qt.BrushStyle.DiagCrossPattern,
    Qt.BrushStyle.VerPattern,
)
_GUESSING = 0.5
"""The balanced accuracy of a detector that does not read."""
_NONE = tr("No detector has been trained yet.")
_Scored = tuple[int, str, Score]
"""The number of a model, its name, and a score of its detector."""


def model_look(number: int, *, dark: bool) -> Look:
    """The filling of a model's bars; its colour is that of its mark on the compass."""
    ink = colour(number, dark=dark)
    return Look(QBrush(ink, _FILLINGS[number % len(_FILLINGS)]), QPen(ink, 1))


def numbers(compass: Compass) -> dict[str, int]:
    """The number of each model on the chart of the compass; those that are not drawn there come behind."""
    drawn = [stand.model for stand in compass.stands]
    return {model: at for at, model in enumerate(dict.fromkeys([*drawn, *compass.models]))}


class DetectorBars(GroupBars):
    """A group of bars for each group of test texts, all of them first; Enter goes nowhere."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._scored: list[tuple[str, list[_Scored]]] = []
        self._guessing = False
        super().__init__(_NONE, parent)
        self.setAccessibleName(tr("Detectors by group"))
        self.setCursor(Qt.CursorShape.ArrowCursor)

    def show_scores(self, compass: Compass, found: Downstream | None, score: str) -> None:
        """Draw one score of all detectors of a task; groups that no model has it for are left out."""
        self._scored = [] if found is None else list(_by_group(compass, found, score))
        self._guessing = score == "bacc"
        shown = [
            Bars(
                group_title(group),
                tuple(_bar(name, one) for _, name, one in rows),
                texts(found.groups.get(group, 0)) if found is not None else "",
            )
            for group, rows in self._scored
        ]
        self.show_bars(shown, most=1.0)

    def told(self, number: int) -> str:
        """A group in words."""
        group, rows = self._scored[number]
        return f"{group_title(group)}: " + "; ".join(f"{name} {scored(one)}" for _, name, one in rows) + "."

    def look(self, group: int, bar: int) -> Look:
        """That of a model."""
        return model_look(self._scored[group][1][bar][0], dark=self._dark)

    def draw_ends(self, bar: Bar, ground: QRectF) -> None:
        """Guessing as a dotted line, and from the one end to the other with a foot at both."""
        if self._guessing:
            pen = QPen(self.colour(QPalette.ColorRole.PlaceholderText), 1.2, Qt.PenStyle.DotLine)
            self._upright(self.along(_GUESSING, ground), ground, pen)
        if not bar.ends:
            return
        left, right = (self.along(end, ground) for end in bar.ends)
        middle = ground.center().y()
        halo = QPen(self.colour(QPalette.ColorRole.Base), 4.5)
        for pen in (halo, QPen(self.colour(QPalette.ColorRole.WindowText), 1.6)):
            self.add_line(QPointF(left, middle), QPointF(right, middle), pen)
            for end in (left, right):
                self.add_line(QPointF(end, middle - 3), QPointF(end, middle + 3), pen)

    def _upright(self, at: float, ground: QRectF, pen: QPen) -> None:
        top, bottom = ground.top() - STICKS_OUT - 1, ground.bottom() + STICKS_OUT + 1
        self.add_line(QPointF(at, top), QPointF(at, bottom), pen)


def _by_group(compass: Compass, found: Downstream, score: str) -> Iterator[tuple[str, list[_Scored]]]:
    order = numbers(compass)
    for group in found.groups:
        rows = [
            (order[one.model], showable(one.model), known)
            for one in sorted(found.detectors, key=lambda one: order[one.model])
            if (known := one.score(group, score)) is not None
        ]
        if rows:
            yield group, rows


def _bar(name: str, score: Score) -> Bar:
    ends = () if score.low is None or score.high is None else (score.low, score.high)
    return Bar(name, score.value, f"{score.value:.3f}", ends)


def detector_rows(compass: Compass, *, task: str, score: str) -> dict[str, ChartRow]:
    """All charts, to keep as pictures; the one that is shown stands first."""
    shown = [(one.task, name) for one in compass.downstream if one.detectors for name in SCORES]
    shown.sort(key=lambda one: one != (task, score))
    return {f"{task}-{name}": _chart_row(compass, task, name) for task, name in shown}


def _chart_row(compass: Compass, task: str, score: str) -> ChartRow:
    found = next(one for one in compass.downstream if one.task == task)

    def fill(chart: Chart, _report: Report | None) -> None:
        assert isinstance(chart, DetectorBars)
        chart.show_scores(compass, found, score)

    title = tr("{score}: {task}").format(score=SCORES[score], task=task_title(task))
    said = " ".join(filter(None, (differing(found), NOTE, DETECTOR_CAUTION)))
    return ChartRow(title, lambda _: DetectorBars(), fill, lambda *_: said)


def detectors_csv(compass: Compass) -> str:
    """A row for every score of every group and detector that there is, in full and in English."""
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    head = ("task", "group", "rows", "model", "seeds", "seeds_planned", "score", "value", "low", "high")
    writer.writerow((*head, "rows_on_which_detectors_differ"))
    for found in compass.downstream:
        for one in found.detectors:
            for group, rows in found.groups.items():
                for name, score in one.scores.get(group, {}).items():
                    figures = map(_plain, (score.value, score.low, score.high))
                    row = (found.task, group, rows, one.model, one.done, one.planned, name, *figures)
                    writer.writerow((*row, _plain(found.differing)))
    return table.getvalue()


def _plain(value: float | None) -> str:
    return "" if value is None else f"{value:.6g}"


# What detectors on the models of a compass find: bars by group, on how many texts they differ, and how to read it.


_WIDE = 24  # characters


class DetectorResults(QWidget):
    """Hidden where no detectors were asked for. ``picture_wanted`` and ``table_wanted``: exports."""

    picture_wanted = Signal()
    table_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._compass: Compass | None = None
        self.task, self.score = Choice(), Choice()
        self.chart = DetectorBars()
        self._missing, self._differing, self._caution = WrapLabel(), WrapLabel(), WrapLabel()
        self._caution.setText(DETECTOR_CAUTION)
        self.buttons = {
            "picture": button(tr("Save the bars as picture…"), self.picture_wanted.emit),
            "table": button(tr("Save scores as CSV…"), self.table_wanted.emit),
        }
        for box, name in ((self.task, tr("Detectors of")), (self.score, tr("Score"))):
            box.setAccessibleName(name)
            box.setMinimumContentsLength(_WIDE)
        for name, words in SCORES.items():
            self.score.addItem(words, name)
        self._lay_out()
        self.task.currentIndexChanged.connect(self._draw)
        self.score.currentIndexChanged.connect(self._draw)

    @property
    def shown(self) -> tuple[str, str]:
        """The task and the score that are shown."""
        return str(self.task.currentData() or ""), str(self.score.currentData())

    @property
    def notes(self) -> str:
        """What is said of what is missing and of where detectors differ, as shown."""
        labels = (self._missing, self._differing)
        return "\n".join(label.accessibleName() for label in labels if not label.isHidden())

    def show_compass(self, compass: Compass) -> None:
        """Show what there is; what is chosen stays so."""
        self._compass = compass
        self.setVisible(bool(compass.tasks))
        trained = [one.task for one in compass.downstream if one.detectors]
        if [self.task.itemData(at) for at in range(self.task.count())] != trained:
            chosen = self.task.currentData()
            self.task.blockSignals(True)
            self.task.clear()
            for task in trained:
                self.task.addItem(task_title(task), task)
            self.task.setCurrentIndex(max(0, self.task.findData(chosen)))
            self.task.blockSignals(False)
        said = missing_detectors(compass)
        self._missing.setText(said)
        self._missing.setVisible(bool(said))
        for widget in (self._choosers, self._buttons, self._told, self._caution):
            widget.setVisible(bool(trained))
        self._draw()

    def _lay_out(self) -> None:
        self._choosers, self._buttons = FlowRow(spacing=14), FlowRow(spacing=10)
        self._choosers.add([labelled(tr("Detectors of"), self.task), labelled(tr("Score"), self.score)])
        self._buttons.add(list(self.buttons.values()))
        self._told = note(NOTE)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 0)
        column.setSpacing(10)
        for widget in (
            heading(tr("Detectors trained on these models")),
            self._missing,
            self._choosers,
            self.chart,
            self._differing,
            self._told,
            self._caution,
            self._buttons,
        ):
            column.addWidget(widget)

    def _draw(self) -> None:
        if self._compass is None:
            return
        task, score = self.shown
        found: Downstream | None = next((one for one in self._compass.downstream if one.task == task), None)
        self.chart.show_scores(self._compass, found, score)
        said = "" if found is None else differing(found)
        self._differing.setText(said)
        self._differing.setVisible(bool(said))
