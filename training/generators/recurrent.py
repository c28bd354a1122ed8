"""The parts of the recurrent models: a bidirectional LSTM that reads, and attention over what it read."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from training.generators.seq2seq import NEVER


class BiEncoder(nn.Module):
    """One bidirectional LSTM: word vectors [rows, S, embedding] to states [rows, S, hidden]."""

    def __init__(self, embedding: int, hidden: int) -> None:
        super().__init__()
        self.lstm = nn.LSTM(embedding, hidden // 2, batch_first=True, bidirectional=True)

    def forward(self, vectors: Tensor, mask: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """States, and the last hidden and cell state of both directions side by side, [rows, hidden] each."""
        packed = pack_padded_sequence(vectors, mask.sum(1).cpu(), batch_first=True, enforce_sorted=False)
        states, (hidden, cell) = self.lstm(packed)
        whole, _ = pad_packed_sequence(states, batch_first=True, total_length=vectors.shape[1])
        return whole, torch.cat([hidden[0], hidden[1]], -1), torch.cat([cell[0], cell[1]], -1)


class Attention(nn.Module):
    """Luong et al. 2015, section 3.1, the *general* score."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.score = nn.Linear(hidden, hidden, bias=False)

    def forward(self, query: Tensor, states: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """What is read [rows, hidden] and the weights [rows, S] for a query [rows, hidden]."""
        scores = torch.bmm(states, self.score(query).unsqueeze(-1)).squeeze(-1)
        weights = scores.masked_fill(~mask, NEVER).softmax(-1)
        return torch.bmm(weights.unsqueeze(1), states).squeeze(1), weights
