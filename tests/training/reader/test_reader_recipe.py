"""The recipe in one run, from corpora to a bundle that the app opens: teacher, stages, resume, card, command line."""

from __future__ import annotations

import io
import json
import signal
import subprocess
import sys
import uuid
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file
from transformers import BertConfig, BertModel

from core.bundles.manifest import LEANING_MACRO_F1
from core.bundles.reader import load_reader_bundle
from core.corrections import Correction, Verdict, corpus
from core.documents import Format, parse
from core.engine.engine import Engine
from core.runs.recipes import NO_TEACHER, ReaderRequest
from core.runs.run_store import RunStore
from core.runs.types import Status
from core.storage.store import Store
from core.types import GUIDE_CLASSES, Kind
from tests.training.tiny_corpora import make_injected, make_running
from training.cli import main
from training.loop.batches import EncodedExample
from training.loop.training_loop import TrainingError
from training.modeling.reader import ReaderModel, load_base, load_bundle_weights
from training.reader import model_card, quality_checks, recipe
from training.reader.leaning_stage import NEVER
from training.reader.pseudo_labels import PseudoLabeler

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def run_with_teacher(
    corpora: Path, tiny_base: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, list[dict], list[str]]:
    """One smoke run with a teacher: its bundle folder, its events, and the texts that the teacher labelled."""
    said = io.StringIO()
    runs = tmp_path_factory.mktemp("runs")
    request = ReaderRequest(
        data=corpora,
        base=str(tiny_base),
        teacher=str(tiny_base),
        device="cpu",
        scale="smoke",
        learning_rate=1e-3,
    )
    texts: list[str] = []
    label = PseudoLabeler.__call__

    def recording(labeler: PseudoLabeler, rows: Sequence[EncodedExample]) -> list[EncodedExample]:
        texts.extend(row.example.text for row in rows)
        return label(labeler, rows)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PseudoLabeler, "__call__", recording)
        bundle = recipe.run(request, make_running(runs, request, said))
    return bundle, [json.loads(line) for line in said.getvalue().splitlines()], texts


@pytest.fixture(scope="module")
def finished(run_with_teacher: tuple[Path, list[dict], list[str]]) -> tuple[Path, list[dict]]:
    """The bundle folder and the events of a smoke run with a teacher."""
    bundle, events, _ = run_with_teacher
    return bundle, events


def test_a_run_ends_in_a_bundle_that_the_engine_reads(finished: tuple[Path, list[dict]]) -> None:
    bundle, _ = finished
    report = Engine.load(bundle).analyse(parse("The shameful senator closed the school.", Format.PLAIN))
    assert report.summary.sentences == 1
    assert 0.0 <= report.sentences[0].bias <= 1.0


def test_the_reader_learns_from_its_teacher(
    run_with_teacher: tuple[Path, list[dict], list[str]],
) -> None:
    bundle, _, labelled = run_with_teacher
    assert labelled
    assert "A teacher on `" in (bundle / "README.md").read_text(encoding="utf-8")


def test_events_tell_every_stage_and_end_with_the_figures(finished: tuple[Path, list[dict]]) -> None:
    _, events = finished
    stages = [event["stage"] for event in events]
    trained = ["teacher broad", "teacher reader", "broad", "reader", "people", "leaning", "export"]
    assert [stage for stage in dict.fromkeys(stages) if stage] == trained
    assert events[-1]["event"] == "end"
    figures = set(events[-1]["metrics"])
    assert {
        "wnc_exact_f1",
        "babe_macro_f1",
        "int8_babe_macro_f1",
        "kind_kappa",
        "leaning_macro_f1",
    } <= figures
    assert {"wikibias_exact_f1", "wikibias_kinds_macro_f1", "annotated_f1", "sides_marks_differ"} <= figures
    (people,) = (event["metrics"] for event in events if "shift" in event["metrics"])
    assert set(people) == {"shift_before", "shift"}
    assert people["shift"] <= people["shift_before"]


def test_a_teacher_goes_through_both_stages_before_the_reader(finished: tuple[Path, list[dict]]) -> None:
    kept = finished[0].parent
    trained = {path.relative_to(kept).as_posix() for path in kept.rglob("*.safetensors")}
    assert trained == {
        "teacher/broad.safetensors",
        "teacher/reader.safetensors",
        "broad.safetensors",
        "reader.safetensors",
        "final.safetensors",
    }


def test_after_the_stages_only_the_bias_head_and_the_leaning_head_are_fitted(
    finished: tuple[Path, list[dict]],
) -> None:
    before, after = (load_file(finished[0].parent / f"{name}.safetensors") for name in ("reader", "final"))
    changed = {name for name in after if not torch.equal(before[name], after[name])}
    assert changed
    assert {name.split("_")[0].split(".")[0] for name in changed} == {"bias", "leaning"}


