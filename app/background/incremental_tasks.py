"""Long work in the window's thread, done in slices of a few milliseconds between keys and paints."""

from __future__ import annotations

import logging
import time
import traceback
from collections.abc import Generator, Iterator
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from core.i18n import tr
from core.storage.files import FileError, write_bytes

_SLICE_S = 0.004
_PAUSE_MS = 5
_FILE_SLICE_S = 0.008
_log = logging.getLogger(__name__)
Steps = Generator[float, None, bytes]
"""Yields the share that is done, in [0, 1], and returns the bytes of the file."""


class IncrementalTask(QObject):
    """Runs one iterator in slices; starting another one replaces it."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._steps: Iterator[None] = iter(())
        self._timer = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._timer.timeout.connect(self._run_slice)

    def start(self, steps: Iterator[None]) -> None:
        """Start ``steps`` from the event loop; the rest of a running iterator is dropped."""
        self._steps = steps
        self._timer.start()

    def stop(self) -> None:
        """Drop the rest."""
        self._timer.stop()
        self._steps = iter(())

    def _run_slice(self) -> None:
        steps, end = self._steps, time.perf_counter() + _SLICE_S
        for _ in steps:
            if steps is not self._steps:
                return
            if time.perf_counter() >= end:
                self._timer.start()
                return


class IncrementalFileWriter(QObject):
    """Runs ``steps`` in slices and writes their bytes to ``path``, completely or not at all.

    Not in a thread: Qt objects created there while the window destroys others can deadlock. ``progressed``: percent
    done. ``failed``: one sentence on what went wrong. ``written``: the name of the file. ``finished``: it is over,
    successfully or not.
    """

    progressed = Signal(int)
    failed = Signal(str)
    written = Signal(str)
    finished = Signal()

    def __init__(self, steps: Steps, path: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._steps = steps
        self._path = path
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._run_slice)

    def start(self) -> None:
        """Start from the event loop."""
        self._timer.start(0)

    def stop(self) -> None:
        """Stop at once without writing."""
        if self._timer.isActive():
            self._end()

    def _run_slice(self) -> None:
        end = time.perf_counter() + _FILE_SLICE_S
        try:
            share = next(self._steps)
            while time.perf_counter() < end:
                share = next(self._steps)
        except StopIteration as result:
            self._write(result.value)
        except Exception as error:
            # The message of an exception can hold words of the draft, and those belong in no log.
            frame = traceback.extract_tb(error.__traceback__)[-1]
            kind = type(error).__name__
            _log.error("Export failed: %s in %s:%s", kind, frame.name, frame.lineno)
            text = tr("{name} could not be written ({kind}). The draft itself is safe.")
            self._end()
            self.failed.emit(text.format(name=self._path.name, kind=kind))
        else:
            self.progressed.emit(round(100 * share))

    def _write(self, data: bytes) -> None:
        self._end()
        try:
            write_bytes(self._path, data)
        except FileError as error:
            self.failed.emit(str(error))
        else:
            self.written.emit(self._path.name)

    def _end(self) -> None:
        self._timer.stop()
        self._steps.close()
        self.finished.emit()
