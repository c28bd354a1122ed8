"""Protects the figures of stereotyped words: each by hand, their bounds for any input, one clear line for bad input."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.stereotypes.metrics import (
    MetricError,
    bnsp_auc,
    bpsn_auc,
    pb_asym,
    pb_mean,
    pb_sym,
    pinned_auc,
    roc_auc,
    subgroup_auc,
)

CHANCES = st.lists(st.floats(0, 1), min_size=1, max_size=30)
ROWS = st.lists(st.tuples(st.booleans(), st.integers(0, 5)), min_size=2, max_size=40).filter(
    lambda rows: len({gold for gold, _ in rows}) == 2
)


def test_auc_by_hand() -> None:
    """Of four pairs of a positive and a negative three are right, and one is a tie."""
    assert roc_auc([1, 1, 0, 0], [0.9, 0.5, 0.5, 0.1]) == 3.5 / 4
    assert roc_auc([True, False], [0.2, 0.1]) == 1
    assert roc_auc([1, 0, 1], [3, 3, 3]) == 0.5


@given(ROWS)
def test_auc_is_symmetric_and_knows_only_order(rows: list[tuple[bool, int]]) -> None:
    gold = np.array([one for one, _ in rows])
    scores = np.array([float(score) for _, score in rows])
    auc = roc_auc(gold, scores)
    assert 0 <= auc <= 1
    assert roc_auc(~gold, -scores) == pytest.approx(auc)
    assert roc_auc(gold, -scores) == pytest.approx(1 - auc)
    assert roc_auc(gold, np.exp(scores)) == pytest.approx(auc)
    wins = [(a > b) + (a == b) / 2 for a in scores[gold] for b in scores[~gold]]
    assert auc == pytest.approx(sum(wins) / len(wins))


def test_pinned_bias_by_hand() -> None:
    probabilities = [0.9, 0.5, 0.1]
    assert pb_mean(probabilities) == pytest.approx(0.8 / 3)
    assert pb_sym(probabilities) == pytest.approx(0.8 / 3)
    assert pb_asym(probabilities) == pytest.approx(0.4 / 3)
    assert pb_sym([0.25, 0.75], 4) == pytest.approx(0.25)
    assert pb_asym([0.25, 0.75], 4) == pytest.approx(0.25)


def test_words_that_share_one_tag_have_no_mean_bias_however_biased() -> None:
    """Why PB_mean needs BPSN and BNSP beside it."""
    assert pb_mean([0.99] * 5) == pytest.approx(0)
    assert pb_sym([0.99] * 5) == pytest.approx(0.49)


@given(CHANCES)
def test_asymmetric_bias_is_never_above_symmetric(probabilities: list[float]) -> None:
    assert 0 <= pb_asym(probabilities) <= pb_sym(probabilities) + 1e-12 <= 0.5 + 1e-9
    assert 0 <= pb_mean(probabilities) <= 0.5 + 1e-9
    low = [min(chance, 0.5) for chance in probabilities]
    assert pb_asym(low) == 0


def test_borkan_by_hand() -> None:
    """The subgroup's neutral sentence scores above a positive of the background: its false positives show in BPSN."""
    gold = [1, 1, 0, 0, 1, 0]
    scores = [0.9, 0.6, 0.2, 0.1, 0.8, 0.7]
    inside = [False, False, False, False, True, True]
    assert subgroup_auc(gold, scores, inside) == 1
    assert bpsn_auc(gold, scores, inside) == 0.5
    assert bnsp_auc(gold, scores, inside) == 1


def test_pinned_auc_by_hand() -> None:
    """Both halves are drawn whole, so that the draw cannot matter: the pinned set is everything."""
    gold, scores = np.array([1, 0, 1, 0]), np.array([0.9, 0.1, 0.2, 0.8])
    members = {"gay": np.array([True, True, False, False])}
    assert pinned_auc(gold, scores, members, seed=1) == 0
    whole = roc_auc(gold, scores)
    small = {"gay": np.array([True, True, True, False])}
    assert pinned_auc(gold, scores, small, seed=1) == 0
    twice = {"a": np.array([True, False, False, True]), "b": np.array([True, False, False, True])}
    assert pinned_auc(gold, scores, twice, seed=1) == 0
    assert 0 < whole < 1


@given(ROWS, st.integers(0, 5))
def test_pinned_auc_is_the_same_for_the_same_seed(rows: list[tuple[bool, int]], seed: int) -> None:
    gold = [one for one, _ in rows]
    scores = [float(score) for _, score in rows]
    every = {"all": np.ones(len(rows), dtype=np.bool_)}
    assert pinned_auc(gold, scores, every, seed=seed) == 0
    half = {"half": np.arange(len(rows)) < max(2, len(rows) // 2)}
    try:
        found = pinned_auc(gold, scores, half, seed=seed)
    except MetricError:
        return
    assert found == pinned_auc(gold, scores, half, seed=seed)
    assert 0 <= found <= 1


@pytest.mark.parametrize("figure", [pb_mean, pb_sym, pb_asym])
@pytest.mark.parametrize("probabilities", [[], [math.nan], [1.2], [-0.1], [[0.5]]])
def test_no_words_and_invalid_probabilities_are_errors(figure: object, probabilities: list[float]) -> None:
    with pytest.raises(MetricError):
        figure(probabilities)  # type: ignore[operator]


@pytest.mark.parametrize(
    ("gold", "scores", "said"),
    [
        ([1, 1], [0.1, 0.2], "negative"),
        ([0, 0], [0.1, 0.2], "positive"),
        ([], [], "none of the 0 rows"),
        ([1, 0], [0.1, math.inf], "finite"),
        ([1, 0], [0.1], "1 rows"),
        ([1, 2], [0.1, 0.3], "0 and 1"),
    ],
)
def test_one_class_and_malformed_rows_give_one_line_errors(
    gold: list[int], scores: list[float], said: str
) -> None:
    with pytest.raises(MetricError, match=said) as told:
        roc_auc(gold, scores)
    assert "\n" not in str(told.value)


def test_a_term_that_no_row_holds_is_named() -> None:
    with pytest.raises(MetricError, match="'sikh'"):
        pinned_auc([1, 0], [0.2, 0.1], {"sikh": np.zeros(2, dtype=np.bool_)}, seed=1)
    gold, scores = [1] * 20 + [0], [number / 21 for number in range(21)]
    member = np.arange(21) == 0
    with pytest.raises(MetricError, match=r"'taoist'.*both classes"):
        pinned_auc(gold, scores, {"taoist": member}, seed=3)
