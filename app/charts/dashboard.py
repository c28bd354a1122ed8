"""The dashboard: all charts of the current report in a separate window."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QIcon, QResizeEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QScrollArea,
    QStackedLayout,
    QWidget,
)

from app.charts.chart_sections import CHARTS, LEANING_CHARTS, ChartSection
from app.widgets.dialogs import close_box
from app.widgets.labels import WrapLabel, format_percent, scaled_font
from app.widgets.layouts import make_column, make_row
from app.widgets.plain_text import PlainLabel
from core.i18n import ntr, tr
from core.types import Report, Summary

_SIZE = (1000, 760)
_TWO_COLUMN_WIDTH = 760
_PLOT = 170
_MARGIN = 18
_RIGHT_COLUMN = ("kinds", "leaning", "cues")


def summary_text(summary: Summary) -> str:
    """The summary of the draft in one line."""
    share = summary.biased_sentences / summary.sentences if summary.sentences else 0.0
    text = ntr(
        "{biased} of {count} sentence reads as biased ({share}) · mean bias {bias:.2f}",
        "{biased} of {count} sentences read as biased ({share}) · mean bias {bias:.2f}",
        summary.sentences,
    )
    return text.format(
        biased=f"{summary.biased_sentences:,}",
        count=f"{summary.sentences:,}",
        share=format_percent(share),
        bias=summary.bias,
    )


class Dashboard(QDialog):
    """Not modal. ``location_requested``: go to this code point; ``cue_requested``: show this ``CueCount``.

    ``export_requested``: save the chart of this name as a picture; ``report_requested``: save the report.
    """

    location_requested = Signal(int)
    cue_requested = Signal(object)
    export_requested = Signal(str)
    report_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Dashboard"))
        self.setWindowFlag(Qt.WindowType.WindowMaximizeButtonHint)
        self._columns = 0
        self._head = PlainLabel()
        self._head.setFont(scaled_font(self.font(), 1.2, bold=True))
        self._head.setWordWrap(True)
        self._state = WrapLabel(muted=True)
        self._placeholder = WrapLabel(muted=True)
        self._placeholder.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.sections = {name: ChartSection(name, plot=_PLOT, note=True) for name in CHARTS}
        for section in self.sections.values():
            section.location_requested.connect(self.location_requested)
            section.cue_requested.connect(self.cue_requested)
            section.export_requested.connect(self.export_requested)
        self._lay_out()
        self.resize(*_SIZE)
        self.show_state(tr("Nothing has been analysed yet."))

    def show_report(self, report: Report, *, leaning: bool = False) -> None:
        """Draw all charts for this report, those of the political leaning only with ``leaning``."""
        if not report.summary.sentences and not report.paragraphs:
            self.show_state(tr("There is no sentence to analyse yet."))
            return
        self._head.setText(summary_text(report.summary))
        self._state.setText("")
        self._state.hide()
        for name, section in self.sections.items():
            section.setVisible(leaning or name not in LEANING_CHARTS)
            if not section.isHidden():
                section.show_report(report)
        self._pages.setCurrentWidget(self._scroll)

    def show_state(self, message: str) -> None:
        """Show a message in place of the charts."""
        self._placeholder.setText(message)
        self._pages.setCurrentWidget(self._placeholder)

    def add_state(self, message: str) -> None:
        """Show a message above the charts, for example that they are outdated."""
        if self._pages.currentWidget() is self._scroll:
            self._state.show_text(message)
        elif message:
            self.show_state(message)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Use two columns in a wide window."""
        super().resizeEvent(event)
        self._arrange_columns()

    def _lay_out(self) -> None:
        page = QWidget()
        self._sides = (make_column(spacing=16), make_column(spacing=16))
        self._columns_layout = make_row(*((side, 1) for side in self._sides), spacing=28)
        make_column(
            *(self._head, self._state, self._columns_layout, None),
            parent=page,
            spacing=12,
            margins=(_MARGIN, _MARGIN, _MARGIN, _MARGIN),
        )
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
        buttons = close_box(self)
        save = buttons.addButton(tr("Save a &report…"), QDialogButtonBox.ButtonRole.ActionRole)
        save.setIcon(QIcon())
        save.clicked.connect(lambda: self.report_requested.emit())
        foot = make_row(buttons, margins=(_MARGIN, 0, _MARGIN, 10))
        make_column((pages, 1), foot, parent=self)
        self._arrange_columns()

    def _arrange_columns(self) -> None:
        columns = 2 if self.width() >= _TWO_COLUMN_WIDTH else 1
        if columns == self._columns:
            return
        self._columns = columns
        for side in self._sides:
            while side.count():
                side.takeAt(0)
        for name, section in self.sections.items():
            self._sides[columns == 2 and name in _RIGHT_COLUMN].addWidget(section)
        for side in self._sides:
            side.addStretch(1)
        self._columns_layout.setStretch(1, columns - 1)
        self._columns_layout.setSpacing(28 if columns == 2 else 0)
