"""The section that retrains: the form, the training that goes on, or the way to a trainer where there is none."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtGui import QCloseEvent, QShowEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from app.models.app_context import Desk
from app.runs.recipes import AUDITS
from app.runs.request_form import Missing
from app.runs.run_process import Asked, fresh, going_on
from app.runs.run_strings import run_title
from app.runs.store_queries import all_runs, launched, new_run, trainer_and_run
from app.training.training_form import RetrainForm
from app.training.training_view import RunView
from app.widgets.message_bars import ChoiceBar
from core import training_env
from core.i18n import tr
from core.runs.types import Run, Status
from core.training_env import Trainer

_ONE_AT_A_TIME = tr("A training is going on. Only one can run at a time.")
_AUDITED = tr("An audit is going on. Only one can run at a time.")


class Retrain(QWidget):
    """Starts a training, follows it, and goes on with one that was paused or died.

    ``use_asked`` and ``show_asked`` carry the id of a run whose model is to be used, or that is to be shown in the
    history.
    """

    use_asked = Signal(str)
    show_asked = Signal(str)

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._trainer: Trainer | None = None
        self._offered: Run | None = None
        self._at_form = True
        self._audited = False
        self._closed = False
        self.notice = ChoiceBar()
        self.form = RetrainForm(desk.outside.settings)
        self.view = RunView(desk)
        self.missing = Missing(
            desk,
            tr(
                "Nothing on this computer can train models yet: PyTorch is not there. Set it up once, and models "
                "can be trained here. All else of Evenhand works without it."
            ),
        )
        self._pages = QStackedWidget()
        for page in (self.missing, self.form, self.view):
            self._pages.addWidget(page)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        column.addWidget(self.notice)
        column.addWidget(self._pages, 1)
        self._connect()
        self._show_page()

    @property
    def page(self) -> QWidget:
        """What is shown: the form, the view of a run, or the way to a trainer."""
        return self._pages.currentWidget()

    @property
    def has_trainer(self) -> bool:
        """Whether something that can train was found."""
        return self._trainer is not None

    def resume(self, run_id: str) -> None:
        """Go on with a run that was paused, died or failed; one that is going on is shown."""
        self._desk.ask(lambda store: trainer_and_run(store, run_id), self._resume)

    def look(self) -> None:
        """See again what can train, and which runs there are."""
        self._desk.submit(training_env.trainer, self._trainer_known)
        if self._desk.outside.storing.failed:
            self.form.block(tr("The store cannot be opened, so no training could be recorded."))
        self._desk.ask(all_runs, self._runs_known)

    def showEvent(self, event: QShowEvent) -> None:
        """Look whether something has changed meanwhile."""
        super().showEvent(event)
        if not event.spontaneous():
            self._closed = False
            self.look()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Follow and ask nothing any more, whatever is still on its way. A training goes on."""
        self._closed = True
        self.form.stop()
        self.view.stop()
        super().closeEvent(event)

    def _connect(self) -> None:
        self.missing.closed.connect(self.look)
        self.form.start_asked.connect(self._start)
        self.view.resume_asked.connect(self.resume)
        self.view.use_asked.connect(self.use_asked)
        self.view.show_asked.connect(self.show_asked)
        self.view.form_asked.connect(lambda: self._go(form=True))
        self.view.settled.connect(self.look)
        self.notice.chosen.connect(self._chosen)
        self._desk.runs_changed.connect(self._runs_changed)

    # What there is

    def _trainer_known(self, trainer: Trainer | None) -> None:
        if self._closed:
            return
        self._trainer = trainer
        if trainer is not None:
            self.form.set_trainer(trainer)
        self._show_page()

    def _runs_changed(self) -> None:
        if self.isVisible():
            self._desk.ask(all_runs, self._runs_known)

    def _runs_known(self, runs: list[Run]) -> None:
        if self._closed:
            return
        self._audited = any(run.status is Status.RUNNING for run in runs if run.recipe in AUDITS)
        runs = [run for run in runs if run.recipe not in AUDITS]
        living = next((run for run in runs if run.status is Status.RUNNING), None)
        if living is not None and not self.view.lives:
            self.view.show_run(living)
            self._at_form = False
        newest = runs[0] if runs else None
        waits = newest is not None and newest.status in (Status.PAUSED, Status.DIED)
        self._offered = newest if waits else None
        self._show_page()

    def _go(self, *, form: bool) -> None:
        self._at_form = form
        self._show_page()

    def _show_page(self) -> None:
        if not self._at_form and self.view.run is not None:
            page: QWidget = self.view
        else:
            page = self.form if self._trainer is not None else self.missing
        self._pages.setCurrentWidget(page)
        lives = self.view.lives
        if not self._desk.outside.storing.failed:
            self.form.block(_ONE_AT_A_TIME if lives else _AUDITED if self._audited else "")
        self._show_notice(page)

    def _show_notice(self, page: QWidget) -> None:
        offered = self._offered
        if page is self.view:
            self.notice.hide()
        elif self.view.lives and self.view.run is not None:
            said = tr("{run}: it is going on.").format(run=run_title(self.view.run))
            self.notice.show_choices(said, {"show": (tr("Show it"), tr("Shows how far the training is"))})
        elif offered is not None and self._trainer is not None:
            paused = offered.status is Status.PAUSED
            said = tr("{run}: it is paused.") if paused else tr("{run}: it ended without a word.")
            tip = tr("Goes on from the last checkpoint")
            self.notice.show_choices(said.format(run=run_title(offered)), {"resume": (tr("Resume"), tip)})
        else:
            self.notice.hide()

    # What a person does

    def _chosen(self, name: str) -> None:
        if name == "show":
            self._go(form=False)
        elif self._offered is not None:
            self.resume(self._offered.id)

    def _start(self, asked: Asked) -> None:
        run = new_run(asked.recipe, asked)
        self._begin(run, fresh(asked, run.id))

    def _resume(self, found: tuple[Trainer | None, Run | None]) -> None:
        self._trainer, run = found
        if run is None:
            self._desk.told.emit(tr("There is no such run any more."))
        elif run.recipe in AUDITS:
            self._desk.outside.resume_audit(run)
        elif self.view.lives or run.status is Status.RUNNING:
            if not self.view.lives:
                self.view.show_run(run)
            self._go(form=False)
            if self.view.run is None or self.view.run.id != run.id:
                self._desk.told.emit(_ONE_AT_A_TIME)
        else:
            self._begin(replace(run, status=Status.RUNNING), going_on(run.recipe, run.id))

    def _begin(self, run: Run, arguments: list[str]) -> None:
        """Start the child of a run, and show it."""
        failed = tr("The training could not be started: {cause}.")
        process = launched(self._desk, self._trainer, run, arguments, failed=failed)
        if process is None:
            return
        self.view.show_run(run, process)
        self._go(form=False)
