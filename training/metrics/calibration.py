"""Whether probabilities mean what they say: reliability bins, calibration errors, Brier score; and what mends them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.runs.metrics import ReliabilityBin

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Brier:
    """The Brier score and its parts: ``score = reliability - resolution + uncertainty + within``.

    ``reliability`` is 0 for calibrated probabilities, ``resolution`` is high where they tell rows apart,
    ``uncertainty`` is that of the corpus; ``within`` is what lies inside the bins (Stephenson et al. 2008).
    """

    score: float
    reliability: float
    resolution: float
    uncertainty: float
    within: float


def reliability(probabilities: Floats, gold: Floats, bins: int = 10) -> list[ReliabilityBin]:
    """The bins of a reliability diagram, of equal width over [0, 1] (the last holds 1); empty ones are left out.

    ``gold`` is 1 where the row is positive, or where the label with this probability is right, else 0.
    """
    return _binned(probabilities, gold, np.linspace(0.0, 1.0, bins + 1))


def equal_mass(probabilities: Floats, gold: Floats, bins: int = 10) -> list[ReliabilityBin]:
    """Bins that hold about as many rows each; rows of one probability stay together, so there may be fewer."""
    if not probabilities.size:
        return []
    return _binned(
        probabilities, gold, np.unique(np.quantile(probabilities, np.linspace(0.0, 1.0, bins + 1)))
    )


def calibration_error(probabilities: Floats, gold: Floats, *, bins: int = 10) -> float:
    """Expected calibration error over equal-width bins (Guo et al. 2017, section 2)."""
    return _expected(reliability(probabilities, gold, bins))


def adaptive_calibration_error(probabilities: Floats, gold: Floats, *, bins: int = 10) -> float:
    """Expected calibration error over bins of equal mass (Nguyen and O'Connor 2015; Nixon et al. 2019, section 3).

    Equal widths leave most bins of a sure model nearly empty; here each gap is measured on as many rows.
    """
    return _expected(equal_mass(probabilities, gold, bins))


def maximum_calibration_error(probabilities: Floats, gold: Floats, *, bins: int = 10) -> float:
    """The largest gap of an equal-width bin (Guo et al. 2017, section 2); a bin of few rows can make it."""
    return max((part.gap for part in reliability(probabilities, gold, bins)), default=0.0)


def brier(probabilities: Floats, gold: Floats, *, bins: int = 10) -> Brier:
    """The Brier score (Brier 1950) with Murphy's decomposition (1973) over equal-width bins."""
    if not probabilities.size:
        return Brier(0.0, 0.0, 0.0, 0.0, 0.0)
    parts = reliability(probabilities, gold, bins)
    weights = np.array([part.count for part in parts]) / probabilities.size
    confidence, share = (
        np.array([getattr(part, name) for part in parts]) for name in ("confidence", "share")
    )
    base = float(gold.mean())
    score = float(((probabilities - gold) ** 2).mean())
    missing = float(weights @ (confidence - share) ** 2)
    telling = float(weights @ (share - base) ** 2)
    unsure = base * (1.0 - base)
    return Brier(score, missing, telling, unsure, score - missing + telling - unsure)


def fit_scale(logits: Floats, gold: Floats) -> tuple[float, float]:
    """Temperature and offset with which sigmoid(logit / temperature + offset) has least log loss (Platt 1999)."""
    from sklearn.linear_model import LogisticRegression

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


def _binned(probabilities: Floats, gold: Floats, edges: Floats) -> list[ReliabilityBin]:
    if probabilities.shape != gold.shape:
        raise ValueError(f"There are {probabilities.size} probabilities and {gold.size} gold labels.")
    if not (np.all(probabilities >= 0.0) and np.all(probabilities <= 1.0)):
        raise ValueError("Probabilities must lie in [0, 1].")
    places = np.searchsorted(edges[1:-1], probabilities, side="right")
    parts: list[ReliabilityBin] = []
    for place in np.unique(places).tolist():
        inside = places == place
        low, high = float(edges[place]), float(edges[min(place + 1, len(edges) - 1)])
        parts.append(
            ReliabilityBin(
                low, high, int(inside.sum()), float(probabilities[inside].mean()), float(gold[inside].mean())
            )
        )
    return parts


def _expected(parts: Sequence[ReliabilityBin]) -> float:
    total = sum(part.count for part in parts)
    return sum(part.count * part.gap for part in parts) / total if total else 0.0
