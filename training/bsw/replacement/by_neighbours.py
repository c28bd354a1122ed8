"""Replacing with near words of an embedding space (section 4.3.3)."""

from __future__ import annotations

import random
from collections.abc import Sequence

from training.bsw.model import Labelled
from training.bsw.replacement.base import Finds, Replacing, Row
from training.bsw.space import Space

K = 5
"""The paper does not print its K; this is that of the centroid."""


class ByNeighbours(Replacing):
    """Each occurrence becomes, by chance, one of the ``k`` nearest words, or stays; a word without a vector stays.

    It makes training rows more varied, as further examples would: the paper replaces in the training rows alone. The
    chance is drawn of the seed, the row and the place in it.
    """

    training_only = True

    def __init__(self, space: Space, *, seed: int, k: int = K) -> None:
        super().__init__()
        self._space, self._seed, self._k = space, seed, k
        self._near: dict[str, tuple[str, ...]] = {}

    def _learn(self, _train: Sequence[Labelled], bsws: Sequence[str]) -> None:
        self._near = {word: self._space.nearest(word, self._k) for word in bsws}

    def _news(self, rows: Sequence[Row], found: Sequence[Finds]) -> list[list[str | None]]:
        made: list[list[str | None]] = []
        for row, finds in zip(rows, found, strict=True):
            draw = random.Random(f"{self._seed} {' '.join(row)}")
            made.append([draw.choice((None, *self._near[one.term])) for one in finds])
        return made
