"""Work that waits for a disk: one thread, one job after the other, results back in the window's thread."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QThread, Signal, Slot

from core.i18n import tr
from core.storage.files import FileError
from core.storage.types import StoreError

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Waiting:
    """Who waits for a job. Stays in the window's thread, so that nothing of the window dies in another one."""

    then: Callable[[Any], object] | None
    failed: Callable[[Exception], object] | None


class _Worker(QObject):
    """Lives in the background thread."""

    done = Signal(int, object, object)

    @Slot(int, object)
    def do(self, number: int, job: Callable[[], object]) -> None:
        """Do one job and tell its result or its error."""
        result, error = None, None
        try:
            result = job()
        except Exception as raised:
            error = raised
        self.done.emit(number, result, error)

    @Slot()
    def end(self) -> None:
        """All jobs that came before are done."""
        QThread.currentThread().quit()


class Background(QObject):
    """Does jobs in the order in which they were submitted. ``failed``: an error that nobody waits for, in a sentence.

    A job is given what it needs by value: it must not touch a widget.
    """

    failed = Signal(str)
    _sent = Signal(int, object)
    _ended = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting: dict[int, _Waiting] = {}
        self._number = 0
        self._closed = False
        self._thread = QThread(self)
        self._thread.setObjectName("background")
        self._worker = _Worker()
        self._worker.moveToThread(self._thread)
        self._sent.connect(self._worker.do, Qt.ConnectionType.QueuedConnection)
        self._ended.connect(self._worker.end, Qt.ConnectionType.QueuedConnection)
        self._worker.done.connect(self._arrived, Qt.ConnectionType.QueuedConnection)

    @property
    def busy(self) -> bool:
        """Whether a job is not done yet, or its result not delivered."""
        return bool(self._waiting)

    def submit(
        self,
        job: Callable[[], Any],
        then: Callable[[Any], object] | None = None,
        failed: Callable[[Exception], object] | None = None,
    ) -> None:
        """Have ``job`` done; ``then`` gets its result, ``failed`` its error, both in the window's thread.

        Nothing is done any more after ``close``.
        """
        if self._closed:
            return
        self._number += 1
        self._waiting[self._number] = _Waiting(then, failed)
        if not self._thread.isRunning():
            self._thread.start()
        self._sent.emit(self._number, job)

    def close(self) -> None:
        """Finish all that was submitted, deliver the results and join the thread."""
        if self._closed:
            return
        self._closed = True
        if self._thread.isRunning():
            self._ended.emit()
            self._thread.wait()
        QCoreApplication.sendPostedEvents(self, QEvent.Type.MetaCall.value)

    @Slot(int, object, object)
    def _arrived(self, number: int, result: object, error: Exception | None) -> None:
        waiting = self._waiting.pop(number)
        if error is None:
            if waiting.then is not None:
                waiting.then(result)
        elif waiting.failed is not None:
            waiting.failed(error)
        else:
            self.failed.emit(said(error))


def said(error: Exception) -> str:
    """An error in a sentence for a person. Of one that was not foreseen only the kind is told: its text is not ours."""
    if isinstance(error, StoreError | FileError):
        return str(error)
    # The message of an exception can hold words of the draft, and those belong in no log.
    frames = traceback.extract_tb(error.__traceback__)
    place = f" in {frames[-1].name}:{frames[-1].lineno}" if frames else ""
    _log.error("a job failed: %s%s", type(error).__name__, place)
    return tr("Something went wrong in the background ({error}). The text itself is safe.").format(
        error=type(error).__name__
    )
