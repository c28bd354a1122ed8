"""The base of the pages of the audit window: form, view of the selected run, and the list of earlier runs."""

from __future__ import annotations

import subprocess
from collections.abc import Collection
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QScrollArea, QStackedWidget, QWidget

from app.audit.audit_strings import run_summary
from app.audit.run_form import AuditRequestForm
from app.audit.run_queries import RunInventory, load_runs
from app.audit.run_view import AuditRunView
from app.models.app_context import AppContext
from app.runs.run_page import PageStrings, RunPage
from app.widgets.form_fields import ComboBox
from app.widgets.layouts import make_column, make_row, make_scroll_area
from app.widgets.plain_text import PlainLabel
from core.i18n import tr
from core.runs.types import Run, Status

_MARGIN = 18
_NEW_AUDIT = ("", tr("New audit"))
_RUN_ACTIVE = tr("A training run is in progress. Only one run at a time is possible.")


_TEXTS = PageStrings(
    trainer_missing=tr(
        "Training is not set up on this computer: PyTorch is missing. Set it up once to audit models here. "
        "Everything else in Evenhand works without it, and earlier audits can be viewed."
    ),
    store_error=tr("Evenhand’s database cannot be opened, so audits cannot be recorded."),
    start_error=tr("The audit could not be started: {cause}."),
)


class RunsPage(RunPage):
    """A list of the runs of ``recipe`` above the form, a run, or a hint where training is not set up.

    ``other_recipe_running``: no run of this page is running, but one of another recipe.
    """

    other_recipe_running = Signal(str)

    def __init__(
        self,
        context: AppContext,
        recipe: str,
        form: AuditRequestForm,
        view: AuditRunView[Any],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(context, form, view.progress, _TEXTS, parent)
        self._recipe = recipe
        self._runs: dict[str, Run] = {}
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self._loaded = False
        self.run_choice = ComboBox(tr("Audit"), [_NEW_AUDIT])
        self.form = form
        self.view = view
        self._pages = QStackedWidget()
        self._scroll_areas: dict[QWidget, QScrollArea] = {}
        for page in (self.trainer_missing, self.form, self.view):
            content = QWidget()
            make_column(page, parent=content, margins=(_MARGIN, 8, _MARGIN, _MARGIN))
            self._scroll_areas[page] = make_scroll_area(content, tr("Audit"))
            self._pages.addWidget(self._scroll_areas[page])
        self._lay_out()
        self._connect()
        self.show_page()

    @property
    def page(self) -> QWidget:
        """The visible page: the form, an audit, or the hint."""
        return next(page for page, area in self._scroll_areas.items() if area is self._pages.currentWidget())

    def load_runs(self) -> None:
        """Load all runs, and the models that were trained here."""
        self._context.ask(load_runs, self._set_runs)

    def _lay_out(self) -> None:
        label = PlainLabel(tr("&Audit"))
        label.setBuddy(self.run_choice)
        row = make_row(label, (self.run_choice, 1), spacing=8, margins=(_MARGIN, _MARGIN, _MARGIN, 6))
        make_column(row, (self._pages, 1), parent=self, spacing=0)

    def _connect(self) -> None:
        self.run_choice.currentIndexChanged.connect(self._run_chosen)
        self._context.runs_changed.connect(self.load_runs)

    # Trainer and runs

    def _set_runs(self, inventory: RunInventory) -> None:
        if self._closed:
            return
        audits = [run for run in inventory.runs if run.recipe == self._recipe]
        self._runs = self._unrecorded_runs({run.id for run in audits}) | {run.id: run for run in audits}
        self._update_choices()
        self.form.offer_trained(inventory)
        is_running = any(run.status is Status.RUNNING for run in (*inventory.runs, *self._runs.values()))
        self.block_form(_RUN_ACTIVE if is_running else "")
        running = next((run for run in audits if run.status is Status.RUNNING), None)
        if not self._loaded and running is not None:
            self._select(running.id)
        elif not self._loaded:
            self._offer_other_recipe(inventory)
        self._loaded = True

    def _offer_other_recipe(self, inventory: RunInventory) -> None:
        other = next((run.recipe for run in inventory.runs if run.status is Status.RUNNING), "")
        if other:
            self.other_recipe_running.emit(other)

    def _unrecorded_runs(self, recorded_ids: Collection[str]) -> dict[str, Run]:
        """Audits that were just started here and are not recorded yet, and a shown one that never was."""
        current = self.view.run
        known_runs = dict(self._runs) | ({} if current is None else {current.id: current})
        return {
            run_id: run
            for run_id, run in known_runs.items()
            if run_id not in recorded_ids
            and (self._is_starting(run_id) or run_id == self.run_choice.currentData())
        }

    def _is_starting(self, run_id: str) -> bool:
        process = self._processes.get(run_id)
        return process is not None and process.poll() is None

    def _update_choices(self) -> None:
        """Offer all audits; the choice stays."""
        chosen = self.run_choice.currentData()
        runs = [(run.id, run_summary(run)) for run in self._runs.values()]
        self.run_choice.set_choices([_NEW_AUDIT, *runs])
        if self.run_choice.currentData() != chosen:
            self._run_chosen()

    def _select(self, run_id: str) -> None:
        self.run_choice.setCurrentIndex(max(0, self.run_choice.findData(run_id)))

    def _run_chosen(self) -> None:
        run = self._runs.get(str(self.run_choice.currentData()))
        if run is None:
            self.refresh()
        elif self.view.run is None or (self.view.run.id, self.view.run.status) != (run.id, run.status):
            self.view.show_run(run, self._processes.get(run.id))
        elif self.view.is_running:
            self.view.show_run(self.view.run, self._processes.get(run.id))
        self.show_page()

    def show_page(self) -> None:
        """Show the selected audit, the form, or the hint."""
        if self.run_choice.currentData():
            page: QWidget = self.view
        else:
            page = self.form if self._trainer is not None else self.trainer_missing
        self._pages.setCurrentWidget(self._scroll_areas[page])

    def show_running(self, run: Run) -> None:
        """Show a running audit."""
        self._runs[run.id] = run
        self._update_choices()
        self._select(run.id)

    def show_started(self, run: Run, process: subprocess.Popen[bytes]) -> None:
        """Show an audit that was just started or resumed."""
        self._processes[run.id] = process
        self._runs = {run.id: run} | {name: other for name, other in self._runs.items() if name != run.id}
        self.form.set_blocked(_RUN_ACTIVE)
        self.view.show_run(run, process)
        self._update_choices()
        self._select(run.id)
        self.show_page()
