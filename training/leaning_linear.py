"""A linear leaning head in the reader's form, fitted on whole articles: no house that examines it decides anything.

Multinomial regression on the mean state of an article's windows, houses by the square root of their articles and
leanings alike; the penalty is chosen by folds of the houses that it learns from. The reader's head has a layer with
tanh before its output: the four answers pass through four of its units, small enough that tanh leaves them nearly as
they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedGroupKFold
from torch import nn

from training.corpora.base import NOT_POLITICAL
from training.leaning import Head
from training.metrics import macro_f1
from training.model import LEANING_CLASSES

Floats = NDArray[np.float64]
STRENGTHS = (3e-5, 1e-4, 3e-4, 1e-3, 3e-3)
"""Inverses of the penalty, on standardised states, of which one is chosen."""
USUAL = 3e-4
"""Taken where a leaning has too few houses to choose by."""
FOLDS = 5
_LARGEST = 0.25
"""What the largest answer of the fitted rows is before tanh, which takes two per cent of it."""


def fit(states: Floats, labels: Sequence[int], houses: Sequence[str], *, strength: float = USUAL) -> Head:
    """A head from states [articles, d], their classes (0 left, 1 center, 2 right, 3 not political) and houses."""
    return _in_form(*_fitted(states, np.array(labels), houses, strength), states)


def chosen(states: Floats, labels: Sequence[int], houses: Sequence[str], *, seed: int) -> float:
    """Of STRENGTHS the one that reads left, center and right best (macro-F1) over folds that share no house."""
    gold, groups = np.array(labels), np.array(houses)
    leaning = gold != NOT_POLITICAL
    fewest = min((len(set(groups[gold == label])) for label in set(gold[leaning].tolist())), default=0)
    if fewest < FOLDS:
        return USUAL
    splits = list(StratifiedGroupKFold(FOLDS, shuffle=True, random_state=seed).split(states, gold, groups))

    def score(strength: float) -> float:
        found = np.zeros(len(gold), dtype=np.int64)
        for known, unknown in splits:
            slopes, offsets = _fitted(states[known], gold[known], groups[known].tolist(), strength)
            found[unknown] = (states[unknown] @ slopes[:NOT_POLITICAL].T + offsets[:NOT_POLITICAL]).argmax(1)
        return macro_f1(gold[leaning].tolist(), found[leaning].tolist())

    return max(STRENGTHS, key=score)


def _fitted(
    states: Floats, gold: NDArray[np.int64], houses: Sequence[str], strength: float
) -> tuple[Floats, Floats]:
    """Slopes [4, d] and offsets [4] for states as they are."""
    centre, scale = states.mean(axis=0), np.maximum(states.std(axis=0), 1e-6)
    model = LogisticRegression(C=strength, max_iter=1000)
    model.fit((states - centre) / scale, gold, sample_weight=weights(gold, houses))
    slopes = np.zeros((LEANING_CLASSES, states.shape[1]))
    offsets = np.full(LEANING_CLASSES, -20.0)
    slopes[model.classes_] = model.coef_ / scale
    offsets[model.classes_] = model.intercept_ - slopes[model.classes_] @ centre
    return slopes, offsets


def weights(labels: NDArray[np.int64], houses: Sequence[str]) -> Floats:
    """Weights with which each class counts alike, and in it a house by the square root of its articles."""
    sizes = Counter(houses)
    found = np.array([sizes[house] ** -0.5 for house in houses])
    for label in set(labels.tolist()):
        found[labels == label] /= found[labels == label].sum()
    return np.asarray(found / found.mean(), dtype=np.float64)


def _in_form(slopes: Floats, offsets: Floats, states: Floats) -> Head:
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
    return Head(layer, output, 0.0)
