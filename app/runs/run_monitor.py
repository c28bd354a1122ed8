"""A run that is shown while it goes: followed, paused, cancelled, and what became of it."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import replace
from typing import Literal

from PySide6.QtCore import QUrl, Signal, SignalInstance
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QMessageBox, QWidget

from app.models.app_context import Desk
from app.runs.run_process import clear_away, last_line
from app.runs.run_progress import Follower
from core.i18n import tr
from core.runs.folder import log_tail, order
from core.runs.types import LOG, Run, Status
from core.storage.store import Store

_AGAIN = (Status.PAUSED, Status.DIED, Status.FAILED)


class LivingRun(QWidget):
    """``stood``: how the run stands is to be shown anew. ``settled``: it has ended, and how is known.

    ``resume_asked`` carries its id. ``cancel_title`` and ``cancel_question`` are asked before it is ended for good.
    """

    stood = Signal()
    settled = Signal()
    resume_asked = Signal(str)

    def __init__(
        self, desk: Desk, *, cancel_title: str, cancel_question: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._desk = desk
        self._cancel_words = (cancel_title, cancel_question)
        self.run: Run | None = None
        self._ordered = self._not_begun = ""
        self._announced = False
        self.follower = Follower(self)
        self.follower.grown.connect(self._announce)
        self.follower.ended.connect(self._ended)

    @property
    def lives(self) -> bool:
        """Whether the run that is shown is going on."""
        return self.run is not None and self.run.status is Status.RUNNING

    def stop(self) -> None:
        """Follow nothing any more; the run goes on."""
        self.follower.stop()

    def _begin(self, run: Run, process: subprocess.Popen[bytes] | None) -> None:
        """Show this run from now on; ``process`` where this app has just started it."""
        self.run, self._ordered, self._not_begun = run, "", ""
        self._announced = False
        self.follower.follow(run, process)

    def _announce(self) -> None:
        """The first that it says is that it is recorded."""
        if not self._announced:
            self._announced = True
            self._desk.runs_changed.emit()

    def _can_go_on(self) -> bool:
        return self.run is not None and self.run.status in _AGAIN and not self._not_begun

    def _has_log(self) -> bool:
        log = None if self.run is None else self.run.folder / LOG
        return log is not None and log.is_file() and log.stat().st_size > 0

    # What a person does

    def _emit(self, signal: SignalInstance) -> Callable[[], None]:
        return lambda: signal.emit(self.run.id) if self.run is not None else None

    def _pause(self) -> None:
        self._order("pause")

    def _cancel(self) -> None:
        answer = QMessageBox.question(self, *self._cancel_words)
        if answer == QMessageBox.StandardButton.Yes and self.lives:
            self._order("cancel")

    def _order(self, what: Literal["pause", "cancel"]) -> None:
        run = self.run
        if run is None:
            return
        self._ordered = what
        self.stood.emit()
        self._desk.submit(lambda: order(run, what), failed=self._not_ordered)

    def _not_ordered(self, error: Exception) -> None:
        self._ordered = ""
        self.stood.emit()
        if self.lives:
            self._desk.told.emit(str(error))

    def _open_log(self) -> None:
        if self.run is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self.run.folder / LOG)))

    # How it ends

    def _ended(self) -> None:
        run = self.run
        if run is not None:
            self._desk.ask(lambda store: _settled(store, run), self._known, self._unknown)

    def _known(self, found: Run | None) -> None:
        """How the run that has ended stands in the store; None where it never recorded itself."""
        run = self.run
        if run is None or (found is not None and found.id != run.id):
            return
        if found is None:
            self._not_begun = last_line(log_tail(run)) or tr("it ended without a word.")
            clear_away(run.folder)
            found = replace(run, status=Status.FAILED, message=self._not_begun)
        self.run = found
        self.stood.emit()
        self._desk.runs_changed.emit()
        self.settled.emit()

    def _unknown(self, error: Exception) -> None:
        """The store does not say how it ended: nothing is known but that it is gone."""
        self._desk.told.emit(str(error))
        if self.run is not None:
            self._known(replace(self.run, status=Status.DIED))


def _settled(store: Store, run: Run) -> Run | None:
    from core.runs.run_store import Runs

    runs = Runs(store)
    runs.mark_died()
    return runs.get(run.id)
