"""Protects what is said of probabilities: bins hold every row once, errors by hand, Brier's parts make the whole."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from training.metrics import (
    adaptive_calibration_error,
    brier,
    calibration_error,
    maximum_calibration_error,
    reliability,
)
from training.metrics.calibration import equal_mass

ROWS = st.lists(
    st.tuples(st.floats(0, 1, allow_subnormal=False), st.booleans()), min_size=1, max_size=60
).map(lambda rows: (np.array([p for p, _ in rows]), np.array([float(y) for _, y in rows])))


def test_errors_by_hand() -> None:
    chances = np.array([0.12, 0.18, 0.95, 0.95, 0.95, 0.95])
    gold = np.array([0.0, 1.0, 1.0, 1.0, 1.0, 0.0])
    parts = reliability(chances, gold, 10)
    assert [(part.low, part.count, part.share) for part in parts] == [
        (pytest.approx(0.1), 2, 0.5),
        (pytest.approx(0.9), 4, 0.75),
    ]
    assert calibration_error(chances, gold) == pytest.approx((2 * 0.35 + 4 * 0.2) / 6)
    assert maximum_calibration_error(chances, gold) == pytest.approx(0.35)


def test_bins_of_equal_mass_hold_as_many_rows_where_the_model_is_sure_throughout() -> None:
    chances = np.random.default_rng(0).beta(40, 1, 1000)
    gold = (np.random.default_rng(1).random(1000) < chances).astype(float)
    assert {part.count for part in equal_mass(chances, gold, 10)} == {100}
    assert len(reliability(chances, gold, 10)) < 5
    assert adaptive_calibration_error(chances, gold) < 0.05


@settings(max_examples=60)
@given(ROWS, st.integers(1, 15))
def test_every_row_lies_in_one_bin_and_the_parts_make_the_whole(
    rows: tuple[np.ndarray, np.ndarray], bins: int
) -> None:
    chances, gold = rows
    for parts in (reliability(chances, gold, bins), equal_mass(chances, gold, bins)):
        assert sum(part.count for part in parts) == len(gold)
        assert sum(part.count * part.share for part in parts) == pytest.approx(gold.sum())
        assert all(part.low - 1e-9 <= part.confidence <= part.high + 1e-9 for part in parts)
    found = brier(chances, gold, bins=bins)
    assert found.score == pytest.approx(
        found.reliability - found.resolution + found.uncertainty + found.within, abs=1e-9
    )
    assert (
        calibration_error(chances, gold, bins=bins)
        <= maximum_calibration_error(chances, gold, bins=bins) + 1e-12
    )


def test_bins_do_not_hang_on_the_order_of_rows_even_with_ties() -> None:
    chances = np.array([0.5] * 30 + [0.7] * 20)
    gold = np.arange(50) % 3 == 0
    turned = np.random.default_rng(2).permutation(50)
    assert equal_mass(chances, gold.astype(float)) == equal_mass(chances[turned], gold[turned].astype(float))


def test_a_calibrated_model_has_no_reliability_term_and_one_that_knows_nothing_no_resolution() -> None:
    chances = np.repeat([0.2, 0.8], 500)
    gold = np.concatenate([np.arange(500) < 100, np.arange(500) < 400]).astype(float)
    assert brier(chances, gold).reliability == pytest.approx(0.0)
    assert brier(np.full(1000, 0.5), gold).resolution == pytest.approx(0.0)


def test_what_is_no_probability_is_refused() -> None:
    with pytest.raises(ValueError, match=r"\[0, 1\]"):
        calibration_error(np.array([1.2]), np.array([1.0]))
    with pytest.raises(ValueError, match="2 gold"):
        reliability(np.array([0.2]), np.array([1.0, 0.0]))
