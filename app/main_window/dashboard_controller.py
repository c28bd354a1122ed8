"""The way between the charts and the rest of the window: what they show, and where a chosen bar leads to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.editor.editor import TextPane
from app.export.report_export import Exporting
from app.review.review_controller import Review
from core.reports.chart_data import CueCount

if TYPE_CHECKING:
    from app.charts.dashboard import Dashboard
    from app.charts.document_panel import DocumentPanel


class DashboardHost(QObject):
    """Holds the dashboard while it is open and keeps it like the document panel, which always knows the newest."""

    def __init__(self, window: QWidget, pane: TextPane, *, review: Review, exporting: Exporting) -> None:
        super().__init__(window)
        self._window = window
        self._pane = pane
        self._review = review
        self._exporting = exporting
        self._panel: DocumentPanel | None = None
        self._dashboard: Dashboard | None = None

    @property
    def dashboard(self) -> Dashboard | None:
        """The dashboard, while it is open."""
        return self._dashboard

    def set_panel(self, panel: DocumentPanel) -> None:
        """Take the wishes of this panel, and what it shows, from now on."""
        self._panel = panel
        panel.place_wanted.connect(self.go_to)
        panel.cue_wanted.connect(self.go_to_cue)
        panel.export_wanted.connect(self._exporting.chart)
        panel.dashboard_wanted.connect(self.open)
        panel.shown.connect(self._refresh)

    def open(self) -> None:
        """Show the dashboard beside the window."""
        from app.charts.dashboard import Dashboard

        if self._dashboard is None:
            self._dashboard = Dashboard(self._window)
            self._dashboard.place_wanted.connect(self.go_to)
            self._dashboard.cue_wanted.connect(self.go_to_cue)
            self._dashboard.export_wanted.connect(self._exporting.chart)
            self._dashboard.report_wanted.connect(self._exporting.html)
            self._dashboard.finished.connect(self._closed)
        self._refresh()
        self._dashboard.show()
        self._dashboard.raise_()
        self._dashboard.activateWindow()

    def close(self) -> None:
        """Close the dashboard, if it is open."""
        if self._dashboard is not None:
            self._dashboard.reject()

    def go_to(self, point: int) -> None:
        """Put the caret at a code point of the text that was read."""
        reading = self._review.reading
        if reading is not None and reading.positions is not None:
            self._window.activateWindow()
            self._pane.setFocus()
            self._pane.go_to(reading.positions.to_utf16(point))

    def go_to_cue(self, cue: CueCount) -> None:
        """Go to the next finding that the cue explains; after the last comes the first."""
        here = self._review.here()
        numbers = [number for number, finding in enumerate(cue.findings) if finding == here]
        self._window.activateWindow()
        self._review.go_to(cue.findings[(numbers[0] + 1) % len(cue.findings) if numbers else 0])

    def _refresh(self) -> None:
        if self._dashboard is None or self._panel is None:
            return
        if self._panel.report is not None:
            self._dashboard.show_report(self._panel.report)
            self._dashboard.add_state(self._panel.message)
        else:
            self._dashboard.show_state(self._panel.message)

    def _closed(self) -> None:
        if self._dashboard is not None:
            self._dashboard.deleteLater()
            self._dashboard = None
