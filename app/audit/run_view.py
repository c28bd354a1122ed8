"""The view of one run of the audit window: progress, commands, and the results so far."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QProgressBar, QWidget

from app.audit import audit_strings
from app.audit.audit_strings import ProgressStrings
from app.audit.run_queries import RunResults, read_results
from app.models.app_context import AppContext
from app.runs.run_monitor import MonitorStrings, RunMonitor
from app.widgets.flow_layout import FlowRow
from app.widgets.labels import WrapLabel
from app.widgets.layouts import make_column
from core.i18n import tr
from core.runs.types import Run

_TEXTS = MonitorStrings(
    title=audit_strings.run_title,
    outcome=audit_strings.describe_outcome,
    pause_tip=tr("Keeps the results so far and stops the process"),
    cancel_tip=tr("Ends the audit permanently"),
    cancel_title=tr("Cancel the audit"),
    cancel_question=tr("Cancel this audit? The results so far are kept, but it cannot be resumed."),
    background_note=tr(
        "The audit continues when this window or Evenhand is closed. Open the window again to see it."
    ),
)


class AuditRunProgress(RunMonitor):
    """Status, progress and commands of an audit. ``updated``: the progress changed."""

    updated = Signal()

    def __init__(self, context: AppContext, strings: ProgressStrings, parent: QWidget | None = None) -> None:
        super().__init__(context, _TEXTS, parent)
        self._strings = strings
        self._last_count = (0, 0, "")
        self.follower.updated.connect(self._progress_updated)
        self.status_changed.connect(self._update_status)
        self._stage_label, self._left_label = WrapLabel(), WrapLabel()
        self.bar = QProgressBar()
        self.bar.setAccessibleName(strings.bar_name)
        self._lay_out()

    @property
    def left(self) -> str:
        """The amount done and the time left, as shown."""
        return self._left_label.accessibleName() if not self._left_label.isHidden() else ""

    def show_run(self, run: Run, process: subprocess.Popen[bytes] | None = None) -> None:
        """Show and follow an audit; ``process`` if this app started it."""
        self._show(run, process)
        if not self.is_running:
            self.stop()
        self._last_count = (0, 0, "")
        self._update_status()

    def _lay_out(self) -> None:
        self._row = FlowRow(*self.buttons.values())
        make_column(
            self._title,
            self._state,
            self._stage_label,
            self.bar,
            self._left_label,
            self._row,
            self._background_note,
            parent=self,
            spacing=8,
        )

    # Display

    def _progress_updated(self) -> None:
        progress = self.follower.progress
        if self._strings.counts_whole_run(progress):
            self._last_count = (
                progress.step,
                progress.steps,
                audit_strings.progress_text(self._strings, progress),
            )
        self._update_status()
        self.updated.emit()

    def _update_status(self) -> None:
        running = self.is_running
        self._update_state()
        step, steps, count_text = self._last_count
        self._stage_label.setText(self._strings.stage_text(self.follower.progress))
        self._left_label.setText(count_text)
        self.bar.setRange(0, steps)
        self.bar.setValue(step)
        self._stage_label.setVisible(running)
        self.bar.setVisible(running)
        self._left_label.setVisible(running and steps > 0)
        self._row.setVisible(any(not button.isHidden() for button in self.buttons.values()))


Results = TypeVar("Results")


class AuditRunView(QWidget, Generic[Results]):
    """``read`` loads the results, which are in the file ``file_name`` of the run; ``has_results``: whether they hold
    anything to show, which ``show_results`` then shows in the widget ``results``.
    """

    def __init__(
        self,
        context: AppContext,
        strings: ProgressStrings,
        results: QWidget,
        *,
        file_name: str,
        read: Callable[[Path], Results | None],
        has_results: Callable[[Results], bool],
        show_results: Callable[[Results], object],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._context, self._file, self._read_function, self._results = context, file_name, read, results
        self._has_results, self._show_function = has_results, show_results
        self._read_mtime = 0
        self.progress = AuditRunProgress(context, strings)
        self._placeholder = WrapLabel(muted=True)
        self.progress.updated.connect(self._progress_updated)
        self.progress.finished.connect(self._read)
        make_column(self.progress, self._placeholder, results, None, parent=self, spacing=14)
        self._show_results(RunResults(None))

    @property
    def run(self) -> Run | None:
        """The run that is shown."""
        return self.progress.run

    @property
    def is_running(self) -> bool:
        """Whether it is running."""
        return self.progress.is_running

    @property
    def placeholder_text(self) -> str:
        """Why no results are shown; empty if some are."""
        return self._placeholder.accessibleName() if not self._placeholder.isHidden() else ""

    def show_run(self, run: Run, process: subprocess.Popen[bytes] | None = None) -> None:
        """Show and follow a run; ``process`` if this app started it."""
        if self.run is None or self.run.id != run.id:
            self._show_results(RunResults(None))
        self._read_mtime = 0
        self.progress.show_run(run, process)
        self._read()

    def _progress_updated(self) -> None:
        """Load the results again if their file changed."""
        run = self.run
        path = None if run is None else run.folder / self._file
        if path is not None and path.is_file() and path.stat().st_mtime_ns != self._read_mtime:
            self._read_mtime = path.stat().st_mtime_ns
            self._read()

    def _read(self) -> None:
        run, read = self.run, self._read_function
        if run is not None:
            self._context.submit(
                lambda: read_results(run, read), lambda message: self._results_read(run, message)
            )

    def _results_read(self, run: Run, message: RunResults[Results]) -> None:
        if self.run is not None and self.run.id == run.id:
            self._show_results(message)

    def _show_results(self, message: RunResults[Results]) -> None:
        visible = message.results is not None and self._has_results(message.results)
        pending_text = tr("Results are shown here as soon as the first part is measured.")
        self._placeholder.setText(
            message.problem or (pending_text if self.is_running else tr("There are no results."))
        )
        self._placeholder.setVisible(not visible)
        self._results.setVisible(visible)
        if message.results is not None and visible:
            self._show_function(message.results)
