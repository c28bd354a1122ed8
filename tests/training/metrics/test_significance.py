"""Protects what is called better: no false alarms beyond their rate, differences found where they are, known values."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from training.metrics import resampling
from training.metrics.significance import (
    approximate_randomisation,
    corrected_t,
    holm,
    mcnemar,
    paired_bootstrap,
)

ANSWERS = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=2, max_size=30)


def _systems(seed: int, *rights: float, count: int = 150) -> tuple[np.ndarray, ...]:
    chooser = np.random.default_rng(seed)
    gold = chooser.integers(0, 2, count)
    return gold, *(np.where(chooser.random(count) < right, gold, 1 - gold) for right in rights)


@settings(max_examples=25, deadline=None)
@given(ANSWERS)
def test_a_system_is_never_better_than_itself(rows: list[tuple[int, int]]) -> None:
    gold, found = np.array([one for one, _ in rows]), np.array([two for _, two in rows])
    compared = paired_bootstrap(resampling.macro_f1, gold, found, found, resamples=50)
    assert (compared.p, compared.difference.value) == (1.0, 0.0)
    assert approximate_randomisation(resampling.macro_f1, gold, found, found, resamples=50) == 1.0
    assert mcnemar(gold, found, found) == 1.0


def test_equal_systems_are_told_apart_about_as_often_as_the_level_allows() -> None:
    alarms = np.zeros(3)
    for seed in range(200):
        gold, one, other = _systems(seed, 0.75, 0.75)
        compared = paired_bootstrap(resampling.accuracy, gold, one, other, resamples=300, seed=seed)
        chance = approximate_randomisation(resampling.accuracy, gold, one, other, resamples=300, seed=seed)
        alarms += np.array([compared.p, chance, mcnemar(gold, one, other)]) <= 0.05
    assert (alarms <= 20).all(), alarms


def test_a_better_system_is_found_by_every_test() -> None:
    gold, one, other = _systems(1, 0.9, 0.7, count=400)
    compared = paired_bootstrap(resampling.macro_f1, gold, one, other, resamples=500)
    assert compared.p < 0.01
    assert 0.0 < compared.difference.low < compared.difference.value < compared.difference.high
    assert approximate_randomisation(resampling.macro_f1, gold, one, other, resamples=500) < 0.01
    assert mcnemar(gold, one, other) < 0.01


def test_order_of_rows_and_of_systems_does_not_matter() -> None:
    gold, one, other = _systems(4, 0.8, 0.7)
    turned = np.random.default_rng(0).permutation(len(gold))
    for test in (
        lambda g, a, b: paired_bootstrap(resampling.accuracy, g, a, b, resamples=300).p,
        lambda g, a, b: approximate_randomisation(resampling.accuracy, g, a, b, resamples=300),
        mcnemar,
    ):
        assert test(gold, one, other) == test(gold[turned], one[turned], other[turned])
    assert mcnemar(gold, one, other) == mcnemar(gold, other, one)


def test_groups_swapped_whole_are_fewer_observations() -> None:
    gold = np.ones(200, dtype=int)
    one, other = np.repeat([1, 1, 1, 1, 0], 40), np.repeat([0, 0, 1, 1, 0], 40)
    groups = np.repeat(np.arange(5), 40).tolist()
    alone = approximate_randomisation(resampling.accuracy, gold, one, other, resamples=500)
    together = approximate_randomisation(resampling.accuracy, gold, one, other, groups=groups, resamples=500)
    assert alone < 0.01
    assert together > 0.2


@settings(max_examples=40)
@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_is_the_binomial_test_of_the_rows_that_one_alone_has_right(wins: int, losses: int) -> None:
    gold = np.ones(wins + losses + 5)
    one = np.array([1] * wins + [0] * losses + [1] * 5)
    other = np.array([0] * wins + [1] * losses + [1] * 5)
    expected = binomtest(wins, wins + losses).pvalue if wins + losses else 1.0
    assert mcnemar(gold, one, other) == pytest.approx(expected)


def test_mcnemar_of_thousands_of_rows() -> None:
    gold = np.ones(4000)
    one, other = np.arange(4000) < 2100, np.arange(4000) >= 2100
    assert mcnemar(gold, one, other) == pytest.approx(binomtest(2100, 4000).pvalue)


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]) == pytest.approx([1.0, 1.0])
    assert holm([]) == []


def test_the_corrected_t_is_smaller_than_students() -> None:
    gaps = [0.011, 0.004, 0.013, 0.006, 0.009]
    value, chance = corrected_t(gaps, test_share=0.25)
    mean, spread = np.mean(gaps), np.var(gaps, ddof=1)
    assert value == pytest.approx(mean / np.sqrt((1 / 5 + 1 / 4) * spread))
    plain, sure = corrected_t(gaps, test_share=0.0)
    assert plain == pytest.approx(value * 1.5)
    assert sure < chance < 0.05


def test_the_corrected_t_where_folds_do_not_differ() -> None:
    assert corrected_t([0.0, 0.0, 0.0], test_share=0.25) == (0.0, 1.0)
    assert corrected_t([0.01, 0.01], test_share=0.25)[1] == 0.0
    with pytest.raises(ValueError, match="two"):
        corrected_t([0.01], test_share=0.25)


def test_systems_on_other_rows_are_refused() -> None:
    with pytest.raises(ValueError, match="same rows"):
        paired_bootstrap(resampling.accuracy, np.ones(3), np.ones(3), np.ones(2))
