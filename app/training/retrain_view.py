"""One training as it goes: stage, bar, time left, charts, log, and what can be done with it."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import replace
from typing import Literal

from PySide6.QtCore import QUrl, Signal, SignalInstance
from PySide6.QtGui import QDesktopServices, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QLabel, QMessageBox, QProgressBar, QVBoxLayout, QWidget

from app.parts.flow_layout import FlowLayout
from app.parts.labels import WrapLabel, scaled
from app.training.child_follow import Follower
from app.training.child_progress import Line, LogLine
from app.training.child_start import clear_away, last_line
from app.training.curves import Curves, Series
from app.training.desk import Desk
from app.training.retrain_fields import button
from app.training.retrain_log import LogView
from app.training.retrain_words import outcome, results, run_title, time_left, where
from core.language import tr
from core.runs.folder import has_bundle, log_tail, order
from core.runs.model import LOG, Run, Status
from core.store.store import Store

_NARROW = 560
_MOST_SCORES = 6
_AGAIN = (Status.PAUSED, Status.DIED, Status.FAILED)


class RunView(QWidget):
    """Shows one run, living or ended. ``settled``: it has ended, and how is known.

    ``resume_asked``, ``use_asked``, ``show_asked`` carry its id; ``form_asked``: the person wants to see the form.
    """

    settled = Signal()
    resume_asked = Signal(str)
    use_asked = Signal(str)
    show_asked = Signal(str)
    form_asked = Signal()

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self.run: Run | None = None
        self._announced = False
        self._ordered = ""
        self._not_begun = ""
        self.follower = Follower(self)
        self.follower.grown.connect(self._grown)
        self.follower.ended.connect(self._ended)
        self._title = WrapLabel()
        self._title.setFont(scaled(self.font(), 1.1, bold=True))
        self._state, self._where, self._left = WrapLabel(), WrapLabel(), QLabel()
        self._state.setFont(scaled(self.font(), 1.0, bold=True))
        self.bar = QProgressBar()
        self.bar.setAccessibleName(tr("Steps of this stage"))
        self.loss = Curves(title=tr("Loss on the training data"))
        self.scores = Curves(title=tr("Scores on the dev data"))
        self.log = LogView()
        self._results = WrapLabel()
        self._lives_on = WrapLabel(muted=True)
        self._lives_on.setText(
            tr("The training goes on when this window or Evenhand is closed; open this page again to see it.")
        )
        self.buttons = {
            "pause": button(tr("Pause"), self._pause, tip=tr("Saves a checkpoint and ends the process")),
            "cancel": button(tr("Cancel…"), self._cancel, tip=tr("Ends the training for good")),
            "resume": button(tr("Resume"), self._emit(self.resume_asked)),
            "use": button(tr("Use this model"), self._emit(self.use_asked)),
            "show": button(tr("Show in runs"), self._emit(self.show_asked)),
            "log": button(tr("Open the log"), self._open_log),
            "form": button(tr("New training"), self.form_asked.emit),
        }
        self._lay_out()

    @property
    def lives(self) -> bool:
        """Whether the run that is shown is going on."""
        return self.run is not None and self.run.status is Status.RUNNING

    @property
    def state(self) -> str:
        """How the run stands, as shown."""
        return self._state.accessibleName()

    @property
    def where(self) -> str:
        """The stage and step, as shown."""
        return self._where.accessibleName()

    @property
    def results(self) -> str:
        """What came out, as shown."""
        return self._results.accessibleName() if not self._results.isHidden() else ""

    def show_run(self, run: Run, process: subprocess.Popen[bytes] | None = None) -> None:
        """Show this run and follow it; ``process`` where this app has just started it."""
        self.run, self._ordered, self._not_begun = run, "", ""
        self._announced = False
        self._title.setText(run_title(run))
        self.follower.follow(run, process)
        self._draw()
        self._refresh()

    def stop(self) -> None:
        """Follow nothing any more; the training goes on."""
        self.follower.stop()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is little width, the charts stand below each other."""
        super().resizeEvent(event)
        ways = QBoxLayout.Direction
        self._charts.setDirection(ways.TopToBottom if self.width() < _NARROW else ways.LeftToRight)

    def _lay_out(self) -> None:
        self._charts = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._charts.setSpacing(16)
        self._charts.addWidget(self.loss, 1)
        self._charts.addWidget(self.scores, 1)
        buttons = QWidget()
        row = FlowLayout(spacing=6)
        buttons.setLayout(row)
        for one in self.buttons.values():
            row.addWidget(one)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        for widget in (
            self._title,
            self._state,
            self._results,
            self._where,
            self.bar,
            self._left,
            buttons,
            self._lives_on,
        ):
            column.addWidget(widget)
        column.addLayout(self._charts, 1)
        column.addWidget(self.log)

    # What is shown

    def _grown(self) -> None:
        if not self._announced:
            self._announced = True
            self._desk.runs_changed.emit()
        self._draw()
        self._refresh()

    def _draw(self) -> None:
        progress = self.follower.progress
        self.loss.show_series([_series(name, line) for name, line in progress.losses.items()])
        scores = [*progress.scores.items()][:_MOST_SCORES]
        self.scores.show_series([_series(name.replace("_", " "), line) for name, line in scores])
        self.log.show_lines(progress.log)

    def _refresh(self) -> None:
        run, progress = self.run, self.follower.progress
        if run is None:
            return
        lives, words = self.lives, {"pause": tr("Pausing…"), "cancel": tr("Cancelling…")}
        self._state.setText(words.get(self._ordered, tr("Running")) if lives else self._outcome(run))
        self._where.setText(where(progress) if lives or progress.stage else "")
        self._where.setVisible(bool(self._where.text()))
        self._left.setText(time_left(progress) if lives else "")
        self._left.setVisible(bool(self._left.text()))
        self.bar.setVisible(lives or progress.steps > 0)
        self.bar.setRange(0, progress.steps if progress.steps or not lives else 0)
        self.bar.setValue(min(progress.step, progress.steps))
        told = results(run.result) if run.status is Status.FINISHED else []
        self._results.setText("  ·  ".join(f"{name} {value}" for name, value in told))
        self._results.setVisible(bool(told))
        self._lives_on.setVisible(lives)
        self._offer(run)

    def _offer(self, run: Run) -> None:
        lives, known = self.lives, not self._not_begun
        shown = {
            "pause": lives,
            "cancel": lives,
            "resume": run.status in _AGAIN and known,
            "use": run.status is Status.FINISHED and has_bundle(run),
            "show": not lives and known,
            "log": (run.folder / LOG).is_file() and (run.folder / LOG).stat().st_size > 0,
            "form": True,
        }
        for name, one in self.buttons.items():
            one.setVisible(shown[name])
        for name in ("pause", "cancel"):
            self.buttons[name].setEnabled(self.follower.progress.started and not self._ordered)
        self.buttons["form"].setText(tr("Show the form") if lives else tr("New training"))

    def _outcome(self, run: Run) -> str:
        if self._not_begun:
            return tr("It could not be started: {problem}").format(problem=self._not_begun)
        return outcome(run)

    # What a person does

    def _emit(self, signal: SignalInstance) -> Callable[[], None]:
        return lambda: signal.emit(self.run.id) if self.run is not None else None

    def _pause(self) -> None:
        self._order("pause")

    def _cancel(self) -> None:
        asked = tr(
            "Cancel this training? What it has learnt so far is lost. The model in use stays as it is."
        )
        answer = QMessageBox.question(self, tr("Cancel the training"), asked)
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
        """How the run that has ended stands in the store; None where it never recorded itself."""
        run = self.run
        if run is None or (found is not None and found.id != run.id):
            return
        if found is None:
            self._not_begun = last_line(log_tail(run)) or tr("it ended without a word.")
            clear_away(run.folder)
            found = replace(run, status=Status.FAILED, message=self._not_begun)
            self.log.show_lines([LogLine("error", self._not_begun)])
        self.run = found
        self._refresh()
        self._desk.runs_changed.emit()
        self.settled.emit()

    def _unknown(self, error: Exception) -> None:
        self._desk.told.emit(str(error))
        self._known(replace(self.run, status=Status.DIED) if self.run is not None else None)


def _settled(store: Store, run: Run) -> Run | None:
    from core.runs.runs import Runs

    runs = Runs(store)
    runs.mark_died()
    return runs.get(run.id)


def _series(name: str, line: Line) -> Series:
    return Series(name, line.xs, line.ys)
