"""The dashboard: all charts of the present report in a window of their own, beside the text and always up to date."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QIcon, QResizeEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from app.charts.chart_sections import CHARTS, ChartSection
from app.widgets.labels import WrapLabel, percent, scaled
from core.i18n import ntr, tr
from core.types import Report, Summary

_SIZE = (1000, 760)
_TWO_COLUMNS = 760
_PLOT = 170
_MARGIN = 18
_RIGHT = ("kinds", "leaning", "cues")


def standing(summary: Summary) -> str:
    """The whole draft in one line."""
    share = summary.biased_sentences / summary.sentences if summary.sentences else 0.0
    told = ntr(
        "{biased} of {count} sentence reads as biased ({share}) · mean bias {bias:.2f}",
        "{biased} of {count} sentences read as biased ({share}) · mean bias {bias:.2f}",
        summary.sentences,
    )
    return told.format(
        biased=f"{summary.biased_sentences:,}",
        count=f"{summary.sentences:,}",
        share=percent(share),
        bias=summary.bias,
    )


class Dashboard(QDialog):
    """Not modal. ``place_wanted``: a code point to go to; ``cue_wanted``: a ``CueCount``.

    ``export_wanted``: the name of a chart to keep as a picture; ``report_wanted``: the whole report.
    """

    place_wanted = Signal(int)
    cue_wanted = Signal(object)
    export_wanted = Signal(str)
    report_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Dashboard"))
        self.setWindowFlag(Qt.WindowType.WindowMaximizeButtonHint)
        self._columns = 0
        self._head = QLabel()
        self._head.setFont(scaled(self.font(), 1.2, bold=True))
        self._head.setWordWrap(True)
        self._state = WrapLabel(muted=True)
        self._placeholder = WrapLabel(muted=True)
        self._placeholder.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.sections = {name: ChartSection(name, plot=_PLOT, note=True) for name in CHARTS}
        for section in self.sections.values():
            section.place_wanted.connect(self.place_wanted)
            section.cue_wanted.connect(self.cue_wanted)
            section.export_wanted.connect(self.export_wanted)
        self._lay_out()
        self.resize(*_SIZE)
        self.show_state(tr("Nothing has been read yet."))

    def show_report(self, report: Report) -> None:
        """Draw everything for this report."""
        if not report.summary.sentences and not report.paragraphs:
            self.show_state(tr("There is no sentence to read yet."))
            return
        self._head.setText(standing(report.summary))
        self._state.setText("")
        self._state.hide()
        for section in self.sections.values():
            section.show_report(report)
        self._pages.setCurrentWidget(self._scroll)

    def show_state(self, message: str) -> None:
        """Say why there are no charts."""
        self._placeholder.setText(message)
        self._pages.setCurrentWidget(self._placeholder)

    def add_state(self, message: str) -> None:
        """Say something above the charts, which stay: that they are outdated, for example."""
        if self._pages.currentWidget() is self._scroll:
            self._state.setText(message)
            self._state.setVisible(bool(message))
        elif message:
            self.show_state(message)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Two columns where there is room for them."""
        super().resizeEvent(event)
        self._arrange()

    def _lay_out(self) -> None:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(_MARGIN, _MARGIN, _MARGIN, _MARGIN)
        column.setSpacing(12)
        column.addWidget(self._head)
        column.addWidget(self._state)
        self._sides = (QVBoxLayout(), QVBoxLayout())
        beside = QHBoxLayout()
        beside.setSpacing(28)
        for side in self._sides:
            side.setSpacing(16)
            beside.addLayout(side, 1)
        self._beside = beside
        column.addLayout(beside)
        column.addStretch(1)
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setAccessibleName(tr("Dashboard"))
        self._scroll.setWidget(page)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        pages = QWidget()
        self._pages = QStackedLayout(pages)
        self._pages.addWidget(self._scroll)
        self._pages.addWidget(self._placeholder)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.button(QDialogButtonBox.StandardButton.Close).setIcon(QIcon())
        buttons.rejected.connect(self.reject)
        save = buttons.addButton(tr("Save a &report…"), QDialogButtonBox.ButtonRole.ActionRole)
        save.setIcon(QIcon())
        save.clicked.connect(lambda: self.report_wanted.emit())
        foot = QHBoxLayout()
        foot.setContentsMargins(_MARGIN, 0, _MARGIN, 10)
        foot.addWidget(buttons)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(pages, 1)
        whole.addLayout(foot)
        self._arrange()

    def _arrange(self) -> None:
        columns = 2 if self.width() >= _TWO_COLUMNS else 1
        if columns == self._columns:
            return
        self._columns = columns
        for side in self._sides:
            while side.count():
                side.takeAt(0)
        for name, section in self.sections.items():
            self._sides[columns == 2 and name in _RIGHT].addWidget(section)
        for side in self._sides:
            side.addStretch(1)
        self._beside.setStretch(1, columns - 1)
        self._beside.setSpacing(28 if columns == 2 else 0)
