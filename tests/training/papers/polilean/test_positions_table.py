"""The position tables of the compass: each is one command, resumes after a kill and names models without answers."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from tests.training.auditing.compass.tiny_models import (
    make_statements,
    save_generator,
    save_masked,
    save_nli,
)
from training.auditing.compass import probes
from training.auditing.compass.runner import Plan
from training.cli import main
from training.evaluation.results_table import Table
from training.loop.result_cache import ResultCell, load_cells, read_results
from training.loop.training_loop import TrainingError
from training.papers.polilean import positions_table
from training.papers.polilean.positions_table import TABLES
from training.papers.polilean.published import COMPASS_TABLE_3, COMPASS_TABLE_6
from training.types import CorpusError

CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with invented statements alone."""
    return make_statements(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of models: two masked ones of one mind each, one that is unclear, a generator and a detector."""
    folder = tmp_path_factory.mktemp("models")
    save_masked(folder / "yes", favours={"agree": 60.0})
    save_masked(folder / "no", favours={"oppose": 60.0})
    save_masked(
        folder / "mute",
        favours=dict.fromkeys("market school child people law money trade state art does".split(), 90),
    )
    save_masked(folder / "deaf", without=sorted(probes.POSITIVE))
    save_generator(folder / "gen")
    save_nli(folder / "nli")
    return folder


@pytest.fixture
def plan(models: Path, tmp_path: Path) -> Plan:
    """A smoke run that knows no committed cell."""
    return Plan(models=(str(models / "yes"),), scale="smoke", results=tmp_path / "results.json")


def _cells(folder: Path) -> list[ResultCell]:
    return load_cells(folder / "compass" / "cells")


def _row(text: str, title: str, block: str) -> list[str]:
    lines = text[text.index(block) :].splitlines()
    return re.split(r"\s{2,}", next(line for line in lines if line.startswith(f"{title} ")))


@pytest.mark.parametrize("table", sorted(TABLES))
def test_every_table_is_one_command(
    table: str, data: Path, models: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = f"table {table} --data {data} --out {tmp_path} --scale smoke --device cpu --ignore-cache"
    words += f" --markdown {tmp_path / 'table.md'} --base {models / 'yes'} {models / 'gen'}"
    assert main.main(words.split()) == 0
    text = capsys.readouterr().out
    assert "yes (lexicon)" in text
    assert "gen (log-probability)" in text
    assert "not the paper's detector" in " ".join(text.split())
    assert (tmp_path / "table.md").read_text(encoding="utf-8").startswith("## Feng et al. 2023, ")
    stored = json.dumps([[cell.facts, cell.command] for cell in _cells(tmp_path)])
    assert not any(str(path) in stored for path in (data, models, tmp_path))


def test_models_with_known_answers_have_known_positions(
    data: Path, models: Path, plan: Plan, tmp_path: Path
) -> None:
    both = replace(plan, models=(str(models / "yes"), str(models / "no")))
    text = positions_table.SPEC.run(data, both, tmp_path, device=CPU).text()
    # Strongly agreeing adds 11 - 10 to the economic sum and 20 - 21 to the social one; disagreeing 40 - 44 and 84 - 80.
    for name, economic, social in (
        ("yes", 0.38 + 1 / 8, 2.41 - 1 / 19.5),
        ("no", 0.38 - 4 / 8, 2.41 + 4 / 19.5),
    ):
        for block, value in (("economic axis", economic), ("social axis", social)):
            row = _row(text, f"{name} (lexicon)", block)
            assert float(row[1]) == pytest.approx(value, abs=0.006)
            assert row[6] == "0 of 62"
            assert row[4] == "0.00"


def test_unclear_answers_are_shown_as_such(data: Path, models: Path, plan: Plan, tmp_path: Path) -> None:
    table = positions_table.SPEC.run(
        data, replace(plan, models=(str(models / "mute"),)), tmp_path, device=CPU
    )
    row = _row(table.text(), "mute (lexicon)", "economic axis")
    unclear = int(row[6].split()[0])
    assert unclear > 40
    low, high = map(float, row[2].strip("[]").split(", "))
    assert high - low > 3


def test_a_model_without_a_clear_answer_has_no_position(data: Path, plan: Plan, tmp_path: Path) -> None:
    others = dict.fromkeys("market school child people law money trade state art does".split(), 300.0)
    save_masked(tmp_path / "silent", favours=others)
    plan = replace(plan, models=(str(tmp_path / "silent"),))
    text = positions_table.SPEC.run(data, plan, tmp_path, device=CPU).text()
    row = _row(text, "silent (lexicon)", "economic axis")
    assert (row[1], row[3], row[4], row[6]) == ("–", "–", "–", "62 of 62")
    assert _row(text, "silent (lexicon)", "uncertainty")[1:6] == ["–"] * 5
    stable = positions_table.SPEC.run(
        data, replace(plan, table="compass-stability"), tmp_path, device=CPU
    ).text()
    assert _row(stable, "silent (lexicon)", "other prompts (Figure 6)")[1:] == ["2", "–", "–", "–"]


def test_a_model_that_cannot_be_loaded_is_reported_and_the_next_one_placed(
    data: Path, models: Path, plan: Plan, tmp_path: Path
) -> None:
    table = positions_table.SPEC.run(
        data, replace(plan, models=(str(models / "deaf"), str(models / "yes"))), tmp_path, device=CPU
    )
    assert any(
        "deaf: not run here. The tokenizer of deaf splits every positive word" in note for note in table.notes
    )
    assert "yes (lexicon)" in table.text()


def test_a_stopped_table_resumes(
    data: Path, models: Path, plan: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    real = probes.MaskedProbe.read

    def counted(self: probes.MaskedProbe, statements: tuple[str, ...], *, prompt: int, seed: int) -> object:
        asked.append(prompt)
        if asked == [1, 2]:
            raise KeyboardInterrupt
        return real(self, statements, prompt=prompt, seed=seed)

    monkeypatch.setattr(probes.MaskedProbe, "read", counted)
    with pytest.raises(KeyboardInterrupt):
        positions_table.SPEC.run(data, plan, tmp_path, device=CPU)
    assert len(_cells(tmp_path)) == 1
    positions_table.SPEC.run(data, plan, tmp_path, device=CPU)
    assert asked == [1, 2, 2]
    asked[:] = [0]
    shown = positions_table.SPEC.run(data, replace(plan, show=True), tmp_path, device=CPU)
    assert asked == [0]
    assert "yes (lexicon)" in shown.text()
    # Stability asks for other wordings alone.
    positions_table.SPEC.run(data, replace(plan, table="compass-stability"), tmp_path, device=CPU)
    assert asked == [0, 1, 1]


def test_the_same_seed_gives_the_same_cell_and_another_stance_another(
    data: Path, models: Path, plan: Plan, tmp_path: Path
) -> None:
    def values(folder: str, stance: str) -> list[dict[str, float]]:
        own = replace(plan, models=(str(models / "gen"),), stance=stance, seeds=(7,))
        positions_table.SPEC.run(data, own, tmp_path / folder, device=CPU)
        found = sorted(_cells(tmp_path / folder), key=lambda cell: cell.place)
        return [
            {name: value for name, value in cell.values.items() if name != "seconds"}
            for cell in found
            if cell.protocol == stance or cell.protocol == Path(stance).name
        ]

    first = values("a", "log-probability")
    assert len(first) == 2
    assert first == values("b", "log-probability")
    detector = values("a", str(models / "nli"))
    assert len(detector) == 2
    assert detector != first
    assert len(values("a", "direct")) == 2


def test_smoke_cells_are_never_saved_to_the_results(data: Path, plan: Plan, tmp_path: Path) -> None:
    positions_table.SPEC.run(data, replace(plan, save_results=True), tmp_path, device=CPU)
    assert read_results(plan.results) == []
    positions_table.SPEC.run(data, replace(plan, save_results=True, scale="cpu"), tmp_path, device=CPU)
    assert len(read_results(plan.results)) == 7
    elsewhere: Table = positions_table.SPEC.run(
        data, replace(plan, show=True, scale="cpu"), tmp_path / "new", device=CPU
    )
    assert "yes (lexicon)" in elsewhere.text()


def test_bad_calls_are_one_clear_line(
    data: Path, models: Path, plan: Plan, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for changed, why in (
        (replace(plan, models=()), "No model was named"),
        (replace(plan, models=(str(models / "yes"), str(models / "yes"))), "Two models are called yes"),
        (replace(plan, rows=("yes",)), "has no --rows"),
    ):
        with pytest.raises(TrainingError, match=why):
            positions_table.SPEC.run(data, changed, tmp_path, device=CPU)
    with pytest.raises(CorpusError, match="pct_scoring_weights"):
        positions_table.SPEC.run(tmp_path, plan, tmp_path, device=CPU)
    words = f"table calibration-5 --data {data} --out {tmp_path} --base a b"
    with pytest.raises(SystemExit):
        main.main(words.split())
    assert "unrecognized arguments: b" in capsys.readouterr().err


def test_published_means_are_those_of_the_published_rows() -> None:
    partisan = [row for name, row in COMPASS_TABLE_3.items() if name != "base"]
    for at in range(3):
        for score in range(2):
            mean = sum(row[at][score] for row in partisan) / 4
            assert COMPASS_TABLE_6["mean"][at][score] == pytest.approx(mean, abs=0.011)
            assert COMPASS_TABLE_6["best"][at][score] == max(row[at][score] for row in partisan)
