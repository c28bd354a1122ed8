"""Scores as the field names them: span precision, recall and F1 (exact and overlap), macro-F1, calibration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from core.findings import KINDS, Kind

Floats = NDArray[np.float64]
KindedSpan = tuple[int, int, Kind]


@dataclass(frozen=True, slots=True)
class Score:
    """Precision, recall and F1, each in [0, 1]; zero where there is nothing to divide by."""

    precision: float
    recall: float
    f1: float


def score(hits_found: int, found: int, hits_gold: int, gold: int) -> Score:
    """Precision ``hits_found / found`` and recall ``hits_gold / gold``, and their harmonic mean."""
    precision = hits_found / found if found else 0.0
    recall = hits_gold / gold if gold else 0.0
    total = precision + recall
    return Score(precision, recall, 2 * precision * recall / total if total else 0.0)


def span_scores(
    found: Sequence[Sequence[KindedSpan]], gold: Sequence[Sequence[KindedSpan]]
) -> tuple[Score, Score]:
    """Exact and overlap scores over sentences, kinds left out of account.

    Exact: same start and end. Overlap: a found span counts where it shares a character with a gold one, and a gold
    one is reached where a found span shares a character with it.
    """
    exact = touched = reached = total_found = total_gold = 0
    for here, truth in zip(found, gold, strict=True):
        bounds = {(start, end) for start, end, _ in truth}
        total_found += len(here)
        total_gold += len(truth)
        exact += sum((start, end) in bounds for start, end, _ in here)
        touched += sum(any(start < e and s < end for s, e, _ in truth) for start, end, _ in here)
        reached += sum(any(start < e and s < end for s, e, _ in here) for start, end, _ in truth)
    return score(exact, total_found, exact, total_gold), score(touched, total_found, reached, total_gold)


def kind_scores(
    found: Sequence[Sequence[KindedSpan]], gold: Sequence[Sequence[KindedSpan]]
) -> dict[Kind, Score]:
    """Overlap scores per kind: a span counts only against gold spans of its own kind."""
    result: dict[Kind, Score] = {}
    for kind in KINDS:
        one_kind = [[[span for span in spans if span[2] is kind] for spans in side] for side in (found, gold)]
        result[kind] = span_scores(one_kind[0], one_kind[1])[1]
    return result


def macro_f1(gold: Sequence[int], found: Sequence[int]) -> float:
    """Unweighted mean of the F1 of each class that occurs in ``gold`` or ``found``."""
    truth, guess = np.asarray(gold), np.asarray(found)
    scores: list[float] = []
    for label in sorted(set(gold) | set(found)):
        hits = int(((truth == label) & (guess == label)).sum())
        scores.append(score(hits, int((guess == label).sum()), hits, int((truth == label).sum())).f1)
    return float(np.mean(scores)) if scores else 0.0


def calibration_error(probabilities: Floats, gold: Floats, *, bins: int = 10) -> float:
    """Expected calibration error over equal-width bins (Guo et al. 2017)."""
    places = np.clip((probabilities * bins).astype(int), 0, bins - 1)
    total = 0.0
    for place in range(bins):
        inside = places == place
        if inside.any():
            total += inside.mean() * abs(probabilities[inside].mean() - gold[inside].mean())
    return float(total)


def kappa(first: Sequence[str], second: Sequence[str]) -> float:
    """Cohen's kappa of two passes over the same items."""
    labels = sorted(set(first) | set(second))
    observed = float(np.mean([one == two for one, two in zip(first, second, strict=True)]))
    chance = sum((first.count(label) / len(first)) * (second.count(label) / len(second)) for label in labels)
    return 1.0 if chance == 1.0 else (observed - chance) / (1.0 - chance)


def fit_scale(logits: Floats, gold: Floats) -> tuple[float, float]:
    """Temperature and offset with which sigmoid(logit / temperature + offset) has least log loss (Platt 1999)."""
    model = LogisticRegression(C=1e4).fit(logits.reshape(-1, 1), gold.astype(int))
    return 1.0 / max(float(model.coef_[0, 0]), 0.05), float(model.intercept_[0])


def fit_temperature(logits: Floats, gold: NDArray[np.int64]) -> float:
    """The temperature with which softmax(logits / temperature) has least log loss; logits [rows, classes]."""
    best, lowest = 1.0, np.inf
    for temperature in np.geomspace(0.3, 5.0, 60):
        scaled = logits / temperature
        scaled = scaled - scaled.max(axis=1, keepdims=True)
        log_p = scaled - np.log(np.exp(scaled).sum(axis=1, keepdims=True))
        loss = float(-log_p[np.arange(len(gold)), gold].mean())
        if loss < lowest:
            best, lowest = float(temperature), loss
    return best
