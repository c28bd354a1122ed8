"""Significance tests of two systems on the same rows, and Holm's correction for several tests."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from training.metrics.intervals import RESAMPLES, Interval, bca
from training.metrics.resampling import (
    Array,
    Floats,
    Metric,
    bootstrap,
    coin_flips,
    make_rows,
    score_all_rows,
)

_TIE = 1e-12


@dataclass(frozen=True, slots=True)
class PairedTest:
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
) -> PairedTest:
    """Two systems on the same rows, resampled together (Koehn 2004, section 4).

    ``p`` is two-sided: the share of resamples whose difference is at least as far from the observed one as that is
    from 0 (Berg-Kirkpatrick et al. 2012, section 2: resamples are centred on the observed difference, not on 0), the
    observed one included (Davison and Hinkley 1997, 4.2). The interval is BCa.
    """
    rows = make_rows(gold, _stack_systems(one, other), groups=groups)

    def gap(truth: Array, both: Array, weights: Floats) -> Floats:
        return metric(truth, both[:, 0], weights) - metric(truth, both[:, 1], weights)

    drawn = bootstrap(gap, rows, resamples=resamples, seed=seed)
    seen = score_all_rows(gap, rows)
    far = float((np.abs(drawn - seen) >= abs(seen) - _TIE).sum())
    return PairedTest(bca(gap, rows, drawn, level=0.95), (far + 1.0) / (resamples + 1.0))


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

    Row by row, or group by group (Noreen 1989, chapter 2; Yeh 2000, section 3). Unlike the bootstrap it assumes
    nothing about how the rows were drawn.
    """
    rows = make_rows(gold, _stack_systems(one, other), groups=groups)
    twice = np.concatenate([rows.gold, rows.gold])
    answers = np.concatenate([rows.predicted[:, 0], rows.predicted[:, 1]])

    def gap(kept: Floats) -> Floats:
        ours, theirs = np.hstack([kept, 1.0 - kept]), np.hstack([1.0 - kept, kept])
        return metric(twice, answers, ours) - metric(twice, answers, theirs)

    seen = abs(float(gap(np.ones((1, len(rows.gold))))[0]))
    far = 0
    for chunk in coin_flips(len(rows.stratum), resamples, seed):
        far += int((np.abs(gap(chunk[:, rows.unit])) >= seen - _TIE).sum())
    return (far + 1.0) / (resamples + 1.0)


def holm(p_values: Sequence[float]) -> list[float]:
    """The p values of several tests, adjusted to control the family-wise error rate (Holm 1979)."""
    order = sorted(range(len(p_values)), key=lambda at: p_values[at])
    raised, highest = [1.0] * len(p_values), 0.0
    for rank, at in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[at]))
        raised[at] = highest
    return raised


def _stack_systems(one: Array, other: Array) -> Array:
    if len(one) != len(other):
        raise ValueError(
            f"One system has {len(one)} rows, the other {len(other)}: compare them on the same rows."
        )
    return np.stack([np.asarray(one), np.asarray(other)], axis=1)
