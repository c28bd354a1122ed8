"""The training section: the form, the running training, or a hint where training is not set up."""

from __future__ import annotations

import subprocess

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from app.models.app_context import AppContext
from app.runs.run_page import PageStrings, RunPage
from app.runs.run_strings import run_title
from app.runs.store_queries import list_runs
from app.training.training_form import TrainingForm
from app.training.training_view import TrainingView
from app.widgets.layouts import make_column
from app.widgets.message_bars import ChoiceBar
from core.i18n import tr
from core.runs.recipes import RECIPES, StartedFrom
from core.runs.types import Run, Status
from core.training_env import TrainingPython

_TRAINING_RUNNING = tr("A training run is in progress. Only one run at a time is possible.")
_AUDIT_RUNNING = tr("An audit is in progress. Only one run at a time is possible.")

_AUDITS = [recipe.name for recipe in RECIPES.values() if recipe.started_from is StartedFrom.AUDIT_WINDOW]


_TEXTS = PageStrings(
    trainer_missing=tr(
        "Training is not set up on this computer: PyTorch is missing. Set it up once to train models here. "
        "Everything else in Evenhand works without it."
    ),
    store_error=tr("Evenhand’s database cannot be opened, so training runs cannot be recorded."),
    start_error=tr("The training run could not be started: {cause}."),
)


class TrainingSection(RunPage):
    """Starts, follows and resumes training runs.

    ``use_requested`` carries the id of a run whose model is to be used, ``show_requested`` that of a run to show in the
    history.
    """

    use_requested = Signal(str)
    show_requested = Signal(str)

    def __init__(self, context: AppContext, parent: QWidget | None = None) -> None:
        self.form = TrainingForm(context.services.settings)
        self.view = TrainingView(context)
        super().__init__(context, self.form, self.view, _TEXTS, parent)
        self._resumable: Run | None = None
        self._shows_form = True
        self._audit_running = False
        self.notice_bar = ChoiceBar()
        self._pages = QStackedWidget()
        for page in (self.trainer_missing, self.form, self.view):
            self._pages.addWidget(page)
        make_column(self.notice_bar, (self._pages, 1), parent=self, spacing=10)
        self._connect()
        self.show_page()

    @property
    def page(self) -> QWidget:
        """The visible page: the form, the view of a run, or the hint."""
        page = self._pages.currentWidget()
        assert page is not None
        return page

    def load_runs(self) -> None:
        """Load all runs."""
        self._context.ask(list_runs, self._set_runs)

    def _connect(self) -> None:
        self.view.use_requested.connect(self.use_requested)
        self.view.show_requested.connect(self.show_requested)
        self.view.form_requested.connect(lambda: self._show(form=True))
        self.notice_bar.chosen.connect(self._notice_chosen)
        self._context.runs_changed.connect(self._runs_changed)

    # Trainer and runs

    def _runs_changed(self) -> None:
        if self.isVisible():
            self.load_runs()

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
        self.show_page()

    def _show(self, *, form: bool) -> None:
        self._shows_form = form
        self.show_page()

    def show_page(self) -> None:
        """Show the run, the form, or the hint, and a notice about a run that is not shown."""
        if not self._shows_form and self.view.run is not None:
            page: QWidget = self.view
        else:
            page = self.form if self._trainer is not None else self.trainer_missing
        self._pages.setCurrentWidget(page)
        is_running = self.view.is_running
        self.block_form(_TRAINING_RUNNING if is_running else _AUDIT_RUNNING if self._audit_running else "")
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

    def _resume(self, found: tuple[TrainingPython | None, Run | None]) -> None:
        run = found[1]
        if run is not None and run.recipe in _AUDITS:
            self._context.services.resume_audit(run)
        elif run is not None and self.view.is_running:
            self.show_running(run)
        else:
            super()._resume(found)

    def show_running(self, run: Run) -> None:
        """Show the running run; a message says so if it is not this one."""
        if not self.view.is_running:
            self.view.show_run(run)
        self._show(form=False)
        if self.view.run is None or self.view.run.id != run.id:
            self._context.message.emit(_TRAINING_RUNNING)

    def show_started(self, run: Run, process: subprocess.Popen[bytes]) -> None:
        """Show a run that was just started or resumed."""
        self.view.show_run(run, process)
        self._show(form=False)
