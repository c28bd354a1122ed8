"""BABE's annotation tables: values from small annotations, and agreement as worked by hand in the literature."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from openpyxl import Workbook

from training.metrics.agreement import krippendorff_alpha
from training.papers.babe import annotation_tables
from training.papers.babe.annotation_tables import majority
from training.types import CorpusError

FACTUAL, MIXED = "Entirely factual", "Somewhat factual but also opinionated"
RAW = ("text", "outlet", "topic", "type", "label_bias", "label_opinion", "biased_words", "annotator_id")
SENTENCES = ("One sad day.", "Two days.", "Three days.")
BIASES = (("Biased", "Biased", "Non-biased"), ("Non-biased",) * 3, ("Biased", "Non-biased", None))
FINAL = (("Biased", FACTUAL, "['sad']"), ("Non-biased", FACTUAL, "[]"), ("No agreement", MIXED, "[]"))


def book(path: Path, rows: list[tuple[object, ...]]) -> None:
    made = Workbook()
    sheet = made.active
    assert sheet is not None
    for cells in (RAW, *rows):
        sheet.append(cells)
    made.save(path)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "babe"
    folder.mkdir()
    finals = [
        (text, "Vox", "x", "left", bias, opinion, words, 0)
        for text, (bias, opinion, words) in zip(SENTENCES, FINAL, strict=True)
    ]
    book(folder / "final_labels_MBIC.xlsx", list(finals))
    for group in ("SG1", "SG2"):
        raw: list[tuple[object, ...]] = []
        for text, given, (_, opinion, _) in zip(SENTENCES, BIASES, FINAL, strict=True):
            for who, bias in enumerate(given):
                raw.append(
                    (text, "Vox", "x", "left", bias, opinion, "sad" if bias == "Biased" else None, who)
                )
        book(folder / f"raw_labels_{group}.xlsx", raw)
        with (folder / f"final_labels_{group}.csv").open("w", encoding="utf-8-sig", newline="") as stream:
            writer = csv.writer(stream, delimiter=";")
            writer.writerow(RAW[:-1])
            writer.writerows(cells[:-1] for cells in finals)
    return tmp_path


def line(text: str, block: str, start: str) -> list[str]:
    """The cells after the name of the first row of a block that starts so."""
    part = text.split(f"\n{block}\n")[1]
    return next(row for row in part.splitlines() if row.startswith(start)).removeprefix(start).split()


def test_the_four_tables_show_ours_and_published(data: Path) -> None:
    tables = annotation_tables.run(data)
    assert list(tables) == ["babe-1", "babe-2", "babe-3", "babe-4"]
    first, fourth = tables["babe-1"].text(), tables["babe-4"].text()
    # 3 of 8 answers say biased; 4 coincidences disagree, 2 in the first unit and 2 in the third: 1 - 7 * 4 / 30.
    assert line(first, "SG1", "bias agreement (α, nominal)") == ["8", "0.067", "0.39", "-0.323"]
    assert line(first, "SG1", "opinion agreement (α, nominal)") == ["9", "1.000", "0.46", "+0.540"]
    assert line(first, "MBIC", "bias agreement") == ["no", "data", "no", "data", "0.21"]
    assert line(first, "MBIC", "biased words") == ["3", "1", "3,283", "-3,282"]
    assert line(fourth, "SG2", "biased") == ["1", "33.33", "49.26", "-15.93"]
    assert line(fourth, "SG2", "no agreement on bias") == ["1", "33.33", "0.00", "+33.33"]
    assert line(fourth, "SG2", "mixed") == ["1", "33.33", "27.21", "+6.12"]
    assert "for 3 of them the majority of the individual annotations is the published final label" in fourth
    assert "raw_labels_MBIC.xlsx" in first
    assert "| biased | 1 | 33.33 | 49.26 | -15.93 |" in tables["babe-4"].markdown()


def test_words_are_also_counted_from_the_marks(data: Path) -> None:
    # Two marked "sad" in the first sentence: enough for SG2 but not for SG1.
    said = annotation_tables.run(data)["babe-1"].text()
    assert "they are 0, and the same words in 2 of 3 sentences" in " ".join(said.split())


def test_a_missing_file_is_named(data: Path) -> None:
    (data / "babe" / "raw_labels_SG2.xlsx").unlink()
    with pytest.raises(CorpusError, match=r"raw_labels_SG2\.xlsx is not in"):
        annotation_tables.run(data)


@pytest.mark.parametrize(
    ("votes", "found"),
    [([1, 1, 0], 1), ([1, 0], None), ([], None), ([2, 1, 0, 0], 0), ([2, 2, 1, 1, 0], None)],
)
def test_majority(votes: list[int], found: int | None) -> None:
    assert majority(votes) == found


KRIPPENDORFF_2011 = (
    "1 1 . 1, 2 2 3 2, 3 3 3 3, 3 3 3 3, 2 2 2 2, 1 2 3 4, "
    "4 4 4 4, 1 1 2 1, 2 2 2 2, . 5 5 5, . . 1 1, . 3 . ."
)
"""Krippendorff (2011), section C: four observers, twelve units, missing answers."""


@pytest.mark.parametrize(("level", "worked"), [("nominal", 0.743), ("interval", 0.849)])
def test_agreement_as_worked_by_hand(level: str, worked: float) -> None:
    units = [
        [None if cell == "." else float(cell) for cell in unit.split()]
        for unit in KRIPPENDORFF_2011.split(", ")
    ]
    assert krippendorff_alpha(units, level) == pytest.approx(worked, abs=5e-4)  # type: ignore[arg-type]
