"""Connects the charts with the window: what they show, and where a chosen bar leads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.editor.editor import TextEditor
from app.export.report_export import ReportExporter
from app.review.review_controller import ReviewController
from core.reports.chart_data import CueCount

if TYPE_CHECKING:
    from app.charts.dashboard import Dashboard
    from app.charts.document_panel import DocumentPanel


class DashboardController(QObject):
    """Holds the dashboard while it is open, and keeps it in step with the document panel."""

    def __init__(
        self, window: QWidget, editor: TextEditor, *, review: ReviewController, exporter: ReportExporter
    ) -> None:
        super().__init__(window)
        self._window = window
        self._editor = editor
        self._review = review
        self._exporter = exporter
        self._panel: DocumentPanel | None = None
        self._dashboard: Dashboard | None = None

    @property
    def dashboard(self) -> Dashboard | None:
        """The dashboard, while it is open."""
        return self._dashboard

    def set_panel(self, panel: DocumentPanel) -> None:
        """Handle the requests of this panel, and show what it shows in the dashboard."""
        self._panel = panel
        panel.location_requested.connect(self.go_to)
        panel.cue_requested.connect(self.go_to_cue)
        panel.export_requested.connect(self._exporter.export_chart)
        panel.dashboard_requested.connect(self.open)
        panel.updated.connect(self._refresh)

    def open(self) -> None:
        """Open the dashboard."""
        from app.charts.dashboard import Dashboard

        if self._dashboard is None:
            self._dashboard = Dashboard(self._window)
            self._dashboard.location_requested.connect(self.go_to)
            self._dashboard.cue_requested.connect(self.go_to_cue)
            self._dashboard.export_requested.connect(self._exporter.export_chart)
            self._dashboard.report_requested.connect(self._exporter.export_html)
            self._dashboard.finished.connect(self._closed)
        self._refresh()
        self._dashboard.show()
        self._dashboard.raise_()
        self._dashboard.activateWindow()

    def close(self) -> None:
        """Close the dashboard if it is open."""
        if self._dashboard is not None:
            self._dashboard.reject()

    def go_to(self, point: int) -> None:
        """Put the caret at a code point of the analysed text."""
        result = self._review.result
        if result is not None and result.positions is not None:
            self._window.activateWindow()
            self._editor.setFocus()
            self._editor.go_to(result.positions.to_utf16(point))

    def go_to_cue(self, cue: CueCount) -> None:
        """Go to the next finding that the cue explains, from the last one to the first again.

        Where the sensitivity hides it, only the caret goes there.
        """
        result = self._review.result
        if result is None or result.report is None or result.positions is None:
            return
        current = self._review.current_finding()
        caret = result.positions.to_code_point(self._editor.textCursor().position())
        numbers = [
            number
            for number, finding in enumerate(cue.findings)
            if finding == current or (current is None and finding.start == caret)
        ]
        finding = cue.findings[(numbers[0] + 1) % len(cue.findings) if numbers else 0]
        if finding in result.report.findings:
            self._window.activateWindow()
            self._review.go_to(finding)
        else:
            self.go_to(finding.start)

    def _refresh(self) -> None:
        if self._dashboard is None or self._panel is None:
            return
        if self._panel.report is not None:
            self._dashboard.show_report(self._panel.report, leaning=self._panel.shows_leaning)
            self._dashboard.add_state(self._panel.message)
        else:
            self._dashboard.show_state(self._panel.message)

    def _closed(self) -> None:
        if self._dashboard is not None:
            self._dashboard.deleteLater()
            self._dashboard = None
