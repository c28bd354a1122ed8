"""The CNN of section 5.3: three convolutions over word vectors with pooling (Dixon et al. 2018), and its training."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from training.corpora.hate_speech import LabelledText
from training.loop.batches import Stream, length_batches
from training.loop.training_loop import TrainingSettings, run_or_load_model, train
from training.modeling.word_vectors import Lexicon
from training.papers.stereotype_removal.classifiers import TrainingContext, check_classes

# The network of section 5.3: three convolutions over word vectors with a pooling after each (Dixon et al. 2018).
#
# Sizes that the paper does not print (poolings of 5, 5 and over the rest, a layer of 128 before the answer, vectors that
# are not learnt) are those that Dixon et al. made public.


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


# The CNN of section 5.3, with the loss, the optimiser, the batches and the stop that it names.
#
# Ours, and no figure of the paper hangs on it: a text is padded at its end, and only to the longest of its batch, to
# which texts of like length are put together; what is beyond its end has no say in a maximum. All words that GloVe has
# are read, not only those of the training part. It stops, as Keras did then, at the second epoch in a row whose dev loss
# is no better, and keeps the best. A higher rate, fewer epochs and fewer words are a scale's
# (``Effort``).


SIZE, PATIENCE = 128, 2
_READ_AT_ONCE = 256


class Cnn:
    """Its finished weights lie in ``context.folder``; a fit that was stopped goes on from there."""

    def __init__(self, context: TrainingContext, sizes: Sizes | None = None) -> None:
        self._context = context
        torch.manual_seed(context.seed)
        self._network = Network(context.space.table.shape[1], sizes or Sizes())
        self._lexicon = Lexicon(context.space, {})

    def fit(
        self,
        train: Sequence[LabelledText],
        dev: Sequence[LabelledText],
        *,
        vectors: Mapping[str, NDArray[np.float32]],
    ) -> None:
        """Learn, or take what was learnt here before; ``train`` and ``dev`` must be the same then."""
        check_classes(train)
        context = self._context
        self._lexicon = Lexicon(context.space, vectors)
        run_or_load_model(
            context.folder / "cnn.safetensors",
            self._network,
            fit=lambda checkpoint: self._fit(self._rows(train), self._rows(dev), checkpoint),
            events=context.events,
        )
        self._network.to(context.device)

    def hate_probabilities(self, texts: Sequence[Sequence[str]]) -> NDArray[np.float64]:
        """p(hateful) [n]."""
        rows = [self._row(text) for text in texts]
        found = np.zeros(len(rows))
        self._network.eval()
        with torch.inference_mode():
            for indices in length_batches(rows, _READ_AT_ONCE):
                logits = self._logits([rows[at] for at in indices])
                found[indices] = logits.double().softmax(1)[:, 1].cpu().numpy()
        return found

    def _fit(self, rows: list[Row], dev: list[Row], checkpoint: Path) -> None:
        context = self._context
        epoch = -(-len(rows) // SIZE)
        context.events.stage = "cnn"
        context.events.emit("stage", f"CNN on {len(rows)} texts", steps=context.budget.epochs * epoch)
        train(
            self._network,
            [Stream("texts", rows, 1.0)],
            TrainingSettings(
                steps=context.budget.epochs * epoch,
                batch_size=SIZE,
                learning_rate=context.budget.learning_rate,
                warmup=0.0,
                final_lr_ratio=1.0,
                weight_decay=0.0,
                max_grad_norm=math.inf,
                seed=context.seed,
                eval_every=epoch,
                patience=PATIENCE,
                optimiser="rmsprop",
            ),
            loss_fn=lambda _, some: self._loss(some),
            device=context.device,
            events=context.events,
            checkpoint=checkpoint,
            eval_fn=(lambda: self._judged(dev)) if dev else None,
        )

    def _loss(self, rows: Sequence[Row], *, reduction: str = "mean") -> Tensor:
        logits = self._logits(rows).float()
        return functional.cross_entropy(logits, labels(rows, logits.device), reduction=reduction)

    def _judged(self, dev: Sequence[Row]) -> float:
        """Minus the mean loss of the dev part."""
        self._network.eval()
        with torch.inference_mode():
            parts = (
                float(self._loss([dev[at] for at in indices], reduction="sum"))
                for indices in length_batches(dev, _READ_AT_ONCE)
            )
            return -sum(parts) / len(dev)

    def _logits(self, rows: Sequence[Row]) -> Tensor:
        vectors, lengths = batch(rows, self._lexicon.table(), self._context.device)
        logits: Tensor = self._network(vectors, lengths)
        return logits

    def _rows(self, texts: Sequence[LabelledText]) -> list[Row]:
        return [self._row(text.tokens, int(text.hateful)) for text in texts]

    def _row(self, words: Sequence[str], label: int = 0) -> Row:
        """The first words; a text without any is one that says nothing."""
        found = [self._lexicon.number(word) for word in words[: self._context.budget.max_words]]
        return Row(np.array(found or [NOTHING], dtype=np.int64), label)
