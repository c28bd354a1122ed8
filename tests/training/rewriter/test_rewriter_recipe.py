"""The recipe from pairs to a bundle that the engine takes suggestions from: stages, resume, card, command line."""

from __future__ import annotations

import io
import json
import random
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from core.bundles.rewriter import RankingFeatures, load_rewriter_bundle
from core.rewriting.rewriter import Rewriter, RewriteRequest
from core.runs.recipes import RewriterRequest
from core.text.diff import TextEdit
from tests.training.tiny_corpora import make_injected, make_running
from training.corpora import annotated_sentences
from training.rewriter import recipe
from training.rewriter.data import _judged, load_rewriter_data
from training.rewriter.judged_suggestions import JudgedItem, JudgedSuggestion


@pytest.fixture(scope="module")
def finished(
    corpora: Path, tiny_base: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[RewriterRequest, Path, list[dict]]:
    """One smoke run: its request, its bundle folder and its events."""
    home = tmp_path_factory.mktemp("rewriter")
    said = io.StringIO()
    request = RewriterRequest(
        data=corpora,
        injected=make_injected(home / "injected.jsonl.xz"),
        base=str(tiny_base),
        device="cpu",
        scale="smoke",
        learning_rate=1e-3,
    )
    bundle = recipe.run(request, make_running(home / "runs", request, said))
    return request, bundle, [json.loads(line) for line in said.getvalue().splitlines()]


def test_a_run_ends_in_a_bundle_that_proposes_words(
    finished: tuple[RewriterRequest, Path, list[dict]],
) -> None:
    _, bundle, _ = finished
    (answer,) = Rewriter.load(bundle).propose(
        [RewriteRequest("The shameful senator closed the school.", 4, 12)], 3
    )
    assert 0.0 <= answer.keep <= 1.0
    assert len(answer.items) <= 3


def test_events_tell_every_stage_and_end_with_the_figures(
    finished: tuple[RewriterRequest, Path, list[dict]],
) -> None:
    _, _, events = finished
    assert {"broad", "editing", "export"} <= {event["stage"] for event in events}
    assert events[-1]["event"] == "end"
    assert {"dev_answer_first", "dev_annotated_in_3", "dev_keep_auc", "dev_fit_auc"} <= set(
        events[-1]["metrics"]
    )


def test_the_card_is_written_from_the_run(finished: tuple[RewriterRequest, Path, list[dict]]) -> None:
    request, bundle, _ = finished
    metrics = json.loads((bundle.parent / "metrics.json").read_text(encoding="utf-8"))
    card = (bundle / "README.md").read_text(encoding="utf-8")
    assert f"{metrics['dev_keep_auc']:.4f}" in card
    assert bundle.parent.name in card
    assert str(request.data) not in card
    assert "Not available" in card


def test_the_ranking_is_fitted_and_told(finished: tuple[RewriterRequest, Path, list[dict]]) -> None:
    _, bundle, _ = finished
    facts = json.loads((bundle / "bundle.json").read_text(encoding="utf-8"))
    assert set(facts["ranking"]["weights"]) == set(RankingFeatures._fields)
    assert load_rewriter_bundle(bundle).thresholds.score == facts["thresholds"]["score"]
    assert "## Ranking" in (bundle / "README.md").read_text(encoding="utf-8")


def test_a_resumed_run_skips_what_is_done(finished: tuple[RewriterRequest, Path, list[dict]]) -> None:
    request, bundle, _ = finished
    before = load_file(bundle.parent / "editing.safetensors")
    said = io.StringIO()
    recipe.run(request, make_running(bundle.parents[1], request, said, run=bundle.parent.name))
    after = load_file(bundle.parent / "editing.safetensors")
    assert said.getvalue().count("already trained") == 2
    assert all(torch.equal(before[name], after[name]) for name in before)


def test_a_persons_own_pairs_are_learnt_from_and_named(
    finished: tuple[RewriterRequest, Path, list[dict]], tmp_path: Path
) -> None:
    request, _, _ = finished
    pairs, said = tmp_path / "mine.tsv", io.StringIO()
    before = "The ruthless mayor of Springfield kept the old library."
    pairs.write_text(f"{before}\t{before.replace('ruthless ', '')}\nno tab here\n", "utf-8")
    material = load_rewriter_data(request.data, seed=1, limit=4, own_pairs=pairs, on_message=lambda _: None)
    edited = [one.questions[0] for one in material.pairs if one.text == before]
    assert any(one.start <= 4 and one.end >= 12 and one.answer is not None for one in edited)
    asked = replace(request, pairs=pairs)
    bundle = recipe.run(asked, make_running(tmp_path / "runs", asked, said))
    assert "owner's pairs" in (bundle / "README.md").read_text(encoding="utf-8")
    assert "Own pairs" in (bundle / "bundle.json").read_text(encoding="utf-8")
    assert "line 2: not two columns but 1" in said.getvalue()
    assert "Springfield" not in said.getvalue()


def test_a_run_without_an_optional_corpus_says_what_it_does_without(corpora: Path, tmp_path: Path) -> None:
    data = tmp_path / "corpora"
    shutil.copytree(corpora, data)
    shutil.rmtree(data / "editors")
    (data / "wnc" / "pairs_part2.tsv.xz").unlink()
    said: list[str] = []
    material = load_rewriter_data(data, seed=1, limit=4, on_message=said.append)
    assert any("suggestions in 2,226 annotated" in one for one in material.missing)
    assert any("27,836 more pairs" in line for line in said)
    assert annotated_sentences.FACTS not in material.corpora
    assert material.pairs
    assert material.annotated


def test_nothing_near_a_scored_sentence_is_learnt_from(corpora: Path) -> None:
    material = load_rewriter_data(corpora, seed=1, on_message=lambda _: None)
    scored = {one.text for one in (*material.dev_edits, *material.dev_annotated, *material.dev_kept)}
    learnt = {
        one.text
        for part in (material.pairs, material.wikibias, material.annotated, material.masked)
        for one in part
    }
    assert scored
    assert learnt
    assert not scored & learnt


def test_a_suggestion_on_which_the_readers_disagree_teaches_nothing() -> None:
    text = "The senator said this shameful policy."
    edits = (TextEdit(22, 30, "new"),)
    given = [
        JudgedSuggestion(edits, "The senator said this new policy.", 22, 25, verdicts)
        for verdicts in (("u", "g"), ("u", "u"))
    ]
    for count, expected in ((1, []), (2, [False])):
        item = JudgedItem("news_pool", text, 22, 30, (), False, tuple(given[:count]))
        found = [one.fits for sentence in _judged(item, random.Random(1)) for one in sentence.questions]
        assert found == expected
