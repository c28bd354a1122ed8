"""One run as it goes: what is done, how much is there, time left, and what can be done with it."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import replace
from typing import Literal

from PySide6.QtCore import QUrl, Signal, SignalInstance
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QMessageBox, QProgressBar, QVBoxLayout, QWidget

from app.audit import run_words
from app.audit.run_words import Telling
from app.parts.labels import WrapLabel, scaled
from app.training.child_follow import Follower
from app.training.child_start import clear_away, last_line
from app.training.desk import Desk
from app.training.flow_row import FlowRow
from app.training.retrain_fields import button
from core.language import tr
from core.runs.folder import log_tail, order
from core.runs.model import LOG, Run, Status
from core.store.store import Store

_AGAIN = (Status.PAUSED, Status.DIED, Status.FAILED)


class RunProgress(QWidget):
    """``grown``: the run said something. ``settled``: it has ended, and how is known.

    ``resume_asked`` carries its id.
    """

    grown = Signal()
    settled = Signal()
    resume_asked = Signal(str)

    def __init__(self, desk: Desk, telling: Telling, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk, self._telling = desk, telling
        self.run: Run | None = None
        self._ordered = self._not_begun = ""
        self._announced = False
        self._counted = (0, 0, 0.0)
        self.follower = Follower(self)
        self.follower.grown.connect(self._grown)
        self.follower.ended.connect(self._ended)
        self._title, self._state, self._where, self._left = (WrapLabel() for _ in range(4))
        self._title.setFont(scaled(self.font(), 1.1, bold=True))
        self._state.setFont(scaled(self.font(), 1.0, bold=True))
        self.bar = QProgressBar()
        self.bar.setAccessibleName(telling.counted)
        self._lives_on = WrapLabel(muted=True)
        self._lives_on.setText(
            tr("The audit goes on when this window or Evenhand is closed; open the window again to see it.")
        )
        self.buttons = {
            "pause": button(tr("Pause"), self._pause, tip=tr("Keeps what is there and ends the process")),
            "cancel": button(tr("Cancel…"), self._cancel, tip=tr("Ends the audit for good")),
            "resume": button(tr("Resume"), self._emit(self.resume_asked)),
            "log": button(tr("Open the log"), self._open_log),
        }
        self._lay_out()

    @property
    def lives(self) -> bool:
        """Whether the audit that is shown is going on."""
        return self.run is not None and self.run.status is Status.RUNNING

    @property
    def state(self) -> str:
        """How the audit stands, as shown."""
        return self._state.accessibleName()

    @property
    def left(self) -> str:
        """How much is there and how long the rest takes, as shown."""
        return self._left.accessibleName() if not self._left.isHidden() else ""

    def show_run(self, run: Run, process: subprocess.Popen[bytes] | None = None) -> None:
        """Show this audit, and follow it while it lives; ``process`` where this app has just started it."""
        self.run, self._ordered, self._not_begun = run, "", ""
        self._announced, self._counted = False, (0, 0, 0.0)
        self._title.setText(run_words.run_title(run))
        self.follower.stop()
        if self.lives:
            self.follower.follow(run, process)
        self._refresh()

    def stop(self) -> None:
        """Follow nothing any more; the audit goes on."""
        self.follower.stop()

    def _lay_out(self) -> None:
        self._row = FlowRow()
        self._row.add(list(self.buttons.values()))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        for widget in (
            self._title,
            self._state,
            self._where,
            self.bar,
            self._left,
            self._row,
            self._lives_on,
        ):
            column.addWidget(widget)

    # What is shown

    def _grown(self) -> None:
        if not self._announced:
            self._announced = True
            self._desk.runs_changed.emit()
        progress = self.follower.progress
        if self._telling.counts(progress):
            self._counted = (progress.step, progress.steps, progress.eta_s)
        self._refresh()
        self.grown.emit()

    def _refresh(self) -> None:
        run = self.run
        if run is None:
            return
        lives, ordered = self.lives, {"pause": tr("Pausing…"), "cancel": tr("Cancelling…")}
        self._state.setText(ordered.get(self._ordered, tr("Running")) if lives else self._outcome(run))
        step, steps, eta_s = self._counted
        self._where.setText(self._telling.stage(self.follower.progress))
        self._left.setText(run_words.done(self._telling, step, steps, eta_s) if steps else "")
        self.bar.setRange(0, steps)
        self.bar.setValue(step)
        for widget, there in (
            (self._where, lives),
            (self.bar, lives),
            (self._left, lives and steps > 0),
            (self._lives_on, lives),
        ):
            widget.setVisible(there)
        self._offer(run)

    def _offer(self, run: Run) -> None:
        log = run.folder / LOG
        shown = {
            "pause": self.lives,
            "cancel": self.lives,
            "resume": run.status in _AGAIN and not self._not_begun,
            "log": log.is_file() and log.stat().st_size > 0,
        }
        for name, one in self.buttons.items():
            one.setVisible(shown[name])
        self._row.setVisible(any(shown.values()))
        for name in ("pause", "cancel"):
            self.buttons[name].setEnabled(self.follower.progress.started and not self._ordered)

    def _outcome(self, run: Run) -> str:
        if self._not_begun:
            return tr("It could not be started: {problem}").format(problem=self._not_begun)
        return run_words.outcome(run)

    # What a person does

    def _emit(self, signal: SignalInstance) -> Callable[[], None]:
        return lambda: signal.emit(self.run.id) if self.run is not None else None

    def _pause(self) -> None:
        self._order("pause")

    def _cancel(self) -> None:
        asked = tr("Cancel this audit? What it has measured so far stays to be seen, but it cannot go on.")
        answer = QMessageBox.question(self, tr("Cancel the audit"), asked)
        if answer == QMessageBox.StandardButton.Yes and self.lives:
            self._order("cancel")

    def _order(self, what: Literal["pause", "cancel"]) -> None:
        run = self.run
        if run is None:
            return
        self._ordered = what
        self._refresh()
        self._desk.submit(lambda: order(run, what), failed=self._not_ordered)

    def _not_ordered(self, error: Exception) -> None:
        self._ordered = ""
        self._refresh()
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
        """How the audit that has ended stands in the store; None where it never recorded itself."""
        run = self.run
        if run is None or (found is not None and found.id != run.id):
            return
        if found is None:
            self._not_begun = last_line(log_tail(run)) or tr("it ended without a word.")
            clear_away(run.folder)
            found = replace(run, status=Status.FAILED, message=self._not_begun)
        self.run = found
        self._refresh()
        self._desk.runs_changed.emit()
        self.settled.emit()

    def _unknown(self, error: Exception) -> None:
        self._desk.told.emit(str(error))


def _settled(store: Store, run: Run) -> Run | None:
    from core.runs.runs import Runs

    runs = Runs(store)
    runs.mark_died()
    return runs.get(run.id)
