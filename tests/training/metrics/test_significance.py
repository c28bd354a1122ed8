"""Protects what is called better: no false alarms beyond their rate, differences found where they are, known values."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from training.metrics import resampling
from training.metrics.significance import (
    approximate_randomisation,
    holm,
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


def test_equal_systems_are_told_apart_about_as_often_as_the_level_allows() -> None:
    alarms = np.zeros(2)
    for seed in range(200):
        gold, one, other = _systems(seed, 0.75, 0.75)
        compared = paired_bootstrap(resampling.accuracy, gold, one, other, resamples=300, seed=seed)
        chance = approximate_randomisation(resampling.accuracy, gold, one, other, resamples=300, seed=seed)
        alarms += np.array([compared.p, chance]) <= 0.05
    assert (alarms <= 20).all(), alarms


def test_a_better_system_is_found_by_every_test() -> None:
    gold, one, other = _systems(1, 0.9, 0.7, count=400)
    compared = paired_bootstrap(resampling.macro_f1, gold, one, other, resamples=500)
    assert compared.p < 0.01
    assert 0.0 < compared.difference.low < compared.difference.value < compared.difference.high
    assert approximate_randomisation(resampling.macro_f1, gold, one, other, resamples=500) < 0.01


def test_order_of_rows_and_of_systems_does_not_matter() -> None:
    gold, one, other = _systems(4, 0.8, 0.7)
    turned = np.random.default_rng(0).permutation(len(gold))
    for test in (
        lambda g, a, b: paired_bootstrap(resampling.accuracy, g, a, b, resamples=300).p,
        lambda g, a, b: approximate_randomisation(resampling.accuracy, g, a, b, resamples=300),
    ):
        assert test(gold, one, other) == test(gold[turned], one[turned], other[turned])


def test_groups_swapped_whole_are_fewer_observations() -> None:
    gold = np.ones(200, dtype=int)
    one, other = np.repeat([1, 1, 1, 1, 0], 40), np.repeat([0, 0, 1, 1, 0], 40)
    groups = np.repeat(np.arange(5), 40).tolist()
    alone = approximate_randomisation(resampling.accuracy, gold, one, other, resamples=500)
    together = approximate_randomisation(resampling.accuracy, gold, one, other, groups=groups, resamples=500)
    assert alone < 0.01
    assert together > 0.2


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]) == pytest.approx([1.0, 1.0])
    assert holm([]) == []


def test_systems_on_other_rows_are_refused() -> None:
    with pytest.raises(ValueError, match="same rows"):
        paired_bootstrap(resampling.accuracy, np.ones(3), np.ones(3), np.ones(2))
