"""The CNN of section 5.3, with the loss, the optimiser, the batches and the stop that it names.

Ours, and no figure of the paper hangs on it: a text is padded at its end, and only to the longest of its batch, to
which texts of like length are put together; what is beyond its end has no say in a maximum. All words that GloVe has
are read, not only those of the training part. It stops, as Keras did then, at the second epoch in a row whose dev loss
is no better, and keeps the best. A higher rate, fewer epochs and fewer words are a scale's
(``Effort``).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from training.batches import Stream, by_length
from training.bsw.classifiers import Work, demand_both
from training.bsw.cnn_model import NOTHING, Network, Row, Sizes, batch, labels
from training.bsw.model import Labelled
from training.bsw.vectors import Lexicon
from training.loop import Settings, train
from training.stages import once_whole

SIZE, PATIENCE = 128, 2
_READ_AT_ONCE = 256


class Cnn:
    """Its finished weights lie in ``work.folder``; a fit that was stopped goes on from there."""

    def __init__(self, work: Work, sizes: Sizes | None = None) -> None:
        self._work = work
        torch.manual_seed(work.seed)
        self._network = Network(work.space.table.shape[1], sizes or Sizes())
        self._lexicon = Lexicon(work.space, {})

    def fit(
        self,
        train: Sequence[Labelled],
        dev: Sequence[Labelled],
        *,
        vectors: Mapping[str, NDArray[np.float32]],
    ) -> None:
        """Learn, or take what was learnt here before; ``train`` and ``dev`` must be the same then."""
        demand_both(train)
        work = self._work
        self._lexicon = Lexicon(work.space, vectors)
        once_whole(
            work.folder / "cnn.safetensors",
            self._network,
            fit=lambda checkpoint: self._fit(self._rows(train), self._rows(dev), checkpoint),
            events=work.events,
        )
        self._network.to(work.device)

    def chances(self, texts: Sequence[Sequence[str]]) -> NDArray[np.float64]:
        """p(hateful) [n]."""
        rows = [self._row(text) for text in texts]
        found = np.zeros(len(rows))
        self._network.eval()
        with torch.inference_mode():
            for indices in by_length(rows, _READ_AT_ONCE):
                logits = self._logits([rows[at] for at in indices])
                found[indices] = logits.double().softmax(1)[:, 1].cpu().numpy()
        return found

    def _fit(self, rows: list[Row], dev: list[Row], checkpoint: Path) -> None:
        work = self._work
        epoch = -(-len(rows) // SIZE)
        work.events.stage = "cnn"
        work.events.say("stage", f"CNN on {len(rows)} texts", steps=work.effort.epochs * epoch)
        train(
            self._network,
            [Stream("texts", rows, 1.0)],
            Settings(
                steps=work.effort.epochs * epoch,
                size=SIZE,
                rate=work.effort.rate,
                warmup=0.0,
                floor=1.0,
                decay=0.0,
                clip=math.inf,
                seed=work.seed,
                judge_every=epoch,
                patience=PATIENCE,
                optimiser="rmsprop",
            ),
            loss_of=lambda _, some: self._loss(some),
            device=work.device,
            events=work.events,
            checkpoint=checkpoint,
            judge=(lambda: self._judged(dev)) if dev else None,
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
                for indices in by_length(dev, _READ_AT_ONCE)
            )
            return -sum(parts) / len(dev)

    def _logits(self, rows: Sequence[Row]) -> Tensor:
        vectors, lengths = batch(rows, self._lexicon.table(), self._work.device)
        logits: Tensor = self._network(vectors, lengths)
        return logits

    def _rows(self, texts: Sequence[Labelled]) -> list[Row]:
        return [self._row(text.tokens, int(text.hateful)) for text in texts]

    def _row(self, words: Sequence[str], label: int = 0) -> Row:
        """The first words; a text without any is one that says nothing."""
        found = [self._lexicon.number(word) for word in words[: self._work.effort.longest]]
        return Row(np.array(found or [NOTHING], dtype=np.int64), label)
