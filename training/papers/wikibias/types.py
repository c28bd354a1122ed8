"""What every system of WIKIBIAS's tables is given, and what it returns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.types import Kind
from training.types import TaggedSentence

if TYPE_CHECKING:  # Systems are listed without torch.
    from pathlib import Path

    import torch

    from training.loop.events import Events


@dataclass(frozen=True, slots=True)
class Corpus:
    """The corpus of the tables: clean (manual) and noisy (auto) training parts, dev and test.

    Everything is chosen on ``dev``, and scores are computed on ``test``: the release's parts of these names, or two
    shares of its dev part (``manual_corpus``). ``name`` says which; ``digest`` changes with the files.
    """

    manual: Sequence[TaggedSentence]
    auto: Sequence[TaggedSentence]
    dev: Sequence[TaggedSentence]
    test: Sequence[TaggedSentence]
    name: str
    digest: str


@dataclass(frozen=True, slots=True)
class Budget:
    """Epochs of training and the batch size (Appendix D: 3, 5, 3 and 16).

    ``auto_epochs`` are those on the noisy part, ``manual_epochs`` on the clean part alone, ``continued_epochs`` on the
    clean part after the noisy one. ``limit`` caps the sentences of every part.

    ``short``: few steps. One learning rate and one pair of JOINT's weights are then used instead of searching those of
    the paper, and new layers learn at ten times the encoder's rate.
    """

    auto_epochs: int = 3
    manual_epochs: int = 5
    continued_epochs: int = 3
    batch_size: int = 16
    limit: int | None = None
    short: bool = False

    def as_fact(self) -> str:
        """As the facts of cells have it; the wording identifies saved cells and must not change."""
        return (
            f"auto {self.auto_epochs}, manual {self.manual_epochs}, continued {self.continued_epochs}, "
            f"size {self.batch_size}, limit {self.limit}{', short' if self.short else ''}"
        )


@dataclass(frozen=True, slots=True)
class TrainingContext:
    """How one system is trained.

    ``base`` is an encoder by hub name or folder. ``folder`` holds checkpoints and finished stages; systems of the same
    corpus, base, seed and budget share it, so that a common stage is trained once. ``lists`` is the folder of the
    published word lists, ``glove`` a GloVe text file; either may be missing.
    """

    base: str
    seed: int
    budget: Budget
    folder: Path
    device: torch.device
    events: Events
    lists: Path | None = None
    glove: Path | None = None


@dataclass(frozen=True, slots=True)
class Predictions:
    """A system's predictions for every sentence of ``Corpus.test``, in order; None for what it does not predict.

    ``tags`` are BIO, one for each token; ``biased`` the label of the sentence; ``kinds`` the kinds of bias in it.
    ``facts`` are further numbers, such as a threshold chosen on dev.
    """

    tags: Sequence[Sequence[str]] | None = None
    biased: Sequence[bool] | None = None
    kinds: Sequence[frozenset[Kind]] | None = None
    facts: dict[str, float] | None = None


System = Callable[[Corpus, TrainingContext], Predictions]
"""Trains on the corpus, chooses on its dev part and predicts its test part."""
