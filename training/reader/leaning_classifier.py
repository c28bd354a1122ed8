"""A leaning head that looks away from what tells houses and topics apart, and from what neutral rewordings move.

Left, center and right are told by a linear discriminant of mean states (Fisher 1936), each house by the square root of
its rows. What varies without the leaning is laid together: rows within a house, houses of one leaning, topics, each of
which is written on by all sides, and sentences before and after an editor made them neutral. A difference in these
directions says little of how a house leans that nobody knows. This is ours; Baly et al. 2020 make an encoder forget its
houses by an adversary instead. Whether a text is political at all is told by a logistic regression beside it, which
looks away from the rewordings, too.

The reader's head has a layer with tanh before its output: the four answers pass through four of its units, small enough
that tanh leaves them nearly as they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from torch import Tensor, nn

from training.corpora import allsides
from training.loop.batches import EncodedExample
from training.modeling.leaning_head import LeaningHead
from training.modeling.reader import LEANING_CLASSES
from training.types import NOT_POLITICAL

Floats = NDArray[np.float64]
HOUSES, TOPICS, EDITS, RIDGE = 1.0, 10.0, 3.0, 1.0
"""How much the scatters between houses of one leaning, between topics and of rewordings count beside that within
houses, and what is added to each direction, of states with a variance of 1. Chosen on folds of the houses that the
reader's encoder learnt from, and on those that it did not."""
LEAST_OF_TOPIC, LEAST_OF_SIDE = 20, 3
"""A topic with fewer rows, or fewer of one leaning, is too little known to be looked away from."""
PENALTY = 3e-4
"""The inverse penalty of what tells politics from other prose."""
_LARGEST = 0.25
"""What the largest answer of the fitted rows is before tanh, which takes two per cent of it."""
_NEVER = -20.0


def fit_leaning_head(
    states: Floats,
    labels: Sequence[int],
    houses: Sequence[str],
    topics: Sequence[str],
    edits: Floats | None = None,
) -> LeaningHead:
    """A head from states [rows, d], their classes (0 left, 1 center, 2 right, 3 not political), houses and topics.

    ``edits`` [pairs, d] are by how much neutral rewordings moved the states of sentences. A class without rows is never
    the answer. Raises ValueError where nothing is political.
    """
    moved = np.zeros((0, states.shape[1])) if edits is None else edits
    gold = np.array(labels)
    leaning = gold != NOT_POLITICAL
    if not leaning.any():
        raise ValueError("No row has a leaning.")
    slopes = np.zeros((LEANING_CLASSES, states.shape[1]))
    offsets = np.full(LEANING_CLASSES, _NEVER)
    sides = sorted(set(gold[leaning].tolist()))
    slopes[sides], offsets[sides] = _discriminant(
        states[leaning], gold[leaning], np.array(houses)[leaning].tolist(), np.array(topics)[leaning], moved
    )
    if not leaning.all():
        slopes[NOT_POLITICAL], offsets[NOT_POLITICAL] = _not_political(states, ~leaning, houses, moved)
        offsets[NOT_POLITICAL] += np.log(len(sides))
    return _in_form(slopes, offsets, states)


def fit_leaning_head_on_rows(states: Tensor, rows: Sequence[EncodedExample], edits: Tensor) -> LeaningHead:
    """A head from states [rows, d] of windows. A row that is no article's is a house of its own. ``edits`` as `fit_leaning_head` has
    them.
    """
    told = [row.example for row in rows]
    return fit_leaning_head(
        states.numpy().astype(np.float64),
        [int(one.leaning or 0) for one in told],
        [allsides.publisher_of(one.group) if one.group else f"row {at}" for at, one in enumerate(told)],
        [one.topic for one in told],
        edits.numpy().astype(np.float64),
    )


def _discriminant(
    states: Floats,
    gold: NDArray[np.int64],
    houses: Sequence[str],
    topics: NDArray[np.str_],
    edits: Floats,
) -> tuple[Floats, Floats]:
    """Slopes [sides, d] and offsets [sides], their means nought, of the leanings in ``gold``."""
    centre, scale = states.mean(axis=0), np.maximum(states.std(axis=0), 1e-6)
    rows = (states - centre) / scale
    means = _Means(rows, gold, houses)
    spread = (
        means.within(rows)
        + HOUSES * means.between()
        + TOPICS * _between_topics(rows, gold, topics)
        + EDITS * _of_edits(edits / scale)
        + RIDGE * np.eye(rows.shape[1])
    )
    directions = np.linalg.solve(spread, means.sides.T).T
    offsets = -0.5 * (directions * means.sides).sum(axis=1)
    slopes = (directions - directions.mean(axis=0)) / scale
    return slopes, offsets - offsets.mean() - slopes @ centre


