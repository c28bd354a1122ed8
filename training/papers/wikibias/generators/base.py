"""The settings of generators of neutral sentences."""

from __future__ import annotations

from dataclasses import dataclass, replace

from training.loop import training_loop

DETECTOR_BASE = "google-bert/bert-base-uncased"


@dataclass(frozen=True, slots=True)
class Settings:
    """The size of a generator and the length of its training.

    At most ``steps`` batches of ``batch_size`` pairs; training stops after ``patience`` evaluations on the dev pairs,
    one every ``eval_every`` steps, without a lower loss. ``vocabulary`` is its number of words, ``max_words`` the most
    words of a side. ``heads`` and ``layers`` are for the Transformer; ``detector_steps``, ``joint_steps`` and
    ``detector_base`` (an encoder of BERT's architecture, by hub name or folder) for MODULAR.
    """

    steps: int
    batch_size: int = 32
    learning_rate: float = 1e-3
    seed: int = 42
    embedding: int = 128
    hidden: int = 256
    layers: int = 3
    heads: int = 4
    dropout: float = 0.1
    vocabulary: int = 5000
    max_words: int = 60
    beam: int = 4
    eval_every: int = 100
    patience: int = 4
    detector_steps: int = 120
    joint_steps: int = 0
    detector_base: str = DETECTOR_BASE
    device: str = "cpu"

    def loop(self, steps: int) -> training_loop.TrainingSettings:
        """Training settings of a stage of ``steps`` steps."""
        return training_loop.TrainingSettings(
            steps=steps,
            batch_size=self.batch_size,
            learning_rate=self.learning_rate,
            final_lr_ratio=0.1,
            warmup=0.05,
            seed=self.seed,
            eval_every=self.eval_every,
            patience=self.patience,
        )


SCALES = {
    "smoke": Settings(
        steps=6,
        batch_size=8,
        embedding=16,
        hidden=16,
        layers=1,
        heads=2,
        vocabulary=200,
        beam=2,
        eval_every=3,
        detector_steps=2,
        joint_steps=1,
    ),
    "cpu": Settings(
        steps=700,
        batch_size=16,
        learning_rate=2e-3,
        embedding=96,
        hidden=192,
        layers=2,
        vocabulary=3000,
        max_words=40,
        eval_every=250,
        detector_steps=150,
    ),
    "full": Settings(
        steps=100_000,
        batch_size=64,
        learning_rate=5e-4,
        embedding=512,
        hidden=512,
        layers=6,
        heads=8,
        vocabulary=50_000,
        max_words=100,
        eval_every=2000,
        patience=5,
        detector_steps=10_000,
        joint_steps=5_000,
    ),
}


def scaled(scale: str, **changes: object) -> Settings:
    """The settings of a scale, with changes. Raises KeyError for an unknown scale."""
    return replace(SCALES[scale], **changes)  # type: ignore[arg-type]
