"""The encoder of a trained ideology classifier: two heads over mean-pooled token states, for side and publisher.

Liu et al. (2021), section 5.2, fine-tune XLNet; any encoder with a fast tokenizer works. The publisher head is ours: a
finer target on the same articles, and the sides of the predicted publishers are a second prediction. The embeddings and
the lowest third of the layers are frozen (Lee et al. 2019, "What Would Elsa Do?"), which saves a fifth of the
computation of a step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from training.loop.batches import length_batches
from training.loop.devices import autocast

MAX_TOKENS = 128
"""Wordpieces: enough for nearly all texts of 100 words and marks."""
_BATCH_SIZE = 64
_FROZEN_FRACTION = 3
"""One in so many layers, the lowest ones, is frozen."""


class IdeologyEncoder(nn.Module):
    """An encoder and two linear layers over the mean of its token states: classes, and publishers.

    ``shares`` [publishers, classes] are the class shares of a publisher's articles.
    """

    shares: Tensor

    def __init__(self, encoder: nn.Module, hidden: int, shares: Tensor) -> None:
        super().__init__()
        self.encoder = encoder
        self.dropout = nn.Dropout(0.1)
        self.answer = nn.Linear(hidden, shares.shape[1])
        # Saved classifiers have the former word for a publisher in the name of its weights.
        self.house = nn.Linear(hidden, shares.shape[0])
        self.register_buffer("shares", shares)
        self._frozen = _lowest_layers(encoder)
        for part in self._frozen:
            part.requires_grad_(False)

    @property
    def publisher_head(self) -> nn.Linear:
        """The layer that predicts the publisher."""
        return self.house

    def train(self, mode: bool = True) -> Self:
        """Set training mode; frozen layers stay in evaluation mode, without dropout."""
        super().train(mode)
        for part in self._frozen:
            part.eval()
        return self

    def forward(self, ids: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Logits [batch, classes] and [batch, publishers] for int64 ids and mask [batch, tokens]; mask is 1 for real
        tokens.
        """
        states = self.encoder(input_ids=ids, attention_mask=mask).last_hidden_state
        weights = mask.unsqueeze(-1).to(states.dtype)
        mean = self.dropout((states * weights).sum(1) / weights.sum(1).clamp(min=1))
        return self.answer(mean), self.publisher_head(mean)


def _lowest_layers(encoder: nn.Module) -> list[nn.Module]:
    """The embeddings of an encoder (or of its words alone) and its lowest layers."""
    stacks = [part for part in encoder.modules() if isinstance(part, nn.ModuleList)]
    layers = max(stacks, key=len, default=nn.ModuleList())
    embeddings = getattr(encoder, "embeddings", None) or encoder.get_input_embeddings()  # type: ignore[operator]
    return [embeddings, *layers[: len(layers) // _FROZEN_FRACTION]]


@dataclass(frozen=True, slots=True)
class EncodedArticle:
    """A text as token ids, its class, and its publisher's number."""

    ids: list[int]
    label: int = 0
    publisher: int = 0

    def __len__(self) -> int:
        """The number of tokens."""
        return len(self.ids)


def encode_articles(texts: Sequence[str], tokenizer: Any) -> list[list[int]]:
    """The token ids of masked texts, at most MAX_TOKENS each."""
    if not texts:
        return []
    return [list(ids) for ids in tokenizer(list(texts), truncation=True, max_length=MAX_TOKENS)["input_ids"]]


def collate(rows: Sequence[EncodedArticle], *, pad: int, device: torch.device) -> tuple[Tensor, Tensor]:
    """Ids and mask [rows, tokens], padded to the longest row."""
    each = [torch.tensor(row.ids) for row in rows]
    ids = pad_sequence(each, batch_first=True, padding_value=pad)
    mask = pad_sequence([torch.ones_like(one) for one in each], batch_first=True)
    return ids.to(device), mask.to(device)


def predict(
    model: IdeologyEncoder, rows: Sequence[EncodedArticle], *, pad: int, device: torch.device
) -> list[NDArray[np.float64]]:
    """The model's two probabilities [rows, classes]: by side, and by the sides of the predicted publishers."""
    model.to(device).eval()
    found = [np.zeros((len(rows), model.answer.out_features)) for _ in range(2)]
    with torch.inference_mode(), autocast(device):
        for chosen in length_batches(rows, _BATCH_SIZE):
            ids, mask = collate([rows[at] for at in chosen], pad=pad, device=device)
            side, publisher = (one.float().softmax(1) for one in model(ids, mask))
            found[0][chosen] = side.cpu().numpy()
            found[1][chosen] = publisher.cpu().numpy() @ model.shares.cpu().numpy()
    return found
