"""Scores of detectors by group as bars, one colour and filling a model, with what other test texts would change."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QPalette, QPen
from PySide6.QtWidgets import QWidget

from app.audit.compass_marks import colour
from app.audit.detector_words import (
    CAUTION,
    NOTE,
    SCORES,
    differing,
    group_title,
    scored,
    task_title,
    texts,
)
from app.audit.group_bars import STICKS_OUT, Bar, Bars, GroupBars
from app.audit.looks import Look
from app.figures.charts import Chart
from app.figures.dashboard_sections import ChartRow
from app.parts.labels import showable
from core.language import tr
from core.report import Report
from core.runs.compass import Compass
from core.runs.compass_detectors import Downstream, Score

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
    said = " ".join(filter(None, (differing(found), NOTE, CAUTION)))
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
