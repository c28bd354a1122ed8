"""Base of the views that watch a run while its process is running: progress, pause, cancel and the outcome."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from PySide6.QtCore import QUrl, Signal, SignalInstance
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QMessageBox, QPushButton, QWidget

from app.models.app_context import AppContext
from app.runs.run_process import last_line, remove_empty_run
from app.runs.run_progress import RunFollower
from app.widgets.form_fields import make_button
from app.widgets.labels import WrapLabel, scaled_font
from app.widgets.plain_text import plain_text
from core.i18n import tr
from core.runs.folder import log_tail, request_stop
from core.runs.types import LOG, Run, Status
from core.storage.store import Store

_RESUMABLE = (Status.PAUSED, Status.DIED, Status.FAILED)


@dataclass(frozen=True, slots=True, kw_only=True)
class MonitorStrings:
    """The texts of a monitor; ``title`` and ``outcome`` describe a run."""

    title: Callable[[Run], str]
    outcome: Callable[[Run], str]
    pause_tip: str
    cancel_tip: str
    cancel_title: str
    cancel_question: str
    background_note: str


class RunMonitor(QWidget):
    """Watches one run, with a title, its status and buttons. Subclasses lay these out.

    ``status_changed``: the status is to be shown again. ``finished``: the run ended, and its outcome is known.
    ``resume_requested`` carries its id.
    """

    status_changed = Signal()
    finished = Signal()
    resume_requested = Signal(str)

    def __init__(self, context: AppContext, texts: MonitorStrings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context, self._texts = context, texts
        self.run: Run | None = None
        self._requested = self._start_error = ""
        self._announced = False
        self.follower = RunFollower(self)
        self.follower.updated.connect(self._announce_once)
        self.follower.ended.connect(self._run_ended)
        self._title, self._state, self._background_note = WrapLabel(), WrapLabel(), WrapLabel(muted=True)
        self._title.setFont(scaled_font(self.font(), 1.1, bold=True))
        self._state.setFont(scaled_font(self.font(), 1.0, bold=True))
        self._background_note.setText(texts.background_note)
        self.buttons: dict[str, QPushButton] = {
            "pause": make_button(tr("Pause"), lambda: self._request("pause"), tip=texts.pause_tip),
            "cancel": make_button(tr("Cancel…"), self._cancel, tip=texts.cancel_tip),
            "resume": make_button(tr("Resume"), self._emit_id(self.resume_requested)),
            "log": make_button(tr("Open the log"), self._open_log),
        }

    @property
    def status_text(self) -> str:
        """The status as shown."""
        return self._state.accessibleName()

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
        self._title.setText(self._texts.title(run))
        self.follower.follow(run, process)

    def _update_state(self) -> None:
        """Update the status and the buttons."""
        run, running = self.run, self.is_running
        if run is None:
            return
        if running:
            texts = {"pause": tr("Pausing…"), "cancel": tr("Cancelling…")}
            self._state.setText(texts.get(self._requested, tr("Running")))
        elif self._start_error:
            self._state.setText(
                tr("The run could not be started: {problem}").format(problem=self._start_error)
            )
        else:
            self._state.setText(self._texts.outcome(run))
        self._background_note.setVisible(running)
        log = run.folder / LOG
        for name, visible in {
            "pause": running,
            "cancel": running,
            "resume": self._can_resume(),
            "log": log.is_file() and log.stat().st_size > 0,
        }.items():
            self.buttons[name].setVisible(visible)
        for name in ("pause", "cancel"):
            self.buttons[name].setEnabled(self.follower.progress.started and not self._requested)

    def _announce_once(self) -> None:
        """The first event means that the run has been recorded."""
        if not self._announced:
            self._announced = True
            self._context.runs_changed.emit()

    def _can_resume(self) -> bool:
        return self.run is not None and self.run.status in _RESUMABLE and not self._start_error

    # Commands

    def _emit_id(self, signal: SignalInstance) -> Callable[[], None]:
        return lambda: signal.emit(self.run.id) if self.run is not None else None

    def _cancel(self) -> None:
        answer = QMessageBox.question(self, self._texts.cancel_title, plain_text(self._texts.cancel_question))
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
