"""Protects the ranking: what counts as the editor's wording, what is learnt, and what a shift of leaning costs."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from core.bundles.rewriter import DEFAULT_RANKING, RankingFeatures, RankingModel, load_rewriter_bundle
from core.engine.engine import Engine
from core.rewriting.rewriter import Rewriter
from core.rewriting.suggester import Suggester
from tests.tiny_rewriter import make_rewriter
from training.rewriter import ranking
from training.rewriter.ranking import FittedRanking, LabelledWording

NOTHING = RankingFeatures(*([0.0] * len(RankingFeatures._fields)))


@pytest.fixture
def suggester(tiny_bundle: Path, tmp_path: Path) -> Suggester:
    """A tiny reader and a tiny rewriter that takes words out or says *said*, *person* or *new*."""
    return Suggester(Engine.load(tiny_bundle), Rewriter.load(make_rewriter(tmp_path / "rewriter")))


def correct(sentences: list[ranking.Sentence]) -> list[bool]:
    """Which of all wordings are the editor's."""
    return [wording.is_correct for sentence in sentences for place in sentence for wording in place]


def test_the_editors_wording_is_right_and_no_other(suggester: Suggester) -> None:
    source = "The senator said this shameful policy."
    out = correct(ranking.labelled_wordings(suggester, source, "The senator said this policy."))
    other = correct(ranking.labelled_wordings(suggester, source, "The senator said this new policy."))
    assert (sum(out), sum(other)) == (1, 1)
    assert out != other
    assert not any(correct(ranking.labelled_wordings(suggester, source, source)))


def test_an_edit_elsewhere_does_not_make_a_wording_wrong(suggester: Suggester) -> None:
    source = "The senator claims that this is a shameful policy."
    found = ranking.labelled_wordings(suggester, source, "The senator said that this is a policy.")
    ((claims, shameful),) = found
    assert any(one.is_correct for one in claims)
    assert any(one.is_correct for one in shameful)


def test_the_model_learns_what_tells_right_from_wrong() -> None:
    edited = [
        [
            [
                LabelledWording(NOTHING._replace(likely=2.0), 0.0, True),
                LabelledWording(NOTHING._replace(likely=-2.0), 0.0, False),
            ]
        ]
    ] * 20
    found = ranking._logistic(edited, [])
    assert found.weights.likely > 0
    assert (
        found.score(NOTHING._replace(likely=2.0), 0.0) > 0.5 > found.score(NOTHING._replace(likely=-2.0), 0.0)
    )


def test_the_least_score_leaves_enough_statements_alone() -> None:
    scores = RankingModel(0.0, NOTHING._replace(likely=1.0), 0.0)
    sure, unsure = (LabelledWording(NOTHING._replace(likely=odds), 0.0, False) for odds in (0.0, -2.0))
    statements = [[[[sure]]]] * 3 + [[[[unsure]]]] * 97
    least = ranking.select_score(scores, statements)
    assert 0.12 <= least <= 0.5
    assert ranking.select_score(scores, [[[[sure]]]] * 50 + [[]] * 50) == 0.51


def test_a_wording_that_moves_the_leaning_costs() -> None:
    priced = replace(DEFAULT_RANKING, leaning=30.0)
    assert priced.score(NOTHING, 0.1) < priced.score(NOTHING, 0.0) == pytest.approx(0.5)
    assert replace(DEFAULT_RANKING, leaning=0.0).score(NOTHING, 0.1) == pytest.approx(0.5)


def test_a_ranking_is_written_into_bundle_and_card_once(tmp_path: Path) -> None:
    bundle = make_rewriter(tmp_path / "rewriter")
    (bundle / "README.md").write_text("# tiny\n\n## What it cannot do\n\nMuch.\n", encoding="utf-8")
    first = FittedRanking(DEFAULT_RANKING, 0.25, 10, 3, (0.98, 0.97), (0.02, 0.01))
    ranking.write_ranking(bundle, first)
    ranking.write_ranking(bundle, replace(first, score=0.4))
    read = load_rewriter_bundle(bundle)
    assert (read.ranking, read.thresholds.score) == (DEFAULT_RANKING, 0.4)
    told = (bundle / "README.md").read_text(encoding="utf-8")
    assert told.count("## Ranking") == 1
    assert "0.40" in told
    assert "0.25" not in told
    assert told.endswith("## What it cannot do\n\nMuch.\n")
    assert json.loads((bundle / "bundle.json").read_text(encoding="utf-8"))["name"] == "rewriter tiny"
