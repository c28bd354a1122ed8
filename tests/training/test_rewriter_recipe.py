"""The recipe from pairs to a bundle that the engine takes suggestions from: stages, resume, card, command line."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from core.rewriting.rewriter import Ask, Rewriter
from tests.training.tiny_corpora import make_injected, make_running
from training import cli
from training.recipes import rewriter


@pytest.fixture(scope="module")
def finished(
    corpora: Path, tiny_base: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[rewriter.Request, Path, list[dict]]:
    """One smoke run: its request, its bundle folder and its events."""
    home = tmp_path_factory.mktemp("rewriter")
    said = io.StringIO()
    request = rewriter.Request(
        data=corpora,
        injected=make_injected(home / "injected.jsonl.xz"),
        base=str(tiny_base),
        device="cpu",
        scale="smoke",
        rate=1e-3,
    )
    bundle = rewriter.run(request, make_running(home / "runs", request, said))
    return request, bundle, [json.loads(line) for line in said.getvalue().splitlines()]


def test_a_run_ends_in_a_bundle_that_proposes_words(
    finished: tuple[rewriter.Request, Path, list[dict]],
) -> None:
    _, bundle, _ = finished
    (answer,) = Rewriter.load(bundle).propose([Ask("The shameful senator closed the school.", 4, 12)], 3)
    assert 0.0 <= answer.keep <= 1.0
    assert len(answer.items) <= 3


def test_events_tell_every_stage_and_end_with_the_figures(
    finished: tuple[rewriter.Request, Path, list[dict]],
) -> None:
    _, _, events = finished
    assert {"injected", "real", "export"} <= {event["stage"] for event in events}
    assert events[-1]["event"] == "end"
    assert {"dev_answer_first", "dev_keep_auc"} <= set(events[-1]["metrics"])


def test_the_card_is_written_from_the_run(finished: tuple[rewriter.Request, Path, list[dict]]) -> None:
    request, bundle, _ = finished
    metrics = json.loads((bundle.parent / "metrics.json").read_text(encoding="utf-8"))
    card = (bundle / "README.md").read_text(encoding="utf-8")
    assert f"{metrics['dev_keep_auc']:.4f}" in card
    assert bundle.parent.name in card
    assert str(request.data) not in card
    assert "Could not be had" in card


def test_a_resumed_run_skips_what_is_done(finished: tuple[rewriter.Request, Path, list[dict]]) -> None:
    request, bundle, _ = finished
    before = load_file(bundle.parent / "real.safetensors")
    said = io.StringIO()
    rewriter.run(request, make_running(bundle.parents[1], request, said, run=bundle.parent.name))
    after = load_file(bundle.parent / "real.safetensors")
    assert said.getvalue().count("already trained") == 2
    assert all(torch.equal(before[name], after[name]) for name in before)


def test_the_command_line_says_how_to_get_injected_pairs(
    corpora: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call = ["run", "rewriter", "--data", str(corpora), "--scale", "smoke", "--out", str(tmp_path)]
    assert cli.main([*call, "--injected", str(tmp_path / "none.jsonl")]) == 2
    said = capsys.readouterr().err
    assert "evenhand train data inject" in said
    assert said.count("\n") == 1
