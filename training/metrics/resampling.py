"""Resampling of rows: metrics over weighted rows, and the weights of bootstrap resamples.

A resample is a row of weights, how often each row was drawn. So a metric scores hundreds of resamples in one matrix
product, and rows that belong together (both sides of a pair, the articles of an outlet) are drawn together by giving
them one weight.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Array = NDArray[Any]
Metric = Callable[[Array, Array, Floats], Floats]
"""(gold [rows, …], predicted [rows, …], weights [draws, rows]) -> one value for each draw."""

_CHUNK = 256


def macro_f1(gold: Array, predicted: Array, weights: Floats) -> Floats:
    """Macro-F1 over the classes of each draw."""
    counts = _confusions(gold, predicted, weights)
    hits, shown = np.diagonal(counts, axis1=1, axis2=2), counts.sum(axis=1) + counts.sum(axis=2)
    scores = np.divide(2.0 * hits, shown, out=np.zeros_like(shown), where=shown > 0)
    return np.asarray(scores.sum(axis=1) / (shown > 0).sum(axis=1))


def accuracy(gold: Array, predicted: Array, weights: Floats) -> Floats:
    """Share of right labels in each draw."""
    return _mean((gold == predicted).astype(np.float64), weights)


def mean(_gold: Array, predicted: Array, weights: Floats) -> Floats:
    """Mean of ``predicted`` in each draw; ``gold`` is ignored."""
    return _mean(predicted.astype(np.float64), weights)


def span_f1(_gold: Array, predicted: Array, weights: Floats) -> Floats:
    """F1 of each draw from the counts of ``span_counts``, [rows, 4]; ``gold`` is ignored."""
    hits_predicted, of_predicted, hits_gold, of_gold = (weights @ predicted).T
    with np.errstate(invalid="ignore"):
        precision, recall = np.nan_to_num(hits_predicted / of_predicted), np.nan_to_num(hits_gold / of_gold)
        return np.asarray(np.nan_to_num(2.0 * precision * recall / (precision + recall)))


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows in a canonical order, and the units and strata in which they are resampled.

    ``unit`` [rows] is the unit that a row is drawn with, ``stratum`` [units] the stratum of a unit.
    """

    gold: Array
    predicted: Array
    unit: NDArray[np.int64]
    stratum: NDArray[np.int64]


def make_rows(
    gold: Array,
    predicted: Array,
    *,
    groups: Sequence[Hashable] | None = None,
    strata: Sequence[Hashable] | None = None,
) -> Rows:
    """Rows sorted by their values, so that their order in a file does not change the draws.

    Rows of one group are drawn together or not at all; of each stratum as many units are drawn as it has. Raises
    ValueError where lengths differ, there is no row, or a group lies in two strata.
    """
    group, stratum = _places(groups, len(gold)), _places(strata, len(gold))
    if len(predicted) != len(gold) or len(group) != len(gold) or len(stratum) != len(gold):
        raise ValueError("Gold, predictions, groups and strata must have as many rows.")
    if not len(gold):
        raise ValueError("There is no row to measure.")
    order = np.lexsort([*_columns(predicted), *_columns(gold), group, stratum])
    gold, predicted, group, stratum = gold[order], predicted[order], group[order], stratum[order]
    if groups is None:
        return Rows(gold, predicted, np.arange(len(gold)), stratum)
    _, first, unit = np.unique(group, return_index=True, return_inverse=True)
    if (stratum[first][unit] != stratum).any():
        raise ValueError("A group lies in two strata: rows that are drawn together must be of one stratum.")
    return Rows(gold, predicted, unit, stratum[first])


def bootstrap(metric: Metric, rows: Rows, *, resamples: int, seed: int) -> Floats:
    """The metric of ``resamples`` draws with replacement, [resamples]."""
    chooser = np.random.default_rng(seed)
    return _measured(metric, rows, (_drawn(rows, size, chooser) for size in _sizes(resamples)))


def jackknife(metric: Metric, rows: Rows) -> Floats:
    """The metric without each unit in turn, [units]."""
    units = len(rows.stratum)
    starts = range(0, units, _CHUNK)
    left_out = (np.arange(start, min(start + _CHUNK, units))[:, None] for start in starts)
    return _measured(metric, rows, ((rows.unit[None, :] != unit).astype(np.float64) for unit in left_out))


def score_all_rows(metric: Metric, rows: Rows) -> float:
    """The metric of all rows."""
    return float(metric(rows.gold, rows.predicted, np.ones((1, len(rows.gold))))[0])


def coin_flips(units: int, resamples: int, seed: int) -> Iterator[Floats]:
    """A fair coin for each unit, in chunks [draws, units]."""
    chooser = np.random.default_rng(seed)
    for size in _sizes(resamples):
        yield chooser.integers(0, 2, (size, units)).astype(np.float64)


def _measured(metric: Metric, rows: Rows, weights: Iterator[Floats]) -> Floats:
    return np.concatenate([metric(rows.gold, rows.predicted, chunk) for chunk in weights])


def _drawn(rows: Rows, size: int, chooser: np.random.Generator) -> Floats:
    """How often each row is drawn, [size, rows]."""
    units = len(rows.stratum)
    times = np.zeros((size, units))
    for stratum in np.unique(rows.stratum):
        members = np.flatnonzero(rows.stratum == stratum)
        width = len(members)
        chosen = chooser.integers(0, width, (size, width)) + width * np.arange(size)[:, None]
        times[:, members] = np.bincount(chosen.ravel(), minlength=size * width).reshape(size, width)
    return times if units == len(rows.unit) else times[:, rows.unit]


def _sizes(resamples: int) -> list[int]:
    if resamples < 1:
        raise ValueError("There must be at least one resample.")
    return [min(_CHUNK, resamples - start) for start in range(0, resamples, _CHUNK)]


def _confusions(gold: Array, predicted: Array, weights: Floats) -> Floats:
    """Weighted confusion counts, [draws, gold, predicted]."""
    labels, places = np.unique(np.concatenate([gold, predicted]), return_inverse=True)
    width = len(labels)
    cells = places[: len(gold)] * width + places[len(gold) :]
    counts: Floats = weights @ np.eye(width * width)[cells]
    return counts.reshape(-1, width, width)


def _mean(values: Floats, weights: Floats) -> Floats:
    return np.asarray(weights @ values / weights.sum(axis=1))


def _places(names: Sequence[Hashable] | None, count: int) -> NDArray[np.int64]:
    if names is None:
        return np.zeros(count, dtype=np.int64)
    place = {name: index for index, name in enumerate(sorted(set(names), key=repr))}
    return np.array([place[name] for name in names], dtype=np.int64)


def _columns(values: Array) -> list[NDArray[np.int64]]:
    """Each column as places in its sorted values, which sort as they do whatever their type."""
    flat = values.reshape(len(values), -1)
    return [np.unique(column, return_inverse=True)[1] for column in flat.T]
