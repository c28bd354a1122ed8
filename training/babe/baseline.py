"""The feature baseline: boosted trees find biased words, and a sentence is biased if a word of it is.

Spinde et al. 2021 use XGBoost with the rare class weighted up; here it is scikit-learn's boosting of histograms.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier

from training.babe.features import Floats, Words, rarity
from training.babe.folds import Fold
from training.babe.systems import CLEAN

ROUNDS = 150
"""Trees of the clean protocol, fixed beforehand; the original one takes the number that reads the scored fold best."""

# As in the paper's released notebook; the first setting tried here flagged nearly every sentence of the scored folds.
_SHAPE = {"learning_rate": 0.3, "max_depth": 10, "max_leaf_nodes": 255, "min_samples_leaf": 20}

_THRESHOLD = 0.5


def biased_sentences(words: Words, fold: Fold, *, protocol: str, seed: int) -> list[int]:
    """0 or 1 for each scored sentence of ``fold``.

    In the original protocol the number of trees is the one by which the scored fold's words read best.
    """
    chances = _chances(words, fold, seed=seed, watched=protocol != CLEAN)
    biased = set(words.owners[words.of(fold.scored)[chances > _THRESHOLD]].tolist())
    return [int(at in biased) for at in fold.scored]


def _chances(words: Words, fold: Fold, *, seed: int, watched: bool) -> NDArray[np.float64]:
    """The probability that each scored word is biased."""
    matrix: Floats = np.hstack([words.matrix, rarity(words, fold.train)])
    rows, reading = words.of(fold.train), words.of(fold.scored)
    model = HistGradientBoostingClassifier(
        **_SHAPE,
        max_iter=ROUNDS,
        categorical_features=list(range(words.classes)),
        class_weight="balanced",
        early_stopping=False,
        random_state=seed,
    )
    model.fit(matrix[rows], words.gold[rows])
    if not watched:
        return np.asarray(model.predict_proba(matrix[reading])[:, 1])
    gold = words.gold[reading]
    best, chosen = -1.0, np.zeros(len(reading))
    for answers in model.staged_predict_proba(matrix[reading]):
        chances = answers[:, 1]
        found = chances > _THRESHOLD
        score = 2 * float((gold & found).sum()) / max(1, int(gold.sum() + found.sum()))
        if score > best:
            best, chosen = score, chances
    return np.asarray(chosen)
