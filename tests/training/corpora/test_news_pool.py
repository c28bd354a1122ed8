"""News sentences by outlet: five ratings become three sides, and only sentences of some length are read."""

from __future__ import annotations

from pathlib import Path

import pytest

from training.corpora import news_pool
from training.types import CENTER, LEFT, RIGHT, CorpusError, Example

LONG = "The council met again on Monday to vote on it."
HEADER = "text\tparty\tsource\tarticle\tbias_estimate"


def load(folder: Path, *lines: str, told: list[str] | None = None) -> list[Example]:
    (folder / "news_pool").mkdir()
    (folder / "news_pool" / "sentences.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return news_pool.load(folder, (told if told is not None else []).append)


def test_five_ratings_are_three_sides_and_an_unrated_outlet_has_none(tmp_path: Path) -> None:
    parties = {
        "Left": LEFT,
        "Lean Left": LEFT,
        "Center": CENTER,
        "Lean Right": RIGHT,
        "Right": RIGHT,
        "Undefined": None,
    }
    found = load(tmp_path, HEADER, *(f"{LONG}\t{party}\tthe-hill\ta1\t0" for party in parties))
    assert [one.leaning for one in found] == list(parties.values())
    assert {(one.group, one.topic, one.bias, one.spans) for one in found} == {("the-hill", "a1", None, None)}


def test_very_short_and_very_long_sentences_are_left_out(tmp_path: Path) -> None:
    texts = ("Too short.", "one two three four five six", "word " * 60, "word " * 61)
    found = load(tmp_path, HEADER, *(f"{text.strip()}\tLeft\tvox\ta\t0" for text in texts))
    assert [len(one.text.split()) for one in found] == [6, 60]


def test_a_row_with_too_few_columns_is_told_and_other_columns_are_refused(tmp_path: Path) -> None:
    told: list[str] = []
    (tmp_path / "one").mkdir()
    assert len(load(tmp_path / "one", HEADER, f"{LONG}\tLeft", f"{LONG}\tLeft\tvox\ta", told=told)) == 1
    assert "1 row cannot be read and is left out (row 2: 2 columns)" in told[0]
    (tmp_path / "two").mkdir()
    with pytest.raises(CorpusError, match="row 1: no column party"):
        load(tmp_path / "two", "text\tside\tsource\tarticle", f"{LONG}\tLeft\tvox\ta")
