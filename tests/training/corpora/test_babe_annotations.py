"""BABE's single annotations: typed answers from the release's workbooks, its own spellings, and what cannot be read."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from openpyxl import Workbook

from training.corpora import babe
from training.corpora.babe import Opinion, words_in
from training.types import CorpusError

COLUMNS = (
    *("text", "news_link", "outlet", "topic", "type", "label_bias", "label_opinion", "biased_words"),
    *("Label_bias_0-1", "annotator_id"),
)


def row(
    text: str | None, bias: str | None, opinion: str | None, words: str | None, who: object
) -> list[object]:
    return [text, "", "Vox", "x", "left", bias, opinion, words, 1, who]


def write(data: Path, name: str, rows: list[list[object]], columns: tuple[str, ...] = COLUMNS) -> Path:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    for cells in (list(columns), *rows):
        sheet.append(cells)
    path = data / "babe" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    book.save(path)
    return path


def test_answers_are_typed_in_the_spellings_of_the_release(tmp_path: Path) -> None:
    write(
        tmp_path,
        "raw_labels_SG1.xlsx",
        [
            row("A sad day.", "Biased", "Expresses wleter´s opinion", " sad, grey day ,", 3),
            row("A sad day.", "Non-biased", "Somewhat factional but also opinionated", None, "10"),
            row("A sad day.", None, None, "nan", 4),
        ],
    )
    first, second, third = babe.load_annotations(tmp_path, "SG1")
    assert (first.biased, first.opinion, first.words) == (True, Opinion.OPINIONATED, ("sad", "grey day"))
    assert words_in(first) == {"sad", "grey", "day"}
    assert (second.biased, second.opinion, second.words) == (False, Opinion.MIXED, ())
    assert (third.biased, third.opinion, third.words) == (None, None, ())
    assert [one.annotator for one in (first, second, third)] == ["3", "10", "4"]
    assert (first.outlet, first.topic, first.leaning) == ("Vox", "x", "left")


def test_what_cannot_be_read_is_counted_and_told(tmp_path: Path) -> None:
    rows = [
        row("A sad day.", "Biased", "Entirely factual", "sad", 3),
        row("A sad day.", "Biased, unfair", "Entirely factual", "sad", 2),
        row(None, "Biased", "Entirely factual", "sad", 2),
    ]
    write(tmp_path, "raw_labels_SG2.xlsx", rows)
    told: list[str] = []
    assert len(babe.load_annotations(tmp_path, "SG2", on_message=told.append)) == 1
    assert len(told) == 1
    assert "2 rows cannot be read" in told[0]
    assert "row 3: unknown label 'Biased, unfair'; row 4: no sentence" in told[0]


def test_final_labels_of_the_crowd(tmp_path: Path) -> None:
    rows = [
        row("A sad day.", "Biased", "Expresses writer’s opinion", "['sad']", 0),
        row("A day.", "No agreement", "No agreement", "[]", 0),
    ]
    write(tmp_path, "final_labels_MBIC.xlsx", rows)
    first, second = babe.load_final_labels(tmp_path, "MBIC")
    assert (first.biased, first.opinion, first.words) == (True, Opinion.OPINIONATED, ("sad",))
    assert (second.biased, second.opinion, second.words) == (None, None, ())


def test_final_labels_without_an_opinion_are_not_the_published_ones(corpora: Path) -> None:
    with pytest.raises(CorpusError, match="unknown label ''"):
        babe.load_final_labels(corpora, "SG1")


def test_other_columns_are_named(tmp_path: Path) -> None:
    write(tmp_path, "raw_labels_SG1.xlsx", [], columns=COLUMNS[:-1])
    with pytest.raises(CorpusError, match=r"raw_labels_SG1\.xlsx, row 1: no column annotator_id"):
        babe.load_annotations(tmp_path, "SG1")


def test_a_missing_workbook(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"raw_labels_SG1\.xlsx is not in"):
        babe.load_annotations(tmp_path, "SG1")


@pytest.mark.parametrize("share", [0.3, 0.9])
def test_a_workbook_that_was_cut_off(tmp_path: Path, share: float) -> None:
    path = write(tmp_path, "raw_labels_SG1.xlsx", [row("A sad day.", "Biased", "Entirely factual", "sad", 3)])
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * share)])
    with pytest.raises(CorpusError, match="is truncated or damaged"):
        babe.load_annotations(tmp_path, "SG1")


def test_a_workbook_without_its_sheet(tmp_path: Path) -> None:
    path = write(tmp_path, "raw_labels_SG1.xlsx", [])
    with zipfile.ZipFile(path) as book:
        kept = {name: book.read(name) for name in book.namelist() if "sheet1" not in name}
    with zipfile.ZipFile(path, "w") as book:
        for name, content in kept.items():
            book.writestr(name, content)
    with pytest.raises(CorpusError, match=r"raw_labels_SG1\.xlsx is not a workbook that can be read"):
        babe.load_annotations(tmp_path, "SG1")


def test_a_workbook_that_swells_is_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "raw_labels_SG1.xlsx", [row("A sad day.", "Biased", "Entirely factual", "sad", 3)])
    monkeypatch.setattr(babe, "MAX_BYTES", 1000)
    with pytest.raises(CorpusError, match="far larger inside"):
        babe.load_annotations(tmp_path, "SG1")
