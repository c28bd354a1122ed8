"""A space of word vectors in memory: every word of a GloVe text file, and which lie nearest to which."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from training.bsw.model import tokens
from training.corpora.base import tell


class Space:
    """``words``, the frequent first as GloVe has them, and their ``table`` [words, dimensions]."""

    def __init__(self, words: Sequence[str], table: NDArray[np.float32]) -> None:
        self.words = tuple(words)
        self.table = table
        self._places = {word: at for at, word in enumerate(self.words)}
        lengths = np.linalg.norm(table, axis=1)
        self._scales = np.divide(1, lengths, out=np.zeros_like(lengths), where=lengths > 0)

    @classmethod
    def read(cls, path: Path, *, say: Callable[[str], None] = tell) -> Self:
        """Every word of a GloVe text file. Raises TrainingError where it cannot be opened, or is none."""
        from training.wikibias.glove import whole

        return cls(*whole(path, say=say))

    def of(self, term: str) -> NDArray[np.float32] | None:
        """The vector of a word; of several words the mean of theirs. None where one has no vector."""
        words = (term,) if term in self._places else tokens(term)
        places = [self._places[word] for word in words if word in self._places]
        if not places or len(places) < len(words):
            return None
        mean: NDArray[np.float32] = self.table[places].mean(axis=0)
        return mean

    def nearest(self, term: str, count: int) -> tuple[str, ...]:
        """The ``count`` other words nearest to a term by cosine, nearest first, ties by the word.

        Only words that ``tokens`` could give are named: no numbers, no punctuation. Empty where the term has no vector.
        """
        vector = self.of(term)
        if vector is None:
            return ()
        near = (self.table @ vector) * self._scales
        named: list[tuple[float, str]] = []
        for most in (4 * count + 16, len(self.words)):
            named = self._named(near, most, term)
            if len(named) >= count:
                break
        return tuple(word for _, word in named[:count])

    def _named(self, near: NDArray[np.float32], most: int, term: str) -> list[tuple[float, str]]:
        places = np.argpartition(-near, most - 1)[:most] if most < len(near) else np.arange(len(near))
        own = {term, *tokens(term)}
        found = ((-float(near[place]), self.words[place]) for place in places)
        return sorted((score, word) for score, word in found if word not in own and _is_word(word))


def _is_word(word: str) -> bool:
    return tokens(word) == (word,) and not any(letter.isdigit() for letter in word)
