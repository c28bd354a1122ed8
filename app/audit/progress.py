"""One run as it goes: what is done, how much is there, time left, and what can be done with it."""

from __future__ import annotations

import subprocess

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QProgressBar, QVBoxLayout, QWidget

from app.audit import run_words
from app.audit.run_words import Telling
from app.parts.labels import WrapLabel, scaled
from app.training.desk import Desk
from app.training.flow_row import FlowRow
from app.training.living_run import LivingRun
from app.training.retrain_fields import button
from core.language import tr
from core.runs.model import Run


class RunProgress(LivingRun):
    """``grown``: the run said something."""

    grown = Signal()

    def __init__(self, desk: Desk, telling: Telling, parent: QWidget | None = None) -> None:
        super().__init__(
            desk,
            cancel_title=tr("Cancel the audit"),
            cancel_question=tr(
                "Cancel this audit? What it has measured so far stays to be seen, but it cannot go on."
            ),
            parent=parent,
        )
        self._telling = telling
        self._counted = (0, 0, "")
        self.follower.grown.connect(self._grown)
        self.stood.connect(self._refresh)
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
    def state(self) -> str:
        """How the audit stands, as shown."""
        return self._state.accessibleName()

    @property
    def left(self) -> str:
        """How much is there and how long the rest takes, as shown."""
        return self._left.accessibleName() if not self._left.isHidden() else ""

    def show_run(self, run: Run, process: subprocess.Popen[bytes] | None = None) -> None:
        """Show this audit, and follow it while it lives; ``process`` where this app has just started it."""
        self._begin(run, process)
        if not self.lives:
            self.stop()
        self._counted = (0, 0, "")
        self._title.setText(run_words.run_title(run))
        self._refresh()

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
        progress = self.follower.progress
        if self._telling.counts(progress):
            self._counted = (progress.step, progress.steps, run_words.done(self._telling, progress))
        self._refresh()
        self.grown.emit()

    def _refresh(self) -> None:
        run = self.run
        if run is None:
            return
        lives, ordered = self.lives, {"pause": tr("Pausing…"), "cancel": tr("Cancelling…")}
        self._state.setText(ordered.get(self._ordered, tr("Running")) if lives else self._outcome(run))
        step, steps, said = self._counted
        self._where.setText(self._telling.stage(self.follower.progress))
        self._left.setText(said)
        self.bar.setRange(0, steps)
        self.bar.setValue(step)
        for widget, there in (
            (self._where, lives),
            (self.bar, lives),
            (self._left, lives and steps > 0),
            (self._lives_on, lives),
        ):
            widget.setVisible(there)
        self._offer()

    def _offer(self) -> None:
        shown = {
            "pause": self.lives,
            "cancel": self.lives,
            "resume": self._can_go_on(),
            "log": self._has_log(),
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