def test_the_card_is_written_from_the_run(finished: tuple[Path, list[dict]]) -> None:
    bundle, _ = finished
    metrics = json.loads((bundle.parent / "metrics.json").read_text(encoding="utf-8"))
    card = (bundle / "README.md").read_text(encoding="utf-8")
    assert json.loads((bundle / "bundle.json").read_text(encoding="utf-8"))["run"] in card
    assert f"{metrics['wnc_exact_f1']:.4f}" in card
    assert "A teacher on `bert` went through both stages first" in card
    for name, value in metrics.items():
        assert f"| {name} |" not in card, "it has no name for people"
        assert f" | {value:.4f} |" in card, name
    assert "They were annotated by a large language model" in card
    assert "WIKIBIAS, manual corpus with gold kinds" in card
    assert "- Trained without Real-world samples (WNC)" in card
    assert not [line for line in card.splitlines() if line.startswith("| ") and "_" in line]


def test_the_bundle_holds_the_scores_and_limitations_of_the_run(finished: tuple[Path, list[dict]]) -> None:
    folder, _ = finished
    metrics = json.loads((folder.parent / "metrics.json").read_text(encoding="utf-8"))
    bundle = load_reader_bundle(folder)
    assert bundle.evaluation[0].name == "BABE, sentence, macro-F1"
    assert bundle.evaluation[0].value == round(metrics["int8_babe_macro_f1"], 4)
    assert bundle.score(LEANING_MACRO_F1) == round(metrics["leaning_macro_f1"], 4)
    assert bundle.limitations == model_card.LIMITATIONS
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert all(sentence in card for sentence in bundle.limitations)


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
    seen += path.name == "reader.pt" and path.parent.name != "teacher"
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
    call += ["--teacher", str(tiny_base), "--scale", "smoke", "--rate", "0.001", "--run-id", broken]
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
    assert said.count("already trained") == 3
    assert "resumed at step 3" in said
    left, right = (load_file(folder / "final.safetensors") for folder in (whole, run.folder))
    assert all(torch.equal(left[name], right[name]) for name in left)
    kept = (folder / "metrics.json" for folder in (whole, run.folder))
    one, other = (json.loads(path.read_text(encoding="utf-8")) for path in kept)
    assert one == other


def test_what_a_teacher_says_changes_what_is_learned(
    finished: tuple[Path, list[dict]], corpora: Path, tiny_base: Path, tmp_path: Path
) -> None:
    """A teacher leaves the broad stage as it is and changes the reader's own."""
    request = ReaderRequest(
        data=corpora, base=str(tiny_base), teacher="none", device="cpu", scale="smoke", learning_rate=1e-3
    )
    folder = recipe.run(request, make_running(tmp_path, request, io.StringIO())).parent
    for name, is_equal in (("broad.safetensors", True), ("reader.safetensors", False)):
        left, right = load_file(finished[0].parent / name), load_file(folder / name)
        assert all(torch.equal(left[key], right[key]) for key in left) is is_equal, name


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


@pytest.fixture(scope="module")
def own_run(
    required_corpora: Path, tiny_base: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, list[dict]]:
    """A run without a teacher on the required corpora alone, with injected spans and a person's own text."""
    folder, said = tmp_path_factory.mktemp("own"), io.StringIO()
    path, pairs = folder / "corrections.jsonl", folder / "mine.tsv"
    sentence = "The disgraceful mayor of Quimby sold the old library to a friend."
    better = sentence.replace("disgraceful ", "")
    corpus.write(path, [Correction(Verdict.ACCEPTED, Kind.FRAMING, sentence, 4, 15, better)])
    pairs.write_text(
        "The ruthless mayor of Springfield kept it.\tThe mayor of Springfield kept it.\n", "utf-8"
    )
    request = ReaderRequest(
        data=required_corpora,
        base=str(tiny_base),
        teacher="none",
        device="cpu",
        scale="smoke",
        injected=make_injected(folder / "injected.jsonl"),
        corrections=path,
        pairs=pairs,
    )
    bundle = recipe.run(request, make_running(folder / "runs", request, said))
    return bundle, [json.loads(line) for line in said.getvalue().splitlines()]


def test_without_a_teacher_nothing_is_distilled(own_run: tuple[Path, list[dict]]) -> None:
    bundle, _ = own_run
    assert not (bundle.parent / "teacher").exists()
    assert "It had no teacher." in (bundle / "README.md").read_text(encoding="utf-8")


