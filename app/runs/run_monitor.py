"""Base of the views that watch a run while its process is running: progress, pause, cancel and the outcome."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import replace
from typing import Literal

from PySide6.QtCore import QUrl, Signal, SignalInstance
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QMessageBox, QWidget

from app.models.app_context import AppContext
from app.runs.run_process import last_line, remove_empty_run
from app.runs.run_progress import RunFollower
from core.i18n import tr
from core.runs.folder import log_tail, request_stop
from core.runs.types import LOG, Run, Status
from core.storage.store import Store

_RESUMABLE = (Status.PAUSED, Status.DIED, Status.FAILED)


class RunMonitor(QWidget):
    """Watches one run. ``status_changed``: the status is to be shown again. ``finished``: the run ended, and its
    outcome is known.

    ``resume_requested`` carries its id. ``cancel_title`` and ``cancel_question`` are shown before a run is cancelled.
    """

    status_changed = Signal()
    finished = Signal()
    resume_requested = Signal(str)

    def __init__(
        self, context: AppContext, *, cancel_title: str, cancel_question: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._context = context
        self._cancel_question = (cancel_title, cancel_question)
        self.run: Run | None = None
        self._requested = self._start_error = ""
        self._announced = False
        self.follower = RunFollower(self)
        self.follower.updated.connect(self._announce_once)
        self.follower.ended.connect(self._run_ended)

    @property
    def is_running(self) -> bool:
        """Whether the run is running."""
        return self.run is not None and self.run.status is Status.RUNNING

    def stop(self) -> None:
        """Stop following; the run goes on."""
        self.follower.stop()

    def _show(self, run: Run, process: subprocess.Popen[bytes] | None) -> None:
        """Watch another run; ``process`` if this app started it."""
        self.run, self._requested, self._start_error = run, "", ""
        self._announced = False
        self.follower.follow(run, process)

    def _announce_once(self) -> None:
        """The first event means that the run has been recorded."""
        if not self._announced:
            self._announced = True
            self._context.runs_changed.emit()

    def _can_resume(self) -> bool:
        return self.run is not None and self.run.status in _RESUMABLE and not self._start_error

    def _has_log(self) -> bool:
        log = None if self.run is None else self.run.folder / LOG
        return log is not None and log.is_file() and log.stat().st_size > 0

    # Commands

    def _emit_id(self, signal: SignalInstance) -> Callable[[], None]:
        return lambda: signal.emit(self.run.id) if self.run is not None else None

    def _pause(self) -> None:
        self._request("pause")

    def _cancel(self) -> None:
        answer = QMessageBox.question(self, *self._cancel_question)
        if answer == QMessageBox.StandardButton.Yes and self.is_running:
            self._request("cancel")

    def _request(self, action: Literal["pause", "cancel"]) -> None:
        run = self.run
        if run is None:
            return
        self._requested = action
        self.status_changed.emit()
        self._context.submit(lambda: request_stop(run, action), failed=self._request_failed)

    def _request_failed(self, error: Exception) -> None:
        self._requested = ""
        self.status_changed.emit()
        if self.is_running:
            self._context.message.emit(str(error))

    def _open_log(self) -> None:
        if self.run is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self.run.folder / LOG)))

    # End of the run

    def _run_ended(self) -> None:
        run = self.run
        if run is not None:
            self._context.ask(lambda store: _load_final_run(store, run), self._finish, self._finish_unknown)

    def _finish(self, found: Run | None) -> None:
        """Show the outcome as stored; None if the run never recorded itself."""
        run = self.run
        if run is None or (found is not None and found.id != run.id):
            return
        if found is None:
            self._start_error = last_line(log_tail(run)) or tr("it ended unexpectedly.")
            remove_empty_run(run.folder)
            found = replace(run, status=Status.FAILED, message=self._start_error)
        self.run = found
        self.status_changed.emit()
        self._context.runs_changed.emit()
        self.finished.emit()

    def _finish_unknown(self, error: Exception) -> None:
        """The store cannot say how the run ended: it counts as died."""
        self._context.message.emit(str(error))
        if self.run is not None:
            self._finish(replace(self.run, status=Status.DIED))


def _load_final_run(store: Store, run: Run) -> Run | None:
    from core.runs.run_store import RunStore

    runs = RunStore(store)
    runs.mark_died()
    return runs.get(run.id)
