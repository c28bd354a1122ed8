"""Protects Krippendorff's alpha: the worked example of its author, what is missing, and what cannot be said."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from training.metrics.agreement import Level, krippendorff_alpha

PRINTED = (
    "* * * * * 3 4 1 2 1 1 3 3 * 3",
    "1 * 2 1 3 3 4 3 * * * * * * *",
    "* * 2 1 3 4 4 * 2 1 1 3 3 * 4",
)
"""Three observers' values of fifteen units; the figures below are those that are printed with this table."""


@pytest.mark.parametrize(("level", "figure"), [("nominal", 0.691), ("ordinal", 0.807), ("interval", 0.811)])
def test_the_known_example_has_its_known_figures(level: Level, figure: float) -> None:
    rows = [[None if cell == "*" else float(cell) for cell in row.split()] for row in PRINTED]
    assert krippendorff_alpha(list(zip(*rows, strict=True)), level) == pytest.approx(figure, abs=5e-4)


def test_perfect_agreement_is_one_and_contradiction_is_below_zero() -> None:
    assert krippendorff_alpha([["yes", "yes"], ["no", "no"]]) == pytest.approx(1.0)
    assert krippendorff_alpha([["yes", "no"], ["no", "yes"]]) < 0.0


@pytest.mark.parametrize("rows", [[], [["yes"], ["no"]], [["yes", None], [None, "no"]], [["yes", "yes"]] * 3])
def test_where_nothing_can_be_said_it_is_no_number(rows: list[list[str | None]]) -> None:
    assert math.isnan(krippendorff_alpha(rows))


def test_words_have_no_order() -> None:
    with pytest.raises(ValueError, match="numbers"):
        krippendorff_alpha([["low", "high"], ["high", "high"]], "ordinal")


CELLS = st.lists(
    st.lists(st.sampled_from([1.0, 2.0, 3.0, None, math.nan]), min_size=3, max_size=3),
    min_size=3,
    max_size=10,
)


@settings(max_examples=40)
@given(CELLS, st.sampled_from(["nominal", "ordinal", "interval"]))
def test_order_of_units_and_raters_and_kind_of_gap_do_not_matter(
    rows: list[list[float | None]], level: Level
) -> None:
    value = krippendorff_alpha(rows, level)
    for order in permutations(range(3)):
        turned = [[row[at] for at in order] for row in reversed(rows)]
        assert krippendorff_alpha(turned, level) == pytest.approx(value, nan_ok=True)


@settings(max_examples=40)
@given(CELLS, st.integers(-3, 3), st.sampled_from([0.5, 2.0, 10.0]))
def test_interval_alpha_knows_no_zero_and_no_unit_and_ordinal_alpha_ranks_alone(
    rows: list[list[float | None]], start: int, unit: float
) -> None:
    moved = [[None if cell is None else start + unit * cell for cell in row] for row in rows]
    squared = [[None if cell is None else cell**2 for cell in row] for row in rows]
    assert krippendorff_alpha(moved, "interval") == pytest.approx(
        krippendorff_alpha(rows, "interval"), nan_ok=True
    )
    assert krippendorff_alpha(squared, "ordinal") == pytest.approx(
        krippendorff_alpha(rows, "ordinal"), nan_ok=True
    )


def test_raters_who_roll_dice_agree_as_chance_has_it() -> None:
    chooser = np.random.default_rng(1)
    assert krippendorff_alpha(chooser.integers(1, 6, (3000, 3)).tolist(), "ordinal") == pytest.approx(
        0.0, abs=0.03
    )
