"""How far raters agree: Krippendorff's alpha for any number of raters."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

Rating = str | float | None
Level = Literal["nominal", "ordinal", "interval"]
Floats = NDArray[np.float64]


def krippendorff_alpha(ratings: Sequence[Sequence[Rating]], level: Level = "nominal") -> float:
    """Krippendorff's alpha of ``ratings`` (units × raters); None and NaN are cells that nobody filled.

    1 is perfect agreement, 0 what chance gives, below 0 systematic disagreement. Units with fewer than two ratings
    do not count. NaN where it is undefined: no unit with two ratings, or one and the same value throughout.
    Ordinal and interval ratings are numbers. Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability",
    sections C to E.
    """
    if level not in get_args(Level):
        raise ValueError(f"{level!r} is no level of measurement. Say nominal, ordinal or interval.")
    units = [[rating for rating in unit if not _missing(rating)] for unit in ratings]
    units = [unit for unit in units if len(unit) > 1]
    values = _values(units, level)
    if len(values) < 2:
        return math.nan
    place = {value: index for index, value in enumerate(values)}
    counts = np.zeros((len(units), len(values)))
    for row, unit in enumerate(units):
        for rating in unit:
            counts[row, place[rating]] += 1
    weights = 1.0 / (counts.sum(axis=1) - 1.0)
    coincidences = (counts.T * weights) @ counts - np.diag(weights @ counts)
    totals = coincidences.sum(axis=1)
    distances = _distances(values, totals, level)
    expected = float((np.outer(totals, totals) * distances).sum()) / (float(totals.sum()) - 1.0)
    return 1.0 - float((coincidences * distances).sum()) / expected


def _missing(rating: Rating) -> bool:
    return rating is None or (isinstance(rating, float) and math.isnan(rating))


def _values(units: Sequence[Sequence[Rating]], level: Level) -> list[Rating]:
    """Every value that was given, in order where order counts."""
    given = {rating for unit in units for rating in unit}
    numbers = [rating for rating in given if isinstance(rating, int | float)]
    if level == "nominal":
        return sorted(given, key=repr)
    if len(numbers) < len(given):
        raise ValueError(f"Ratings on an {level} scale must be numbers.")
    return [*sorted(numbers)]


def _distances(values: Sequence[Rating], totals: Floats, level: Level) -> Floats:
    """The squared difference of every two values, [values, values]."""
    if level == "nominal":
        return 1.0 - np.eye(len(values))
    ranks = np.cumsum(totals) - totals / 2.0
    places = ranks if level == "ordinal" else np.asarray(values, dtype=np.float64)
    gaps: Floats = (places[:, None] - places[None, :]) ** 2
    return gaps
