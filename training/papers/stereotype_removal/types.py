"""What every part works on: labelled token rows, their split, lists of found words, and how a replacement is asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from training.corpora.hate_speech import LabelledText

WordScorer = Callable[[Sequence[str]], NDArray[np.float64]]
"""Is given texts of one word each; gives p(hateful | word) as [n], or p(class | word) as [n, classes]."""


@dataclass(frozen=True, slots=True)
class Detection:
    """The words that a strategy found, the most stereotyped first, each with its score."""

    strategy: str
    scored: tuple[tuple[str, float], ...]

    @property
    def words(self) -> tuple[str, ...]:
        """The words alone, in their order."""
        return tuple(word for word, _ in self.scored)


class Replacer(Protocol):
    """A strategy of section 4.3: learns from the training rows what stands for a word, then rewrites token rows.

    The same tokens give the same answer, whatever was asked before. ``training_only`` says that the strategy rewrites
    the training rows and no others; all other strategies must also rewrite what the classifier is to read.
    """

    training_only: bool

    def fit(self, train: Sequence[LabelledText], bsws: Sequence[str]) -> Self:
        """Learn what the words of ``bsws`` (in lower case, some of several words) become."""
        ...

    def __call__(self, tokens: Sequence[str]) -> tuple[str, ...]:
        """The row with its words replaced; all other tokens stay. A term of several words becomes one token."""
        ...

    def many(self, rows: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
        """The same of many rows, faster than one by one."""
        ...

    def vectors(self) -> Mapping[str, NDArray[np.float32]]:
        """The embeddings of tokens that the strategy made up and knows a vector of; empty for most strategies."""
        ...
