"""Table 5 of BABE: cells are computed once and one by one, missing ones are named, committed ones are shown."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
import spacy
import torch

from training.cli.main import main
from training.evaluation.results_table import Table
from training.loop.result_cache import Measurement, ResultCell, load_cells, write_results
from training.loop.training_loop import TrainingError
from training.papers.babe import table_5
from training.papers.babe.runner import BabeCellId, BabeRunner
from training.papers.babe.table_5 import Plan
from training.papers.harness import TableSpec
from training.types import CorpusError

CPU = torch.device("cpu")
FIGURES = {"macro_f1": 0.75, "weighted_f1": 0.76}


@pytest.fixture
def headlines(corpora: Path) -> None:
    folder = corpora / "headlines"
    folder.mkdir(exist_ok=True)
    rows = [f"{'ABC'[n % 3]}\tHeadline number {n} about some river here" for n in range(30)]
    (folder / "headlines.tsv").write_text("\n".join(["outlet\theadline", *rows, ""]), encoding="utf-8")
    ratings = ["outlet\trating", "A\tleft", "B\tcenter", "C\tright", ""]
    (folder / "outlets.tsv").write_text("\n".join(ratings), encoding="utf-8")


@pytest.fixture
def plan(tiny_base: Path, tmp_path: Path) -> Plan:
    """A smoke run of one group that knows no committed cell."""
    return Plan(
        encoders=dict.fromkeys(("minilm", "gte-small", "mpnet"), tiny_base),
        groups=("SG2",),
        protocols=("clean",),
        scale="smoke",
        results=tmp_path / "results.json",
    )


def _watched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Replaces the measurement by constants; returns the places of the cells that were measured."""
    measured: list[str] = []

    def measure(_: BabeRunner, cell_id: BabeCellId) -> Measurement:
        measured.append(cell_id.place)
        return Measurement(dict(FIGURES))

    monkeypatch.setattr(BabeRunner, "measure", measure)
    return measured


def _row(text: str, title: str, protocol: str = "clean") -> str:
    return next(line for line in text.splitlines() if line.startswith(title + "  ") and protocol in line)


@pytest.mark.usefixtures("headlines")
def test_every_kind_of_row_is_trained_and_scored(corpora: Path, plan: Plan, tmp_path: Path) -> None:
    spacy.blank("en").to_disk(tmp_path / "en_blank")
    rows = ("features", "minilm", "minilm-distant", "minilm-related", "distilled")
    plan = replace(plan, rows=rows, spacy=str(tmp_path / "en_blank"))
    table = table_5.SPEC.run(corpora, plan, tmp_path, device=CPU)
    for title in ("features", "all-MiniLM-L6-v2", "all-MiniLM-L6-v2 + distant", "gte-small, distilled"):
        assert "5 of 5" in _row(table.text(), title)
    assert [row[0] for row in table.blocks[-1].rows] == [
        "SG2, all-MiniLM-L6-v2 + multi-task",
        "SG2, gte-small, distilled",
    ]
    cells = load_cells(tmp_path / "babe-5" / "cells")
    assert len(cells) == 25
    assert {"train", "dropped", "scored", "macro_f1", "weighted_f1", "accuracy"} <= cells[0].values.keys()
    assert str(tmp_path) not in json.dumps([cell.facts for cell in cells])
    assert not list((tmp_path / "babe-5" / "work").glob("*"))


