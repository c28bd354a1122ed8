"""Base of the pages that start, follow and resume runs: a form, the view of a run, or a hint without a trainer."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, replace

from PySide6.QtGui import QCloseEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from app.models.app_context import AppContext
from app.runs.request_form import RequestForm, TrainerMissing
from app.runs.run_monitor import RunMonitor
from app.runs.run_process import recipe_of, resume_arguments, start_arguments
from app.runs.store_queries import find_trainer_and_run, launch_run, new_run
from core import training_env
from core.i18n import tr
from core.runs.recipes import Request
from core.runs.types import Run, Status
from core.training_env import TrainingPython


@dataclass(frozen=True, slots=True, kw_only=True)
class PageStrings:
    """The texts of a page; ``start_error`` has the field ``{cause}``."""

    trainer_missing: str
    store_error: str
    start_error: str


class RunPage(QWidget):
    """Subclasses implement ``load_runs``, ``show_page``, ``show_running`` and ``show_started``."""

    def __init__(
        self,
        context: AppContext,
        form: RequestForm,
        monitor: RunMonitor,
        texts: PageStrings,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._context, self._form, self._monitor, self._texts = context, form, monitor, texts
        self._trainer: TrainingPython | None = None
        self._closed = False
        self.trainer_missing = TrainerMissing(context, texts.trainer_missing)
        self.trainer_missing.closed.connect(self.refresh)
        form.start_requested.connect(self._start_run)
        monitor.resume_requested.connect(self.resume)
        monitor.finished.connect(self.refresh)

    def load_runs(self) -> None:
        """Load the runs from the store."""
        raise NotImplementedError

    def show_page(self) -> None:
        """Show the form, the view of a run, or the hint."""
        raise NotImplementedError

    def show_running(self, run: Run) -> None:
        """Show a run that is to be resumed but is running."""
        raise NotImplementedError

    def show_started(self, run: Run, process: subprocess.Popen[bytes]) -> None:
        """Show a run that was just started or resumed."""
        raise NotImplementedError

    def resume(self, run_id: str) -> None:
        """Resume a run that was paused, died or failed; a running one is shown."""
        self._context.ask(lambda store: find_trainer_and_run(store, run_id), self._resume)

    def refresh(self) -> None:
        """Look again for a trainer and for runs."""
        self._context.submit(training_env.find_training_python, self._set_trainer)
        if self._context.services.store_access.failed:
            self._form.set_blocked(self._texts.store_error)
        self.load_runs()

    def block_form(self, reason: str) -> None:
        """Block the form for this reason, unless it is blocked because the store cannot be opened."""
        if not self._context.services.store_access.failed:
            self._form.set_blocked(reason)

    def showEvent(self, event: QShowEvent) -> None:
        """Refresh."""
        super().showEvent(event)
        if not event.spontaneous():
            self._closed = False
            self.refresh()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop following; results that are still pending are ignored. The run goes on."""
        self._closed = True
        self._form.stop()
        self._monitor.stop()
        super().closeEvent(event)

    def _set_trainer(self, trainer: TrainingPython | None) -> None:
        if self._closed:
            return
        self._trainer = trainer
        if trainer is not None:
            self._form.set_trainer(trainer)
        self.show_page()

    def _start_run(self, request: Request) -> None:
        run = new_run(recipe_of(request).name, request)
        self._launch(run, start_arguments(request, run.id))

    def _resume(self, found: tuple[TrainingPython | None, Run | None]) -> None:
        self._trainer, run = found
        if self._closed:
            return
        if run is None:
            self._context.message.emit(tr("This run no longer exists."))
        elif run.status is Status.RUNNING:
            self.show_running(run)
        else:
            self._launch(replace(run, status=Status.RUNNING), resume_arguments(run.recipe, run.id))

    def _launch(self, run: Run, arguments: Sequence[str]) -> None:
        process = launch_run(self._context, self._trainer, run, arguments, failed=self._texts.start_error)
        if process is not None:
            self.show_started(run, process)
