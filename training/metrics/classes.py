"""Scores of labels: F1 by class, macro and weighted, accuracy, and the confusion matrix they all come from."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from training.metrics.spans import Score, score

Floats = NDArray[np.float64]
Label = TypeVar("Label", bound=Hashable)


def confusion(gold: Sequence[Label], found: Sequence[Label], labels: Sequence[Label]) -> NDArray[np.int64]:
    """How often each label was read as each: [gold, found] in the order of ``labels``. Raises ValueError for others."""
    place = {label: index for index, label in enumerate(labels)}
    strange = {*gold, *found} - place.keys()
    if strange:
        raise ValueError(f"There are labels beside {list(labels)}: {sorted(map(str, strange))}.")
    counts = np.zeros((len(labels), len(labels)), dtype=np.int64)
    for one, other in zip(gold, found, strict=True):
        counts[place[one], place[other]] += 1
    return counts


def class_f1(counts: NDArray[Any]) -> Floats:
    """The F1 of each class from confusion counts [..., gold, found]; NaN for a class that is in neither."""
    hits = np.diagonal(counts, axis1=-2, axis2=-1)
    shown = counts.sum(axis=-1) + counts.sum(axis=-2)
    with np.errstate(invalid="ignore"):
        return np.asarray(2.0 * hits / shown, dtype=np.float64)


def macro_f1(gold: Sequence[int], found: Sequence[int], *, weights: Floats | None = None) -> float:
    """Unweighted mean of the F1 of each class that occurs in ``gold`` or ``found``; 0 where there is no row.

    ``weights`` [rows] say how much each row counts; alike without them.
    """
    scores = class_f1(_counts(gold, found, weights))
    return float(scores.mean()) if scores.size else 0.0


def weighted_f1(gold: Sequence[int], found: Sequence[int]) -> float:
    """Mean of the F1 of each class weighted by its rows in ``gold``, which BABE's released notebook calls macro."""
    counts = _counts(gold, found)
    return float(class_f1(counts) @ counts.sum(axis=1) / counts.sum()) if counts.size else 0.0


def accuracy(gold: Sequence[int], found: Sequence[int]) -> float:
    """Share of rows with the right label; 0 where there is no row."""
    return float(np.mean(np.asarray(gold) == np.asarray(found))) if len(gold) else 0.0


def positive_score(gold: Sequence[int], found: Sequence[int]) -> Score:
    """Precision, recall and F1 of the class 1, all others being negative; zero where there is nothing to divide by."""
    pairs = list(zip(gold, found, strict=True))
    hits = sum(one == other == 1 for one, other in pairs)
    return score(hits, sum(other == 1 for _, other in pairs), hits, sum(one == 1 for one, _ in pairs))


def _counts(gold: Sequence[int], found: Sequence[int], weights: Floats | None = None) -> NDArray[Any]:
    truth, guess = np.asarray(gold), np.asarray(found)
    if truth.shape != guess.shape:
        raise ValueError(f"There are {truth.size} gold labels and {guess.size} found ones.")
    labels, places = np.unique(np.concatenate([truth, guess]), return_inverse=True)
    width = len(labels)
    cells = places[: truth.size] * width + places[truth.size :]
    return np.bincount(cells, weights=weights, minlength=width * width).reshape(width, width)