def test_cells_are_resumed_one_by_one(
    corpora: Path, plan: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = replace(plan, rows=("minilm",))
    measured = _watched(monkeypatch)
    whole = BabeRunner.measure

    def killed(babe_runner: BabeRunner, cell_id: BabeCellId) -> Measurement:
        if cell_id.fold == 2:
            raise KeyboardInterrupt
        return whole(babe_runner, cell_id)

    monkeypatch.setattr(BabeRunner, "measure", killed)
    with pytest.raises(KeyboardInterrupt):
        table_5.SPEC.run(corpora, plan, tmp_path, device=CPU)
    shown = table_5.SPEC.run(corpora, replace(plan, show=True), tmp_path, device=CPU).text()
    assert "2 of 5" in _row(shown, "all-MiniLM-L6-v2")
    monkeypatch.setattr(BabeRunner, "measure", whole)
    text = table_5.SPEC.run(corpora, plan, tmp_path, device=CPU).text()
    assert [name[-1] for name in measured] == list("01234")
    assert "0.7500 ± 0.0000" in _row(text, "all-MiniLM-L6-v2")


def test_another_encoder_is_another_cell(
    corpora: Path, plan: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = replace(plan, rows=("minilm",))
    measured = _watched(monkeypatch)
    table_5.SPEC.run(corpora, plan, tmp_path, device=CPU)
    other = tmp_path / "other"
    other.mkdir()
    (other / "model.safetensors").write_bytes(b"other")
    monkeypatch.setitem(FIGURES, "macro_f1", 0.5)
    text = table_5.SPEC.run(corpora, replace(plan, encoders={"minilm": other}), tmp_path, device=CPU).text()
    assert len(measured) == 10
    assert "0.5000" in _row(text, "all-MiniLM-L6-v2")
    again = table_5.SPEC.run(corpora, plan, tmp_path, device=CPU).text()
    assert len(measured) == 10
    assert "0.7500" in _row(again, "all-MiniLM-L6-v2")
    assert "mixed" not in again


def test_cells_of_two_encoders_in_one_line_are_called_so(corpora: Path, plan: Plan, tmp_path: Path) -> None:
    cells = [
        replace(_cell(fold, 0.8), facts={"encoder": str(fold // 4), "cell": str(fold)}) for fold in range(5)
    ]
    write_results(plan.results, cells)
    text = table_5.SPEC.run(corpora, replace(plan, show=True), tmp_path, device=CPU).text()
    assert "mixed settings" in _row(text, "all-MiniLM-L6-v2")


def test_what_was_not_run_says_so_beside_the_published(corpora: Path, plan: Plan, tmp_path: Path) -> None:
    text = table_5.SPEC.run(corpora, replace(plan, show=True), tmp_path, device=CPU).text()
    row = _row(text, "BERT + distant")
    assert "not run here" in row
    assert "0.804 ± 0.014" in row
    assert "0 of 5" in row


def test_an_encoder_that_cannot_be_had_is_noted_and_the_next_row_taken(
    corpora: Path, plan: Plan, tmp_path: Path
) -> None:
    (tmp_path / "empty").mkdir()
    encoders = {"bert": tmp_path / "empty", **plan.encoders}
    plan = replace(plan, rows=("bert", "minilm"), encoders=encoders)
    text = table_5.SPEC.run(corpora, plan, tmp_path, device=CPU).text()
    assert "not run here" in _row(text, "BERT")
    assert "BERT: not run here. empty: there is no tokenizer" in text
    assert "5 of 5" in _row(text, "all-MiniLM-L6-v2")


def test_committed_cells_are_shown_until_fresher_ones_are_there(
    corpora: Path, plan: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = replace(plan, rows=("minilm",), scale="cpu")
    write_results(plan.results, [_cell(fold, 0.81) for fold in range(5)])
    shown = replace(plan, show=True)
    text = table_5.SPEC.run(corpora, shown, tmp_path, device=CPU).text()
    assert "0.8100 ± 0.0000" in _row(text, "all-MiniLM-L6-v2")
    assert "cpu, seed 1" in _row(text, "all-MiniLM-L6-v2")
    assert "not run here" in _row(
        table_5.SPEC.run(corpora, replace(shown, ignore_cache=True), tmp_path, device=CPU).text(),
        "all-MiniLM-L6-v2",
    )
    measured = _watched(monkeypatch)
    text = table_5.SPEC.run(corpora, replace(plan, save_results=True), tmp_path, device=CPU).text()
    assert len(measured) == 5
    assert "0.7500 ± 0.0000" in _row(text, "all-MiniLM-L6-v2")
    assert {cell["values"]["macro_f1"] for cell in json.loads(plan.results.read_text())["cells"]} == {0.75}


def test_deviation_is_from_the_published_figure(corpora: Path, plan: Plan, tmp_path: Path) -> None:
    write_results(plan.results, [replace(_cell(fold, 0.799), row="bert", scale="full") for fold in range(5)])
    row = _row(table_5.SPEC.run(corpora, replace(plan, show=True), tmp_path, device=CPU).text(), "BERT")
    assert "+0.010" in row
    assert "5 of 15" in row


def test_equal_work_at_another_scale_is_not_done_twice(
    corpora: Path, plan: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured = _watched(monkeypatch)
    table_5.SPEC.run(
        corpora, replace(plan, rows=("minilm", "minilm-related"), scale="cpu"), tmp_path, device=CPU
    )
    text = table_5.SPEC.run(
        corpora,
        replace(plan, rows=("minilm", "minilm-related"), scale="full", seeds=(1,)),
        tmp_path,
        device=CPU,
    ).text()
    assert len(measured) == 15
    assert "5 of 15" in _row(text, "all-MiniLM-L6-v2")


def test_a_call_that_cannot_work_is_one_clear_line(corpora: Path, plan: Plan, tmp_path: Path) -> None:
    for wrong, said in (
        (replace(plan, rows=("gpt",)), "gpt is not a row"),
        (replace(plan, encoders={"gpt": tmp_path}), "gpt is no encoder"),
        (replace(plan, encoders={"bert": tmp_path / "no"}), "is not a folder"),
        (replace(plan, auxiliary={"bert": tmp_path / "no"}), "--related ENCODER=FILE"),
    ):
        with pytest.raises(TrainingError, match=said):
            table_5.SPEC.run(corpora, wrong, tmp_path, device=CPU)
    with pytest.raises(CorpusError, match="final_labels"):
        table_5.SPEC.run(tmp_path, plan, tmp_path, device=CPU)


def test_a_damaged_cell_is_made_again(
    corpora: Path, plan: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = replace(plan, rows=("minilm",))
    measured = _watched(monkeypatch)
    table_5.SPEC.run(corpora, plan, tmp_path, device=CPU)
    path = next((tmp_path / "babe-5" / "cells").glob("*fold3*.json"))
    path.write_text(path.read_text()[:30])
    table_5.SPEC.run(corpora, plan, tmp_path, device=CPU)
    assert measured[5:] == ["SG2-minilm-clean-seed1-fold3"]


def test_markdown_has_a_row_for_each_line(corpora: Path, plan: Plan, tmp_path: Path) -> None:
    table = table_5.SPEC.run(corpora, replace(plan, show=True), tmp_path, device=CPU)
    page = table.markdown()
    assert page.count("\n| ") == sum(len(block.rows) + 2 for block in table.blocks)
    assert "### SG2, systems of the paper" in page


def _cell(fold: int, macro: float) -> ResultCell:
    return ResultCell(
        place=f"SG2-minilm-clean-seed1-fold{fold}",
        row="minilm",
        group="SG2",
        protocol="clean",
        seed=1,
        fold=fold,
        scale="cpu",
        key=f"committed{fold}",
        command="evenhand train table babe-5",
        facts={},
        values={"macro_f1": macro, "weighted_f1": macro},
    )


def test_the_command_line_fills_the_plan(
    corpora: Path,
    tiny_base: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    seen: list[Plan] = []
    run = TableSpec.run

    def watch(
        spec: TableSpec[Plan, BabeCellId], data: Path, plan: Plan, folder: Path, *, device: torch.device
    ) -> Table:
        seen.append(plan)
        return run(spec, data, replace(plan, show=True), folder, device=device)

    monkeypatch.setattr(TableSpec, "run", watch)
    start = ["table", "babe-5", "--data", str(corpora), "--out", str(tmp_path)]
    words = f"--encoder minilm={tiny_base} --encoder bert={tiny_base} --related minilm={tiny_base / 'config.json'}"
    words += f" --rows minilm bert --groups SG1 --seeds 1 2 --markdown {tmp_path / 'table.md'}"
    assert main([*start, *words.split()]) == 0
    assert seen[0].encoders == {"minilm": tiny_base, "bert": tiny_base}
    assert seen[0].auxiliary == {"minilm": tiny_base / "config.json"}
    assert (seen[0].rows, seen[0].groups, seen[0].seeds) == (("minilm", "bert"), ("SG1",), (1, 2))
    assert "SG1, systems of the paper" in capsys.readouterr().out
    assert "### SG1, systems of the paper" in (tmp_path / "table.md").read_text(encoding="utf-8")
    assert main([*start, "--encoder", "minilm"]) == 2
    assert "--encoder NAME=FOLDER" in capsys.readouterr().err
