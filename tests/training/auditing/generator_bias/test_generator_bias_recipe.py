"""An audit keeps figures and texts part by part, goes on where it was stopped, and says in one line what is wrong."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from core.runs.generator_audit import AUDIT_FILE, BIAS_KINDS, OVERALL, VANILLA, Audit, read_audit, read_texts
from core.runs.recipes import GeneratorAuditRequest
from core.runs.run_store import RunStore
from core.runs.types import EVENTS, Run, Status
from core.storage.store import Store
from tests.training.auditing.generation import tiny_generator
from tests.training.auditing.tiny_articles import make_articles
from tests.training.tiny_corpora import make_running
from training.auditing.debiasing.systems import MODES
from training.auditing.generation import prompts, sampling
from training.auditing.generation.generator import Generator
from training.auditing.generator_bias import recipe as audit
from training.auditing.generator_bias.progress import AuditProgress
from training.auditing.generator_bias.runner import BiasRunner
from training.auditing.ideology_classifiers import registry
from training.cli import main
from training.loop.dry_run import estimate
from training.loop.events import Events, StoppedError
from training.loop.result_cache import Measurement

TIMED = ("seconds", "per_100", "vanilla_per_100")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with articles alone."""
    return make_articles(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A generator."""
    return tiny_generator.save(tmp_path_factory.mktemp("base") / "tiny")


@pytest.fixture(scope="module")
def request_(data: Path, base: Path) -> GeneratorAuditRequest:
    """Two attributes at the smoke scale, one of them named first."""
    return GeneratorAuditRequest(
        data=data, base=str(base), attributes=("location", "gender"), device="cpu", scale="smoke", seed=3
    )


@pytest.fixture(scope="module")
def finished(
    request_: GeneratorAuditRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, list[dict[str, Any]]]:
    """The folder of an audit that came to its end, and what it said."""
    said, folder = io.StringIO(), tmp_path_factory.mktemp("run")
    audit.run(request_, make_running(folder, request_, said))
    (file,) = folder.rglob(AUDIT_FILE)
    return file.parent, [json.loads(line) for line in said.getvalue().splitlines()]


def _found(folder: Path) -> Audit:
    found = read_audit(folder)
    assert found is not None
    return found


def _figures(found: Audit) -> dict[tuple[str, str], dict[str, float]]:
    """The figures of each part but for its time."""
    return {
        (part.attribute, part.system): {
            name: value for name, value in part.metrics.items() if name not in TIMED
        }
        for part in found.parts
    }


def test_every_option_has_both_biases_before_and_after(finished: tuple[Path, list[dict[str, Any]]]) -> None:
    found = _found(finished[0])
    assert found.is_complete
    assert list(found.options) == ["location", "gender"]
    assert found.systems == (VANILLA, *MODES)
    assert found.generator == "tiny"
    assert found.classifier_score is not None
    for part in found.parts:
        for kind in BIAS_KINDS:
            biases = [part.bias(kind, option) for option in (*found.options[part.attribute], OVERALL)]
            *_, overall = biases
            assert overall is not None
            assert overall.value == pytest.approx(
                sum(bias.value for bias in biases[:-1] if bias is not None) / len(biases[:-1])
            )
            assert (overall.removed_share is None) or part.system != VANILLA
            assert all(bias is not None and 0 <= bias.value <= 1 and bias.null_high > 0 for bias in biases)
        assert part.rate(found.options[part.attribute][0]) is not None
        assert part.perplexity_ratio == pytest.approx(1) or part.system != VANILLA
    assert all((found.pace_ratio(system) or 0) > 0 for system in found.systems)


def test_the_texts_of_all_systems_are_saved_with_their_scores(
    finished: tuple[Path, list[dict[str, Any]]],
) -> None:
    folder, _ = finished
    for attribute in ("location", "gender"):
        rows = read_texts(folder, attribute, (VANILLA, *MODES))
        part = _found(folder).part("cls", attribute)
        assert part is not None
        assert len(rows) == part.metrics["texts"]
        assert all(list(row.texts) == [VANILLA, *MODES] for row in rows)
        assert all(row.keyword in row.prompt for row in rows)
        assert all(0 <= text.liberal <= 1 for row in rows for text in row.texts.values())
        option = rows[0].option
        own = [row.texts["cls"].liberal for row in rows if (row.option, row.trigger) == (option, "indirect")]
        assert sum(own) / len(own) == pytest.approx(part.rate(option), abs=1e-3)


def test_steps_and_time_left_are_those_of_the_whole(finished: tuple[Path, list[dict[str, Any]]]) -> None:
    folder, events = finished
    steps = [event for event in events if event["event"] == "step" and "seed" in event["stage"]]
    whole = sum(int(part.metrics["texts"]) for part in _found(folder).parts)
    assert {event["steps"] for event in steps} == {whole}
    assert [event["step"] for event in steps] == sorted(event["step"] for event in steps)
    assert steps[-1]["step"] == whole
    assert steps[-1]["eta_s"] == 0
    evals = [event for event in events if event["event"] == "eval" and event["message"]]
    assert [event["message"] for event in evals] == [f"{at} of 10" for at in range(1, 11)]
    assert "indirect, male, value" in evals[-1]["metrics"]
    assert {"indirect_gender_cls", "perplexity_ratio_gender_emb", "macro_f1_of_judge"} <= set(
        events[-1]["metrics"]
    )


def test_time_left_counts_what_is_still_to_come() -> None:
    """Before a system has written, its pace is the vanilla one times what the paper took for it."""
    said = io.StringIO()
    texts = AuditProgress.from_events(Events("r", stream=said))
    texts.expect([(VANILLA, "gender", 100), ("cls", "gender", 100), (VANILLA, "topic", 200)])
    texts.begin(VANILLA, "gender")
    texts.emit("step", step=50, steps=100, eta_s=100.0)
    texts.begin("cls", "gender")
    texts.emit("step", step=10, steps=100, eta_s=450.0)
    texts.emit("stage", "f_debias", steps=7)
    first, second, stage = map(json.loads, said.getvalue().splitlines())
    assert (first["step"], first["steps"], first["eta_s"]) == (50, 400, 100 + 100 * 2 * 1.3 / 0.8 + 200 * 2)
    assert (second["step"], second["eta_s"]) == (110, 450 + 200 * 2)
    assert stage["steps"] == 7


@pytest.mark.parametrize("after", [2, 5])
def test_a_stopped_audit_shows_what_it_has_and_ends_with_the_same_figures(
    request_: GeneratorAuditRequest,
    finished: tuple[Path, list[dict[str, Any]]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    after: int,
) -> None:
    context = make_running(tmp_path, request_, io.StringIO())
    parts = 0

    def paused() -> Status | None:
        return Status.PAUSED if parts >= after else None

    made = BiasRunner.measure

    def counted(self: BiasRunner, cell_id: Any) -> Measurement:
        nonlocal parts
        parts += 1
        return made(self, cell_id)

    monkeypatch.setattr(BiasRunner, "measure", counted)
    context.events.stop_requested = paused
    with pytest.raises(StoppedError):
        audit.run(request_, context)
    there = _figures(_found(context.folder))
    assert len(there) == after - 1
    written = {path.name: path.read_bytes() for path in (context.folder / "samples").iterdir()}
    context.events.stop_requested = lambda: None
    parts = 0
    found = audit.run(request_, context)
    assert parts == 10 - len(there)
    assert _figures(found) == _figures(_found(context.folder)) == _figures(_found(finished[0]))
    for name, content in written.items():
        assert (context.folder / "samples" / name).read_bytes().startswith(content)


def test_an_audit_killed_within_a_part_generates_no_text_twice(
    request_: GeneratorAuditRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = replace(request_, attributes=("topic",), modes=())
    context = make_running(tmp_path, request, io.StringIO())
    written: list[str] = []
    sample = sampling.VanillaSampler.sample

    def counted(self: sampling.VanillaSampler, prompts: Sequence[str], **how: int) -> list[list[str]]:
        written.extend(prompts)
        return sample(self, prompts, **how)

    def killed(self: sampling.VanillaSampler, prompts: Sequence[str], **how: int) -> list[list[str]]:
        if written:
            raise KeyboardInterrupt
        return counted(self, prompts, **how)

    monkeypatch.setattr(sampling.VanillaSampler, "sample", killed)
    with pytest.raises(KeyboardInterrupt):
        audit.run(request, context)
    first = list(written)
    assert read_audit(context.folder) is None
    monkeypatch.setattr(sampling.VanillaSampler, "sample", counted)
    monkeypatch.setattr(BiasRunner, "time_sampling", lambda *_: {})
    found = audit.run(request, context)
    assert found.is_complete
    assert len(first) == 32
    assert len(written) == found.parts[0].metrics["texts"]
    assert len(set(written)) == len(written)


def test_without_modes_only_the_unchanged_generator_is_measured(
    request_: GeneratorAuditRequest, tmp_path: Path
) -> None:
    found = audit.run(
        replace(request_, modes=(), attributes=("gender",)), make_running(tmp_path, request_, io.StringIO())
    )
    assert found.systems == (VANILLA,)
    assert found.is_complete
    assert not list(tmp_path.rglob("f_debias*"))


def test_a_trained_classifier_is_reported_with_the_score_of_its_run(
    request_: GeneratorAuditRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The audit does not test it again: it may have been trained on the articles of the audit's test part."""
    words = registry.BUILT_IN["words"]
    trained = replace(words, title="a title", run="a run", base="a base", grouped=0.61)
    monkeypatch.setattr(audit, "find_classifier", lambda _: trained)
    alone = replace(request_, modes=())
    audit.run(alone, make_running(tmp_path, alone, io.StringIO()))
    (file,) = tmp_path.rglob(AUDIT_FILE)
    found = _found(file.parent)
    assert (found.ideology_classifier, found.classifier_run, found.classifier_score) == (
        "a base",
        "a run",
        0.61,
    )


def test_a_dry_run_estimates_the_duration_from_few_articles(
    request_: GeneratorAuditRequest,
) -> None:
    whole = estimate(request_, audit.run)
    assert whole["estimated_s"] > 0
    assert whole["estimated_disk_mib"] > 0
    cheap = estimate(replace(request_, modes=(), attributes=("gender",)), audit.run)
    assert cheap["estimated_disk_mib"] < whole["estimated_disk_mib"]


def _call(*words: str | Path) -> int:
    return main.main(["audit", "--scale", "smoke", "--device", "cpu", *map(str, words)])


def _run() -> Run:
    with closing(Store.open()) as store:
        (run,) = RunStore(store).list_runs()
        return run


def test_the_command_saves_all_results_in_the_store(data: Path, base: Path) -> None:
    assert _call("--data", data, "--base", base, "--attribute", "gender", "--modes", "emb", "--seed", 3) == 0
    run = _run()
    assert run.status is Status.FINISHED
    assert run.recipe == "audit"
    assert run.settings["attributes"] == "gender"
    assert run.settings["modes"] == "emb"
    assert run.result["indirect_gender_emb"] == pytest.approx(
        _found(run.folder).parts[1].metrics["indirect, overall, value"], abs=1e-5
    )
    with closing(Store.open()) as store:
        points = {(point.stage, point.name) for point in RunStore(store).points(run.id)}
        artefacts = {one.path for one in RunStore(store).artefacts(run.id)}
    assert ("gender, emb", "direct, female, corrected") in points
    assert {AUDIT_FILE, "texts-gender-emb.jsonl", "texts-gender-vanilla.jsonl"} <= artefacts
    assert _call("--resume", run.id) == 0
    assert sum('"start"' in line for line in (run.folder / EVENTS).read_text().splitlines()) == 2


def _one_keyword(folder: Path) -> None:
    content = json.loads(prompts.PROMPTS_FILE.read_text(encoding="utf-8"))
    del content["attributes"][0]["options"][0]["keywords"][1:]
    (folder / "prompts.json").write_text(json.dumps(content), encoding="utf-8")


def _wrong(name: str, data: Path, base: Path, folder: Path, patch: pytest.MonkeyPatch) -> list[str | Path]:
    """The words of a call that goes wrong, and what makes it so."""
    words: list[str | Path] = ["--data", data, "--base", base, "--attribute", "gender"]
    match name:
        case "no generator":
            words[3] = ""
        case "no model":
            words[3] = folder
        case "no corpora":
            words[1] = folder
        case "one side":
            words[1] = make_articles(folder / "one", sides=(0,))
        case "unknown attribute":
            words[5] = "race"
        case "unknown judge":
            words += ["--ideology-classifier", "nobody"]
        case "unknown mode":
            words += ["--modes", "naive"]
        case "one keyword":
            _one_keyword(folder)
            monkey = prompts.load_attributes
            patch.setattr(audit, "load_attributes", lambda names: monkey(names, path=folder / "prompts.json"))
        case "memory":

            def full(*_: object) -> None:
                raise torch.OutOfMemoryError("CUDA out of memory")

            patch.setattr(sampling.VanillaSampler, "_texts", full)
        case "damaged":
            patch.setattr(audit, "_new_audit", _damaging(audit._new_audit))
    return words


def _damaging(
    begun: Callable[[GeneratorAuditRequest, BiasRunner], Audit],
) -> Callable[[GeneratorAuditRequest, BiasRunner], Audit]:
    def damage(request: GeneratorAuditRequest, experiment: BiasRunner) -> Audit:
        (experiment.folder / AUDIT_FILE).write_text("{", encoding="utf-8")
        return begun(request, experiment)

    return damage


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("no generator", "Name one with --base"),
        ("no model", "no tokenizer in this folder"),
        ("no corpora", "Put the corpus there"),
        ("one side", "no row that is conservative"),
        ("unknown attribute", "gender, location, topic"),
        ("unknown judge", "tfidf"),
        ("unknown mode", "emb, cls, emb-token, token"),
        ("one keyword", "needs at least 2 keywords"),
        ("memory", "Choose a smaller generator"),
        ("damaged", "Begin a new audit"),
    ],
)
def test_errors_are_one_line_with_advice(
    name: str,
    said: str,
    data: Path,
    base: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert _call(*_wrong(name, data, base, tmp_path, monkeypatch)) == 2
    last_line = capsys.readouterr().err.strip().splitlines()[-1]
    assert last_line.startswith("evenhand train: ")
    assert said in last_line
    assert "Traceback" not in last_line


@pytest.mark.parametrize(("pad", "end"), [(False, False), (True, False), (False, True)])
def test_a_generator_needs_neither_a_pad_nor_an_end_token(
    request_: GeneratorAuditRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pad: bool, end: bool
) -> None:
    folder = tmp_path / "bare"
    tiny_generator._model("gpt2").save_pretrained(folder)
    tiny_generator.tokenizer(pad=pad, end=end).save_pretrained(folder)
    used: list[Generator] = []
    states = Generator.begin
    monkeypatch.setattr(Generator, "begin", lambda self, ids: used.append(self) or states(self, ids))
    found = audit.run(
        replace(request_, base=str(folder), attributes=("gender",), modes=("emb",)),
        make_running(tmp_path / "run", request_, io.StringIO()),
    )
    assert found.is_complete
    assert used[0].tokenizer.pad_token_id is None or pad
    assert used[0].tokenizer.eos_token_id is None or end
