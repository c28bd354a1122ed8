"""The document panel: charts and metrics of the whole draft."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QPushButton,
    QScrollArea,
    QStackedLayout,
    QWidget,
)

from app.charts.base_charts import ShareBar
from app.charts.chart_sections import LEANING_CHARTS, ChartSection
from app.widgets.labels import (
    ElidedLabel,
    WrapLabel,
    format_percent,
    make_placeholder,
    scaled_font,
    to_single_line,
)
from app.widgets.layouts import make_column, make_row
from app.widgets.plain_text import PlainLabel
from core.i18n import ntr, tr
from core.types import Finding, Report

_MAX_WORDS = 6
_PLOT = 84
_WITH_NOTE = ("leaning",)


def frequent_marked_words(findings: tuple[Finding, ...]) -> list[tuple[str, int]]:
    """The marked words with their counts, the most frequent first, then in the order of the text."""
    counted: Counter[str] = Counter()
    for text, count in Counter(finding.shown for finding in findings).items():
        counted[to_single_line(text).casefold()] += count
    return counted.most_common(_MAX_WORDS)


class DocumentPanel(QWidget):
    """Charts and metrics of the report, in a scroll area.

    ``location_requested``: go to this code point; ``cue_requested``: show this ``CueCount``; ``export_requested``: save
    the chart of this name; ``updated``: another report or state is shown. The political leaning has no section unless
    ``shows_leaning``.
    """

    location_requested = Signal(int)
    cue_requested = Signal(object)
    export_requested = Signal(str)
    dashboard_requested = Signal()
    updated = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._message = ""
        self._has_report = self._pending = False
        self.report: Report | None = None
        self._placeholder = make_placeholder()
        self._page = _ReportPage()
        for section in self._page.sections.values():
            section.location_requested.connect(self.location_requested)
            section.cue_requested.connect(self.cue_requested)
            section.export_requested.connect(self.export_requested)
        self._page.dashboard_button.clicked.connect(lambda: self.dashboard_requested.emit())
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setAccessibleName(tr("Document"))
        self._scroll.setWidget(self._page)
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self._placeholder)
        self._pages.addWidget(self._scroll)
        self.clear()

    def sizeHint(self) -> QSize:
        """Room for the content without scrolling."""
        return QSize(300, 420)

    def show_report(self, report: Report) -> None:
        """Show ``report``."""
        for _ in self.steps(report):
            pass

    def steps(self, report: Report) -> Iterator[None]:
        """Show ``report``, in steps."""
        self.report = report
        self._has_report = report.summary.sentences > 0
        self._message = "" if self._has_report else tr("There is no sentence to analyse yet.")
        self._pending = self._has_report
        if self.isVisible():
            yield from self._draw_pending()
        self._show_state()

    def showEvent(self, event: QShowEvent) -> None:
        """Draw what arrived while the panel was hidden."""
        super().showEvent(event)
        for _ in self._draw_pending():
            pass

    def clear(self) -> None:
        """No document: no charts, no message."""
        self.report = None
        self._has_report, self._message = False, ""
        self._show_state()

    @property
    def shows_leaning(self) -> bool:
        """Whether the political leaning has its sections, here and in the dashboard."""
        return self._page.shows_leaning

    @shows_leaning.setter
    def shows_leaning(self, on: bool) -> None:
        self._page.shows_leaning = on
        if self.report is not None:
            self.show_report(self.report)

    @property
    def message(self) -> str:
        """The status message; may be empty."""
        return self._message

    def set_message(self, text: str) -> None:
        """Show a status message above the charts, or in their place if there are none."""
        self._message = text
        self._show_state()

    def _draw_pending(self) -> Iterator[None]:
        if self._pending and self.report is not None:
            self._pending = False
            yield from self._page.steps(self.report)

    def _show_state(self) -> None:
        if self._has_report:
            self._page.state.setText(self._message)
            self._pages.setCurrentWidget(self._scroll)
        else:
            self._placeholder.setText(self._message)
            self._pages.setCurrentWidget(self._placeholder)
        self.updated.emit()


class _ReportPage(QWidget):
    """The page with the charts and metrics."""

    def __init__(self) -> None:
        super().__init__()
        self.shows_leaning = False
        self.state = ElidedLabel()
        self.state.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._share = PlainLabel()
        self._share.setFont(scaled_font(self.font(), 2.4, bold=True))
        self._of = WrapLabel(muted=True)
        self._of.setToolTip(
            tr("Mean bias: over all sentences, weighted by length; 0 is neutral, 1 is biased.")
        )
        self._share_bar = ShareBar()
        names = ("bias", "kinds", "leaning", "leaning_by_paragraph", "cues")
        self.sections = {name: ChartSection(name, plot=_PLOT, note=name in _WITH_NOTE) for name in names}
        self._words_title = _title(tr("Marked words"))
        self._words = WrapLabel()
        self._notes_title = _title(tr("Notes"))
        self._notes = WrapLabel()
        self.dashboard_button = QPushButton(tr("Open the &dashboard"))
        self.dashboard_button.setToolTip(tr("All charts in a larger window"))
        self._lay_out()

    def steps(self, report: Report) -> Iterator[None]:
        summary = report.summary
        share = summary.biased_sentences / summary.sentences if summary.sentences else 0.0
        self._share.setText(format_percent(share))
        of = ntr("{part} of {whole} sentence", "{part} of {whole} sentences", summary.sentences)
        of = of.format(part=f"{summary.biased_sentences:,}", whole=f"{summary.sentences:,}")
        self._of.setText(tr("{of} · mean bias\u00a0{bias:.2f}").format(of=of, bias=summary.bias))
        self._share_bar.show_share(summary.biased_sentences, summary.sentences)
        for name, section in self.sections.items():
            section.setVisible(self.shows_leaning or name not in LEANING_CHARTS)
            if not section.isHidden():
                yield
                section.show_report(report)
        yield
        self.sections["leaning"].chart.setVisible(summary.leaning is not None)
        by_paragraph = any(paragraph.leaning for paragraph in report.paragraphs)
        self.sections["leaning_by_paragraph"].setVisible(self.shows_leaning and by_paragraph)
        words = frequent_marked_words(report.findings)
        self._words.setText(
            " · ".join(f"{text}\u00a0×\u00a0{count}" if count > 1 else text for text, count in words)
        )
        self._notes.setText("\n".join(report.notes))
        for part in (self._words_title, self._words):
            part.setVisible(bool(words))
        for part in (self._notes_title, self._notes):
            part.setVisible(bool(report.notes))

    def _lay_out(self) -> None:
        header = make_row(self._share, (self.state, 1))
        make_column(
            _title(tr("Biased sentences"), first=True),
            header,
            self._share_bar,
            self._of,
            *self.sections.values(),
            self._words_title,
            self._words,
            self._notes_title,
            self._notes,
            self.dashboard_button,
            None,
            parent=self,
            spacing=6,
            margins=(12, 10, 12, 12),
        )


def _title(text: str, *, first: bool = False) -> WrapLabel:
    label = WrapLabel(text, bold=True)
    label.setContentsMargins(0, 0 if first else 8, 0, 0)
    return label
