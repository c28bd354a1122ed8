"""The table of section 2.1 counts by hand-worked cases, tunes on one half alone, and says what it lacks."""

from __future__ import annotations

import json
import lzma
from pathlib import Path

import pytest

from tests.training.tagged_revisions import tag_revision
from tests.training.tiny_corpora import make_injected
from training.cli.main import main
from training.corpora.wikibias_writer import write_corpus
from training.papers.wikibias.heuristic_table import (
    THRESHOLDS,
    Case,
    find_spans,
    plain_diff,
    score_heuristic,
    split_halves,
    tagged_cases,
    tune_threshold,
)
from training.papers.wikibias.published import WIKIBIAS_HEURISTIC
from training.types import BEGIN, OUTSIDE

CASES = [
    Case(("the", "great", "old", "king", "died"), ("the", "king", "died"), ((1, 2),), "a"),
    Case(("a", "cruel", "man", "came", "home"), ("a", "man", "came", "home"), ((1, 2),), "b"),
    Case(("it", "was", "labelled", "so", "then"), ("it", "was", "labeled", "so", "then"), (), "c"),
    Case(("all", "critics", "liked", "this", "film"), ("some", "critics", "liked", "this", "film"), (), "d"),
]


def test_scores_are_those_worked_by_hand() -> None:
    found = find_spans(CASES, None)
    assert found == [[(1, 3)], [(1, 2)], [], [(0, 1)]]
    got = score_heuristic(CASES, found)
    assert got.sources == pytest.approx(3 / 4)
    assert got.sentences == pytest.approx(7 / 8)
    assert (got.strict.precision, got.strict.recall) == (pytest.approx(1 / 3), pytest.approx(1 / 2))
    assert (got.overlap.precision, got.overlap.recall) == (pytest.approx(2 / 3), 1.0)
    assert (got.gold, got.found) == (2, 3)


def test_the_plain_diff_is_counted_in_the_same_tokens() -> None:
    assert plain_diff(CASES) == [[(1, 3)], [(1, 2)], [], [(0, 1)]]


def test_nothing_to_score_is_no_error() -> None:
    assert score_heuristic([], []).sources == 0.0


def test_the_threshold_is_one_of_those_tried_and_halves_share_no_group() -> None:
    assert tune_threshold(CASES, None) in THRESHOLDS
    one, two = split_halves([*CASES, *CASES])
    assert {case.group for case in one}.isdisjoint(case.group for case in two)
    assert len(one) == len(two) == 4


def test_only_an_original_before_its_neutral_is_a_case() -> None:
    first, second = tag_revision(["a", "cruel", "king", "died"], ["a", "king", "died"], group="1")
    lone, _ = tag_revision(["an", "old", "king", "died"], ["a", "king", "died"], group="2")
    assert [case.group for case in tagged_cases([lone, first, second, lone, lone, second])] == ["1"]


def table(*arguments: object) -> int:
    return main(["table", "wikibias-heuristic", "--spacy", "none", *map(str, arguments)])


def test_injected_pairs_and_the_official_corpus_are_both_scored(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sides = [
        side
        for number in range(6)
        for side in tag_revision(
            f"the cruel king of land {number} died".split(),
            f"the king of land {number} died".split(),
            group=str(number),
        )
    ]
    write_corpus(tmp_path / "data", manual=sides, auto=(), dev=sides, test=sides)
    injected = make_injected(tmp_path / "injected.jsonl")
    page = tmp_path / "table.md"
    assert table("--data", tmp_path / "data", "--injected", injected, "--markdown", page) == 0
    said = capsys.readouterr().out
    rows = [line for line in said.splitlines() if line.startswith("no parse, similarity")]
    assert len(rows) == 2
    assert all(row.split()[4:8] == ["100.0"] * 4 for row in rows)
    assert f"{WIKIBIAS_HEURISTIC['sentence accuracy']}" in said
    assert "upper bound" in said
    assert page.read_text(encoding="utf-8").startswith("## WIKIBIAS, section 2.1")


def test_the_manual_corpus_is_scored_by_its_pairs_whatever_their_order(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its dev part chooses the similarity, its train part is scored; a neutral edit has no gold span."""
    folder = tmp_path / "wikibias"
    folder.mkdir()
    for part in ("train", "dev"):
        rows = [
            {
                "id": f"{number}_{int(not old)}",
                "side": "source" if old else "target",
                "tokens": tokens,
                "tags": [OUTSIDE, BEGIN, *[OUTSIDE] * 4] if old and loaded else [OUTSIDE] * len(tokens),
                "types": ["framing"] if old and loaded else [],
                "class_label": int(old and loaded),
            }
            for number, loaded in enumerate((True, True, False))
            for old, tokens in (
                (False, ["the", "king", "of", str(number), "died"]),
                (True, ["the", "cruel" if loaded else "late", "king", "of", str(number), "died"]),
            )
        ]
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (folder / f"{part}.jsonl.xz").write_bytes(lzma.compress(text.encode()))
    assert table("--data", tmp_path) == 0
    said = capsys.readouterr().out
    assert "3 pairs of WIKIBIAS's train part" in said
    (row,) = [line for line in said.splitlines() if line.startswith("no parse, similarity")]
    assert row.split()[-2] == "2", "two gold spans"
    assert row.split()[7] == "100.0", "both are found"


def test_the_annotators_practice_set_is_scored_by_its_phrases(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "wikibias" / "phrase_pairs_dev.tsv"
    place.parent.mkdir()
    rows = ("before\tafter", "wonderful\tnull", "null\tallegedly", "showed\tclaimed", "season\tseasons")
    place.write_text("\n".join(rows) + "\n", encoding="utf-8")
    assert table("--data", tmp_path) == 0
    said = capsys.readouterr().out
    assert "3 phrases of the annotators' practice set" in said
    (row,) = [line for line in said.splitlines() if line.startswith("no parse, similarity")]
    assert row.split()[6:8] == ["100.0", "66.7"]


def test_without_known_spans_the_table_says_where_to_get_some(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert table("--data", tmp_path) == 2
    assert "evenhand train data inject" in capsys.readouterr().err
