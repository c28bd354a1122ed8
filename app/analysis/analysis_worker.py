"""Analysis in the background: one thread with loaded models; only results for the newest text count."""

from __future__ import annotations

import logging
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, QThread, QTimer, Signal, Slot

from app.analysis.worker_context import Reader, Rewriter, StyleChoices, Task, WorkerContext
from app.background.reading import end_thread
from app.editor.biased_sentences import BiasedSentence, sentences_without_findings
from app.editor.marks import Marks
from app.editor.positions import OffsetMap
from core.bundles.reader import SensitivityCurve, threshold_at
from core.documents.prose_view import count_words
from core.documents.types import Document, Format
from core.formats.types import Container
from core.i18n import tr
from core.types import (
    ALL_KINDS,
    STANDARD_INPUT,
    Finding,
    Kind,
    Report,
    Suggestions,
    with_findings,
)

if TYPE_CHECKING:
    from core.style.library import DraftStyle

TYPING_PAUSE_MS = 300
MAX_SUGGESTIONS = 3
"""Suggestions that are requested for each finding."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The text at one revision of the editor. ``sensitivity`` counts steps from the reader's tuned threshold.

    ``container``: the file of the text, whose markup says what is excluded and what is quoted.
    """

    revision: int
    text: str
    format: Format
    path: str
    include_quotes: bool = False
    sensitivity: int = 0
    container: Container | None = None
    style: StyleChoices = field(default_factory=StyleChoices)

    @property
    def file(self) -> Path | None:
        """The file of the draft; None for one that was never saved."""
        return None if self.path == STANDARD_INPUT else Path(self.path)

    def document(self, parse: Callable[..., Document]) -> Document:
        """Parse the text with ``parse``, which is ``core.documents.parse`` or an equivalent."""
        if self.container is None or self.container.format is not self.format:
            return parse(self.text, self.format)
        from core.formats.markup_ranges import markup_ranges

        return markup_ranges(self.container, self.text).parse(self.text, self.format, parse)


@dataclass(frozen=True, slots=True)
class AnalysisResult:
    """The result of analysing a snapshot. Without a ``report``, ``message`` says what went wrong and what to do.

    ``document`` is the parsed text. ``marks`` are the findings in UTF-16 units, and the sentences that read as biased
    without one. ``positions`` converts between both counts, ``words`` are those of the prose, ``seconds`` is the
    duration. ``curve`` is None if the reader was measured at its tuned threshold only. ``default_report`` and
    ``default_sentences`` are the report and the biased sentences at that threshold: counts are theirs, wherever the
    slider is. ``term_dependent``: the findings that depend on their term. ``missing``: no reader works.
    """

    snapshot: Snapshot
    report: Report | None = None
    document: Document | None = None
    marks: Marks | None = None
    positions: OffsetMap | None = None
    words: int = 0
    seconds: float = 0.0
    reader: str = ""
    curve: SensitivityCurve | None = None
    default_report: Report | None = None
    default_sentences: tuple[BiasedSentence, ...] = ()
    term_dependent: frozenset[Finding] = frozenset()
    message: str = ""
    missing: bool = False


@dataclass(frozen=True, slots=True)
class SuggestionResult:
    """The suggestions for a finding of one revision, or for its sentence at the findings ``whole``; without them
    ``message`` says why.

    ``missing``: no rewriter works, so requests for other findings would fail too.
    """

    revision: int
    finding: Finding
    suggestions: Suggestions | None = None
    whole: tuple[Finding, ...] = ()
    message: str = ""
    missing: bool = False


