"""WIKIBIAS's Tables 5 to 7: every recipe trains to its end, cells are made once, and what cannot be run says so."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from tests.training.papers.wikibias.invented_corpus import pairs
from training.cli import main
from training.corpora.wikibias_writer import write_corpus
from training.evaluation.results_table import Table
from training.loop.result_cache import Measurement, ResultCell, load_cells, read_results, write_results
from training.loop.training_loop import TrainingError
from training.papers.wikibias import manual_corpus, systems, tables
from training.papers.wikibias.runner import WikibiasCellId, WikibiasRunner
from training.papers.wikibias.scoring import compare_ranking
from training.papers.wikibias.systems import ROWS, SystemSpec
from training.papers.wikibias.tables import Plan
from training.papers.wikibias.types import Corpus, Predictions, TrainingContext
from training.types import CorpusError

CPU = torch.device("cpu")


def _corpus(folder: Path, *, auto: int) -> Path:
    write_corpus(
        folder,
        manual=pairs(16, seed=1),
        auto=pairs(auto, seed=2, kinds=False),
        dev=pairs(8, seed=3),
        test=pairs(8, seed=4),
    )
    return folder


@pytest.fixture(scope="module")
def official(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a corpus in the layout of WIKIBIAS's release."""
    return _corpus(tmp_path_factory.mktemp("official"), auto=16)


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Finished cells and stages, which tables share."""
    return tmp_path_factory.mktemp("out")


@pytest.fixture
def plan(tiny_base: Path, tmp_path: Path) -> Plan:
    """A smoke run of Table 5 that knows no committed cell."""
    return Plan(
        table="wikibias-5",
        encoders={"minilm": tiny_base},
        scale="smoke",
        results=tmp_path / "results.json",
    )


@pytest.fixture
def knowing(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every system predicts the gold labels without training; returns the rows that were loaded."""
    asked: list[str] = []

    def load(system: SystemSpec) -> Callable[[Corpus, TrainingContext], Predictions]:
        asked.append(system.name)
        return lambda corpus, _: Predictions(
            tags=[one.tags for one in corpus.test],
            biased=[one.biased for one in corpus.test],
            kinds=[one.kinds or frozenset() for one in corpus.test],
        )

    monkeypatch.setattr(systems.SystemSpec, "load", load)
    return asked


def _run(data: Path, plan: Plan, folder: Path) -> Table:
    return tables.SPEC.run(data, plan, folder, device=CPU)


def _row(text: str, title: str, block: str = "") -> str:
    lines = text[text.index(block) :].splitlines()
    return next(line for line in lines if line.startswith(f"{title}  "))


