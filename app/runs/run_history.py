"""The history of runs: a table to sort and filter, and the details of the selected runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QShowEvent
from PySide6.QtWidgets import QFileDialog, QMessageBox, QSplitter, QStackedWidget, QWidget

from app.background.jobs import describe_error
from app.models.app_context import AppContext
from app.runs.run_details import RunComparisonView, RunDetails
from app.runs.run_status import run_summary, short_id
from app.runs.run_table import RunsTable
from app.runs.store_queries import RunRecord, delete_runs, export_run, list_runs, read_runs
from app.widgets.flow_layout import FlowRow
from app.widgets.form_fields import make_button
from app.widgets.labels import make_placeholder
from app.widgets.layouts import make_column
from app.widgets.plain_text import plain_text
from core.i18n import ntr, tr
from core.runs.folder import RunError
from core.runs.types import Run, Status

if TYPE_CHECKING:
    from PySide6.QtCore import SignalInstance

_EMPTY = tr(
    "No runs yet. Choose what to train under “Train” and press the Train button. The run is then "
    "listed here with its curves, metrics and model."
)
_NOTHING_SELECTED = tr("Select a run to see its curves and metrics, or several to compare them.")
_MAX_NAMED = 5
_SELECTION_DELAY_MS = 60
"""Delay before the selected runs are loaded, so that moving through the list loads none in between."""


class RunHistory(QWidget):
    """All runs. ``use_requested`` and ``resume_requested`` carry the id of a run."""

    use_requested = Signal(str)
    resume_requested = Signal(str)

    def __init__(self, context: AppContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._records: list[RunRecord] = []
        self._pending_selection = ""
        self._selection_timer = QTimer(self, singleShot=True, interval=_SELECTION_DELAY_MS)
        self._selection_timer.timeout.connect(self._read_selected)
        self.table = RunsTable()
        self.run_details, self.comparison = RunDetails(), RunComparisonView()
        self._hint, self._placeholder = make_placeholder(_NOTHING_SELECTED), make_placeholder()
        self.buttons = {
            "use": make_button(tr("Use &this model"), self._emit(self.use_requested)),
            "resume": make_button(
                tr("Re&sume"), self._emit(self.resume_requested), tip=tr("Continues from the last checkpoint")
            ),
            "export": make_button(
                tr("E&xport…"),
                self._export,
                tip=tr("Writes the run without its weights to a zip file"),
            ),
            "folder": make_button(tr("Open &folder"), self._open_folder),
            "delete": make_button(
                tr("&Delete…"), self._delete, tip=tr("Deletes the selected runs and their folders")
            ),
        }
        self._lay_out()
        self.table.selection_changed.connect(self._selection_changed)
        self.table.deletion_requested.connect(self._delete)
        context.runs_changed.connect(self._runs_changed)
        self._show_placeholder(tr("Loading the runs…"))
        self._update_buttons()

    @property
    def placeholder_text(self) -> str:
        """The message shown in place of the table; empty while there is one."""
        return self._placeholder.accessibleName()

    @property
    def details(self) -> list[Run]:
        """The runs whose details are shown."""
        return [record.run for record in self._records]

    def refresh(self) -> None:
        """Load the list again; selection, order and filters stay."""
        if self._context.services.store_access.failed:
            self._show_placeholder(tr("Evenhand’s database cannot be opened, so no runs can be shown."))
        else:
            self._context.ask(
                list_runs, self._show_runs, lambda error: self._show_placeholder(_error_message(error))
            )

    def show_run(self, run_id: str) -> None:
        """Select a run, even if it is filtered out, and show its details."""
        self._pending_selection = run_id
        self.table.filter_bar.clear_filters()
        self.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        """Refresh."""
        super().showEvent(event)
        if not event.spontaneous():
            self.refresh()

    def _runs_changed(self) -> None:
        if self.isVisible():
            self.refresh()

    def _show_runs(self, runs: list[Run]) -> None:
        self.table.show_runs(runs)
        if self._pending_selection in {run.id for run in runs}:
            self.table.select({self._pending_selection})
            self._pending_selection = ""
        self._show_placeholder("" if runs else _EMPTY)

    # Selection

    def _selection_changed(self) -> None:
        self._update_buttons()
        self._selection_timer.start()

    def _read_selected(self) -> None:
        selected = self.table.selected
        self._context.ask(
            lambda store: read_runs(store, selected),
            lambda message: self._show_records(selected, message),
            lambda error: self._context.message.emit(_error_message(error)),
        )

    def _show_records(self, question: list[Run], message: list[RunRecord]) -> None:
        if question != self.table.selected:
            return
        self._records = message
        if len(message) == 1:
            self.run_details.show_run(message[0])
        elif message:
            self.comparison.show_runs(message)
        self._details.setCurrentWidget(
            self._hint if not message else self.run_details if len(message) == 1 else self.comparison
        )
        self._update_buttons()

    def _update_buttons(self) -> None:
        selected = self.table.selected
        single = selected[0] if len(selected) == 1 else None
        is_loaded = single is not None and self.details == [single]
        finished = single is not None and single.status is Status.FINISHED
        self.buttons["use"].setEnabled(finished and is_loaded and self._records[0].bundle)
        can_resume = single is not None and single.status in (Status.PAUSED, Status.DIED)
        self.buttons["resume"].setEnabled(can_resume)
        for name in ("export", "folder"):
            self.buttons[name].setEnabled(single is not None)
        running = any(run.status is Status.RUNNING for run in selected)
        self.buttons["delete"].setEnabled(bool(selected) and not running)

    # Commands

    def _emit(self, signal: SignalInstance) -> Callable[[], None]:
        return lambda: signal.emit(self.table.selected[0].id)

    def _export(self) -> None:
        run = self.table.selected[0]
        path, _ = QFileDialog.getSaveFileName(
            self, tr("Export a run"), f"{run.recipe}-{short_id(run)}.zip", tr("Zip files (*.zip)")
        )
        if path:
            done = tr("The run was exported to {path}.").format(path=path)
            self._context.ask(
                lambda store: export_run(store, run, Path(path)),
                lambda _: self._context.message.emit(done),
                lambda error: self._context.message.emit(_error_message(error)),
            )

    def _open_folder(self) -> None:
        folder = self.table.selected[0].folder
        if not folder.is_dir():
            self._context.message.emit(tr("The folder of this run no longer exists."))
        elif not QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder))):
            self._context.message.emit(tr("The folder could not be opened: {path}").format(path=folder))

    def _delete(self) -> None:
        selected = self.table.selected
        if not self.buttons["delete"].isEnabled():
            return
        if self._confirm_deletion(selected):
            self._context.ask(
                lambda store: delete_runs(store, selected),
                self._deleted,
                lambda error: self._context.message.emit(_error_message(error)),
            )

    def _confirm_deletion(self, selected: list[Run]) -> bool:
        question = ntr(
            "Delete this run with its folder, its checkpoints and its model?",
            "Delete these {n} runs with their folders, checkpoints and models?",
            len(selected),
        ).format(n=len(selected))
        note = tr("Models that are installed are kept. This cannot be undone.")
        names = [run_summary(run) for run in selected[:_MAX_NAMED]] + ["…"] * (len(selected) > _MAX_NAMED)
        text = "\n\n".join((question, "\n".join(names), note))
        answer = QMessageBox.question(self, tr("Delete runs"), plain_text(text))
        return answer == QMessageBox.StandardButton.Yes

    def _deleted(self, problems: list[str]) -> None:
        for problem in problems:
            self._context.message.emit(problem)
        self._context.runs_changed.emit()

    # Building

    def _lay_out(self) -> None:
        row = FlowRow(*self.buttons.values())
        upper = QWidget()
        make_column((self.table, 1), row, parent=upper, margins=(0, 0, 0, 4))
        self._details = QStackedWidget()
        for page in (self._hint, self.run_details, self.comparison):
            self._details.addWidget(page)
        split = QSplitter(Qt.Orientation.Vertical)
        split.setChildrenCollapsible(False)
        split.setHandleWidth(9)
        split.addWidget(upper)
        split.addWidget(self._details)
        split.setStretchFactor(0, 2)
        split.setStretchFactor(1, 3)
        self._pages = QStackedWidget()
        self._pages.addWidget(self._placeholder)
        self._pages.addWidget(split)
        make_column(self._pages, parent=self)

    def _show_placeholder(self, text: str) -> None:
        self._placeholder.setText(text)
        self._pages.setCurrentIndex(0 if text else 1)


def _error_message(error: Exception) -> str:
    return str(error) if isinstance(error, RunError) else describe_error(error)
