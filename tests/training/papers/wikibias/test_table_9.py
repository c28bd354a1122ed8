"""WIKIBIAS's Table 9: a reader or a trained tagger on texts by side, beside the paper's figures and raters' sheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from tests.tiny import make_bundle
from tests.training.papers.wikibias.invented_corpus import pairs
from training.cli import main
from training.corpora.political_texts import Passage, Side
from training.corpora.wikibias_writer import write_corpus
from training.evaluation.results_table import Block, Table
from training.loop.training_loop import TrainingError
from training.papers import rating_sheets
from training.papers.wikibias import span_ratings, table_9, tables
from training.papers.wikibias.systems import SystemSpec
from training.papers.wikibias.table_9 import Plan
from training.papers.wikibias.types import Corpus, Predictions, TrainingContext

CPU = torch.device("cpu")
LEFT = [
    *(f"the shameful law number {at}" for at in range(3)),
    "a shameful shameful end",
    "the senator said so",
]
RIGHT = [*(f"workers of the disastrous union {at}" for at in range(3)), "the people", "the border"]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    (folder / "wnc" / "real_world_samples").mkdir(parents=True)
    for name, texts in (("news_left", LEFT), ("news_right", RIGHT), ("speeches", ["a shameful deal"])):
        rows = "".join(f"u\tt\tt\t{text}\t{text}\tN\tR\n" for text in texts)
        (folder / "wnc" / "real_world_samples" / f"{name}.tsv").write_text(rows, encoding="utf-8")
    return folder


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    return make_bundle(tmp_path / "bundle")


def row(table: Table, name: str) -> dict[str, str]:
    head, cells = table.blocks[0].header, {line[0]: line for line in table.blocks[0].rows}
    return dict(zip(head, cells[name], strict=True))


def block(table: Table, beginning: str) -> Block:
    return next(one for one in table.blocks if one.title.startswith(beginning))


def test_counts_by_side_beside_the_papers_figures(data: Path, bundle: Path, tmp_path: Path) -> None:
    table = table_9.run(data, Plan(reader=bundle), tmp_path, device=CPU)
    left = row(table, "news, liberal")
    assert (left["sentences"], left["marked"], left["published F1"]) == ("5", "80%", "38.0")
    assert left["F1 here [95%]"] == "not rated"
    assert row(table, "Trump, campaign 2016")["published F1"] == "–"
    typical = block(table, "news, liberal: most typical, against news, conservative")
    assert typical.rows[0][:3] == ("shameful", "3", "0")
    assert "[shameful]" in typical.rows[0][-1]
    multi = block(table, "news, liberal: most frequent of two or more words")
    assert [line[0] for line in multi.rows] == ["shameful shameful"]
    said = table.text()
    assert "no ratings" in said
    assert "Missing corpora: Presidential debates 2016, Convote (House debates 2005)." in said
    assert "Monroe" in said


def test_filled_sheets_give_f1_named_after_the_raters(data: Path, bundle: Path, tmp_path: Path) -> None:
    some = [Passage(text, "news", Side.LEFT) for text in LEFT[:3]]
    folder = tmp_path / "ratings"
    span_ratings.write_sheets(span_ratings.plan_sheets(some, raters=2, seed=1), folder)
    for number, mark in ((1, "shameful"), (2, "shameful law")):
        path = folder / rating_sheets.RATERS / f"rater-{number}.csv"
        rows = list(csv.reader(io.StringIO(path.read_text(encoding="utf-8-sig"), newline="")))
        stream = io.StringIO(newline="")
        csv.writer(stream).writerows([rows[0], *([*one[:2], mark, ""] for one in rows[1:])])
        path.write_text(stream.getvalue(), encoding="utf-8", newline="")
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("shameful law,", "nonsense,", 1), encoding="utf-8", newline="")
    said: list[str] = []
    table = table_9.run(
        data, Plan(reader=bundle, ratings=folder), tmp_path, device=CPU, on_message=said.append
    )
    assert row(table, "news, liberal")["F1 here [95%]"].startswith("100.0")
    assert row(table, "news, conservative")["F1 here [95%]"] == "not rated"
    assert "partial F1 on 3 sentences of each side, marked by 2 raters" in table.text()
    assert len(said) == 1
    assert "rater-2.csv, line 2: 'nonsense' is not in the sentence" in said[0]


def test_the_command_prints_it_and_bad_input_is_one_clear_line(
    data: Path, bundle: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call = [
        "table",
        "wikibias-9",
        "--data",
        str(data),
        "--reader",
        str(bundle),
        "--out",
        str(tmp_path / "out"),
    ]
    assert main.main(call) == 0
    assert "news, sensational" not in (printed := capsys.readouterr().out)
    assert "WIKIBIAS, Table 9: reader tiny 0.1 outside its domain" in printed
    assert main.main([*call, "--ratings", str(tmp_path / "nowhere")]) == 2
    assert "ratings sheet" in capsys.readouterr().err
    for path in (data / "wnc" / "real_world_samples").iterdir():
        path.unlink()
    assert main.main(call) == 2
    assert "none of them is in" in capsys.readouterr().err


@pytest.fixture
def trained(data: Path, tiny_base: Path, tmp_path: Path) -> tables.Plan:
    write_corpus(
        data,
        manual=pairs(12, seed=1),
        auto=[],
        dev=pairs(6, seed=3),
        test=pairs(6, seed=4),
        name="",
    )
    return tables.Plan(
        encoders={"minilm": tiny_base}, scale="smoke", rows=("bert-manual",), results=tmp_path / "none.json"
    )


def test_a_tagger_of_table_7_learns_once_and_reads_the_same_texts(
    data: Path, trained: tables.Plan, tmp_path: Path
) -> None:
    plan = Plan(scale="smoke", trained=trained)
    table = table_9.run(data, plan, tmp_path / "out", device=CPU)
    assert "BERT, manual on minilm, seed 1, outside its domain" in table.title
    assert row(table, "news, liberal")["sentences"] == "5"
    weights = {path: path.stat().st_mtime_ns for path in (tmp_path / "out").rglob("*.safetensors")}
    assert weights
    assert table_9.run(data, plan, tmp_path / "out", device=CPU) == table
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "out").rglob("*.safetensors")} == weights


def test_a_trained_tagger_learns_from_its_own_corpus_alone_before_it_reads_others(
    data: Path, trained: tables.Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Corpus] = []

    def load(_row: SystemSpec) -> Callable[[Corpus, TrainingContext], Predictions]:
        def system(corpus: Corpus, _context: TrainingContext) -> Predictions:
            asked.append(corpus)
            return Predictions(tags=[("B-bias", *("O",) * (len(one) - 1)) for one in corpus.test])

        return system

    monkeypatch.setattr(SystemSpec, "load", load)
    table = table_9.run(data, Plan(trained=trained), tmp_path / "out", device=CPU)
    first, second = asked
    assert {one.group for one in first.test} != {one.group for one in second.test}
    assert second == replace(first, test=second.test)
    assert row(table, "news, liberal")["spans"] == "5"
    monkeypatch.setattr(SystemSpec, "load", lambda _row: lambda _corpus, _context: Predictions(biased=()))
    with pytest.raises(TrainingError, match="marks no words"):
        table_9.run(data, Plan(trained=trained), tmp_path / "out", device=CPU)
