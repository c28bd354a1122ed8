"""Tagged sentences as rows of pieces for an encoder, and rows as tensors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from training.loop import TrainingError
from training.wikibias.model import Tagged

MAX_PIECES = 128
"""Appendix D.1."""
NOWHERE = -1
"""The place of a token that has no piece: it is behind the cut, or made only of characters the encoder drops."""
_AT_ONCE = 4096


@dataclass(frozen=True, slots=True)
class Row:
    """A sentence as pieces: ``ids`` with the encoder's own at the ends, and the first piece of each token."""

    ids: tuple[int, ...]
    firsts: tuple[int, ...]
    sentence: Tagged

    def __len__(self) -> int:
        """Its pieces."""
        return len(self.ids)


@dataclass(frozen=True, slots=True)
class Batch:
    """Tensors of some rows: ``ids`` and ``mask`` int64 [batch, pieces], mask 1 for real pieces.

    ``firsts`` int64 [batch, tokens] is the first piece of each token, NOWHERE where there is none.
    """

    ids: Tensor
    mask: Tensor
    firsts: Tensor


def encode(sentences: Sequence[Tagged], tokenizer: Any, *, most: int = MAX_PIECES) -> list[Row]:
    """The sentences as pieces, each cut at ``most``. Raises TrainingError for an empty sentence or token."""
    for number, sentence in enumerate(sentences, start=1):
        if not sentence.tokens or not all(token.strip() for token in sentence.tokens):
            what = "a token without characters" if sentence.tokens else "no tokens"
            raise TrainingError(
                f"Sentence {number} of {len(sentences)} has {what}. Take it out of the corpus."
            )
    return list(_rows(sentences, tokenizer, most))


def _rows(sentences: Sequence[Tagged], tokenizer: Any, most: int) -> Iterator[Row]:
    # Tokens go in as text between spaces: pieces with a space of their own (RoBERTa's) need it.
    for start in range(0, len(sentences), _AT_ONCE):
        some = sentences[start : start + _AT_ONCE]
        packed = tokenizer(
            [" ".join(sentence.tokens) for sentence in some],
            truncation=True,
            max_length=most,
            return_offsets_mapping=True,
            return_attention_mask=False,
            return_token_type_ids=False,
        )
        for ids, offsets, sentence in zip(packed["input_ids"], packed["offset_mapping"], some, strict=True):
            yield Row(tuple(ids), _firsts(sentence.tokens, offsets), sentence)


def _firsts(tokens: Sequence[str], offsets: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    """The first piece of each token from the pieces' places in the text; the encoder's own pieces have none."""
    firsts = []
    piece = start = 0
    for token in tokens:
        end = start + len(token)
        while piece < len(offsets) and offsets[piece][1] <= start:
            piece += 1
        firsts.append(piece if piece < len(offsets) and offsets[piece][0] < end else NOWHERE)
        start = end + 1
    return tuple(firsts)


def collate(rows: Sequence[Row], *, pad: int, device: torch.device) -> Batch:
    """Rows as tensors, padded to their longest with ``pad`` (the tokenizer's ``pad_token_id``)."""
    width, words = max(map(len, rows)), max(len(row.firsts) for row in rows)
    ids = torch.full((len(rows), width), pad, dtype=torch.long)
    mask = torch.zeros((len(rows), width), dtype=torch.long)
    firsts = torch.full((len(rows), words), NOWHERE, dtype=torch.long)
    for at, row in enumerate(rows):
        ids[at, : len(row.ids)] = torch.tensor(row.ids)
        mask[at, : len(row.ids)] = 1
        firsts[at, : len(row.firsts)] = torch.tensor(row.firsts)
    return Batch(ids.to(device), mask.to(device), firsts.to(device))
