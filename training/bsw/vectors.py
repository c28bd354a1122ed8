"""The vectors that a classifier reads words by: those of GloVe, and those of the tags that stand for words."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.bsw.space import Space
from training.loop import TrainingError


def check_glove(file: Path | None) -> Path:
    """The GloVe text file that was named. Raises TrainingError where none was, or it is not there."""
    if file is None:
        raise TrainingError(
            "Word vectors are needed. Name a text file of GloVe (6B, 100d) with --glove FILE."
        )
    if not file.is_file():
        raise TrainingError(f"{file} is not there. Name a text file of GloVe with --glove FILE.")
    return file


class Lexicon:
    """Numbers and vectors of the words that were read so far; a word without a vector reads as nothing (zeros).

    ``tags`` are vectors of tokens that a strategy made up, as long as GloVe's. A tag without one, as ``<noun>``, is
    read as the word that it is.
    """

    def __init__(self, space: Space, tags: Mapping[str, NDArray[np.float32]]) -> None:
        self._space = space
        self._tags = tags
        self._numbers: dict[str, int] = {}
        self._rows: list[NDArray[np.float32]] = [np.zeros(space.table.shape[1], dtype=np.float32)]
        self._table: NDArray[np.float32] = np.stack(self._rows)

    def number(self, word: str) -> int:
        """The row of a word in ``table``; 0 is nothing."""
        if word not in self._numbers:
            vector = self._tags[word] if word in self._tags else self._space.of(word)
            self._numbers[word] = 0 if vector is None else len(self._rows)
            if vector is not None:
                self._rows.append(np.asarray(vector, dtype=np.float32))
        return self._numbers[word]

    def table(self) -> NDArray[np.float32]:
        """The vectors of the words so far [words, dimensions]."""
        if len(self._table) < len(self._rows):
            self._table = np.stack(self._rows)
        return self._table
