"""A training run and what is known of it, as plain data."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path


class Status(StrEnum):
    """How a run stands. ``died``: its process ended without a word (killed, out of memory, no power)."""

    RUNNING = "running"
    PAUSED = "paused"
    FINISHED = "finished"
    FAILED = "failed"
    CANCELLED = "cancelled"
    DIED = "died"


ALIVE_LOCK = "alive.lock"
"""The lock in a run's folder that its process holds as long as it lives."""
TRAINING_LOCK = "training.lock"
"""The lock in the folder of all runs that a training holds: there is one at a time."""
STOP_REQUEST = "order"
"""The file in a run's folder by which a person stops it; it holds ``pause`` or ``cancel``."""
EVENTS = "events.jsonl"
"""The file in a run's folder with every line that it said (design: command line)."""
LOG = "log.txt"
"""The file in a run's folder with what its process wrote to standard error."""
METRICS_FILE = "figures.json"
"""The file in a run's folder with its confusion matrices, reliability and the published figures beside its own."""


@dataclass(frozen=True, slots=True)
class Run:
    """One run. ``id`` is a UUID and the name of its ``folder``; moments are in UTC.

    ``settings`` are the recipe's own; ``data`` is the SHA-256 of each corpus file read, by its place under the corpora
    folder; ``code`` tells the version of the program. ``stage``, ``step``, ``steps``, ``eta_s`` and ``message`` are the
    last that it said; ``result`` holds the metrics of its end.
    """

    id: str
    recipe: str
    status: Status
    folder: Path
    scale: str
    base: str
    device: str
    seed: int
    code: str
    made_at: datetime
    settings: dict[str, str] = field(default_factory=dict)
    data: dict[str, str] = field(default_factory=dict)
    ended_at: datetime | None = None
    stage: str = ""
    step: int = 0
    steps: int = 0
    eta_s: float = 0.0
    message: str = ""
    result: dict[str, float] = field(default_factory=dict)

    @property
    def seconds(self) -> float | None:
        """Seconds from the beginning to the end, pauses with them; None while it has not ended."""
        return None if self.ended_at is None else (self.ended_at - self.made_at).total_seconds()


@dataclass(frozen=True, slots=True)
class MetricPoint:
    """One metric at one step. ``event`` is that of the line that told it: step, eval or end."""

    stage: str
    step: int
    event: str
    name: str
    value: float


@dataclass(frozen=True, slots=True)
class Artefact:
    """A file that a run made, by its place in the run's folder."""

    path: str
    size: int
    sha256: str
