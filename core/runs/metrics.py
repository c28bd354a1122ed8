"""The metrics of a run beyond single numbers: confusion matrices, reliability diagrams, comparison to papers."""

from __future__ import annotations

from dataclasses import dataclass

from core.runs.folder import read_result
from core.runs.types import METRICS_FILE, Run

_MAX_BYTES = 4_000_000


@dataclass(frozen=True, slots=True)
class ConfusionCounts:
    """A confusion matrix: a row of ``counts`` for each gold label, a column for each predicted one."""

    name: str
    labels: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        """Raise ValueError unless the counts are a square of one row and column a label."""
        sizes = {len(self.counts), *map(len, self.counts)}
        negative = any(count < 0 for row in self.counts for count in row)
        if not self.labels or sizes != {len(self.labels)} or negative:
            raise ValueError("not a square of counts")


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
    return read_result(run.folder / METRICS_FILE, RunMetrics, max_bytes=_MAX_BYTES) or RunMetrics()
