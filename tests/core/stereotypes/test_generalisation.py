"""Protects generalisation: the sentence stays English, and what is no person, no noun or a name stays as it is."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.engine.cue_classes import LexiconError
from core.stereotypes.generalisation import Generaliser, read_hypernyms, replace_word
from core.text.english import pluralise, singular_candidates


def _every(sentence: str) -> dict[str, str]:
    """Each word that has something more general, with the sentence then."""
    known = Generaliser.load()
    found = {}
    for place in known.places(sentence):
        words = known.generalise(place.word, sentence[: place.start], sentence[place.end :])
        if words is not None:
            found[place.word] = replace_word(sentence, place.start, place.end, words=words)
    return found


@pytest.mark.parametrize(
    ("sentence", "word", "then"),
    [
        ("A Muslim voter spoke.", "Muslim", "A voter spoke."),
        ("It hired an Arab doctor.", "Arab", "It hired a doctor."),
        ("It met an elderly man.", "elderly", "It met a man."),
        ("Muslims were not asked.", "Muslims", "Believers were not asked."),
        ("He is a gay.", "gay", "He is a person."),
        ("She is gay.", "gay", "She is a person."),
        ("They are Jewish.", "Jewish", "They are believers."),
        ("The deaf met.", "deaf", "The people met."),
        ("The Chinese met.", "Chinese", "The people met."),
        ("A Chinese said so.", "Chinese", "A person said so."),
        ("African American pupils wrote.", "African American", "Pupils wrote."),
        ("The middle-aged woman ran.", "middle-aged", "The woman ran."),
        ("A Jehovah's Witness came.", "Jehovah's Witness", "A believer came."),
        ("The woman's farm burnt.", "woman", "The person's farm burnt."),
        ("It shot a Black man.", "Black", "It shot a man."),
        ("a muslim teacher moved .", "muslim", "a teacher moved ."),
        ("It met three senators.", "senators", "It met three legislators."),
        ("It asked an engineer.", "engineer", "It asked a person."),
    ],
)
def test_words_are_generalised_in_place(sentence: str, word: str, then: str) -> None:
    assert _every(sentence)[word] == then


@pytest.mark.parametrize(
    ("sentence", "word"),
    [
        ("Black ice covered the road.", "Black"),
        ("The car is old.", "old"),
        ("The White House said no.", "White"),
        ("The democratic process took a year.", "democratic"),
        ("We polish the car.", "polish"),
        ("Mr. Baker left.", "Baker"),
        ("It quickly fell.", "quickly"),
        ("It zorbled.", "zorbled"),
    ],
)
def test_what_is_no_person_or_not_known_stays(sentence: str, word: str) -> None:
    assert word not in _every(sentence)


def test_unknown_words_and_none_have_no_generalisation() -> None:
    known = Generaliser.load()
    for word in ("zorble", "42", "…", "the"):
        assert known.generalise(word, "", "") is None
        assert known.term(word) is None
    assert known.places("") == []
    assert known.places("— … —") == []


def test_the_table_is_a_nouns_table_with_common_words() -> None:
    known = Generaliser.load()
    assert known.generalise("teacher", "the ", " left") == "person"
    assert known.generalise("teachers", "the ", " left") == "people"
    assert known.generalise("claims", "he ", " that") is None


@given(st.text(max_size=60))
@example("the Jew's — “gay” Muslims’")
@example("African\nAmerican American")
def test_places_are_words_of_the_text_in_order(text: str) -> None:
    at = 0
    known = Generaliser.load()
    for place in known.places(text):
        assert at <= place.start < place.end
        assert place.word == text[place.start : place.end]
        at = place.end
        words = known.generalise(place.word, text[: place.start], text[place.end :])
        if words is not None:
            assert isinstance(replace_word(text, place.start, place.end, words=words), str)


@pytest.mark.parametrize(
    ("one", "many"),
    [("person", "people"), ("woman", "women"), ("city", "cities"), ("church", "churches"), ("boy", "boys"),
     ("human", "humans"), ("child", "children"), ("policeman", "policemen"), ("wife", "wives")],
)  # fmt: skip
def test_plurals_there_and_back(one: str, many: str) -> None:
    assert pluralise(one) == many
    assert one in list(singular_candidates(many))


def test_what_is_no_plural_has_no_singular() -> None:
    assert list(singular_candidates("glass")) == []
    assert list(singular_candidates("table")) == []
    assert list(singular_candidates("")) == []


def test_a_damaged_table_gives_a_one_line_error(tmp_path: Path) -> None:
    path = tmp_path / "hypernyms.txt.gz"
    for damaged in (b"no gzip", gzip.compress(b"person man\n")[:-9], gzip.compress(b"\xff\xfe")):
        path.write_bytes(damaged)
        with pytest.raises(LexiconError, match="Reinstall Evenhand"):
            read_hypernyms(path)
    with pytest.raises(LexiconError):
        read_hypernyms(tmp_path / "nowhere.gz")
    path.write_bytes(gzip.compress(b"person man woman\n- house\n"))
    assert read_hypernyms(path) == {"man": "person", "woman": "person", "house": ""}
