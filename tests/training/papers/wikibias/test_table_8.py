"""Table 8: every row is there, trained systems are not trained again, and no scored pair is trained on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from core.documents import Document, Sentence
from core.engine.engine import Engine
from core.rewriting.rewriter import Rewriter, SentenceTooLong
from core.rewriting.suggester import Suggester
from core.text.diff import TextEdit
from core.types import Kind, Suggestion
from tests.tiny_rewriter import RANKING, make_rewriter
from training.corpora.wikipedia import load_pairs
from training.injection import InjectedEdit, InjectedPair, write_injected
from training.loop.training_loop import TrainingError
from training.papers.wikibias import generators
from training.papers.wikibias.generators import product
from training.papers.wikibias.published import WIKIBIAS_TABLE_8
from training.papers.wikibias.table_8 import Plan, run, training_pairs
from training.text.near_duplicates import NearDuplicateIndex


def injected(path: Path) -> Path:
    rows = []
    for number in range(12):
        neutral, biased = f"Board {number} met in June.", f"Vile board {number} met in June."
        edit = InjectedEdit(start=0, end=4, before="Vile", after="", kind=Kind.FRAMING, rule="puffery")
        rows.append(
            InjectedPair(neutral, biased, (edit,), f"g{number}", "train" if number else "dev", "cw_hard")
        )
    write_injected(path, rows)
    return path


@pytest.fixture
def plan(tiny_base: Path, tmp_path: Path) -> Plan:
    return Plan(
        classifier_base=str(tiny_base),
        detector_base=str(tiny_base),
        injected=injected(tmp_path / "injected.jsonl"),
        rewriter=tmp_path / "no rewriter here",
        scale="smoke",
        resamples=50,
    )


def test_every_row_is_shown_and_a_second_call_trains_nothing(
    corpora: Path, plan: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = run(corpora, plan, tmp_path / "table", device="cpu")
    lines = {row[0]: row for row in table.blocks[0].rows}
    for name in (
        "copy",
        "delete flagged words",
        "LSTM",
        "CopyNet",
        "Transformer",
        "MODULAR",
        "references",
    ):
        assert name in lines
    assert "100.00" in lines["references"]
    assert "82.95" in lines["CopyNet"]
    assert any(note.startswith("evenhand: ") for note in table.notes)
    assert lines["copy"][2] == "0.00"
    shifts = dict(table.blocks[3].rows)
    assert shifts["references"] == "100.00"
    assert "copy" not in shifts, "what shifts nothing has no share of it"
    monkeypatch.setattr(generators, "make_generator", None)
    assert run(corpora, plan, tmp_path / "table", device="cpu") == table


def test_only_named_rows_are_computed_and_compared(corpora: Path, plan: Plan, tmp_path: Path) -> None:
    some = replace(plan, rows=("references", "delete"))
    table = run(corpora, some, tmp_path / "table", device="cpu")
    assert "LSTM" not in table.text()
    assert not (tmp_path / "table" / "rewriting-smoke-42" / "lstm").exists()
    for block in (table.blocks[0], *table.blocks[2:]):
        assert [row[0] for row in block.rows].count("delete flagged words") == 1, block.title
    with pytest.raises(TrainingError, match="not a row of this table"):
        run(corpora, replace(plan, rows=("bart",)), tmp_path / "table", device="cpu")


def test_no_training_pair_is_near_a_scored_one_and_parts_are_disjoint(corpora: Path, tmp_path: Path) -> None:
    train, dev = training_pairs(corpora, injected(tmp_path / "i.jsonl"))
    scored = NearDuplicateIndex(
        side for pair in load_pairs(corpora, "dev") for side in (pair.source, pair.target)
    )
    assert not any(scored.has_near_duplicate(pair.source) for pair in (*train, *dev))
    assert not {pair.group for pair in train} & {pair.group for pair in dev}
    assert len({pair.group for pair in train if pair.source.startswith("Vile")}) == 11
    assert "g0" in {pair.group for pair in dev}


def test_the_published_table_is_whole() -> None:
    assert len(WIKIBIAS_TABLE_8) == 7
    assert WIKIBIAS_TABLE_8["copy"][2] is None


def test_the_own_row_takes_the_best_rewrite_of_every_sentence() -> None:
    class Fake:
        """Takes ``vile`` out of every sentence that has it; says that a long one is too long."""

        def rewrite(self, document: Document, sentence: Sentence) -> tuple[Suggestion, ...]:
            words = document.source[sentence.start : sentence.end]
            if "long" in words:
                raise SentenceTooLong
            if "vile " not in words:
                return ()
            start = sentence.start + words.index("vile ")
            return tuple(
                Suggestion((TextEdit(start, start + 5, ""),), text, 1.0, 0.9, 0.1) for text in ("a", "b")
            )

    made = product.generate(
        ["The vile mayor left. A vile plan  failed.", "A vile long plan.", "Fine."], cast(Suggester, Fake())
    )
    assert made == ["The mayor left. A plan  failed.", "A vile long plan.", "Fine."]


def test_deletion_of_reworded_findings_deletes_nothing_else(tiny_bundle: Path, tmp_path: Path) -> None:
    sources = ["The senator said this shameful policy.", "The law is new."]
    rewriter = Rewriter.load(make_rewriter(tmp_path / "rewriter"))
    suggester = Suggester(Engine.load(tiny_bundle), rewriter)
    assert product.delete_reworded(sources, suggester) == ["The senator said this policy.", sources[1]]
    object.__setattr__(rewriter.bundle.thresholds, "score", 1.0)
    assert product.delete_reworded(sources, suggester) == sources


def test_without_the_leaning_penalty_the_ranking_ignores_shifts(tiny_bundle: Path, tmp_path: Path) -> None:
    folder = make_rewriter(tmp_path / "rewriter", ranking=RANKING | {"leaning": 1e3})
    suggester = Suggester(Engine.load(tiny_bundle), Rewriter.load(folder))
    source = ["The senator said this shameful policy."]
    assert product.without_leaning_penalty(suggester).rewriter.bundle.ranking.leaning == 0
    assert product.generate(source, product.without_leaning_penalty(suggester)) != source
    assert suggester.rewriter.bundle.ranking.leaning == 1e3
