"""The recipe from corpora to a bundle that the app opens: stages, resume to the same weights, card, command line."""

from __future__ import annotations

import io
import json
import signal
import subprocess
import sys
import uuid
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file
from transformers import BertConfig, BertModel

from core.bundles.manifest import LEANING_MACRO_F1
from core.bundles.reader import load_reader_bundle
from core.corrections import Correction, Verdict, corpus
from core.documents import Format, parse
from core.engine.engine import Engine
from core.runs.recipes import ReaderRequest
from core.runs.run_store import RunStore
from core.runs.types import Status
from core.storage.store import Store
from core.types import Kind
from tests.training.tiny_corpora import make_injected, make_running
from training.cli import main
from training.modeling.reader import ReaderModel, load_base, load_bundle_weights
from training.reader import model_card, recipe
from training.reader.stages import Scale

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def finished(
    corpora: Path, tiny_base: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, list[dict]]:
    """One smoke run: its bundle folder and its events."""
    said = io.StringIO()
    runs = tmp_path_factory.mktemp("runs")
    request = ReaderRequest(
        data=corpora, base=str(tiny_base), device="cpu", scale="smoke", learning_rate=1e-3
    )
    bundle = recipe.run(request, make_running(runs, request, said))
    return bundle, [json.loads(line) for line in said.getvalue().splitlines()]


def test_a_run_ends_in_a_bundle_that_the_engine_reads(finished: tuple[Path, list[dict]]) -> None:
    bundle, _ = finished
    report = Engine.load(bundle).analyse(parse("The shameful senator closed the school.", Format.PLAIN))
    assert report.summary.sentences == 1
    assert 0.0 <= report.sentences[0].bias <= 1.0


def test_events_tell_every_stage_and_end_with_the_figures(finished: tuple[Path, list[dict]]) -> None:
    _, events = finished
    assert {"related", "reader", "export"} <= {event["stage"] for event in events}
    assert events[-1]["event"] == "end"
    assert {"wnc_exact_f1", "babe_macro_f1", "int8_babe_macro_f1", "kind_kappa"} <= set(events[-1]["metrics"])


def test_the_card_is_written_from_the_run(finished: tuple[Path, list[dict]]) -> None:
    bundle, _ = finished
    metrics = json.loads((bundle.parent / "metrics.json").read_text(encoding="utf-8"))
    card = (bundle / "README.md").read_text(encoding="utf-8")
    assert json.loads((bundle / "bundle.json").read_text(encoding="utf-8"))["run"] in card
    assert f"{metrics['wnc_exact_f1']:.4g}" in card
    assert "Not available" in card


def test_the_bundle_holds_the_scores_and_limits_of_the_run(finished: tuple[Path, list[dict]]) -> None:
    folder, _ = finished
    metrics = json.loads((folder.parent / "metrics.json").read_text(encoding="utf-8"))
    bundle = load_reader_bundle(folder)
    assert bundle.evaluation[0].name == "BABE, sentence, macro-F1"
    assert bundle.evaluation[0].value == round(metrics["int8_babe_macro_f1"], 4)
    assert bundle.score(LEANING_MACRO_F1) == round(metrics["leaning_macro_f1"], 4)
    assert bundle.limits == model_card.LIMITS
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert all(limit in card for limit in bundle.limits)


def test_a_run_keeps_the_figures_that_its_page_shows(finished: tuple[Path, list[dict]]) -> None:
    kept = json.loads((finished[0].parent / "figures.json").read_text(encoding="utf-8"))
    assert [sum(map(sum, one["counts"])) > 0 for one in kept["confusion"]] == [True, True]
    assert kept["confusion"][0]["labels"] == ["not biased", "biased"]
    assert {row["source"] for row in kept["published"]} == {"Spinde et al. 2021, Table 5"}