@dataclass(frozen=True, slots=True)
class _Analyse:
    snapshot: Snapshot

    def run(self, context: WorkerContext, cancelled: Callable[[], bool]) -> AnalysisResult:
        from core.engine.reader import Cancelled

        reader, snapshot = context.reader, self.snapshot
        began = time.perf_counter()
        document = snapshot.document(context.parser.parse)
        if cancelled():
            raise Cancelled
        style, notes = _draft_style(context, snapshot)
        options = style.options if style else None
        step = snapshot.sensitivity or (options.sensitivity if options else None) or 0
        include_quotes = snapshot.include_quotes or bool(options and options.quotations)
        threshold = threshold_at(reader.sensitivity, step)

        def read(at: float | None) -> Report:
            report = reader.analyse(
                document,
                path=snapshot.path,
                include_quotes=include_quotes,
                threshold=at,
                cancelled=cancelled,
                on_progress=context.on_progress,
            )
            if style is not None:
                kinds = style.options.kinds or ALL_KINDS
                kept = [one for one in report.findings if one.kind in kinds]
                report = report if len(kept) == len(report.findings) else with_findings(report, kept)
                report = style.complete(report, document, kinds=kinds, include_quotes=include_quotes)
            return replace(report, notes=(*report.notes, *notes)) if notes else report

        report = default_report = read(threshold)
        if threshold != (default := threshold_at(reader.sensitivity, 0)):
            default_report = read(default)
        by_reader = [one for one in report.findings if one.kind is not Kind.STYLE]
        term_dependent = context.term_dependent.select(
            reader, document, by_reader, threshold=threshold, cancelled=cancelled
        )
        context.document, context.revision = document, snapshot.revision
        positions = OffsetMap(snapshot.text)
        sentences, default_sentences = (
            sentences_without_findings(one, snapshot.text, include_quotes=snapshot.include_quotes)
            for one in (report, default_report)
        )
        return AnalysisResult(
            snapshot,
            report=report,
            document=document,
            marks=Marks.place([*report.findings, *sentences], positions),
            positions=positions,
            words=count_words(document),
            seconds=time.perf_counter() - began,
            reader=reader.name,
            curve=reader.sensitivity,
            default_report=default_report,
            default_sentences=tuple(default_sentences),
            term_dependent=term_dependent,
        )

    def failed(self, error: Exception, message: str) -> AnalysisResult:
        from core.bundles.manifest import BundleError

        text = message or tr("This text could not be analysed ({error}). The text itself is safe.").format(
            error=_error_name(error)
        )
        return AnalysisResult(self.snapshot, message=text, missing=isinstance(error, BundleError))


def _draft_style(context: WorkerContext, snapshot: Snapshot) -> tuple[DraftStyle | None, tuple[str, ...]]:
    """The style rules for a draft, and what is wrong with them; None where the project file cannot be read."""
    from core.style.toml_source import StyleError

    try:
        style = context.draft_style(snapshot.file, snapshot.format, snapshot.style)
    except StyleError as error:
        return None, (str(error),)
    return style, style.problems


@dataclass(frozen=True, slots=True)
class _Suggest:
    revision: int
    finding: Finding
    whole: tuple[Finding, ...]

    def run(self, context: WorkerContext, cancelled: Callable[[], bool]) -> SuggestionResult:
        from core.engine.reader import Cancelled

        if context.document is None or context.revision != self.revision:
            raise Cancelled
        from core.rewriting.rewriter import RewriterError

        try:
            if self.whole:
                found = context.rewriter.reword(
                    context.document, self.finding, findings=self.whole, cancelled=cancelled
                )
            else:
                found = context.rewriter.suggest(
                    context.document, self.finding, n=MAX_SUGGESTIONS, cancelled=cancelled
                )
        except RewriterError as error:
            return self.failed(error, str(error))
        return SuggestionResult(self.revision, self.finding, found, self.whole)

    def failed(self, error: Exception, message: str) -> SuggestionResult:
        from core.bundles.manifest import BundleError

        text = message or suggestion_problem(error)
        missing = isinstance(error, BundleError)
        return SuggestionResult(self.revision, self.finding, None, self.whole, text, missing)


@dataclass(frozen=True, slots=True)
class _ForgetModels:
    def run(self, context: WorkerContext, _cancelled: Callable[[], bool]) -> None:
        context.forget_models()

    def failed(self, _error: Exception, _message: str) -> None:
        """Forgetting models cannot fail."""


class _Worker(QObject):
    """Lives in the analysis thread and runs one task after another."""

    done = Signal(object)
    progress = Signal(float)
    message = Signal(str)

    def __init__(
        self, load: Callable[[], Reader] | None, load_rewriter: Callable[[Any], Rewriter] | None
    ) -> None:
        super().__init__()
        self._context = WorkerContext(
            load or (lambda: _load_engine(self.message.emit)),
            load_rewriter or (lambda engine: _load_suggester(engine, self.message.emit)),
            self.progress.emit,
        )

    @Slot(object, object)
    def do(self, task: Task, cancel: Event) -> None:
        """Run a task, and emit its result unless it was cancelled."""
        if cancel.is_set():
            return
        from core.bundles.manifest import BundleError
        from core.engine.cue_classes import LexiconError
        from core.engine.onnx_session import ReaderError
        from core.engine.reader import Cancelled

        try:
            result = task.run(self._context, cancel.is_set)
        except Cancelled:
            return
        except (BundleError, LexiconError, ReaderError) as error:
            result = task.failed(error, str(error))
        except Exception as error:
            # The message of an exception can hold words of the draft, and those belong in no log.
            frame = traceback.extract_tb(error.__traceback__)[-1]
            _log.error(
                "%s failed: %s in %s:%s", type(task).__name__, _error_name(error), frame.name, frame.lineno
            )
            result = task.failed(error, "")
        if not cancel.is_set():
            self.done.emit(result)


