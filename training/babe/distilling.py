"""The distilled reader: a small student learns a fold from its labels and from a base-size teacher of the same fold.

The teacher has seen the fold's train part only; it answers there and on sentences of news articles that are near no
sentence of BABE.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch

from training import weak
from training.babe.classifier import MAX_TOKENS, Classifier
from training.batches import Encoded, Stream
from training.corpora import articles, babe
from training.corpora.base import Example
from training.near import NearIndex

_SEED = 42
_PROSE_SHARE = 0.5


def prose(data: Path, count: int) -> list[Example]:
    """At most ``count`` unlabelled sentences of news articles, none near a sentence of BABE."""
    scored = NearIndex(babe.texts(data))
    found = [text for article in articles.load(data, scored) for text in article.sentences]
    random.Random(_SEED).shuffle(found)
    chosen: list[Example] = []
    for text in found:
        if len(chosen) == count:
            break
        if not scored.near(text):
            chosen.append(Example(text, "prose"))
    return chosen


def taught_streams(
    student: Classifier,
    teacher: Classifier,
    train: Sequence[Example],
    unlabelled: Sequence[Example],
    *,
    device: torch.device,
) -> list[Stream[Encoded]]:
    """The fold's train part with gold labels, and prose; the teacher's soft answers (words and bias) on both."""
    streams = [
        Stream("babe", student.rows(train), 1.0 - _PROSE_SHARE, ("bias", "spans")),
        Stream("prose", student.rows(unlabelled), _PROSE_SHARE),
    ]
    return [_answered(stream, teacher, device) for stream in streams]


def _answered(stream: Stream[Encoded], teacher: Classifier, device: torch.device) -> Stream[Encoded]:
    """The teacher's leaning is left out: no label of a fold has taught it."""
    soft = weak.with_teacher(stream, teacher.model, teacher.tokenizer, device=device, max_tokens=MAX_TOKENS)
    rows = [
        replace(row, soft=replace(row.soft, leaning=np.zeros_like(row.soft.leaning)))
        for row in soft.rows
        if row.soft is not None
    ]
    return replace(soft, rows=rows)