@pytest.mark.parametrize("table", ["wikibias-5", "wikibias-6", "wikibias-7"])
def test_every_recipe_trains_from_one_command(
    table: str, corpora: Path, out: Path, tiny_base: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = f"table {table} --data {corpora} --out {out} --scale smoke --device cpu --ignore-cache"
    words += f" --encoder minilm={tiny_base} --markdown {out / table}.md"
    assert main.main(words.split()) == 0
    text = capsys.readouterr().out
    assert "not run here" not in text
    for row in ROWS[table].values():
        assert "1 of 1" in _row(text, row.title)
    names = {row.name for row in ROWS[table].values()}
    cells = [cell for cell in load_cells(out / "wikibias" / "cells") if cell.row in names]
    assert {cell.row for cell in cells} == names
    assert all(cell.values["test"] == 16 for cell in cells)
    assert not any(str(path) in json.dumps([cell.facts for cell in cells]) for path in (corpora, tiny_base))
    assert {(cell.protocol, cell.facts["corpus"]) for cell in cells} == {("dev-part", manual_corpus.NAME)}
    assert "### dev-part, all-MiniLM-L6-v2" in (out / f"{table}.md").read_text(encoding="utf-8")


def test_rows_that_two_tables_share_are_trained_once(
    official: Path, plan: Plan, tmp_path: Path, knowing: list[str]
) -> None:
    _run(official, plan, tmp_path)
    before = len(knowing)
    text = _run(official, replace(plan, table="wikibias-7"), tmp_path).text()
    assert "wikibias-5-auto" not in knowing[before:]
    assert "100.0" in _row(text, "classifier")


def test_cells_are_resumed_one_by_one(
    official: Path, plan: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []

    def measure(_: WikibiasRunner, cell_id: WikibiasCellId) -> Measurement:
        if len(made) == 2 and cell_id.system.key not in made:
            made.append("killed")
            raise KeyboardInterrupt
        made.append(cell_id.system.key)
        return Measurement({"biased_f1": 0.5})

    monkeypatch.setattr(WikibiasRunner, "measure", measure)
    with pytest.raises(KeyboardInterrupt):
        _run(official, plan, tmp_path)
    shown = _run(official, replace(plan, show=True), tmp_path).text()
    assert "50.0" in _row(shown, "auto")
    assert "not run here" in _row(shown, "auto, then manual")
    text = _run(official, plan, tmp_path).text()
    assert made == ["manual", "auto", "killed", "auto-manual", "auto-5", "auto-10"]
    assert "not run here" not in text


def test_stages_are_shared_only_between_systems_with_equal_facts(
    official: Path, plan: Plan, tmp_path: Path
) -> None:
    data, glove = shutil.copytree(official, tmp_path / "data"), tmp_path / "glove.txt"
    (data / "wikibias" / "lexicons").mkdir()
    (data / "wikibias" / "lexicons" / "hedges.txt").write_text("perhaps\n", encoding="utf-8")
    glove.write_text("river 0.1 0.2\n", encoding="utf-8")
    bare = tables.make_runner(official, plan, tmp_path, CPU)
    rich = tables.make_runner(data, replace(plan, glove=glove), tmp_path, CPU)
    rows = ROWS["wikibias-7"] | ROWS["wikibias-5"]

    def folder(wikibias_runner: WikibiasRunner, key: str, seed: int = 1) -> Path:
        return wikibias_runner.context(WikibiasCellId(rows[key], "minilm", "official", seed)).folder

    assert folder(bare, "auto") == folder(bare, "bert-atten") == folder(bare, "bert") == folder(rich, "bert")
    assert folder(bare, "auto") != folder(bare, "auto", seed=2)
    assert folder(bare, "bert-ling") != folder(rich, "bert-ling")
    assert folder(bare, "bilstm-cnn-crf") != folder(rich, "bilstm-cnn-crf")


def test_without_auto_the_rows_that_need_it_are_noted(plan: Plan, tmp_path: Path, knowing: list[str]) -> None:
    data = _corpus(tmp_path / "data", auto=0)
    text = _run(data, plan, tmp_path).text()
    assert knowing == ["wikibias-5-manual"]
    assert "1 of 1" in _row(text, "manual")
    assert "not run here" in _row(text, "auto")
    notes = [line for line in text.splitlines() if "There is no noisy part (AUTO)" in line]
    assert len(notes) == 1
    assert notes[0].startswith("auto, auto, then manual, auto without 5%, auto without 10%: not run here.")


def test_the_manual_corpus_is_named_in_the_table_and_in_its_cells(
    corpora: Path, plan: Plan, tmp_path: Path, knowing: list[str]
) -> None:
    text = _run(corpora, plan, tmp_path).text()
    assert "dev-part, all-MiniLM-L6-v2" in text
    assert "not the paper's test sentences" in text
    assert f"dev-part: {manual_corpus.NAME}" in text
    assert len(knowing) == 5
    cells = load_cells(tmp_path / "wikibias" / "cells")
    assert {cell.facts["corpus"] for cell in cells} == {manual_corpus.NAME}
    assert {cell.values["dev"] for cell in cells} == {8.0}
    assert str(tmp_path) not in json.dumps([[cell.facts, cell.command] for cell in cells])


def test_what_is_missing_is_named_with_the_command_that_computes_it(
    corpora: Path, plan: Plan, tmp_path: Path
) -> None:
    write_results(plan.results, [_cell("auto", seed, biased_f1=0.5) for seed in (1, 3)])
    notes = _run(corpora, replace(plan, scale="cpu", show=True), tmp_path).notes
    missing = [note for note in notes if note.startswith("Missing")]
    assert missing == [
        "Missing with all-MiniLM-L6-v2: manual; auto (seed 2); auto, then manual; auto without 5%; auto without 10%. "
        "To compute them: evenhand train table wikibias-5 --data DIR --scale cpu --save-results",
        "Missing with all-mpnet-base-v2: manual; auto; auto, then manual; auto without 5%; auto without 10%. "
        "To compute them: evenhand train table wikibias-5 --data DIR --scale cpu --base mpnet --save-results",
    ]
    every = [_cell(row, seed, biased_f1=0.5) for row in ROWS["wikibias-5"] for seed in (1, 2, 3)]
    write_results(plan.results, every)
    notes = _run(corpora, replace(plan, scale="cpu", show=True), tmp_path).notes
    assert [note.partition(":")[0] for note in notes if "Missing" in note] == [
        "Missing with all-mpnet-base-v2"
    ]


def test_committed_cells_are_shown_beside_those_of_another_corpus(
    official: Path, plan: Plan, tmp_path: Path, knowing: list[str]
) -> None:
    committed = [_cell("manual", seed, biased_f1=0.4 + seed / 100) for seed in (1, 2, 3)]
    write_results(plan.results, committed)
    shown = replace(plan, scale="cpu", show=True)
    text = _run(official, shown, tmp_path).text()
    assert "not run here" in _row(text, "manual", "official, all-MiniLM-L6-v2")
    row = _row(text, "manual", "dev-part, all-MiniLM-L6-v2")
    assert "42.0 ± 1.0" in row
    assert "52.1 (-10.1)" in row
    assert "3 of 3" in row
    assert "cpu, seed 1, 2, 3" in row
    assert (
        "dev-part, all-MiniLM-L6-v2" not in _run(official, replace(shown, ignore_cache=True), tmp_path).text()
    )
    again = replace(plan, scale="cpu", rows=("manual",), seeds=(1,), save_results=True)
    _run(official, again, tmp_path)
    assert sorted(cell.place for cell in read_results(plan.results)) == [
        *(cell.place for cell in committed),
        "wikibias-5-manual-minilm-official-seed1",
    ]
    assert knowing == ["wikibias-5-manual"]


def test_smoke_cells_are_not_committed(
    official: Path, plan: Plan, tmp_path: Path, knowing: list[str]
) -> None:
    _run(official, replace(plan, save_results=True), tmp_path)
    assert knowing
    assert read_results(plan.results) == []


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("--rows gpt", "gpt is not a row of this table. Name one of manual, auto"),
        ("--base gpt", "gpt is no encoder of this table"),
        ("--encoder gpt=x", "gpt is no encoder of this table"),
        ("--encoder minilm=nowhere", "nowhere is not a folder"),
        ("--encoder minilm", "Write --encoder NAME=FOLDER"),
        ("--glove nowhere.txt", "nowhere.txt does not exist"),
    ],
)
def test_a_call_that_cannot_work_is_one_clear_line(
    options: str, said: str, official: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = f"table wikibias-5 --data {official} --out {tmp_path} --scale smoke --device cpu {options}"
    assert main.main(words.split()) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert said in lines[0]


def test_an_encoder_that_cannot_be_had_is_noted(official: Path, plan: Plan, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    text = _run(official, replace(plan, encoders={"minilm": tmp_path / "empty"}), tmp_path).text()
    assert re.search(r"^manual, auto, .*: not run here\. empty: there is no tokenizer", text, re.MULTILINE)


def test_a_missing_corpus_is_named(plan: Plan, tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"wikibias/train\.jsonl\.xz is not in"):
        _run(tmp_path, plan, tmp_path)


def test_a_test_part_without_kinds_is_noted(plan: Plan, tmp_path: Path, knowing: list[str]) -> None:
    parts = {part: pairs(8, seed=seed, kinds=False) for seed, part in enumerate(("manual", "dev", "test"))}
    write_corpus(tmp_path / "data", **parts, auto=[])
    text = _run(tmp_path / "data", replace(plan, table="wikibias-6"), tmp_path).text()
    assert len(knowing) == 3
    assert "BERT, FINETUNED, HIERARCHICAL: not run here. The test part has no kinds of bias" in text


def test_every_system_can_be_imported() -> None:
    for row in (row for rows in ROWS.values() for row in rows.values()):
        assert callable(row.load())
        if row in systems.PAPER_SYSTEMS:
            assert row.published


def _cell(row: str, seed: int, *, counts: str = "", material: str = "m", **values: float) -> ResultCell:
    return ResultCell(
        place=f"wikibias-5-{row}-minilm-dev-part-seed{seed}",
        row=f"wikibias-5-{row}",
        group="minilm",
        protocol="dev-part",
        seed=seed,
        fold=0,
        scale="cpu",
        key=f"{row}{seed}",
        command="evenhand train table wikibias-5",
        facts={"material": material},
        values=values,
        counts=counts,
    )


def test_the_ranking_is_tested_pair_by_pair() -> None:
    right, wrong, half = "111" * 40, "011" * 40, "111011" * 20
    lines = {
        "detector": [_cell("detector", 1, counts=wrong, authors_exact_f1=0.0)],
        "bert": [_cell("bert", 1, counts=half, authors_exact_f1=0.5)],
        "bilstm-cnn-crf": [_cell("bilstm", 1, counts=right, authors_exact_f1=1.0)],
        "bert-ling": [_cell("ling", 1, counts="111001" * 20, authors_exact_f1=0.5)],
        "joint": [_cell("joint", 1, counts=right, material="other", authors_exact_f1=1.0)],
        "bert-manual": [_cell("bert-manual", 2, counts=right, authors_exact_f1=1.0)],
    }
    (block,) = compare_ranking(lines, where="here")
    told = {row[0]: row for row in block.rows}
    assert told["BiLSTM-CNN-CRF < BERT"][-1] == "no, reversed"
    assert told["BiLSTM-CNN-CRF < BERT"][2:4] == ("100.0, 50.0", "-50.0")
    assert told["DETECTOR < BERT"][-1] == "yes"
    assert told["DETECTOR < BERT"][1] == "26.2 < 47.5"
    assert told["BERT < BERT-LING"][-1] == "yes"
    assert set(told) == {
        "BiLSTM-CNN-CRF < BERT",
        "BERT < BERT-LING",
        "DETECTOR < BiLSTM-CNN-CRF",
        "DETECTOR < BERT",
        "DETECTOR < BERT-LING",
    }
    assert "yes for 4 of 5 pairs" in block.title
    assert compare_ranking({}, where="here") == []


def test_equal_systems_are_left_open() -> None:
    lines = {
        key: [_cell(key, seed, counts="111011" * 9, authors_exact_f1=0.5) for seed in (1, 2)]
        for key in ("detector", "bert")
    }
    (block,) = compare_ranking(lines, where="here")
    assert block.rows[0][-1].startswith("open")
    assert float(block.rows[0][-2]) == 1.0


def test_an_unknown_table_row_is_refused_before_anything_is_read(plan: Plan, tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match="not a row"):
        _run(tmp_path / "nowhere", replace(plan, rows=("detector",)), tmp_path)
