"""How far a training is, from what it said: stage, steps, time left, lines for the charts, words for the log."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from app.training.child_events import Event
from core.language import tr

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
