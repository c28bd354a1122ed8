"""Protects the table of more general words: which hypernym is taken, which words are left out, that core reads it."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.stereotypes.generalisation import read_hypernyms
from training.cli.main import main
from training.corpora.hypernyms import export, find_hypernyms, pack
from training.types import CorpusError

SYNSETS = {
    # name: lexicographer file, lemmas, hypernyms, gloss
    "entity": (3, "entity", (), "that which is"),
    "person": (18, "person individual", ("entity",), "a human being"),
    "adult": (18, "adult", ("person",), "a grown person"),
    "man": (18, "man", ("adult",), "an adult male"),
    "professional": (18, "professional", ("adult",), "a person engaged in a learned profession"),
    "educator": (18, "educator pedagogue", ("professional",), "someone who educates"),
    "teacher": (18, "teacher", ("educator",), "a person whose occupation is teaching"),
    "nerd": (18, "nerd", ("man",), "an insignificant student"),
    "slur": (18, "slur", ("person",), "an offensive term for somebody"),
    "building": (6, "building", ("entity",), "a structure with a roof"),
    "house": (6, "house", ("building",), "a dwelling"),
    "run": (4, "run", ("entity",), "a score"),
    "paris": (15, "Paris", ("building",), "a city"),
}
COUNTS = {
    "person": 90, "adult": 30, "man": 80, "teacher": 20, "professional": 8, "educator": 2, "building": 9, "house": 40,
    "run": 5,
}  # fmt: skip


@pytest.fixture
def wordnet(tmp_path: Path) -> Path:
    """A WordNet of a dozen synsets, in the layout of its own files."""
    folder = tmp_path / "dict"
    folder.mkdir()
    offsets = {name: f"{number:08d}" for number, name in enumerate(SYNSETS, 1000)}
    data, index, senses = [], [], []
    for name, (file, lemmas, above, gloss) in SYNSETS.items():
        words = lemmas.split()
        listed = " ".join(f"{word} 0" for word in words)
        up = "".join(f"@ {offsets[one]} n 0000 " for one in above)
        data.append(
            f"{offsets[name]} {file:02d} n {len(words):02x} {listed} {len(above):03d} {up}| {gloss}  "
        )
        for word in map(str.lower, words):
            index.append(f"{word} n 1 1 @ 1 0 {offsets[name]}  ")
            senses.append(f"{word}%1:{file:02d}:00:: {offsets[name]} 1 {COUNTS.get(word, 0)}")
    senses.append("run%2:38:00:: 00000001 1 60")
    licence = "  1 This software and database is provided under a licence.  \n"
    (folder / "data.noun").write_text(licence + "\n".join(data) + "\n", encoding="utf-8")
    (folder / "index.noun").write_text(licence + "\n".join(index) + "\n", encoding="utf-8")
    (folder / "index.sense").write_text("\n".join(senses) + "\n", encoding="utf-8")
    return tmp_path


def test_the_nearest_hypernym_that_is_not_rarer_is_taken(wordnet: Path) -> None:
    """Neither the educator nor the professional: both are rarer than the teacher."""
    found = find_hypernyms(wordnet)
    assert found["teacher"] == "adult"
    assert found["educator"] == "professional"
    assert found["adult"] == "person"


def test_gender_is_climbed_past_and_what_says_nothing_is_no_hypernym(wordnet: Path) -> None:
    found = find_hypernyms(wordnet)
    assert found["nerd"] == "adult"
    assert found["man"] == "person"
    assert found["building"] == found["person"] == ""


def test_insults_names_and_words_that_are_mostly_verbs_are_left_out(wordnet: Path) -> None:
    assert not {"slur", "paris", "run"} & find_hypernyms(wordnet).keys()


def test_core_reads_what_is_written_and_the_same_table_is_the_same_file(
    wordnet: Path, tmp_path: Path
) -> None:
    out = tmp_path / "hypernyms.txt.gz"
    assert export(wordnet, out) == len(find_hypernyms(wordnet))
    assert read_hypernyms(out) == find_hypernyms(wordnet)
    assert out.read_bytes() == pack(dict(reversed(find_hypernyms(wordnet).items())))


def test_the_folder_may_be_named_as_nltk_has_it(wordnet: Path, tmp_path: Path) -> None:
    nltk = tmp_path / "nltk_data" / "corpora"
    nltk.mkdir(parents=True)
    (wordnet / "dict").rename(nltk / "wordnet")
    assert find_hypernyms(tmp_path / "nltk_data")["man"] == "person"
    assert find_hypernyms(nltk)["man"] == "person"


def test_no_wordnet_is_told_in_one_line(
    wordnet: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(CorpusError, match="contains no WordNet"):
        find_hypernyms(tmp_path / "nowhere")
    assert main(["data", "hypernyms"]) == 2
    assert "--wordnet" in capsys.readouterr().err
    (wordnet / "dict" / "data.noun").write_text("00001000 xx\n", encoding="utf-8")
    assert main(["data", "hypernyms", "--wordnet", str(wordnet), "--out", str(tmp_path / "out.gz")]) == 2
    said = capsys.readouterr().err
    assert "can be read" in said
    assert said.count("\n") == 1
