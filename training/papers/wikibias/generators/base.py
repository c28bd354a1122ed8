"""What every generator of neutral wording is: it learns from pairs and gives one sentence for each source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from training.corpora.wikipedia import SentencePair
from training.loop import training_loop
from training.loop.events import Events

DETECTOR_BASE = "google-bert/bert-base-uncased"


@dataclass(frozen=True, slots=True)
class Settings:
    """How large a generator is and how long it learns.

    ``steps`` batches of ``size`` pairs at most; training ends earlier when the loss on the dev pairs, read every
    ``every`` steps, has not fallen for ``patience`` readings. ``vocabulary`` counts words. ``heads`` and ``layers``
    are the Transformer's; ``detector_steps``, ``joint_steps`` and ``detector_base`` (an encoder of BERT's
    architecture, by hub name or folder) are MODULAR's.
    """

    steps: int
    size: int = 32
    rate: float = 1e-3
    seed: int = 42
    embedding: int = 128
    hidden: int = 256
    layers: int = 3
    heads: int = 4
    dropout: float = 0.1
    vocabulary: int = 5000
    longest: int = 60
    beam: int = 4
    every: int = 100
    patience: int = 4
    detector_steps: int = 120
    joint_steps: int = 0
    detector_base: str = DETECTOR_BASE
    device: str = "cpu"

    def loop(self, steps: int) -> training_loop.TrainingSettings:
        """How one stage of so many steps trains."""
        return training_loop.TrainingSettings(
            steps=steps,
            batch_size=self.size,
            learning_rate=self.rate,
            final_lr_ratio=0.1,
            warmup=0.05,
            seed=self.seed,
            eval_every=self.every,
            patience=self.patience,
        )


SCALES = {
    "smoke": Settings(
        steps=6,
        size=8,
        embedding=16,
        hidden=16,
        layers=1,
        heads=2,
        vocabulary=200,
        beam=2,
        every=3,
        detector_steps=2,
        joint_steps=1,
    ),
    "cpu": Settings(
        steps=700,
        size=16,
        rate=2e-3,
        embedding=96,
        hidden=192,
        layers=2,
        vocabulary=3000,
        longest=40,
        every=250,
        detector_steps=150,
    ),
    "full": Settings(
        steps=100_000,
        size=64,
        rate=5e-4,
        embedding=512,
        hidden=512,
        layers=6,
        heads=8,
        vocabulary=50_000,
        longest=100,
        every=2000,
        patience=5,
        detector_steps=10_000,
        joint_steps=5_000,
    ),
}


def scaled(scale: str, **changes: object) -> Settings:
    """The settings of a scale with some of them changed. Raises KeyError for a scale that is not there."""
    return replace(SCALES[scale], **changes)  # type: ignore[arg-type]


class Generator(Protocol):
    """A system of the table."""

    name: str

    def fit(
        self,
        pairs: Sequence[SentencePair],
        *,
        dev: Sequence[SentencePair],
        settings: Settings,
        folder: Path,
        events: Events,
    ) -> None:
        """Learn from ``pairs``, stop by the loss on ``dev``, keep weights and checkpoints in ``folder``.

        What is finished in ``folder`` is loaded, what was stopped there goes on. Raises TrainingError where the
        loss is no number, OSError where the folder or a base encoder cannot be read.
        """

    def generate(self, sources: Sequence[str]) -> list[str]:
        """One wording for each source, in order; unchanged words keep the source's own characters."""
