"""The whole WNC in its official layout: raw sides, groups by revision, and the line of a row that does not fit."""

from __future__ import annotations

from pathlib import Path

import pytest

from training.corpora import wikipedia
from training.corpora.wikipedia import SentencePair, load_pairs
from training.types import CorpusError

TAGGED = (
    "532\tthe sad mayor .\tthe mayor .\tThe sad mayor.\tThe mayor.\tDET ADJ NOUN PUNCT\tdet amod ROOT punct"
)
BARE = "532\ta b\ta\tA line\u2028with “odd” breaks\tA line"


def write(data: Path, text: str, name: str = "biased.word.train") -> Path:
    path = data / "wnc" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_raw_sides_with_and_without_the_trailing_columns(tmp_path: Path) -> None:
    write(tmp_path, f"{TAGGED}\n{BARE}\r\n")
    assert list(wikipedia.load_wnc_full(tmp_path, "word", "train")) == [
        SentencePair("The sad mayor.", "The mayor.", "wnc-532"),
        SentencePair("A line\u2028with “odd” breaks", "A line", "wnc-532"),
    ]


def test_words_and_full_edits_are_different_files(tmp_path: Path) -> None:
    write(tmp_path, TAGGED)
    with pytest.raises(CorpusError, match=r"biased\.full\.train is not in"):
        wikipedia.load_wnc_full(tmp_path, "full", "train")


@pytest.mark.parametrize(
    "bad", ["", "only one column", "1\ta\tb\tThe sad mayor.", "1\ta\tb\tThe sad mayor.\t ", f"{TAGGED}\tx"]
)
def test_a_row_of_another_shape_is_named_by_its_line(tmp_path: Path, bad: str) -> None:
    write(tmp_path, f"{TAGGED}\n{TAGGED}\n{bad}\n{TAGGED}\n")
    with pytest.raises(CorpusError, match="line 3: not a row of WNC"):
        list(wikipedia.load_wnc_full(tmp_path, "word", "train"))


@pytest.mark.parametrize(("edits", "part"), [("sentence", "train"), ("word", "validation")])
def test_a_file_that_wnc_does_not_have(tmp_path: Path, edits: str, part: str) -> None:
    with pytest.raises(CorpusError, match="Take word or full"):
        wikipedia.load_wnc_full(tmp_path, edits, part)


def test_the_part_that_is_here_gives_untouched_sides(corpora: Path) -> None:
    found = load_pairs(corpora, "dev")
    lines = (corpora / "wnc" / "pairs.dev.tsv").read_text(encoding="utf-8").splitlines()[1:]
    assert [f"{pair.source}\t{pair.target}" for pair in found] == lines
    assert len({pair.group for pair in found}) == len(found)
