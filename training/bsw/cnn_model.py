"""The network of section 5.3: three convolutions over word vectors with a pooling after each (Dixon et al. 2018).

Sizes that the paper does not print (poolings of 5, 5 and over the rest, a layer of 128 before the answer, vectors that
are not learnt) are those that Dixon et al. made public.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

NOTHING = 0
"""The number of a word without a vector, whose vector is zero, and of what lies beyond a text's end."""
_POOL = 5


@dataclass(frozen=True, slots=True)
class Sizes:
    """Filters of each convolution, how many words each sees, the layer before the answer, dropout."""

    filters: int = 128
    width: int = 5
    hidden: int = 128
    dropout: float = 0.3


@dataclass(frozen=True, slots=True)
class Row:
    """A text as numbers of words, and its class (1 is hateful)."""

    words: NDArray[np.int64]
    label: int = 0

    def __len__(self) -> int:
        """Its words."""
        return len(self.words)


class Network(nn.Module):
    """Word vectors through three convolutions; the answer does not hang on how far a text is padded."""

    def __init__(self, dimensions: int, sizes: Sizes) -> None:
        super().__init__()
        widths = (dimensions, sizes.filters, sizes.filters)
        self.convolutions = nn.ModuleList(
            nn.Conv1d(width, sizes.filters, sizes.width, padding=sizes.width // 2) for width in widths
        )
        self.dropout = nn.Dropout(sizes.dropout)
        self.hidden = nn.Linear(sizes.filters, sizes.hidden)
        self.answer = nn.Linear(sizes.hidden, 2)
        for name, parameter in self.named_parameters():
            if name.endswith("weight"):
                nn.init.xavier_uniform_(parameter)
            else:
                nn.init.zeros_(parameter)

    def forward(self, vectors: Tensor, lengths: Tensor) -> Tensor:
        """Logits [B, 2] of texts as vectors [B, T, d], of which the first ``lengths`` [B] are words."""
        states = vectors.transpose(1, 2)
        last = len(self.convolutions) - 1
        for number, convolution in enumerate(self.convolutions):
            inside = torch.arange(states.shape[2], device=states.device) < lengths.unsqueeze(1)
            # Nothing is below zero after ReLU, so that zeros beyond a text's end never win the maximum.
            states = functional.relu(convolution(states)) * inside.unsqueeze(1)
            if number < last:
                states = functional.max_pool1d(states, _POOL, ceil_mode=True)
                lengths = (lengths + _POOL - 1) // _POOL
        whole = self.dropout(states.amax(2))
        return cast(Tensor, self.answer(functional.relu(self.hidden(whole))))


def batch(rows: Sequence[Row], table: NDArray[np.float32], device: torch.device) -> tuple[Tensor, Tensor]:
    """Vectors [B, T, d] and lengths [B] of some rows; T is a multiple of the first pooling."""
    longest = max(map(len, rows))
    numbers = np.full((len(rows), -(-longest // _POOL) * _POOL), NOTHING, dtype=np.int64)
    for at, row in enumerate(rows):
        numbers[at, : len(row)] = row.words
    lengths = torch.tensor([len(row) for row in rows], device=device)
    return torch.from_numpy(table[numbers]).to(device), lengths


def labels(rows: Iterable[Row], device: torch.device) -> Tensor:
    """Classes [B]."""
    return torch.tensor([row.label for row in rows], device=device)
