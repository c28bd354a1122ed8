"""A chart with its title, what is said of it and the way to keep it as a picture; and all charts of a report."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QToolButton, QVBoxLayout, QWidget

from app.charts.base_charts import Chart, KindBars, LeaningGauge
from app.charts.cue_chart import CueBars
from app.charts.paragraph_charts import (
    BiasByParagraph,
    KindsByParagraph,
    LeaningByParagraph,
    ParagraphChart,
)
from app.widgets.labels import WrapLabel, scaled
from core.i18n import tr
from core.reports.descriptions import band, bias_note, caution, leaning_note, no_leaning, resemblance, shares
from core.types import Leaning, Report


@dataclass(frozen=True, slots=True)
class ChartRow:
    """A chart that a report, or another thing, has: its name, how it is made, and how it is filled from that.

    ``note`` is what stands below it. ``make`` is given the height of a plot in pixels.
    """

    title: str
    make: Callable[[int], Chart]
    fill: Callable[[Chart, Any], None]
    note: Callable[[Chart, Any], str] = lambda _chart, _report: ""


def leaning_in_words(leaning: Leaning | None) -> str:
    """Whose wording the text resembles, the three probabilities, the spread and the band, or plainly why not."""
    if leaning is None:
        return no_leaning()
    told = [resemblance(leaning), shares(leaning)]
    if leaning.spread:
        told.append(tr("parts of the text differ by\u00a0±{spread:.2f}").format(spread=leaning.spread))
    return "\n".join([*told, band()])


def _fill_paragraphs(chart: Chart, report: Report) -> None:
    assert isinstance(chart, ParagraphChart)
    chart.show_report(report)


def _fill_kinds(chart: Chart, report: Report) -> None:
    assert isinstance(chart, KindBars)
    chart.show_counts(report.summary.kinds)


def _fill_gauge(chart: Chart, report: Report) -> None:
    assert isinstance(chart, LeaningGauge)
    chart.show_leaning(report.summary.leaning)


def _fill_cues(chart: Chart, report: Report) -> None:
    assert isinstance(chart, CueBars)
    chart.show_findings(report.findings)


def _bias_note(chart: Chart, _report: Report) -> str:
    assert isinstance(chart, ParagraphChart)
    return bias_note(chart.bars)


CHARTS: Mapping[str, ChartRow] = {
    "bias": ChartRow(
        tr("Bias by paragraph"), lambda plot: BiasByParagraph(plot=plot), _fill_paragraphs, _bias_note
    ),
    "kinds": ChartRow(tr("Findings by kind"), lambda _: KindBars(), _fill_kinds),
    "kinds_by_paragraph": ChartRow(
        tr("Kinds by paragraph"), lambda plot: KindsByParagraph(plot=plot), _fill_paragraphs
    ),
    "leaning": ChartRow(
        tr("Leaning of the wording"),
        lambda _: LeaningGauge(),
        _fill_gauge,
        lambda _, report: leaning_in_words(report.summary.leaning),
    ),
    "leaning_by_paragraph": ChartRow(
        tr("Leaning of the wording by paragraph"),
        lambda plot: LeaningByParagraph(plot=plot),
        _fill_paragraphs,
        lambda *_: leaning_note(),
    ),
    "cues": ChartRow(tr("Most frequent cues"), lambda plot: CueBars(most=5 if plot < 120 else 8), _fill_cues),
}


def make_chart(
    name: str, report: Report | None, *, plot: int = 200, charts: Mapping[str, ChartRow] = CHARTS
) -> Chart:
    """A chart of its own, filled, with ``plot`` pixels of height for what it draws."""
    chart = charts[name].make(plot)
    charts[name].fill(chart, report)
    return chart


class ChartSection(QWidget):
    """One chart. ``export_wanted``: its name. ``place_wanted`` and ``cue_wanted`` come from the chart."""

    export_wanted = Signal(str)
    place_wanted = Signal(int)
    cue_wanted = Signal(object)

    def __init__(self, name: str, *, plot: int, note: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self._row = CHARTS[name]
        self._noted = note
        self.chart = self._row.make(plot)
        self._title = WrapLabel()
        self._title.setText(self._row.title)
        self._title.setFont(scaled(self.font(), 1.0, bold=True))
        self._more = QToolButton()
        self._more.setText("⋯")
        self._more.setAutoRaise(True)
        self._more.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._more.setAccessibleName(tr("Save the chart: {title}").format(title=self._row.title))
        self._more.setToolTip(tr("Save this chart as a picture"))
        self._more.clicked.connect(lambda: self.export_wanted.emit(self._name))
        self._note = WrapLabel(muted=True)
        if isinstance(self.chart, ParagraphChart):
            self.chart.place_wanted.connect(self.place_wanted)
        if isinstance(self.chart, CueBars):
            self.chart.cue_wanted.connect(self.cue_wanted)
        if "leaning" in name:
            self._title.setToolTip(caution())
            self._note.setToolTip(caution())
            self.chart.setToolTip(caution() if isinstance(self.chart, LeaningGauge) else "")
        self._lay_out()

    def show_report(self, report: Report) -> None:
        """Draw the chart of this report."""
        self._row.fill(self.chart, report)
        self._note.setText(self._row.note(self.chart, report) if self._noted else "")
        self._note.setVisible(bool(self._note.text()))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """What can be done with the chart, by the pointer or the Menu key."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        save = menu.addAction(tr("&Save as picture…"))
        save.triggered.connect(lambda: self.export_wanted.emit(self._name))
        menu.popup(event.globalPos())
        event.accept()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(4)
        head.addWidget(self._title, 1)
        head.addWidget(self._more, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 0)
        column.setSpacing(4)
        column.addLayout(head)
        column.addWidget(self.chart)
        column.addWidget(self._note)
