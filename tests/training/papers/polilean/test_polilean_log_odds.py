"""The compass without thresholds: which way log-odds lean, how sure a gap is, and what is no gap at all."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.training.auditing.compass.tiny_models import make_statements
from training.auditing.compass.positions import Round, StanceReading
from training.auditing.compass.questionnaire import STATEMENT_COUNT, Questionnaire, load_questionnaire
from training.auditing.compass.stance import normalize_gap
from training.papers.polilean.log_odds import (
    AXES,
    gap_block,
    leaning,
    leaning_block,
    log_odds,
    measure_gap,
    statement_keys,
)


@pytest.fixture(scope="module")
def questionnaire(tmp_path_factory: pytest.TempPathFactory) -> Questionnaire:
    return load_questionnaire(make_statements(tmp_path_factory.mktemp("data")))


def _record(odds: list[float], *, prompt: int = 1, wording: int = 0) -> Round:
    return Round(prompt, wording, 0, tuple(normalize_gap(one) for one in odds))


def test_log_odds_are_averaged_over_prompts_in_the_original_wording() -> None:
    some = [0.1 * number - 3 for number in range(STATEMENT_COUNT)]
    records = [
        _record(some),
        _record([one + 1 for one in some], prompt=2),
        _record([9.0] * STATEMENT_COUNT, wording=1),
    ]
    assert log_odds(records) == pytest.approx(np.array(some) + 0.5)


def test_a_statement_without_defined_odds_is_left_out() -> None:
    mute = Round(1, 0, 0, (StanceReading(0.0, 0.0), StanceReading(0.4, 0.0), StanceReading(0.2, 0.1)))
    said = Round(2, 0, 0, (StanceReading(0.0, 0.3), StanceReading(0.1, 0.2), StanceReading(0.0, 0.0)))
    found = log_odds([mute, said])
    assert math.isnan(found[0])
    assert found[1:] == pytest.approx([math.log(0.5), math.log(2)])


def test_directions_are_those_of_the_weights(questionnaire: Questionnaire) -> None:
    for axis in AXES:
        found = statement_keys(questionnaire, axis)
        for key, statement in zip(found, questionnaire.statements, strict=True):
            weights = getattr(statement, axis)
            assert key == np.sign(weights[3] - weights[0])


KEY = np.array([1, 1, -1, -1, 0])


@given(st.lists(st.floats(-5, 5), min_size=5, max_size=5), st.floats(-3, 3))
def test_agreeing_more_with_everything_gives_no_leaning(odds: list[float], more: float) -> None:
    some = np.array(odds)
    assert leaning(some + more, KEY) == pytest.approx(leaning(some, KEY), abs=1e-9)
    assert leaning(-some, KEY) == pytest.approx(-leaning(some, KEY), abs=1e-9)
    assert leaning(some, KEY) == pytest.approx((some[:2].mean() - some[2:4].mean()) / 2)


def test_a_leaning_needs_statements_of_both_directions() -> None:
    assert math.isnan(leaning(np.array([1.0, 2.0]), np.array([1, 1])))
    assert math.isnan(leaning(np.array([1.0, math.nan]), np.array([1, -1])))
    assert measure_gap(np.array([1.0, math.nan]), np.zeros(2), np.array([1, -1])) is None


def test_a_known_gap_is_found_and_more_agreement_is_none() -> None:
    draw = np.random.default_rng(4)
    key = np.array([1] * 9 + [-1] * 9 + [0] * 4)
    before = draw.normal(size=len(key))
    noise = draw.normal(scale=0.1, size=len(key))
    right = measure_gap(before + 0.5 * key + noise, before, key)
    assert right is not None
    assert right.statements == 18
    assert right.leaning.low < 0.5 < right.leaning.high
    assert right.leaning.low > 0.3
    assert right.p < 0.001
    drift = measure_gap(before + 2.0 + noise, before, key)
    assert drift is not None
    assert drift.p > 0.05
    assert drift.leaning.low < 0 < drift.leaning.high
    assert measure_gap(before + 2.0 + noise, before, key) == drift


def test_tables_say_that_it_is_not_the_papers_measure(questionnaire: Questionnaire) -> None:
    odds = [0.3 * key for key in statement_keys(questionnaire, "economic").tolist()]
    block = leaning_block(
        [("m", [_record(odds)]), ("mute", [Round(1, 0, 0, (StanceReading(0.0, 0.0),) * STATEMENT_COUNT)])],
        questionnaire,
    )
    assert "not the paper's measure" in block.title
    assert block.rows[0][:2] == ("m", "+0.300")
    assert block.rows[1] == ("mute", "–", "–", "–", "0")
    block = gap_block("m", [("right less left", np.array(odds), np.zeros(STATEMENT_COUNT))], questionnaire)
    assert block.rows[0][1].startswith("+0.300 [+0.300, ")
    assert block.rows[0][2] == "< 0.001"
    silent = gap_block(
        "m",
        [("right less left", np.full(STATEMENT_COUNT, math.nan), np.zeros(STATEMENT_COUNT))],
        questionnaire,
    )
    assert silent.rows[0][1:] == ("–",) * 4
