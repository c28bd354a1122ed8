"""One run of the audit window: its progress, what can be done with it, and its results so far."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QProgressBar, QVBoxLayout, QWidget

from app.audit import audit_strings
from app.audit.audit_strings import Telling
from app.audit.requests import Found, found
from app.models.app_context import Desk
from app.runs.run_monitor import LivingRun
from app.widgets.flow_layout import FlowRow
from app.widgets.form_fields import button
from app.widgets.labels import WrapLabel, scaled
from core.i18n import tr
from core.runs.types import Run

# One run as it goes: what is done, how much is there, time left, and what can be done with it.


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
        self._title.setText(audit_strings.run_title(run))
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
            self._counted = (progress.step, progress.steps, audit_strings.done(self._telling, progress))
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
        return audit_strings.outcome(run)


# One run of the audit window: how it goes, and what it has found so far.


What = TypeVar("What")


class RunView(QWidget, Generic[What]):
    """``settled``: the run has ended, and how is known. ``resume_asked`` carries its id.

    ``file`` in the folder of a run is what ``read`` reads. Subclasses give ``is_something`` and ``show_found``.
    """

    settled = Signal()
    resume_asked = Signal(str)

    def __init__(
        self,
        desk: Desk,
        telling: Telling,
        results: QWidget,
        *,
        file: str,
        read: Callable[[Path], What | None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._desk, self._file, self._reads, self._results = desk, file, read, results
        self._read_at = 0
        self.progress = RunProgress(desk, telling)
        self._nothing = WrapLabel(muted=True)
        self.progress.grown.connect(self._grown)
        self.progress.settled.connect(self._read)
        self.progress.settled.connect(self.settled)
        self.progress.resume_asked.connect(self.resume_asked)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(14)
        for widget in (self.progress, self._nothing, results):
            column.addWidget(widget)
        column.addStretch(1)
        self._show(Found(None))

    def is_something(self, found: What) -> bool:
        """Whether there is anything to be shown."""
        raise NotImplementedError

    def show_found(self, found: What) -> None:
        """Show what was found."""
        raise NotImplementedError

    @property
    def run(self) -> Run | None:
        """The run that is shown."""
        return self.progress.run

    @property
    def lives(self) -> bool:
        """Whether it is going on."""
        return self.progress.lives

    @property
    def nothing(self) -> str:
        """Why no figures are shown; empty where some are."""
        return self._nothing.accessibleName() if not self._nothing.isHidden() else ""

    def show_run(self, run: Run, process: subprocess.Popen[bytes] | None = None) -> None:
        """Show this run, and follow it while it lives; ``process`` where this app has just started it."""
        if self.run is None or self.run.id != run.id:
            self._show(Found(None))
        self._read_at = 0
        self.progress.show_run(run, process)
        self._read()

    def stop(self) -> None:
        """Follow nothing any more; the run goes on."""
        self.progress.stop()

    def _grown(self) -> None:
        """Read what was found, if there is more than before."""
        run = self.run
        path = None if run is None else run.folder / self._file
        if path is not None and path.is_file() and path.stat().st_mtime_ns != self._read_at:
            self._read_at = path.stat().st_mtime_ns
            self._read()

    def _read(self) -> None:
        run, read = self.run, self._reads
        if run is not None:
            self._desk.submit(lambda: found(run, read), lambda told: self._found(run, told))

    def _found(self, run: Run, told: Found[What]) -> None:
        if self.run is not None and self.run.id == run.id:
            self._show(told)

    def _show(self, told: Found[What]) -> None:
        there = told.what is not None and self.is_something(told.what)
        soon = tr("Figures are shown here as soon as the first part is measured.")
        self._nothing.setText(told.problem or (soon if self.lives else tr("Nothing was measured.")))
        self._nothing.setVisible(not there)
        self._results.setVisible(there)
        if told.what is not None and there:
            self.show_found(told.what)
