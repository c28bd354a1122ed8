"""Tables 5 to 7 of the paper: each is one command, resumes after a kill and splits the articles between two models."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
import torch

from app.audit import audit_strings as window_words
from core.runs import trained_models
from core.runs.recipes import GeneratorAuditRequest as AuditRequest
from tests.training.auditing.generation import tiny_generator
from tests.training.auditing.tiny_articles import make_articles, make_glove
from training.auditing.debiasing import systems
from training.auditing.debiasing.training_data import WORD
from training.auditing.generation import sampling
from training.auditing.generation.generator import Generator
from training.auditing.generation.prompts import load_attributes
from training.auditing.generation.samples import read_samples
from training.auditing.generator_bias.runner import ALL, OVERALL, QUANTILES, metric_name
from training.auditing.ideology_classifiers.registry import BUILT_IN, DEFAULT_CLASSIFIER
from training.cli import main
from training.evaluation.results_table import Table
from training.loop.events import Events
from training.loop.result_cache import ResultCell, load_cells, read_results, save_cell, write_results
from training.loop.training_loop import TrainingError
from training.papers.political_calibration import tables
from training.papers.political_calibration.base_rate_chart import draw_base_rates
from training.papers.political_calibration.classifier_table import TABLE
from training.papers.political_calibration.tables import VIEWS, Plan

CPU = torch.device("cpu")
NAMES = ("gender", "location", "topic")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with articles alone."""
    return make_articles(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A generator."""
    return tiny_generator.save(tmp_path_factory.mktemp("base") / "tiny")


@pytest.fixture(scope="module")
def glove(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of word vectors."""
    return make_glove(tmp_path_factory.mktemp("glove") / "glove.txt")


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Finished cells and texts, which tables share."""
    return tmp_path_factory.mktemp("out")


@pytest.fixture(scope="module")
def commanded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Finished cells and texts of the tables that are run by their commands, all with one classifier."""
    return tmp_path_factory.mktemp("commanded")


@pytest.fixture
def plan(base: Path, glove: Path, tmp_path: Path) -> Plan:
    """A smoke run of Table 5 that knows no committed cell."""
    return Plan(base=str(base), glove=glove, scale="smoke", results=tmp_path / "results.json")


def _run(data: Path, plan: Plan, folder: Path) -> Table:
    return tables.run(data, plan, folder, device=CPU)


def _cells(folder: Path) -> dict[tuple[str, str], ResultCell]:
    return {(cell.row, cell.protocol): cell for cell in load_cells(folder / "calibration" / "cells")}


def _row(text: str, title: str, block: str = "") -> str:
    lines = text[text.index(block) :].splitlines()
    return next(line for line in lines if line.startswith(f"{title}  "))


@pytest.mark.parametrize("table", [*VIEWS, TABLE])
def test_every_table_runs_from_one_command(
    table: str, data: Path, base: Path, glove: Path, commanded: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = f"table {table} --data {data} --out {commanded} --scale smoke --device cpu --ignore-cache --glove {glove}"
    words += " --rows 0 emb-0.3 cls-0.1 cls-0.9" if table == "calibration-7" else ""
    assert (
        main.main(
            f"{words} --base {base} --ideology-classifier tfidf --markdown {commanded / table}.md".split()
        )
        == 0
    )
    text = capsys.readouterr().out
    assert text.count("not run here") == (7 * 4 * 3 if table == "calibration-7" else 0)
    assert "1 of 1" in text
    stored = json.dumps(
        [[cell.facts, cell.command] for cell in load_cells(commanded / "calibration" / "cells")]
    )
    assert not any(str(path) in stored for path in (data, base, glove, commanded))
    assert (commanded / f"{table}.md").read_text(encoding="utf-8").startswith("## Liu et al. 2021, ")
    if table == "calibration-5":
        assert "4.272" in _row(text, "immigration: vanilla", "topic, indirect bias")
        assert "-92%" in _row(text, "immigration: classifier (mode 2)", "topic, indirect bias")
        assert "unit is unknown" in text
        assert "f_debias: macro-F1" in text
        assert "Scored by logistic regression over TF-IDF (" in text
    if table == "calibration-6":
        assert "1.62" in _row(text, "classifier (mode 2)", "perplexity and time")
        assert "0.339" in _row(text, "classifier (mode 2)", "mean of all attributes, indirect bias")
    if table == "calibration-7":
        assert "0.617" in _row(text, "classifier (mode 2), λ = 0.1", "gender, indirect bias")
        assert "–" in _row(text, "word embedding (mode 1), λ = 0.3", "gender, indirect bias")
    if table == TABLE:
        assert "0.984" in text


def test_the_window_offers_the_classifiers_with_the_scores_of_their_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert list(window_words.BUILT_IN_CLASSIFIERS) == list(BUILT_IN)
    assert (
        next(iter(BUILT_IN)) == DEFAULT_CLASSIFIER == AuditRequest(data=Path(), base="x").ideology_classifier
    )
    assert main.main(f"table {TABLE} --show --data {tmp_path} --out {tmp_path}".split()) == 0
    text = capsys.readouterr().out
    for name, shown in window_words.BUILT_IN_CLASSIFIERS.items():
        assert shown.trainer_title == BUILT_IN[name].title
        row = _row(text, shown.trainer_title).removeprefix(shown.trainer_title).split()
        found = trained_models.measured_scores()[name]
        assert [row[0], row[2]] == [f"{found.random:.3f}", f"{found.grouped:.3f}"]


def test_one_attribute_is_measured_where_one_is_named(data: Path, tmp_path: Path, plan: Plan) -> None:
    asked = replace(
        plan,
        table="calibration-7",
        rows=("0", "emb-0.3"),
        attributes=("gender",),
        ideology_classifier="tfidf",
    )
    _run(data, asked, tmp_path)
    assert set(_cells(tmp_path)) == {("0", "gender"), ("emb-0.3", "gender")}
    command = _cells(tmp_path)["emb-0.3", "gender"].command
    assert command.endswith("--rows emb-0.3 --seeds 1 --attribute gender --ideology-classifier tfidf")
    with pytest.raises(TrainingError, match="no cells of one attribute"):
        _run(data, replace(asked, table="calibration-6", rows=()), tmp_path)


def test_bf16_texts_are_cells_of_their_own(
    data: Path, tmp_path: Path, plan: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = replace(plan, rows=("vanilla",), attributes=("gender",), ideology_classifier="tfidf")
    for half in (False, True):
        monkeypatch.setattr(systems, "has_fast_bf16", lambda _, half=half: half)
        _run(data, asked, tmp_path)
    formats = [cell.facts.get("numbers") for cell in load_cells(tmp_path / "calibration" / "cells")]
    assert sorted(formats, key=str) == [None, "bf16"]
    texts = [read_samples(path)[0] for path in (tmp_path / "calibration" / "samples").iterdir()]
    assert sorted((facts.get("numbers") for facts in texts), key=str) == [None, "bf16"]


def test_shared_articles_are_cells_of_their_own(
    data: Path, base: Path, tmp_path: Path, plan: Plan, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = replace(plan, rows=("vanilla", "cls"), attributes=("gender",), ideology_classifier="tfidf")
    before = _run(data, asked, tmp_path).text()
    words = (
        f"table calibration-5 --data {data} --out {tmp_path} --scale smoke --device cpu --ignore-cache "
        f"--ideology-classifier tfidf"
    )
    shared = f"{words} --base {base} --attribute gender --rows vanilla cls --articles shared"
    assert main.main(shared.split()) == 0
    text = capsys.readouterr().out
    cells = {(cell.group, cell.row): cell for cell in load_cells(tmp_path / "calibration" / "cells")}
    name = f"{base.name}, read by {BUILT_IN['tfidf'].title}"
    assert set(cells) == {(group, row) for group in (name, f"{name}, shared articles") for row in asked.rows}
    apart, other = (cells[group, "cls"] for group in (name, f"{name}, shared articles"))
    assert apart.place != other.place
    assert {key for key in other.facts if other.facts[key] != apart.facts.get(key)} == {"articles", "setting"}
    assert apart.command == other.command.replace(" --articles shared", "")
    assert " --articles shared" in other.command
    # The classifier is the same, and nothing of the vanilla system is learnt.
    one, same = (cells[group, "vanilla"].values for group in (name, f"{name}, shared articles"))
    assert {**one, "seconds": 0} == {**same, "seconds": 0}
    assert cells[name, "cls"].values != cells[f"{name}, shared articles", "cls"].values
    assert f"gender, indirect bias, {name}, shared articles" in text
    assert "as in the paper (sections 5.1 and 5.2)" in text
    assert "as in the paper (sections 5.1 and 5.2)" not in before
    assert "is trained on half the publishers" in before
    assert text.count("is trained on half the publishers") == 1
    with pytest.raises(TrainingError, match="Leave --articles out"):
        _run(data, replace(asked, table=TABLE, rows=(), shared=True), tmp_path)


def test_cells_of_another_classifier_are_separate(data: Path, base: Path, tmp_path: Path, plan: Plan) -> None:
    asked = replace(plan, rows=("vanilla",), attributes=("gender",))
    _run(data, asked, tmp_path)
    text = _run(data, replace(asked, ideology_classifier="tfidf"), tmp_path).text()
    cells = {cell.group: cell for cell in load_cells(tmp_path / "calibration" / "cells")}
    other = f"{base.name}, read by {BUILT_IN['tfidf'].title}"
    assert set(cells) == {base.name, other}
    assert cells[base.name].place != cells[other].place
    assert cells[base.name].values != cells[other].values
    assert f"gender, indirect bias, {other}" in text
    assert "mixed settings" not in text
    # The same texts are read twice.
    assert len(list((tmp_path / "calibration" / "samples").iterdir())) == 1


def test_a_generator_with_a_known_bias_is_named_as_a_control(tmp_path: Path, plan: Plan, base: Path) -> None:
    cell = ResultCell(
        "p", "vanilla", "tiny-planted-gender", "gender", 1, 0, "smoke", "k", "c", {"judge": "words"}, {}
    )
    for name, marked in (("tiny-planted-gender", True), ("tiny", False)):
        save_cell(replace(cell, group=name), tmp_path / name / "calibration" / "cells")
        text = _run(Path(), replace(plan, show=True, ignore_cache=True), tmp_path / name).text()
        assert ("a generator with a known bias" in text) == marked


def test_all_is_the_mean_of_the_attributes_and_no_debiasing_is_vanilla(
    data: Path, out: Path, plan: Plan
) -> None:
    for table in ("calibration-5", "calibration-6", "calibration-7"):
        _run(
            data,
            replace(plan, table=table, rows=("cls",) if table != "calibration-7" else ("0", "cls-0.9")),
            out,
        )
    _run(data, replace(plan, rows=("vanilla",)), out)
    cells = _cells(out)
    for kind in ("indirect", "direct"):
        name = metric_name(kind, OVERALL, "value")
        whole = fmean(cells["cls", attribute].values[name] for attribute in NAMES)
        assert cells["cls", ALL].values[name] == pytest.approx(whole)
        for attribute in NAMES:
            vanilla, unshifted = (cells[row, attribute].values[name] for row in ("vanilla", "0"))
            assert unshifted == vanilla
            assert cells["cls-0.9", attribute].values[name] != vanilla
            gone = cells["cls", attribute].values[metric_name(kind, OVERALL, "gone")]
            assert gone == pytest.approx(1 - cells["cls", attribute].values[name] / vanilla)
    value, null = (
        cells["vanilla", "topic"].values[metric_name("indirect", "social", name)]
        for name in ("value", "null")
    )
    assert cells["vanilla", "topic"].values[metric_name("indirect", "social", "excess")] == pytest.approx(
        value - null
    )
    assert cells["cls", ALL].values["per_100"] > 0
    assert all(
        cells["vanilla", name].values["perplexity"] == cells["0", name].values["perplexity"] for name in NAMES
    )


def test_replaced_texts_are_those_of_the_vanilla_system_but_for_single_words(
    data: Path, plan: Plan, tmp_path: Path
) -> None:
    _run(data, replace(plan, table="calibration-6", rows=("vanilla", "in-glove")), tmp_path)
    found: dict[tuple[str, str], list[str]] = {}
    for path in (tmp_path / "calibration" / "samples").iterdir():
        facts, samples = read_samples(path)
        found[facts["system"], samples[0].attribute] = [sample.text for sample in samples]
    for name in NAMES:
        before, after = found["vanilla", name], found["in-glove", name]
        assert before != after
        assert [len(WORD.findall(text)) for text in before] == [len(WORD.findall(text)) for text in after]


def _killing(monkeypatch: pytest.MonkeyPatch, at: int) -> list[str]:
    """From now on the ``at``-th batch of texts is followed by a kill; the list gets all that is said."""
    said: list[str] = []
    on_message: Callable[..., None] = Events.emit

    def record(self: Events, event: str, message: str = "", **more: Any) -> None:
        said.append(event)
        on_message(self, event, message, **more)
        if event == "step" and more["steps"] > 0 and said.count("step") == at and self.stage != "f_debias":
            raise KeyboardInterrupt

    monkeypatch.setattr(Events, "emit", record)
    return said


def test_a_killed_table_resumes_within_a_cell(
    data: Path,
    plan: Plan,
    out: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    asked: list[int] = []
    sample = sampling.VanillaSampler.sample

    def counted(self: sampling.VanillaSampler, prompts: list[str], **more: int) -> list[list[str]]:
        asked.append(len(prompts))
        return sample(self, prompts, **more)

    monkeypatch.setattr(sampling.VanillaSampler, "sample", counted)
    with monkeypatch.context() as patch:
        _killing(patch, 3)
        words = f"table calibration-5 --data {data} --base {plan.base} --out {tmp_path} --device cpu"
        assert main.main(f"{words} --scale smoke --ignore-cache --rows vanilla".split()) == 2
    assert "stopped" in capsys.readouterr().err.strip().splitlines()[-1]
    assert set(_cells(tmp_path)) == {("vanilla", "gender"), ("vanilla", "location")}
    text = _run(data, replace(plan, rows=("vanilla",)), tmp_path).text()
    assert asked == [12, 24, 32, 10]
    assert "1 of 1" in _row(text, "social: vanilla", "topic, indirect bias")
    _run(data, replace(plan, rows=("vanilla",)), out)
    for name in NAMES:
        mine, whole = (_cells(folder)["vanilla", name].values for folder in (tmp_path, out))
        assert {**mine, "seconds": 0} == {**whole, "seconds": 0}


def test_running_out_of_memory_is_one_line_and_finished_cells_stay(
    data: Path, plan: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin = Generator.begin

    def small(self: Generator, ids: list[list[int]]) -> Any:
        if any("location" in path.read_text() for path in tmp_path.rglob("*.jsonl")):
            raise torch.OutOfMemoryError("CUDA out of memory.")
        return begin(self, ids)

    monkeypatch.setattr(Generator, "begin", small)
    text = _run(data, replace(plan, rows=("vanilla",)), tmp_path).text()
    (note,) = (line for line in text.splitlines() if line.startswith("vanilla: not run here."))
    assert "does not fit into memory" in note
    assert set(_cells(tmp_path)) == {("vanilla", "gender"), ("vanilla", "location")}
    assert "not run here" in _row(text, "social: vanilla", "topic, indirect bias")


def test_a_generator_without_pad_and_end_token_is_measured(data: Path, plan: Plan, tmp_path: Path) -> None:
    folder = tiny_generator.save(tmp_path / "bare")
    for path in folder.glob("*token*"):
        path.unlink()
    tiny_generator.tokenizer(pad=False, end=False).save_pretrained(folder)
    text = _run(data, replace(plan, base=str(folder), rows=("vanilla", "emb")), tmp_path).text()
    assert "1 of 1" in _row(text, "overall: word embedding (mode 1)", "topic, direct bias, bare")


def test_without_word_vectors_only_what_needs_them_is_left_out(
    data: Path, plan: Plan, tmp_path: Path
) -> None:
    text = _run(
        data,
        replace(plan, table="calibration-6", glove=None, rows=("vanilla", "naive", "in-glove")),
        tmp_path,
    ).text()
    (note,) = (line for line in text.splitlines() if "--glove FILE" in line and "not run here" in line)
    assert note.startswith("naive, IN-GloVe: not run here.")
    assert "1 of 1" in _row(text, "vanilla", "perplexity and time")


def test_bad_input_is_one_clear_line(
    data: Path, base: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    left = make_articles(tmp_path / "left", sides=(0,), count=20)
    (tmp_path / "nothing").mkdir()
    fit = f"--data {data} --base {base}"
    for words, said in (
        (f"--data {data}", "No generator was named"),
        (f"--data {data} --base {tmp_path / 'nothing'}", "no tokenizer in this folder"),
        (f"--data {tmp_path / 'nothing'} --base {base}", "articles.jsonl"),
        (f"--data {left} --base {base}", "no row that is conservative"),
        (f"{fit} --rows gpt", "gpt is not a row of this table"),
        (f"{fit} --ideology-classifier xlnet", "xlnet is not an ideology classifier"),
    ):
        common = f"--out {tmp_path / 'out'} --scale smoke --device cpu --ignore-cache"
        assert main.main(f"table calibration-5 {words} {common}".split()) == 2, words
        assert said in capsys.readouterr().err.strip().splitlines()[-1]
    assert main.main(f"table calibration-6 {fit} --picture {tmp_path / 'x.svg'} --show".split()) == 2
    assert "calibration-5" in capsys.readouterr().err
    assert main.main(f"table {TABLE} --data {left} --out {tmp_path / 'out'} --scale smoke".split()) == 2


def test_the_chart_shows_the_medians_of_every_option(
    data: Path, out: Path, plan: Plan, tmp_path: Path
) -> None:
    file = tmp_path / "rates.svg"
    _run(data, replace(plan, picture=file), out)
    shapes = ET.fromstring(file.read_text(encoding="utf-8"))
    medians = [shape for shape in shapes.iter() if shape.get("fill") == "#ffffff"]
    options = [(one.name, option.name) for one in load_attributes() for option in one.options]
    assert len(medians) == 5 * len(options)
    cells = _cells(out)
    wanted = [
        cells[row, attribute].values[metric_name("rate indirect", option, "q50")]
        for attribute, option in options
        for row in ("vanilla", "emb", "cls", "emb-token", "token")
    ]
    order = sorted(range(len(wanted)), key=wanted.__getitem__)
    places = [float(str(medians[at].get("x"))) for at in order]
    assert places == sorted(places)
    assert places[0] < places[-1]
    with pytest.raises(TrainingError, match="--base"):
        _run(data, replace(plan, picture=file, show=True, base="other"), tmp_path)


def test_the_chart_leaves_out_what_was_not_measured(tmp_path: Path) -> None:
    names = {
        metric_name("rate indirect", option, name): 0.5 for option in ("male", "female") for name in QUANTILES
    }
    draw_base_rates([_cell("vanilla", 1, names)], tmp_path / "rates.svg", scale="full", name="")
    shapes = ET.fromstring((tmp_path / "rates.svg").read_text(encoding="utf-8"))
    texts = [shape.text or "" for shape in shapes.iter() if shape.tag.endswith("text")]
    assert [text for text in texts if ": " in text] == ["gender: male", "gender: female"]


def test_committed_cells_are_shown_with_spread_and_smoke_is_never_committed(
    data: Path, plan: Plan, tmp_path: Path
) -> None:
    name = metric_name("indirect", OVERALL, "value")
    gone = metric_name("indirect", OVERALL, "gone")
    write_results(
        plan.results,
        [_cell("vanilla", seed, {name: 0.2 + seed / 100}) for seed in (1, 2, 3)]
        + [_cell("cls", seed, {name: 0.1, gone: 0.5 + seed / 10}) for seed in (1, 2, 3)],
    )
    shown = replace(plan, scale="full", show=True, base="")
    text = _run(data, shown, tmp_path).text()
    assert "0.2200 ± 0.0100" in _row(text, "overall: vanilla", "gender, indirect bias, gpt2-medium")
    assert "-70% ± 10%" in _row(text, "overall: classifier (mode 2)", "gender, indirect bias")
    assert "3 of 3" in _row(text, "overall: vanilla", "gender, indirect bias")
    text = _run(data, replace(shown, seeds=(2,), save_results=True), tmp_path).text()
    assert "0.2200 " in _row(text, "overall: vanilla", "gender, indirect bias, gpt2-medium")
    assert "±" not in _row(text, "overall: classifier (mode 2)", "gender, indirect bias")
    assert {cell.seed for cell in read_results(plan.results)} == {1, 2, 3}
    _run(data, replace(plan, rows=("vanilla",), save_results=True), tmp_path)
    assert {cell.scale for cell in read_results(plan.results)} == {"full"}


def test_systems_of_two_scales_are_not_mixed(plan: Plan, tmp_path: Path) -> None:
    """The vanilla system of many texts and the calibrated one of few would look like a change."""
    name = metric_name("indirect", OVERALL, "value")
    few = [
        replace(_cell(row, 1, {name: value}), scale="cpu") for row, value in (("vanilla", 0.4), ("cls", 0.3))
    ]
    places = [replace(cell, place=f"{cell.place}-few") for cell in few]
    write_results(plan.results, [*places, _cell("vanilla", 1, {name: 0.1})])
    shown = replace(plan, show=True, base="")
    text = _run(tmp_path, replace(shown, scale="full"), tmp_path).text()
    assert "0.1000" in _row(text, "overall: vanilla", "gender, indirect bias")
    assert "not run here" in _row(text, "overall: classifier (mode 2)", "gender, indirect bias")
    text = _run(tmp_path, replace(shown, scale="cpu"), tmp_path).text()
    assert "0.4000" in _row(text, "overall: vanilla", "gender, indirect bias")
    assert "0.3000" in _row(text, "overall: classifier (mode 2)", "gender, indirect bias")


def _cell(row: str, seed: int, values: dict[str, float]) -> ResultCell:
    return ResultCell(
        place=f"calibration-x-{row}-gender-seed{seed}",
        row=row,
        group="gpt2-medium",
        protocol="gender",
        seed=seed,
        fold=0,
        scale="full",
        key=f"{row}{seed}",
        command="evenhand train table calibration-5",
        facts={"generator": "m", "judge": "words, of some articles"},
        values=values,
    )
