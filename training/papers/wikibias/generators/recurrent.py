"""LSTM encoder and decoder with attention (Luong et al. 2015), and CopyNet (Gu et al. 2016)."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from training.papers.wikibias.generators.base import Settings
from training.papers.wikibias.generators.seq2seq import NEGATIVE, Scores, Seq2Seq, State
from training.papers.wikibias.generators.vocabulary import Batch


class BiEncoder(nn.Module):
    """One bidirectional LSTM: word vectors [rows, S, embedding] to states [rows, S, hidden]."""

    def __init__(self, embedding: int, hidden: int) -> None:
        super().__init__()
        self.lstm = nn.LSTM(embedding, hidden // 2, batch_first=True, bidirectional=True)

    def forward(self, vectors: Tensor, mask: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """States, and the last hidden and cell state of both directions, concatenated, [rows, hidden] each."""
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
        """The context vector [rows, hidden] and the weights [rows, S] for a query [rows, hidden]."""
        scores = torch.bmm(states, self.score(query).unsqueeze(-1)).squeeze(-1)
        weights = scores.masked_fill(~mask, NEGATIVE).softmax(-1)
        return torch.bmm(weights.unsqueeze(1), states).squeeze(1), weights


class LstmSeq2Seq(Seq2Seq):
    """LSTM encoder and decoder with attention and input feeding (Luong, Pham and Manning 2015), without copying.

    Trained with Adam, which needs far fewer steps than OpenNMT's SGD at 0.5 (WIKIBIAS, appendix D.3).
    """

    fed = 1
    """The number of vectors of the hidden size that enter the cell with the last word."""

    def __init__(self, vocabulary: int, settings: Settings) -> None:
        super().__init__(vocabulary, settings)
        hidden = settings.hidden
        self.encoder = BiEncoder(settings.embedding, hidden)
        self.cell = nn.LSTMCell(settings.embedding + self.fed * hidden, hidden)
        self.attention = Attention(hidden)
        self.join = nn.Linear(2 * hidden, hidden)
        self.narrow = nn.Linear(hidden, settings.embedding)
        self.bias = nn.Parameter(torch.zeros(vocabulary))

    def encode_source(self, batch: Batch) -> State:
        """The states of the source, and the last state of the encoder."""
        vectors = self.dropout(self.embedding(batch.source))
        states, hidden, cell = self.encoder(vectors, batch.mask)
        return {
            "states": states,
            "mask": batch.mask,
            "extended": batch.extended,
            "hidden": hidden,
            "cell": cell,
        }

    def initial_state(self, memory: State) -> State:
        """The last state of the encoder, and a zero input."""
        return {
            "hidden": memory["hidden"],
            "cell": memory["cell"],
            "fed": torch.zeros_like(memory["hidden"]),
        }

    def decode_step(self, memory: State, state: State, last: Tensor) -> State:
        """One step of the decoder: ``hidden``, ``cell``, ``fed`` (the output state) and ``attention``."""
        vectors = torch.cat(
            [self.dropout(self.embedding(self.known(last))), *self.feed(memory, state, last)], -1
        )
        hidden, cell = self.cell(vectors, (state["hidden"], state["cell"]))
        read, weights = self.attention(hidden, memory["states"], memory["mask"])
        fed = torch.tanh(self.join(torch.cat([read, hidden], -1)))
        return {"hidden": hidden, "cell": cell, "fed": self.dropout(fed), "attention": weights}

    def feed(self, memory: State, state: State, last: Tensor) -> list[Tensor]:  # noqa: ARG002
        """The vectors that enter the cell with the last word."""
        return [state["fed"]]

    def step(self, memory: State, state: State, last: Tensor) -> tuple[Scores, State]:
        """One step of the decoder and its scores."""
        after = self.decode_step(memory, state, last)
        return self.scores(memory, after["fed"].unsqueeze(1), after["attention"].unsqueeze(1)), after

    def teacher_forced(self, memory: State, decoder_input: Tensor) -> Scores:
        """All steps, then all scores in one product."""
        state, fed, attention = self.initial_state(memory), [], []
        for last in decoder_input.unbind(1):
            state = self.decode_step(memory, state, last)
            fed.append(state["fed"])
            attention.append(state["attention"])
        return self.scores(memory, torch.stack(fed, 1), torch.stack(attention, 1))

    def logits(self, fed: Tensor) -> Tensor:
        """Logits of the vocabulary, tied to the word vectors."""
        return nn.functional.linear(self.narrow(fed), self.embedding.weight, self.bias)

    def scores(self, memory: State, fed: Tensor, attention: Tensor) -> Scores:  # noqa: ARG002
        """Scores from ``fed`` [rows, T, hidden] and ``attention`` [rows, T, S]."""
        return Scores(self.logits(fed).log_softmax(-1), None, attention)


class CopyNet(LstmSeq2Seq):
    """CopyNet (Gu et al. 2016): generating and copying share one softmax (section 3.2), selective read (3.3)."""

    fed = 2

    def __init__(self, vocabulary: int, settings: Settings) -> None:
        super().__init__(vocabulary, settings)
        self.copy = nn.Linear(settings.hidden, settings.hidden)

    def encode_source(self, batch: Batch) -> State:
        """The states of the source, and their keys for copying."""
        memory = super().encode_source(batch)
        return {**memory, "keys": torch.tanh(self.copy(memory["states"]))}

    def feed(self, memory: State, state: State, last: Tensor) -> list[Tensor]:
        """The selective read: states at positions of the last word, weighted by their copy probability."""
        same = (memory["extended"] == last.unsqueeze(1)) & memory["mask"]
        scores = self._places(memory, state["fed"].unsqueeze(1)).squeeze(1)
        weights = scores.masked_fill(~same, NEGATIVE).softmax(-1) * same
        return [state["fed"], torch.bmm(weights.unsqueeze(1), memory["states"]).squeeze(1)]

    def _places(self, memory: State, fed: Tensor) -> Tensor:
        return torch.bmm(fed, memory["keys"].transpose(1, 2))

    def scores(self, memory: State, fed: Tensor, attention: Tensor) -> Scores:
        """One softmax over the vocabulary and the positions of the source."""
        places = self._places(memory, fed).masked_fill(~memory["mask"].unsqueeze(1), NEGATIVE)
        whole = torch.cat([self.logits(fed), places], -1).log_softmax(-1)
        return Scores(whole[..., : self.size], whole[..., self.size :], attention)
