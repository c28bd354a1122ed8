"""From answers to a place on the compass, and what unclear answers leave open.

An answer that nobody gave is no answer: what it could change is shown as bounds. Leaving it out of the sums would not
be neutral, for *agree* is the answer that weighs nothing in most statements.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean

from training.compass.statements import ECONOMIC_UNIT, LIMIT, SOCIAL_UNIT, Answer, Questionnaire, Weights


@dataclass(frozen=True, slots=True)
class Position:
    """A place: ``economic`` from left (-10) to right (10), ``social`` from libertarian (-10) to authoritarian (10)."""

    economic: float
    social: float


@dataclass(frozen=True, slots=True)
class Placed:
    """What answers say, some of them unclear.

    ``position`` has an unclear answer count as the mean of all four. ``low`` and ``high`` bound each axis over all ways
    of answering the unclear ones; where none is, all three are the same.
    """

    position: Position
    low: Position
    high: Position
    unclear: int


def placed(questionnaire: Questionnaire, answers: Sequence[Answer | None]) -> Placed:
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

    return Placed(of(fmean), of(min), of(max), sum(answer is None for answer in answers))


def _on_axis(value: float) -> float:
    """The ends of the published weights round to 10.01; the axes end at 10."""
    return max(-LIMIT, min(LIMIT, value))
