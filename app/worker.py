"""Reading in the background: one thread, one warm engine, and only the newest text counts."""

from __future__ import annotations

import logging
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from threading import Event
from typing import Protocol

from PySide6.QtCore import QObject, Qt, QThread, QTimer, Signal, Slot

from app.marks import Marks
from app.positions import TextMap
from core.documents.model import Document, Format
from core.report import Report

PAUSE_MS = 300
_log = logging.getLogger(__name__)


class Reader(Protocol):
    """What the worker needs of ``core.engine.Engine``."""

    @property
    def name(self) -> str: ...

    def analyse(
        self, document: Document, *, path: str, include_quotes: bool, cancelled: Callable[[], bool]
    ) -> Report: ...


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The text at one revision of the editor."""

    revision: int
    text: str
    format: Format
    path: str
    include_quotes: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """What the reader says of a snapshot. Without a ``report``, ``message`` says what went wrong and what to do.

    ``marks`` are the findings in UTF-16 units, ``positions`` the way between both counts; ``seconds`` it took.
    """

    snapshot: Snapshot
    report: Report | None = None
    marks: Marks | None = None
    positions: TextMap | None = None
    words: int = 0
    seconds: float = 0.0
    reader: str = ""
    message: str = ""


class _Worker(QObject):
    """Lives in the reading thread. The engine is loaded here, at the first text, and kept."""

    done = Signal(object)

    def __init__(self, load: Callable[[], Reader]) -> None:
        super().__init__()
        self._load = load
        self._engine: Reader | None = None

    @Slot(object, object)
    def read(self, snapshot: Snapshot, cancel: Event) -> None:
        """Read one snapshot; silent if a newer one has come meanwhile."""
        if cancel.is_set():
            return
        from core.bundle import BundleError
        from core.guides import LexiconError
        from core.reader import Cancelled, ReaderError

        try:
            reading = self._read(snapshot, cancel)
        except Cancelled:
            return
        except (BundleError, LexiconError, ReaderError) as error:
            reading = Reading(snapshot, message=str(error))
        except Exception as error:
            # The message of an exception can hold words of the draft, and those belong in no log.
            frame = traceback.extract_tb(error.__traceback__)[-1]
            _log.error("reading failed: %s in %s:%s", type(error).__name__, frame.name, frame.lineno)
            message = f"This text could not be analysed ({type(error).__name__}). The text itself is safe."
            reading = Reading(snapshot, message=message)
        if not cancel.is_set():
            self.done.emit(reading)

    def _read(self, snapshot: Snapshot, cancel: Event) -> Reading:
        from core.documents import parse

        if self._engine is None:
            self._engine = self._load()
        began = time.perf_counter()
        document = parse(snapshot.text, snapshot.format)
        report = self._engine.analyse(
            document,
            path=snapshot.path,
            include_quotes=snapshot.include_quotes,
            cancelled=cancel.is_set,
        )
        positions = TextMap(snapshot.text)
        return Reading(
            snapshot,
            report=report,
            marks=Marks.place(report.findings, positions),
            positions=positions,
            words=len(snapshot.text.split()),
            seconds=time.perf_counter() - began,
            reader=self._engine.name,
        )


class Analyst(QObject):
    """The window's side: waits until typing stops, sends a snapshot, and passes on what is not outdated.

    ``started`` when a snapshot leaves, ``finished`` with a ``Reading`` of the present revision.
    """

    started = Signal()
    finished = Signal(object)
    _sent = Signal(object, object)

    def __init__(
        self,
        snapshot: Callable[[int], Snapshot],
        *,
        load: Callable[[], Reader] | None = None,
        pause_ms: int = PAUSE_MS,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._snapshot = snapshot
        self._revision = 0
        self._closed = False
        self._cancel = Event()
        self._pause = pause_ms
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._send)
        self._thread = QThread(self)
        self._thread.setObjectName("reading")
        self._worker = _Worker(load or load_engine)
        self._worker.moveToThread(self._thread)
        self._sent.connect(self._worker.read, Qt.ConnectionType.QueuedConnection)
        self._worker.done.connect(self._arrived, Qt.ConnectionType.QueuedConnection)

    def changed(self, *, at_once: bool = False) -> None:
        """The text is another one: what is being read is outdated, and the new text is read after the pause."""
        if self._closed:
            return
        self._revision += 1
        self._cancel.set()
        self._timer.start(0 if at_once else self._pause)

    def close(self) -> None:
        """Stop reading and join the thread; nothing is read any more."""
        self._closed = True
        self._timer.stop()
        self._revision += 1
        self._cancel.set()
        self._thread.quit()
        self._thread.wait()

    def _send(self) -> None:
        if not self._thread.isRunning():
            self._thread.start(QThread.Priority.LowPriority)
        self._cancel = Event()
        self.started.emit()
        self._sent.emit(self._snapshot(self._revision), self._cancel)

    @Slot(object)
    def _arrived(self, reading: Reading) -> None:
        if reading.snapshot.revision == self._revision:
            self.finished.emit(reading)


def load_engine() -> Reader:
    """The bundled reader. Raises ``BundleError`` and ``LexiconError`` of ``core``."""
    from core.engine import Engine

    return Engine.load()
