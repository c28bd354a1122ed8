"""A chart with title, note and export button; and the specifications of all charts of a report."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from app.charts.base_charts import Chart, KindBars, LeaningGauge
from app.charts.cue_chart import CueBars
from app.charts.paragraph_charts import (
    BiasByParagraph,
    KindsByParagraph,
    LeaningByParagraph,
    ParagraphChart,
)
from app.widgets.labels import WrapLabel
from app.widgets.layouts import make_column, make_row
from app.widgets.plain_text import plain_text
from core.i18n import tr
from core.reports.descriptions import (
    bias_chart_note,
    describe_leaning,
    explain_interval,
    explain_missing_leaning,
    format_probabilities,
    leaning_caveat,
    leaning_chart_note,
)
from core.types import Leaning, NoLeaning, Report


@dataclass(frozen=True, slots=True)
class ChartSpec:
    """A chart: its title, a factory (given the height of the plot in pixels), a function to fill it, and its note."""

    title: str
    make: Callable[[int], Chart]
    fill: Callable[[Chart, Any], None]
    note: Callable[[Chart, Any], str] = lambda _chart, _report: ""


def explain_leaning(leaning: Leaning | None, reason: NoLeaning | None = None) -> str:
    """Whose wording the text resembles, the three probabilities, the spread and the band, or plainly why not."""
    if leaning is None:
        return explain_missing_leaning(reason)
    lines = [describe_leaning(leaning), format_probabilities(leaning)]
    if leaning.spread:
        lines.append(tr("parts of the text differ by\u00a0±{spread:.2f}").format(spread=leaning.spread))
    return "\n".join([*lines, explain_interval()])


def _fill_paragraphs(chart: Chart, report: Report) -> None:
    assert isinstance(chart, ParagraphChart)
    chart.show_report(report)


def _fill_kinds(chart: Chart, report: Report) -> None:
    assert isinstance(chart, KindBars)
    chart.show_counts(report.summary.kinds)


def _fill_gauge(chart: Chart, report: Report) -> None:
    assert isinstance(chart, LeaningGauge)
    chart.show_leaning(report.summary.leaning, report.summary.no_leaning)


def _fill_cues(chart: Chart, report: Report) -> None:
    assert isinstance(chart, CueBars)
    chart.show_findings(report.findings)


def _bias_note(chart: Chart, _report: Report) -> str:
    assert isinstance(chart, ParagraphChart)
    return bias_chart_note(chart.items)


CHARTS: Mapping[str, ChartSpec] = {
    "bias": ChartSpec(
        tr("Bias by paragraph"), lambda plot: BiasByParagraph(plot=plot), _fill_paragraphs, _bias_note
    ),
    "kinds": ChartSpec(tr("Findings by kind"), lambda _: KindBars(), _fill_kinds),
    "kinds_by_paragraph": ChartSpec(
        tr("Kinds by paragraph"), lambda plot: KindsByParagraph(plot=plot), _fill_paragraphs
    ),
    "leaning": ChartSpec(
        tr("Political leaning of the wording"),
        lambda _: LeaningGauge(),
        _fill_gauge,
        lambda _, report: explain_leaning(report.summary.leaning, report.summary.no_leaning),
    ),
    "leaning_by_paragraph": ChartSpec(
        tr("Political leaning by paragraph"),
        lambda plot: LeaningByParagraph(plot=plot),
        _fill_paragraphs,
        lambda _, report: leaning_chart_note(report.leaning_f1),
    ),
    "cues": ChartSpec(
        tr("Most frequent cues"), lambda plot: CueBars(limit=5 if plot < 120 else 8), _fill_cues
    ),
}


LEANING_CHARTS = ("leaning", "leaning_by_paragraph")
"""The charts that are shown only to those who want the political leaning."""


def make_chart(
    name: str, report: Report | None, *, plot: int = 200, charts: Mapping[str, ChartSpec] = CHARTS
) -> Chart:
    """A new chart, filled, with ``plot`` pixels of height for its plot."""
    chart = charts[name].make(plot)
    charts[name].fill(chart, report)
    return chart


def make_export_button(title: str, on_click: Callable[[], object]) -> QToolButton:
    """The button beside the title of a chart that saves it as a picture."""
    button = QToolButton()
    button.setText("⋯")
    button.setAutoRaise(True)
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    button.setAccessibleName(tr("Save the chart: {title}").format(title=title))
    button.setToolTip(tr("Save this chart as a picture"))
    button.clicked.connect(lambda: on_click())
    return button


def show_export_menu(section: QWidget, event: QContextMenuEvent, on_click: Callable[[], object]) -> None:
    """The context menu of a chart, which saves it as a picture."""
    menu = QMenu(section)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.addAction(tr("&Save as a picture…")).triggered.connect(lambda: on_click())
    menu.popup(event.globalPos())
    event.accept()


class ChartSection(QWidget):
    """One chart. ``export_requested`` carries its name; ``location_requested`` and ``cue_requested`` come from the
    chart.
    """

    export_requested = Signal(str)
    location_requested = Signal(int)
    cue_requested = Signal(object)

    def __init__(self, name: str, *, plot: int, note: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self._spec = CHARTS[name]
        self._shows_note = note
        self.chart = self._spec.make(plot)
        self._title = WrapLabel(self._spec.title, bold=True)
        self._menu_button = make_export_button(self._spec.title, self._export)
        self._note = WrapLabel(muted=True)
        if isinstance(self.chart, ParagraphChart):
            self.chart.location_requested.connect(self.location_requested)
        if isinstance(self.chart, CueBars):
            self.chart.cue_requested.connect(self.cue_requested)
        self._lay_out()

    def show_report(self, report: Report) -> None:
        """Draw the chart for this report."""
        self._spec.fill(self.chart, report)
        if "leaning" in self._name:
            caveat = leaning_caveat(report.leaning_f1)
            self._title.setToolTip(plain_text(caveat))
            self._note.setToolTip(plain_text(caveat))
            self.chart.setToolTip(plain_text(caveat if isinstance(self.chart, LeaningGauge) else ""))
        self._note.show_text(self._spec.note(self.chart, report) if self._shows_note else "")

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The context menu of the chart."""
        show_export_menu(self, event, self._export)

    def _export(self) -> None:
        self.export_requested.emit(self._name)

    def _lay_out(self) -> None:
        head = make_row((self._title, 1), (self._menu_button, Qt.AlignmentFlag.AlignTop), spacing=4)
        make_column(head, self.chart, self._note, parent=self, spacing=4, margins=(0, 8, 0, 0))
