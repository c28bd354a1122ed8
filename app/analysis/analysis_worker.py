"""Reading in the background: one thread, warm models, and only the newest text counts."""

from __future__ import annotations

import logging
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from threading import Event
from typing import Any

from PySide6.QtCore import QObject, Qt, QThread, QTimer, Signal, Slot

from app.analysis.worker_context import Desk, Reader, Rewriter, Task, load_engine, load_suggester
from app.editor.marks import Marks
from app.editor.positions import TextMap
from core.bundles.reader import Curve, threshold_of
from core.documents.types import Document, Format
from core.formats.types import Container
from core.i18n import tr
from core.types import Finding, Report, Suggestions

PAUSE_MS = 300
MOST = 3
"""Wordings that are asked for at each finding."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The text at one revision of the editor; ``sensitivity`` is the stop to read at, counted from the reader's own.

    ``container``: the file that the text was taken from, whose mark-up says what is not checked and what is quoted.
    """

    revision: int
    text: str
    format: Format
    path: str
    include_quotes: bool = False
    sensitivity: int = 0
    container: Container | None = None

    def document(self, parse: Callable[..., Document]) -> Document:
        """The text as ``parse``, which is ``core.documents.parse`` or does the same, reads it."""
        if self.container is None or self.container.format is not self.format:
            return parse(self.text, self.format)
        from core.formats.markup_masks import marks_in

        off, quotes = marks_in(self.container, self.text)
        return parse(self.text, self.format, off=off, quotes=quotes)


@dataclass(frozen=True, slots=True)
class Reading:
    """What the reader says of a snapshot. Without a ``report``, ``message`` says what went wrong and what to do.

    ``marks`` are the findings in UTF-16 units, ``positions`` the way between both counts; ``seconds`` it took.
    ``curve`` is None where the reader was measured at its own threshold alone. ``on_word``: the findings that lean on
    their word. ``missing``: there is no reader that works.
    """

    snapshot: Snapshot
    report: Report | None = None
    marks: Marks | None = None
    positions: TextMap | None = None
    words: int = 0
    seconds: float = 0.0
    reader: str = ""
    curve: Curve | None = None
    on_word: frozenset[Finding] = frozenset()
    message: str = ""
    missing: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """What the rewriter offers for a finding of one revision; without ``suggestions``, ``message`` says why.

    ``missing``: there is no rewriter at all, so that asking for another finding is no use.
    """

    revision: int
    finding: Finding
    suggestions: Suggestions | None = None
    message: str = ""
    missing: bool = False


@dataclass(frozen=True, slots=True)
class _Read:
    snapshot: Snapshot

    def run(self, desk: Desk, cancelled: Callable[[], bool]) -> Reading:
        from core.engine.reader import Cancelled

        reader, snapshot = desk.reader, self.snapshot
        began = time.perf_counter()
        document = snapshot.document(desk.parser.parse)
        if cancelled():
            raise Cancelled
        threshold = threshold_of(reader.sensitivity, snapshot.sensitivity)
        report = reader.analyse(
            document,
            path=snapshot.path,
            include_quotes=snapshot.include_quotes,
            threshold=threshold,
            cancelled=cancelled,
            told=desk.told,
        )
        on_word = desk.on_word.among(
            reader, document, report.findings, threshold=threshold, cancelled=cancelled
        )
        desk.document, desk.revision = document, snapshot.revision
        positions = TextMap(snapshot.text)
        return Reading(
            snapshot,
            report=report,
            marks=Marks.place(report.findings, positions),
            positions=positions,
            words=len(snapshot.text.split()),
            seconds=time.perf_counter() - began,
            reader=reader.name,
            curve=reader.sensitivity,
            on_word=on_word,
        )

    def failed(self, error: Exception, message: str) -> Reading:
        from core.bundles.reader import BundleError

        said = message or tr("This text could not be analysed ({error}). The text itself is safe.").format(
            error=_kind(error)
        )
        return Reading(self.snapshot, message=said, missing=isinstance(error, BundleError))


@dataclass(frozen=True, slots=True)
class _Suggest:
    revision: int
    finding: Finding

    def run(self, desk: Desk, cancelled: Callable[[], bool]) -> Answer:
        from core.engine.reader import Cancelled

        if desk.document is None or desk.revision != self.revision:
            raise Cancelled
        from core.rewriting.rewriter import RewriterError

        try:
            found = desk.rewriter.suggest(desk.document, self.finding, n=MOST, cancelled=cancelled)
        except RewriterError as error:
            return self.failed(error, str(error))
        return Answer(self.revision, self.finding, found)

    def failed(self, error: Exception, message: str) -> Answer:
        from core.bundles.reader import BundleError

        said = message or tr("No wording could be looked for ({error}). The text itself is safe.").format(
            error=_kind(error)
        )
        return Answer(self.revision, self.finding, message=said, missing=isinstance(error, BundleError))


@dataclass(frozen=True, slots=True)
class _ForgetModels:
    def run(self, desk: Desk, _cancelled: Callable[[], bool]) -> None:
        desk.forget_models()

    def failed(self, _error: Exception, _message: str) -> None:
        """Nothing of it can fail."""


