"""Which of several wordings is shown first."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each reason counts for a wording; they sum to 1. Chosen on dev data."""

    removed: float = 0.35
    meaning: float = 0.25
    likely: float = 0.3
    small: float = 0.1


WEIGHTS = Weights()


def score(
    *,
    before: float,
    after: float,
    meaning: float,
    likely: float,
    words: int,
    weights: Weights = WEIGHTS,
) -> float:
    """How good a wording is, in [0, 1].

    ``before`` and ``after`` are the sentence's bias; ``meaning`` is the cosine of what both say; ``likely`` the
    model's probability; ``words`` the number of words that go or come.
    """
    removed = min(max((before - after) / max(before, 1e-6), 0.0), 1.0)
    return (
        weights.removed * removed
        + weights.meaning * min(max(meaning, 0.0), 1.0)
        + weights.likely * math.sqrt(min(max(likely, 0.0), 1.0))
        + weights.small / (1 + 0.25 * max(words - 1, 0))
    )
