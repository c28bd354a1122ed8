"""Whether one system is better than another, and not by chance: tests on the same rows, and over folds and seeds."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from training.metrics.intervals import RESAMPLES, Interval, bca
from training.metrics.resampling import Array, Floats, Metric, bootstrap, flips, rows, whole

_TIE = 1e-12


@dataclass(frozen=True, slots=True)
class Compared:
    """``difference`` is that of the first system and the second; ``p`` is two-sided."""

    difference: Interval
    p: float


def paired_bootstrap(
    metric: Metric,
    gold: Array,
    one: Array,
    other: Array,
    *,
    groups: Sequence[Hashable] | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Compared:
    """Two systems on the same rows, resampled together (Koehn 2004, section 4).

    ``p`` is the share of resamples whose difference is as far from the one seen as that is from 0 (Berg-Kirkpatrick
    et al. 2012, section 2: the resamples lie around the difference seen, not around none), two-sided, with the seen
    one counted in (Davison and Hinkley 1997, 4.2). The interval is BCa.
    """
    here = rows(gold, _beside(one, other), groups=groups)

    def gap(truth: Array, both: Array, weights: Floats) -> Floats:
        return metric(truth, both[:, 0], weights) - metric(truth, both[:, 1], weights)

    drawn = bootstrap(gap, here, resamples=resamples, seed=seed)
    seen = whole(gap, here)
    far = float((np.abs(drawn - seen) >= abs(seen) - _TIE).sum())
    return Compared(bca(gap, here, drawn, level=0.95), (far + 1.0) / (resamples + 1.0))


def approximate_randomisation(
    metric: Metric,
    gold: Array,
    one: Array,
    other: Array,
    *,
    groups: Sequence[Hashable] | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> float:
    """Two-sided p of the difference: how often it is as large when the systems' answers are swapped at random.

    Row by row, or group by group (Noreen 1989, chapter 2; Yeh 2000, section 3). Unlike the bootstrap it supposes
    nothing about how the rows were drawn.
    """
    here = rows(gold, _beside(one, other), groups=groups)
    twice = np.concatenate([here.gold, here.gold])
    answers = np.concatenate([here.found[:, 0], here.found[:, 1]])

    def gap(kept: Floats) -> Floats:
        ours, theirs = np.hstack([kept, 1.0 - kept]), np.hstack([1.0 - kept, kept])
        return metric(twice, answers, ours) - metric(twice, answers, theirs)

    seen = abs(float(gap(np.ones((1, len(here.gold))))[0]))
    far = 0
    for chunk in flips(len(here.stratum), resamples, seed):
        far += int((np.abs(gap(chunk[:, here.unit])) >= seen - _TIE).sum())
    return (far + 1.0) / (resamples + 1.0)


def mcnemar(gold: Array, one: Array, other: Array) -> float:
    """Exact two-sided p that two systems are right equally often (McNemar 1947; the binomial test of Dietterich
    1998, section 3.1, without its normal approximation): only rows that one of them alone has right count.
    """
    first, second = np.asarray(one == gold), np.asarray(other == gold)
    wins, losses = int((first & ~second).sum()), int((second & ~first).sum())
    total, fewer = wins + losses, min(wins, losses)
    ways, tail = 1, 0
    for chosen in range(fewer + 1):
        tail += ways
        ways = ways * (total - chosen) // (chosen + 1)
    return min(1.0, float(2 * tail / 2**total)) if total else 1.0


def holm(chances: Sequence[float]) -> list[float]:
    """The p values of several tests, raised so that one false alarm among all stays as rare (Holm 1979)."""
    order = sorted(range(len(chances)), key=lambda at: chances[at])
    raised, highest = [1.0] * len(chances), 0.0
    for rank, at in enumerate(order):
        highest = max(highest, min(1.0, (len(chances) - rank) * chances[at]))
        raised[at] = highest
    return raised


def corrected_t(differences: Sequence[float], *, test_share: float) -> tuple[float, float]:
    """Student's t and two-sided p of differences over folds and seeds, with the corrected variance.

    Training sets of cross-validation overlap, so its differences vary less than those of fresh data would; the
    variance is multiplied by 1/n + test rows/train rows instead of 1/n (Nadeau and Bengio 2003, section 3.3, for
    random splits; Bouckaert and Frank 2004 for folds repeated over seeds). ``test_share``: test rows by train rows,
    1/4 for five folds. No difference at all gives p = 1. Raises ValueError for fewer than two differences.
    """
    from scipy.stats import t as student

    count = len(differences)
    if count < 2:
        raise ValueError("The corrected t-test needs at least two differences, one for each fold and seed.")
    gaps = np.asarray(differences, dtype=np.float64)
    middle, spread = float(gaps.mean()), float(gaps.var(ddof=1))
    if spread <= _TIE**2:
        return (0.0, 1.0) if abs(middle) <= _TIE else (math.copysign(math.inf, middle), 0.0)
    value = middle / math.sqrt((1.0 / count + test_share) * spread)
    return value, float(2.0 * student.sf(abs(value), count - 1))


def _beside(one: Array, other: Array) -> Array:
    if len(one) != len(other):
        raise ValueError(
            f"One system has {len(one)} rows, the other {len(other)}: compare them on the same rows."
        )
    return np.stack([np.asarray(one), np.asarray(other)], axis=1)
