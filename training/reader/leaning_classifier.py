"""A political-leaning head that ignores what separates publishers and topics, and what neutral rewordings change.

Left, center and right are separated by a linear discriminant of mean states (Fisher 1936), each publisher weighted by
the square root of its rows. The within-class scatter adds up what varies without the leaning: rows within a
publisher, publishers of one leaning, topics (each covered by all sides), and sentences before and after an editor
made them neutral. A difference in these directions says little about the leaning of an unknown publisher. This is
ours; Baly et al. 2020 train an encoder to forget its publishers by an adversary instead. A logistic regression, which
ignores the rewordings as well, says whether a text is political.

The reader's head has a tanh layer before its output: the four logits pass through four of its units, small enough that
tanh hardly changes them.
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
PUBLISHER_WEIGHT, TOPIC_WEIGHT, EDIT_WEIGHT, RIDGE = 1.0, 10.0, 3.0, 1.0
"""Weights of the scatters between publishers of one leaning, between topics and of rewordings, relative to that within
publishers, and the ridge, for states with a variance of 1. Chosen on folds of the publishers that the reader's encoder
was trained on, and on those that it was not."""
MIN_TOPIC_ROWS, MIN_SIDE_ROWS = 20, 3
"""A topic with fewer rows, or fewer of one leaning, is not counted."""
POLITICAL_C = 3e-4
"""The inverse penalty of the logistic regression for political texts."""
_MAX_PRE_TANH = 0.25
"""The largest logit of the fitted rows before tanh, which reduces it by two per cent."""
_IMPOSSIBLE = -20.0


def fit_leaning_head(
    states: Floats,
    labels: Sequence[int],
    publishers: Sequence[str],
    topics: Sequence[str],
    edits: Floats | None = None,
) -> LeaningHead:
    """A head from states [rows, d], their classes (0 left, 1 center, 2 right, 3 not political), publishers and topics.

    ``edits`` [pairs, d] are the shifts of sentence states by neutral rewordings. A class without rows is never
    predicted. Raises ValueError where no row is political.
    """
    moved = np.zeros((0, states.shape[1])) if edits is None else edits
    gold = np.array(labels)
    leaning = gold != NOT_POLITICAL
    if not leaning.any():
        raise ValueError("No row has a leaning.")
    slopes = np.zeros((LEANING_CLASSES, states.shape[1]))
    offsets = np.full(LEANING_CLASSES, _IMPOSSIBLE)
    sides = sorted(set(gold[leaning].tolist()))
    slopes[sides], offsets[sides] = _discriminant(
        states[leaning],
        gold[leaning],
        np.array(publishers)[leaning].tolist(),
        np.array(topics)[leaning],
        moved,
    )
    if not leaning.all():
        slopes[NOT_POLITICAL], offsets[NOT_POLITICAL] = _not_political(states, ~leaning, publishers, moved)
        offsets[NOT_POLITICAL] += np.log(len(sides))
    return _to_head(slopes, offsets, states)


def fit_leaning_head_on_rows(states: Tensor, rows: Sequence[EncodedExample], edits: Tensor) -> LeaningHead:
    """A head from states [rows, d] of windows. A row that is no article's is a publisher of its own. ``edits`` as
    `fit_leaning_head` has them.
    """
    examples = [row.example for row in rows]
    return fit_leaning_head(
        states.numpy().astype(np.float64),
        [int(one.leaning or 0) for one in examples],
        [allsides.publisher_of(one.group) if one.group else f"row {at}" for at, one in enumerate(examples)],
        [one.topic for one in examples],
        edits.numpy().astype(np.float64),
    )


def _discriminant(
    states: Floats,
    gold: NDArray[np.int64],
    publishers: Sequence[str],
    topics: NDArray[np.str_],
    edits: Floats,
) -> tuple[Floats, Floats]:
    """Slopes [sides, d] and offsets [sides] of the leanings in ``gold``, centred at zero."""
    centre, scale = states.mean(axis=0), np.maximum(states.std(axis=0), 1e-6)
    rows = (states - centre) / scale
    means = _GroupMeans(rows, gold, publishers)
    spread = (
        means.within(rows)
        + PUBLISHER_WEIGHT * means.between()
        + TOPIC_WEIGHT * _between_topics(rows, gold, topics)
        + EDIT_WEIGHT * _edit_scatter(edits / scale)
        + RIDGE * np.eye(rows.shape[1])
    )
    directions = np.linalg.solve(spread, means.sides.T).T
    offsets = -0.5 * (directions * means.sides).sum(axis=1)
    slopes = (directions - directions.mean(axis=0)) / scale
    return slopes, offsets - offsets.mean() - slopes @ centre


def _not_political(
    states: Floats, other: NDArray[np.bool_], publishers: Sequence[str], edits: Floats
) -> tuple[Floats, np.float64]:
    """Slope [d] and offset of the log-odds that a row is not political, publishers by the square root of their rows."""
    centre, scale = states.mean(axis=0), np.maximum(states.std(axis=0), 1e-6)
    sizes = Counter(publishers)
    weights = np.array([sizes[publisher] ** -0.5 for publisher in publishers])
    for part in (other, ~other):
        weights[part] /= weights[part].mean()
    spreads, axes = np.linalg.eigh(np.eye(states.shape[1]) + EDIT_WEIGHT * _edit_scatter(edits / scale))
    narrowed = (axes * spreads**-0.5) @ axes.T
    model = LogisticRegression(C=POLITICAL_C, class_weight="balanced", max_iter=1000)
    model.fit((states - centre) / scale @ narrowed, other, sample_weight=weights)
    slope = narrowed @ model.coef_[0] / scale
    return slope, model.intercept_[0] - slope @ centre


class _GroupMeans:
    """The mean of the rows of each publisher in each leaning, and of the publishers of each leaning."""

    def __init__(self, rows: Floats, gold: NDArray[np.int64], publishers: Sequence[str]) -> None:
        keys = [f"{label} {publisher}" for label, publisher in zip(gold.tolist(), publishers, strict=True)]
        found, self._at = np.unique(keys, return_inverse=True)
        sizes = np.bincount(self._at)
        summed = np.zeros((len(found), rows.shape[1]))
        np.add.at(summed, self._at, rows)
        self._publishers = summed / sizes[:, None]
        self._weights = np.sqrt(sizes)
        _, self._side = np.unique([key.split(" ", 1)[0] for key in found], return_inverse=True)
        self.sides = np.array([self._of_side(side) for side in range(self._side.max() + 1)])

    def within(self, rows: Floats) -> Floats:
        """The scatter of rows around the mean of their publisher [d, d]."""
        apart = rows - self._publishers[self._at]
        return np.asarray(apart.T @ apart / max(1, len(rows) - len(self._publishers)))

    def between(self) -> Floats:
        """The scatter of publishers around the mean of their leaning [d, d]."""
        return _scatter(self._publishers - self.sides[self._side], self._weights)

    def _of_side(self, side: int) -> Floats:
        own = self._side == side
        return np.asarray(np.average(self._publishers[own], axis=0, weights=self._weights[own]))


def _between_topics(rows: Floats, gold: NDArray[np.int64], topics: NDArray[np.str_]) -> Floats:
    """The scatter of topics, each the mean of its three leanings, so that none stands for a side [d, d]."""
    found, weights = [], []
    for topic in np.unique(topics[topics != ""]):
        own = topics == topic
        sides = [own & (gold == label) for label in range(NOT_POLITICAL)]
        if own.sum() >= MIN_TOPIC_ROWS and min(side.sum() for side in sides) >= MIN_SIDE_ROWS:
            found.append(np.mean([rows[side].mean(axis=0) for side in sides], axis=0))
            weights.append(float(own.sum()) ** 0.5)
    if not found:
        return np.zeros((rows.shape[1], rows.shape[1]))
    middle = np.average(found, axis=0, weights=weights)
    return _scatter(np.array(found) - middle, np.array(weights))


def _edit_scatter(edits: Floats) -> Floats:
    """The mean outer product of the shifts by rewordings [d, d]."""
    return np.asarray(edits.T @ edits / max(1, len(edits)))


def _scatter(apart: Floats, weights: Floats) -> Floats:
    """The mean outer product of rows [d, d], by weights."""
    return np.asarray((apart * (weights / weights.sum())[:, None]).T @ apart)


def _to_head(slopes: Floats, offsets: Floats, states: Floats) -> LeaningHead:
    width = states.shape[1]
    middle = (states @ slopes.T).mean(axis=0)
    small = _MAX_PRE_TANH / max(float(np.abs(states @ slopes.T - middle).max()), 1e-9)
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
