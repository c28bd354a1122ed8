"""Distant headlines: classes from the outlet's rating, nothing scored, and the stand-in is named as one."""

from __future__ import annotations

import json
import lzma
from pathlib import Path

import pytest

from training.corpora import babe
from training.text.near_duplicates import NearDuplicateIndex
from training.types import CorpusError

OUTLETS = "outlet\trating\nVox\tleft\nReuters\tcenter\nTownhall\tRight\n"


def write(data: Path, rows: str, outlets: str = OUTLETS) -> Path:
    folder = data / "headlines"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "outlets.tsv").write_text(outlets, encoding="utf-8")
    (folder / "headlines.tsv").write_text("outlet\theadline\n" + rows, encoding="utf-8")
    return data


def titles(data: Path, *rows: tuple[str, int, str]) -> Path:
    path = data / "article_bias" / "articles.jsonl.xz"
    path.parent.mkdir(parents=True)
    with lzma.open(path, "wt", encoding="utf-8") as stream:
        for outlet, bias, title in rows:
            print(json.dumps({"source": outlet, "bias": bias, "title": title, "content": "x"}), file=stream)
    return data


def test_the_class_is_that_of_the_outlet(tmp_path: Path) -> None:
    rows = (
        "Vox\tCouncil opens the new school | Vox\nReuters\tCouncil rejects the old treaty\n"
        "Townhall\tSenator visits the harbour town\nVox\tCouncil opens the new school\nVox\tToo short here\n"
    )
    found = babe.load_headlines(write(tmp_path, rows), NearDuplicateIndex([]))
    assert [(example.text, example.bias, example.group, example.corpus) for example in found] == [
        ("Council opens the new school", 1.0, "Vox", babe.HEADLINES),
        ("Council rejects the old treaty", 0.0, "Reuters", babe.HEADLINES),
        ("Senator visits the harbour town", 1.0, "Townhall", babe.HEADLINES),
    ]


def test_what_is_near_a_scored_sentence_is_left_out(tmp_path: Path) -> None:
    scored = "The senator's shameful record reveals a pattern of neglect."
    rows = f"Vox\t{scored}\nVox\tCouncil opens the new school\nReuters\tCouncil rejects the old treaty\n"
    found = babe.load_headlines(write(tmp_path, rows), NearDuplicateIndex([scored]))
    assert [example.group for example in found] == ["Vox", "Reuters"]
    assert scored not in [example.text for example in found]


def test_outlets_without_a_rating_are_counted_and_told(tmp_path: Path) -> None:
    rows = "Vox\tCouncil opens the new school\nReuters\tCouncil rejects the old treaty\nAxios\tOne two three four\n"
    told: list[str] = []
    assert (
        len(babe.load_headlines(write(tmp_path, rows), NearDuplicateIndex([]), on_message=told.append)) == 2
    )
    assert "1 row cannot be read and is left out (row 4: outlet 'Axios' has no rating)" in told[0]


def test_a_class_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="headlines has no row that is neutral"):
        babe.load_headlines(write(tmp_path, "Vox\tCouncil opens the new school\n"), NearDuplicateIndex([]))


def test_a_rating_that_is_none(tmp_path: Path) -> None:
    write(tmp_path, "Vox\tCouncil opens the new school\n", "outlet\trating\nVox\tleftish\n")
    with pytest.raises(CorpusError, match=r"outlets\.tsv, row 2: 'leftish' is not a rating"):
        babe.load_headlines(tmp_path, NearDuplicateIndex([]))


def test_headlines_without_their_ratings(tmp_path: Path) -> None:
    write(tmp_path, "Vox\tCouncil opens the new school\n")
    (tmp_path / "headlines" / "outlets.tsv").unlink()
    with pytest.raises(CorpusError, match=r"outlets\.tsv is not in"):
        babe.load_headlines(tmp_path, NearDuplicateIndex([]))


def test_titles_stand_in_with_the_rating_of_most_articles_of_an_outlet(tmp_path: Path) -> None:
    titles(
        tmp_path,
        ("Al Jazeera", 0, "Council opens the new school"),
        ("Al Jazeera", 0, "Council opens the old school"),
        ("Al Jazeera", 1, "Council closes the old school - Al Jazeera"),
        ("Reuters", 1, "Council rejects the old treaty"),
    )
    found = babe.load_headlines(tmp_path, NearDuplicateIndex([]))
    assert {example.corpus for example in found} == {babe.HEADLINES_PROXY}
    assert [example.bias for example in found] == [1.0, 1.0, 1.0, 0.0]
    assert found[2].text == "Council closes the old school"
