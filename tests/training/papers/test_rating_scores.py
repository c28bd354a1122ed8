"""Protects what filled sheets say: every fault is named with its line, and answers go to the right system and side."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable
from pathlib import Path

import pytest

from training.cli import main
from training.papers import rating_items, rating_scores, rating_sheets
from training.papers.rating_items import WIKIBIAS
from training.types import RatingError

SOURCES = [f"The shameful law number {at} passed." for at in range(12)]
SYSTEMS = {"good": [text.replace("shameful ", "") for text in SOURCES], "lazy": SOURCES}
Answer = Callable[[str, str, str], str]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rating_sheets.write(
        rating_items.plan_sheets(WIKIBIAS, SOURCES, SYSTEMS, n=12, raters=2, seed=3), tmp_path / "out"
    )
    return tmp_path / "out"


def honest(criterion: str, first: str, second: str) -> str:
    """A rater who sees one thing: which side has the loaded word."""
    loaded = ["shameful" in text for text in (first, second)]
    if criterion.startswith("bias"):
        return str(2 * (loaded[1] - loaded[0]))
    return "1" if criterion.startswith("meaning") and loaded[0] != loaded[1] else "0"


def fill(folder: Path, answer: Answer = honest, *, encoding: str = "utf-8-sig", delimiter: str = ",") -> None:
    for path in sorted((folder / rating_sheets.RATERS).glob("*.csv")):
        rows = list(csv.reader(io.StringIO(path.read_text(encoding="utf-8-sig"), newline="")))
        for row in rows[1:]:
            row[3:6] = [answer(name, row[1], row[2]) for name in rows[0][3:6]]
        stream = io.StringIO(newline="")
        csv.writer(stream, delimiter=delimiter).writerows(rows)
        path.write_bytes(stream.getvalue().encode(encoding))


def change(folder: Path, number: int, edit: Callable[[list[str]], list[str] | None]) -> None:
    """Edit the row in line ``number`` of the first rater's sheet, or delete it."""
    path = folder / rating_sheets.RATERS / "rater-1.csv"
    rows = list(csv.reader(io.StringIO(path.read_text(encoding="utf-8-sig"), newline="")))
    new = edit(rows[number - 1])
    rows[number - 1 : number] = [] if new is None else [new]
    stream = io.StringIO(newline="")
    csv.writer(stream).writerows(rows)
    path.write_text(stream.getvalue(), encoding="utf-8-sig", newline="")


def cell(at: int, value: str) -> Callable[[list[str]], list[str]]:
    return lambda row: [*row[:at], value, *row[at + 1 :]]


@pytest.mark.parametrize(
    ("encoding", "delimiter"), [("utf-8-sig", ","), ("utf-8", ";"), ("utf-16", "\t"), ("windows-1252", ";")]
)
def test_sides_are_turned_back_and_every_spreadsheets_file_is_read(
    folder: Path, encoding: str, delimiter: str
) -> None:
    fill(folder, encoding=encoding, delimiter=delimiter)
    plan, ratings = rating_sheets.read(folder, partial=False)
    found = rating_scores.means(plan, ratings)
    assert found["good", "bias"][0].value == -2.0
    assert found["lazy", "bias"][0].value == 0.0
    assert found["good", "meaning"][0].value == 1.0
    assert found["good", "fluency"][1] == 24


def test_wins_agreement_and_steadiness_of_raters_who_see_the_same(folder: Path) -> None:
    fill(folder)
    plan, ratings = rating_sheets.read(folder, partial=False)
    by_bias = next(row for row in rating_scores.wins(plan, ratings) if row.criterion == "bias")
    assert (by_bias.system, by_bias.other) == ("good", "lazy")
    assert (by_bias.wins, by_bias.ties, by_bias.losses) == (12, 0, 0)
    assert by_bias.difference == -2.0
    assert by_bias.p < 0.01
    by_meaning = next(row for row in rating_scores.wins(plan, ratings) if row.criterion == "meaning")
    assert (by_meaning.wins, by_meaning.losses) == (0, 12)
    agreed = rating_scores.agreement(plan, ratings)
    assert agreed["bias"] == pytest.approx(1.0)
    assert math.isnan(agreed["fluency"])
    assert {(row.same, row.near) for row in rating_scores.self_consistency(plan, ratings)} == {(1.0, 1.0)}


def test_a_rater_who_always_says_b_is_found_out(folder: Path) -> None:
    """Turned back, the answers of a side alone tell nothing of the systems."""
    fill(folder, lambda name, _first, _second: "0" if name.startswith("meaning") else "2")
    plan, ratings = rating_sheets.read(folder, partial=False)
    low, high = (
        rating_scores.means(plan, ratings)["good", "bias"][0].low,
        rating_scores.means(plan, ratings)["good", "bias"][0].high,
    )
    assert low < 0.0 < high


def test_numbers_are_read_as_spreadsheets_write_them(folder: Path) -> None:
    forms = iter(["−2", "+1", "2.0", "-1,0", "'-2", "1"] * 100)
    fill(folder, lambda name, _first, _second: next(forms) if name.startswith("bias") else "0")
    _, ratings = rating_sheets.read(folder, partial=False)
    assert {abs(one.value) for one in ratings if one.criterion == "bias"} == {1, 2}


