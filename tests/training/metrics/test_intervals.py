"""Protects confidence intervals: they cover what they say, keep groups whole, and do not hang on the order of rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from training import metrics
from training.metrics import resampling
from training.metrics.intervals import interval


def _rows(count: int, right: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    chooser = np.random.default_rng(seed)
    gold = chooser.integers(0, 2, count)
    return gold, np.where(chooser.random(count) < right, gold, 1 - gold)


def test_intervals_cover_the_truth_about_as_often_as_they_say() -> None:
    inside = 0
    for seed in range(200):
        found = interval(resampling.accuracy, *_rows(120, 0.8, seed), resamples=400, seed=seed)
        inside += found.low <= 0.8 <= found.high
    assert 0.91 <= inside / 200 <= 0.985


def test_a_skewed_figure_is_covered_on_both_sides() -> None:
    """Of few rows and a long tail: the percentiles of the resamples miss the mean more often than BCa does."""
    inside = percentile = 0
    for seed in range(200):
        values = np.random.default_rng(seed).lognormal(0.0, 1.0, 40)
        rows = resampling.make_rows(np.zeros(40), values)
        found = interval(resampling.mean, np.zeros(40), values, resamples=600, seed=seed)
        low, high = np.quantile(
            resampling.bootstrap(resampling.mean, rows, resamples=600, seed=seed), [0.025, 0.975]
        )
        inside += found.low <= math.exp(0.5) <= found.high
        percentile += low <= math.exp(0.5) <= high
    assert inside >= percentile
    assert inside / 200 >= 0.87


def test_groups_that_stay_together_widen_the_interval() -> None:
    """Twenty rows of a group that are all right or all wrong are one observation."""
    gold = np.ones(400, dtype=int)
    found = np.repeat(np.random.default_rng(3).integers(0, 2, 20), 20)
    alone = interval(resampling.accuracy, gold, found, resamples=500)
    together = interval(
        resampling.accuracy, gold, found, groups=np.repeat(np.arange(20), 20).tolist(), resamples=500
    )
    assert together.high - together.low > 3 * (alone.high - alone.low)
    assert alone.value == together.value


def test_strata_keep_their_sizes() -> None:
    gold = np.array([0] * 50 + [1] * 10)
    share = interval(resampling.mean, gold, gold, strata=gold.tolist(), resamples=200)
    assert share.low == share.high == share.value == pytest.approx(1 / 6)


def test_a_group_in_two_strata_is_refused() -> None:
    with pytest.raises(ValueError, match="two strata"):
        interval(resampling.mean, np.zeros(2), np.ones(2), groups=["a", "a"], strata=[0, 1])


@pytest.mark.parametrize("grouped", [False, True])
def test_the_order_of_rows_changes_nothing(grouped: bool) -> None:
    gold, found = _rows(90, 0.7, 5)
    groups = [f"outlet {at % 7}" for at in range(90)]
    turned = np.random.default_rng(6).permutation(90)
    first = interval(resampling.macro_f1, gold, found, groups=groups if grouped else None, resamples=300)
    second = interval(
        resampling.macro_f1,
        gold[turned],
        found[turned],
        groups=[groups[at] for at in turned] if grouped else None,
        resamples=300,
    )
    assert (first.low, first.high) == pytest.approx((second.low, second.high), abs=1e-12)


def test_the_seed_makes_the_interval() -> None:
    gold, found = _rows(90, 0.7, 5)
    one, same, other = (interval(resampling.accuracy, gold, found, resamples=300, seed=s) for s in (1, 1, 2))
    assert one == same != other


def test_metrics_over_weights_are_the_plain_ones_over_repeated_rows() -> None:
    chooser = np.random.default_rng(7)
    gold, found = chooser.integers(0, 3, 40), chooser.integers(0, 3, 40)
    rows = resampling.make_rows(gold, found)
    for weighted, plain in (
        (resampling.macro_f1, metrics.macro_f1),
        (resampling.accuracy, metrics.accuracy),
    ):
        fast = resampling.bootstrap(weighted, rows, resamples=30, seed=0)
        slow = resampling.bootstrap(_repeated(plain), rows, resamples=30, seed=0)
        assert fast == pytest.approx(slow)


def _repeated(metric: Callable[[Sequence[int], Sequence[int]], float]) -> resampling.Metric:
    """A metric over rows, called once for each draw with every row as often as it was drawn."""

    def of_draws(
        gold: resampling.Array, found: resampling.Array, weights: resampling.Floats
    ) -> resampling.Floats:
        drawn = (np.repeat(np.arange(len(gold)), times.astype(np.int64)) for times in weights)
        return np.array([metric(gold[at].tolist(), found[at].tolist()) for at in drawn])

    return of_draws


def test_span_f1_over_counts_is_that_of_span_scores() -> None:
    kind = next(iter(metrics.kind_scores([[]], [[]])))
    gold = [[(0, 4, kind)], [(5, 9, kind)], []]
    found = [[(0, 4, kind)], [(6, 12, kind)], [(1, 2, kind)]]
    for counts, score in zip(metrics.span_counts(found, gold), metrics.span_scores(found, gold), strict=True):
        assert resampling.span_f1(np.zeros(3), counts, np.ones((1, 3)))[0] == pytest.approx(score.f1)
        assert interval(resampling.span_f1, np.zeros(3), counts, resamples=50).value == pytest.approx(
            score.f1
        )


def test_one_row_tells_no_spread_and_none_is_refused() -> None:
    alone = interval(resampling.mean, np.zeros(1), np.array([0.4]))
    assert alone.value == pytest.approx(0.4)
    assert math.isnan(alone.low)
    assert math.isnan(alone.high)
    with pytest.raises(ValueError, match="no row"):
        interval(resampling.mean, np.zeros(0), np.zeros(0))


def test_a_perfect_system_has_a_perfect_interval() -> None:
    gold = np.arange(60) % 2
    found = interval(resampling.macro_f1, gold, gold, resamples=200)
    assert (found.value, found.low, found.high) == (1.0, 1.0, 1.0)
