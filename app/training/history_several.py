"""Several runs: their curves over each other, and what differs between them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QTabWidget, QVBoxLayout, QWidget

from app.parts.labels import WrapLabel, scaled
from app.training.history_curves import RunCurves
from app.training.history_reading import Told
from app.training.history_words import figure, metric_title, short
from app.training.plain_table import PlainTable
from app.training.recipes import recipe_title
from app.training.scrolled_parts import ScrolledParts
from core.language import ntr, tr
from core.runs.compare import Comparison, compare

_DIGITS = 12


class SeveralRuns(QWidget):
    """Shows runs on two tabs; the first one is what the others are held against."""

    def __init__(self) -> None:
        super().__init__()
        self._title = WrapLabel()
        self._title.setFont(scaled(self.font(), 1.0, bold=True))
        self.curves = RunCurves()
        self.table = PlainTable(tr("Comparison"))
        page = ScrolledParts(tr("Comparison"))
        page.show_parts([("", self.table)])
        self.tabs = QTabWidget()
        self.tabs.setAccessibleName(tr("The chosen runs"))
        self.tabs.addTab(self.curves, tr("Curves"))
        self.tabs.addTab(page, tr("Comparison"))
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(4)
        whole.addWidget(self._title)
        whole.addWidget(self.tabs, 1)

    def show_runs(self, told: Sequence[Told]) -> None:
        """Show these in the place of those before."""
        words = ntr("{n} run", "{n} runs", len(told)).format(n=len(told))
        self._title.setText(words)
        self.curves.show_runs(told)
        found = compare([one.run for one in told])
        head = [tr("What"), *(f"{recipe_title(run.recipe)} {short(run)}" for run in found.runs)]
        self.table.show_rows(head, compared(found), right=set(range(1, len(head))))


def compared(found: Comparison) -> list[list[str]]:
    """A comparison in rows: settings and corpora that differ, then metrics with their distance from the first run."""
    rows = [[row.name, *(value or "–" for value in row.values)] for row in found.settings]
    rows += [[row.name, *(value[:_DIGITS] or "–" for value in row.values)] for row in found.data]
    for metric in found.metrics:
        cells = [
            _cell(value, difference)
            for value, difference in zip(metric.values, metric.differences, strict=True)
        ]
        rows.append([metric_title(metric.name), *cells])
    return rows


def _cell(value: float | None, difference: float | None) -> str:
    if value is None:
        return "–"
    return figure(value) + (f" ({difference:+.4f})" if difference else "")
