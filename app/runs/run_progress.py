"""The progress of a run, read from the growing event file of its process: stages, steps, time left, curves, log."""

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

# The lines that a training child writes, read from the growing end of their file.


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


# How far a training is, from what it said: stage, steps, time left, lines for the charts, words for the log.


LogKind = Literal["plain", "warning", "error"]


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of the log."""

    kind: LogKind
    text: str


@dataclass(slots=True)
class Line:
    """The points of a line; steps are counted over all stages."""

    xs: list[float] = field(default_factory=list)
    ys: list[float] = field(default_factory=list)

    def add(self, x: float, y: float) -> None:
        """One more point. What was done again after a pause or a crash takes the place of what it was before."""
        while self.xs and self.xs[-1] >= x:
            self.xs.pop()
            self.ys.pop()
        self.xs.append(x)
        self.ys.append(y)


@dataclass(slots=True)
class Progress:
    """What a run has said so far. ``losses`` holds a line a stage, ``scores`` one a dev metric.

    ``error`` is the last error that it told, ``result`` the metrics of its end.
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
    losses: dict[str, Line] = field(default_factory=dict)
    scores: dict[str, Line] = field(default_factory=dict)
    log: list[LogLine] = field(default_factory=list)
    _stages: dict[str, int] = field(default_factory=dict)

    def take(self, events: Iterable[Event]) -> None:
        """Take in what was said next."""
        for event in events:
            self._take(event)

    def _take(self, event: Event) -> None:
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
        x = self._before(event.stage) + event.step
        self._stages[event.stage] = max(self._stages[event.stage], event.steps)
        if event.event == "step" and (loss := _loss(event.metrics)) is not None:
            self.losses.setdefault(event.stage or tr("loss"), Line()).add(x, loss)
        if event.event == "eval":
            for name, value in event.metrics.items():
                self.scores.setdefault(name, Line()).add(x, value)

    def _before(self, stage: str) -> int:
        """Steps of the stages before this one."""
        self._stages.setdefault(stage, 0)
        names = list(self._stages)
        return sum(self._stages[name] for name in names[: names.index(stage)])


def _loss(metrics: dict[str, float]) -> float | None:
    """The loss of a step, else the mean of the losses of its corpora."""
    if "loss" in metrics:
        return metrics["loss"]
    parts = [value for name, value in metrics.items() if name.startswith("loss_")]
    return sum(parts) / len(parts) if parts else None


def _log_line(event: Event) -> LogLine | None:
    stage = f"{event.stage}: " if event.stage else ""
    match event.event:
        case "error":
            return LogLine("error", event.message or tr("The training failed without saying why."))
        case "warning":
            return LogLine("warning", stage + event.message)
        case "checkpoint":
            said = tr("checkpoint at step {step}").format(step=f"{event.step:,}")
            return LogLine("plain", stage + said)
        case "eval":
            told = ", ".join(f"{name} {value:.4f}" for name, value in event.metrics.items())
            return LogLine("plain", stage + told) if told else None
        case "start" | "stage" | "end" if event.message:
            return LogLine("plain", stage + event.message)
    return None


# Following a training by its folder: what it says, and whether it lives. It may have been started by another app.


LOOK_MS = 500
_SOON_MS = 10


class Follower(QObject):
    """Looks at one run twice a second. ``grown``: there is news in ``progress``. ``ended``: its process is gone."""

    grown = Signal()
    ended = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.progress = Progress()
        self._run: Run | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._tail: Tail | None = None
        self._restarts = 0
        self._news = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._look)

    def follow(self, run: Run, process: subprocess.Popen[bytes] | None = None) -> None:
        """Follow this run from its beginning on; ``process`` where it is a child of this app."""
        self.progress = Progress()
        self._run, self._process, self._tail = run, process, Tail(run.folder / EVENTS)
        self._restarts = 0
        self._timer.start(0)

    def stop(self) -> None:
        """Follow nothing any more. The training goes on."""
        self._timer.stop()
        self._run = None

    def _look(self) -> None:
        if self._run is None or self._tail is None:
            return
        # First whether it lives, then what it said: so nothing that it said last is missed.
        lives = self._lives(self._run)
        events = self._tail.read()
        if self._tail.restarts != self._restarts:
            self._restarts = self._tail.restarts
            self.progress = Progress()
            self._news = True
        self.progress.take(events)
        self._news = self._news or bool(events)
        if self._tail.more:
            self._timer.start(_SOON_MS)
            return
        if self._news:
            self._news = False
            self.grown.emit()
        if lives:
            self._timer.start(LOOK_MS)
        elif self._run is not None:
            self._run = None
            self.ended.emit()

    def _lives(self, run: Run) -> bool:
        return self._process.poll() is None if self._process is not None else is_alive(run)
