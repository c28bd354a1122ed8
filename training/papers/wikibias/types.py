"""What every system of WIKIBIAS's tables is given, and what it gives back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.types import Kind
from training.types import Tagged

if TYPE_CHECKING:  # the loaders of the corpus use Tagged, and nothing that they are used by shall need torch
    from pathlib import Path

    import torch

    from training.loop.events import Events


@dataclass(frozen=True, slots=True)
class Material:
    """A corpus as the tables use it: clean and noisy training parts, dev for every choice, test to be scored once.

    ``name`` says which corpus it is (or what stands in its place); ``mark`` changes with its files.
    """

    manual: Sequence[Tagged]
    auto: Sequence[Tagged]
    dev: Sequence[Tagged]
    test: Sequence[Tagged]
    name: str
    mark: str


@dataclass(frozen=True, slots=True)
class Effort:
    """How long a system learns, in epochs, and how many rows it takes a step (Appendix D: 3, 5, 3 and 16).

    ``auto`` on the noisy part, ``manual`` on the clean part alone, ``further`` on the clean part after the noisy one.
    ``limit`` caps every part of the corpus.
    """

    auto: int = 3
    manual: int = 5
    further: int = 3
    size: int = 16
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class Work:
    """How one system is trained.

    ``base`` is an encoder by hub name or folder; ``folder`` holds checkpoints and finished stages, and is shared by all
    systems of the same material, base, seed and effort, so that a stage which several need is trained once.
    ``lists`` is the folder of the published word lists, ``glove`` a GloVe text file; either may be missing.
    """

    base: str
    seed: int
    effort: Effort
    folder: Path
    device: torch.device
    events: Events
    lists: Path | None = None
    glove: Path | None = None


@dataclass(frozen=True, slots=True)
class Answers:
    """A system's answers for every sentence of ``Material.test``, in order; None where it has no such answer.

    ``tags`` are BIO, one for each token; ``biased`` the sentence's label; ``kinds`` the kinds of bias in it.
    ``facts`` are numbers worth keeping, such as a threshold chosen on dev.
    """

    tags: Sequence[Sequence[str]] | None = None
    biased: Sequence[bool] | None = None
    kinds: Sequence[frozenset[Kind]] | None = None
    facts: dict[str, float] | None = None


System = Callable[[Material, Work], Answers]
"""A row of a table: learns from the material, chooses on its dev part, answers its test part."""