def _not_political(
    states: Floats, other: NDArray[np.bool_], houses: Sequence[str], edits: Floats
) -> tuple[Floats, np.float64]:
    """Slope [d] and offset of the log-odds that a row is not political, houses by the square root of their rows."""
    centre, scale = states.mean(axis=0), np.maximum(states.std(axis=0), 1e-6)
    sizes = Counter(houses)
    weights = np.array([sizes[house] ** -0.5 for house in houses])
    for part in (other, ~other):
        weights[part] /= weights[part].mean()
    spreads, axes = np.linalg.eigh(np.eye(states.shape[1]) + EDITS * _of_edits(edits / scale))
    narrowed = (axes * spreads**-0.5) @ axes.T
    model = LogisticRegression(C=PENALTY, class_weight="balanced", max_iter=1000)
    model.fit((states - centre) / scale @ narrowed, other, sample_weight=weights)
    slope = narrowed @ model.coef_[0] / scale
    return slope, model.intercept_[0] - slope @ centre


class _Means:
    """The mean of the rows of each house in each leaning, and of the houses of each leaning."""

    def __init__(self, rows: Floats, gold: NDArray[np.int64], houses: Sequence[str]) -> None:
        keys = [f"{label} {house}" for label, house in zip(gold.tolist(), houses, strict=True)]
        found, self._at = np.unique(keys, return_inverse=True)
        sizes = np.bincount(self._at)
        summed = np.zeros((len(found), rows.shape[1]))
        np.add.at(summed, self._at, rows)
        self._houses = summed / sizes[:, None]
        self._weights = np.sqrt(sizes)
        _, self._side = np.unique([key.split(" ", 1)[0] for key in found], return_inverse=True)
        self.sides = np.array([self._of_side(side) for side in range(self._side.max() + 1)])

    def within(self, rows: Floats) -> Floats:
        """The scatter of rows around the mean of their house [d, d]."""
        apart = rows - self._houses[self._at]
        return np.asarray(apart.T @ apart / max(1, len(rows) - len(self._houses)))

    def between(self) -> Floats:
        """The scatter of houses around the mean of their leaning [d, d]."""
        return _scatter(self._houses - self.sides[self._side], self._weights)

    def _of_side(self, side: int) -> Floats:
        own = self._side == side
        return np.asarray(np.average(self._houses[own], axis=0, weights=self._weights[own]))


def _between_topics(rows: Floats, gold: NDArray[np.int64], topics: NDArray[np.str_]) -> Floats:
    """The scatter of topics, each the mean of its three leanings, so that none stands for a side [d, d]."""
    found, weights = [], []
    for topic in np.unique(topics[topics != ""]):
        own = topics == topic
        sides = [own & (gold == label) for label in range(NOT_POLITICAL)]
        if own.sum() >= LEAST_OF_TOPIC and min(side.sum() for side in sides) >= LEAST_OF_SIDE:
            found.append(np.mean([rows[side].mean(axis=0) for side in sides], axis=0))
            weights.append(float(own.sum()) ** 0.5)
    if not found:
        return np.zeros((rows.shape[1], rows.shape[1]))
    middle = np.average(found, axis=0, weights=weights)
    return _scatter(np.array(found) - middle, np.array(weights))


def _of_edits(edits: Floats) -> Floats:
    """The mean outer product of what rewordings move [d, d]."""
    return np.asarray(edits.T @ edits / max(1, len(edits)))


def _scatter(apart: Floats, weights: Floats) -> Floats:
    """The mean outer product of rows [d, d], by weights."""
    return np.asarray((apart * (weights / weights.sum())[:, None]).T @ apart)


def _in_form(slopes: Floats, offsets: Floats, states: Floats) -> LeaningHead:
    width = states.shape[1]
    middle = (states @ slopes.T).mean(axis=0)
    small = _LARGEST / max(float(np.abs(states @ slopes.T - middle).max()), 1e-9)
    layer, output = nn.Linear(width, width), nn.Linear(width, LEANING_CLASSES)
    with torch.no_grad():
        for linear in (layer, output):
            linear.weight.zero_()
            linear.bias.zero_()
        layer.weight[:LEANING_CLASSES] = torch.from_numpy(small * slopes).float()
        layer.bias[:LEANING_CLASSES] = torch.from_numpy(-small * middle).float()
        output.weight[:, :LEANING_CLASSES] = torch.eye(LEANING_CLASSES) / small
        output.bias.copy_(torch.from_numpy(offsets + middle).float())
    return LeaningHead(layer, output)
