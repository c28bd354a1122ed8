"""How far apart a reader in training reads neutral sentences that differ in the person alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, pairwise

import numpy as np
import torch

from core.stereotypes.templates import Half, frames
from training.batches import Encoded
from training.corpora.base import Example
from training.model import ReaderModel
from training.reading import read


class TemplateShift:
    """The mean absolute difference of the bias, in [0, 1], over pairs of the training half of the templates.

    A trained half says less of a reader than the examination half does; it serves to choose between weights.
    """

    def __init__(self, encode: Callable[[Sequence[Example]], list[Encoded]]) -> None:
        sets = [[variant.text for variant in frame.variants] for frame in frames(Half.TRAINING)]
        self._rows = encode([Example(text, "templates") for texts in sets for text in texts])
        ends = np.cumsum([0, *map(len, sets)]).tolist()
        self._pairs = np.array(
            [pair for start, end in pairwise(ends) for pair in combinations(range(start, end), 2)]
        )

    def __call__(self, model: ReaderModel, *, device: torch.device) -> float:
        """The figure for ``model``, uncalibrated."""
        odds = np.asarray(read(model, self._rows, device=device).bias, dtype=np.float64)
        chances = 1 / (1 + np.exp(-odds))
        first, second = self._pairs.T
        return float(np.abs(chances[first] - chances[second]).mean())
