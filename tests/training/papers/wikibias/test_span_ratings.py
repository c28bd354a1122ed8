"""Protects sheets in which raters mark biased words: blind, read back whatever way they mark, faults told by line."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from pathlib import Path

import pytest

from training.cli import main
from training.corpora.political_texts import Passage, Side
from training.papers import rating_sheets
from training.papers.wikibias import span_ratings
from training.papers.wikibias.span_ratings import MarkError, majority_spans, parse_marks
from training.types import RatingError

TEXT = "It's a very, very sad thing, and totally wrong (huge) thing."
ITEMS = [
    Passage(text, corpus, side)
    for corpus, side, text in (
        ("books", Side.LEFT, "the shameful law passed."),
        ("books", Side.RIGHT, "the law passed in a very sad year."),
        ("news", Side.LEFT, "=mob of angry moms gives “justice”"),
    )
]
HONEST = {
    "the shameful law passed.": "shameful",
    "the law passed in a very sad year.": "none",
    "=mob of angry moms gives “justice”": "[mob] of [angry moms]",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    span_ratings.write_sheets(span_ratings.plan_sheets(ITEMS, raters=3, seed=5), tmp_path / "out")
    return tmp_path / "out"


def rows_of(path: Path) -> list[list[str]]:
    return list(csv.reader(io.StringIO(path.read_text(encoding="utf-8-sig"), newline="")))


def fill(folder: Path, number: int, answers: Mapping[str, str], *, delimiter: str = ",") -> None:
    path = folder / rating_sheets.RATERS / f"rater-{number}.csv"
    rows = rows_of(path)
    for row in rows[1:]:
        row[2] = answers.get(row[1].lstrip("'"), "")
    stream = io.StringIO(newline="")
    csv.writer(stream, delimiter=delimiter).writerows(rows)
    path.write_text(stream.getvalue(), encoding="utf-8-sig", newline="")


@pytest.mark.parametrize(
    ("cell", "stretches"),
    [
        ("none", []),
        ("-", []),
        ("very; totally wrong", ["very", "totally wrong"]),
        ("very\nvery", ["very", "very"]),
        ("sad thing, huge", ["sad thing", "huge"]),
        ("VERY, VERY SAD", ["very, very sad"]),
        ("“totally wrong”", ["totally wrong"]),
        ("a [very], very [sad] thing", ["very", "sad"]),
        ("It’s a very, very sad thing, and [totally wrong] (huge) [thing].", ["totally wrong", "thing"]),
    ],
)
def test_words_copied_or_in_brackets_are_found_in_the_sentence(cell: str, stretches: list[str]) -> None:
    assert [TEXT[start:end] for start, end in parse_marks(cell, TEXT)] == stretches


@pytest.mark.parametrize(
    ("cell", "says"),
    [
        ("terrible", "'terrible' is not in the sentence"),
        ("thing; thing; thing", "'thing' is not in the sentence"),
        ("a [very sad thing", "no partner"),
        ("a very] sad [thing", "no partner"),
        ("a very, very [] sad", "no word between two brackets"),
        ("another [sad] story", "not the sentence's"),
        (";", "contains no words"),
    ],
)
def test_marks_that_cannot_be_placed_say_what_to_do(cell: str, says: str) -> None:
    with pytest.raises(MarkError, match=says):
        parse_marks(cell, TEXT)


def test_what_more_than_one_rater_marked_is_gold() -> None:
    votes = [parse_marks(cell, TEXT) for cell in ("very, very sad; totally wrong", "very sad; wrong", "none")]
    assert [TEXT[a:b] for a, b in majority_spans(TEXT, votes)] == ["very sad", "wrong"]
    assert [TEXT[a:b] for a, b in majority_spans(TEXT, votes[:1])] == ["very, very sad", "totally wrong"]
    assert majority_spans(TEXT, votes[1:]) == ()
    assert majority_spans(TEXT, []) == ()


def test_neighbours_that_nobody_marked_together_stay_apart() -> None:
    votes = [parse_marks(cell, TEXT) for cell in ("very; very", "very; very", "very, very")]
    assert [TEXT[a:b] for a, b in majority_spans(TEXT, votes)] == ["very", "very"]


def test_sheets_tell_neither_corpus_nor_side_and_have_orders_of_their_own(tmp_path: Path) -> None:
    many = [Passage(f"sentence number {at} here", "books", Side.LEFT) for at in range(30)]
    span_ratings.write_sheets(span_ratings.plan_sheets(many, raters=2, seed=5), tmp_path)
    first, second = (rows_of(tmp_path / rating_sheets.RATERS / f"rater-{at}.csv")[1:] for at in (1, 2))
    assert (
        sorted(row[1] for row in first)
        == sorted(row[1] for row in second)
        == sorted(one.text for one in many)
    )
    assert [row[1] for row in first] != [row[1] for row in second]
    assert not {row[0] for row in first} & {row[0] for row in second}
    for path in (tmp_path / rating_sheets.RATERS).iterdir():
        text = path.read_text(encoding="utf-8-sig")
        assert "left" not in text
        assert "books" not in text
    assert (tmp_path / rating_sheets.KEY).stat().st_mode & 0o077 == 0
    with pytest.raises(RatingError, match="another folder"):
        span_ratings.write_sheets(span_ratings.plan_sheets(many, raters=2, seed=5), tmp_path)


def test_filled_sheets_are_read_back_and_those_that_are_missing_left_out(folder: Path) -> None:
    fill(folder, 1, HONEST)
    fill(folder, 2, HONEST, delimiter=";")
    (folder / rating_sheets.RATERS / "rater-3.csv").unlink()
    found = span_ratings.read_sheets(folder)
    assert (found.faults, found.empty) == ((), 0)
    assert list(found.marks) == ["rater-1", "rater-2"]
    gold = [
        [one.text[a:b] for a, b in majority_spans(one.text, found.votes(at))] for at, one in enumerate(ITEMS)
    ]
    assert gold == [["shameful"], [], ["mob", "angry moms"]]
    assert span_ratings.agreement(found, [0, 1, 2]) == pytest.approx(1.0)


def test_a_bad_row_is_told_with_its_line_and_the_rest_is_read(folder: Path) -> None:
    fill(folder, 1, {**HONEST, "the shameful law passed.": "outrageous"})
    path = folder / rating_sheets.RATERS / "rater-1.csv"
    rows = rows_of(path)
    wrong = next(number for number, row in enumerate(rows) if row[2] == "outrageous")
    stray = next(number for number, row in enumerate(rows) if row[2] == "none")
    rows[stray][1] = "another sentence"
    stream = io.StringIO(newline="")
    csv.writer(stream).writerows([*rows, ["QQQQQQ", "x", "none", ""], rows[-1], ["", "", "", ""]])
    path.write_text(stream.getvalue(), encoding="utf-8", newline="")
    (folder / rating_sheets.RATERS / "rater-2.csv").write_text("id,words\nA,b\n", encoding="utf-8")
    found = span_ratings.read_sheets(folder)
    told = "\n".join(found.faults)
    assert f"rater-1.csv, line {wrong + 1}: 'outrageous' is not in the sentence" in told
    assert f"line {stray + 1}: the sentence is not that of" in told
    assert "line 5: 'QQQQQQ' is no id of this sheet" in told
    assert "rater-2.csv, line 1: no column 'sentence'" in told
    assert len(found.marks["rater-1"]) == 1
    assert found.empty == 3


def test_a_row_that_is_there_twice_counts_once(folder: Path) -> None:
    fill(folder, 1, HONEST)
    path = folder / rating_sheets.RATERS / "rater-1.csv"
    lines = path.read_text(encoding="utf-8-sig").splitlines(keepends=True)
    path.write_text("".join([*lines, lines[1]]), encoding="utf-8", newline="")
    found = span_ratings.read_sheets(folder)
    assert len(found.marks["rater-1"]) == 3
    assert "is there twice" in found.faults[0]


def test_folders_without_sheets_of_this_kind_say_so(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(RatingError, match="No cell can be counted"):
        span_ratings.read_sheets(folder)
    with pytest.raises(RatingError, match="cannot be read"):
        span_ratings.read_sheets(tmp_path / "nowhere")
    (folder / rating_sheets.KEY).write_text('{"protocol": "wikibias"}', encoding="utf-8")
    with pytest.raises(RatingError, match="sheets of 'wikibias'"):
        span_ratings.read_sheets(folder)
    (folder / rating_sheets.KEY).write_text('{"protocol": "wikibias-spans"}', encoding="utf-8")
    with pytest.raises(RatingError, match="is not the key"):
        span_ratings.read_sheets(folder)


def test_the_command_makes_sheets_from_the_corpora_and_scores_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sample = tmp_path / "data" / "wnc" / "real_world_samples" / "news_left.tsv"
    sample.parent.mkdir(parents=True)
    texts = [f"the shameful law number {at}" for at in range(9)]
    sample.write_text("".join(f"u\tt\tt\t{text}\t{text}\n" for text in texts), encoding="utf-8")
    out = tmp_path / "out"
    call = ["ratings", "sheet", "--protocol", "wikibias-spans", "--data", str(tmp_path / "data")]
    call += ["--n", "4", "--raters", "2", "--out", str(out)]
    assert main.main(call) == 0
    assert "2 sheets of 4 sentences" in capsys.readouterr().out
    for number in (1, 2):
        fill(out, number, dict.fromkeys(texts[: 9 if number == 1 else 3], "shameful"))
    assert main.main(["ratings", "score", str(out)]) == 2
    assert "cells are empty" in capsys.readouterr().err
    assert main.main(["ratings", "score", str(out), "--partial"]) == 0
    assert "news, left" in capsys.readouterr().out
    assert main.main([*call, "--sources", str(sample)]) == 2
    assert "leave out --systems" in capsys.readouterr().err
    assert main.main(["ratings", "sheet", "--out", str(tmp_path / "other")]) == 2
    assert "Systems and sources are needed" in capsys.readouterr().err
