"""Detectors of hate speech and misinformation on any encoder: tasks and fine-tuning (Feng et al. 2023, section 3, Table
9).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from training.auditing.compass.group_scores import scores
from training.corpora import grouped_texts
from training.corpora.grouped_texts import GroupedSplit, GroupedText
from training.loop.batches import EncodedExample, Stream, encode
from training.loop.events import Events
from training.loop.training_loop import TrainingSettings, train
from training.modeling.reader import predict, reader_loss
from training.reader.sentence_classifier import new_classifier
from training.types import CorpusFacts, Example, checksum, locate_file


@dataclass(frozen=True, slots=True)
class DetectorTask:
    """A task; ``published`` is its name in Table 3, empty for a corpus that is not the paper's."""

    title: str
    classes: tuple[str, str]
    load: Callable[[Path], GroupedSplit]
    facts: CorpusFacts
    files: tuple[str, ...]
    published: str = ""

    def corpus_digest(self, data: Path) -> str:
        """Changes with the files of the corpus."""
        paths = (locate_file(data, name) for name in self.files)
        return " ".join(checksum(path)[:16] if path.is_file() else "none" for path in paths)


def _identity_task(name: str) -> DetectorTask:
    files = tuple(place for place in grouped_texts.HATE_IDENTITIES_FACTS.files if f"/{name}/" in place)
    return DetectorTask(
        f"hate speech by {name} (Yoder et al.)",
        grouped_texts.HATE_IDENTITIES_CLASSES,
        lambda data: grouped_texts.load_hate_identities(data, name),
        grouped_texts.HATE_IDENTITIES_FACTS,
        files,
        f"hate-{name}",
    )


TASKS = {
    "hatexplain": DetectorTask(
        "hate speech (HateXplain)",
        grouped_texts.HATEXPLAIN_CLASSES,
        lambda data: grouped_texts.load_hatexplain(data),
        grouped_texts.HATEXPLAIN_FACTS,
        grouped_texts.HATEXPLAIN_FACTS.files,
    ),
    **{f"hate-{name}": _identity_task(name) for name in grouped_texts.SPLITS},
    "liar": DetectorTask(
        "misinformation (LIAR)",
        grouped_texts.LIAR_CLASSES,
        lambda data: grouped_texts.load_liar(data),
        grouped_texts.LIAR_FACTS,
        grouped_texts.LIAR_FACTS.files,
        "misinformation",
    ),
}


BATCH_SIZE, LEARNING_RATE, WEIGHT_DECAY = 32, 1e-4, 1e-5
PATIENCE = 3
"""Epochs without a better dev score before stopping; the paper only has the maximum of fifty epochs."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How much is trained: at most ``rows`` (None: all) and ``epochs``, and ``tokens`` of a text."""

    rows: int | None
    epochs: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Probabilities:
    """The probability of the positive class for each text: ``dev`` [dev rows] and ``test`` [test rows]."""

    dev: NDArray[np.float64]
    test: NDArray[np.float64]


def train_detector(
    base: str,
    parts: GroupedSplit,
    budget: Budget,
    *,
    seed: int,
    device: torch.device,
    events: Events,
    checkpoint: Path,
) -> Probabilities:
    """Train a detector on ``base`` (hub name or folder), and predict dev and test.

    The epoch with the best balanced accuracy on dev is used; test is predicted once, at the end. Instead of Table 9's
    RAdam, AdamW with warm-up is used, which is about the same. Raises TrainingError if the base is not available or
    cannot be trained, and StoppedError if the run is stopped; it resumes from ``checkpoint``.
    """
    classifier = new_classifier(base, seed=seed)

    def rows(items: Sequence[GroupedText]) -> list[EncodedExample]:
        examples = [Example(item.text, "downstream", bias=float(item.label)) for item in items]
        return encode(examples, classifier.tokenizer, max_tokens=budget.tokens)

    model = classifier.model
    train_rows, dev = rows(choose_rows(parts.train, budget.rows, seed=seed)), rows(parts.dev)
    epoch = -(-len(train_rows) // BATCH_SIZE)
    settings = TrainingSettings(
        steps=budget.epochs * epoch,
        batch_size=BATCH_SIZE,
        learning_rate=LEARNING_RATE,
        weight_decay=WEIGHT_DECAY,
        final_lr_ratio=1.0,
        seed=seed,
        eval_every=epoch,
        patience=PATIENCE,
    )

    def probabilities(some: Sequence[EncodedExample]) -> NDArray[np.float64]:
        logits = np.clip(predict(model, some, device=device).bias, -40.0, 40.0)
        return np.asarray(1.0 / (1.0 + np.exp(-logits)))

    def dev_score() -> float:
        found = (probabilities(dev) >= 0.5).astype(int).tolist()
        return scores([item.label for item in parts.dev], found)["bacc"]

    train(
        model,
        [Stream("items", train_rows, 1.0, ("bias",))],
        settings,
        loss_fn=reader_loss(model, device),
        device=device,
        events=events,
        checkpoint=checkpoint,
        eval_fn=dev_score,
    )
    found = Probabilities(probabilities(dev), probabilities(rows(parts.test)))
    checkpoint.unlink(missing_ok=True)
    return found


def choose_rows(items: Sequence[GroupedText], most: int | None, *, seed: int) -> list[GroupedText]:
    """A stratified sample of at most ``most`` items, the same for the same seed."""
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
