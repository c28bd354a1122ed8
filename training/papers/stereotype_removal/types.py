"""Lists of detected words, and the interface of replacement strategies."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from training.corpora.hate_speech import LabelledText

WordScorer = Callable[[Sequence[str]], NDArray[np.float64]]
"""Texts of one word each to p(hateful | word) [n], or p(class | word) [n, classes]."""


@dataclass(frozen=True, slots=True)
class Detection:
    """The words that a strategy found with their scores, the most stereotyped first."""

    strategy: str
    scored: tuple[tuple[str, float], ...]

    @property
    def words(self) -> tuple[str, ...]:
        """The words without their scores."""
        return tuple(word for word, _ in self.scored)


class Replacer(Protocol):
    """A strategy of section 4.3: fits replacements of words to the training rows, then rewrites token rows.

    Equal rows are rewritten equally. A ``training_only`` strategy rewrites the training rows only; all others must also
    rewrite everything that the classifier reads.
    """

    training_only: bool

    def fit(self, train: Sequence[LabelledText], bsws: Sequence[str]) -> Self:
        """Fit the replacements of ``bsws`` (lower-case terms of one or more words)."""
        ...

    def __call__(self, tokens: Sequence[str]) -> tuple[str, ...]:
        """The row with its terms replaced, each by one token; all other tokens stay."""
        ...

    def replace_all(self, rows: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
        """Many rows, faster than one by one."""
        ...

    def vectors(self) -> Mapping[str, NDArray[np.float32]]:
        """Vectors of tokens that the strategy introduced; empty for most strategies."""
        ...
