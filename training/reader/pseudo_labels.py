"""Pseudo labels: a teacher's probabilities."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from training.loop.batches import EncodedExample, SoftLabels, Stream, encode
from training.modeling.reader import Floats, ReaderModel, predict, softmax


def add_teacher_labels(
    stream: Stream[EncodedExample],
    teacher: ReaderModel,
    tokenizer: Any,
    *,
    device: torch.device,
    max_tokens: int,
) -> Stream[EncodedExample]:
    """The same stream with the teacher's probabilities for every row.

    Teacher and student may tokenise differently: a student's token gets the mean over the teacher's tokens that overlap
    it, and is O where there is none.
    """
    theirs = encode([row.example for row in stream.rows], tokenizer, max_tokens=max_tokens)
    logits = predict(teacher, theirs, device=device)
    leaning = softmax(logits.leaning).astype(np.float32)
    bias = 1.0 / (1.0 + np.exp(-logits.bias))
    rows = [
        replace(row, soft_labels=SoftLabels(_align(row, other, softmax(tags)), float(bias[at]), leaning[at]))
        for at, (row, other, tags) in enumerate(zip(stream.rows, theirs, logits.spans, strict=True))
    ]
    return replace(stream, rows=rows)


def _align(row: EncodedExample, other: EncodedExample, probabilities: Floats) -> NDArray[np.float32]:
    aligned = np.zeros((len(row.ids), probabilities.shape[1]), dtype=np.float32)
    first = 0
    for at, (start, end) in enumerate(row.offsets):
        while first < len(other.offsets) and other.offsets[first][1] <= start:
            first += 1
        last = first
        while last < len(other.offsets) and other.offsets[last][0] < end:
            last += 1
        if last > first and end > start:
            aligned[at] = probabilities[first:last].mean(axis=0)
        else:
            aligned[at, 0] = 1.0
    return aligned
