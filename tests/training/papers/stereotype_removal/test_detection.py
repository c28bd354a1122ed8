"""Tokens and stage 1: SOAC and SPCPD worked out by hand, terms of several words, and which words never count."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from numpy.typing import NDArray

from training.corpora.hate_speech import URL, LabelledText, Split, tokens
from training.papers.stereotype_removal.detection import (
    FUNCTION_WORDS,
    MANUAL,
    TermFinder,
    TermMatch,
    manual,
    members,
    soac,
    spcpd,
    vocabulary,
)
from training.papers.stereotype_removal.replacement import augment


def rows(*texts: str) -> list[LabelledText]:
    """Rows of texts; those that begin with + are hateful."""
    return [LabelledText(text, tokens(text), text.startswith("+")) for text in texts]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("RT @ABC_d: You're a NERD!", ("rt", "@abc_d", "you're", "a", "nerd")),
        ("don’t &amp; dont feelin' 'em", ("don't", "dont", "feelin", "em")),
        ("see http://t.co/aB1?x=y… or www.example.org", ("see", URL, "or", URL)),
        ("#iconic 😂 &#128514; <noun> a@b.com", ("iconic", "noun", "a", "b", "com")),
        ("middle-aged, s&m; naïve Über", ("middle", "aged", "s", "m", "naïve", "über")),
        ("", ()),
        (" !!! 🖕 ", ()),
    ],
)
def test_tokens_are_lower_case_words_with_their_apostrophes(text: str, expected: tuple[str, ...]) -> None:
    assert tokens(text) == expected


@settings(max_examples=60)
@given(some.text())
def test_no_text_gives_a_tag_or_an_empty_token(text: str) -> None:
    assert all(token and (token == URL or "<" not in token) for token in tokens(text))


def test_soac_by_hand() -> None:
    train = rows(
        "+ nerd nerd yo",
        "+ nerd girl yo",
        "+ girl table yo",
        "- girl table lamp",
        "- table lamp yo",
        "+ rare",
    )
    found = soac(train, top=10, phi=1)
    assert found.strategy == "SOAC"
    assert found.scored == (("yo", 3 / 4), ("girl", 2 / 3), ("nerd", 1.0))
    assert soac(train, top=2, phi=1).words == ("yo", "girl")
    assert soac(train, top=10, phi=0).words == ("yo", "girl", "nerd", "rare")
    assert soac(train, top=10, phi=3).words == ("yo",)


def test_as_often_in_neutral_rows_is_not_skewed_and_ties_are_ordered_by_the_word() -> None:
    train = rows("+ a1 b1 c1", "+ b1 a1", "- c1")
    assert soac(train, top=5, phi=0).words == ("a1", "b1")


def test_abusive_words_function_words_numbers_and_addresses_never_count() -> None:
    train = rows("+ the vile 88 http://t.co/x donkey", "- lamp")
    assert soac(train, top=5, abusive={"vile"}, phi=0).words == ("donkey",)
    assert soac(train, top=5, phi=0, stopwords=()).words == ("donkey", "the", "vile")
    assert not FUNCTION_WORDS & set(MANUAL)


def test_no_rows_or_one_class_give_an_answer() -> None:
    assert soac([], top=5).scored == ()
    assert soac(rows("- lamp", "- lamp"), top=5, phi=0).scored == ()
    assert soac(rows("+ lamp", "+ lamp"), top=5, phi=1).words == ("lamp",)


def binary(words: Sequence[str]) -> NDArray[np.float64]:
    known = {"muslims": 0.81, "kat": 0.63, "alice": 0.23, "dirty": 0.86, "edge": 0.5, "gay": 0.63}
    return np.array([known[word] for word in words])


def test_spcpd_of_two_classes_by_hand() -> None:
    words = ["alice", "kat", "muslims", "dirty", "edge", "gay", "kat"]
    found = spcpd(binary, words, top=9)
    assert found.scored == (
        ("dirty", 0.86),
        ("muslims", 0.81),
        ("gay", 0.63),
        ("kat", 0.63),
        ("edge", 0.5),
    )
    assert spcpd(binary, words, top=2, abusive={"dirty"}).words == ("muslims", "gay")
    assert spcpd(binary, words, top=9, tau=0.9).scored == ()


def test_spcpd_asks_nothing_where_there_is_nothing_to_ask() -> None:
    def never(words: Sequence[str]) -> NDArray[np.float64]:
        raise AssertionError(words)

    assert spcpd(never, [], top=5).scored == ()
    assert spcpd(never, ["the", "7"], top=5).scored == ()


def test_an_answer_of_another_size_is_an_error() -> None:
    with pytest.raises(ValueError, match="2 words need as many scores"):
        spcpd(lambda _: np.zeros(3), ["kat", "boi"], top=5)


def test_the_manual_list_is_that_of_table_3() -> None:
    assert len(MANUAL) == len(set(MANUAL)) == 50
    assert manual().words == MANUAL
    assert {score for _, score in manual().scored} == {1.0}
    assert "queer" not in manual({"queer"}).words


def test_the_vocabulary_is_ordered_by_frequency() -> None:
    assert vocabulary(rows("b a", "a c"), min_count=1) == ("a", "b", "c")
    assert vocabulary(rows("b a", "a c"), min_count=2) == ("a",)


def test_terms_are_whole_tokens_and_the_longer_one_wins() -> None:
    terms = TermFinder(["african", "african american", "american", "old", "", "!!"])
    row = tokens("An African American, an older African, old Americans")
    assert terms.find(row) == [
        TermMatch(1, 3, "african american"),
        TermMatch(5, 6, "african"),
        TermMatch(6, 7, "old"),
    ]
    assert TermFinder([]).find(row) == []


def test_members_takes_each_term_by_itself() -> None:
    found = members(
        [tokens("an african american"), tokens("american"), tokens("old")],
        ["african", "african american", "american", ""],
    )
    assert {term: inside.tolist() for term, inside in found.items()} == {
        "african": [True, False, False],
        "african american": [True, False, False],
        "american": [True, True, False],
        "": [False, False, False],
    }


def test_augmentation_adds_to_the_training_part_alone() -> None:
    first, second, third, more = rows("+ a", "- b", "- c", "- d")
    assert augment(Split((first,), (second,), (third,)), [more]) == Split((first, more), (second,), (third,))
