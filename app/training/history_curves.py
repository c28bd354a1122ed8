"""The metrics of runs over their steps, one metric at a time, the runs over each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.training.curves import Curves, Series
from app.training.history_reading import Told
from app.training.history_words import metric_title, short
from app.training.recipes import recipe_title
from app.training.retrain_fields import Choice
from core.language import tr
from core.runs.model import Point

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
