"""Replacing with hypernyms: what the paper's Table 7 shows, from files in WordNet's own format read by nltk."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import nltk
import pytest

from tests.training.papers.stereotype_removal.tiny_wordnet import make_wordnet
from training.corpora.hate_speech import LabelledText, tokens
from training.papers.stereotype_removal.replacement import WordNetReplacer
from training.papers.stereotype_removal.wordnet import load_wordnet
from training.types import CorpusError

KNOWN = "person follower disciple homosexual gay cause being entity deaf move dance group merry soul"


@pytest.fixture(autouse=True)
def places(monkeypatch: pytest.MonkeyPatch) -> None:
    """nltk looks nowhere but where a test says."""
    monkeypatch.setattr(nltk.data, "path", [])


@pytest.fixture
def wordnet(tmp_path: Path) -> Any:
    return load_wordnet(make_wordnet(tmp_path / "dict"))


def replaced(wordnet: Any, words: str, *, level: int, known: str = KNOWN, seed: int = 1) -> str:
    """What each of some words becomes where the training rows are ``known``."""
    row = LabelledText(known, tokens(known), True)
    replacer = WordNetReplacer(wordnet, level=level, seed=seed).fit([row], words.split())
    return " ".join(replacer(tuple(words.split())))


def test_it_climbs_from_the_start_level_as_in_table_7(wordnet: Any) -> None:
    assert [replaced(wordnet, "sikh", level=level) for level in range(4)] == [
        "disciple",
        "disciple",
        "follower",
        "person",
    ]
    assert replaced(wordnet, "gay", level=1) == "person"
    assert replaced(wordnet, "deaf", level=0) == "deaf"


def test_names_with_a_capital_are_not_in_the_vocabulary_so_the_search_goes_on(wordnet: Any) -> None:
    assert replaced(wordnet, "muslim", level=0, known=f"{KNOWN} muslim moslem") == "person"
    assert replaced(wordnet, "muslims", level=0) == "person"


def test_the_first_lemma_of_a_synset_that_is_in_the_training_rows_counts(wordnet: Any) -> None:
    assert replaced(wordnet, "gay", level=0, known="gay homosexual") == "homosexual"
    assert replaced(wordnet, "sikh", level=3, known="soul individual") == "individual"


def test_of_several_synsets_at_one_step_one_is_drawn_by_the_seed(wordnet: Any) -> None:
    found = {replaced(wordnet, "gay", level=2, seed=seed) for seed in range(20)}
    assert found == {"cause", "being"}
    assert replaced(wordnet, "gay gay", level=2, seed=3) in ("cause cause", "being being")


def test_above_the_root_or_without_a_known_lemma_the_word_stays(wordnet: Any) -> None:
    assert replaced(wordnet, "deaf", level=3) == "deaf"
    assert replaced(wordnet, "sikh", level=0, known="table") == "sikh"


def test_nouns_come_first_and_words_without_hypernyms_have_level_0_alone(wordnet: Any) -> None:
    assert replaced(wordnet, "gay", level=0, known="merry homosexual") == "homosexual"
    assert replaced(wordnet, "trip", level=0, known="move dance") == "dance"
    assert replaced(wordnet, "trip", level=1, known="move dance") == "move"
    assert replaced(wordnet, "bright", level=1, known="bright entity") == "bright"


def test_a_word_that_wordnet_lacks_is_corrected_by_the_training_rows(wordnet: Any) -> None:
    assert replaced(wordnet, "siikh", level=0, known=f"{KNOWN} sikh") == "disciple"
    assert replaced(wordnet, "siikh", level=0) == "siikh"
    assert replaced(wordnet, "dnace", level=1, known="move dance") == "move"
    both = "dead deaf deaf group"
    assert replaced(wordnet, "deag", level=1, known=both) == "group"


def test_short_words_and_mentions_are_not_corrected(wordnet: Any) -> None:
    assert replaced(wordnet, "gya @gay1 gay2", level=1) == "gya @gay1 gay2"


def test_terms_of_several_words_are_looked_for_joined(wordnet: Any) -> None:
    row = LabelledText(KNOWN, tokens(KNOWN), False)
    replacer = WordNetReplacer(wordnet, level=0, seed=1).fit([row], ["african american", "middle aged"])
    assert replacer(("an", "african", "american", "middle", "aged")) == ("an", "person", "middle", "aged")


def test_it_is_found_as_nltk_keeps_it_packed_or_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "nltk_data"
    folder = make_wordnet(home / "corpora" / "wordnet")
    assert replaced(load_wordnet(home), "sikh", level=2) == "follower"
    monkeypatch.setattr(nltk.data, "path", [str(home)])
    assert replaced(load_wordnet(), "sikh", level=2) == "follower"
    with zipfile.ZipFile(home / "corpora" / "wordnet.zip", "w") as archive:
        for path in sorted(folder.iterdir()):
            archive.write(path, f"wordnet/{path.name}")
            path.unlink()
    (home / "corpora" / "wordnet.zip").chmod(0o644)
    assert replaced(load_wordnet(home), "sikh", level=2) == "follower"


def test_irregular_forms_need_their_list(tmp_path: Path) -> None:
    folder = make_wordnet(tmp_path / "dict")
    assert replaced(load_wordnet(folder), "deefen", level=1) == "deefen"
    (folder / "noun.exc").write_text("deefen deaf\n", encoding="utf-8")
    (folder / "noun.exc").chmod(0o644)
    assert replaced(load_wordnet(folder), "deefen", level=1) == "group"


def test_where_it_is_not_it_says_how_to_get_it(tmp_path: Path) -> None:
    for place in (tmp_path, None):
        with pytest.raises(CorpusError, match=r"WordNet is not in .*nltk\.downloader wordnet"):
            load_wordnet(place)


def test_missing_and_damaged_files_are_one_clear_line(tmp_path: Path) -> None:
    folder = make_wordnet(tmp_path / "dict")
    (folder / "index.verb").unlink()
    with pytest.raises(CorpusError, match="damaged or not all there"):
        load_wordnet(folder)
    (folder / "index.verb").write_text("dance v x\n", encoding="utf-8")
    (folder / "index.verb").chmod(0o644)
    with pytest.raises(CorpusError, match="damaged or not all there"):
        load_wordnet(folder)
