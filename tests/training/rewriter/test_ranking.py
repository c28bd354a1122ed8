"""Protects the ranking: what counts as good, which thresholds are chosen, and what a shift of leaning costs."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from core.bundles.rewriter import (
    DEFAULT_RANKING,
    RankingFeatures,
    RankingModel,
    RewriterThresholds,
    load_rewriter_bundle,
)
from core.rewriting import candidates
from core.text.diff import TextEdit
from tests.tiny_rewriter import SOUND, make_rewriter
from training.rewriter import judging, ranking
from training.rewriter.judged_suggestions import JudgedItem, JudgedSuggestion
from training.rewriter.model_card import FittedRanking
from training.rewriter.ranking import LabelledCandidate

NOTHING = RankingFeatures(*([0.0] * len(RankingFeatures._fields)))
TEXT = "The senator said this shameful policy."
START, END = 22, 30


def labelled(likely: float, *, good: bool, sound: bool = True, fit: float = 5.0) -> LabelledCandidate:
    """A suggestion with these features and labels."""
    return LabelledCandidate(NOTHING._replace(likely=likely, fit=fit), 0.0, good, sound)


def item(*suggestions: JudgedSuggestion) -> JudgedItem:
    """The sentence with its finding and judged suggestions."""
    return JudgedItem("news_pool", TEXT, START, END, (), False, suggestions)


def judged(words: str, *verdicts: str) -> JudgedSuggestion:
    """A suggestion that puts ``words`` in the place of the finding."""
    cut = END if words else END + 1
    edits = (TextEdit(START, cut, words),)
    return JudgedSuggestion(edits, TEXT[:START] + words + TEXT[cut:], START, START + len(words), verdicts)


def test_only_judged_suggestions_that_the_rewriter_makes_are_learnt_from(
    tiny_bundle: Path, tmp_path: Path
) -> None:
    suggester = ranking.open_unfiltered(
        tiny_bundle, make_rewriter(tmp_path / "rewriter", thresholds={"score": 0.2, "fit": 0.9, "offer": 0.9})
    )
    place = ranking.judged_place(
        suggester, item(judged("", "g", "a"), judged("new", "u", "u"), judged("nice", "g", "g"))
    )
    assert sorted((one.is_good, one.is_sound) for one in place) == [(False, False), (True, True)]
    assert all(one.features.fit == pytest.approx(ranking._log_odds(SOUND), abs=0.2) for one in place)
    assert ranking.judged_place(suggester, item(judged("", "g", "n"))) == []


def test_a_sheet_lists_what_is_not_judged_and_verdicts_come_back(
    tiny_bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(candidates, "load_annotated_replacements", dict)
    suggester = ranking.open_unfiltered(tiny_bundle, make_rewriter(tmp_path / "rewriter"))
    one = item(judged("", "g", "g"))
    lines = list(judging.sheet(suggester, [one]))
    key = lines[0].lstrip("#")
    assert lines[1] == "The senator said this [[shameful]] policy."
    letter = next(
        line.split(":")[0].strip() for line in lines if line.endswith(": The senator said this new policy.")
    )
    assert not any(line.endswith("said this policy.") for line in lines)
    first, second = tmp_path / "first.txt", tmp_path / "second.txt"
    first.write_text(f"{key} | {letter}=g z=?\nnonsense\n", "utf-8")
    second.write_text(f"#{key} | {letter}=m\n", "utf-8")
    readers = [judging.read_verdicts(path) for path in (first, second)]
    assert readers[0] == {key: {letter: "g"}}
    rows = judging.add(suggester, [one], readers)
    assert rows == {key: [{"edits": [[22, 30, "new"]], "verdicts": ["g", "m"]}]}
    assert judging.add(suggester, [one], [readers[0], {}]) == {}


def test_the_model_learns_what_tells_good_from_bad() -> None:
    places = [[labelled(2.0, good=True), labelled(-2.0, good=False)]] * 20
    found = ranking.fit_logistic(places, [])
    assert found.weights.likely > 0
    assert (
        found.score(NOTHING._replace(likely=2.0), 0.0) > 0.5 > found.score(NOTHING._replace(likely=-2.0), 0.0)
    )


def test_the_thresholds_offer_as_much_as_is_good_enough() -> None:
    good = [[labelled(1.0, good=True)]] * 50
    poor = [[labelled(-1.0, good=False)]] * 50
    broken = [[labelled(1.0, good=False, sound=False, fit=-2.0)]] * 25
    scores = [[0.8]] * 50 + [[0.3]] * 50 + [[0.8]] * 25
    fit, offer, figures = ranking.select_offer([*good, *poor, *broken], scores)
    assert 0.1 < fit <= 0.9
    assert 0.3 < offer <= 0.8
    assert figures == (pytest.approx(0.4), 1.0, 0.0)


def test_surer_english_is_worth_a_few_offers() -> None:
    """One good suggestion in a hundred is less sure to be sound English than the others."""
    places = [[labelled(1.0, good=True, fit=-1.0 if at == 0 else 5.0)] for at in range(100)]
    fit, _, figures = ranking.select_offer(places, [[0.9]] * 100)
    assert fit == 0.9
    assert figures[0] == pytest.approx(0.99)
    places = [[labelled(1.0, good=True, fit=-1.0 if at < 10 else 5.0)] for at in range(100)]
    fit, _, figures = ranking.select_offer(places, [[0.9]] * 100)
    assert fit < 0.3
    assert figures[0] == 1.0


def test_where_nothing_is_good_enough_the_best_is_offered() -> None:
    places = [[labelled(1.0, good=at % 3 == 0)] for at in range(21)]
    scores = [[0.9 if at < 10 or at % 3 == 0 else 0.1] for at in range(21)]
    _, offer, figures = ranking.select_offer(places, scores)
    assert offer > 0.1
    assert figures[1] == pytest.approx(7 / 13)


def test_the_least_score_leaves_enough_statements_alone() -> None:
    scores = RankingModel(0.0, NOTHING._replace(likely=1.0), 0.0)
    sure, unsure = (labelled(odds, good=False) for odds in (0.0, -2.0))
    statements = [[[sure]]] * 3 + [[[unsure]]] * 97
    assert 0.12 <= ranking.select_score(scores, statements) <= 0.5
    assert ranking.select_score(scores, [[[sure]]] * 50 + [[]] * 50) == 0.51
    unfit = [[[labelled(0.0, good=False, fit=-5.0)]]] * 100
    assert ranking.select_score(scores, unfit, fit=0.5) == 0.01


def test_a_suggestion_that_moves_the_leaning_costs() -> None:
    priced = replace(DEFAULT_RANKING, leaning=30.0)
    assert priced.score(NOTHING, 0.1) < priced.score(NOTHING, 0.0) == pytest.approx(0.5)
    assert replace(DEFAULT_RANKING, leaning=0.0).score(NOTHING, 0.1) == pytest.approx(0.5)


def test_a_ranking_is_written_into_bundle_and_card_once(tmp_path: Path) -> None:
    bundle = make_rewriter(tmp_path / "rewriter")
    (bundle / "README.md").write_text("# tiny\n\n## What it cannot do\n\nMuch.\n", encoding="utf-8")
    first = FittedRanking(
        DEFAULT_RANKING,
        RewriterThresholds(0.25, 0.2, 0.1),
        judged=(10, 3),
        offered=0.9,
        good=0.91,
        broken=0.01,
        unchanged=(0.98, 0.97),
        shift=(0.02, 0.01),
    )
    ranking.write_ranking(bundle, first)
    ranking.write_ranking(bundle, replace(first, thresholds=RewriterThresholds(0.4, 0.3, 0.15)))
    read = load_rewriter_bundle(bundle)
    assert (read.ranking, read.thresholds) == (DEFAULT_RANKING, RewriterThresholds(0.4, 0.3, 0.15))
    card = (bundle / "README.md").read_text(encoding="utf-8")
    assert card.count("## Ranking") == 1
    assert "0.40" in card
    assert "0.25" not in card
    assert card.endswith("## What it cannot do\n\nMuch.\n")
    assert json.loads((bundle / "bundle.json").read_text(encoding="utf-8"))["name"] == "rewriter tiny"
