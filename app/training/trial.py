"""A candidate reads the open draft beside the present reader: a person sees what would change before it does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from app.reading.desk import Desk
from app.reading.models import Reader
from app.reading.worker import Analyst, Snapshot
from core.language import tr
from core.sensitivity import threshold_of

if TYPE_CHECKING:
    from core.documents.model import Document
    from core.report import Report


_LOOK_MS = 100


class _Share:
    """How much is done, in [0, 1]: written in the reading thread and looked at from the window's."""

    def __init__(self) -> None:
        self.done = 0.0

    def set(self, done: float) -> None:
        self.done = done


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """Both reports on a text, the one before only where the present reader works.

    Without them, ``message`` says why there are none and what to do.
    """

    of: _Try
    source: str = ""
    before: Report | None = None
    after: Report | None = None
    message: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class _Try:
    """Lets the reader in ``folder`` and the present one read a snapshot."""

    snapshot: Snapshot
    folder: Path
    share: _Share

    def run(self, desk: Desk, cancelled: Callable[[], bool]) -> Outcome:
        from core.bundle import BundleError
        from core.engine import Engine
        from core.reader import Cancelled

        candidate = Engine.load(self.folder)
        document = self.snapshot.document(desk.parser.parse)
        if cancelled():
            raise Cancelled
        after = self._read(candidate, document, cancelled, half=0)
        try:
            present = desk.reader
        except BundleError:
            return Outcome(self, document.source, after=after)
        before = self._read(present, document, cancelled, half=1)
        return Outcome(self, document.source, before, after)

    def failed(self, error: Exception, message: str) -> Outcome:
        said = tr("The draft could not be read with this model ({error}). The present one stays in use.")
        return Outcome(self, message=message or said.format(error=type(error).__name__))

    def _read(
        self, reader: Reader, document: Document, cancelled: Callable[[], bool], *, half: int
    ) -> Report:
        return reader.analyse(
            document,
            path=self.snapshot.path,
            include_quotes=self.snapshot.include_quotes,
            threshold=threshold_of(reader.sensitivity, self.snapshot.sensitivity),
            cancelled=cancelled,
            told=lambda share: self.share.set((half + share) / 2),
        )


class Trial(QObject):
    """One trial, done in the reading thread. It lives as long as the analyst, and is gone when it is over.

    ``came_on``: the share that is done, in [0, 1]; ``finished``: the ``Outcome``. A cancelled one says nothing more.
    """

    came_on = Signal(float)
    finished = Signal(object)

    def __init__(self, analyst: Analyst) -> None:
        super().__init__(analyst)
        self._analyst = analyst
        self._task: _Try | None = None
        self._cancel = Event()
        self._look = QTimer(self)
        self._look.setInterval(_LOOK_MS)
        self._look.timeout.connect(self._tell)
        analyst.done.connect(self._arrived)

    def start(self, snapshot: Snapshot, folder: Path) -> None:
        """Read ``snapshot`` with the model in ``folder``."""
        self._task = _Try(snapshot, folder, _Share())
        self._cancel = self._analyst.give(self._task)
        self._look.start()

    def cancel(self) -> None:
        """Have no more of it."""
        self._cancel.set()
        self._end()

    def _tell(self) -> None:
        if self._task is not None:
            self.came_on.emit(self._task.share.done)

    @Slot(object)
    def _arrived(self, result: object) -> None:
        if isinstance(result, Outcome) and result.of is self._task and not self._cancel.is_set():
            self._end()
            self.finished.emit(result)

    def _end(self) -> None:
        self._look.stop()
        self._task = None
        self.deleteLater()
