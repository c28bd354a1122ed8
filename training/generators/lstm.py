"""LSTM encoder and decoder with attention and input feeding (Luong, Pham, Manning 2015).

The publishers used OpenNMT's defaults with SGD at 0.5 (WIKIBIAS, appendix D.3); here Adam, which needs far fewer steps.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from training.generators.base import Settings
from training.generators.recurrent import Attention, BiEncoder
from training.generators.rows import Batch
from training.generators.seq2seq import Scores, Seq2Seq, State


class LstmSeq2Seq(Seq2Seq):
    """Says words of its vocabulary only; an unknown word is afterwards replaced by the one it attends to most."""

    fed = 1
    """How many vectors of the hidden size go into the cell beside the last word."""

    def __init__(self, vocabulary: int, settings: Settings) -> None:
        super().__init__(vocabulary, settings)
        hidden = settings.hidden
        self.encoder = BiEncoder(settings.embedding, hidden)
        self.cell = nn.LSTMCell(settings.embedding + self.fed * hidden, hidden)
        self.attention = Attention(hidden)
        self.join = nn.Linear(2 * hidden, hidden)
        self.narrow = nn.Linear(hidden, settings.embedding)
        self.bias = nn.Parameter(torch.zeros(vocabulary))

    def remember(self, batch: Batch) -> State:
        """States of the source and the encoder's last state."""
        vectors = self.dropout(self.embedding(batch.source))
        states, hidden, cell = self.encoder(vectors, batch.mask)
        return {
            "states": states,
            "mask": batch.mask,
            "extended": batch.extended,
            "hidden": hidden,
            "cell": cell,
        }

    def begin(self, memory: State) -> State:
        """The encoder's last state, and nothing fed yet."""
        return {
            "hidden": memory["hidden"],
            "cell": memory["cell"],
            "fed": torch.zeros_like(memory["hidden"]),
        }

    def turn(self, memory: State, state: State, last: Tensor) -> State:
        """One step of the decoder: new ``hidden``, ``cell``, ``fed`` (what the word is said from), ``attention``."""
        vectors = torch.cat(
            [self.dropout(self.embedding(self.known(last))), *self.feed(memory, state, last)], -1
        )
        hidden, cell = self.cell(vectors, (state["hidden"], state["cell"]))
        read, weights = self.attention(hidden, memory["states"], memory["mask"])
        fed = torch.tanh(self.join(torch.cat([read, hidden], -1)))
        return {"hidden": hidden, "cell": cell, "fed": self.dropout(fed), "attention": weights}

    def feed(self, memory: State, state: State, last: Tensor) -> list[Tensor]:  # noqa: ARG002
        """What goes into the cell beside the last word."""
        return [state["fed"]]

    def advance(self, memory: State, state: State, last: Tensor) -> tuple[Scores, State]:
        """One turn and its scores."""
        after = self.turn(memory, state, last)
        return self.scores(memory, after["fed"].unsqueeze(1), after["attention"].unsqueeze(1)), after

    def teach(self, memory: State, given: Tensor) -> Scores:
        """All turns, then all scores in one product."""
        state, fed, attention = self.begin(memory), [], []
        for last in given.unbind(1):
            state = self.turn(memory, state, last)
            fed.append(state["fed"])
            attention.append(state["attention"])
        return self.scores(memory, torch.stack(fed, 1), torch.stack(attention, 1))

    def logits(self, fed: Tensor) -> Tensor:
        """Scores of the vocabulary before they are made probabilities; tied to the word vectors."""
        return nn.functional.linear(self.narrow(fed), self.embedding.weight, self.bias)

    def scores(self, memory: State, fed: Tensor, attention: Tensor) -> Scores:  # noqa: ARG002
        """Scores from ``fed`` [rows, T, hidden] and ``attention`` [rows, T, S]."""
        return Scores(self.logits(fed).log_softmax(-1), None, attention)
