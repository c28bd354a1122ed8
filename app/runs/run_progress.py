"""The progress of a run, read from its growing event file: stages, steps, time left, curves and log."""

from __future__ import annotations

import json
import math
import os
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Literal

from PySide6.QtCore import QObject, QTimer, Signal

from core.i18n import tr
from core.runs.folder import is_alive
from core.runs.types import EVENTS, Run

CHUNK_BYTES = 64 * 1024
"""Bytes that are read at once: a few milliseconds of work."""
_LONGEST_LINE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Event:
    """An event: start, stage, step, eval, checkpoint, warning, error or end."""

    event: str
    stage: str = ""
    step: int = 0
    steps: int = 0
    metrics: dict[str, float] = field(default_factory=dict)
    eta_s: float = 0.0
    message: str = ""


def parse_event(line: bytes) -> Event | None:
    """The event in a line, or None. Fields of a wrong type get their defaults."""
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


class EventTail:
    """Reads new events from a file. An incomplete line waits; a replaced file is read from its start.

    ``restarts`` counts how often the file was replaced or truncated; ``has_more``: more can be read at once.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._position = 0
        self._file_id: tuple[int, int] | None = None
        self._partial_line = b""
        self.restarts = 0
        self.has_more = False

    def read(self) -> list[Event]:
        """New events, at most ``CHUNK_BYTES`` of them; none if the file is missing."""
        try:
            with self._path.open("rb") as file:
                data = self._read_new_bytes(file)
        except OSError:
            self.has_more = False
            return []
        *lines, self._partial_line = (self._partial_line + data).split(b"\n")
        if len(self._partial_line) > _LONGEST_LINE:
            self._partial_line = b""
        return [event for line in lines if line.strip() and (event := parse_event(line)) is not None]

    def _read_new_bytes(self, file: IO[bytes]) -> bytes:
        state = os.fstat(file.fileno())
        if self._file_id not in (None, (state.st_dev, state.st_ino)) or state.st_size < self._position:
            self._position, self._partial_line = 0, b""
            self.restarts += 1
        self._file_id = (state.st_dev, state.st_ino)
        file.seek(self._position)
        data = file.read(CHUNK_BYTES)
        self._position += len(data)
        self.has_more = self._position < state.st_size
        return data


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) and _is_number(value) else 0.0


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


LogKind = Literal["plain", "warning", "error"]


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line of the log."""

    kind: LogKind
    text: str


@dataclass(slots=True)
class CurveData:
    """The points of a curve; steps count over all stages."""

    xs: list[float] = field(default_factory=list)
    ys: list[float] = field(default_factory=list)

    def add(self, x: float, y: float) -> None:
        """Append a point. Steps that were repeated after a pause or a crash replace the earlier ones."""
        while self.xs and self.xs[-1] >= x:
            self.xs.pop()
            self.ys.pop()
        self.xs.append(x)
        self.ys.append(y)


