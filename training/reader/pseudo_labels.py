"""Pseudo labels: a teacher's probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from training.loop.batches import EncodedExample, SoftLabels, encode
from training.modeling.reader import Floats, ReaderModel, predict, softmax


class PseudoLabeler:
    """Adds a teacher's probabilities to rows. Every row is predicted once, when it is first asked for.

    Teacher and student may tokenise differently: a student's token gets the mean over the teacher's tokens that overlap
    it, and is O where there is none.
    """

    def __init__(
        self, teacher: ReaderModel, tokenizer: Any, *, device: torch.device, max_tokens: int
    ) -> None:
        self._teacher = teacher
        self._tokenizer = tokenizer
        self._device = device
        self._max_tokens = max_tokens
        self._labelled: dict[int, tuple[EncodedExample, EncodedExample]] = {}

    def __call__(self, rows: Sequence[EncodedExample]) -> list[EncodedExample]:
        """The same rows with soft labels."""
        fresh = [row for row in rows if id(row) not in self._labelled]
        if fresh:
            theirs = encode([row.example for row in fresh], self._tokenizer, max_tokens=self._max_tokens)
            logits = predict(self._teacher, theirs, device=self._device)
            bias = 1.0 / (1.0 + np.exp(-logits.bias))
            for row, other, tags, probability in zip(fresh, theirs, logits.spans, bias, strict=True):
                soft_labels = SoftLabels(_align(row, other, softmax(tags)), float(probability))
                self._labelled[id(row)] = (row, replace(row, soft_labels=soft_labels))
        return [self._labelled[id(row)][1] for row in rows]


def _align(row: EncodedExample, other: EncodedExample, probabilities: Floats) -> NDArray[np.float32]:
    aligned = np.zeros((len(row.ids), probabilities.shape[1]), dtype=np.float32)
    words = [at for at, (start, end) in enumerate(other.offsets) if start < end]
    first = 0
    for at, (start, end) in enumerate(row.offsets):
        while first < len(words) and other.offsets[words[first]][1] <= start:
            first += 1
        last = first
        while last < len(words) and other.offsets[words[last]][0] < end:
            last += 1
        if last > first and end > start:
            aligned[at] = probabilities[words[first:last]].mean(axis=0)
        else:
            aligned[at, 0] = 1.0
    return aligned
