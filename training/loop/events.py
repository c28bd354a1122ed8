"""A run's line to the person: progress goes out as JSON lines, an order to pause or to cancel comes in."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import IO, Any

from core.runs.types import Status


class StoppedError(Exception):
    """A person stopped the run, or what it worked for is gone. ``status`` is PAUSED or CANCELLED."""

    def __init__(self, status: Status, message: str) -> None:
        super().__init__(message)
        self.status = status


@dataclass(slots=True)
class Trial:
    """A dry run: the loop takes a few steps of each stage and says here what the whole would need."""

    seconds: float = 0.0
    checkpoint_bytes: int = 0


@dataclass(slots=True)
class Events:
    """Writes one JSON object a line: event, run, stage, step, steps, metrics, eta_s, message.

    ``sinks`` are told every row as well. ``ordered`` tells whether somebody stopped the run; ``trial`` makes it dry.
    """

    run: str
    stream: IO[str] = field(default_factory=lambda: sys.stdout)
    stage: str = ""
    sinks: list[Callable[[dict[str, Any]], None]] = field(default_factory=list)
    ordered: Callable[[], Status | None] = lambda: None
    trial: Trial | None = None

    def say(
        self,
        event: str,
        message: str = "",
        *,
        step: int = 0,
        steps: int = 0,
        metrics: Mapping[str, float] | None = None,
        eta_s: float = 0.0,
    ) -> None:
        """Report. ``event`` is start, stage, step, eval, checkpoint, warning, error or end."""
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

    def obey(self, keep: Callable[[], None] | None = None) -> None:
        """Stop if somebody said so; ``keep`` saves first what a pause is to go on from. Raises StoppedError."""
        status = self.ordered()
        if status is Status.PAUSED:
            if keep is not None:
                keep()
            raise StoppedError(status, f"paused; go on with --resume {self.run}")
        if status is not None:
            raise StoppedError(status, "cancelled")
