"""WIKIBIAS's files: generation pairs, and AUTO put together from the two sides of its tagging files."""

from __future__ import annotations

from pathlib import Path

import pytest

from training.corpora import wikibias
from training.corpora.base import CorpusError
from training.corpora.pairs import Pair


def tagged(*sentences: str, side: str = "Original") -> str:
    blocks = []
    for sentence in sentences:
        words = sentence.split()
        tags = " ".join(["B-bias", *["O"] * (len(words) - 1)])
        parts = " ".join(["NOUN"] * len(words))
        blocks.append(f"{sentence} ||| 1\n{parts} ||| {side}\n{parts} ||| Neutral\n{tags} ||| {side}\n\n")
    return "".join(blocks)


def put(data: Path, name: str, text: str) -> None:
    path = data / "wikibias" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_generation_pairs(tmp_path: Path) -> None:
    put(tmp_path, "generation.dev.tsv", "Sadly he left .\the left .\nThe great hall\tThe hall\n")
    assert list(wikibias.load(tmp_path, "dev")) == [
        Pair("Sadly he left .", "he left .", "wikibias-dev-1"),
        Pair("The great hall", "The hall", "wikibias-dev-2"),
    ]


@pytest.mark.parametrize("bad", ["one column", "a\tb\tc", "a\t "])
def test_what_is_no_pair_is_named_by_its_line(tmp_path: Path, bad: str) -> None:
    put(tmp_path, "generation.test.tsv", f"a\tb\n{bad}\n")
    with pytest.raises(CorpusError, match="line 2: not a pair"):
        list(wikibias.load(tmp_path, "test"))


def test_auto_joins_the_sides_of_all_source_files_by_order(tmp_path: Path) -> None:
    put(tmp_path, "noisy_train.tsv", tagged("sadly he left", "vile deeds"))
    put(tmp_path, "noisy_train_2.tsv", tagged("grand old hall").rstrip("\n"))
    put(tmp_path, "noisy_train_neg.tsv", tagged("he left", "deeds", "old hall", side="Neutral"))
    assert [(pair.source, pair.target) for pair in wikibias.load_auto(tmp_path)] == [
        ("sadly he left", "he left"),
        ("vile deeds", "deeds"),
        ("grand old hall", "old hall"),
    ]


def test_sides_of_different_length_are_refused(tmp_path: Path) -> None:
    put(tmp_path, "noisy_train.tsv", tagged("sadly he left", "vile deeds"))
    put(tmp_path, "noisy_train_neg.tsv", tagged("he left"))
    with pytest.raises(CorpusError, match="different numbers of sentences"):
        list(wikibias.load_auto(tmp_path))


@pytest.mark.parametrize(
    "bad",
    ["a b ||| 1\n", "a b ||| 1\nX X ||| Original\nX X ||| Neutral\nO ||| Original\n", "a b\nX\nX\nO O\n"],
)
def test_a_damaged_instance_is_named_by_its_first_line(tmp_path: Path, bad: str) -> None:
    put(tmp_path, "noisy_train.tsv", f"{tagged('vile deeds')}{bad}\n")
    put(tmp_path, "noisy_train_neg.tsv", tagged("deeds", "a b"))
    with pytest.raises(CorpusError, match="line 6: not a tagged sentence"):
        list(wikibias.load_auto(tmp_path))


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"noisy_train_neg\.tsv is not in"):
        list(wikibias.load_auto(tmp_path))
    with pytest.raises(CorpusError, match="Take train, dev or test"):
        list(wikibias.load(tmp_path, "validation"))
