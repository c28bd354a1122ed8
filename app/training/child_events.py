"""The lines that a training child writes, read from the growing end of their file."""

from __future__ import annotations

import json
import math
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

MOST_BYTES = 64 * 1024
"""What is read at once: some milliseconds of work."""
_LONGEST_LINE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Event:
    """One line: start, stage, step, eval, checkpoint, warning, error or end (design: command line)."""

    event: str
    stage: str = ""
    step: int = 0
    steps: int = 0
    metrics: dict[str, float] = field(default_factory=dict)
    eta_s: float = 0.0
    message: str = ""


def parsed(line: bytes) -> Event | None:
    """The event in a line; None for a line that holds none. A value of the wrong kind counts as not said."""
    try:
        row = json.loads(line)
    except ValueError:
        return None
    if not isinstance(row, dict) or not isinstance(row.get("event"), str):
        return None
    metrics = row.get("metrics")
    found = metrics.items() if isinstance(metrics, dict) else ()
    return Event(
        row["event"],
        stage=_text(row.get("stage")),
        step=round(_number(row.get("step"))),
        steps=round(_number(row.get("steps"))),
        metrics={str(name): float(value) for name, value in found if _is_number(value)},
        eta_s=max(0.0, _number(row.get("eta_s"))),
        message=_text(row.get("message")),
    )


class Tail:
    """Reads what is new in a file of events. A line that is not whole yet waits; a file begun anew is read anew.

    ``restarts`` counts how often the file turned out to be another, or shorter, than before; ``more`` says that there
    is more to read at once.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._at = 0
        self._file: tuple[int, int] | None = None
        self._half = b""
        self.restarts = 0
        self.more = False

    def read(self) -> list[Event]:
        """The events since the last call, at most those in ``MOST_BYTES``. A file that is not there has none."""
        try:
            with self._path.open("rb") as file:
                data = self._new_bytes(file)
        except OSError:
            self.more = False
            return []
        *lines, self._half = (self._half + data).split(b"\n")
        if len(self._half) > _LONGEST_LINE:
            self._half = b""
        return [event for line in lines if line.strip() and (event := parsed(line)) is not None]

    def _new_bytes(self, file: IO[bytes]) -> bytes:
        state = os.fstat(file.fileno())
        if self._file not in (None, (state.st_dev, state.st_ino)) or state.st_size < self._at:
            self._at, self._half = 0, b""
            self.restarts += 1
        self._file = (state.st_dev, state.st_ino)
        file.seek(self._at)
        data = file.read(MOST_BYTES)
        self._at += len(data)
        self.more = self._at < state.st_size
        return data


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) and _is_number(value) else 0.0


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
