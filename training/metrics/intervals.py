"""Bootstrap confidence intervals, corrected for bias and skewness (BCa)."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from training.metrics.resampling import Array, Metric, Rows, bootstrap, jackknife, make_rows, score_all_rows

Floats = NDArray[np.float64]
RESAMPLES = 10_000
_NORMAL = NormalDist()


@dataclass(frozen=True, slots=True)
class Interval:
    """The value of a metric and its confidence interval at ``level``."""

    value: float
    low: float
    high: float
    level: float = 0.95

    def __str__(self) -> str:
        return f"{self.value:.4f} [{self.low:.4f}, {self.high:.4f}]"


def interval(
    metric: Metric,
    gold: Array,
    predicted: Array,
    *,
    groups: Sequence[Hashable] | None = None,
    strata: Sequence[Hashable] | None = None,
    resamples: int = RESAMPLES,
    level: float = 0.95,
    seed: int = 0,
) -> Interval:
    """The BCa interval of ``metric`` over rows (Efron 1987; DiCiccio and Efron 1996, section 2).

    Percentile intervals are simpler, but wrong for metrics that resampling shifts (a calibration error grows) or skews
    (a score near 1, a rare class). BCa corrects both ends by the resamples and the jackknife, and is the percentile
    interval where there is nothing to correct. ``groups`` are drawn whole, ``strata`` keep their
    sizes. The order of the rows does not matter. Draws in which the metric is NaN are left out.
    """
    rows = make_rows(gold, predicted, groups=groups, strata=strata)
    drawn = bootstrap(metric, rows, resamples=resamples, seed=seed)
    return bca(metric, rows, drawn, level=level)


def bca(metric: Metric, rows: Rows, drawn: Floats, *, level: float) -> Interval:
    """The interval of finished draws; NaN at both ends for a single unit, which has no variance."""
    value = score_all_rows(metric, rows)
    drawn = drawn[np.isfinite(drawn)]
    if not np.isfinite(value) or not drawn.size or len(rows.stratum) < 2:
        return Interval(value, float("nan"), float("nan"), level)
    below = (float((drawn < value).sum()) + 0.5 * float((drawn == value).sum())) / drawn.size
    edge = 0.5 / drawn.size
    shift = _NORMAL.inv_cdf(min(max(below, edge), 1.0 - edge))
    skew = _acceleration(jackknife(metric, rows))
    ends = [_moved(point, shift, skew) for point in ((1.0 - level) / 2.0, (1.0 + level) / 2.0)]
    low, high = np.quantile(drawn, ends)
    return Interval(value, float(low), float(high), level)


def _acceleration(left_out: Floats) -> float:
    """How fast the standard error changes with the metric (Efron 1987, equation 6.6)."""
    left_out = left_out[np.isfinite(left_out)]
    gaps = left_out.mean() - left_out if left_out.size else left_out
    spread = float((gaps**2).sum())
    return float((gaps**3).sum()) / (6.0 * spread**1.5) if spread > 0.0 else 0.0


def _moved(point: float, shift: float, skew: float) -> float:
    """The share of draws that lies below the end for ``point``."""
    moved = shift + _NORMAL.inv_cdf(point)
    below = 1.0 - skew * moved
    return _NORMAL.cdf(shift + moved / below) if below > 0.0 else float(moved > 0.0)