KILLED = """
import os, signal, sys
from training.cli import main
from training.loop import checkpoints, training_loop
real, seen = checkpoints.save, 0
def save(path, *rest):
    global seen
    real(path, *rest)
    seen += path.name == "reader.pt"
    if seen == 3:
        os.kill(os.getpid(), signal.SIGKILL)
checkpoints.save, training_loop.CHECKPOINT_EVERY_S = save, 0.0
sys.exit(main.main(sys.argv[1:]))
"""
"""The command line, killed when the reader's stage has three steps in its checkpoint."""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_killed_run_goes_on_and_ends_like_an_unbroken_one(
    finished: tuple[Path, list[dict]], corpora: Path, tiny_base: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every weight and every metric is as without the kill; stages that were done are not done again."""
    whole, broken = finished[0].parent, str(uuid.uuid4())
    call = ["run", "reader", "--data", str(corpora), "--base", str(tiny_base), "--device", "cpu"]
    call += ["--scale", "smoke", "--rate", "0.001", "--run-id", broken]
    child = subprocess.run(
        [sys.executable, "-c", KILLED, *call], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert child.returncode == -signal.SIGKILL, child.stderr
    with closing(Store.open()) as store:
        runs = RunStore(store)
        assert [run.id for run in runs.mark_died()] == [broken]
        assert main.main(["run", "--resume", broken]) == 0
        run = runs.get(broken)
    assert run is not None
    assert run.status is Status.FINISHED
    said = capsys.readouterr().out
    assert said.count("already trained") == 1
    assert "resumed at step 3" in said
    left, right = (load_file(folder / "final.safetensors") for folder in (whole, run.folder))
    assert all(torch.equal(left[name], right[name]) for name in left)
    kept = (folder / "metrics.json" for folder in (whole, run.folder))
    one, other = (json.loads(path.read_text(encoding="utf-8")) for path in kept)
    assert one == other


def test_full_scale_distils_a_teacher(
    corpora: Path, tiny_base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = Scale(related_steps=2, reader_steps=3, further_steps=2, size=4, limit=12, distil=True, parity=0.6)
    monkeypatch.setitem(recipe.SCALES, "full", small)
    said = io.StringIO()
    request = ReaderRequest(
        data=corpora, base=str(tiny_base), teacher=str(tiny_base), device="cpu", scale="full"
    )
    bundle = recipe.run(request, make_running(tmp_path, request, said))
    assert (bundle.parent / "teacher" / "reader.safetensors").is_file()
    assert "predicting every row with the teacher" in said.getvalue()


def test_a_bundle_gives_its_weights_back(finished: tuple[Path, list[dict]], tiny_base: Path) -> None:
    bundle, _ = finished
    model, _ = load_base(tiny_base)
    load_bundle_weights(bundle, model)
    trained = load_file(bundle.parent / "final.safetensors")
    for name, values in model.state_dict().items():
        assert torch.allclose(values.float(), trained[name].float(), atol=0.02), name


def test_a_bundle_of_another_shape_is_refused(finished: tuple[Path, list[dict]], tmp_path: Path) -> None:
    bundle, _ = finished
    config = BertConfig(
        vocab_size=40, hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16
    )
    model = ReaderModel(BertModel(config, add_pooling_layer=False), 16)
    with pytest.raises(ValueError, match="of shape"):
        load_bundle_weights(bundle, model)


def test_a_run_without_a_training_fits_the_bias_head_alone(
    finished: tuple[Path, list[dict]], corpora: Path, tiny_base: Path, tmp_path: Path
) -> None:
    request = ReaderRequest(
        data=corpora, base=str(tiny_base), device="cpu", scale="smoke", init_from=finished[0], ensemble_size=0
    )
    said = io.StringIO()
    bundle = recipe.run(request, make_running(tmp_path / "runs", request, said))
    start, final = (load_file(bundle.parent / f"{name}.safetensors") for name in ("start", "final"))
    changed = {name for name in start if not torch.equal(start[name], final[name])}
    assert changed == {"bias_layer.weight", "bias_layer.bias", "bias.weight", "bias.bias"}
    assert not list(bundle.parent.glob("further-*"))
    was, now = load_reader_bundle(finished[0]), load_reader_bundle(bundle)
    assert replace(was.calibration, bias=now.calibration.bias) == now.calibration
    assert replace(was.thresholds, bias=now.thresholds.bias) == now.thresholds
    card = (bundle / "README.md").read_text(encoding="utf-8")
    assert "--init-from BUNDLE --ensemble-size 0" in card
    assert "its encoder and its other heads are that reader's" in card
    people = [json.loads(line) for line in said.getvalue().splitlines() if '"shift"' in line]
    assert set(people[0]["metrics"]) == {"shift_before", "shift"}


def test_a_run_may_go_on_from_a_bundle_with_injected_spans_and_a_persons_own_text(
    finished: tuple[Path, list[dict]], corpora: Path, tiny_base: Path, tmp_path: Path
) -> None:
    path, said = tmp_path / "corrections.jsonl", io.StringIO()
    sentence = "The disgraceful mayor of Quimby sold the old library to a friend."
    better = sentence.replace("disgraceful ", "")
    corpus.write(path, [Correction(Verdict.ACCEPTED, Kind.FRAMING, sentence, 4, 15, better)])
    pairs = tmp_path / "mine.tsv"
    pairs.write_text(
        "The ruthless mayor of Springfield kept it.\tThe mayor of Springfield kept it.\n", "utf-8"
    )
    request = ReaderRequest(
        data=corpora,
        base=str(tiny_base),
        device="cpu",
        scale="smoke",
        init_from=finished[0],
        injected=make_injected(tmp_path / "injected.jsonl"),
        corrections=path,
        pairs=pairs,
    )
    further = recipe.run(request, make_running(tmp_path / "runs", request, said))
    assert "related" not in {json.loads(line)["stage"] for line in said.getvalue().splitlines()}
    card = (further / "README.md").read_text(encoding="utf-8")
    assert f"continued from the reader of run `{load_reader_bundle(finished[0]).run}`" in card
    assert {path.name for path in further.parent.glob("*.safetensors")} == {
        "start.safetensors",
        "further-1.safetensors",
        "further-2.safetensors",
        "final.safetensors",
    }
    assert "2 sentences of its owner's corrections" in card
    assert "2 sentences of its owner's pairs" in card
    named = {
        corpus["name"]: corpus["licence"]
        for corpus in json.loads((further / "bundle.json").read_text())["corpora"]
    }
    assert {named["Corrections"], named["Own pairs"]} == {"the person's own text"}
    kept = said.getvalue() + "".join(
        file.read_text("utf-8", "replace") for file in further.parent.rglob("*.json")
    )
    assert "Quimby" not in kept
    assert "Springfield" not in kept


def test_the_command_line_says_what_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["run", "reader", "--data", str(tmp_path), "--scale", "smoke"]) == 2
    said = capsys.readouterr().err
    assert "final_labels_SG2.csv is not in" in said
    assert said.count("\n") == 1


def test_own_pairs_of_which_none_can_be_used_are_told_on_the_command_line(
    corpora: Path, tiny_base: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pairs = tmp_path / "mine.tsv"
    pairs.write_text("no tab here\n", "utf-8")
    call = ["run", "reader", "--data", str(corpora), "--base", str(tiny_base), "--device", "cpu"]
    assert main.main([*call, "--scale", "smoke", "--pairs", str(pairs)]) == 2
    said = capsys.readouterr().err
    assert "mine.tsv holds no pair to learn from (line 1: not two columns but 1" in said
    assert said.count("\n") == 1


def test_data_check_tells_a_changed_file(corpora: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["data", "check", "--data", str(corpora)]) == 2
    assert "differs       wnc/pairs.dev.tsv" in capsys.readouterr().out
