"""A training run and what is known of it, as plain data."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path


class Status(StrEnum):
    """The status of a run. ``died``: its process ended without a final event (killed, out of memory, power cut)."""

    RUNNING = "running"
    PAUSED = "paused"
    FINISHED = "finished"
    FAILED = "failed"
    CANCELLED = "cancelled"
    DIED = "died"


ALIVE_LOCK = "alive.lock"
"""The lock in a run's folder that its process holds while it is alive."""
TRAINING_LOCK = "training.lock"
"""The lock in the folder of all runs that the one training run at a time holds."""
STOP_REQUEST = "order"
"""The file in a run's folder that asks it to stop; it holds ``pause`` or ``cancel``."""
EVENTS = "events.jsonl"
"""The file in a run's folder with all of its events, one JSON object a line."""
LOG = "log.txt"
"""The file in a run's folder with its standard error."""
METRICS_FILE = "figures.json"
"""The file in a run's folder with its confusion matrices, reliability diagrams and comparison to published scores."""


@dataclass(frozen=True, slots=True)
class Run:
    """One run. ``id`` is a UUID and the name of its ``folder``; times are in UTC.

    ``settings`` are those of the recipe; ``data`` has the SHA-256 of each corpus file that was read, by its path in the
    corpora folder; ``code`` is the version of the program. ``stage``, ``step``, ``steps``, ``eta_s`` and ``message``
    are from its last event; ``result`` has its final metrics.
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
        """Seconds from start to end, including pauses; None before the end."""
        return None if self.ended_at is None else (self.ended_at - self.made_at).total_seconds()


@dataclass(frozen=True, slots=True)
class MetricPoint:
    """One metric at one step. ``event`` is the event that reported it: step, eval or end."""

    stage: str
    step: int
    event: str
    name: str
    value: float


@dataclass(frozen=True, slots=True)
class Artefact:
    """A file that a run wrote; ``path`` is relative to the run's folder."""

    path: str
    size: int
    sha256: str
