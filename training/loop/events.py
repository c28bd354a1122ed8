"""Progress of a run as JSON lines, requests to stop it, and what a dry run adds up."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import IO, Any, Self

from core.runs.types import Status


class StoppedError(Exception):
    """The run was stopped by a person, or its parent process ended. ``status`` is PAUSED or CANCELLED."""

    def __init__(self, status: Status, message: str) -> None:
        super().__init__(message)
        self.status = status


@dataclass(slots=True)
class DryRun:
    """The totals of a dry run: the loop takes a few steps of each stage and adds its estimate of the whole stage."""

    seconds: float = 0.0
    checkpoint_bytes: int = 0


@dataclass(slots=True)
class Events:
    """Writes one JSON object a line: event, run, stage, step, steps, metrics, eta_s, message.

    ``sinks`` get every row as well. ``stop_requested`` returns PAUSED or CANCELLED once the run is to stop. With a
    ``dry_run`` only a few steps of each stage are taken.
    """

    run: str
    stream: IO[str] = field(default_factory=lambda: sys.stdout)
    stage: str = ""
    sinks: list[Callable[[dict[str, Any]], None]] = field(default_factory=list)
    stop_requested: Callable[[], Status | None] = lambda: None
    dry_run: DryRun | None = None

    @classmethod
    def from_events(cls, events: Events) -> Self:
        """The events of a run as those of a subclass, which counts its steps in its own way."""
        return cls(**{one.name: getattr(events, one.name) for one in fields(Events)})

    def emit(
        self,
        event: str,
        message: str = "",
        *,
        step: int = 0,
        steps: int = 0,
        metrics: Mapping[str, float] | None = None,
        eta_s: float = 0.0,
    ) -> None:
        """Write one row. ``event`` is start, stage, step, eval, checkpoint, warning, error or end."""
        row = {
            "event": event,
            "run": self.run,
            "stage": self.stage,
            "step": step,
            "steps": steps,
            "metrics": {name: round(float(value), 5) for name, value in (metrics or {}).items()},
            "eta_s": round(eta_s, 1),
            "message": message,
        }
        print(json.dumps(row, ensure_ascii=False), file=self.stream, flush=True)
        for sink in self.sinks:
            sink(row)

    def check_cancelled(self, save: Callable[[], None] | None = None) -> None:
        """Raise StoppedError if the run is to stop; before a pause ``save`` writes what the run resumes from."""
        status = self.stop_requested()
        if status is Status.PAUSED:
            if save is not None:
                save()
            raise StoppedError(status, f"paused; resume with --resume {self.run}")
        if status is not None:
            raise StoppedError(status, "cancelled")
