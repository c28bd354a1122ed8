"""Sentences in another spelling or about the other side keep their labels, and every span keeps its words."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.types import Kind
from training.reader import variants
from training.reader.variants import mirror_sides, respell, variant_examples, with_text
from training.types import Example, GoldSpan

TABLES = variants._tables()
SPELLINGS = {
    british: american
    for british, american in TABLES["british"][0].items()
    if TABLES["american"][0][american] == british
}
"""Spellings of which each side has one partner."""
SIDES = {one: other for one, other in TABLES["sides"][0].items() if TABLES["sides"][0].get(other) == one}
PLAIN = ("the", "plan", "of", "a", "well-known", "mayor", ",", "who", "said", "so")


def sentences(words: list[str]) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from([*words, *PLAIN]), min_size=1, max_size=12)


def marked(words: list[str]) -> Example:
    """A sentence in which every word is a span of its own."""
    spans, at = [], 0
    for word in words:
        spans.append(GoldSpan(at, at + len(word), Kind.FRAMING))
        at += len(word) + 1
    return Example(" ".join(words), "x", spans=tuple(spans), bias=1.0)


def words_of(example: Example) -> list[str]:
    return [example.text[span.start : span.end] for span in example.spans or ()]


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("They favour the colour.", "They favor the color."),
        ("THE COLOR of Honor", "THE COLOUR of Honour"),
        ("The favour and the color.", None),
        ("A plan.", None),
        ("Flavourless-colour-like", None),
    ],
)
def test_a_sentence_is_respelled_throughout_or_not_at_all(text: str, other: str | None) -> None:
    assert respell(text) == other


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("The far-left senator.", "The far-right senator."),
        ("Republicans blamed the Democrats.", "Democrats blamed the Republicans."),
        ("He left the right wing of the house.", None),
        ("Fox News quoted it.", "Msnbc quoted it."),
    ],
)
def test_sides_are_swapped_word_by_word(text: str, other: str | None) -> None:
    assert mirror_sides(text) == other


@given(sentences(list(SPELLINGS)))
def test_a_second_respelling_takes_the_first_one_back(words: list[str]) -> None:
    text = " ".join(words)
    other = respell(text)
    assert (other is None) == (not set(words) & set(SPELLINGS))
    assert other is None or respell(other) == text


@given(sentences(list(SIDES)))
def test_a_second_mirroring_takes_the_first_one_back(words: list[str]) -> None:
    text = " ".join(words)
    other = mirror_sides(text)
    assert other is None or mirror_sides(other) == text


@given(sentences([*SIDES, *SPELLINGS]))
def test_every_span_of_a_variant_holds_what_its_words_became(words: list[str]) -> None:
    """Also where two words trade places: *liberal or conservative* becomes *conservative or liberal*."""
    example = marked(words)
    for original, variant in zip(*[iter(variant_examples([example]))] * 2, strict=True):
        assert original is example
        assert len(words_of(variant)) == len(words)
        assert " ".join(words_of(variant)) == variant.text
        assert (variant.bias, variant.corpus) == (example.bias, example.corpus)


def test_words_that_trade_places_keep_their_spans() -> None:
    example = marked(["liberal", "conservative"])
    _, variant = variant_examples([example])
    assert words_of(variant) == ["conservative", "liberal"]


def test_a_sentence_in_which_nothing_changes_has_no_variant() -> None:
    assert variant_examples([marked(list(PLAIN))]) == []


@pytest.mark.parametrize("text", ["ſocialists met", "the İslamic party", "THE ﬁrst COLOUR", "", "K"])
def test_rare_letters_are_no_words_of_a_table(text: str) -> None:
    respell(text)
    mirror_sides(text)


@given(sentences(["wife", "husband"]), st.randoms(use_true_random=False))
def test_with_another_text_of_as_many_words_each_span_is_at_its_place(
    words: list[str], draw: random.Random
) -> None:
    """Whatever the other words are, the first span stays the first."""
    other = [draw.choice(["aunt", "uncles", "wife"]) if word.isalpha() else word for word in words]
    moved = with_text(marked(words), " ".join(other))
    assert words_of(moved) == re.findall(r"\S+", moved.text)


def test_words_that_come_and_go_move_spans_and_known_ranges() -> None:
    text = "A cruel king ruled the land."
    example = Example(
        text,
        "x",
        spans=(GoldSpan(2, 7, Kind.FRAMING), GoldSpan(13, 18, Kind.FRAMING)),
        labelled_ranges=((2, 18),),
    )
    longer = with_text(example, "Once more a very cruel old king ruled the land.")
    assert words_of(longer) == ["cruel", "ruled"]
    assert longer.labelled_ranges is not None
    assert longer.text[slice(*longer.labelled_ranges[0])].endswith("cruel old king ruled")
    shorter = with_text(example, "A king ruled the land.")
    assert words_of(shorter) == ["ruled"]


def test_without_spans_or_ranges_there_are_none_afterwards() -> None:
    moved = with_text(Example("A man.", "x"), "A woman.")
    assert (moved.spans, moved.labelled_ranges) == (None, None)
    assert with_text(Example("A man.", "x", spans=()), "A woman.").spans == ()
