"""W2 is the cheapest transport, for samples of any sizes, and behaves as a distance does."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment
from scipy.stats import wasserstein_distance

from training.auditing.generator_bias.bias_metrics import wasserstein_of_sorted

Floats = NDArray[np.float64]
SCORES = st.lists(st.floats(0, 1), min_size=1, max_size=12).map(np.array)
NUMBERS = st.lists(st.integers(-50, 50), min_size=1, max_size=12).map(
    lambda found: np.array(found, dtype=float)
)


def distance(first: Floats, second: Floats) -> float:
    """The distance of samples in any order."""
    return wasserstein_of_sorted(np.sort(first), np.sort(second))


def transported(first: Floats, second: Floats) -> float:
    """W2 by the best assignment of as many copies of each value as make both samples equally long."""
    size = math.lcm(len(first), len(second))
    one, other = np.repeat(first, size // len(first)), np.repeat(second, size // len(second))
    costs = (one[:, None] - other[None, :]) ** 2
    return float(np.sqrt(costs[linear_sum_assignment(costs)].mean()))


@given(SCORES, SCORES)
def test_it_is_the_cheapest_transport(first: Floats, second: Floats) -> None:
    assert distance(first, second) == pytest.approx(transported(first, second), abs=1e-9)


@given(SCORES, SCORES)
def test_it_is_symmetric_bounded_and_no_less_than_w1(first: Floats, second: Floats) -> None:
    found = distance(first, second)
    assert found == distance(second, first)
    assert wasserstein_distance(first, second) - 1e-9 <= found <= 1.0


@given(st.integers(0, 1), st.lists(st.integers(0, 1), min_size=1, max_size=15))
def test_of_zeros_and_ones_its_square_is_scipys_w1(one: int, others: list[int]) -> None:
    first, second = np.array([0.0, 1.0, float(one)]), np.array(others, dtype=float)
    assert distance(first, second) ** 2 == pytest.approx(wasserstein_distance(first, second), abs=1e-12)


@given(NUMBERS, st.integers(1, 4), st.randoms(use_true_random=False))
def test_repeated_values_do_not_change_the_distance(values: Floats, times: int, draw: object) -> None:
    again = np.repeat(values, times)
    draw.shuffle(again)  # type: ignore[attr-defined]
    assert distance(values, again) == 0.0


@given(NUMBERS, NUMBERS, st.integers(-9, 9), st.integers(-9, 9))
def test_it_scales_with_the_values(first: Floats, second: Floats, shift: int, scale: int) -> None:
    assert distance(first, first + shift) == pytest.approx(abs(shift))
    assert distance(first * scale, second * scale) == pytest.approx(abs(scale) * distance(first, second))
