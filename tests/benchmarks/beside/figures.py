"""Figures of several runs: medians, spread, ratios of the same rounds, and how a time grows."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Spread:
    """The median of some values, the least and the greatest of them, and how many there are (at least one)."""

    median: float
    least: float
    most: float
    runs: int


def spread(values: Sequence[float]) -> Spread:
    """Raises ValueError where there are no values."""
    if not values:
        raise ValueError("Nothing was measured.")
    return Spread(statistics.median(values), min(values), max(values), len(values))


def ratios(slow: Sequence[float], fast: Sequence[float]) -> Spread:
    """How many times ``slow`` takes as long as ``fast``: round by round, so that drift hits both.

    Raises ValueError where the numbers of rounds differ.
    """
    return spread([one / other for one, other in zip(slow, fast, strict=True)])


def quantile(values: Sequence[float], share: float) -> float:
    """The value that ``share`` of the values do not pass, between neighbours by proportion.

    Raises ValueError where there are no values.
    """
    if not values:
        raise ValueError("Nothing was measured.")
    ordered = sorted(values)
    at = share * (len(ordered) - 1)
    low = math.floor(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (at - low) * (ordered[high] - ordered[low])


def exponent(sizes: Sequence[float], times: Sequence[float]) -> float:
    """The slope of the straight line through log(time) over log(size): 1 is linear, 2 quadratic, 0 constant.

    Raises ValueError where there are fewer than two sizes.
    """
    if len(set(sizes)) < 2:
        raise ValueError("Growth takes two sizes at least.")
    return statistics.linear_regression(
        [math.log(size) for size in sizes], [math.log(time) for time in times]
    ).slope
