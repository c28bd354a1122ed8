"""The CNN of section 5.3: three convolutions over word vectors with pooling (Dixon et al. 2018), and its training.

Sizes that the paper does not print are those of Dixon et al.: poolings of 5, 5 and over the rest, a layer of 128 before
the output, fixed word vectors. Deviations without effect on the scores: a text is padded at its end, to the longest of
its batch; all words of GloVe are used, not only those of the training part. Training stops at the second epoch in a row
without a lower dev loss, and the best epoch is kept.
"""

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

PADDING = 0
"""The index of padding and of words without a vector; its vector is zero."""
_POOL = 5


@dataclass(frozen=True, slots=True)
class Sizes:
    """Filters of each convolution, their width in words, the layer before the output, dropout."""

    filters: int = 128
    width: int = 5
    hidden: int = 128
    dropout: float = 0.3


@dataclass(frozen=True, slots=True)
class EncodedText:
    """A text as word indices, and its class (1: hateful)."""

    words: NDArray[np.int64]
    label: int = 0

    def __len__(self) -> int:
        """Its words."""
        return len(self.words)


class Network(nn.Module):
    """Three convolutions over word vectors; the output does not depend on the padding."""

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
        """Logits [B, 2] of texts as vectors [B, T, d] with ``lengths`` [B] words."""
        states = vectors.transpose(1, 2)
        last = len(self.convolutions) - 1
        for number, convolution in enumerate(self.convolutions):
            inside = torch.arange(states.shape[2], device=states.device) < lengths.unsqueeze(1)
            # ReLU's output is at least 0, so the zeros of the padding never win the maximum.
            states = functional.relu(convolution(states)) * inside.unsqueeze(1)
            if number < last:
                states = functional.max_pool1d(states, _POOL, ceil_mode=True)
                lengths = (lengths + _POOL - 1) // _POOL
        whole = self.dropout(states.amax(2))
        return cast(Tensor, self.answer(functional.relu(self.hidden(whole))))


def batch(
    rows: Sequence[EncodedText], table: NDArray[np.float32], device: torch.device
) -> tuple[Tensor, Tensor]:
    """Vectors [B, T, d] and lengths [B] of some rows; T is a multiple of the first pooling."""
    longest = max(map(len, rows))
    numbers = np.full((len(rows), -(-longest // _POOL) * _POOL), PADDING, dtype=np.int64)
    for at, row in enumerate(rows):
        numbers[at, : len(row)] = row.words
    lengths = torch.tensor([len(row) for row in rows], device=device)
    return torch.from_numpy(table[numbers]).to(device), lengths


def labels(rows: Iterable[EncodedText], device: torch.device) -> Tensor:
    """Classes [B]."""
    return torch.tensor([row.label for row in rows], device=device)


BATCH_SIZE, PATIENCE = 128, 2
_PREDICT_BATCH_SIZE = 256


class Cnn:
    """Saves its weights in ``context.folder``; a stopped fit resumes from there."""

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
        """Train, or load the weights of an earlier fit to the same ``train`` and ``dev``."""
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
            for indices in length_batches(rows, _PREDICT_BATCH_SIZE):
                logits = self._logits([rows[at] for at in indices])
                found[indices] = logits.double().softmax(1)[:, 1].cpu().numpy()
        return found

    def _fit(self, rows: list[EncodedText], dev: list[EncodedText], checkpoint: Path) -> None:
        context = self._context
        epoch = -(-len(rows) // BATCH_SIZE)
        context.events.stage = "cnn"
        context.events.emit("stage", f"CNN on {len(rows)} texts", steps=context.budget.epochs * epoch)
        train(
            self._network,
            [Stream("texts", rows, 1.0)],
            TrainingSettings(
                steps=context.budget.epochs * epoch,
                batch_size=BATCH_SIZE,
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
            eval_fn=(lambda: self._dev_score(dev)) if dev else None,
        )

    def _loss(self, rows: Sequence[EncodedText], *, reduction: str = "mean") -> Tensor:
        logits = self._logits(rows).float()
        return functional.cross_entropy(logits, labels(rows, logits.device), reduction=reduction)

    def _dev_score(self, dev: Sequence[EncodedText]) -> float:
        """The negative mean loss on dev."""
        self._network.eval()
        with torch.inference_mode():
            parts = (
                float(self._loss([dev[at] for at in indices], reduction="sum"))
                for indices in length_batches(dev, _PREDICT_BATCH_SIZE)
            )
            return -sum(parts) / len(dev)

    def _logits(self, rows: Sequence[EncodedText]) -> Tensor:
        vectors, lengths = batch(rows, self._lexicon.table(), self._context.device)
        logits: Tensor = self._network(vectors, lengths)
        return logits

    def _rows(self, texts: Sequence[LabelledText]) -> list[EncodedText]:
        return [self._row(text.tokens, int(text.hateful)) for text in texts]

    def _row(self, words: Sequence[str], label: int = 0) -> EncodedText:
        """The first words as indices; padding for a text without words."""
        found = [self._lexicon.number(word) for word in words[: self._context.budget.max_words]]
        return EncodedText(np.array(found or [PADDING], dtype=np.int64), label)