class _Worker(QObject):
    """Lives in the reading thread and does one task after the other."""

    done = Signal(object)
    share = Signal(float)
    noted = Signal(str)

    def __init__(
        self, load: Callable[[], Reader] | None, load_rewriter: Callable[[Any], Rewriter] | None
    ) -> None:
        super().__init__()
        self._desk = Desk(
            load or (lambda: load_engine(self.noted.emit)),
            load_rewriter or (lambda engine: load_suggester(engine, self.noted.emit)),
            self.share.emit,
        )

    @Slot(object, object)
    def do(self, task: Task, cancel: Event) -> None:
        """Do one task; silent if it is not wanted any more."""
        if cancel.is_set():
            return
        from core.bundles.reader import BundleError
        from core.engine.cue_classes import LexiconError
        from core.engine.onnx_session import ReaderError
        from core.engine.reader import Cancelled

        try:
            result = task.run(self._desk, cancel.is_set)
        except Cancelled:
            return
        except (BundleError, LexiconError, ReaderError) as error:
            result = task.failed(error, str(error))
        except Exception as error:
            # The message of an exception can hold words of the draft, and those belong in no log.
            frame = traceback.extract_tb(error.__traceback__)[-1]
            _log.error("%s failed: %s in %s:%s", type(task).__name__, _kind(error), frame.name, frame.lineno)
            result = task.failed(error, "")
        if not cancel.is_set():
            self.done.emit(result)


class Analyst(QObject):
    """The window's side: waits until typing stops, sends a snapshot, and passes on what is not outdated.

    ``outdated`` when the text has changed, ``started`` when a snapshot leaves, ``finished`` with a ``Reading``
    and ``answered`` with an ``Answer`` of the present revision, ``done`` with the result of any other task. While a
    snapshot is read, ``came_on`` tells how much of it is, in [0, 1]; ``stopped`` when a person has had enough.
    ``noted``: a sentence on the models that were loaded.
    """

    outdated = Signal()
    started = Signal()
    finished = Signal(object)
    answered = Signal(object)
    done = Signal(object)
    came_on = Signal(float)
    stopped = Signal()
    noted = Signal(str)
    _sent = Signal(object, object)

    def __init__(
        self,
        snapshot: Callable[[int], Snapshot],
        *,
        load: Callable[[], Reader] | None = None,
        load_rewriter: Callable[[Any], Rewriter] | None = None,
        pause_ms: int = PAUSE_MS,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._snapshot = snapshot
        self._revision = 0
        self._closed = False
        self._cancel = Event()
        self._reading = False
        self._others: list[Event] = []
        self._pause = pause_ms
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._send)
        self._thread = QThread(self)
        self._thread.setObjectName("reading")
        self._worker = _Worker(load, load_rewriter)
        self._worker.moveToThread(self._thread)
        self._sent.connect(self._worker.do, Qt.ConnectionType.QueuedConnection)
        self._worker.done.connect(self._arrived, Qt.ConnectionType.QueuedConnection)
        self._worker.share.connect(self._came_on, Qt.ConnectionType.QueuedConnection)
        self._worker.noted.connect(self.noted, Qt.ConnectionType.QueuedConnection)

    def changed(self, *, at_once: bool = False) -> None:
        """The text is another one: what is being done is outdated, and the new text is read after the pause."""
        if self._closed:
            return
        self._revision += 1
        self._cancel.set()
        self._timer.start(0 if at_once else self._pause)
        self.outdated.emit()

    def stop(self) -> None:
        """Read no further; the next change of the text, or being asked, begins again."""
        if self._timer.isActive() or (self._reading and not self._cancel.is_set()):
            self._timer.stop()
            self._revision += 1
            self._cancel.set()
            self._reading = False
            self.stopped.emit()

    def ask(self, finding: Finding) -> None:
        """Look for wordings at a finding of the last reading; a change of the text cancels it."""
        if not self._cancel.is_set():
            self._sent.emit(_Suggest(self._revision, finding), self._cancel)

    def give(self, task: Task) -> Event:
        """Have another task done, after what is waiting; setting the event cancels it."""
        cancel = Event()
        if not self._closed:
            self._others = [other for other in self._others if not other.is_set()] + [cancel]
            self._start()
            self._sent.emit(task, cancel)
        return cancel

    def forget_models(self) -> None:
        """Other models are in use: what is read or asked from now on is answered by them."""
        self.give(_ForgetModels())

    def close(self) -> None:
        """Stop reading and join the thread; nothing is read any more."""
        self._closed = True
        self._timer.stop()
        self._revision += 1
        for cancel in (self._cancel, *self._others):
            cancel.set()
        self._thread.quit()
        self._thread.wait()

    def _start(self) -> None:
        if not self._thread.isRunning():
            self._thread.start(QThread.Priority.LowPriority)

    def _send(self) -> None:
        self._start()
        self._cancel = Event()
        self._reading = True
        self.started.emit()
        self._sent.emit(_Read(self._snapshot(self._revision)), self._cancel)

    @Slot(object)
    def _arrived(self, result: object) -> None:
        if isinstance(result, Reading):
            if result.snapshot.revision == self._revision:
                self._reading = False
                self.finished.emit(result)
        elif isinstance(result, Answer):
            if result.revision == self._revision:
                self.answered.emit(result)
        elif not self._closed:
            self.done.emit(result)

    @Slot(float)
    def _came_on(self, share: float) -> None:
        if self._reading and not self._cancel.is_set():
            self.came_on.emit(share)


def _kind(error: Exception) -> str:
    return type(error).__name__
