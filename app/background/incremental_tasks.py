"""Long work of the user interface thread in small steps, between which keys and paints are handled."""

from __future__ import annotations

import logging
import time
import traceback
from collections.abc import Generator, Iterator
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from core.i18n import tr
from core.storage.files import FileError, write_bytes

# Long work of the window in small steps, between which keys and paints have their turn.


_BUDGET_S = 0.004
_REST_MS = 5


class Turns(QObject):
    """Goes through one iterator, a few milliseconds at a time; another one takes its place."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._steps: Iterator[None] = iter(())
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_REST_MS)
        self._timer.timeout.connect(self._go_on)

    def start(self, steps: Iterator[None]) -> None:
        """Begin with ``steps`` when the loop has its turn; what was not done of others is dropped."""
        self._steps = steps
        self._timer.start()

    def stop(self) -> None:
        """Drop what is not done."""
        self._timer.stop()
        self._steps = iter(())

    def _go_on(self) -> None:
        steps, end = self._steps, time.perf_counter() + _BUDGET_S
        for _ in steps:
            if steps is not self._steps:
                return
            if time.perf_counter() >= end:
                self._timer.start()
                return


# One file that is made in small steps between keys and paints, how far it is, and the way to stop it.
#
# Not in a thread: Qt objects that are made in one while the window lets go of others can lock each other out.


_JOB_BUDGET_S = 0.008
_log = logging.getLogger(__name__)
Steps = Generator[float, None, bytes]
"""Gives the share that is done, in [0, 1], step by step, and returns the bytes of the file."""


class Job(QObject):
    """Goes through ``steps`` and writes what comes of them to ``path``, whole or not at all.

    ``moved``: percents that are done. ``wrong``: one sentence on what went wrong. ``written``: the file is there.
    ``finished``: it is over, in whatever way.
    """

    moved = Signal(int)
    wrong = Signal(str)
    written = Signal(str)
    finished = Signal()

    def __init__(self, steps: Steps, path: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._steps = steps
        self._path = path
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._go_on)

    def start(self) -> None:
        """Begin when the loop has its turn."""
        self._timer.start(0)

    def stop(self) -> None:
        """Stop at once; nothing is written."""
        if self._timer.isActive():
            self._end()

    def _go_on(self) -> None:
        end = time.perf_counter() + _JOB_BUDGET_S
        try:
            share = next(self._steps)
            while time.perf_counter() < end:
                share = next(self._steps)
        except StopIteration as made:
            self._write(made.value)
        except Exception as error:
            # The message of an exception can hold words of the draft, and those belong in no log.
            frame = traceback.extract_tb(error.__traceback__)[-1]
            kind = type(error).__name__
            _log.error("Export failed: %s in %s:%s", kind, frame.name, frame.lineno)
            said = tr("{name} could not be made ({kind}). The draft itself is safe.")
            self._end()
            self.wrong.emit(said.format(name=self._path.name, kind=kind))
        else:
            self.moved.emit(round(100 * share))

    def _write(self, data: bytes) -> None:
        self._end()
        try:
            write_bytes(self._path, data)
        except FileError as error:
            self.wrong.emit(str(error))
        else:
            self.written.emit(self._path.name)

    def _end(self) -> None:
        self._timer.stop()
        self._steps.close()
        self.finished.emit()
