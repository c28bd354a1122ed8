"""Linguistic features find what the lists hold: phrases, hyphens, small letters, verb forms; bad lists are named."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.engine.cues import Lexicon
from training.loop.training_loop import TrainingError
from training.papers.wikibias.models.linguistic_features import LinguisticFeatures


@pytest.fixture(scope="module")
def cues() -> Lexicon:
    return Lexicon.load()


def held(linguistic: LinguisticFeatures, sentence: str, name: str) -> list[str]:
    """The words of the sentence that have the feature."""
    words = sentence.split()
    column = linguistic.names.index(name)
    return [word for word, row in zip(words, linguistic.features(words), strict=True) if row[column]]


def test_entries_of_several_words_mark_all_of_them(cues: Lexicon) -> None:
    linguistic = LinguisticFeatures({"hedges": ["in most cases", "most"]}, cues)
    assert held(linguistic, "In most cases , most of it holds in cases", "hedges") == [
        "In",
        "most",
        "cases",
        "most",
    ]
    assert held(linguistic, "in most", "hedges") == ["most"]


def test_case_apostrophes_and_composed_letters_do_not_count(cues: Lexicon) -> None:
    linguistic = LinguisticFeatures({"list": ["Naïve", "one's"]}, cues)
    assert held(linguistic, "NAI\u0308VE one\u2019s naive", "list") == ["NAI\u0308VE", "one\u2019s"]


def test_hyphens_may_stand_apart(cues: Lexicon) -> None:
    linguistic = LinguisticFeatures({"list": ["ill-use"]}, cues)
    assert held(linguistic, "they ill-use it", "list") == ["ill-use"]
    assert held(linguistic, "they ill - use it", "list") == ["ill", "-", "use"]


def test_verbs_count_in_their_regular_forms_and_other_words_do_not(cues: Lexicon) -> None:
    linguistic = LinguisticFeatures({"assertives_x": ["point out", "claim"], "other": ["claim"]}, cues)
    sentence = "He pointed out that she claims it , claiming what was claimed"
    assert held(linguistic, sentence, "assertives_x") == ["pointed", "out", "claims", "claiming", "claimed"]
    assert held(linguistic, sentence, "other") == []


def test_cue_classes_are_there_without_lists_and_mark_whole_words(cues: Lexicon) -> None:
    linguistic = LinguisticFeatures.load(None)
    assert linguistic.lists == 0
    assert linguistic.names == tuple(
        f"cue:{key}" for key, cue_class in cues.classes.items() if not cue_class.only_own_kind
    )
    assert held(linguistic, "The legendary singer, of course", "cue:puffery") == ["legendary"]
    assert held(linguistic, "It was the case , of course .", "cue:editorialising") == ["of", "course"]


@pytest.mark.parametrize("words", [[], ["."], ["a\u0301", "😀", "’"]])
def test_any_words_have_features(words: list[str]) -> None:
    linguistic = LinguisticFeatures.load(None)
    assert linguistic.features(words).shape == (len(words), len(linguistic.names))


def test_published_formats_are_read(tmp_path: Path) -> None:
    (tmp_path / "clues.txt").write_text("type=weaksubj len=1 word1=abandoned pos1=adj stemmed1=n\n")
    (tmp_path / "hedges.txt").write_bytes(b"# hedges\r# of somebody\r\nin general\r\n; no\r\nna\xefve\r\n")
    (tmp_path / "verbs.txt").write_text("blow_up\n")
    linguistic = LinguisticFeatures.load(tmp_path)
    sentence = "In general the naïve and abandoned hedges of somebody blow up type=weaksubj no"
    assert linguistic.lists == 3
    assert held(linguistic, sentence, "clues") == ["abandoned"]
    assert held(linguistic, sentence, "hedges") == ["In", "general", "naïve"]
    assert held(linguistic, sentence, "verbs") == ["blow", "up"]


def test_a_list_without_words_is_left_out_and_said(tmp_path: Path) -> None:
    (tmp_path / "hedges.txt").write_text("# nothing\n\n")
    said: list[str] = []
    assert LinguisticFeatures.load(tmp_path, said.append).lists == 0
    assert len(said) == 1
    assert "hedges.txt contains no words" in said[0]


def test_a_folder_that_is_not_there_has_no_lists(tmp_path: Path) -> None:
    assert LinguisticFeatures.load(tmp_path / "missing").lists == 0


def test_a_list_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "hedges.txt").mkdir()
    with pytest.raises(TrainingError, match=r"hedges\.txt cannot be read"):
        LinguisticFeatures.load(tmp_path)


def test_the_mark_changes_with_the_entries(cues: Lexicon) -> None:
    one, same, other = (LinguisticFeatures({"list": [word]}, cues) for word in ("a", "a", "b"))
    assert one.digest == same.digest != other.digest
