"""Scorers of words, and lists of detected words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

WordScorer = Callable[[Sequence[str]], NDArray[np.float64]]
"""Texts of one word each to p(hateful | word) [n]."""


@dataclass(frozen=True, slots=True)
class Detection:
    """The words that a strategy found with their scores, the most stereotyped first."""

    strategy: str
    scored: tuple[tuple[str, float], ...]

    @property
    def words(self) -> tuple[str, ...]:
        """The words without their scores."""
        return tuple(word for word, _ in self.scored)
