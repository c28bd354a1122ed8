"""The metrics of a run beyond single numbers: confusion matrices, reliability diagrams, comparison to papers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from core.runs.folder import damage_as_run_error, finite_number, load_json
from core.runs.types import METRICS_FILE, Run

_MAX_BYTES = 4_000_000


@dataclass(frozen=True, slots=True)
class ConfusionCounts:
    """A confusion matrix: a row of ``counts`` for each gold label, a column for each predicted one."""

    name: str
    labels: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """Predictions with a confidence from ``low`` to ``high``: number, mean confidence, share that is correct."""

    low: float
    high: float
    count: int
    confidence: float
    share: float

    @property
    def gap(self) -> float:
        """The absolute difference between confidence and share."""
        return abs(self.confidence - self.share)


@dataclass(frozen=True, slots=True)
class Reliability:
    """A reliability diagram; ``error`` is the expected calibration error, best 0."""

    name: str
    bins: tuple[ReliabilityBin, ...]
    error: float


@dataclass(frozen=True, slots=True)
class PublishedMetric:
    """A published score beside the run's own; ``source`` names the paper and its table."""

    name: str
    metric: str
    ours: float
    published: float
    source: str


@dataclass(frozen=True, slots=True)
class RunMetrics:
    """The contents of the metrics file; each is empty where the run has none."""

    confusion: tuple[ConfusionCounts, ...] = ()
    reliability: tuple[Reliability, ...] = ()
    published: tuple[PublishedMetric, ...] = ()


def read_run_metrics(run: Run) -> RunMetrics:
    """The metrics in the run's folder; empty where it has none. Raises RunError where the file is damaged."""
    path = run.folder / METRICS_FILE
    if not path.is_file():
        return RunMetrics()
    with damage_as_run_error(path):
        return _parse(load_json(path, max_bytes=_MAX_BYTES))


def _parse(data: dict[str, Any]) -> RunMetrics:
    return RunMetrics(
        confusion=tuple(_confusion(one) for one in data.get("confusion", ())),
        reliability=tuple(
            Reliability(str(one["name"]), tuple(map(_bin, one["bins"])), finite_number(one["error"]))
            for one in data.get("reliability", ())
        ),
        published=tuple(
            PublishedMetric(
                str(one["name"]),
                str(one["metric"]),
                finite_number(one["ours"]),
                finite_number(one["published"]),
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
        low=finite_number(one["low"]),
        high=finite_number(one["high"]),
        count=_count(one["count"]),
        confidence=finite_number(one["confidence"]),
        share=finite_number(one["share"]),
    )


def _count(value: object) -> int:
    number = finite_number(value)
    if number < 0 or number != int(number):
        raise ValueError("not a count")
    return int(number)
