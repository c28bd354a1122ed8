"""The table of rewriting systems: every row is there, what was fitted is not fitted again, nothing scored is learnt."""

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
from training.injection import Injected, InjectedEdit, write_injected
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
        rows.append(Injected(neutral, biased, (edit,), f"g{number}", "train" if number else "dev", "cw_hard"))
    write_injected(path, rows)
    return path


@pytest.fixture
def plan(tiny_base: Path, tmp_path: Path) -> Plan:
    return Plan(
        judge_base=str(tiny_base),
        detector_base=str(tiny_base),
        injected=injected(tmp_path / "injected.jsonl"),
        rewriter=tmp_path / "no rewriter here",
        scale="smoke",
        resamples=50,
    )


def test_every_row_is_printed_and_a_second_call_makes_nothing_again(
    corpora: Path, plan: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = run(corpora, plan, tmp_path / "table", device="cpu")
    lines = {line[:26].strip(): line for line in reversed(text.splitlines())}
    for name in (
        "copy",
        "delete the flagged words",
        "LSTM",
        "CopyNet",
        "Transformer",
        "MODULAR",
        "references",
    ):
        assert name in lines
    assert "100.00" in lines["references"]
    assert "82.95" in text
    assert "evenhand: " in text
    assert lines["copy"].split()[2] == "0.00"
    moved = text.partition("of the shift, made by")[2].partition("\n\n")[0]
    made = {line[:26].strip(): line[26:].strip() for line in moved.splitlines()}
    assert made["references"] == "100.00"
    assert "copy" not in made, "what moves nothing has no part of it"
    monkeypatch.setattr(generators, "make", None)
    assert run(corpora, plan, tmp_path / "table", device="cpu") == text


def test_named_rows_alone_are_made_and_compared_with_what_is_there(
    corpora: Path, plan: Plan, tmp_path: Path
) -> None:
    some = replace(plan, rows=("references", "delete"))
    text = run(corpora, some, tmp_path / "table", device="cpu")
    assert "LSTM" not in text
    assert not (tmp_path / "table" / "rewriting-smoke-42" / "lstm").exists()
    assert "against" in text
    assert sum(line.startswith("delete the flagged words") for line in text.splitlines()) == 3, (
        "row, featured, and its part of the shift"
    )
    with pytest.raises(TrainingError, match="no row of this table"):
        run(corpora, replace(plan, rows=("bart",)), tmp_path / "table", device="cpu")


def test_nothing_near_a_scored_pair_is_learnt_from_and_parts_stay_apart(
    corpora: Path, tmp_path: Path
) -> None:
    train, dev = training_pairs(corpora, injected(tmp_path / "i.jsonl"))
    scored = NearDuplicateIndex(
        side for pair in load_pairs(corpora, "dev") for side in (pair.source, pair.target)
    )
    assert not any(scored.near(pair.source) for pair in (*train, *dev))
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


def test_deletion_of_the_same_marks_takes_out_what_is_reworded_and_nothing_else(
    tiny_bundle: Path, tmp_path: Path
) -> None:
    sources = ["The senator said this shameful policy.", "The law is new."]
    rewriter = Rewriter.load(make_rewriter(tmp_path / "rewriter"))
    suggester = Suggester(Engine.load(tiny_bundle), rewriter)
    assert product.delete_there(sources, suggester) == ["The senator said this policy.", sources[1]]
    object.__setattr__(rewriter.bundle.thresholds, "score", 1.0)
    assert product.delete_there(sources, suggester) == sources


def test_heedless_is_the_same_but_for_the_price(tiny_bundle: Path, tmp_path: Path) -> None:
    folder = make_rewriter(tmp_path / "rewriter", ranking=RANKING | {"leaning": 1e3})
    suggester = Suggester(Engine.load(tiny_bundle), Rewriter.load(folder))
    source = ["The senator said this shameful policy."]
    assert product.heedless(suggester).rewriter.bundle.ranking.leaning == 0
    assert product.generate(source, product.heedless(suggester)) != source
    assert suggester.rewriter.bundle.ranking.leaning == 1e3
