"""What the strategies share: finding the words in a row, and putting in what the strategy says."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Self

import numpy as np
from numpy.typing import NDArray

from training.bsw.model import Labelled, tokens
from training.bsw.occurrences import Found, Terms

Row = Sequence[str]
Finds = Sequence[Found]


class Replacing(ABC):
    """A `Replacer` without a strategy: a subclass says in ``_news`` what each occurrence becomes."""

    training_only = False

    def __init__(self) -> None:
        self._terms = Terms(())

    def fit(self, train: Sequence[Labelled], bsws: Sequence[str]) -> Self:
        """Take ``bsws`` as the words to be replaced; of an empty list nothing is."""
        words = tuple(word for word in dict.fromkeys(bsws) if tokens(word))
        self._terms = Terms(words)
        self._learn(train, words)
        return self

    def __call__(self, tokens: Row) -> tuple[str, ...]:
        """The row with its words replaced."""
        return self.many([tokens])[0]

    def many(self, rows: Sequence[Row]) -> list[tuple[str, ...]]:
        """The rows with their words replaced."""
        made = [tuple(row) for row in rows]
        found = {at: finds for at, row in enumerate(rows) if (finds := self._terms.find(row))}
        if found:
            news = self._news([rows[at] for at in found], list(found.values()))
            for (at, finds), new in zip(found.items(), news, strict=True):
                made[at] = _put_in(rows[at], finds, new)
        return made

    def vectors(self) -> Mapping[str, NDArray[np.float32]]:
        """No token of its own."""
        return {}

    def _learn(self, train: Sequence[Labelled], bsws: Sequence[str]) -> None:  # noqa: B027
        """Nothing, unless a strategy has something to learn."""

    @abstractmethod
    def _news(self, rows: Sequence[Row], found: Sequence[Finds]) -> list[list[str | None]]:
        """For every row and each of its occurrences the new token; None where the words stay as they are."""


def _put_in(row: Row, finds: Finds, news: Sequence[str | None]) -> tuple[str, ...]:
    made: list[str] = []
    at = 0
    for found, new in zip(finds, news, strict=True):
        made += row[at : found.start]
        made += row[found.start : found.end] if new is None else [new]
        at = found.end
    made += row[at:]
    return tuple(made)
