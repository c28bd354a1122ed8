"""Protects what is said of probabilities: bins hold every row once, and errors by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from training.metrics import calibration_error, reliability

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


@settings(max_examples=60)
@given(ROWS, st.integers(1, 15))
def test_every_row_lies_in_one_bin(rows: tuple[np.ndarray, np.ndarray], bins: int) -> None:
    chances, gold = rows
    parts = reliability(chances, gold, bins)
    assert sum(part.count for part in parts) == len(gold)
    assert sum(part.count * part.share for part in parts) == pytest.approx(gold.sum())
    assert all(part.low - 1e-9 <= part.confidence <= part.high + 1e-9 for part in parts)


def test_what_is_no_probability_is_refused() -> None:
    with pytest.raises(ValueError, match=r"\[0, 1\]"):
        calibration_error(np.array([1.2]), np.array([1.0]))
    with pytest.raises(ValueError, match="2 gold"):
        reliability(np.array([0.2]), np.array([1.0, 0.0]))