@pytest.mark.parametrize(
    ("number", "edit", "says"),
    [
        (4, cell(4, ""), r"line 4: bias is empty"),
        (5, cell(3, "3"), r"line 5: fluency is '3'. Give a whole number from -2 to 2"),
        (5, cell(5, "-1"), r"line 5: meaning is '-1'. Give a whole number from 0 to 4"),
        (6, cell(3, "0.5"), r"line 6: fluency is '0.5'"),
        (6, cell(3, "good"), r"line 6: fluency is 'good'"),
        (6, cell(3, "nan"), r"line 6: fluency is 'nan'"),
        (6, cell(3, "1e400"), r"line 6: fluency is '1e400'"),
        (7, cell(0, "QQQQQQ"), r"line 7: 'QQQQQQ' is no id of this sheet"),
        (8, cell(1, "Another law."), r"line 8: the sentences are not those of [A-Z]{6}"),
        (9, lambda _row: None, r"the row [A-Z]{6} is missing"),
        (1, cell(3, "Fluency"), r"line 1: no column 'fluency \(-2 to 2\)'"),
    ],
)
def test_a_fault_is_named_with_its_line(
    folder: Path, number: int, edit: Callable[[list[str]], list[str] | None], says: str
) -> None:
    fill(folder)
    change(folder, number, edit)
    with pytest.raises(RatingError, match=says):
        rating_sheets.read(folder, partial=False)


def test_a_row_twice_is_named_and_many_faults_are_cut_short(folder: Path) -> None:
    fill(folder)
    rows: list[list[str]] = []
    change(folder, 2, lambda row: rows.append(row) or row)
    change(folder, 3, lambda _row: rows[0])
    with pytest.raises(RatingError, match="occurs twice"):
        rating_sheets.read(folder, partial=False)
    fill(folder, lambda *_: "9")
    with pytest.raises(RatingError, match="more") as caught:
        rating_sheets.read(folder, partial=False)
    assert len(str(caught.value).splitlines()) == 21


def test_sorting_whole_rows_and_writing_a_comment_are_no_faults(folder: Path) -> None:
    fill(folder)
    path = folder / rating_sheets.RATERS / "rater-1.csv"
    rows = list(csv.reader(io.StringIO(path.read_text(encoding="utf-8-sig"), newline="")))
    stream = io.StringIO(newline="")
    csv.writer(stream).writerows(
        [rows[0], *sorted([*row[:6], "I was\nunsure"] for row in rows[1:]), [""] * 7]
    )
    path.write_text(stream.getvalue(), encoding="utf-8", newline="")
    plan, ratings = rating_sheets.read(folder, partial=False)
    assert rating_scores.means(plan, ratings)["good", "bias"][0].value == -2.0


def test_with_partial_what_is_not_filled_is_left_out(folder: Path) -> None:
    with pytest.raises(RatingError, match="No cell is filled"):
        rating_sheets.read(folder, partial=True)
    fill(folder)
    change(folder, 4, cell(4, ""))
    (folder / rating_sheets.RATERS / "rater-2.csv").unlink()
    with pytest.raises(RatingError, match=r"rater-2\.csv: it is missing"):
        rating_sheets.read(folder, partial=False)
    plan, ratings = rating_sheets.read(folder, partial=True)
    assert {one.rater for one in ratings} == {"rater-1"}
    assert rating_scores.report(plan, ratings).count("rater-2") == 0
    change(folder, 5, cell(4, "9"))
    with pytest.raises(RatingError, match="line 5"):
        rating_sheets.read(folder, partial=True)


def test_the_command_makes_checks_and_scores(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, texts in {"sources": SOURCES, **SYSTEMS}.items():
        (tmp_path / f"{name}.txt").write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    out = tmp_path / "out"
    call = ["ratings", "sheet", "--systems", *(f"{name}={tmp_path / name}.txt" for name in SYSTEMS)]
    call += ["--sources", str(tmp_path / "sources.txt"), "--n", "10", "--raters", "2", "--out", str(out)]
    assert main.main(call) == 0
    assert "key.json" in capsys.readouterr().out
    assert main.main(["ratings", "score", str(out)]) == 2
    error = capsys.readouterr().err
    assert "line 2: fluency is empty" in error
    assert all(line.startswith("evenhand train: ") for line in error.splitlines())
    fill(out)
    assert main.main(["ratings", "score", str(out)]) == 0
    table = capsys.readouterr().out
    assert "-2.000 [-2.000, -2.000]" in table
    assert "alpha, ordinal" in table
    assert main.main(call) == 2
    assert "another folder" in capsys.readouterr().err
    assert main.main([*call[:3], "nameless", *call[5:]]) == 2
    assert "NAME=FILE" in capsys.readouterr().err
    assert main.main(["ratings", "score", str(tmp_path)]) == 2
    assert "key.json" in capsys.readouterr().err
