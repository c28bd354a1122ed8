"""A linear leaning head in the reader's form, fitted on whole articles: nothing is chosen while it is fitted.

Multinomial regression on the mean state of an article's windows, houses by the square root of their articles and
leanings alike. The reader's head has a layer with tanh before its output: the four answers pass through four of its
units, small enough that tanh leaves them nearly as they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from torch import nn

from training.leaning import Head
from training.model import LEANING_CLASSES

Floats = NDArray[np.float64]
STRENGTH = 1e-4
"""Inverse of the penalty, on standardised states; the best of 1e-4 to 3e-3 on the houses kept for dev. On so few
houses the macro-F1 of the others, 0.01 to 0.03 less, is not apart from it by more than chance."""
_LARGEST = 0.25
"""What the largest answer of the fitted rows is before tanh, which takes two per cent of it."""


def fit(states: Floats, labels: Sequence[int], houses: Sequence[str]) -> Head:
    """A head from states [articles, d], their classes (0 left, 1 center, 2 right, 3 not political) and houses."""
    gold = np.array(labels)
    centre, scale = states.mean(axis=0), np.maximum(states.std(axis=0), 1e-6)
    model = LogisticRegression(C=STRENGTH, max_iter=1000)
    model.fit((states - centre) / scale, gold, sample_weight=weights(gold, houses))
    slopes = np.zeros((LEANING_CLASSES, states.shape[1]))
    offsets = np.full(LEANING_CLASSES, -20.0)
    slopes[model.classes_] = model.coef_ / scale
    offsets[model.classes_] = model.intercept_ - slopes[model.classes_] @ centre
    return _in_form(slopes, offsets, states)


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
