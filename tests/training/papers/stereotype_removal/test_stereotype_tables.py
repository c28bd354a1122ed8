"""Tables 3 to 8: each runs from one command, cells are computed once, missing ones are named."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from tests.training.papers.stereotype_removal import invented_hate
from tests.training.papers.stereotype_removal.invented_hate import make_data, make_glove
from training.cli import main
from training.evaluation.results_table import Table
from training.loop.result_cache import Measurement, ResultCell, load_cells, read_results, write_results
from training.loop.training_loop import TrainingError
from training.papers.stereotype_removal import strategies, tables
from training.papers.stereotype_removal.runner import BswCellId, BswRunner
from training.papers.stereotype_removal.strategies import REPLACEMENTS, StrategyResources
from training.papers.stereotype_removal.tables import BUDGETS, VIEWS, Plan
from training.types import CorpusError

CPU = torch.device("cpu")
LIGHT = ("biased", "neighbours", "centroid")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All corpora of these tables."""
    return make_data(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def glove(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of word vectors."""
    return make_glove(tmp_path_factory.mktemp("glove") / "glove.txt")


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Finished cells and fits, which tables share."""
    return tmp_path_factory.mktemp("out")


@pytest.fixture(autouse=True)
def tools(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tagger and a WordNet that need no files."""
    monkeypatch.setattr(strategies, "spacy_tagger", lambda _: invented_hate.tagger)
    for module in (strategies, tables):
        monkeypatch.setattr(module, "load_wordnet", lambda _: invented_hate.WordNet())


@pytest.fixture
def plan(glove: Path, tmp_path: Path) -> Plan:
    """A quick smoke run of Table 4 that knows no committed cell."""
    return Plan(
        table="bsw-4",
        glove=glove,
        scale="smoke",
        rows=LIGHT,
        classifiers=("logistic",),
        results=tmp_path / "results.json",
    )


def _run(data: Path, plan: Plan, folder: Path) -> Table:
    return tables.SPEC.run(data, plan, folder, device=CPU)


def _row(text: str, title: str, block: str = "") -> str:
    lines = text[text.index(block) :].splitlines()
    return next(line for line in lines if line.startswith(f"{title}  "))


@pytest.mark.parametrize("table", VIEWS)
def test_every_table_runs_from_one_command(
    table: str, data: Path, glove: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = (
        f"table {table} --data {data} --out {out} --scale smoke --device cpu --ignore-cache --glove {glove}"
    )
    assert main.main(f"{words} --markdown {out / table}.md".split()) == 0
    text = capsys.readouterr().out
    assert "not run here" not in text
    assert "1 of 1" in text
    cells = load_cells(out / "bsw" / "cells")
    told = json.dumps([[cell.facts, cell.command] for cell in cells])
    assert not any(str(path) in told for path in (data, glove, out))
    assert (out / f"{table}.md").read_text(encoding="utf-8").startswith("## Badjatiya et al. 2019, Table")
    if table == "bsw-6":
        for key, title in REPLACEMENTS.items():
            assert "0.9" in _row(text, title), key
    if table == "bsw-8":
        assert "0.928" in _row(text, "are you a nerd ?")


def test_tables_share_their_cells(data: Path, plan: Plan, tmp_path: Path) -> None:
    _run(data, replace(plan, table="bsw-6", detections=("manual",)), tmp_path)
    made = {cell.place: cell.values["seconds"] for cell in load_cells(tmp_path / "bsw" / "cells")}
    text = _run(data, replace(plan, table="bsw-5"), tmp_path).text()
    assert {cell.place: cell.values["seconds"] for cell in load_cells(tmp_path / "bsw" / "cells")} == made
    for figure in ("pAUC", "subgroup AUC", "BPSN AUC", "BNSP AUC"):
        assert figure in text
    cell = next(cell for cell in load_cells(tmp_path / "bsw" / "cells") if "centroid" in cell.place)
    assert cell.values["terms"] == 50
    assert 0 <= cell.values["bpsn_lowest"] <= cell.values["bpsn"] <= 1


def test_a_killed_table_resumes_at_its_next_cell(
    data: Path, plan: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []

    def measure(_: BswRunner, cell_id: BswCellId) -> Measurement:
        if len(made) == 2:
            made.append("killed")
            raise KeyboardInterrupt
        made.append(f"{cell_id.detection} {cell_id.replacement}")
        return Measurement({"auc": 0.5, "pb_mean": 0.1, "pb_sym": 0.2, "pb_asym": 0.1})

    monkeypatch.setattr(BswRunner, "measure", measure)
    with pytest.raises(KeyboardInterrupt):
        _run(data, plan, tmp_path)
    shown = _run(data, replace(plan, show=True), tmp_path).text()
    assert "0.500" in _row(shown, "k nearest neighbours")
    assert "not run here" in _row(shown, "centroid embedding")
    text = _run(data, plan, tmp_path).text()
    assert len(made) == len(set(made)) == 7
    assert "0.500" in _row(text, "centroid embedding", "SPCPD")


def test_words_are_replaced_in_everything_that_is_read_except_by_neighbours(
    data: Path, plan: Plan, tmp_path: Path
) -> None:
    _run(data, replace(plan, table="bsw-6", detections=("manual",)), tmp_path)
    found = {cell.row.rpartition("-")[2]: cell.values for cell in load_cells(tmp_path / "bsw" / "cells")}
    assert found["centroid"]["pb_mean"] == pytest.approx(0, abs=1e-9)
    assert found["biased"]["pb_mean"] > 0.01
    assert found["neighbours"]["pb_mean"] > 0.01
    assert found["biased"]["changed"] == 0
    assert found["centroid"]["changed"] > 0.2


def test_without_glove_or_a_corpus_there_is_one_clear_line(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = f"table bsw-4 --data {data} --out {tmp_path} --scale smoke --device cpu --ignore-cache"
    for given, said in ((words, "--glove FILE"), (f"{words} --glove {tmp_path / 'none'}", "is not there")):
        assert main.main(given.split()) == 2
        assert said in capsys.readouterr().err.strip().splitlines()[-1]
    assert main.main(f"table bsw-7 --data {tmp_path}".split()) == 2
    assert "wikipedia_toxicity_partial" in capsys.readouterr().err.strip().splitlines()[-1]


def test_a_corpus_of_one_class_is_one_clear_line(plan: Plan, data: Path, tmp_path: Path) -> None:
    folder = make_data(tmp_path / "data", count=20)
    tweets = folder / "davidson" / "labeled_data.csv"
    lines = tweets.read_text(encoding="utf-8").splitlines()
    tweets.write_text("\n".join(line for line in lines if not line.startswith("2")) + "\n", encoding="utf-8")
    with pytest.raises(CorpusError, match="neutral"):
        _run(folder, plan, tmp_path)


def test_a_list_without_words_is_noted_and_the_others_go_on(
    data: Path, plan: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(tables.BUDGETS, "smoke", replace(BUDGETS["smoke"], phi=10**6))
    text = _run(data, plan, tmp_path).text()
    (note,) = (line for line in text.splitlines() if "No bias sensitive word was found by soac" in line)
    assert note.startswith("biased (twitter, skewed occurrence (SOAC)), k nearest neighbours")
    assert "1 of 1" in _row(text, "biased", "SPCPD")
    assert "not run here" in _row(text, "biased", "SOAC")


def test_without_wordnet_its_rows_are_noted(
    data: Path, plan: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(_: Path | None) -> None:
        raise CorpusError("WordNet is not here. Name the folder with --wordnet FOLDER.")

    monkeypatch.setattr(strategies, "load_wordnet", missing)
    text = _run(data, replace(plan, rows=("biased", "wordnet-0", "wordnet-5")), tmp_path).text()
    assert "1 of 1" in _row(text, "biased")
    (note,) = (line for line in text.splitlines() if "WordNet is not here" in line)
    assert "WordNet-0" in note
    assert "WordNet-5" in note


def test_committed_cells_are_shown_with_deviation_and_change(data: Path, plan: Plan, tmp_path: Path) -> None:
    cells = [_cell("biased", seed, pb_asym=0.2 + seed / 100) for seed in (1, 2, 3)]
    cells += [_cell("centroid", seed, pb_asym=0.02) for seed in (1, 2, 3)]
    write_results(plan.results, cells)
    shown = replace(plan, scale="cpu", show=True, glove=None, classifiers=("cnn",))
    text = _run(data, shown, tmp_path).text()
    assert "0.2200 ± 0.0100" in _row(text, "biased", "SPCPD")
    assert "0.2553" in _row(text, "biased", "SPCPD")
    row = _row(text, "centroid embedding", "SPCPD")
    assert "-91%" in row
    assert "3 of 3" in row
    assert "0.0439" in row
    assert "cpu: at most six epochs" in text
    _run(data, replace(plan, rows=("biased",), save_results=True), tmp_path)
    assert {cell.scale for cell in read_results(plan.results)} == {"cpu"}


def test_an_unknown_row_detection_or_classifier_is_refused_before_anything_is_loaded(
    plan: Plan, tmp_path: Path
) -> None:
    for wrong in (
        replace(plan, rows=("wiki-debias",)),
        replace(plan, detections=("manual",)),
        replace(plan, classifiers=("forest",)),
    ):
        with pytest.raises(TrainingError, match="Name one of"):
            _run(tmp_path / "nowhere", wrong, tmp_path)


def test_table_7_prints_the_replacements_from_wordnet(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(f"table bsw-7 --data {data}".split()) == 0
    text = capsys.readouterr().out
    assert _row(text, "muslim").split() == ["muslim", "person", "person", "-", "-", "-", "-"]
    assert "disciple" in _row(text, "  the paper's")
    assert _row(text, "deaf").split() == ["deaf", "person", "person", "-", "-", "-", "-"]
    assert _row(text, "nonbinary").split()[1:] == ["person", "person", "-", "-", "-", "-"]
    assert "of the 39 replacements that the paper prints are the same here" in text


def test_a_row_is_tagged_once(monkeypatch: pytest.MonkeyPatch, glove: Path) -> None:
    asked: list[int] = []

    def tagger(rows: list[tuple[str, ...]]) -> list[tuple[strategies.Tag, ...]]:
        asked.append(len(rows))
        return invented_hate.tagger(rows)

    monkeypatch.setattr(strategies, "spacy_tagger", lambda _: tagger)
    tools = StrategyResources(glove=glove, wordnet=None, spacy="none")
    first = tools.tagger()([("the", "gay"), ("the", "gay"), ("a", "baker")])
    assert first == tools.tagger()([("the", "gay"), ("the", "gay"), ("a", "baker")])
    assert asked == [2, 0]


def _cell(key: str, seed: int, **values: float) -> ResultCell:
    return ResultCell(
        place=f"bsw-twitter-spcpd-{key}-cnn-seed{seed}",
        row=f"twitter-spcpd-{key}",
        group="cnn",
        protocol="spcpd",
        seed=seed,
        fold=0,
        scale="cpu",
        key=f"{key}{seed}",
        command="evenhand train table bsw-4",
        facts={"corpus": "m"},
        values={"auc": 0.95, "pb_mean": 0.1, "pb_sym": 0.2, **values},
    )
