"""Progress as JSON lines on standard output: the contract that the app's training panel reads."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import IO


@dataclass(slots=True)
class Events:
    """Writes one JSON object a line: event, run, stage, step, steps, metrics, eta_s, message."""

    run: str
    stream: IO[str] = field(default_factory=lambda: sys.stdout)
    stage: str = ""

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
