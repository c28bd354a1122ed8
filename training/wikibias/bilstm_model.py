"""The network of BiLSTM-CNN-CRF (Ma and Hovy 2016, section 2) and what it reads: sentences as words and characters."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import cast

import torch
from torch import Tensor, nn

from training.batches import by_length
from training.crf import Crf
from training.generators.recurrent import BiEncoder
from training.generators.vocabulary import PAD, UNK, Vocabulary
from training.metrics.tags import spans, tags_of
from training.wikibias.model import BEGIN, INSIDE, OUTSIDE, Tagged

LABELS = (OUTSIDE, BEGIN, INSIDE)
_LONGEST_WORD = 45
_RARE = 0.5
_READ_AT_ONCE = 64
_DIGIT = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Sizes:
    """Width of a character's vector, filters of the character network, states of one direction, dropout (Table 1)."""

    character: int = 30
    filters: int = 30
    hidden: int = 200
    dropout: float = 0.5


@dataclass(frozen=True, slots=True)
class Row:
    """One sentence as numbers: its words, the characters of each, its tags (of LABELS)."""

    words: list[int]
    characters: list[list[int]]
    tags: list[int]

    def __len__(self) -> int:
        """Its words."""
        return len(self.words)


def word_of(token: str) -> str:
    """The word whose vector a token takes: in small letters, as GloVe has them, and every digit a 0."""
    return _DIGIT.sub("0", token.lower())


def rows_of(sentences: Sequence[Tagged], words: Vocabulary, characters: Vocabulary) -> list[Row]:
    """The sentences as numbers; of a long word the first 45 characters count."""
    return [
        Row(
            words.encode([word_of(token) for token in sentence.tokens]),
            [characters.encode(token[:_LONGEST_WORD]) or [UNK] for token in sentence.tokens],
            [LABELS.index(tag) for tag in tags_of(spans(sentence.tags), len(sentence))],
        )
        for sentence in sentences
    ]


class BilstmCnnCrf(nn.Module):
    """Characters through a CNN, beside them the word's vector; a BiLSTM over both; a CRF over its answers.

    ``table`` [words, d] are the vectors to begin with. While it learns, ``rare`` words (by number) are read as the
    unknown word half of the time.
    """

    def __init__(self, table: Tensor, *, characters: int, rare: Collection[int] = (), sizes: Sizes) -> None:
        super().__init__()
        words, width = table.shape
        self.words = nn.Embedding(words, width, _weight=table.clone())
        self.characters = nn.Embedding(characters, sizes.character, padding_idx=PAD)
        most = math.sqrt(3 / sizes.character)
        nn.init.uniform_(self.characters.weight, -most, most)
        self.characters.weight.data[PAD] = 0.0  # As beyond a word's ends, whatever it is padded to.
        self.filters = nn.Conv1d(sizes.character, sizes.filters, kernel_size=3, padding=1)
        self.encoder = BiEncoder(width + sizes.filters, 2 * sizes.hidden)
        for name, parameter in self.encoder.named_parameters():
            if "weight" in name:
                nn.init.xavier_uniform_(parameter)
            else:
                nn.init.zeros_(parameter)
                if "bias_ih" in name:  # The forget gate starts open.
                    parameter.data[sizes.hidden : 2 * sizes.hidden] = 1.0
        self.answer = nn.Linear(2 * sizes.hidden, len(LABELS))
        self.crf = Crf(LABELS)
        self.dropout = nn.Dropout(sizes.dropout)
        self._rare: Tensor
        hidden = torch.zeros(words, dtype=torch.bool)
        hidden[list(rare)] = True
        self.register_buffer("_rare", hidden, persistent=False)

    def forward(self, words: Tensor, characters: Tensor, mask: Tensor) -> Tensor:
        """Scores of LABELS [B, T, 3] for words [B, T], their characters [B, T, C] (PAD after the last), mask [B, T]."""
        if self.training:
            unseen = self._rare[words] & (torch.rand(words.shape, device=words.device) < _RARE)
            words = words.masked_fill(unseen, UNK)
        spelt = self.dropout(self.characters(characters.flatten(0, 1))).transpose(1, 2)
        shapes = torch.tanh(self.filters(spelt)).transpose(1, 2)
        nothing = (characters.flatten(0, 1) == PAD).unsqueeze(-1)
        shape = shapes.masked_fill(nothing, -1.0).amax(1).view(*words.shape, -1)
        states, _, _ = self.encoder(self.dropout(torch.cat([self.words(words), shape], -1)), mask)
        return cast(Tensor, self.answer(self.dropout(states)))

    def loss(self, rows: Sequence[Row]) -> Tensor:
        """Mean negative log-likelihood of the rows' tags."""
        batch = self._batch(rows)
        return self.crf.loss(self(batch.words, batch.characters, batch.mask), batch.tags, batch.mask)

    @torch.no_grad()
    def tags(self, rows: Sequence[Row]) -> list[list[str]]:
        """The best BIO tags of each row. The model is left in evaluation mode."""
        self.eval()
        found: list[list[str]] = [[] for _ in rows]
        full = [at for at, row in enumerate(rows) if len(row)]
        for group in by_length([rows[at] for at in full], _READ_AT_ONCE):
            batch = self._batch([rows[full[at]] for at in group])
            scores = self(batch.words, batch.characters, batch.mask)
            for at, path in zip(group, self.crf.best(scores, batch.mask), strict=True):
                found[full[at]] = [LABELS[label] for label in path]
        return found

    @torch.no_grad()
    def mean_loss(self, rows: Sequence[Row]) -> float:
        """The mean loss of the rows that have words. The model is left in evaluation mode."""
        self.eval()
        full = [row for row in rows if len(row)]
        groups = by_length(full, _READ_AT_ONCE)
        total = sum(float(self.loss([full[at] for at in group])) * len(group) for group in groups)
        return total / max(1, len(full))

    def _batch(self, rows: Sequence[Row]) -> _Batch:
        width = max(map(len, rows))
        longest = max(len(word) for row in rows for word in row.characters)
        device = self.answer.weight.device
        return _Batch(
            words=torch.tensor([_padded(row.words, width) for row in rows], device=device),
            characters=torch.tensor([_spelt(row.characters, width, longest) for row in rows], device=device),
            tags=torch.tensor([_padded(row.tags, width) for row in rows], device=device),
            mask=torch.tensor([[at < len(row) for at in range(width)] for row in rows], device=device),
        )


@dataclass(frozen=True, slots=True)
class _Batch:
    """Words, tags and mask [B, T], characters [B, T, C]."""

    words: Tensor
    characters: Tensor
    tags: Tensor
    mask: Tensor


def _padded(numbers: list[int], width: int) -> list[int]:
    return [*numbers, *[PAD] * (width - len(numbers))]


def _spelt(words: list[list[int]], width: int, longest: int) -> list[list[int]]:
    return [_padded(word, longest) for word in [*words, *[[]] * (width - len(words))]]
