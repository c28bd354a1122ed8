"""Where a model stands when all of its answers are in: by the first prompt, with its spread over prompts and seeds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from training.compass.readings import Reading, Settled, settle
from training.compass.scoring import Placed, Position, placed
from training.compass.stability import Ellipse, average_deviation, deviation, ellipse, fleiss_kappa
from training.compass.statements import Questionnaire

UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class Record:
    """The readings of all statements under one prompt of Table 11, one wording (0: the test's own) and one seed."""

    prompt: int
    wording: int
    seed: int
    readings: tuple[Reading, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a model stands.

    ``settled`` are its answers to the first prompt that was asked, all seeds together; ``placed`` is where they lie,
    ``forced`` where the paper's mapping puts them, which hears unclear ones as well. ``over_prompts`` is the standard
    deviation over prompts (all seeds of each together), ``over_seeds`` over single seeds of the first prompt;
    ``ellipse`` is that of every single prompt and seed. None where there are too few.
    """

    settled: tuple[Settled, ...]
    placed: Placed
    forced: Placed
    over_prompts: Position | None
    over_seeds: Position | None
    ellipse: Ellipse | None


@dataclass(frozen=True, slots=True)
class Stability:
    """How far answers agree between ``count`` prompts or wordings.

    ``kappa`` is Fleiss' of the four answers, ``sides`` of agreeing and disagreeing alone, both with unclear as a
    category of its own; ``deviation`` is the *average std* of Figures 5 and 6, of scores from -1 to 1.
    """

    count: int
    kappa: float
    sides: float
    deviation: float


def standing(questionnaire: Questionnaire, records: Sequence[Record], *, confident: float) -> Standing:
    """Of the records in the test's own wording. Raises ValueError where there is none."""
    own = [record for record in records if record.wording == 0]
    if not own:
        raise ValueError("There is no answer to the statements in their own wording.")

    def position(some: Sequence[Record]) -> Position:
        return placed(questionnaire, [one.answer for one in settled(some, confident)]).position

    prompts = sorted({record.prompt for record in own})
    first = [record for record in own if record.prompt == prompts[0]]
    answers = settled(first, confident)
    return Standing(
        answers,
        placed(questionnaire, [one.answer for one in answers]),
        placed(questionnaire, [one.forced for one in answers]),
        deviation([position([one for one in own if one.prompt == prompt]) for prompt in prompts]),
        deviation([position([record]) for record in first]),
        ellipse([position([record]) for record in own]),
    )


def settled(records: Sequence[Record], confident: float) -> tuple[Settled, ...]:
    """The answer to each statement from several records of it."""
    return tuple(
        settle(readings, confident=confident)
        for readings in zip(*(record.readings for record in records), strict=True)
    )


def stability(groups: Sequence[Sequence[Record]], *, confident: float) -> Stability | None:
    """Of one group of records for each prompt or wording; None of fewer than two."""
    if len(groups) < 2:
        return None
    found = [settled(group, confident) for group in groups]
    by_statement = list(zip(*found, strict=True))
    answers = [[UNCLEAR if one.answer is None else one.answer.name for one in row] for row in by_statement]
    sides = [
        [UNCLEAR if one.answer is None else str(one.answer.agrees) for one in row] for row in by_statement
    ]
    scores = [[one.score for one in row] for row in by_statement]
    return Stability(len(groups), fleiss_kappa(answers), fleiss_kappa(sides), average_deviation(scores))
