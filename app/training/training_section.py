"""The training section: the form, the running training, or a hint where training is not set up."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtGui import QCloseEvent, QShowEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from app.models.app_context import AppContext
from app.runs.request_form import TrainerMissing
from app.runs.run_process import recipe_of, resume_arguments, start_arguments
from app.runs.run_strings import run_title
from app.runs.store_queries import find_trainer_and_run, launch_run, list_runs, new_run
from app.training.training_form import TrainingForm
from app.training.training_view import TrainingView
from app.widgets.message_bars import ChoiceBar
from core import training_env
from core.i18n import tr
from core.runs.recipes import RECIPES, Request, StartedFrom
from core.runs.types import Run, Status
from core.training_env import TrainingPython

_TRAINING_RUNNING = tr("A training run is in progress. Only one run at a time is possible.")
_AUDIT_RUNNING = tr("An audit is in progress. Only one run at a time is possible.")

_AUDITS = [recipe.name for recipe in RECIPES.values() if recipe.started_from is StartedFrom.AUDIT_WINDOW]


class TrainingSection(QWidget):
    """Starts, follows and resumes training runs.

    ``use_requested`` carries the id of a run whose model is to be used, ``show_requested`` that of a run to show in the
    history.
    """

    use_requested = Signal(str)
    show_requested = Signal(str)

    def __init__(self, context: AppContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._trainer: TrainingPython | None = None
        self._resumable: Run | None = None
        self._shows_form = True
        self._audit_running = False
        self._closed = False
        self.notice_bar = ChoiceBar()
        self.form = TrainingForm(context.services.settings)
        self.view = TrainingView(context)
        self.trainer_missing = TrainerMissing(
            context,
            tr(
                "Training is not set up on this computer: PyTorch is missing. Set it up once to train models here. "
                "Everything else in Evenhand works without it."
            ),
        )
        self._pages = QStackedWidget()
        for page in (self.trainer_missing, self.form, self.view):
            self._pages.addWidget(page)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        column.addWidget(self.notice_bar)
        column.addWidget(self._pages, 1)
        self._connect()
        self._show_page()

    @property
    def page(self) -> QWidget:
        """The visible page: the form, the view of a run, or the hint."""
        page = self._pages.currentWidget()
        assert page is not None
        return page

    @property
    def has_trainer(self) -> bool:
        """Whether training is set up."""
        return self._trainer is not None

    def resume(self, run_id: str) -> None:
        """Resume a run that was paused, died or failed; a running one is shown."""
        self._context.ask(lambda store: find_trainer_and_run(store, run_id), self._resume)

    def refresh(self) -> None:
        """Look again for a trainer and for runs."""
        self._context.submit(training_env.find_training_python, self._set_trainer)
        if self._context.services.store_access.failed:
            self.form.set_blocked(tr("The store cannot be opened, so training runs cannot be recorded."))
        self._context.ask(list_runs, self._set_runs)

    def showEvent(self, event: QShowEvent) -> None:
        """Refresh."""
        super().showEvent(event)
        if not event.spontaneous():
            self._closed = False
            self.refresh()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop following; results that are still pending are ignored. The run goes on."""
        self._closed = True
        self.form.stop()
        self.view.stop()
        super().closeEvent(event)

    def _connect(self) -> None:
        self.trainer_missing.closed.connect(self.refresh)
        self.form.start_requested.connect(self._start_run)
        self.view.resume_requested.connect(self.resume)
        self.view.use_requested.connect(self.use_requested)
        self.view.show_requested.connect(self.show_requested)
        self.view.form_requested.connect(lambda: self._show(form=True))
        self.view.finished.connect(self.refresh)
        self.notice_bar.chosen.connect(self._notice_chosen)
        self._context.runs_changed.connect(self._runs_changed)

    # Trainer and runs

    def _set_trainer(self, trainer: TrainingPython | None) -> None:
        if self._closed:
            return
        self._trainer = trainer
        if trainer is not None:
            self.form.set_trainer(trainer)
        self._show_page()

    def _runs_changed(self) -> None:
        if self.isVisible():
            self._context.ask(list_runs, self._set_runs)

    def _set_runs(self, runs: list[Run]) -> None:
        if self._closed:
            return
        self._audit_running = any(run.status is Status.RUNNING for run in runs if run.recipe in _AUDITS)
        runs = [run for run in runs if run.recipe not in _AUDITS]
        running = next((run for run in runs if run.status is Status.RUNNING), None)
        if running is not None and not self.view.is_running:
            self.view.show_run(running)
            self._shows_form = False
        latest = runs[0] if runs else None
        can_resume = latest is not None and latest.status in (Status.PAUSED, Status.DIED)
        self._resumable = latest if can_resume else None
        self._show_page()

    def _show(self, *, form: bool) -> None:
        self._shows_form = form
        self._show_page()

    def _show_page(self) -> None:
        if not self._shows_form and self.view.run is not None:
            page: QWidget = self.view
        else:
            page = self.form if self._trainer is not None else self.trainer_missing
        self._pages.setCurrentWidget(page)
        is_running = self.view.is_running
        if not self._context.services.store_access.failed:
            self.form.set_blocked(
                _TRAINING_RUNNING if is_running else _AUDIT_RUNNING if self._audit_running else ""
            )
        self._show_notice(page)

    def _show_notice(self, page: QWidget) -> None:
        resumable = self._resumable
        if page is self.view:
            self.notice_bar.hide()
        elif self.view.is_running and self.view.run is not None:
            text = tr("{run}: running.").format(run=run_title(self.view.run))
            self.notice_bar.show_choices(
                text, {"show": (tr("Show"), tr("Shows the progress of the training run"))}
            )
        elif resumable is not None and self._trainer is not None:
            paused = resumable.status is Status.PAUSED
            text = tr("{run}: paused.") if paused else tr("{run}: ended unexpectedly.")
            tip = tr("Continues from the last checkpoint")
            self.notice_bar.show_choices(
                text.format(run=run_title(resumable)), {"resume": (tr("Resume"), tip)}
            )
        else:
            self.notice_bar.hide()

    # Commands

    def _notice_chosen(self, name: str) -> None:
        if name == "show":
            self._show(form=False)
        elif self._resumable is not None:
            self.resume(self._resumable.id)

    def _start_run(self, request: Request) -> None:
        run = new_run(recipe_of(request).name, request)
        self._launch(run, start_arguments(request, run.id))

    def _resume(self, found: tuple[TrainingPython | None, Run | None]) -> None:
        self._trainer, run = found
        if run is None:
            self._context.message.emit(tr("This run no longer exists."))
        elif run.recipe in _AUDITS:
            self._context.services.resume_audit(run)
        elif self.view.is_running or run.status is Status.RUNNING:
            if not self.view.is_running:
                self.view.show_run(run)
            self._show(form=False)
            if self.view.run is None or self.view.run.id != run.id:
                self._context.message.emit(_TRAINING_RUNNING)
        else:
            self._launch(replace(run, status=Status.RUNNING), resume_arguments(run.recipe, run.id))

    def _launch(self, run: Run, arguments: list[str]) -> None:
        """Start the process of a run and show it."""
        failed = tr("The training run could not be started: {cause}.")
        process = launch_run(self._context, self._trainer, run, arguments, failed=failed)
        if process is None:
            return
        self.view.show_run(run, process)
        self._show(form=False)
