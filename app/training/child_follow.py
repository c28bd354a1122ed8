"""Following a training by its folder: what it says, and whether it lives. It may have been started by another app."""

from __future__ import annotations

import subprocess

from PySide6.QtCore import QObject, QTimer, Signal

from app.training.child_events import Tail
from app.training.child_progress import Progress
from core.runs.folder import is_alive
from core.runs.model import EVENTS, Run

LOOK_MS = 500
_SOON_MS = 10


class Follower(QObject):
    """Looks at one run twice a second. ``grown``: there is news in ``progress``. ``ended``: its process is gone."""

    grown = Signal()
    ended = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.progress = Progress()
        self._run: Run | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._tail: Tail | None = None
        self._restarts = 0
        self._news = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._look)

    def follow(self, run: Run, process: subprocess.Popen[bytes] | None = None) -> None:
        """Follow this run from its beginning on; ``process`` where it is a child of this app."""
        self.progress = Progress()
        self._run, self._process, self._tail = run, process, Tail(run.folder / EVENTS)
        self._restarts = 0
        self._timer.start(0)

    def stop(self) -> None:
        """Follow nothing any more. The training goes on."""
        self._timer.stop()
        self._run = None

    def _look(self) -> None:
        if self._run is None or self._tail is None:
            return
        # First whether it lives, then what it said: so nothing that it said last is missed.
        lives = self._lives(self._run)
        events = self._tail.read()
        if self._tail.restarts != self._restarts:
            self._restarts = self._tail.restarts
            self.progress = Progress()
            self._news = True
        self.progress.take(events)
        self._news = self._news or bool(events)
        if self._tail.more:
            self._timer.start(_SOON_MS)
            return
        if self._news:
            self._news = False
            self.grown.emit()
        if lives:
            self._timer.start(LOOK_MS)
        elif self._run is not None:
            self._run = None
            self.ended.emit()

    def _lives(self, run: Run) -> bool:
        return self._process.poll() is None if self._process is not None else is_alive(run)
