"""CopyNet (Gu, Lu, Li, Li 2016): saying and copying compete in one softmax, and what was copied is read again."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from training.generators.base import Settings
from training.generators.lstm import LstmSeq2Seq
from training.generators.rows import Batch
from training.generators.seq2seq import NEVER, Scores, State


class CopyNet(LstmSeq2Seq):
    """Saying from the vocabulary, copying from the places of the source (section 3.2), selective read (3.3)."""

    fed = 2

    def __init__(self, vocabulary: int, settings: Settings) -> None:
        super().__init__(vocabulary, settings)
        self.copy = nn.Linear(settings.hidden, settings.hidden)

    def remember(self, batch: Batch) -> State:
        """The source's states, and each as the copy mode sees it."""
        memory = super().remember(batch)
        return {**memory, "keys": torch.tanh(self.copy(memory["states"]))}

    def feed(self, memory: State, state: State, last: Tensor) -> list[Tensor]:
        """The selective read: states at the places that hold the last word, weighted by how likely each was copied."""
        same = (memory["extended"] == last.unsqueeze(1)) & memory["mask"]
        scores = self._places(memory, state["fed"].unsqueeze(1)).squeeze(1)
        weights = scores.masked_fill(~same, NEVER).softmax(-1) * same
        return [state["fed"], torch.bmm(weights.unsqueeze(1), memory["states"]).squeeze(1)]

    def _places(self, memory: State, fed: Tensor) -> Tensor:
        return torch.bmm(fed, memory["keys"].transpose(1, 2))

    def scores(self, memory: State, fed: Tensor, attention: Tensor) -> Scores:
        """One softmax over the vocabulary and the places."""
        places = self._places(memory, fed).masked_fill(~memory["mask"].unsqueeze(1), NEVER)
        whole = torch.cat([self.logits(fed), places], -1).log_softmax(-1)
        return Scores(whole[..., : self.size], whole[..., self.size :], attention)
