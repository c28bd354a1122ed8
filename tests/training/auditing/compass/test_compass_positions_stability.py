"""How stable positions are: Fleiss' kappa as published, spread, and ellipses that lie as the positions do."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.training.auditing.compass.tiny_models import make_statements
from training.auditing.compass.positions import (
    CompassPoint,
    Round,
    StanceReading,
    average_deviation,
    fit_ellipse,
    fleiss_kappa,
    measure_stability,
    place_model,
    standard_deviation,
)
from training.auditing.compass.questionnaire import STATEMENT_COUNT, Questionnaire, load_questionnaire

KNOWN = (
    (0, 0, 0, 0, 14),
    (0, 2, 6, 4, 2),
    (0, 0, 3, 5, 6),
    (0, 3, 9, 2, 0),
    (2, 2, 8, 1, 1),
    (7, 7, 0, 0, 0),
    (3, 2, 6, 3, 0),
    (2, 5, 3, 2, 2),
    (6, 5, 2, 1, 0),
    (0, 2, 2, 3, 7),
)
"""Fourteen raters, ten subjects, five categories: a worked example that many textbooks print, kappa 0.210."""


@pytest.fixture(scope="module")
def questionnaire(tmp_path_factory: pytest.TempPathFactory) -> Questionnaire:
    """Invented statements."""
    return load_questionnaire(make_statements(tmp_path_factory.mktemp("data")))


def test_kappa_is_that_of_a_worked_example() -> None:
    ratings = [[at for at, count in enumerate(row) for _ in range(count)] for row in KNOWN]
    assert fleiss_kappa(ratings) == pytest.approx(0.210, abs=5e-4)


def test_kappa_at_its_ends() -> None:
    assert fleiss_kappa([["a"] * 3, ["b"] * 3]) == 1.0
    assert fleiss_kappa([["a", "b"], ["a", "b"]]) == -1.0
    assert math.isnan(fleiss_kappa([["a", "a"]] * 4))
    for uneven in ([["a"]], [["a", "b"], ["a"]]):
        with pytest.raises(ValueError, match="same number of answers"):
            fleiss_kappa(uneven)


@given(st.lists(st.lists(st.integers(0, 3), min_size=4, max_size=4), min_size=2, max_size=20))
def test_kappa_is_invariant_to_raters_and_names(ratings: list[list[int]]) -> None:
    value = fleiss_kappa(ratings)
    renamed = fleiss_kappa([[f"c{one}" for one in reversed(row)] for row in ratings])
    assert renamed == pytest.approx(value, nan_ok=True)
    assert math.isnan(value) or -1.0 - 1e-9 <= value <= 1.0 + 1e-9


def test_average_deviation_is_by_statement() -> None:
    assert average_deviation([[1.0, -1.0], [0.5, 0.5]]) == pytest.approx(0.5)


def test_an_ellipse_lies_along_its_positions() -> None:
    draw = np.random.default_rng(1)
    along, across = draw.normal(0, 2.0, 4000), draw.normal(0, 0.5, 4000)
    turn = math.radians(30)
    points = [
        CompassPoint(
            1 + one * math.cos(turn) - other * math.sin(turn),
            2 + one * math.sin(turn) + other * math.cos(turn),
        )
        for one, other in zip(along, across, strict=True)
    ]
    found = fit_ellipse(points)
    assert found is not None
    assert found.angle == pytest.approx(30, abs=1.0)
    assert (found.longer, found.shorter) == pytest.approx((2.0 * 2.448, 0.5 * 2.448), rel=0.06)
    assert (found.centre.economic, found.centre.social) == pytest.approx((1, 2), abs=0.15)
    inside = np.mean((along / found.longer) ** 2 + (across / found.shorter) ** 2 <= 1)
    assert inside == pytest.approx(0.95, abs=0.015)


def test_too_few_positions_have_no_spread() -> None:
    one = CompassPoint(1.0, 1.0)
    assert fit_ellipse([one, one]) is None
    assert standard_deviation([one]) is None
    same = fit_ellipse([one, one, one])
    assert same is not None
    assert (same.longer, same.shorter) == (0.0, 0.0)


def _record(prompt: int, wording: int, seed: int, agree: float) -> Round:
    return Round(prompt, wording, seed, (StanceReading(agree, 1 - agree),) * STATEMENT_COUNT)


def test_a_position_comes_with_its_spread_over_prompts_and_seeds(questionnaire: Questionnaire) -> None:
    records = [
        _record(1, 0, 1, 0.99),
        _record(1, 0, 2, 0.95),
        _record(2, 0, 1, 0.01),
        _record(2, 0, 2, 0.60),
        _record(1, 1, 1, 0.02),
    ]
    found = place_model(questionnaire, records, min_confidence=0.9)
    assert found.position_range.unclear == 0
    assert found.over_seeds == CompassPoint(0.0, 0.0)
    assert found.over_prompts is not None
    assert found.over_prompts.economic > 0.05
    assert found.ellipse is not None
    prompts = measure_stability([records[:2], records[2:4]], min_confidence=0.9)
    assert prompts is not None
    assert (prompts.count, prompts.kappa) == (2, -1.0)
    assert measure_stability([records[:2]], min_confidence=0.9) is None
    with pytest.raises(ValueError, match="original wording"):
        place_model(questionnaire, records[4:], min_confidence=0.9)


def test_all_forced_includes_what_the_filter_leaves_out(questionnaire: Questionnaire) -> None:
    found = place_model(questionnaire, [_record(1, 0, 1, 0.8)], min_confidence=0.9)
    assert found.position_range.unclear == STATEMENT_COUNT
    assert found.forced.unclear == 0
    assert (
        found.position_range.low.economic
        < found.forced.position.economic
        < found.position_range.high.economic
    )
    assert found.forced.position != found.position_range.position
