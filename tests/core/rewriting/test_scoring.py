"""Protects who may be offered and who comes first: no suggestion brings a finding, and leaning is not moved."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import pytest

from core.bundles.rewriter import DEFAULT_RANKING, RankingFeatures
from core.documents import Format, parse
from core.engine.engine import Engine
from core.engine.reader import Reading
from core.engine.spans import Span
from core.rewriting import candidates
from core.rewriting.candidates import (
    FLAGGED,
    WIDENED,
    Candidate,
    EditTarget,
    Origin,
    build_combinations,
    may_report,
    removes_findings,
)
from core.rewriting.edits import make_passage
from core.rewriting.rewriter import AcceptanceRequest
from core.rewriting.scoring import (
    ReadPassage,
    accept_candidates,
    judge_acceptance,
    leaning_position,
    log_odds,
)
from core.rewriting.suggester import Suggester
from core.text.diff import TextEdit
from core.types import Kind
from tests.core.rewriting.fake_proposer import Told, bundle

TEXT = "a fascinating compromise between designs"
OUT = Candidate(
    (TextEdit(2, 14, ""),),
    ((2, 13),),
    FLAGGED,
    Origin(0.5, 0.5, 0.5, True, False, True),
    TEXT[:2] + TEXT[14:],
)


def mark(text: str, words: str, confidence: float) -> Span:
    """A finding of ``words`` in ``text``."""
    start = text.index(words)
    return Span(start, start + len(words), Kind.FRAMING, confidence)


@pytest.mark.parametrize("confidence", [0.1, 0.95])
def test_a_mark_on_words_that_stood_there_before_does_not_block(confidence: float) -> None:
    assert removes_findings(OUT, [mark(OUT.text, "compromise", confidence)])


def test_a_mark_on_new_words_blocks() -> None:
    text = TEXT.replace("fascinating", "mere")
    other = replace(OUT, changes=(TextEdit(2, 13, "mere"),), text=text)
    assert not removes_findings(other, [mark(text, "mere", 0.1)])


def test_the_words_that_an_editor_would_sooner_take_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    other = replace(OUT, changes=(TextEdit(2, 13, "new"),), text=TEXT.replace("fascinating", "new"))
    wide = replace(other, tier=WIDENED)
    told = Told({})
    assert judge_acceptance(told, TEXT, [OUT, other]) == [OUT, other]
    told.bundle = replace(told.bundle, judges_acceptance=True)
    asked: list[AcceptanceRequest] = []

    def judge(requests: Sequence[AcceptanceRequest]) -> list[float]:
        asked.extend(requests)
        return [0.9 if request.words == "new" else 0.2 for request in requests]

    monkeypatch.setattr(told, "judge_acceptance", judge)
    found = judge_acceptance(told, TEXT, [OUT, other, wide])
    assert [(one.changes, one.tier, one.origin.taken) for one in found] == [
        (other.changes, FLAGGED, 0.9),
        (OUT.changes, FLAGGED, 0.2),
        (other.changes, WIDENED, 0.9),
    ]
    assert asked[1] == (TEXT, 2, 13, "new")
    likelier = replace(OUT, origin=OUT.origin._replace(likely=0.99))
    unlikely = replace(other, origin=other.origin._replace(likely=0.01))
    assert [one.changes for one in judge_acceptance(told, TEXT, [unlikely, likelier])] == [
        OUT.changes,
        other.changes,
    ]


def test_choices_take_the_first_of_each_then_one_other() -> None:
    assert build_combinations([["a", "b"], ["c", "d"]], 1) == [["a", "c"], ["b", "c"], ["a", "d"]]
    assert build_combinations([["a"], []], 3) == build_combinations([], 3) == []


def test_a_hardly_political_sentence_has_a_leaning_near_zero() -> None:
    assert leaning_position(Reading((), 0.5, (0.1, 0.1, 0.8), 0.0)) == 0.0
    assert leaning_position(Reading((), 0.5, (0.1, 0.1, 0.8), 1.0)) == pytest.approx(0.7)
    assert leaning_position(Reading((), 0.5, (0.8, 0.1, 0.1), 1.0)) == pytest.approx(-0.7)


def test_of_two_suggestions_the_one_that_moves_the_leaning_less_comes_first(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(candidates, "load_annotated_replacements", dict)
    document = parse("The senator said this shameful policy.", Format.PLAIN)
    (finding,) = engine.analyse(document).findings
    told = Told({"shameful": [("new", 0.4), ("", 0.4)]})
    shifts = {}
    for price in (0.0, 1e3):
        ranking = replace(
            DEFAULT_RANKING, weights=RankingFeatures(*([0.0] * len(RankingFeatures._fields))), leaning=price
        )
        told.bundle = replace(bundle(), ranking=ranking)
        suggester = Suggester(engine, told)
        (_, (suggestions,)) = suggester.rank_sentence(document, document.sentences[0])
        shifts[price] = [one.shift for one in suggestions]
        items = suggester.suggest(document, finding).items
        assert [item.score for item in items] == sorted((item.score for item in items), reverse=True)
    assert len(shifts[0.0]) == 2
    assert shifts[1e3] == sorted(shifts[1e3])
    assert shifts[1e3][0] < shifts[1e3][1]


@pytest.mark.parametrize(("others", "risen", "accepted"), [(0, 0.2, False), (1, 0.2, True), (1, 0.5, False)])
def test_beside_other_findings_the_bias_of_the_sentence_may_rise_a_little(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, others: int, risen: float, accepted: bool
) -> None:
    """It is the other findings that make the sentence biased: they must not block a suggestion for this one."""
    document = parse("The senator said this shameful policy.", Format.PLAIN)
    passage = make_passage(document, document.sentences[0])
    start = passage.text.index("shameful")
    mine = Span(start, start + 8, Kind.FRAMING, 0.9)
    there = [Span(0, 3, Kind.FRAMING, 0.9)][:others]

    def reading(odds: float, *spans: Span) -> Reading:
        return Reading(spans, 1 / (1 + math.exp(-odds)), (0.3, 0.4, 0.3), 0.1)

    monkeypatch.setattr(engine.reader, "read", lambda texts, **_: [reading(1.0 + risen, *there)] * len(texts))
    text = passage.text.replace("shameful", "new")
    origin = Origin(0.5, 0.5, 0.0, empty=False, part=False, best=True)
    edit = TextEdit(start, start + 8, "new")
    made = Candidate((edit,), ((start, start + 8),), FLAGGED, origin, text)
    read = ReadPassage(passage, reading(1.0, mine, *there))
    assert bool(accept_candidates(engine.reader, read, [made], None)) is accepted


@pytest.mark.parametrize(
    ("words", "kind", "answer"),
    [
        ("poisoned", Kind.FRAMING, False),
        ("slammed", Kind.FRAMING, True),
        ("claimed", Kind.EPISTEMOLOGICAL, True),
    ],
)
def test_a_word_of_saying_stands_for_another_alone(words: str, kind: Kind, answer: bool) -> None:
    text = f"He {words} it."
    document = parse(text, Format.PLAIN)
    passage = make_passage(document, document.sentences[0])
    assert may_report(passage, EditTarget(3, 3 + len(words), kind, 0.9)) is answer


def test_log_odds_of_certainty_are_finite() -> None:
    assert log_odds(0.0) == pytest.approx(-9.21, abs=0.01)
    assert log_odds(1.0) == pytest.approx(9.21, abs=0.01)
