"""Several answers to one question made one: a logistic regression over their log-probabilities (stacking).

Wolpert (1992). It is fitted on texts that none of the answers was learnt from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

_STRENGTH = 0.1
_LEAST = 1e-4


@dataclass(frozen=True, slots=True)
class Blend:
    """``weights`` [classes, answers × classes] of log-probabilities, and ``bias`` [classes]."""

    weights: NDArray[np.float64]
    bias: NDArray[np.float64]

    @classmethod
    def fit(cls, answers: Sequence[NDArray[np.float64]], labels: Sequence[int], *, seed: int) -> Self:
        """From answers [texts, classes] each and the texts' classes, of which every one is there."""
        model = LogisticRegression(C=_STRENGTH, class_weight="balanced", max_iter=1000, random_state=seed)
        model.fit(_read(answers), labels)
        if len(model.coef_) == 1:
            return cls(
                np.concatenate([-model.coef_, model.coef_]) / 2, np.repeat(model.intercept_, 2) * (-0.5, 0.5)
            )
        return cls(model.coef_, model.intercept_)

    def chances(self, answers: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
        """Probabilities [texts, classes]."""
        found: NDArray[np.float64] = _read(answers) @ self.weights.T + self.bias
        powers = np.exp(found - found.max(axis=1, keepdims=True))
        return np.asarray(powers / powers.sum(axis=1, keepdims=True), dtype=np.float64)


def _read(answers: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    read: NDArray[np.float64] = np.log(np.concatenate(answers, axis=1).clip(_LEAST, 1 - _LEAST))
    return read
