"""Calibration of probabilities: reliability bins, calibration error, and the parameters that correct it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.runs.metrics import ReliabilityBin

Floats = NDArray[np.float64]


def reliability(probabilities: Floats, gold: Floats, bins: int = 10) -> list[ReliabilityBin]:
    """The bins of a reliability diagram, of equal width over [0, 1] (the last holds 1); empty ones are left out.

    ``gold`` is 1 where the row is positive, or where the label with this probability is right, else 0.
    """
    if probabilities.shape != gold.shape:
        raise ValueError(f"There are {probabilities.size} probabilities and {gold.size} gold labels.")
    if not (np.all(probabilities >= 0.0) and np.all(probabilities <= 1.0)):
        raise ValueError("Probabilities must lie in [0, 1].")
    edges = np.linspace(0.0, 1.0, bins + 1)
    places = np.searchsorted(edges[1:-1], probabilities, side="right")
    parts: list[ReliabilityBin] = []
    for place in np.unique(places).tolist():
        inside = places == place
        confidence, share = float(probabilities[inside].mean()), float(gold[inside].mean())
        low, high = float(edges[place]), float(edges[place + 1])
        parts.append(ReliabilityBin(low, high, int(inside.sum()), confidence, share))
    return parts


def calibration_error(probabilities: Floats, gold: Floats, *, bins: int = 10) -> float:
    """Expected calibration error over equal-width bins (Guo et al. 2017, section 2)."""
    gaps = sum(part.count * part.gap for part in reliability(probabilities, gold, bins))
    return gaps / probabilities.size if probabilities.size else 0.0


def fit_scale(logits: Floats, gold: Floats, *, weights: Floats | None = None) -> tuple[float, float]:
    """Temperature and offset with which sigmoid(logit / temperature + offset) has least log loss (Platt 1999).

    ``weights`` [rows] are the weights of the rows, equal by default.
    """
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=1e4).fit(logits.reshape(-1, 1), gold.astype(int), sample_weight=weights)
    return 1.0 / max(float(model.coef_[0, 0]), 0.05), float(model.intercept_[0])


def fit_temperature(logits: Floats, gold: NDArray[np.int64]) -> float:
    """The temperature with which softmax(logits / temperature) has least log loss; logits [rows, classes]."""
    from scipy.special import log_softmax

    def loss(temperature: float) -> float:
        return float(-log_softmax(logits / temperature, axis=1)[np.arange(len(gold)), gold].mean())

    return float(min(np.geomspace(0.3, 5.0, 60), key=loss)) if len(gold) else 1.0
