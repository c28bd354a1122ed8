"""A model on the shelf, as plain data, and what a person is told when something is wrong with one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal

from core.bundles.manifest import ROLES

ModelSource = Literal["bundled", "run", "import"]
BUNDLED_HANDLES = {f"bundled-{role}": role for role in ROLES}
"""What a person calls the models that came with the program, each with its role."""


class ModelError(Exception):
    """A model cannot be put on the shelf, used or removed. The message says why and what to do."""


class InUseError(ModelError):
    """The model that was asked for is in use already."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of a model's card, in the card's own words."""

    name: str
    value: float


@dataclass(frozen=True, slots=True)
class InstalledModel:
    """One model. ``id`` is the name of its folder on the shelf, None for the one that came with the program.

    ``run`` is the training run that made it; ``added_at`` is in UTC. ``problem`` says why it cannot be used, or is
    empty. ``figures`` are the main ones of its card.
    """

    id: str | None
    role: str
    name: str
    version: str
    folder: Path
    source: ModelSource
    active: bool
    run: str = ""
    added_at: datetime | None = None
    card: Path | None = None
    figures: tuple[Figure, ...] = ()
    problem: str = ""

    @property
    def title(self) -> str:
        """Name and version, as shown to a person."""
        return f"{self.name} {self.version}".strip()

    @property
    def handle(self) -> str:
        """What the command line calls it."""
        return self.id or f"bundled-{self.role}"