class AnalysisController(QObject):
    """The window's side: waits until typing pauses, sends a snapshot, and emits what is not outdated.

    ``outdated``: the text has changed. ``started``: a snapshot was sent. ``finished``: an ``AnalysisResult`` and
    ``suggestions_ready``: a ``SuggestionResult``, both of the present revision. ``task_done``: the result of any other
    task. ``progress``: the analysed share, in [0, 1]. ``stopped``: the analysis was stopped on request. ``message``: a
    sentence about the loaded models.
    """

    outdated = Signal()
    started = Signal()
    finished = Signal(object)
    suggestions_ready = Signal(object)
    task_done = Signal(object)
    progress = Signal(float)
    stopped = Signal()
    message = Signal(str)
    _sent = Signal(object, object)

    def __init__(
        self,
        snapshot: Callable[[int], Snapshot],
        *,
        load: Callable[[], Reader] | None = None,
        load_rewriter: Callable[[Any], Rewriter] | None = None,
        pause_ms: int = TYPING_PAUSE_MS,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._snapshot = snapshot
        self._revision = 0
        self._closed = False
        self._cancel = Event()
        self._analysing = False
        self._other_tasks: list[Event] = []
        self._pause = pause_ms
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._send)
        self._thread = QThread(self)
        self._thread.setObjectName("analysis")
        self._worker = _Worker(load, load_rewriter)
        self._worker.moveToThread(self._thread)
        self._sent.connect(self._worker.do, Qt.ConnectionType.QueuedConnection)
        self._worker.done.connect(self._arrived, Qt.ConnectionType.QueuedConnection)
        self._worker.progress.connect(self._report_progress, Qt.ConnectionType.QueuedConnection)
        self._worker.message.connect(self.message, Qt.ConnectionType.QueuedConnection)

    def text_changed(self, *, immediately: bool = False) -> None:
        """Cancel what is outdated, and analyse the new text after a pause in typing."""
        if self._closed:
            return
        self._revision += 1
        self._cancel.set()
        self._timer.start(0 if immediately else self._pause)
        self.outdated.emit()

    def stop(self) -> None:
        """Stop the analysis; the next edit or request starts it again."""
        if self._timer.isActive() or (self._analysing and not self._cancel.is_set()):
            self._timer.stop()
            self._revision += 1
            self._cancel.set()
            self._analysing = False
            self.stopped.emit()

    def request_suggestions(self, finding: Finding, *, whole: tuple[Finding, ...] = ()) -> None:
        """Request suggestions for a finding of the last analysis, or for its whole sentence at the findings ``whole``;
        an edit cancels this.
        """
        if not self._cancel.is_set():
            self._sent.emit(_Suggest(self._revision, finding, whole), self._cancel)

    def submit(self, task: Task) -> Event:
        """Queue another task; setting the returned event cancels it."""
        cancel = Event()
        if not self._closed:
            self._other_tasks = [other for other in self._other_tasks if not other.is_set()] + [cancel]
            self._start()
            self._sent.emit(task, cancel)
        return cancel

    def forget_models(self) -> None:
        """Drop the loaded models: later tasks load those that are in use then."""
        self.submit(_ForgetModels())

    def close(self) -> None:
        """Stop the analysis and join the thread."""
        self._closed = True
        self._timer.stop()
        self._revision += 1
        for cancel in (self._cancel, *self._other_tasks):
            cancel.set()
        self._thread.quit()
        end_thread(self._thread)

    def _start(self) -> None:
        if not self._thread.isRunning():
            self._thread.start(QThread.Priority.LowPriority)

    def _send(self) -> None:
        self._start()
        self._cancel = Event()
        self._analysing = True
        self.started.emit()
        self._sent.emit(_Analyse(self._snapshot(self._revision)), self._cancel)

    @Slot(object)
    def _arrived(self, result: object) -> None:
        if isinstance(result, AnalysisResult):
            if result.snapshot.revision == self._revision:
                self._analysing = False
                self.finished.emit(result)
        elif isinstance(result, SuggestionResult):
            if result.revision == self._revision:
                self.suggestions_ready.emit(result)
        elif not self._closed:
            self.task_done.emit(result)

    @Slot(float)
    def _report_progress(self, share: float) -> None:
        if self._analysing and not self._cancel.is_set():
            self.progress.emit(share)


def suggestion_problem(error: Exception) -> str:
    """Why there are no suggestions after an unexpected error, for the person."""
    text = tr("The search for suggestions failed ({error}). The text itself is safe.")
    return text.format(error=_error_name(error))


def _error_name(error: Exception) -> str:
    return type(error).__name__


def _load_engine(on_message: Callable[[str], object]) -> Reader:
    from core.models import active

    return active.load_engine(on_message)


def _load_suggester(engine: Any, on_message: Callable[[str], object]) -> Rewriter:
    from core.models import active

    return active.load_suggester(engine, on_message)
