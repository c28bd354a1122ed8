"""Fetches suggestions ahead of time, one by one, while no analysis is running."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, QTimer, Signal

from app.analysis.analysis_worker import AnalysisController, AnalysisResult, SuggestionResult
from app.analysis.suggestions import (
    PENDING,
    DisplayedSuggestions,
    SuggestionCache,
    SuggestionKey,
    can_reword,
    relative_to_sentence,
)
from app.editor.biased_sentences import BiasedSentence
from app.editor.editor import TextEditor
from app.editor.positions import OffsetMap, utf16_length
from core.types import Finding, SentenceReading

PREFETCH_DELAY_MS = 400
"""Delay after an analysis before suggestions are prefetched: the person may be typing on."""


@dataclass(frozen=True, slots=True)
class SentenceLocation:
    """The sentence of a finding: its start in code points of the analysed text, and in UTF-16 units of the editor."""

    key: SuggestionKey
    source_start: int
    current_start: int


class SuggestionPrefetch(QObject):
    """Caches suggestions and requests missing ones: for the finding that a person waits for, then for those in view,
    then for the next finding; last, for the whole sentences of those that have none. An edit stops it until the text is
    analysed again.

    ``updated``: a ``Finding`` whose suggestions are known now. ``rewriter_missing``: no rewriter works. ``cache`` holds
    what is known; `clear` replaces it by an empty one when the draft or the models change.
    """

    updated = Signal(object)
    rewriter_missing = Signal()

    def __init__(self, analysis: AnalysisController, editor: TextEditor) -> None:
        super().__init__(editor)
        self._analysis = analysis
        self._editor = editor
        self._result: AnalysisResult | None = None
        self._is_current = False
        self._visible_range = (0, 0)
        self.cache = SuggestionCache()
        self._whole: set[SuggestionKey] = set()
        self._requested_first: Finding | None = None
        self._requested: tuple[Finding, SentenceLocation, SuggestionKey] | None = None
        self._unavailable = ""
        self._timer = QTimer(self, singleShot=True, interval=PREFETCH_DELAY_MS)
        self._timer.timeout.connect(self._request_next)
        analysis.outdated.connect(self._stop)
        analysis.suggestions_ready.connect(self._suggestions_ready)
        editor.visible_range_changed.connect(self._visible_range_changed)

    def show(self, result: AnalysisResult, *, first: Finding | None = None) -> None:
        """Prefetch for ``result``, whose findings the editor shows; begin with ``first``, the finding on the card."""
        self._result = result
        self._requested_first = first
        self._is_current = True
        if first is not None:
            self._request_next()
        else:
            self._timer.start()

    def clear(self) -> None:
        """Forget everything, including that the rewriter is missing."""
        self._stop()
        self._result, self._unavailable = None, ""
        self.cache = SuggestionCache()
        self._whole.clear()

    def get(self, finding: Finding) -> DisplayedSuggestions:
        """The suggestions for a finding; unknown ones are requested before all others. A whole sentence has none."""
        if isinstance(finding, BiasedSentence):
            return DisplayedSuggestions()
        location = self.locate(finding)
        if self._unavailable:
            return DisplayedSuggestions(note=self._unavailable)
        if location is None:
            return PENDING
        known = self.cache.get(self._wanted(location))
        if known is not None:
            return known
        self._requested_first = finding
        self._request_next()
        return PENDING

    def is_whole_sentence(self, finding: Finding) -> bool:
        """Whether the suggestions for a finding reword its whole sentence."""
        location = self.locate(finding)
        return location is not None and location.key in self._whole

    def set_whole_sentence(self, finding: Finding, whole: bool) -> None:
        """From now on suggest the whole sentence of a finding reworded, or its own words."""
        location = self.locate(finding)
        if location is not None:
            (self._whole.add if whole else self._whole.discard)(location.key)
            self.updated.emit(finding)

    def set_whole_sentences(self, findings: Iterable[Finding]) -> None:
        """From now on suggest the whole sentences of these findings reworded, and of all others their own words."""
        located = map(self.locate, findings)
        self._whole = {location.key for location in located if location is not None}

    def is_rewordable(self, finding: Finding) -> bool | None:
        """Whether the sentence of a finding without a suggestion can be reworded as a whole; None while unknown."""
        location = self.locate(finding)
        found = self.cache.get(self._as_whole(location)) if location is not None else None
        if found is None and not self._unavailable:
            self._requested_first = finding
            self._request_next()
        return bool(found.items) if found is not None else None

    def locate(self, finding: Finding) -> SentenceLocation | None:
        """Where the sentence of a finding is now; None if it was edited since the analysis."""
        mark = self._editor.marks.find(finding)
        sentence = self._sentence(finding)
        if mark is None or sentence is None or self._result is None:
            return None
        snapshot = self._result.snapshot
        text = snapshot.text[sentence.start : sentence.end]
        offset = finding.start - sentence.start
        positions = OffsetMap(text)
        start = mark.start - positions.to_utf16(offset)
        if start < 0 or self._editor.text_between(start, start + positions.to_utf16(len(text))) != text:
            return None
        key = SuggestionKey(finding.fingerprint, text, offset, finding.quoted, snapshot.format)
        return SentenceLocation(key, sentence.start, start)

    def _sentence(self, finding: Finding) -> SentenceReading | None:
        report = self._result.report if self._result else None
        if report is None:
            return None
        at = bisect_right(report.sentences, finding.start, key=lambda sentence: sentence.start) - 1
        holds = at >= 0 and report.sentences[at].end >= finding.end
        return report.sentences[at] if holds else None

    def _visible_range_changed(self, start: int, end: int) -> None:
        self._visible_range = (start, end)
        if not self._timer.isActive():
            self._request_next()

    def _request_next(self) -> None:
        if not self._is_current or self._unavailable or self._requested is not None:
            return
        for finding, location, key in self._missing():
            self._requested = (finding, location, key)
            whole = self._findings_in(location) if key.whole else ()
            self._analysis.request_suggestions(finding, whole=whole)
            return
        self._requested_first = None

    def _missing(self) -> Iterator[tuple[Finding, SentenceLocation, SuggestionKey]]:
        """What is not known yet, in the order of the requests."""
        without_suggestion = []
        for finding in self._candidates():
            location = self.locate(finding)
            if location is None:
                continue
            known = self.cache.get(key := self._wanted(location))
            if known is None:
                yield finding, location, key
            elif not key.whole and not known.items and can_reword(finding):
                without_suggestion.append((finding, location))
        for finding, location in without_suggestion:
            if (key := self._as_whole(location)) not in self.cache:
                yield finding, location, key

    def _candidates(self) -> Iterator[Finding]:
        marks = self._editor.marks
        near = [] if self._requested_first is None else [self._requested_first]
        near += [mark.finding for mark in marks.between(*self._visible_range)]
        if (following := marks.after(self._visible_range[1])) is not None:
            near.append(following.finding)
        yield from (finding for finding in near if not isinstance(finding, BiasedSentence))

    def _suggestions_ready(self, result: SuggestionResult) -> None:
        if self._requested is None:
            return
        finding, location, key = self._requested
        if finding != result.finding or bool(key.whole) != bool(result.whole):
            return
        self._requested = None
        if result.missing:
            self._unavailable = result.message
            self.rewriter_missing.emit()
        elif result.suggestions is None:
            self.cache.add(key, DisplayedSuggestions(note=result.message))
        else:
            self.cache.add(
                key,
                relative_to_sentence(result.suggestions, location.source_start, location.key.sentence),
            )
        self.updated.emit(finding)
        self._request_next()

    def _wanted(self, location: SentenceLocation) -> SuggestionKey:
        return self._as_whole(location) if location.key in self._whole else location.key

    def _as_whole(self, location: SentenceLocation) -> SuggestionKey:
        offsets = (finding.start - location.source_start for finding in self._findings_in(location))
        return replace(location.key, fingerprint="", offset=0, whole=tuple(offsets))

    def _findings_in(self, location: SentenceLocation) -> tuple[Finding, ...]:
        """The findings of a sentence that are shown."""
        end = location.current_start + utf16_length(location.key.sentence)
        return tuple(mark.finding for mark in self._editor.marks.between(location.current_start, end))

    def _stop(self) -> None:
        self._timer.stop()
        self._is_current = False
        self._requested = self._requested_first = None
