"""Wordings ahead of time: what is in view is asked for one by one while nothing else is to be read."""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer, Signal

from app.analysis.analysis_worker import Analyst, Answer, Reading
from app.analysis.suggestions import LOOKING, Key, Wordings, in_sentence
from app.editor.editor import TextPane
from app.editor.positions import TextMap
from core.types import Finding, SentenceReading

_ENTRIES = 2_000
AHEAD_MS = 400
"""From a reading until wordings are looked for that nobody has asked for yet: the person may be typing on."""


@dataclass(frozen=True, slots=True)
class Place:
    """The sentence of a finding as it was read: its start in code points of that text, and in UTF-16 units now."""

    key: Key
    read_at: int
    stands_at: int


class Suggesting(QObject):
    """Keeps the wordings that are known, and has the others looked for: what a person waits for first, then what
    is in view, then the next finding. A change of the text stops it until the text is read again.

    ``known``: a ``Finding`` whose wordings have come. ``lacking``: there is no rewriter that works.
    """

    known = Signal(object)
    lacking = Signal()

    def __init__(self, analyst: Analyst, pane: TextPane) -> None:
        super().__init__(pane)
        self._analyst = analyst
        self._pane = pane
        self._reading: Reading | None = None
        self._fresh = False
        self._view = (0, 0)
        self._cache: OrderedDict[Key, Wordings] = OrderedDict()
        self._wanted: Finding | None = None
        self._asked: tuple[Finding, Place] | None = None
        self._missing = ""
        self._ahead = QTimer(self)
        self._ahead.setSingleShot(True)
        self._ahead.setInterval(AHEAD_MS)
        self._ahead.timeout.connect(self._look)
        analyst.outdated.connect(self._stop)
        analyst.answered.connect(self._answered)
        pane.view_moved.connect(self._view_moved)

    def show(self, reading: Reading, *, first: Finding | None = None) -> None:
        """The marks in the pane are now those of ``reading``: look ahead, and ``first`` at the finding on the card."""
        self._reading = reading
        self._wanted = first
        self._fresh = True
        if first is not None:
            self._look()
        else:
            self._ahead.start()

    def clear(self) -> None:
        """Forget everything, also that the rewriter is missing: it may be there now."""
        self._stop()
        self._reading, self._missing = None, ""
        self._cache.clear()

    def of(self, finding: Finding) -> Wordings:
        """What is known for a finding in view; what is not is looked for before all others."""
        place = self.place(finding)
        if self._missing:
            return Wordings(note=self._missing)
        if place is None:
            return LOOKING
        if place.key in self._cache:
            self._cache.move_to_end(place.key)
            return self._cache[place.key]
        self._wanted = finding
        self._look()
        return LOOKING

    def place(self, finding: Finding) -> Place | None:
        """Where the sentence of a finding stands now; None if a character of it has changed since it was read."""
        mark = self._pane.marks.find(finding)
        sentence = self._sentence(finding)
        if mark is None or sentence is None or self._reading is None:
            return None
        snapshot = self._reading.snapshot
        text = snapshot.text[sentence.start : sentence.end]
        offset = finding.start - sentence.start
        positions = TextMap(text)
        start = mark.start - positions.to_utf16(offset)
        if start < 0 or self._pane.part(start, start + positions.to_utf16(len(text))) != text:
            return None
        key = Key(finding.fingerprint, text, offset, finding.quoted, snapshot.format)
        return Place(key, sentence.start, start)

    def _sentence(self, finding: Finding) -> SentenceReading | None:
        report = self._reading.report if self._reading else None
        if report is None:
            return None
        at = bisect_right(report.sentences, finding.start, key=lambda sentence: sentence.start) - 1
        holds = at >= 0 and report.sentences[at].end >= finding.end
        return report.sentences[at] if holds else None

    def _view_moved(self, start: int, end: int) -> None:
        self._view = (start, end)
        if not self._ahead.isActive():
            self._look()

    def _look(self) -> None:
        if not self._fresh or self._missing or self._asked is not None:
            return
        for finding in self._candidates():
            place = self.place(finding)
            if place is not None and place.key not in self._cache:
                self._asked = (finding, place)
                self._analyst.ask(finding)
                return
        self._wanted = None

    def _candidates(self) -> Iterator[Finding]:
        if self._wanted is not None:
            yield self._wanted
        marks = self._pane.marks
        yield from (mark.finding for mark in marks.between(*self._view))
        if (following := marks.after(self._view[1])) is not None:
            yield following.finding

    def _answered(self, answer: Answer) -> None:
        if self._asked is None or self._asked[0] != answer.finding:
            return
        finding, place = self._asked
        self._asked = None
        if answer.missing:
            self._missing = answer.message
            self.lacking.emit()
        elif answer.suggestions is None:
            self._keep(place.key, Wordings(note=answer.message))
        else:
            self._keep(place.key, in_sentence(answer.suggestions, place.read_at, place.key.sentence))
        self.known.emit(finding)
        self._look()

    def _keep(self, key: Key, wordings: Wordings) -> None:
        self._cache[key] = wordings
        while len(self._cache) > _ENTRIES:
            self._cache.popitem(last=False)

    def _stop(self) -> None:
        self._ahead.stop()
        self._fresh = False
        self._asked = self._wanted = None
