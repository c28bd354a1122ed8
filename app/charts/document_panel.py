"""The document panel: how the whole draft reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from app.charts.base_charts import ShareBar
from app.charts.chart_sections import ChartSection
from app.widgets.labels import ElidedLabel, WrapLabel, percent, scaled, showable
from core.i18n import ntr, tr
from core.types import Finding, Report

_WORDS = 6
_PLOT = 84
_NOTED = ("leaning",)


def common_words(findings: tuple[Finding, ...]) -> list[tuple[str, int]]:
    """The flagged wordings and how often each is flagged, the most frequent first, then as in the text."""
    counted: Counter[str] = Counter()
    for text, count in Counter(finding.text for finding in findings).items():
        counted[showable(text).casefold()] += count
    return counted.most_common(_WORDS)


class DocumentPanel(QWidget):
    """Figures of the report. They scroll where the panel is too low for them.

    ``place_wanted``: a code point to go to; ``cue_wanted``: a ``CueCount``; ``export_wanted``: the name of a chart;
    ``shown``: another report or state is there.
    """

    place_wanted = Signal(int)
    cue_wanted = Signal(object)
    export_wanted = Signal(str)
    dashboard_wanted = Signal()
    shown = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._message = ""
        self._shown = self._stale = False
        self.report: Report | None = None
        self._placeholder = WrapLabel(muted=True)
        self._placeholder.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._placeholder.setContentsMargins(16, 16, 16, 16)
        self._figures = _Figures()
        for section in self._figures.sections.values():
            section.place_wanted.connect(self.place_wanted)
            section.cue_wanted.connect(self.cue_wanted)
            section.export_wanted.connect(self.export_wanted)
        self._figures.larger.clicked.connect(lambda: self.dashboard_wanted.emit())
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setAccessibleName(tr("Document"))
        self._scroll.setWidget(self._figures)
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self._placeholder)
        self._pages.addWidget(self._scroll)
        self.clear()

    def sizeHint(self) -> QSize:
        """Room for the figures without scrolling."""
        return QSize(300, 420)

    def show_report(self, report: Report) -> None:
        """Show the figures of ``report``."""
        for _ in self.steps(report):
            pass

    def steps(self, report: Report) -> Iterator[None]:
        """Show the figures of ``report``, step by step."""
        self.report = report
        self._shown = report.summary.sentences > 0
        self._message = "" if self._shown else tr("There is no sentence to read yet.")
        self._stale = self._shown
        if self.isVisible():
            yield from self._filling()
        self._show_state()

    def showEvent(self, event: QShowEvent) -> None:
        """Draw what came while nobody could see it."""
        super().showEvent(event)
        for _ in self._filling():
            pass

    def clear(self) -> None:
        """No document: no figures, no message."""
        self.report = None
        self._shown, self._message = False, ""
        self._show_state()

    @property
    def message(self) -> str:
        """The state that is said; empty where there is none."""
        return self._message

    def set_message(self, text: str) -> None:
        """Say a state: above the figures while there are some, in their place where there are none."""
        self._message = text
        self._show_state()

    def _filling(self) -> Iterator[None]:
        if self._stale and self.report is not None:
            self._stale = False
            yield from self._figures.steps(self.report)

    def _show_state(self) -> None:
        if self._shown:
            self._figures.state.setText(self._message)
            self._pages.setCurrentWidget(self._scroll)
        else:
            self._placeholder.setText(self._message)
            self._pages.setCurrentWidget(self._placeholder)
        self.shown.emit()


class _Figures(QWidget):
    """The page with the figures."""

    def __init__(self) -> None:
        super().__init__()
        self.state = ElidedLabel()
        self.state.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._share = QLabel()
        self._share.setFont(scaled(self.font(), 2.4, bold=True))
        self._of = WrapLabel(muted=True)
        self._of.setToolTip(
            tr("Mean bias: over all sentences, the longer ones count more; 0 is neutral, 1 is biased.")
        )
        self._share_bar = ShareBar()
        names = ("bias", "kinds", "leaning", "leaning_by_paragraph", "cues")
        self.sections = {name: ChartSection(name, plot=_PLOT, note=name in _NOTED) for name in names}
        self._words_title = _title(tr("Flagged words"))
        self._words = WrapLabel()
        self._notes_title = _title(tr("Notes"))
        self._notes = WrapLabel()
        self.larger = QPushButton(tr("Open the &dashboard"))
        self.larger.setToolTip(tr("All charts in a larger window"))
        self._lay_out()

    def steps(self, report: Report) -> Iterator[None]:
        summary = report.summary
        share = summary.biased_sentences / summary.sentences if summary.sentences else 0.0
        self._share.setText(percent(share))
        of = ntr("{part} of {whole} sentence", "{part} of {whole} sentences", summary.sentences)
        of = of.format(part=f"{summary.biased_sentences:,}", whole=f"{summary.sentences:,}")
        self._of.setText(tr("{of} · mean bias\u00a0{bias:.2f}").format(of=of, bias=summary.bias))
        self._share_bar.show_share(summary.biased_sentences, summary.sentences)
        for section in self.sections.values():
            yield
            section.show_report(report)
        yield
        self.sections["leaning"].chart.setVisible(summary.leaning is not None)
        by_paragraph = any(paragraph.leaning for paragraph in report.paragraphs)
        self.sections["leaning_by_paragraph"].setVisible(by_paragraph)
        words = common_words(report.findings)
        self._words.setText(
            " · ".join(f"{text}\u00a0×\u00a0{count}" if count > 1 else text for text, count in words)
        )
        self._notes.setText("\n".join(report.notes))
        for part in (self._words_title, self._words):
            part.setVisible(bool(words))
        for part in (self._notes_title, self._notes):
            part.setVisible(bool(report.notes))

    def _lay_out(self) -> None:
        figure = QHBoxLayout()
        figure.addWidget(self._share)
        figure.addWidget(self.state, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 10, 12, 12)
        column.setSpacing(6)
        column.addWidget(_title(tr("Biased sentences"), first=True))
        column.addLayout(figure)
        for part in (
            self._share_bar,
            self._of,
            *self.sections.values(),
            self._words_title,
            self._words,
            self._notes_title,
            self._notes,
            self.larger,
        ):
            column.addWidget(part)
        column.addStretch(1)


def _title(text: str, *, first: bool = False) -> WrapLabel:
    label = WrapLabel()
    label.setText(text)
    label.setFont(scaled(label.font(), 1.0, bold=True))
    label.setContentsMargins(0, 0 if first else 8, 0, 0)
    return label
