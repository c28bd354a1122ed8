"""Candidates read again by the engine: which are accepted, and the score of each."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from core.bundles.rewriter import RankingFeatures
from core.engine.reader import Reader, Reading
from core.rewriting.candidates import WIDENED, Candidate, EditTarget, Proposer, new_places, removes_findings
from core.rewriting.edits import Passage
from core.rewriting.fluency import load_fluency_scorer
from core.rewriting.rewriter import AcceptanceRequest, RewriteRequest

MIN_BIAS_DROP = 0.1
"""The least fall of the log-odds of bias where no other finding stays in the sentence."""

MAX_BIAS_RISE = 0.3
"""The greatest rise beside findings that stay: for them the sentence stays biased, more or less with every word."""


def leaning_position(reading: Reading) -> float:
    """Whose wording a text resembles, between left (-1) and right (1) outlets'; near 0 where it is hardly political."""
    left, _, right = reading.leaning
    return reading.political * (right - left)


def log_odds(probability: float) -> float:
    """The log-odds of a probability, kept within those of 1 in 10,000."""
    bounded = min(max(probability, 1e-4), 1 - 1e-4)
    return math.log(bounded / (1 - bounded))


@dataclass(frozen=True, slots=True)
class ReadPassage:
    """A passage and its reading."""

    passage: Passage
    reading: Reading


@dataclass(frozen=True, slots=True)
class ScoredCandidate:
    """An accepted candidate, the reading of the sentence with it, and its score in [0, 1]."""

    candidate: Candidate
    reading: Reading
    score: float


@dataclass(frozen=True, slots=True)
class RankedCandidate(ScoredCandidate):
    """A scored candidate for one target with its features; ``shift`` is how far it moves the political leaning."""

    features: RankingFeatures
    shift: float


def accept_candidates(
    reader: Reader, read: ReadPassage, tried: Sequence[Candidate], cancelled: Callable[[], bool] | None
) -> list[tuple[Candidate, Reading]]:
    """The candidates whose own words are no finding and that lower the bias by `MIN_BIAS_DROP`; beside other findings,
    those that raise it by `MAX_BIAS_RISE` at most.

    Raises Cancelled and ReaderError.
    """
    readings = reader.read([candidate.text for candidate in tried], cancelled=cancelled)
    return [
        (candidate, reading)
        for candidate, reading in zip(tried, readings, strict=True)
        if log_odds(read.reading.bias) - log_odds(reading.bias) >= _least_drop(read, candidate)
        and removes_findings(candidate, reading.spans)
    ]


def _least_drop(read: ReadPassage, candidate: Candidate) -> float:
    """By how much a candidate has to lower the log-odds of bias; where it leaves findings as they are, it may rise."""
    left = any(
        not any(span.start < end and start < span.end for start, end in candidate.places)
        for span in read.reading.spans
    )
    return -MAX_BIAS_RISE if left else MIN_BIAS_DROP


def judge_fit(rewriter: Proposer, tried: Sequence[Candidate]) -> list[float]:
    """How likely each candidate is sound English, by the rewriter: at the least likely of the places it rewords.

    1 where the rewriter was not trained to say it.
    """
    if not rewriter.bundle.thresholds.fit:
        return [1.0] * len(tried)
    places = [new_places(candidate) for candidate in tried]
    answers = iter(
        rewriter.judge_fit(
            [
                RewriteRequest(candidate.text, *place)
                for candidate, some in zip(tried, places, strict=True)
                for place in some
            ]
        )
    )
    return [min(next(answers) for _ in some) for some in places]


def judge_acceptance(rewriter: Proposer, text: str, found: Sequence[Candidate]) -> list[Candidate]:
    """Candidates for ``text`` with the rewriter's judgement of their words, best tier first, then those that are
    likelier and that an editor would sooner take: at the worst of the places that each rewords.

    They stay as they are where the rewriter was not trained to judge.
    """
    if not rewriter.bundle.judges_acceptance:
        return list(found)
    asked = [
        [
            AcceptanceRequest(text, *old, candidate.text[slice(*new)])
            for old, new in zip(candidate.places, new_places(candidate), strict=True)
        ]
        for candidate in found
    ]
    answers = iter(rewriter.judge_acceptance([one for some in asked for one in some]))
    judged = [
        replace(candidate, origin=candidate.origin._replace(taken=min(next(answers) for _ in some)))
        for candidate, some in zip(found, asked, strict=True)
    ]
    return sorted(
        judged, key=lambda one: (one.tier, -log_odds(one.origin.taken) - log_odds(one.origin.likely))
    )


def rank_candidates(
    reader: Reader,
    read: ReadPassage,
    tried: Sequence[Candidate],
    *,
    target: EditTarget,
    others: int,
    rewriter: Proposer,
    cancelled: Callable[[], bool] | None,
) -> list[RankedCandidate]:
    """The candidates that are sound English and accepted, with their scores.

    ``others``: findings in the sentence besides ``target``.
    """
    ranking, least = rewriter.bundle.ranking, rewriter.bundle.thresholds.fit
    accepted = accept_candidates(reader, read, tried, cancelled)
    fits = judge_fit(rewriter, [candidate for candidate, _ in accepted])
    sound = [(*one, fit) for one, fit in zip(accepted, fits, strict=True) if fit >= least]
    if not sound:
        return []
    meanings = reader.embed([read.passage.text, *(candidate.text for candidate, _, _ in sound)])
    found = []
    for (candidate, reading, fit), meaning in zip(sound, meanings[1:], strict=True):
        shift = abs(leaning_position(reading) - leaning_position(read.reading))
        same = float(meanings[0] @ meaning)
        features = _features(read, candidate, reading, target=target, others=others, meaning=same, fit=fit)
        found.append(RankedCandidate(candidate, reading, ranking.score(features, shift), features, shift))
    return found


def sort_candidates(offers: Sequence[ScoredCandidate]) -> list[ScoredCandidate]:
    """Sorted by tier, then by score; each text once."""
    once = {one.candidate.text: one for one in reversed(offers)}.values()
    return sorted(once, key=lambda one: (one.candidate.tier, -one.score, one.candidate.text))


def _features(
    read: ReadPassage,
    candidate: Candidate,
    reading: Reading,
    *,
    target: EditTarget,
    others: int,
    meaning: float,
    fit: float,
) -> RankingFeatures:
    origin = candidate.origin
    bias = log_odds(read.reading.bias)
    scorer = load_fluency_scorer()
    fluency = [scorer.score(candidate.text, *place) for place in new_places(candidate)]
    return RankingFeatures(
        confidence=log_odds(target.confidence),
        bias=bias,
        drop=bias - log_odds(reading.bias),
        likely=log_odds(origin.likely),
        model=log_odds(origin.model),
        out=log_odds(origin.out),
        empty=float(origin.empty),
        part=float(origin.part),
        wide=float(candidate.tier == WIDENED),
        best=float(origin.best),
        others=float(others),
        meaning=min(max(meaning, 0.0), 1.0),
        fit=log_odds(fit),
        keep=origin.keep,
        taken=log_odds(origin.taken),
        class_fluency=min(one.by_class for one in fluency),
        word_fluency=min(one.by_word for one in fluency),
    )
