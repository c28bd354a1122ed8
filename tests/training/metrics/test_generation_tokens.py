"""The shared tokenisation forgets spacing and case, and the way back keeps every character that was not changed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from training.metrics.generation import restore_source_text, tokens
from training.papers.wikibias.generators.product import delete_spans
from training.papers.wikibias.generators.vocabulary import BOS, EOS, PAD, UNK, Vocabulary


def test_spaces_around_punctuation_and_case_do_not_matter() -> None:
    assert tokens("The party ' s leader ( Labour ) .") == tokens("the party's Leader (labour).")


@pytest.mark.parametrize(
    ("source", "words", "expected"),
    [
        ("The infamous Bank of  Spain.", "the bank of spain .", "The Bank of  Spain."),
        ("a party ' s vile plan .", "a party ' s plan .", "a party ' s plan ."),
        ("He murdered McRae, twice.", "he killed mcrae , twice .", "He killed McRae, twice."),
        ("It ( vile deeds ) fell.", "it ( deeds ) fell .", "It ( deeds ) fell."),
        ("It (vile deeds) fell.", "it ( deeds ) fell .", "It (deeds) fell."),
        ("a well-known town", "a known town", "a known town"),
        ("Sadly, Ann left.", "ann left .", "Ann left."),
        ("Ann left.", "ann left , it is said .", "Ann left, it is said."),
        ("Ann left.", "", ""),
    ],
)
def test_only_what_changed_is_written_anew(source: str, words: str, expected: str) -> None:
    assert restore_source_text(source, words.split()) == expected


@given(st.text(max_size=60))
def test_the_same_words_give_the_same_text(source: str) -> None:
    assert restore_source_text(source, tokens(source)) == source.strip() or not tokens(source)
    assert tokens(restore_source_text(source, tokens(source))) == tokens(source)


@pytest.mark.parametrize(
    ("source", "flagged", "expected"),
    [
        ("It was an infamous bank.", ["infamous"], "It was a bank."),
        ("Notably, the bank closed.", ["Notably"], "The bank closed."),
        ("the bank , sadly , closed a vile deal .", ["sadly", "vile"], "the bank closed a deal ."),
        ("Vile men left. The shameful plan failed.", ["Vile", "shameful"], "Men left. The plan failed."),
        ("Nothing here.", [], "Nothing here."),
    ],
)
def test_deleted_words_go_as_core_takes_words_out(source: str, flagged: list[str], expected: str) -> None:
    spans = [(source.index(words), source.index(words) + len(words)) for words in flagged]
    assert delete_spans(source, spans) == expected


def test_words_without_a_number_get_one_for_their_source() -> None:
    vocabulary = Vocabulary.build([["the", "mayor"], ["the"]], size=5)
    assert vocabulary.words[4:] == ("the",)
    oov_words = vocabulary.oov_words(["the", "mayor", "of", "mayor"])
    assert oov_words == {"mayor": 5, "of": 6}
    assert vocabulary.encode(["the", "mayor", "town"]) == [4, UNK, UNK]
    assert vocabulary.encode(["the", "mayor", "town"], oov_words) == [4, 5, UNK]
    assert {PAD, UNK, BOS, EOS} == set(range(4))
