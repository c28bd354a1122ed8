"""Suggestions: the rewriter proposes words, the engine reads every candidate again, and only less biased ones
are kept.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Sequence
from functools import cache, partial
from pathlib import Path

from core.documents import Document, Sentence
from core.engine.engine import Engine
from core.engine.reader import Cancelled
from core.rewriting import guards
from core.rewriting.candidates import (
    FLAGGED,
    WIDENED,
    Candidate,
    EditTarget,
    Proposer,
    build_candidates,
    build_combinations,
    build_requests,
    combine_candidates,
    edit_target_at,
    edit_targets,
    may_report,
)
from core.rewriting.edits import Passage, make_passage, replace_words, sentence_at
from core.rewriting.guards import may_be_ordinary
from core.rewriting.refusals import Refusal, explain_refusals
from core.rewriting.rewriter import Rewriter, SentenceTooLong
from core.rewriting.scoring import (
    RankedCandidate,
    ReadPassage,
    ScoredCandidate,
    accept_candidates,
    judge_acceptance,
    judge_fit,
    rank_candidates,
    sort_candidates,
)
from core.types import Finding, Kind, Suggestion, Suggestions

PROPOSALS_PER_TARGET = 4
"""Proposals requested for each target."""

MAX_REREAD = 6
"""The most candidates that are read again for one finding."""

MAX_JUDGED = 10
"""The most candidates of a tier whose words the rewriter judges, the likeliest."""


class Suggester:
    """An engine and a rewriter. Keeps no document; thread-safe."""

    def __init__(self, engine: Engine, rewriter: Proposer) -> None:
        self.engine = engine
        self.rewriter = rewriter

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
        """Up to ``n`` suggestions for a finding of ``document``, best first, or a note why there is none.

        What a rule of a style pack puts in their place comes first. Then come those of the rewriter that change only
        the marked words, those that change a neighbour, and those that change every finding of the sentence. Each of
        these lowers the bias of the sentence, removes the finding and adds none. Raises Cancelled, ReaderError and
        RewriterError.
        """
        sentence = sentence_at(document, finding.start)
        if finding.quoted:
            return Suggestions(note=guards.QUOTED)
        if sentence is None:
            return Suggestions(note=guards.NO_SUGGESTION)
        read = self._read(document, sentence, cancelled)
        ruled = self._replacements(read, finding, cancelled)
        if finding.kind is Kind.STYLE:
            return Suggestions(ruled[:n], "" if ruled else guards.NO_SUGGESTION_IN_RULE)
        proposed = self._propose(read, finding, n=n, cancelled=cancelled)
        items = ruled + tuple(
            one for one in proposed.items if one.edits not in {rule.edits for rule in ruled}
        )
        return Suggestions(items[:n], "" if items else proposed.note)

    def _replacements(
        self, read: ReadPassage, finding: Finding, cancelled: Callable[[], bool] | None
    ) -> tuple[Suggestion, ...]:
        """The suggestions of a rule of a style pack for a finding, with the bias that they leave."""
        passage = read.passage
        first, last = (bisect_left(passage.offsets, place) for place in (finding.start, finding.end))
        replacements = finding.style.replacements if finding.style else ()
        changes = [replace_words(passage, first, last, words) for words in replacements]
        changes = [one for one in dict.fromkeys(changes) if one and guards.leaves_no_remnant(passage, one)]
        readings = self.engine.reader.read([passage.apply(one) for one in changes], cancelled=cancelled)
        return tuple(
            Suggestion(
                edits=passage.edits(one),
                sentence=passage.apply_to_source(one),
                score=1.0,
                bias_before=read.reading.bias,
                bias_after=reading.bias,
            )
            for one, reading in zip(changes, readings, strict=True)
        )

    def _propose(
        self, read: ReadPassage, finding: Finding, *, n: int, cancelled: Callable[[], bool] | None
    ) -> Suggestions:
        """The rewriter's suggestions for a finding of the reader."""
        if note := guards.reason_to_skip(read.passage.text):
            return Suggestions(note=note)
        targets = self._targets(read, finding)
        if targets is None:
            return Suggestions(note=guards.NOT_EDITABLE)
        refused: dict[str, Refusal] = {}
        try:
            ranked = self._candidates_for(read, *targets, n=n, cancelled=cancelled, refused=refused)
        except SentenceTooLong:
            return Suggestions(note=guards.TOO_LONG)
        items = self._to_suggestions(read, ranked[:n])
        return Suggestions(items, "" if items else explain_refusals(refused.values()))

    def rank_finding(
        self, document: Document, finding: Finding, *, cancelled: Callable[[], bool] | None = None
    ) -> list[RankedCandidate]:
        """Every candidate for a finding that is sound English and accepted, whatever its score, best first.

        Raises Cancelled, ReaderError and RewriterError.
        """
        sentence = sentence_at(document, finding.start)
        if sentence is None:
            return []
        read = self._read(document, sentence, cancelled)
        targets = self._targets(read, finding)
        if targets is None or guards.reason_to_skip(read.passage.text):
            return []
        where, others = targets
        try:
            (options,) = self._options(read.passage, [where], cancelled, apart=[where, *others])
        except SentenceTooLong:
            return []
        found: list[RankedCandidate] = []
        for tier in (FLAGGED, WIDENED):
            tried = [one for one in options if one.tier == tier][:MAX_REREAD]
            found += self._rank(read, tried, where, len(others), cancelled)
        return sorted(found, key=lambda one: -one.score)

    def _targets(self, read: ReadPassage, finding: Finding) -> tuple[EditTarget, list[EditTarget]] | None:
        """The target of a finding, as wide as the reader marks it, and the sentence's others; None where its words
        cannot be changed.
        """
        flagged = edit_target_at(
            read.passage, finding.start, finding.end, kind=finding.kind, confidence=finding.confidence
        )
        if flagged is None:
            return None
        found = edit_targets(read.passage, read.reading.spans)
        wide = (target for target in found if target.start <= flagged.start and flagged.end <= target.end)
        where = next(wide, flagged)
        return where, [target for target in found if target.end <= where.start or where.end <= target.start]

    def reword(
        self,
        document: Document,
        finding: Finding,
        *,
        findings: Collection[Finding] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Suggestions:
        """The sentence of a finding reworded as a whole, at every finding (or those of ``findings``) that has a
        suggestion, or a note why not.

        Raises Cancelled, ReaderError and RewriterError.
        """
        sentence = sentence_at(document, finding.start)
        if sentence is None:
            return Suggestions(note=guards.NO_SUGGESTION)
        try:
            read, ranked = self.rank_sentence(document, sentence, findings=findings, cancelled=cancelled)
        except SentenceTooLong:
            return Suggestions(note=guards.TOO_LONG)
        offered = [self._offered(some) for some in ranked]
        items = self._to_suggestions(read, self._combine(read, offered, 1, cancelled))
        if items:
            return Suggestions(items)
        note = guards.QUOTED if finding.quoted else guards.reason_to_skip(read.passage.text)
        found = guards.NO_SUGGESTION if any(offered) else guards.NONE_IN_SENTENCE
        return Suggestions(note=note or found)

    def rewrite(
        self,
        document: Document,
        sentence: Sentence,
        *,
        n: int = 1,
        findings: Collection[Finding] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> tuple[Suggestion, ...]:
        """Up to ``n`` rewrites of a whole sentence, best first; none where it has no findings or no acceptable rewrite.

        Findings (all, or ``findings`` alone) are rewritten where a candidate reaches the score threshold of the
        rewriter's bundle. Raises SentenceTooLong for a sentence that is too long to rewrite, Cancelled, ReaderError and
        RewriterError.
        """
        read, ranked = self.rank_sentence(document, sentence, findings=findings, cancelled=cancelled)
        least = self.rewriter.bundle.thresholds.score
        sure = [[one for one in some if one.score >= least] for some in ranked]
        return self._to_suggestions(read, self._combine(read, sure, n, cancelled))

    def rank_sentence(
        self,
        document: Document,
        sentence: Sentence,
        *,
        findings: Collection[Finding] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> tuple[ReadPassage, list[list[RankedCandidate]]]:
        """The reading of a sentence, and for each of its findings (all, or ``findings`` alone) the ranked candidates,
        best score first.

        Raises as ``rewrite`` does.
        """
        read = self._read(document, sentence, cancelled)
        found = edit_targets(read.passage, read.reading.spans)
        if findings is not None:
            offsets = read.passage.offsets
            found = [
                target
                for target in found
                if any(one.start <= offsets[target.start] < one.end for one in findings)
            ]
        note = guards.reason_to_skip(read.passage.text) if found else ""
        if note == guards.TOO_LONG:
            raise SentenceTooLong
        if note or not found:
            return read, []
        options = self._options(read.passage, found, cancelled, apart=found)
        weighed = [
            self._rank(read, items[:MAX_REREAD], target, len(found) - 1, cancelled)
            for target, items in zip(found, options, strict=True)
        ]
        return read, [sorted(some, key=lambda one: -one.score) for some in weighed]

    def _candidates_for(
        self,
        read: ReadPassage,
        where: EditTarget,
        others: Sequence[EditTarget],
        *,
        n: int,
        cancelled: Callable[[], bool] | None,
        refused: dict[str, Refusal],
    ) -> list[ScoredCandidate]:
        """Candidates for one target. Since a person is waiting, neighbours are only tried where the marked words alone
        gave nothing, and the other findings only where there are fewer than ``n``.

        Where there are none at all, the texts that were tried for the target are entered in ``refused``.
        """
        apart = [where, *others]
        dropped: list[Candidate] = []

        def options(wanted: Sequence[EditTarget], *tiers: int) -> list[list[Candidate]]:
            noted = refused if where in wanted else None
            return self._options(read.passage, wanted, cancelled, apart=apart, tiers=tiers, refused=noted)

        def weighed(items: Sequence[Candidate]) -> list[RankedCandidate]:
            ranked = self._rank(read, items, where, len(others), cancelled)
            good = self._offered(ranked)
            refused.update((one.candidate.text, Refusal.UNCERTAIN) for one in ranked if one not in good)
            dropped.extend(item for item in items if all(one.candidate is not item for one in ranked))
            return good

        (own,) = options([where], FLAGGED)
        found: list[ScoredCandidate] = [*weighed(own[:MAX_REREAD])]
        if not found:
            (own,) = options([where], FLAGGED, WIDENED)
            wide = [item for item in own if item.tier == WIDENED]
            found += weighed(wide[:MAX_REREAD])
        if len(found) < n and others:
            together = build_combinations([own, *options(others, FLAGGED)], n)
            made = (self._combined(read.passage, parts) for parts in together)
            found += weighed([candidate for candidate in made if candidate is not None])
        if not found:
            refused.update(self._why_dropped(dropped))
        return sort_candidates(found)

    def _offered(self, ranked: Sequence[RankedCandidate]) -> list[RankedCandidate]:
        """The candidates that are likely enough to be good, whatever their effect on the political leaning."""
        bundle = self.rewriter.bundle
        return [one for one in ranked if bundle.ranking.score(one.features, 0.0) >= bundle.thresholds.offer]

    def _why_dropped(self, dropped: Sequence[Candidate]) -> dict[str, Refusal]:
        """What candidates fail that are not ranked, by their text."""
        least = self.rewriter.bundle.thresholds.fit
        fits = judge_fit(self.rewriter, dropped) if dropped else []
        return {
            one.text: Refusal.NOT_ENGLISH if fit < least else Refusal.STILL_BIASED
            for one, fit in zip(dropped, fits, strict=True)
        }

    def _read(
        self, document: Document, sentence: Sentence, cancelled: Callable[[], bool] | None
    ) -> ReadPassage:
        found = make_passage(document, sentence)
        (reading,) = self.engine.reader.read([found.text], cancelled=cancelled)
        return ReadPassage(found, reading)

    def _options(
        self,
        text: Passage,
        wanted: Sequence[EditTarget],
        cancelled: Callable[[], bool] | None,
        *,
        apart: Sequence[EditTarget],
        tiers: Sequence[int] = (FLAGGED, WIDENED),
        refused: dict[str, Refusal] | None = None,
    ) -> list[list[Candidate]]:
        """The candidates for each of the ``wanted`` targets in ``tiers``, best tier first, from one run of
        the model. Texts that are not acceptable are entered in ``refused``.
        """
        if cancelled is not None and cancelled():
            raise Cancelled
        asked = [
            [ask for ask in build_requests(text, target, apart=apart) if ask[1] in tiers] for target in wanted
        ]
        answers = iter(
            self.rewriter.propose([ask for some in asked for ask, _tier in some], PROPOSALS_PER_TARGET)
        )
        ordinary = cache(partial(self._is_ordinary, text.source))
        noted = {} if refused is None else refused
        built = [
            build_candidates(
                text,
                some,
                answers=[next(answers) for _ask in some],
                reports=may_report(text, target),
                ordinary=ordinary,
                refused=noted,
            )
            for target, some in zip(wanted, asked, strict=True)
        ]
        return [self._judged(text, some, tiers) for some in built]

    def _judged(self, text: Passage, found: Sequence[Candidate], tiers: Sequence[int]) -> list[Candidate]:
        """The likeliest candidates of each tier, with the rewriter's judgement of their words."""
        likely = [one for tier in tiers for one in [one for one in found if one.tier == tier][:MAX_JUDGED]]
        return judge_acceptance(self.rewriter, text.text, likely)

    def _is_ordinary(self, source: str, word: str) -> bool:
        """Whether a capitalised word is no name: by its form, by the cue lists, or as it occurs in the draft."""
        lower = word.lower()
        return (
            may_be_ordinary(word)
            or self.engine.lexicon.kind_of(lower) is not None
            or re.search(rf"(?<!\w){re.escape(lower)}(?!\w)", source) is not None
        )

    def _rank(
        self,
        read: ReadPassage,
        tried: Sequence[Candidate],
        target: EditTarget,
        others: int,
        cancelled: Callable[[], bool] | None,
    ) -> list[RankedCandidate]:
        return rank_candidates(
            self.engine.reader,
            read,
            tried,
            target=target,
            others=others,
            rewriter=self.rewriter,
            cancelled=cancelled,
        )

    def _combined(self, text: Passage, parts: Sequence[Candidate]) -> Candidate | None:
        return combine_candidates(text, parts, ordinary=cache(partial(self._is_ordinary, text.source)))

    def _combine(
        self,
        read: ReadPassage,
        found: Sequence[Sequence[RankedCandidate]],
        n: int,
        cancelled: Callable[[], bool] | None,
    ) -> list[ScoredCandidate]:
        """Up to ``n`` candidates that combine one of each list in ``found``, or as many as go together."""
        options = sorted(filter(None, found), key=lambda some: -some[0].score)
        ranked = self._combine_scored(read, build_combinations(options, n), cancelled)
        if not ranked and len(options) > 1:
            ranked = self._combine_greedily(read, options, cancelled)
        return ranked[:n]

    def _combine_scored(
        self,
        read: ReadPassage,
        chosen: Sequence[Sequence[ScoredCandidate]],
        cancelled: Callable[[], bool] | None,
    ) -> list[ScoredCandidate]:
        """Candidates that combine all changes of one of the ``chosen``; the score is the product of theirs.
        Best first.
        """
        scores: dict[Candidate, float] = {}
        for parts in chosen:
            whole = self._combined(read.passage, [part.candidate for part in parts])
            if whole is not None:
                scores[whole] = math.prod(part.score for part in parts)
        good_options = accept_candidates(self.engine.reader, read, list(scores), cancelled)
        return sort_candidates(
            [ScoredCandidate(candidate, reading, scores[candidate]) for candidate, reading in good_options]
        )

    def _combine_greedily(
        self,
        read: ReadPassage,
        options: Sequence[Sequence[ScoredCandidate]],
        cancelled: Callable[[], bool] | None,
    ) -> list[ScoredCandidate]:
        """A candidate that combines as many of the ``options`` as are accepted together, in their order."""
        parts: list[ScoredCandidate] = []
        best: list[ScoredCandidate] = []
        for option in options:
            for one in option[:2]:
                if found := self._combine_scored(read, [[*parts, one]], cancelled):
                    parts.append(one)
                    best = found
                    break
        return best

    def _to_suggestions(self, read: ReadPassage, ranked: Sequence[ScoredCandidate]) -> tuple[Suggestion, ...]:
        return tuple(
            Suggestion(
                edits=read.passage.edits(one.candidate.changes),
                sentence=read.passage.apply_to_source(one.candidate.changes),
                score=one.score,
                bias_before=read.reading.bias,
                bias_after=one.reading.bias,
            )
            for one in ranked
        )
