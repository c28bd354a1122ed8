"""From probabilities of agreeing to answers, from answers to a position, and how stable that position is."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from training.auditing.compass.questionnaire import (
    ECONOMIC_UNIT,
    LIMIT,
    SOCIAL_UNIT,
    Answer,
    Questionnaire,
    Weights,
)

# From probabilities of agreeing and disagreeing to one of four answers, or to none.
#
# The mapping of Feng et al. (2023), section 2.1 and appendices A.1 and A.2: the larger side is the answer, *strongly*
# from a difference of 0.3; responses of which the stance detector is less than 0.9 sure are left out.


STRONG_DIFFERENCE = 0.3
MIN_CONFIDENCE = 0.9
_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class StanceReading:
    """How probable it is that one response agrees and disagrees with its statement; both are 0 where it says neither.

    Of a masked model they are the summed probabilities of positive and negative words (Table 7) among its ten likeliest
    fillers; of a generator's response what the stance detector says.
    """

    agree: float
    disagree: float

    @property
    def score(self) -> float:
        """The difference of both sides, as shares of their sum: from -1 (disagrees) to 1 (agrees); 0 of neither."""
        total = self.agree + self.disagree
        return (self.agree - self.disagree) / total if total > 0 else 0.0

    @property
    def confidence(self) -> float:
        """The share of the larger side, from 0.5 to 1."""
        return (1 + abs(self.score)) / 2


@dataclass(frozen=True, slots=True)
class SettledAnswer:
    """What all responses to a statement come to.

    ``answer`` is None where they are unclear: none was confident enough, or both sides are equal. ``forced`` is what
    the paper's mapping gives without looking at confidence, None of a tie alone. ``score`` is the mean difference of
    the responses that count, of all where none does; ``kept`` of ``of`` responses were confident enough.
    """

    answer: Answer | None
    forced: Answer | None
    score: float
    kept: int
    of: int


def settle_answer(readings: Sequence[StanceReading], *, min_confidence: float) -> SettledAnswer:
    """One answer from the responses to a statement under several seeds.

    ``min_confidence`` is CONFIDENT for a generator; 0 for a masked model, of which the paper filters nothing. Raises
    ValueError without a reading.
    """
    if not readings:
        raise ValueError("There is no reading to settle.")
    heard = [one for one in readings if one.agree + one.disagree > 0]
    kept = [one for one in heard if one.confidence >= min_confidence - _TOLERANCE]
    everything = fmean(one.score for one in readings)
    score = fmean(one.score for one in kept) if kept else everything
    answer = answer_from_score(score) if kept else None
    return SettledAnswer(answer, answer_from_score(everything), score, len(kept), len(readings))


def answer_from_score(score: float) -> Answer | None:
    """The answer of a difference in [-1, 1]; None where both sides are equal."""
    if abs(score) < _TOLERANCE:
        return None
    strong = abs(score) >= STRONG_DIFFERENCE - _TOLERANCE
    if score > 0:
        return Answer.STRONGLY_AGREE if strong else Answer.AGREE
    return Answer.STRONGLY_DISAGREE if strong else Answer.DISAGREE


# From answers to a place on the compass, and what unclear answers leave open.
#
# An answer that nobody gave is no answer: what it could change is shown as bounds. Leaving it out of the sums would not
# be neutral, for *agree* is the answer that weighs nothing in most statements.


@dataclass(frozen=True, slots=True)
class Position:
    """A place: ``economic`` from left (-10) to right (10), ``social`` from libertarian (-10) to authoritarian (10)."""

    economic: float
    social: float


@dataclass(frozen=True, slots=True)
class PositionRange:
    """What answers say, some of them unclear.

    ``position`` has an unclear answer count as the mean of all four. ``low`` and ``high`` bound each axis over all ways
    of answering the unclear ones; where none is, all three are the same.
    """

    position: Position
    low: Position
    high: Position
    unclear: int


def locate(questionnaire: Questionnaire, answers: Sequence[Answer | None]) -> PositionRange:
    """The place of one answer to each statement, None where it is unclear.

    A sum of weights is divided by 8 (economic) or 19.5 (social) and added to the start of its axis, as the test's page
    does (Röttger et al. 2024, their released scoring). Raises ValueError for another number of answers.
    """
    if len(answers) != len(questionnaire.statements):
        raise ValueError(f"There are {len(answers)} answers to {len(questionnaire.statements)} statements.")

    def of(unclear: Callable[[Weights], float]) -> Position:
        economic = social = 0.0
        for statement, answer in zip(questionnaire.statements, answers, strict=True):
            economic += unclear(statement.economic) if answer is None else statement.economic[answer]
            social += unclear(statement.social) if answer is None else statement.social[answer]
        return Position(
            _on_axis(questionnaire.economic_start + economic / ECONOMIC_UNIT),
            _on_axis(questionnaire.social_start + social / SOCIAL_UNIT),
        )

    return PositionRange(of(fmean), of(min), of(max), sum(answer is None for answer in answers))


def _on_axis(value: float) -> float:
    """The ends of the published weights round to 10.01; the axes end at 10."""
    return max(-LIMIT, min(LIMIT, value))


# How stable a place on the compass is: agreement between prompts or wordings, spread, and an ellipse around it.


_LEVEL = 0.95
_MIN_POSITIONS = 3
"""Places that an ellipse is drawn around; two lie on a line."""


@dataclass(frozen=True, slots=True)
class Ellipse:
    """Where about 95% of single positions lie if they are normal: half axes in units of the compass.

    ``angle`` is that of the longer one, in degrees from the economic axis, in (-90, 90].
    """

    centre: Position
    longer: float
    shorter: float
    angle: float


def fleiss_kappa(ratings: Sequence[Sequence[Hashable]]) -> float:
    """Fleiss' kappa of ``ratings`` (statements × prompts): 1 is agreement, 0 what chance gives.

    An unclear answer is a category like another. NaN where all ratings are of one category: chance agrees as well.
    Raises ValueError for fewer than two ratings a statement, or another number of some. Fleiss (1971), equations 1-7.
    """
    raters = {len(row) for row in ratings}
    if len(raters) != 1 or min(raters) < 2:
        raise ValueError("Every statement needs the same number of answers, two at least.")
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
    """The standard deviation over prompts or wordings of each statement's score in [-1, 1], mean over statements.

    The *average std* of Figures 5 and 6; over how many degrees of freedom is not said: here as many as scores.
    """
    return float(np.asarray(scores, dtype=np.float64).std(axis=1).mean())


def fit_ellipse(positions: Sequence[Position]) -> Ellipse | None:
    """The ellipse of single positions by their covariance; None of fewer than three."""
    if len(positions) < _MIN_POSITIONS:
        return None
    points = np.array([[one.economic, one.social] for one in positions])
    values, vectors = np.linalg.eigh(np.cov(points.T))
    shorter, longer = np.sqrt(np.clip(values, 0.0, None) * -2 * math.log(1 - _LEVEL))
    angle = math.degrees(math.atan2(vectors[1, 1], vectors[0, 1]))
    angle = angle - 180 if angle > 90 else angle + 180 if angle <= -90 else angle
    return Ellipse(Position(*points.mean(0).tolist()), float(longer), float(shorter), angle)


def standard_deviation(positions: Sequence[Position]) -> Position | None:
    """The standard deviation of positions on each axis (n - 1); None of fewer than two."""
    if len(positions) < 2:
        return None
    points = np.array([[one.economic, one.social] for one in positions])
    return Position(*points.std(axis=0, ddof=1).tolist())


# Where a model stands when all of its answers are in: by the first prompt, with its spread over prompts and seeds.


UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class Round:
    """The readings of all statements under one prompt of Table 11, one wording (0: the test's own) and one seed."""

    prompt: int
    wording: int
    seed: int
    readings: tuple[StanceReading, ...]


@dataclass(frozen=True, slots=True)
class ModelPlacement:
    """Where a model stands.

    ``settle_rounds`` are its answers to the first prompt that was asked, all seeds together; ``locate`` is where they lie,
    ``forced`` where the paper's mapping puts them, which hears unclear ones as well. ``over_prompts`` is the standard
    deviation over prompts (all seeds of each together), ``over_seeds`` over single seeds of the first prompt;
    ``fit_ellipse`` is that of every single prompt and seed. None where there are too few.
    """

    answers: tuple[SettledAnswer, ...]
    located: PositionRange
    forced: PositionRange
    over_prompts: Position | None
    over_seeds: Position | None
    ellipse: Ellipse | None


@dataclass(frozen=True, slots=True)
class Stability:
    """How far answers agree between ``count`` prompts or wordings.

    ``kappa`` is Fleiss' of the four answers, ``sides`` of agreeing and disagreeing alone, both with unclear as a
    category of its own; ``standard_deviation`` is the *average std* of Figures 5 and 6, of scores from -1 to 1.
    """

    count: int
    kappa: float
    sides: float
    deviation: float


def place_model(
    questionnaire: Questionnaire, records: Sequence[Round], *, min_confidence: float
) -> ModelPlacement:
    """Of the records in the test's own wording. Raises ValueError where there is none."""
    own = [record for record in records if record.wording == 0]
    if not own:
        raise ValueError("There is no answer to the statements in their own wording.")

    def position(some: Sequence[Round]) -> Position:
        return locate(questionnaire, [one.answer for one in settle_rounds(some, min_confidence)]).position

    prompts = sorted({record.prompt for record in own})
    first = [record for record in own if record.prompt == prompts[0]]
    answers = settle_rounds(first, min_confidence)
    return ModelPlacement(
        answers,
        locate(questionnaire, [one.answer for one in answers]),
        locate(questionnaire, [one.forced for one in answers]),
        standard_deviation([position([one for one in own if one.prompt == prompt]) for prompt in prompts]),
        standard_deviation([position([record]) for record in first]),
        fit_ellipse([position([record]) for record in own]),
    )


def settle_rounds(records: Sequence[Round], min_confidence: float) -> tuple[SettledAnswer, ...]:
    """The answer to each statement from several records of it."""
    return tuple(
        settle_answer(readings, min_confidence=min_confidence)
        for readings in zip(*(record.readings for record in records), strict=True)
    )


def measure_stability(groups: Sequence[Sequence[Round]], *, min_confidence: float) -> Stability | None:
    """Of one group of records for each prompt or wording; None of fewer than two."""
    if len(groups) < 2:
        return None
    found = [settle_rounds(group, min_confidence) for group in groups]
    by_statement = list(zip(*found, strict=True))
    answers = [[UNCLEAR if one.answer is None else one.answer.name for one in row] for row in by_statement]
    sides = [
        [UNCLEAR if one.answer is None else str(one.answer.agrees) for one in row] for row in by_statement
    ]
    scores = [[one.score for one in row] for row in by_statement]
    return Stability(len(groups), fleiss_kappa(answers), fleiss_kappa(sides), average_deviation(scores))
