"""The figures of a run beyond single numbers: confusion matrices, reliability, and published ones beside its own."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.i18n import tr
from core.runs.folder import RunError
from core.runs.types import METRICS_FILE, Run

_MOST_BYTES = 4_000_000


@dataclass(frozen=True, slots=True)
class ConfusionCounts:
    """How often each label was taken for which: a row of ``counts`` for each gold label, a column for each found."""

    name: str
    labels: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """The answers with a confidence from ``low`` to ``high``: how many, mean confidence, share that is right."""

    low: float
    high: float
    count: int
    confidence: float
    share: float

    @property
    def gap(self) -> float:
        """How far the share is from the confidence, without sign."""
        return abs(self.confidence - self.share)


@dataclass(frozen=True, slots=True)
class Reliability:
    """How far confidence can be relied on; ``error`` is the expected calibration error, 0 the best."""

    name: str
    bins: tuple[ReliabilityBin, ...]
    error: float


@dataclass(frozen=True, slots=True)
class PublishedMetric:
    """A figure of a paper beside the run's own; ``source`` is the paper and its table."""

    name: str
    metric: str
    ours: float
    published: float
    source: str


@dataclass(frozen=True, slots=True)
class RunMetrics:
    """All of it; what a run does not have is empty."""

    confusion: tuple[ConfusionCounts, ...] = ()
    reliability: tuple[Reliability, ...] = ()
    published: tuple[PublishedMetric, ...] = ()


def read_run_metrics(run: Run) -> RunMetrics:
    """The figures in the run's folder; none where it has none. Raises RunError where they are damaged."""
    path = run.folder / METRICS_FILE
    if not path.is_file():
        return RunMetrics()
    try:
        return _figures(_loaded(path))
    except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
        message = tr("The figures of the run {id} are damaged and cannot be shown ({name}).")
        raise RunError(message.format(id=run.id, name=METRICS_FILE)) from error


def _loaded(path: Path) -> dict[str, Any]:
    if path.stat().st_size > _MOST_BYTES:
        raise ValueError("too large")
    data = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(data, dict):
        raise ValueError("not an object")
    return data


def _figures(data: dict[str, Any]) -> RunMetrics:
    return RunMetrics(
        confusion=tuple(_confusion(one) for one in data.get("confusion", ())),
        reliability=tuple(
            Reliability(str(one["name"]), tuple(map(_bin, one["bins"])), _number(one["error"]))
            for one in data.get("reliability", ())
        ),
        published=tuple(
            PublishedMetric(
                str(one["name"]),
                str(one["metric"]),
                _number(one["ours"]),
                _number(one["published"]),
                str(one["source"]),
            )
            for one in data.get("published", ())
        ),
    )


def _confusion(one: dict[str, Any]) -> ConfusionCounts:
    labels = tuple(str(label) for label in one["labels"])
    counts = tuple(tuple(_count(count) for count in row) for row in one["counts"])
    if not labels or len(counts) != len(labels) or any(len(row) != len(labels) for row in counts):
        raise ValueError("not a square of counts")
    return ConfusionCounts(str(one["name"]), labels, counts)


def _bin(one: dict[str, Any]) -> ReliabilityBin:
    return ReliabilityBin(
        low=_number(one["low"]),
        high=_number(one["high"]),
        count=_count(one["count"]),
        confidence=_number(one["confidence"]),
        share=_number(one["share"]),
    )


def _count(value: object) -> int:
    number = _number(value)
    if number < 0 or number != int(number):
        raise ValueError("not a count")
    return int(number)


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError("not a number")
    return float(value)
