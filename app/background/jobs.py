"""Background jobs: one thread, one job after another, results delivered in the window's thread."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QThread, Signal, Slot

from app.background.reading import end_thread
from core.i18n import tr
from core.storage.files import FileError
from core.storage.types import StoreError

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Callbacks:
    """The callbacks of a job. They stay in the window's thread, so that no widget is destroyed in another one."""

    then: Callable[[Any], object] | None
    failed: Callable[[Exception], object] | None


class _Worker(QObject):
    """Lives in the background thread."""

    done = Signal(int, object, object)

    @Slot(int, object)
    def do(self, number: int, job: Callable[[], object]) -> None:
        """Run one job and emit its result or its error."""
        result, error = None, None
        try:
            result = job()
        except Exception as raised:
            error = raised
        self.done.emit(number, result, error)

    @Slot()
    def end(self) -> None:
        """Quit the thread: all earlier jobs are done."""
        QThread.currentThread().quit()


class JobQueue(QObject):
    """Runs jobs in the order of submission. ``failed``: a sentence on an error that no callback handles.

    A job must not touch a widget.
    """

    failed = Signal(str)
    _sent = Signal(int, object)
    _ended = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._callbacks: dict[int, _Callbacks] = {}
        self._number = 0
        self._closed = False
        self._thread = QThread(self)
        self._thread.setObjectName("background")
        self._worker = _Worker()
        self._worker.moveToThread(self._thread)
        self._sent.connect(self._worker.do, Qt.ConnectionType.QueuedConnection)
        self._ended.connect(self._worker.end, Qt.ConnectionType.QueuedConnection)
        self._worker.done.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    @property
    def busy(self) -> bool:
        """Whether a job is not done, or its result not delivered."""
        return bool(self._callbacks)

    def submit(
        self,
        job: Callable[[], Any],
        then: Callable[[Any], object] | None = None,
        failed: Callable[[Exception], object] | None = None,
    ) -> None:
        """Run ``job``; ``then`` receives its result, ``failed`` its error, both in the window's thread.

        Jobs submitted after ``close`` are dropped.
        """
        if self._closed:
            return
        self._number += 1
        self._callbacks[self._number] = _Callbacks(then, failed)
        if not self._thread.isRunning():
            self._thread.start()
        self._sent.emit(self._number, job)

    def close(self) -> None:
        """Finish the submitted jobs, deliver their results and join the thread; not one that does not answer."""
        if self._closed:
            return
        self._closed = True
        if self._thread.isRunning():
            self._ended.emit()
            if not end_thread(self._thread):
                return
        QCoreApplication.sendPostedEvents(self, QEvent.Type.MetaCall.value)

    @Slot(int, object, object)
    def _deliver(self, number: int, result: object, error: Exception | None) -> None:
        callbacks = self._callbacks.pop(number)
        if error is None:
            if callbacks.then is not None:
                callbacks.then(result)
        elif callbacks.failed is not None:
            callbacks.failed(error)
        else:
            self.failed.emit(describe_error(error))


def describe_error(error: Exception) -> str:
    """One sentence about an error. Of an unexpected one only the type is named: its text may quote the draft."""
    if isinstance(error, StoreError | FileError):
        return str(error)
    # The message of an exception can hold words of the draft, and those belong in no log.
    frames = traceback.extract_tb(error.__traceback__)
    place = f" in {frames[-1].name}:{frames[-1].lineno}" if frames else ""
    _log.error("a job failed: %s%s", type(error).__name__, place)
    return tr("Something went wrong in the background ({error}). The text itself is safe.").format(
        error=type(error).__name__
    )
