"""The history of training runs: a table to sort and filter, and below it what is known of the chosen ones."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QShowEvent
from PySide6.QtWidgets import QFileDialog, QMessageBox, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from app.background.jobs import said
from app.models.app_context import Desk
from app.runs.run_details import RunDetails, SeveralRuns
from app.runs.run_status import short, title
from app.runs.run_table import RunsTable
from app.runs.store_queries import Told, delete_runs, export_run, list_runs, read_runs
from app.widgets.flow_layout import FlowRow
from app.widgets.form_fields import button
from app.widgets.labels import WrapLabel
from core.i18n import ntr, tr
from core.runs.folder import RunError
from core.runs.types import Run, Status

if TYPE_CHECKING:
    from PySide6.QtCore import SignalInstance

_EMPTY = tr(
    "No runs yet. Choose what to train under Retrain and press the Retrain button: the run is then listed here, with "
    "its curves, its figures and the model that it made."
)
_NONE_CHOSEN = tr("Choose a run to see its curves and figures, or several to compare them.")
_NAMED = 5
_PAUSE_MS = 60
"""How long a choice rests before its runs are read: holding an arrow key reads none of those passed by."""


class History(QWidget):
    """All runs. ``use_asked`` and ``resume_asked`` carry the id of a run."""

    use_asked = Signal(str)
    resume_asked = Signal(str)

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._told: list[Told] = []
        self._wanted = ""
        self._resting = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._resting.timeout.connect(self._read_chosen)
        self.table = RunsTable()
        self.one, self.several, self._hint = RunDetails(), SeveralRuns(), WrapLabel(muted=True)
        self._placeholder = WrapLabel(muted=True)
        self.buttons = {
            "use": button(tr("Use &this model"), self._emit(self.use_asked)),
            "resume": button(
                tr("Re&sume"), self._emit(self.resume_asked), tip=tr("Goes on from the last checkpoint")
            ),
            "export": button(
                tr("E&xport…"),
                self._export,
                tip=tr("Writes all of the run but its weights into one zip file"),
            ),
            "folder": button(tr("Open &folder"), self._open_folder),
            "delete": button(
                tr("&Delete…"), self._delete, tip=tr("Removes the chosen runs and their folders")
            ),
        }
        self._lay_out()
        self.table.choice_changed.connect(self._choice_changed)
        self.table.delete_asked.connect(self._delete)
        desk.runs_changed.connect(self._runs_changed)
        self._show_state(tr("Reading the runs…"))
        self._enable()

    @property
    def state(self) -> str:
        """What is said in place of the table; empty while there is one."""
        return self._placeholder.accessibleName()

    @property
    def details(self) -> list[Run]:
        """The runs whose details are shown."""
        return [one.run for one in self._told]

    def refresh(self) -> None:
        """Read the list anew; what is chosen, sorted and filtered stays so."""
        if self._desk.outside.storing.failed:
            self._show_state(tr("The store cannot be opened, so no runs can be shown."))
        else:
            self._desk.ask(list_runs, self._show_runs, lambda error: self._show_state(_words(error)))

    def show_run(self, run_id: str) -> None:
        """Choose a run, also one that is not listed yet or filtered out, and show its details."""
        self._wanted = run_id
        self.table.bar.show_all()
        self.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        """Look at what has changed meanwhile."""
        super().showEvent(event)
        if not event.spontaneous():
            self.refresh()

    def _runs_changed(self) -> None:
        if self.isVisible():
            self.refresh()

    def _show_runs(self, runs: list[Run]) -> None:
        self.table.show_runs(runs)
        if self._wanted in {run.id for run in runs}:
            self.table.choose({self._wanted})
            self._wanted = ""
        self._show_state("" if runs else _EMPTY)

    # What is chosen

    def _choice_changed(self) -> None:
        self._enable()
        self._resting.start()

    def _read_chosen(self) -> None:
        chosen = self.table.chosen
        self._desk.ask(
            lambda store: read_runs(store, chosen),
            lambda told: self._show_told(chosen, told),
            lambda error: self._desk.told.emit(_words(error)),
        )

    def _show_told(self, asked: list[Run], told: list[Told]) -> None:
        if asked != self.table.chosen:
            return
        self._told = told
        if len(told) == 1:
            self.one.show_run(told[0])
        elif told:
            self.several.show_runs(told)
        self._details.setCurrentWidget(
            self._hint if not told else self.one if len(told) == 1 else self.several
        )
        self._enable()

    def _enable(self) -> None:
        chosen = self.table.chosen
        alone = chosen[0] if len(chosen) == 1 else None
        known = alone is not None and self.details == [alone]
        finished = alone is not None and alone.status is Status.FINISHED
        self.buttons["use"].setEnabled(finished and known and self._told[0].bundle)
        again = alone is not None and alone.status in (Status.PAUSED, Status.DIED)
        self.buttons["resume"].setEnabled(again)
        for name in ("export", "folder"):
            self.buttons[name].setEnabled(alone is not None)
        running = any(run.status is Status.RUNNING for run in chosen)
        self.buttons["delete"].setEnabled(bool(chosen) and not running)

    # What a person does

    def _emit(self, signal: SignalInstance) -> Callable[[], None]:
        return lambda: signal.emit(self.table.chosen[0].id)

    def _export(self) -> None:
        run = self.table.chosen[0]
        path, _ = QFileDialog.getSaveFileName(
            self, tr("Export a run"), f"{run.recipe}-{short(run)}.zip", tr("Zip files (*.zip)")
        )
        if path:
            done = tr("The run is in {path}.").format(path=path)
            self._desk.ask(
                lambda store: export_run(store, run, Path(path)),
                lambda _: self._desk.told.emit(done),
                lambda error: self._desk.told.emit(_words(error)),
            )

    def _open_folder(self) -> None:
        folder = self.table.chosen[0].folder
        if not folder.is_dir():
            self._desk.told.emit(tr("The folder of this run is not there any more."))
        elif not QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder))):
            self._desk.told.emit(tr("Nothing here opens folders. It is {path}.").format(path=folder))

    def _delete(self) -> None:
        chosen = self.table.chosen
        if not self.buttons["delete"].isEnabled():
            return
        if self._is_sure(chosen):
            self._desk.ask(
                lambda store: delete_runs(store, chosen),
                self._deleted,
                lambda error: self._desk.told.emit(_words(error)),
            )

    def _is_sure(self, chosen: list[Run]) -> bool:
        asked = ntr(
            "Delete this run with its folder, its checkpoints and its model?",
            "Delete these {n} runs with their folders, checkpoints and models?",
            len(chosen),
        ).format(n=len(chosen))
        stays = tr("Models that were taken into use stay. This cannot be undone.")
        named = [title(run) for run in chosen[:_NAMED]] + ["…"] * (len(chosen) > _NAMED)
        text = "\n\n".join((asked, "\n".join(named), stays))
        answer = QMessageBox.question(self, tr("Delete runs"), text)
        return answer == QMessageBox.StandardButton.Yes

    def _deleted(self, problems: list[str]) -> None:
        for problem in problems:
            self._desk.told.emit(problem)
        self._desk.runs_changed.emit()

    # Building

    def _lay_out(self) -> None:
        for label in (self._hint, self._placeholder):
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            label.setContentsMargins(16, 16, 16, 16)
        self._hint.setText(_NONE_CHOSEN)
        row = FlowRow()
        row.add(list(self.buttons.values()))
        upper = QWidget()
        column = QVBoxLayout(upper)
        column.setContentsMargins(0, 0, 0, 4)
        column.addWidget(self.table, 1)
        column.addWidget(row)
        self._details = QStackedWidget()
        for page in (self._hint, self.one, self.several):
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
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._pages)

    def _show_state(self, text: str) -> None:
        self._placeholder.setText(text)
        self._pages.setCurrentIndex(0 if text else 1)


def _words(error: Exception) -> str:
    return str(error) if isinstance(error, RunError) else said(error)
