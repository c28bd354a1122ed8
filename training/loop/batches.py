"""From examples to batches: tokens with offsets, labels, length buckets, and a seeded plan of all steps."""

from __future__ import annotations

import random
from collections.abc import Sequence, Sized
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from core.types import GUIDE_CLASSES, KINDS
from training.types import Example

IGNORED = -100
_BUCKET = 16
_CLASS_NUMBERS = {name: number for number, name in enumerate(GUIDE_CLASSES)}


@dataclass(frozen=True, slots=True)
class SoftLabels:
    """A teacher's outputs for a row, as probabilities: tags [tokens, 7], and bias."""

    tags: NDArray[np.float32]
    bias: float


@dataclass(frozen=True, slots=True)
class EncodedExample:
    """One example as tokens: ids [tokens], BIO labels [tokens] (IGNORED where unknown), offsets into its text.

    ``classes`` [tokens] are the numbers in GUIDE_CLASSES of marked tokens, IGNORED elsewhere; empty where no span has
    one. ``arguable`` are the places of tokens that are marked in a span which most editors would let pass.
    """

    ids: list[int]
    tags: list[int]
    offsets: list[tuple[int, int]]
    example: Example
    soft_labels: SoftLabels | None = None
    classes: list[int] = field(default_factory=list)
    arguable: tuple[int, ...] = ()

    def __len__(self) -> int:
        """The number of its tokens."""
        return len(self.ids)


@dataclass(frozen=True, slots=True)
class Batch:
    """Tensors of one step: ids, attention mask, tags and guide classes, int64 [batch, tokens] each; and the rows."""

    ids: Tensor
    attention_mask: Tensor
    tags: Tensor
    classes: Tensor
    rows: tuple[EncodedExample, ...]

    def to(self, device: torch.device) -> Batch:
        """The same batch on another device."""
        ids, attention_mask, tags, classes = (
            tensor.to(device) for tensor in (self.ids, self.attention_mask, self.tags, self.classes)
        )
        return Batch(ids, attention_mask, tags, classes, self.rows)


RowT = TypeVar("RowT", bound=Sized)
"""A row of any recipe; batches hold rows of similar length."""


@dataclass(frozen=True, slots=True)
class Stream(Generic[RowT]):
    """Rows of one source, and how often a step takes its batch from them (relative ``sampling_weight``).

    ``tasks`` are the reader's outputs that are trained: ``spans``, ``bias``, ``classes``, ``leaning``, or the name of
    an auxiliary task. ``loss_weight`` multiplies the loss.
    """

    name: str
    rows: Sequence[RowT]
    sampling_weight: float
    tasks: tuple[str, ...] = ()
    loss_weight: float = 1.0


def encode(examples: Sequence[Example], tokenizer: Any, *, max_tokens: int = 128) -> list[EncodedExample]:
    """Tokenise examples (truncated to ``max_tokens``) and align their gold spans with the tokens."""
    if not examples:
        return []
    packed = tokenizer(
        [example.text for example in examples],
        truncation=True,
        max_length=max_tokens,
        return_offsets_mapping=True,
        return_attention_mask=False,
        return_token_type_ids=False,
    )
    rows: list[EncodedExample] = []
    for ids, offsets, example in zip(packed["input_ids"], packed["offset_mapping"], examples, strict=True):
        pairs = [(int(start), int(end)) for start, end in offsets]
        rows.append(
            EncodedExample(
                list(ids),
                _tags(pairs, example),
                pairs,
                example,
                classes=_guide_classes(pairs, example),
                arguable=_arguable(pairs, example),
            )
        )
    return rows


def _guide_classes(offsets: list[tuple[int, int]], example: Example) -> list[int]:
    named = [span for span in example.spans or () if span.guide_class]
    if not named:
        return []
    classes = [IGNORED] * len(offsets)
    for span in named:
        number = _CLASS_NUMBERS[span.guide_class]
        for at, (start, end) in enumerate(offsets):
            if start < span.end and end > span.start:
                classes[at] = number
    return classes


def _arguable(offsets: list[tuple[int, int]], example: Example) -> tuple[int, ...]:
    spans = [span for span in example.spans or () if not span.is_clear]
    return tuple(
        at
        for at, (start, end) in enumerate(offsets)
        if any(start < span.end and end > span.start for span in spans)
    )


def _tags(offsets: list[tuple[int, int]], example: Example) -> list[int]:
    if example.spans is None:
        return [IGNORED] * len(offsets)
    tags = [IGNORED if start == end else 0 for start, end in offsets]
    for span in example.spans:
        label = 1 + 2 * KINDS.index(span.kind)
        inside = [at for at, (start, end) in enumerate(offsets) if start < span.end and end > span.start]
        for number, at in enumerate(inside):
            tags[at] = label if number == 0 else label + 1
    if example.labelled_ranges is None:
        return tags
    return [
        tag if any(start < last and end > first for first, last in example.labelled_ranges) else IGNORED
        for tag, (start, end) in zip(tags, offsets, strict=True)
    ]


def collate(rows: Sequence[EncodedExample], *, pad: int = 0) -> Batch:
    """Pad rows to their longest."""
    return Batch(
        pad_rows([row.ids for row in rows], pad),
        pad_rows([[1] * len(row.ids) for row in rows], 0),
        pad_rows([row.tags for row in rows], IGNORED),
        pad_rows([row.classes or [IGNORED] * len(row.ids) for row in rows], IGNORED),
        tuple(rows),
    )


def pad_rows(rows: Sequence[Sequence[int]], value: int) -> Tensor:
    """int64 [rows, longest], shorter rows filled up with ``value``."""
    longest = max(map(len, rows))
    return torch.tensor([[*row, *[value] * (longest - len(row))] for row in rows], dtype=torch.long)


def length_batches(rows: Sequence[Sized], size: int) -> list[list[int]]:
    """Indices of ``rows`` in batches of ``size``, sorted by length (for inference, not for training)."""
    order = sorted(range(len(rows)), key=lambda at: len(rows[at]))
    return [order[at : at + size] for at in range(0, len(order), size)]


def plan_batches(
    streams: Sequence[Stream[RowT]], *, steps: int, batch_size: int, seed: int
) -> list[tuple[int, list[int]]]:
    """The batches of all steps as (stream, row indices), equal for equal seeds.

    A stream is read in shuffled epochs; within a bucket of 16 batches rows of similar length are batched together. A
    resumed run skips the steps that are done.
    """
    chooser = random.Random(seed)
    weights = [stream.sampling_weight for stream in streams]
    waiting: list[list[list[int]]] = [[] for _ in streams]
    steps_planned: list[tuple[int, list[int]]] = []
    for _ in range(steps):
        at = chooser.choices(range(len(streams)), weights=weights)[0]
        if not waiting[at]:
            waiting[at] = _epoch(streams[at].rows, batch_size, chooser)
        steps_planned.append((at, waiting[at].pop()))
    return steps_planned


def _epoch(rows: Sequence[Sized], size: int, chooser: random.Random) -> list[list[int]]:
    order = list(range(len(rows)))
    chooser.shuffle(order)
    batches: list[list[int]] = []
    for at in range(0, len(order), size * _BUCKET):
        bucket = sorted(order[at : at + size * _BUCKET], key=lambda row: len(rows[row]))
        batches.extend(bucket[start : start + size] for start in range(0, len(bucket), size))
    chooser.shuffle(batches)
    return batches
