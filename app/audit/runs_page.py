"""What the pages of the audit window share: ask for a run, follow the one that goes on, look at earlier ones."""

from __future__ import annotations

import subprocess
from collections.abc import Collection
from dataclasses import replace
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from app.audit.audit_strings import run_line
from app.audit.requests import Known, known
from app.audit.run_form import RunForm
from app.audit.run_view import RunView
from app.models.app_context import Desk
from app.runs.request_form import Missing, Wanted
from app.runs.run_process import fresh, going_on
from app.runs.store_queries import launched, new_run, trainer_and_run
from app.widgets.form_fields import Choice
from core import training_env
from core.i18n import tr
from core.runs.types import Run, Status
from core.training_env import Trainer

_MARGIN = 18
_ONE_AT_A_TIME = tr("A training is going on. Only one can run at a time.")


class RunsPage(QWidget):
    """A chooser of runs of ``recipe`` over the form, a run, or the way to a trainer where there is none.

    ``elsewhere``: nothing of this page goes on, but a run of that other recipe does.
    """

    elsewhere = Signal(str)

    def __init__(
        self, desk: Desk, recipe: str, form: RunForm, view: RunView[Any], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._desk, self._recipe = desk, recipe
        self._trainer: Trainer | None = None
        self._runs: dict[str, Run] = {}
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self._looked = self._closed = False
        self.audits = Choice()
        self.audits.setAccessibleName(tr("Audit"))
        self.audits.addItem(tr("New audit"), "")
        self.form = form
        self.missing = Missing(
            desk,
            tr(
                "Nothing on this computer can run a language model yet: PyTorch is not there. Set it up once, and "
                "models can be audited here. All else of Evenhand works without it, and earlier audits can be "
                "looked at."
            ),
        )
        self.view = view
        self._pages = QStackedWidget()
        self._areas: dict[QWidget, QScrollArea] = {}
        for page in (self.missing, self.form, self.view):
            self._areas[page] = _scrolled(page)
            self._pages.addWidget(self._areas[page])
        self._lay_out()
        self._connect()
        self._show_page()

    @property
    def page(self) -> QWidget:
        """What is shown: the form, an audit, or the way to a trainer."""
        return next(page for page, area in self._areas.items() if area is self._pages.currentWidget())

    def resume(self, run_id: str) -> None:
        """Go on with an audit that was paused, died or failed; one that is going on is shown."""
        self._desk.ask(lambda store: trainer_and_run(store, run_id), self._resume)

    def look(self) -> None:
        """See again what can run a model, and which audits there are."""
        self._desk.submit(training_env.trainer, self._trainer_known)
        if self._desk.outside.storing.failed:
            self.form.block(tr("The store cannot be opened, so no audit could be recorded."))
        self._desk.ask(known, self._known)

    def showEvent(self, event: QShowEvent) -> None:
        """Look whether something has changed meanwhile."""
        super().showEvent(event)
        if not event.spontaneous():
            self._closed = False
            self.look()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Follow and ask nothing any more, whatever is still on its way. An audit goes on."""
        self._closed = True
        self.form.stop()
        self.view.stop()
        super().closeEvent(event)

    def _lay_out(self) -> None:
        label = QLabel(tr("&Audit"))
        label.setBuddy(self.audits)
        row = QHBoxLayout()
        row.setContentsMargins(_MARGIN, _MARGIN, _MARGIN, 6)
        row.setSpacing(8)
        row.addWidget(label)
        row.addWidget(self.audits, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(row)
        column.addWidget(self._pages, 1)

    def _connect(self) -> None:
        self.audits.currentIndexChanged.connect(self._picked)
        self.form.start_asked.connect(self._start)
        self.missing.closed.connect(self.look)
        self.view.resume_asked.connect(self.resume)
        self.view.settled.connect(self.look)
        self._desk.runs_changed.connect(lambda: self._desk.ask(known, self._known))

    # What there is

    def _trainer_known(self, trainer: Trainer | None) -> None:
        if self._closed:
            return
        self._trainer = trainer
        if trainer is not None:
            self.form.set_trainer(trainer)
        self._show_page()

    def _known(self, found: Known) -> None:
        if self._closed:
            return
        audits = [run for run in found.runs if run.recipe == self._recipe]
        self._runs = self._not_recorded({run.id for run in audits}) | {run.id: run for run in audits}
        self._offer()
        self.form.offer_own(found)
        lives = any(run.status is Status.RUNNING for run in (*found.runs, *self._runs.values()))
        if not self._desk.outside.storing.failed:
            self.form.block(_ONE_AT_A_TIME if lives else "")
        living = next((run for run in audits if run.status is Status.RUNNING), None)
        if not self._looked and living is not None:
            self._pick(living.id)
        elif not self._looked:
            self._look_elsewhere(found)
        self._looked = True

    def _look_elsewhere(self, found: Known) -> None:
        other = next((run.recipe for run in found.runs if run.status is Status.RUNNING), "")
        if other:
            self.elsewhere.emit(other)

    def _not_recorded(self, recorded: Collection[str]) -> dict[str, Run]:
        """Audits that were started here and have said nothing yet, and one that is shown and never will."""
        shown = self.view.run
        here = dict(self._runs) | ({} if shown is None else {shown.id: shown})
        return {
            run_id: run
            for run_id, run in here.items()
            if run_id not in recorded and (self._is_starting(run_id) or run_id == self.audits.currentData())
        }

    def _is_starting(self, run_id: str) -> bool:
        process = self._processes.get(run_id)
        return process is not None and process.poll() is None

    def _offer(self) -> None:
        """Offer all audits; the one that is shown stays so."""
        chosen = self.audits.currentData()
        self.audits.blockSignals(True)
        while self.audits.count() > 1:
            self.audits.removeItem(1)
        for run in self._runs.values():
            self.audits.addItem(run_line(run), run.id)
        self.audits.setCurrentIndex(max(0, self.audits.findData(chosen)))
        self.audits.blockSignals(False)
        if self.audits.currentData() != chosen:
            self._picked()

    def _pick(self, run_id: str) -> None:
        self.audits.setCurrentIndex(max(0, self.audits.findData(run_id)))

    def _picked(self) -> None:
        run = self._runs.get(str(self.audits.currentData()))
        if run is None:
            self.look()
        elif self.view.run is None or (self.view.run.id, self.view.run.status) != (run.id, run.status):
            self.view.show_run(run, self._processes.get(run.id))
        elif self.view.lives:
            self.view.show_run(self.view.run, self._processes.get(run.id))
        self._show_page()

    def _show_page(self) -> None:
        if self.audits.currentData():
            page: QWidget = self.view
        else:
            page = self.form if self._trainer is not None else self.missing
        self._pages.setCurrentWidget(self._areas[page])

    # What a person does

    def _start(self, asked: Wanted) -> None:
        run = new_run(self._recipe, asked)
        self._begin(run, fresh(asked, run.id))

    def _resume(self, found: tuple[Trainer | None, Run | None]) -> None:
        self._trainer, run = found
        if self._closed:
            return
        if run is None:
            self._desk.told.emit(tr("There is no such run any more."))
        elif run.status is Status.RUNNING:
            self._runs[run.id] = run
            self._offer()
            self._pick(run.id)
        else:
            self._begin(replace(run, status=Status.RUNNING), going_on(run.recipe, run.id))

    def _begin(self, run: Run, arguments: list[str]) -> None:
        """Start the child of an audit, and show it."""
        failed = tr("The audit could not be started: {cause}.")
        process = launched(self._desk, self._trainer, run, arguments, failed=failed)
        if process is None:
            return
        self._processes[run.id] = process
        self._runs = {run.id: run} | {name: other for name, other in self._runs.items() if name != run.id}
        self.form.block(_ONE_AT_A_TIME)
        self.view.show_run(run, process)
        self._offer()
        self._pick(run.id)
        self._show_page()


def _scrolled(page: QWidget) -> QScrollArea:
    inside = QWidget()
    column = QVBoxLayout(inside)
    column.setContentsMargins(_MARGIN, 8, _MARGIN, _MARGIN)
    column.addWidget(page)
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setAccessibleName(tr("Audit"))
    area.setWidget(inside)
    return area
