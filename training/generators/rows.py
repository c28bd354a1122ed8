"""From pairs to tensors: sources and targets as numbers, padded, with numbers for the source's own unknown words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from training.corpora.pairs import Pair
from training.generators.tokens import tokens
from training.generators.vocabulary import BOS, EOS, PAD, Vocabulary


@dataclass(frozen=True, slots=True)
class Row:
    """A pair as words. ``text`` is the source as it came."""

    text: str
    source: tuple[str, ...]
    target: tuple[str, ...]

    def __len__(self) -> int:
        """Words of its source."""
        return len(self.source)


@dataclass(frozen=True, slots=True)
class Batch:
    """``source`` int64 [rows, S] in the vocabulary; ``extended`` the same with numbers for strangers; ``mask`` bool
    [rows, S], true for words; ``given`` and ``target`` int64 [rows, T], extended: what the decoder is told and what
    it must say next. ``strangers`` is the greatest number of unknown words of a source.
    """

    source: Tensor
    extended: Tensor
    mask: Tensor
    given: Tensor
    target: Tensor
    strangers: int
    rows: tuple[Row, ...]


def rows_of(pairs: Sequence[Pair], *, longest: int | None = None) -> list[Row]:
    """Pairs as words; with ``longest``, pairs with a longer side are left out."""
    rows = [Row(pair.source, tuple(tokens(pair.source)), tuple(tokens(pair.target))) for pair in pairs]
    return [row for row in rows if longest is None or max(len(row.source), len(row.target)) <= longest]


def collate(rows: Sequence[Row], vocabulary: Vocabulary, *, device: str) -> Batch:
    """Pad rows to their longest."""
    strangers = [vocabulary.strangers(row.source) for row in rows]
    pairs = list(zip(rows, strangers, strict=True))
    source = _padded([[*vocabulary.encode(row.source), EOS] for row in rows], device)
    extended = _padded([[*vocabulary.encode(row.source, others), EOS] for row, others in pairs], device)
    target = [[BOS, *vocabulary.encode(row.target, others), EOS] for row, others in pairs]
    whole = _padded(target, device)
    return Batch(
        source=source,
        extended=extended,
        mask=source != PAD,
        given=whole[:, :-1],
        target=whole[:, 1:],
        strangers=max(len(others) for others in strangers),
        rows=tuple(rows),
    )


def _padded(numbers: Sequence[Sequence[int]], device: str) -> Tensor:
    width = max(len(one) for one in numbers)
    return torch.tensor([[*one, *([PAD] * (width - len(one)))] for one in numbers], device=device)
