"""Suggestions: the model proposes, the engine reads every proposal again; only what reads less biased is offered."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path

from core.documents import Document, Sentence
from core.engine import Engine
from core.findings import Finding
from core.reader import Cancelled, Reading
from core.rewriting import ranking, readable
from core.rewriting.candidates import (
    FLAGGED,
    WIDENED,
    Candidate,
    Place,
    Proposer,
    asks_for,
    candidates,
    combined,
    only_removes,
    place_of,
    places,
)
from core.rewriting.guards import may_be_ordinary
from core.rewriting.passage import Passage, passage, sentence_at
from core.rewriting.rewriter import Rewriter, TooLong
from core.suggestions import Suggestion, Suggestions
from core.words import WORD

HAIR = 0.1
"""By so much the log-odds of a sentence's bias must fall at least; one word of a very biased sentence moves no more."""

ASKED = 4
"""Wordings asked of the model for each place."""

MOST_READ, MOST_COMPARED = 6, 5
"""So many candidates are read again for one finding, and of so many the meaning is compared."""


@dataclass(frozen=True, slots=True)
class _Read:
    """A passage as the reader reads it."""

    passage: Passage
    reading: Reading


@dataclass(frozen=True, slots=True)
class _Options:
    """How likely the model would keep a place as it is, and what else it may become, best tier first."""

    keep: float
    items: list[Candidate]


@dataclass(frozen=True, slots=True)
class _Held:
    """A candidate that was read again and may be offered; ``bias`` is how it reads, ``score`` its rank if known."""

    candidate: Candidate
    bias: float
    score: float = 0.0


