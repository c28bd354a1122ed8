"""A detector of hate speech or misinformation on any encoder, as Feng et al. (2023) fine-tune theirs (Table 9)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from training.babe.classifier import start
from training.batches import Encoded, Stream, encode
from training.compass.groups import scores
from training.corpora.base import Example
from training.corpora.grouped import Item, Parts
from training.events import Events
from training.loop import Settings, train
from training.reader_loss import reader_loss
from training.reading import read

SIZE, RATE, DECAY = 32, 1e-4, 1e-5
PATIENCE = 3
"""Epochs without a better dev score that end a training; the paper says fifty at most, and no more."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is learnt: ``rows`` of train at most (None: all), ``epochs`` at most, ``tokens`` of a text."""

    rows: int | None
    epochs: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Chances:
    """The probability that each text is to be detected: ``dev`` [dev rows] and ``test`` [test rows]."""

    dev: NDArray[np.float64]
    test: NDArray[np.float64]


def detect(
    base: str,
    parts: Parts,
    effort: Effort,
    *,
    seed: int,
    device: torch.device,
    events: Events,
    checkpoint: Path,
) -> Chances:
    """Train a detector on ``base`` (hub name or folder), and what it says of dev and test.

    The epoch with the best balanced accuracy on dev is taken; test is read once, at the end. Table 9's RAdam is AdamW
    with a warm-up here, which is what it comes to. Raises TrainingError where the base cannot be had or trained, and
    StoppedError where a person stopped it: ``checkpoint`` is what it goes on from.
    """
    classifier = start(base, seed=seed)

    def rows(items: Sequence[Item]) -> list[Encoded]:
        examples = [Example(item.text, "downstream", bias=float(item.label)) for item in items]
        return encode(examples, classifier.tokenizer, max_tokens=effort.tokens)

    model = classifier.model
    learnt, dev = rows(chosen(parts.train, effort.rows, seed=seed)), rows(parts.dev)
    epoch = -(-len(learnt) // SIZE)
    settings = Settings(
        steps=effort.epochs * epoch,
        size=SIZE,
        rate=RATE,
        decay=DECAY,
        floor=1.0,
        seed=seed,
        judge_every=epoch,
        patience=PATIENCE,
    )

    def chances(some: Sequence[Encoded]) -> NDArray[np.float64]:
        logits = np.clip(read(model, some, device=device).bias, -40.0, 40.0)
        return np.asarray(1.0 / (1.0 + np.exp(-logits)))

    def judge() -> float:
        found = (chances(dev) >= 0.5).astype(int).tolist()
        return scores([item.label for item in parts.dev], found)["bacc"]

    train(
        model,
        [Stream("items", learnt, 1.0, ("bias",))],
        settings,
        loss_of=reader_loss(model, device),
        device=device,
        events=events,
        checkpoint=checkpoint,
        judge=judge,
    )
    found = Chances(chances(dev), chances(rows(parts.test)))
    checkpoint.unlink(missing_ok=True)
    return found


def chosen(items: Sequence[Item], most: int | None, *, seed: int) -> list[Item]:
    """At most so many items, the same for the same seed, with the labels' shares of all of them."""
    if most is None or most >= len(items):
        return list(items)
    draw = np.random.default_rng(seed)
    labels = np.array([item.label for item in items])
    kept: list[int] = []
    for label in (0, 1):
        places = np.flatnonzero(labels == label)
        count = max(1, round(most * len(places) / len(items)))
        kept += draw.choice(places, size=min(count, len(places)), replace=False).tolist()
    return [items[at] for at in sorted(kept)]
