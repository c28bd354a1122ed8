"""Planning and making the training environment, away from the window's thread."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

from PySide6.QtCore import QCoreApplication, QObject, Signal

from app.parts.background import Background, said
from core.environment.model import Progress, SetupCancelledError, SetupError
from core.environment.planning import Plan, make_plan
from core.environment.setting_up import set_up

_alive: set[SetupJob] = set()
"""Those that still work. A job outlives its dialog: a thread must not be destroyed while it runs."""


class SetupJob(QObject):
    """Plans, and makes what is planned; one thing at a time, answers by signals.

    ``planned``: a Plan; ``refused``: there can be none, in a sentence. ``progressed``: a Progress. ``made``: it is
    there. ``failed``: why it is not; ``stopped``: the same where a person wanted it so.
    """

    planned = Signal(object)
    refused = Signal(str)
    progressed = Signal(object)
    made = Signal()
    failed = Signal(str)
    stopped = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._background = Background(self)
        self._cancel = Event()
        self._asked = 0
        self.running = False
        QCoreApplication.instance().aboutToQuit.connect(self.close)

    def plan(self, choice: str, wheels: Path | None) -> None:
        """Plan for this choice of build and folder of wheels; only the last that was asked for is answered."""
        self._asked += 1
        asked = self._asked
        self._submit(
            lambda: make_plan(choice, wheels=wheels),
            lambda plan: self.planned.emit(plan) if asked == self._asked else None,
            lambda error: self.refused.emit(_words(error)) if asked == self._asked else None,
        )

    def start(self, plan: Plan) -> None:
        """Do what is planned."""
        self.running = True
        self._cancel.clear()
        self._submit(lambda: self._work(plan), self._worked, self._broken)

    def stop(self) -> None:
        """Stop what is being done; `stopped` tells when it has ended."""
        self._cancel.set()

    def close(self) -> None:
        """Stop, and wait until it has ended."""
        self._cancel.set()
        self._background.close()
        _alive.discard(self)

    def leave(self) -> None:
        """Nobody follows any more: it stops, and is gone when it has ended."""
        self._asked += 1
        self._cancel.set()
        if self._background.busy:
            _alive.add(self)
        else:
            self.close()

    def _submit(
        self, job: Callable[[], object], then: Callable[[Any], object], failed: Callable[[Exception], object]
    ) -> None:
        self._background.submit(
            job, lambda value: self._answered(then, value), lambda error: self._answered(failed, error)
        )

    def _answered(self, call: Callable[[Any], object], value: object) -> None:
        call(value)
        if self in _alive and not self._background.busy:
            self.close()

    def _work(self, plan: Plan) -> None:
        for progress in set_up(plan, self._cancel):
            self.progressed.emit(progress)

    def _worked(self, _nothing: object) -> None:
        self.running = False
        self.made.emit()

    def _broken(self, error: Exception) -> None:
        self.running = False
        if isinstance(error, SetupCancelledError):
            self.stopped.emit(str(error))
        else:
            self.failed.emit(_words(error))


def _words(error: Exception) -> str:
    return str(error) if isinstance(error, SetupError) else said(error)


def share(plan: Plan, progress: Progress) -> int:
    """About how many per cent are done, by what lies on the disk; the estimate may be wrong, so it stops at 95."""
    if plan.renews is not None or not plan.needed:
        return round(95 * (progress.step - 1) / max(progress.steps, 1))
    return min(95, round(100 * progress.written / plan.needed))