@dataclass(slots=True)
class Progress:
    """The progress of a run. ``losses`` holds a curve per stage, ``scores`` one per dev metric.

    ``error`` is the last error, ``result`` the metrics of the end event.
    """

    started: bool = False
    ended: bool = False
    stage: str = ""
    step: int = 0
    steps: int = 0
    eta_s: float = 0.0
    error: str = ""
    message: str = ""
    result: dict[str, float] = field(default_factory=dict)
    losses: dict[str, CurveData] = field(default_factory=dict)
    scores: dict[str, CurveData] = field(default_factory=dict)
    log: list[LogLine] = field(default_factory=list)
    _stages: dict[str, int] = field(default_factory=dict)

    def add_events(self, events: Iterable[Event]) -> None:
        """Process the next events."""
        for event in events:
            self._add_event(event)

    def _add_event(self, event: Event) -> None:
        self.started = True
        self.message = event.message or self.message
        match event.event:
            case "start":
                self.ended, self.error = False, ""
            case "error":
                self.error = event.message
            case "end":
                self.ended = True
                self.result = dict(event.metrics)
        if event.event in ("stage", "step", "eval"):
            self._advance(event)
        if (line := _log_line(event)) is not None:
            self.log.append(line)

    def _advance(self, event: Event) -> None:
        if event.stage != self.stage:
            self.stage, self.step, self.steps, self.eta_s = event.stage, 0, 0, 0.0
        self.step = event.step if event.event != "stage" or event.step else self.step
        self.steps = event.steps or self.steps
        if event.event == "step":
            self.eta_s = event.eta_s
        x = self._steps_before(event.stage) + event.step
        self._stages[event.stage] = max(self._stages[event.stage], event.steps)
        if event.event == "step" and (loss := _loss(event.metrics)) is not None:
            self.losses.setdefault(event.stage or tr("loss"), CurveData()).add(x, loss)
        if event.event == "eval":
            for name, value in event.metrics.items():
                self.scores.setdefault(name, CurveData()).add(x, value)

    def _steps_before(self, stage: str) -> int:
        """Number of steps of the earlier stages."""
        self._stages.setdefault(stage, 0)
        names = list(self._stages)
        return sum(self._stages[name] for name in names[: names.index(stage)])


def _loss(metrics: dict[str, float]) -> float | None:
    """The loss of a step, or the mean of the losses of its corpora."""
    if "loss" in metrics:
        return metrics["loss"]
    parts = [value for name, value in metrics.items() if name.startswith("loss_")]
    return sum(parts) / len(parts) if parts else None


def _log_line(event: Event) -> LogLine | None:
    stage = f"{event.stage}: " if event.stage else ""
    match event.event:
        case "error":
            return LogLine("error", event.message or tr("The training run failed for an unknown reason."))
        case "warning":
            return LogLine("warning", stage + event.message)
        case "checkpoint":
            text = tr("checkpoint at step {step}").format(step=f"{event.step:,}")
            return LogLine("plain", stage + text)
        case "eval":
            text = ", ".join(f"{name} {value:.4f}" for name, value in event.metrics.items())
            return LogLine("plain", stage + text) if text else None
        case "start" | "stage" | "end" if event.message:
            return LogLine("plain", stage + event.message)
    return None


POLL_MS = 500
_READ_ON_MS = 10


class RunFollower(QObject):
    """Polls a run twice a second. ``updated``: ``progress`` changed. ``ended``: the process ended."""

    updated = Signal()
    ended = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.progress = Progress()
        self._run: Run | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._event_tail: EventTail | None = None
        self._restarts = 0
        self._has_news = False
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._poll)

    def follow(self, run: Run, process: subprocess.Popen[bytes] | None = None) -> None:
        """Follow this run from its start; ``process`` if it is a child of this app."""
        self.progress = Progress()
        self._run, self._process, self._event_tail = run, process, EventTail(run.folder / EVENTS)
        self._restarts = 0
        self._timer.start(0)

    def stop(self) -> None:
        """Stop following. The run goes on."""
        self._timer.stop()
        self._run = None

    def _poll(self) -> None:
        if self._run is None or self._event_tail is None:
            return
        # Check the process before reading, so that its last events are not missed.
        is_running = self._is_running(self._run)
        events = self._event_tail.read()
        if self._event_tail.restarts != self._restarts:
            self._restarts = self._event_tail.restarts
            self.progress = Progress()
            self._has_news = True
        self.progress.add_events(events)
        self._has_news = self._has_news or bool(events)
        if self._event_tail.has_more:
            self._timer.start(_READ_ON_MS)
            return
        if self._has_news:
            self._has_news = False
            self.updated.emit()
        if is_running:
            self._timer.start(POLL_MS)
        elif self._run is not None:
            self._run = None
            self.ended.emit()

    def _is_running(self, run: Run) -> bool:
        return self._process.poll() is None if self._process is not None else is_alive(run)