def test_a_run_without_the_optional_corpora_says_what_it_does_without(
    own_run: tuple[Path, list[dict]],
) -> None:
    bundle, events = own_run
    told = [event["message"] for event in events if "The run goes on without" in event["message"]]
    card = (bundle / "README.md").read_text(encoding="utf-8")
    named = [
        one["name"] for one in json.loads((bundle / "bundle.json").read_text(encoding="utf-8"))["corpora"]
    ]
    for folder, name in (
        ("wikibias/train.jsonl.xz", "WIKIBIAS, manual corpus with gold kinds"),
        ("editors/sentences.jsonl.xz", "Sentences read in full"),
        ("anno_lexical/sentences.jsonl.xz", "anno-lexical"),
        ("news_pool/sentences.tsv.xz", "News sentences by outlet"),
    ):
        assert any(folder in message for message in told), folder
        assert any(line.startswith(f"- Trained without {name}") for line in card.splitlines()), name
        assert not any(one.startswith(name) for one in named), name
    assert any(one.startswith("BABE") for one in named)
    metrics = json.loads((bundle.parent / "metrics.json").read_text(encoding="utf-8"))
    assert not [name for name in metrics if name.startswith("wikibias")]
    assert Engine.load(bundle).analyse(parse("The vile council met.", Format.PLAIN)).summary.sentences == 1
    assert "annotated_f1" in metrics  # This project's own sentences are always there.


def test_a_persons_own_text_is_counted_and_kept_nowhere(own_run: tuple[Path, list[dict]]) -> None:
    bundle, events = own_run
    card = (bundle / "README.md").read_text(encoding="utf-8")
    assert "2 sentences of its owner's corrections" in card
    assert "2 sentences of its owner's pairs" in card
    facts = json.loads((bundle / "bundle.json").read_text(encoding="utf-8"))
    named = {one["name"]: one["licence"] for one in facts["corpora"]}
    assert {named["Corrections"], named["Own pairs"]} == {"the person's own text"}
    kept = json.dumps(events) + "".join(
        file.read_text("utf-8", "replace") for file in bundle.parent.rglob("*.json")
    )
    assert "Quimby" not in kept
    assert "Springfield" not in kept


def test_a_reader_says_its_classes_and_from_which_confidence_on_it_shows_a_leaning(
    finished: tuple[Path, list[dict]], own_run: tuple[Path, list[dict]]
) -> None:
    for bundle, _ in (finished, own_run):
        facts = json.loads((bundle / "bundle.json").read_text(encoding="utf-8"))
        assert facts["labels"]["classes"] == list(GUIDE_CLASSES)
        assert facts["thresholds"]["leaning"] == NEVER
        assert "no leaning is shown" in (bundle / "README.md").read_text(encoding="utf-8")


def test_what_a_reader_says_of_itself_names_no_folder_of_the_machine(
    finished: tuple[Path, list[dict]],
    own_run: tuple[Path, list[dict]],
    corpora: Path,
    required_corpora: Path,
    tiny_base: Path,
) -> None:
    for bundle, _ in (finished, own_run):
        told = "".join((bundle / name).read_text(encoding="utf-8") for name in ("README.md", "bundle.json"))
        for folder in (corpora, required_corpora, tiny_base):
            assert str(folder) not in told


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
    assert main.main([*call, "--teacher", "none", "--scale", "smoke", "--pairs", str(pairs)]) == 2
    said = capsys.readouterr().err
    assert "mine.tsv contains no pair to learn from (line 1: not two columns but 1" in said
    assert said.count("\n") == 1


def test_data_check_tells_a_changed_file(corpora: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["data", "check", "--data", str(corpora)]) == 2
    assert "differs       wnc/pairs.dev.tsv" in capsys.readouterr().out


def test_a_teacher_that_cannot_be_loaded_can_be_left_out(
    corpora: Path, tiny_base: Path, tmp_path: Path
) -> None:
    (tmp_path / "empty").mkdir()
    request = ReaderRequest(
        data=corpora,
        base=str(tiny_base),
        teacher=str(tmp_path / "empty"),
        device="cpu",
        scale="smoke",
    )
    with pytest.raises(TrainingError, match=r"there is no tokenizer in this folder.*name none in its place"):
        recipe.run(request, make_running(tmp_path / "runs", request, io.StringIO()))


def test_where_fixed_ranges_cost_too_much_the_ranges_are_dynamic(
    corpora: Path, tiny_base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked = quality_checks.check_parity

    def strict(bundle: Path, *arguments: Any, **options: Any) -> dict[str, float]:
        if b"DynamicQuantizeLinear" not in load_reader_bundle(bundle).graph.read_bytes():
            raise quality_checks.ParityError("The bundle is not fit to use.")
        return checked(bundle, *arguments, **options)

    monkeypatch.setattr(quality_checks, "check_parity", strict)
    said = io.StringIO()
    request = ReaderRequest(
        data=corpora, base=str(tiny_base), teacher=NO_TEACHER, device="cpu", scale="smoke"
    )
    bundle = recipe.run(request, make_running(tmp_path, request, said))
    assert b"DynamicQuantizeLinear" in load_reader_bundle(bundle).graph.read_bytes()
    assert "Exporting with dynamic ones" in said.getvalue()
