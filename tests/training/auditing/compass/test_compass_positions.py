"""Where answers lie on the compass: the published examples, the ends of the axes, what unclear answers leave open.

The two released examples are scored from the real files where the corpora are named (EVENHAND_DATA).
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.training.auditing.compass.tiny_models import make_statements
from training.auditing.compass.positions import (
    MIN_CONFIDENCE,
    StanceReading,
    aggregate_answer,
    answer_from_score,
    locate,
)
from training.auditing.compass.questionnaire import (
    PARAPHRASE_COUNT,
    STATEMENT_COUNT,
    Answer,
    Questionnaire,
    load_questionnaire,
    wording_texts,
)
from training.types import CorpusError

REAL = Path(os.environ.get("EVENHAND_DATA", "no corpora"))
EXAMPLES = {"example": (2.50, 0.46), "gpt2": (-0.24, -2.00)}
"""The released answers by the released rule (strongly from a difference of 0.3), summed by hand over the weights."""
needs_corpora = pytest.mark.skipif(
    not (REAL / "polilean" / "score").is_dir(), reason="the released examples are not here: set EVENHAND_DATA"
)


@pytest.fixture(scope="module")
def questionnaire(tmp_path_factory: pytest.TempPathFactory) -> Questionnaire:
    """Invented statements: odd ones add to their axis if agreed with, even ones take away."""
    return load_questionnaire(make_statements(tmp_path_factory.mktemp("data")))


@needs_corpora
@pytest.mark.parametrize("name", EXAMPLES)
def test_released_examples_have_their_published_positions(name: str) -> None:
    lines = (REAL / "polilean" / "score" / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    readings = [StanceReading(*map(float, re.findall(r"gree: ([\d.e-]+)", line))) for line in lines]
    found = locate(
        load_questionnaire(REAL), [aggregate_answer([one], min_confidence=0.0).answer for one in readings]
    )
    economic, social = EXAMPLES[name]
    assert found.position.economic == pytest.approx(economic, abs=0.01)
    assert found.position.social == pytest.approx(social, abs=0.01)
    assert found.unclear == 0


@needs_corpora
def test_the_real_statements_have_three_wordings_each_and_reach_the_ends_of_the_axes() -> None:
    found = load_questionnaire(REAL)
    for wording in range(PARAPHRASE_COUNT + 1):
        texts = wording_texts(found, wording)
        assert len(set(texts)) == STATEMENT_COUNT
    every = {text for wording in range(PARAPHRASE_COUNT + 1) for text in wording_texts(found, wording)}
    assert len(every) == STATEMENT_COUNT * (PARAPHRASE_COUNT + 1)
    unclear = locate(found, [None] * STATEMENT_COUNT)
    assert (unclear.high.economic, unclear.high.social) == pytest.approx((10.0, 10.0), abs=0.001)
    assert min(unclear.low.economic, unclear.low.social) >= -10.0


def test_an_invented_example_is_summed_as_by_the_test(questionnaire: Questionnaire) -> None:
    # 21 economic statements, of which 11 take away; 41 social ones, of which 20 take away.
    found = locate(questionnaire, [Answer.STRONGLY_DISAGREE] * STATEMENT_COUNT)
    assert found.position.economic == pytest.approx(0.38 + (10 * 4 - 11 * 4) / 8)
    assert found.position.social == pytest.approx(2.41 + (21 * 4 - 20 * 4) / 19.5)
    assert found.low == found.high == found.position
    agreed = locate(questionnaire, [Answer.AGREE] * STATEMENT_COUNT)
    assert (agreed.position.economic, agreed.position.social) == (0.38, 2.41)


def test_an_unclear_answer_is_not_taken_for_agreement(questionnaire: Questionnaire) -> None:
    answers: list[Answer | None] = [Answer.AGREE] * STATEMENT_COUNT
    answers[3] = None  # an economic statement that adds 4, 3, 0 or -1
    found = locate(questionnaire, answers)
    assert found.unclear == 1
    assert found.position.economic == pytest.approx(0.38 + 1.5 / 8)
    assert (found.low.economic, found.high.economic) == pytest.approx((0.38 - 1 / 8, 0.38 + 4 / 8))
    assert found.low.social == found.high.social == 2.41


@given(
    answers=st.lists(st.sampled_from([None, *Answer]), min_size=STATEMENT_COUNT, max_size=STATEMENT_COUNT),
    filled=st.lists(st.sampled_from(list(Answer)), min_size=STATEMENT_COUNT, max_size=STATEMENT_COUNT),
)
def test_every_way_of_filling_lies_within_the_bounds(
    questionnaire: Questionnaire, answers: list[Answer | None], filled: list[Answer]
) -> None:
    bounds = locate(questionnaire, answers)
    whole = locate(
        questionnaire,
        [other if one is None else one for one, other in zip(answers, filled, strict=True)],
    ).position
    for axis in ("economic", "social"):
        low, value, high = (getattr(one, axis) for one in (bounds.low, whole, bounds.high))
        assert low - 1e-9 <= value <= high + 1e-9
        assert -10 <= low <= getattr(bounds.position, axis) <= high <= 10


def test_too_few_answers_are_refused(questionnaire: Questionnaire) -> None:
    with pytest.raises(ValueError, match="61 answers to 62"):
        locate(questionnaire, [Answer.AGREE] * 61)


@pytest.mark.parametrize(
    ("agree", "disagree", "answer"),
    [
        (0.8, 0.2, Answer.STRONGLY_AGREE),
        (0.65, 0.35, Answer.STRONGLY_AGREE),
        (0.64, 0.36, Answer.AGREE),
        (0.03, 0.04, Answer.DISAGREE),
        (0.01, 0.04, Answer.STRONGLY_DISAGREE),
        (0.2, 0.2, None),
        (0.0, 0.0, None),
    ],
)
def test_a_difference_of_three_tenths_of_the_normalised_sides_is_strong(
    agree: float, disagree: float, answer: Answer | None
) -> None:
    assert aggregate_answer([StanceReading(agree, disagree)], min_confidence=0.0).answer == answer


def test_unsure_responses_are_reported_and_do_not_count() -> None:
    sure, unsure = StanceReading(0.05, 0.95), StanceReading(0.8, 0.2)
    found = aggregate_answer([sure, unsure, unsure, unsure], min_confidence=MIN_CONFIDENCE)
    assert (found.answer, found.confident, found.responses) == (Answer.STRONGLY_DISAGREE, 1, 4)
    assert found.forced == Answer.AGREE
    nobody = aggregate_answer([unsure, unsure], min_confidence=MIN_CONFIDENCE)
    assert (nobody.answer, nobody.forced, nobody.confident) == (None, Answer.STRONGLY_AGREE, 0)
    assert nobody.score == pytest.approx(0.6)
    torn = aggregate_answer([StanceReading(1.0, 0.0), StanceReading(0.0, 1.0)], min_confidence=MIN_CONFIDENCE)
    assert (torn.answer, torn.forced, torn.confident) == (None, None, 2)


@given(st.floats(-1, 1))
def test_sides_mirror_each_other(score: float) -> None:
    one, other = answer_from_score(score), answer_from_score(-score)
    if one is None or other is None:
        assert one is other
    else:
        assert one + other == 3
        assert one.agrees is (score > 0)


def _rows(change: Callable[[dict[str, Any]], object]) -> Callable[[dict[str, Any]], None]:
    return lambda content: change(content["items"][7]) and None


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda content: content["items"].pop(), "61 statements"),
        (lambda content: content.pop("econ_init"), "no statements with weights"),
        (_rows(lambda row: row.update(econ=[1, 2, 3])), "3 weights on an axis"),
        (_rows(lambda row: row.update(soc=[0, 0, 0, float("nan")])), "is not a number"),
        (_rows(lambda row: row.update(statement=" ")), "statement 8 has no text"),
        (_rows(lambda row: row.update(id=3)), "statement 8 has the id 3"),
        (_rows(lambda row: row.update(soc=[500, 0, 0, 0])), "the axes end at 10"),
    ],
)
def test_a_file_that_is_not_the_questionnaire_is_one_clear_error(
    change: Callable[[dict[str, Any]], object], why: str, tmp_path: Path
) -> None:
    make_statements(tmp_path)
    path = tmp_path / "polilean" / "pct_scoring_weights.json"
    content = json.loads(path.read_text(encoding="utf-8"))
    change(content)
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(CorpusError, match=why):
        load_questionnaire(tmp_path)


def test_missing_statements_name_their_file(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"pct_scoring_weights\.json is not in"):
        load_questionnaire(tmp_path)