class Suggester:
    """An engine and a rewriter. Holds no document; safe to use from several threads."""

    def __init__(
        self, engine: Engine, rewriter: Proposer, *, weights: ranking.Weights = ranking.WEIGHTS
    ) -> None:
        self.engine = engine
        self.rewriter = rewriter
        self._weights = weights

    @classmethod
    def load(cls, engine: Engine, folder: Path | str | None = None) -> Suggester:
        """Open the rewriter in ``folder``, by default the bundled one. Raises BundleError."""
        return cls(engine, Rewriter.load(folder))

    def suggest(
        self,
        document: Document,
        finding: Finding,
        *,
        n: int = 3,
        cancelled: Callable[[], bool] | None = None,
    ) -> Suggestions:
        """Up to ``n`` wordings for a finding of ``document``, best first, or a note why there is none.

        Those that change only the flagged words come first, then those that change a neighbour, then those that
        change every finding of the sentence. Each lowers the sentence's bias, rids it of the finding and adds
        none. Raises Cancelled, ReaderError and RewriterError.
        """
        sentence = sentence_at(document, finding.start)
        if finding.quoted:
            return Suggestions(note=readable.QUOTED)
        if sentence is None:
            return Suggestions(note=readable.NOTHING_BETTER)
        read = self._read(document, sentence, cancelled)
        if note := readable.trouble(read.passage.text):
            return Suggestions(note=note)
        found = places(read.passage, read.reading.spans)
        flagged = place_of(
            read.passage, finding.start, finding.end, kind=finding.kind, confidence=finding.confidence
        )
        if flagged is None:
            return Suggestions(note=readable.NOTHING_BETTER)
        wide = (place for place in found if place.start <= flagged.start and flagged.end <= place.end)
        where = next(wide, flagged)
        others = [place for place in found if place.end <= where.start or where.end <= place.start]
        try:
            held = self._sought(read, where, others, n=n, cancelled=cancelled)
        except TooLong:
            return Suggestions(note=readable.TOO_LONG)
        items = self._ranked(read, held, n)
        return Suggestions(items, "" if items else readable.NOTHING_BETTER)

    def rewrite(
        self,
        document: Document,
        sentence: Sentence,
        *,
        n: int = 1,
        cancelled: Callable[[], bool] | None = None,
    ) -> tuple[Suggestion, ...]:
        """Up to ``n`` neutral wordings of a whole sentence, best first; none where nothing is wrong or none holds.

        A sentence is wrong from the reader's own threshold of bias on. Reworded are the findings that the reader is
        sure enough of and whose words the model would not keep, with words that it thinks likely enough, by the
        rewriter bundle's thresholds. Raises TooLong for a sentence that is too long to rewrite, Cancelled, ReaderError
        and RewriterError.
        """
        read = self._read(document, sentence, cancelled)
        limits = self.rewriter.bundle.thresholds
        found = places(read.passage, read.reading.spans)
        wrong = [place for place in found if place.confidence >= limits.confidence]
        if not wrong or read.reading.bias < self.engine.bundle.thresholds.bias:
            return ()
        if note := readable.trouble(read.passage.text):
            if note == readable.TOO_LONG:
                raise TooLong
            return ()
        wrong.sort(key=lambda place: -place.confidence)
        options = [
            self._held(read, likely[:MOST_READ], least=-math.inf, cancelled=cancelled)
            for option in self._options(read.passage, wrong, cancelled, apart=wrong)
            if option.keep < limits.keep
            and (likely := [item for item in option.items if item.likely >= limits.likely])
        ]
        sound = [[held.candidate for held in self._sorted(read, some)] for some in options if some]
        together = self._together(read.passage, sound, n)
        held = self._held(read, together, least=HAIR, cancelled=cancelled)
        if not held and len(sound) > 1:
            held = self._one_by_one(read, sound, cancelled)
        return self._ranked(read, held, n)

    def _sought(
        self,
        read: _Read,
        where: Place,
        others: Sequence[Place],
        *,
        n: int,
        cancelled: Callable[[], bool] | None,
    ) -> list[_Held]:
        """Candidates for one place that hold. A person waits for them: neighbours are only asked about where the
        flagged words alone gave nothing, the other findings only where there are fewer than ``n``.
        """
        apart = [where, *others]

        def options(wanted: Sequence[Place], *tiers: int) -> list[_Options]:
            return self._options(read.passage, wanted, cancelled, apart=apart, tiers=tiers)

        (own,) = options([where], FLAGGED)
        held = self._held(read, own.items[:MOST_READ], least=HAIR, cancelled=cancelled)
        if not held:
            (own,) = options([where], FLAGGED, WIDENED)
            wide = [item for item in own.items if item.tier == WIDENED]
            held += self._held(read, wide[:MOST_READ], least=HAIR, cancelled=cancelled)
        if len(held) < n and others:
            parts = [own, *options(others, FLAGGED)]
            together = self._together(read.passage, [part.items for part in parts], n)
            held += self._held(read, together, least=HAIR, cancelled=cancelled)
        return held

    def _read(self, document: Document, sentence: Sentence, cancelled: Callable[[], bool] | None) -> _Read:
        found = passage(document, sentence)
        (reading,) = self.engine.reader.read([found.text], cancelled=cancelled)
        return _Read(found, reading)

    def _options(
        self,
        text: Passage,
        wanted: Sequence[Place],
        cancelled: Callable[[], bool] | None,
        *,
        apart: Sequence[Place],
        tiers: Sequence[int] = (FLAGGED, WIDENED),
    ) -> list[_Options]:
        """What may become of each of the ``wanted`` places by ``tiers``, from one run of the model."""
        if cancelled is not None and cancelled():
            raise Cancelled
        asked = [[ask for ask in asks_for(text, place, apart=apart) if ask[1] in tiers] for place in wanted]
        answers = iter(self.rewriter.propose([ask for some in asked for ask, _tier in some], ASKED))
        ordinary = cache(partial(self._is_ordinary, text.source))
        options = []
        for some in asked:
            own = [next(answers) for _ask in some]
            options.append(_Options(own[0].keep, candidates(text, some, answers=own, ordinary=ordinary)))
        return options

    def _is_ordinary(self, source: str, word: str) -> bool:
        """Whether a word with a capital is no name: by its form, by the cue lists, or as the draft writes it."""
        lower = word.lower()
        return (
            may_be_ordinary(word)
            or self.engine.lexicon.kind_of(lower) is not None
            or re.search(rf"(?<!\w){re.escape(lower)}(?!\w)", source) is not None
        )

    def _together(self, text: Passage, options: Sequence[Sequence[Candidate]], n: int) -> list[Candidate]:
        """Candidates that reword all places at once: the first of each, then with another for one of them."""
        some = [option for option in options if option]
        if not some or len(some) < len(options):
            return []
        first = [option[0] for option in some]
        choices = [first]
        for rank in range(1, n + 1):
            choices += (
                [*first[:at], option[rank], *first[at + 1 :]]
                for at, option in enumerate(some)
                if rank < len(option)
            )
        ordinary = cache(partial(self._is_ordinary, text.source))
        made = (combined(text, choice, ordinary=ordinary) for choice in choices)
        return [candidate for candidate in made if candidate is not None][: 2 * n + 1]

    def _one_by_one(
        self, read: _Read, options: Sequence[Sequence[Candidate]], cancelled: Callable[[], bool] | None
    ) -> list[_Held]:
        """One candidate from as many of the ``options`` as go together, in their order."""
        ordinary = cache(partial(self._is_ordinary, read.passage.source))
        parts: list[Candidate] = []
        best: list[_Held] = []
        for option in options:
            for candidate in option[:2]:
                made = combined(read.passage, [*parts, candidate], ordinary=ordinary)
                held = self._held(read, [made] if made else [], least=HAIR, cancelled=cancelled)
                if held:
                    parts.append(candidate)
                    best = held
                    break
        return best

    def _held(
        self,
        read: _Read,
        tried: Sequence[Candidate],
        *,
        least: float,
        cancelled: Callable[[], bool] | None,
    ) -> list[_Held]:
        """The candidates that, read again, lower the log-odds of bias by ``least``, end their findings, bring none."""
        readings = self.engine.reader.read([candidate.text for candidate in tried], cancelled=cancelled)
        return [
            _Held(candidate, reading.bias)
            for candidate, reading in zip(tried, readings, strict=True)
            if _log_odds(read.reading.bias) - _log_odds(reading.bias) >= least
            and only_removes(candidate, read.reading.spans, reading.spans)
        ]

    def _sorted(self, read: _Read, held: Sequence[_Held]) -> list[_Held]:
        """``held`` with their scores, best first, each text once; the meaning of the most promising is compared."""
        once = {one.candidate.text: one for one in reversed(held)}.values()
        promising = sorted(once, key=lambda one: self._rank(read, one, 1.0))[:MOST_COMPARED]
        if not promising:
            return []
        texts = [read.passage.text, *(one.candidate.text for one in promising)]
        meanings = self.engine.reader.meanings(texts)
        scored = [
            replace(one, score=-self._rank(read, one, float(meanings[0] @ meaning))[1])
            for one, meaning in zip(promising, meanings[1:], strict=True)
        ]
        return sorted(scored, key=lambda one: (one.candidate.tier, -one.score, one.candidate.text))

    def _rank(self, read: _Read, held: _Held, meaning: float) -> tuple[int, float]:
        """Tier and score, the better the lower."""
        candidate, text = held.candidate, read.passage.text
        words = sum(
            max(len(WORD.findall(text[change.start : change.end])), len(WORD.findall(change.words)))
            for change in candidate.changes
        )
        return candidate.tier, -ranking.score(
            before=read.reading.bias,
            after=held.bias,
            meaning=meaning,
            likely=candidate.likely,
            words=words,
            weights=self._weights,
        )

    def _ranked(self, read: _Read, held: Sequence[_Held], n: int) -> tuple[Suggestion, ...]:
        return tuple(
            Suggestion(
                edits=read.passage.edits(one.candidate.changes),
                sentence=read.passage.changed_source(one.candidate.changes),
                score=one.score,
                bias_before=read.reading.bias,
                bias_after=one.bias,
            )
            for one in self._sorted(read, held)[:n]
        )


def _log_odds(probability: float) -> float:
    bounded = min(max(probability, 1e-6), 1 - 1e-6)
    return math.log(bounded / (1 - bounded))
