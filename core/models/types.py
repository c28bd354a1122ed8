"""An installed model as plain data, and the errors about models."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal

from core.bundles.manifest import ROLES, Evaluation

ModelSource = Literal["bundled", "run", "import"]
BUNDLED_HANDLES = {f"bundled-{role}": role for role in ROLES}
"""What the command line calls the models that come with the program, each with its role."""


class ModelError(Exception):
    """A model cannot be added, used or removed. The message says why and what to do."""


class InUseError(ModelError):
    """The requested model is already in use."""


@dataclass(frozen=True, slots=True)
class InstalledModel:
    """One model. ``id`` is the name of its folder in the registry, None for the one that comes with the program.

    ``run`` is the id of its training run; ``added_at`` is in UTC. ``problem`` says why it cannot be used, or is empty.
    ``main_metrics`` are the scores that tell most about it, from its bundle.
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
    main_metrics: tuple[Evaluation, ...] = ()
    problem: str = ""

    @property
    def title(self) -> str:
        """Name and version, as shown to a person."""
        return f"{self.name} {self.version}".strip()

    @property
    def handle(self) -> str:
        """What the command line calls it."""
        return self.id or f"bundled-{self.role}"
