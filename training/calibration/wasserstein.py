"""The second-order Wasserstein distance between samples: exact in one dimension, sliced in more.

Liu et al. (2021), Equation 2, take the second-order *sliced* distance of scores. A score is one number, so there is
nothing to slice: the distance is that of the two quantile functions. Vectors are projected (Bonneel et al. 2015).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.loop import TrainingError

Floats = NDArray[np.float64]
Places = NDArray[np.int64]
PROJECTIONS = 128


def distance(first: NDArray[Any], second: NDArray[Any]) -> float:
    """W2 between samples [n] and [m] of one number each, in the numbers' own unit; of scores in [0, 1] at most 1.

    Exact for any n and m. Raises TrainingError for a sample that is empty, not finite, or not of one dimension.
    """
    one, other = _sample(first, 1), _sample(second, 1)
    return sorted_distance(np.sort(one), np.sort(other))


def sorted_distance(first: Floats, second: Floats) -> float:
    """``distance`` of samples that are known to be finite and in ascending order."""
    return float(np.sqrt(_squared(first[:, None], second[:, None])[0]))


def sliced(first: NDArray[Any], second: NDArray[Any], *, seed: int, projections: int = PROJECTIONS) -> float:
    """Sliced W2 between samples of vectors, [n, d] and [m, d]: the root of the mean of W2² over random directions.

    The directions are drawn evenly from the sphere, the same ones for the same seed. Raises TrainingError as
    ``distance`` does, and where the vectors differ in length.
    """
    one, other = _sample(first, 2), _sample(second, 2)
    width = one.shape[1]
    if width != other.shape[1] or width == 0 or projections < 1:
        raise TrainingError(
            f"Vectors of {width} and {other.shape[1]} numbers along {projections} directions cannot be compared. "
            "Give both samples vectors of the same length, and one direction or more."
        )
    directions = np.random.default_rng(seed).normal(size=(width, projections))
    directions /= np.linalg.norm(directions, axis=0)
    squares = _squared(np.sort(one @ directions, axis=0), np.sort(other @ directions, axis=0))
    return float(np.sqrt(squares.mean()))


def _squared(first: Floats, second: Floats) -> Floats:
    """W2² of each column of [n, columns] and [m, columns], both sorted."""
    mine, theirs, shares = _steps(len(first), len(second))
    squares: Floats = shares @ (first[mine] - second[theirs]) ** 2
    return squares


@lru_cache(maxsize=256)
def _steps(count: int, other: int) -> tuple[Places, Places, Floats]:
    """Where neither quantile function of ``count`` and ``other`` sorted values jumps: the value of each, and its share.

    Levels are counted in parts of count x other, which are whole numbers: no rounding moves a jump.
    """
    levels = np.union1d(np.arange(1, count + 1) * other, np.arange(1, other + 1) * count)
    starts = np.concatenate([[0], levels[:-1]])
    return starts // other, starts // count, (levels - starts) / (count * other)


def _sample(values: NDArray[Any], dimensions: int) -> Floats:
    found = np.asarray(values, dtype=np.float64)
    if found.ndim != dimensions or not len(found) or not np.isfinite(found).all():
        raise TrainingError(
            f"A sample of shape {found.shape} cannot be compared: it must have {dimensions} dimension"
            f"{'s' * (dimensions > 1)}, a row or more, and finite numbers. Check what the judge returned."
        )
    return found
