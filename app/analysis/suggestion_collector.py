"""Looks for suggestions for all findings of an analysis, one by one, so that edits are analysed in between."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import Event

from PySide6.QtCore import QObject, Signal

from app.analysis.analysis_worker import (
    MAX_SUGGESTIONS,
    AnalysisController,
    AnalysisResult,
    Snapshot,
    suggestion_problem,
)
from app.analysis.suggestion_prefetch import SentenceLocation, SuggestionPrefetch
from app.analysis.suggestions import SuggestionCache, relative_to_sentence, relative_to_source
from app.analysis.worker_context import WorkerContext
from core.documents.types import Document
from core.types import Finding, Suggestions


class _Source:
    """The text of a snapshot, parsed once, in the analysis thread."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._document: Document | None = None

    def document(self, context: WorkerContext) -> Document:
        if self._document is None:
            self._document = self._snapshot.document(context.parser.parse)
        return self._document


@dataclass(frozen=True, slots=True)
class _FoundSuggestions:
    """The suggestions for a finding. ``missing``: no rewriter works."""

    source: _Source
    finding: Finding
    suggestions: Suggestions
    missing: bool = False


@dataclass(frozen=True, slots=True)
class _SuggestionTask:
    source: _Source
    finding: Finding

    def run(self, context: WorkerContext, cancelled: Callable[[], bool]) -> _FoundSuggestions:
        from core.rewriting.rewriter import RewriterError

        document = self.source.document(context)
        try:
            found = context.rewriter.suggest(document, self.finding, n=MAX_SUGGESTIONS, cancelled=cancelled)
        except RewriterError as error:
            return self.failed(error, str(error))
        return _FoundSuggestions(self.source, self.finding, found)

    def failed(self, error: Exception, message: str) -> _FoundSuggestions:
        from core.bundles.manifest import BundleError

        note = message or suggestion_problem(error)
        return _FoundSuggestions(
            self.source, self.finding, Suggestions(note=note), isinstance(error, BundleError)
        )


class SuggestionCollector(QObject):
    """Collects the suggestions for the findings of one analysis, with the cache of the cards.

    ``progressed``: how many findings are done, and how many there are. ``collected``: a
    ``dict[Finding, Suggestions]`` with offsets in the analysed text; empty if no rewriter works.
    """

    progressed = Signal(int, int)
    collected = Signal(object)

    def __init__(
        self, analysis: AnalysisController, prefetch: SuggestionPrefetch, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._analysis = analysis
        self._prefetch = prefetch
        self._source: _Source | None = None
        self._cache = SuggestionCache()
        self._findings: dict[Finding, SentenceLocation | None] = {}
        self._found: dict[Finding, Suggestions] = {}
        self._cancel: Event | None = None
        analysis.task_done.connect(self._arrived)

    def start(self, reading: AnalysisResult) -> None:
        """Collect the suggestions for the findings of an analysis of the present text."""
        self._source = _Source(reading.snapshot)
        self._cache = self._prefetch.cache
        findings = reading.report.findings if reading.report else ()
        # A finding that the filter hides has no mark in the editor, so its place is not known.
        self._findings = {finding: self._prefetch.locate(finding) for finding in findings}
        self._found = {}
        self._next()

    def stop(self) -> None:
        """Stop; ``collected`` is not emitted."""
        if self._cancel is not None:
            self._cancel.set()
        self._source = self._cancel = None
        self._found = {}

    def _next(self) -> None:
        """Take what is cached, and submit a task for the next finding that is not."""
        assert self._source is not None
        for finding, place in self._findings.items():
            if finding in self._found:
                continue
            known = self._cache.get(place.key) if place is not None else None
            if place is None or known is None:
                self.progressed.emit(len(self._found), len(self._findings))
                self._cancel = self._analysis.submit(_SuggestionTask(self._source, finding))
                return
            self._found[finding] = relative_to_source(known, place.source_start)
        self._finish()

    def _arrived(self, result: object) -> None:
        if not isinstance(result, _FoundSuggestions) or result.source is not self._source:
            return
        if self._cancel is not None:
            self._cancel.set()  # The controller drops the events of finished tasks.
        if result.missing:
            self._found = {}
            self._finish()
            return
        place = self._findings[result.finding]
        if place is None:
            self._found[result.finding] = result.suggestions
        else:
            shown = relative_to_sentence(result.suggestions, place.source_start, place.key.sentence)
            self._cache.add(place.key, shown)
        self._next()

    def _finish(self) -> None:
        found = self._found
        self.stop()
        self.collected.emit(found)
