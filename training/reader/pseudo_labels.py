"""Pseudo labels: words of statements known to be biased, and a teacher's probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from core.engine.spans import word_probabilities
from core.text.tokens import WORD
from training.loop.batches import IGNORED, EncodedExample, SoftLabels, Stream, encode
from training.modeling.reader import Floats, ReaderModel, predict, softmax

_BIASED = 0.5
_MIN_BEST = 0.25
_NEUTRAL = 0.1


def add_pseudo_spans(
    model: ReaderModel, rows: Sequence[EncodedExample], *, device: torch.device
) -> list[EncodedExample]:
    """Span labels for rows that are known to be biased but whose words are not labelled.

    Words with a probability of at least 0.5 are labelled biased; as each row must hold some biased word, so is its
    most probable word from 0.25. Words below 0.1 are labelled O, the others stay unknown. Rows without any probable
    word are left out.
    """
    logits = predict(model, rows, device=device)
    labelled: list[EncodedExample] = []
    for tags, row in zip(logits.spans, rows, strict=True):
        words = [match.span() for match in WORD.finditer(row.example.text)]
        probabilities = softmax(tags).astype(np.float32)
        scores = word_probabilities(probabilities, row.offsets, words)
        biased = 1.0 - scores[:, 0]
        if not len(words) or biased.max() < _MIN_BEST:
            continue
        marked = biased >= min(_BIASED, float(biased.max()))
        fresh = [IGNORED] * len(row.tags)
        kinds = (scores[:, 1::2] + scores[:, 2::2]).argmax(axis=1)
        before = -2
        for number, (start, end) in enumerate(words):
            inside = [at for at, (a, b) in enumerate(row.offsets) if a < end and b > start]
            if marked[number]:
                begin = 1 + 2 * int(kinds[number])
                goes_on = before == number - 1
                for at in inside:
                    fresh[at] = begin + 1 if goes_on or at != inside[0] else begin
                before = number
            elif biased[number] < _NEUTRAL:
                for at in inside:
                    fresh[at] = 0
        labelled.append(replace(row, tags=fresh))
    return labelled


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
