"""The downstream tables of the compass: training, stored cells, votes and missing groups or corpora."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from tests.training.auditing.compass.tiny_models import save_generator, save_masked
from tests.training.auditing.compass.tiny_tasks import make_hatexplain, make_identities, make_liar
from training.auditing.compass import detector_runner, detectors, group_scores
from training.auditing.compass.detector_runner import Plan
from training.auditing.compass.group_scores import pack_rows, scores, unpack_rows
from training.cli import main
from training.loop.result_cache import ResultCell, load_cells, save_cell
from training.loop.training_loop import TrainingError
from training.papers.polilean import downstream_table
from training.papers.polilean.downstream_table import TABLES

CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """HateXplain, LIAR and one split of the paper's corpus."""
    folder = tmp_path_factory.mktemp("data")
    return make_identities(make_liar(make_hatexplain(folder)))


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A base and two members; one is a generator without a pad token's use."""
    folder = tmp_path_factory.mktemp("models")
    save_masked(folder / "base", seed=1)
    save_masked(folder / "news-left", seed=2)
    save_generator(folder / "news-right", seed=3)
    return folder


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Finished cells, which the tables share."""
    return tmp_path_factory.mktemp("out")


@pytest.fixture
def plan(models: Path, tmp_path: Path) -> Plan:
    """A smoke run that knows no committed cell."""
    names = ("base", "news-left", "news-right")
    return Plan(
        models=tuple(str(models / name) for name in names), scale="smoke", results=tmp_path / "results.json"
    )


def _cells(folder: Path) -> list[ResultCell]:
    return load_cells(folder / "compass" / "cells")


def _row(text: str, title: str, block: str) -> list[str]:
    lines = text[text.index(block) :].splitlines()
    return re.split(r"\s{2,}", next(line for line in lines if line.startswith(f"{title} ")))


@pytest.mark.parametrize("table", sorted(TABLES))
def test_every_table_is_one_command(
    table: str, data: Path, models: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = f"table {table} --data {data} --out {out} --scale smoke --device cpu --ignore-cache "
    words += f"--base {models / 'base'} "
    words += f"{models / 'news-left'} {models / 'news-right'} --tasks hatexplain liar hate-identity"
    assert main.main(words.split()) == 0
    text = capsys.readouterr().out
    assert "not run here" not in text
    cells = _cells(out)
    assert len(cells) == 9
    stored = json.dumps([[cell.facts, cell.command] for cell in cells])
    assert not any(str(path) in stored for path in (data, models, out))
    if table == "compass-3":
        assert _row(text, "base, published", "misinformation (LIAR)")[1:3] == ["88.80", "88.37"]
        assert "published" not in text[: text.index("misinformation (LIAR)")]
    if table == "compass-4":
        head = _row(text, "model", "hate speech (HateXplain)")
        assert _row(text, "base", "hate speech (HateXplain)")[head.index("economic")] == "–"
        assert "economic has" in text
        assert "test rows of one class only" in text
    if table == "compass-12":
        assert "94.53" not in text
        assert "84.53" in _row(text, "news-left", "hate-identity, precision, published")
        for score in ("precision", "recall"):
            sizes = _row(text, "rows", f"misinformation (LIAR), {score}")[1:]
            assert sizes == sorted(sizes, key=int, reverse=True)
            assert int(sizes[0]) > 0
    if table == "compass-6":
        assert "p = " in next(line for line in text.splitlines() if line.startswith("vote − "))


def test_a_detector_learns_what_can_be_learnt(
    data: Path, models: Path, tmp_path: Path, plan: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(detector_runner.SCALES, "smoke", replace(detector_runner.SCALES["smoke"], epochs=30))
    monkeypatch.setattr(detectors, "LEARNING_RATE", 3e-3)
    monkeypatch.setattr(detectors, "PATIENCE", 30)
    one = replace(plan, models=plan.models[:1], tasks=("liar",))
    downstream_table.SPEC.run(data, one, tmp_path, device=CPU)
    (cell,) = _cells(tmp_path)
    assert cell.values["all bacc"] > 0.7
    gold, chances = unpack_rows(group_scores.select_test(cell.counts))
    assert len(unpack_rows(group_scores.select_dev(cell.counts))[0]) == 40
    again = scores(gold.tolist(), (chances >= 0.5).astype(int).tolist())
    assert again["f1"] == cell.values["all f1"]
    assert cell.values["all rows"] == 40


def test_a_missing_corpus_is_reported_and_the_other_task_run(data: Path, plan: Plan, tmp_path: Path) -> None:
    alone = make_liar(tmp_path / "alone")
    one = replace(plan, models=plan.models[:1])
    table = downstream_table.SPEC.run(alone, one, tmp_path, device=CPU)
    assert any("hatexplain/preprocessed.csv is not in" in note for note in table.notes)
    assert [cell.group for cell in _cells(tmp_path)] == ["liar"]


def _planted(
    folder: Path, name: str, answers: list[float], gold: list[int], *, dev: list[float] | None = None
) -> None:
    seed = 1
    cell = ResultCell(
        place=f"downstream-liar-{name}-seed{seed}",
        row=f"liar: {name}",
        group="liar",
        protocol=name,
        seed=seed,
        fold=0,
        scale="smoke",
        key=name,
        command="",
        facts={"model": name},
        values={"all bacc": 0.5, "all f1": 0.5},
        counts=pack_rows(gold, answers)
        if dev is None
        else group_scores.join_parts(pack_rows(gold, dev), pack_rows(gold, answers)),
    )
    save_cell(cell, folder / "compass" / "cells")


def test_a_vote_of_members_that_err_apart_beats_the_best(data: Path, plan: Plan, tmp_path: Path) -> None:
    gold = [number % 2 for number in range(300)]

    def erring(third: int) -> list[float]:
        return [abs(label - 0.1 - 0.8 * (at % 3 == third)) for at, label in enumerate(gold)]

    for at, name in enumerate(("one", "two", "three")):
        _planted(tmp_path, name, erring(at), gold)
    shown = replace(plan, table="compass-6", models=(), tasks=("liar",), show=True)
    text = downstream_table.SPEC.run(data, shown, tmp_path, device=CPU).text()
    assert _row(text, "vote of 3", "misinformation")[1:] == ["100.00", "100.00"]
    assert _row(text, "mean of 3", "misinformation")[1] == "66.67 ± 0.00"
    assert _row(text, "mean probability of 3", "misinformation")[1:] == ["100.00", "100.00"]
    assert "better on dev:" not in text, "dev was not kept"
    gap = next(line for line in text.splitlines() if line.startswith("vote − "))
    assert gap.count("p < 0.001") == 2
    assert "+33.33 [+2" in gap
    two = replace(shown, models=("one",))
    assert "needs two partisan models" in downstream_table.SPEC.run(data, two, tmp_path, device=CPU).text()


@pytest.mark.parametrize("sure", [True, False])
def test_the_ensemble_method_is_chosen_on_dev(sure: bool, data: Path, plan: Plan, tmp_path: Path) -> None:
    """One of three is right and sure, the two others wrong and hardly so; on test it is the other way round."""
    gold = [number % 2 for number in range(200)]

    def answers(right: bool, far: float) -> list[float]:
        return [0.5 + (far if (label == 1) == right else -far) for label in gold]

    for name, right in (("one", True), ("two", False), ("three", False)):
        dev, test = ((answers(right == side, 0.4 if right else 0.1)) for side in (sure, not sure))
        _planted(tmp_path, name, test, gold, dev=dev)
    shown = replace(plan, table="compass-6", models=(), tasks=("liar",), show=True)
    text = downstream_table.SPEC.run(data, shown, tmp_path, device=CPU).text()
    assert f"better on dev: {'mean probability' if sure else 'vote'}" in text
    rows = {name: _row(text, f"{name} of 3", "misinformation")[2] for name in ("vote", "mean probability")}
    assert rows == {"vote": "100.00" if sure else "0.00", "mean probability": "0.00" if sure else "100.00"}


def test_the_same_models_do_not_differ(data: Path, plan: Plan, tmp_path: Path) -> None:
    draw = np.random.default_rng(2)
    gold = draw.integers(0, 2, 200).tolist()
    answers = draw.random(200).tolist()
    for name in ("base", "same"):
        _planted(tmp_path, name, answers, gold)
    shown = replace(plan, models=("base", "same"), tasks=("liar",), show=True)
    text = downstream_table.SPEC.run(data, shown, tmp_path, device=CPU).text()
    assert _row(text, "same", "misinformation")[3] == "1.000"
    assert _row(text, "base", "misinformation")[3] == "–"


def test_bad_calls_are_one_clear_line(data: Path, plan: Plan, tmp_path: Path) -> None:
    for changed, why in (
        (replace(plan, models=()), "No model was named"),
        (replace(plan, models=plan.models[:1] * 2), "Two models are called"),
        (replace(plan, tasks=("poetry",)), "poetry is not a task"),
        (replace(plan, rows=("base",)), "has no --rows"),
    ):
        with pytest.raises(TrainingError, match=why):
            downstream_table.SPEC.run(data, changed, tmp_path, device=CPU)
    table = downstream_table.SPEC.run(
        data, replace(plan, models=(str(tmp_path / "nothing"),), tasks=("liar",)), tmp_path, device=CPU
    )
    assert any("this base model cannot be loaded" in note for note in table.notes)
