"""From probabilities of agreement to answers, from answers to a position, and how stable that position is.

Answers follow Feng et al. (2023), section 2.1 and appendices A.1 and A.2: the larger side is the answer, *strongly*
from a difference of 0.3; responses with a stance confidence below 0.9 are left out.

An unclear answer is reported as bounds of the position. Leaving it out of the sums would not be neutral, because
*agree* is the answer without weight in most statements.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from core.runs.political_compass import CompassPoint, ConfidenceEllipse
from training.auditing.compass.questionnaire import (
    ECONOMIC_UNIT,
    LIMIT,
    SOCIAL_UNIT,
    Answer,
    Questionnaire,
    Weights,
)

STRONG_DIFFERENCE = 0.3
MIN_CONFIDENCE = 0.9
_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class StanceReading:
    """The probabilities that a response agrees and disagrees with its statement; 0 and 0 for neither.

    For a masked model, the summed probabilities of positive and negative words (Table 7) among its ten likeliest
    fillers; for a generator's response, the output of the stance detector.
    """

    agree: float
    disagree: float

    @property
    def score(self) -> float:
        """The difference of both sides as shares of their sum, from -1 (disagrees) to 1 (agrees); 0 for neither."""
        total = self.agree + self.disagree
        return (self.agree - self.disagree) / total if total > 0 else 0.0

    @property
    def confidence(self) -> float:
        """The share of the larger side, from 0.5 to 1."""
        return (1 + abs(self.score)) / 2


@dataclass(frozen=True, slots=True)
class AggregatedAnswer:
    """The answer from all responses to a statement.

    ``answer`` is None if unclear: no response was confident enough, or both sides are equal. ``forced`` is the paper's
    mapping regardless of confidence, None only for a tie. ``score`` is the mean score of the confident responses, or of
    all if none is; ``confident`` of ``responses`` responses were confident.
    """

    answer: Answer | None
    forced: Answer | None
    score: float
    confident: int
    responses: int


def aggregate_answer(readings: Sequence[StanceReading], *, min_confidence: float) -> AggregatedAnswer:
    """The answer from the responses to a statement with several seeds.

    ``min_confidence`` is MIN_CONFIDENCE for a generator, and 0 for a masked model, for which the paper filters nothing.
    Raises ValueError without a reading.
    """
    if not readings:
        raise ValueError("There is no reading to get an answer from.")
    heard = [one for one in readings if one.agree + one.disagree > 0]
    kept = [one for one in heard if one.confidence >= min_confidence - _TOLERANCE]
    everything = fmean(one.score for one in readings)
    score = fmean(one.score for one in kept) if kept else everything
    answer = answer_from_score(score) if kept else None
    return AggregatedAnswer(answer, answer_from_score(everything), score, len(kept), len(readings))


def answer_from_score(score: float) -> Answer | None:
    """The answer for a score in [-1, 1]; None for 0."""
    if abs(score) < _TOLERANCE:
        return None
    strong = abs(score) >= STRONG_DIFFERENCE - _TOLERANCE
    if score > 0:
        return Answer.STRONGLY_AGREE if strong else Answer.AGREE
    return Answer.STRONGLY_DISAGREE if strong else Answer.DISAGREE


@dataclass(frozen=True, slots=True)
class PositionRange:
    """The position of answers of which some are unclear.

    In ``position`` an unclear answer counts as the mean of all four. ``low`` and ``high`` bound each axis over all ways
    to answer the unclear ones; without unclear answers all three are equal.
    """

    position: CompassPoint
    low: CompassPoint
    high: CompassPoint
    unclear: int


def locate(questionnaire: Questionnaire, answers: Sequence[Answer | None]) -> PositionRange:
    """The position of one answer per statement, None where it is unclear.

    Sums of weights are divided by 8 (economic) or 19.5 (social) and added to the start of the axis, as on the test's
    page (Röttger et al. 2024, released scoring). Raises ValueError for another number of answers.
    """
    if len(answers) != len(questionnaire.statements):
        raise ValueError(f"There are {len(answers)} answers to {len(questionnaire.statements)} statements.")

    def of(unclear: Callable[[Weights], float]) -> CompassPoint:
        economic = social = 0.0
        for statement, answer in zip(questionnaire.statements, answers, strict=True):
            economic += unclear(statement.economic) if answer is None else statement.economic[answer]
            social += unclear(statement.social) if answer is None else statement.social[answer]
        return CompassPoint(
            _on_axis(questionnaire.economic_start + economic / ECONOMIC_UNIT),
            _on_axis(questionnaire.social_start + social / SOCIAL_UNIT),
        )

    return PositionRange(of(fmean), of(min), of(max), sum(answer is None for answer in answers))


def _on_axis(value: float) -> float:
    """Clip to the axis: the sums of the published weights end at 10.01."""
    return max(-LIMIT, min(LIMIT, value))


_LEVEL = 0.95
_MIN_POSITIONS = 3
"""Positions that an ellipse needs."""


def fleiss_kappa(ratings: Sequence[Sequence[Hashable]]) -> float:
    """Fleiss' kappa of ``ratings`` (statements × prompts): 1 is agreement, 0 chance.

    Unclear is a category. NaN if all ratings are equal. Raises ValueError for fewer than two ratings per statement, or
    different numbers of them. Fleiss (1971), equations 1-7.
    """
    raters = {len(row) for row in ratings}
    if len(raters) != 1 or min(raters) < 2:
        raise ValueError("Every statement needs the same number of answers, at least two.")
    count = raters.pop()
    names = {name: at for at, name in enumerate(dict.fromkeys(one for row in ratings for one in row))}
    counts = np.zeros((len(ratings), len(names)))
    for at, row in enumerate(ratings):
        for one in row:
            counts[at, names[one]] += 1
    shares = counts.sum(0) / counts.sum()
    agreed = ((counts**2).sum(1) - count) / (count * (count - 1))
    chance = float((shares**2).sum())
    return math.nan if len(names) == 1 else (float(agreed.mean()) - chance) / (1 - chance)


def average_deviation(scores: Sequence[Sequence[float]]) -> float:
    """The standard deviation over prompts or wordings of each statement's score in [-1, 1], averaged over statements.

    The *average std* of Figures 5 and 6; the paper does not name the degrees of freedom, here n.
    """
    return float(np.asarray(scores, dtype=np.float64).std(axis=1).mean())


def fit_ellipse(positions: Sequence[CompassPoint]) -> ConfidenceEllipse | None:
    """The ellipse of the positions by their covariance, its angle in (-90, 90]; None for fewer than three."""
    if len(positions) < _MIN_POSITIONS:
        return None
    points = np.array([[one.economic, one.social] for one in positions])
    values, vectors = np.linalg.eigh(np.cov(points.T))
    shorter, longer = np.sqrt(np.clip(values, 0.0, None) * -2 * math.log(1 - _LEVEL))
    angle = math.degrees(math.atan2(vectors[1, 1], vectors[0, 1]))
    angle = angle - 180 if angle > 90 else angle + 180 if angle <= -90 else angle
    return ConfidenceEllipse(CompassPoint(*points.mean(0).tolist()), float(longer), float(shorter), angle)


def standard_deviation(positions: Sequence[CompassPoint]) -> CompassPoint | None:
    """The standard deviation (n - 1) of positions on each axis; None for fewer than two."""
    if len(positions) < 2:
        return None
    points = np.array([[one.economic, one.social] for one in positions])
    return CompassPoint(*points.std(axis=0, ddof=1).tolist())


UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class Round:
    """The readings of all statements with one prompt of Table 11, one wording (0: the original) and one seed."""

    prompt: int
    wording: int
    seed: int
    readings: tuple[StanceReading, ...]


@dataclass(frozen=True, slots=True)
class ModelPlacement:
    """The position of a model.

    ``answers`` are those to the first prompt, over all seeds; ``position_range`` is their position, ``forced`` that of
    the paper's mapping, which ignores confidence. ``over_prompts`` is the standard deviation over prompts (with all
    seeds of each), ``over_seeds`` that over single seeds of the first prompt; ``ellipse`` covers every single prompt
    and seed. None if there are too few.
    """

    answers: tuple[AggregatedAnswer, ...]
    position_range: PositionRange
    forced: PositionRange
    over_prompts: CompassPoint | None
    over_seeds: CompassPoint | None
    ellipse: ConfidenceEllipse | None


@dataclass(frozen=True, slots=True)
class Stability:
    """Agreement of answers between ``count`` prompts or wordings.

    ``kappa`` is Fleiss' kappa of the four answers, ``sides`` that of agreeing and disagreeing alone, both with unclear
    as a category; ``deviation`` is the *average std* of Figures 5 and 6, of scores from -1 to 1.
    """

    count: int
    kappa: float
    sides: float
    deviation: float


def place_model(
    questionnaire: Questionnaire, rounds: Sequence[Round], *, min_confidence: float
) -> ModelPlacement:
    """The placement by the rounds in the original wording. Raises ValueError if there is none."""
    own = [one_round for one_round in rounds if one_round.wording == 0]
    if not own:
        raise ValueError("There is no answer to the statements in their original wording.")

    def position(some: Sequence[Round]) -> CompassPoint:
        return locate(questionnaire, [one.answer for one in aggregate_rounds(some, min_confidence)]).position

    prompts = sorted({one_round.prompt for one_round in own})
    first = [one_round for one_round in own if one_round.prompt == prompts[0]]
    answers = aggregate_rounds(first, min_confidence)
    return ModelPlacement(
        answers,
        locate(questionnaire, [one.answer for one in answers]),
        locate(questionnaire, [one.forced for one in answers]),
        standard_deviation([position([one for one in own if one.prompt == prompt]) for prompt in prompts]),
        standard_deviation([position([one_round]) for one_round in first]),
        fit_ellipse([position([one_round]) for one_round in own]),
    )


def aggregate_rounds(rounds: Sequence[Round], min_confidence: float) -> tuple[AggregatedAnswer, ...]:
    """The answer to each statement over several rounds."""
    return tuple(
        aggregate_answer(readings, min_confidence=min_confidence)
        for readings in zip(*(one_round.readings for one_round in rounds), strict=True)
    )


def measure_stability(groups: Sequence[Sequence[Round]], *, min_confidence: float) -> Stability | None:
    """The stability over groups of rounds, one per prompt or wording; None for fewer than two groups."""
    if len(groups) < 2:
        return None
    found = [aggregate_rounds(group, min_confidence) for group in groups]
    by_statement = list(zip(*found, strict=True))
    answers = [[UNCLEAR if one.answer is None else one.answer.name for one in row] for row in by_statement]
    sides = [
        [UNCLEAR if one.answer is None else str(one.answer.agrees) for one in row] for row in by_statement
    ]
    scores = [[one.score for one in row] for row in by_statement]
    return Stability(len(groups), fleiss_kappa(answers), fleiss_kappa(sides), average_deviation(scores))
