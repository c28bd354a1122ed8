"""How stable a place on the compass is: agreement between prompts or wordings, spread, and an ellipse around it."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from training.compass.scoring import Position

_LEVEL = 0.95
_LEAST = 3
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


def ellipse(positions: Sequence[Position]) -> Ellipse | None:
    """The ellipse of single positions by their covariance; None of fewer than three."""
    if len(positions) < _LEAST:
        return None
    points = np.array([[one.economic, one.social] for one in positions])
    values, vectors = np.linalg.eigh(np.cov(points.T))
    shorter, longer = np.sqrt(np.clip(values, 0.0, None) * -2 * math.log(1 - _LEVEL))
    angle = math.degrees(math.atan2(vectors[1, 1], vectors[0, 1]))
    angle = angle - 180 if angle > 90 else angle + 180 if angle <= -90 else angle
    return Ellipse(Position(*points.mean(0).tolist()), float(longer), float(shorter), angle)


def deviation(positions: Sequence[Position]) -> Position | None:
    """The standard deviation of positions on each axis (n - 1); None of fewer than two."""
    if len(positions) < 2:
        return None
    points = np.array([[one.economic, one.social] for one in positions])
    return Position(*points.std(axis=0, ddof=1).tolist())
