"""The words that tell the sides apart are found, in the form they are written in, or there are too few."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from training.auditing.debiasing.training_data import BiasWords, SideTexts, bias_words
from training.types import CorpusError

LIBERAL = ("Climate protests and unions grew in 2016.", "The unions said climate, wages and Obama's plan.")
CONSERVATIVE = ("The border and TAXES, said Trump.", "He said taxes at the border; taxes.")
SIDES = SideTexts(LIBERAL * 4, CONSERVATIVE * 4)


def test_each_side_gets_its_most_distinctive_words_first() -> None:
    found = bias_words(SIDES, count=2)
    assert found == BiasWords(("Climate", "unions"), ("taxes", "border"))


def test_numbers_stop_words_and_possessives_are_ignored() -> None:
    texts = ("In 2016 the unions' and Obama's 44 xy",), ("He was at the border in 1999", "by Trump’s border")
    found = bias_words(SideTexts(texts[0] * 5, texts[1] * 5), count=2)
    assert found == BiasWords(("Obama", "unions"), ("border", "Trump"))
    with pytest.raises(CorpusError, match="Only 2 words"):
        bias_words(SideTexts(texts[0] * 5, texts[1] * 5), count=3)


def test_a_word_has_its_most_frequent_spelling() -> None:
    texts = (
        ("Climate", "climate", "climate here", "UNIONS"),
        ("TAXES taxes TAXES", "Trump", "Trump wins", "taxes"),
    )
    found = bias_words(SideTexts(texts[0] * 5, texts[1] * 5), count=2)
    assert set(found.liberal) == {"climate", "UNIONS"}
    assert set(found.conservative) == {"TAXES", "Trump"}


def test_a_word_of_a_few_texts_does_not_count() -> None:
    found = bias_words(SideTexts((*LIBERAL * 4, "zebra zebra zebra zebra"), CONSERVATIVE * 4), count=2)
    assert "zebra" not in found.liberal


def test_too_few_words_are_refused_with_their_number() -> None:
    with pytest.raises(CorpusError, match=r"Only \d+ words .* 250 are needed"):
        bias_words(SIDES)
    with pytest.raises(CorpusError, match="Only 0 words"):
        bias_words(SideTexts(("1 2 3",), ("the of",)), count=1)


@pytest.mark.parametrize("sides", [SideTexts((), CONSERVATIVE), SideTexts(LIBERAL, ("  ",))])
def test_a_one_sided_corpus_is_refused(sides: SideTexts) -> None:
    with pytest.raises(CorpusError, match="Give texts of both sides"):
        bias_words(sides)


@given(order=some.permutations(LIBERAL * 4), other=some.permutations(CONSERVATIVE * 4))
def test_the_order_of_the_texts_changes_nothing(order: list[str], other: list[str]) -> None:
    found, wanted = bias_words(SideTexts(tuple(order), tuple(other)), count=2), bias_words(SIDES, count=2)
    assert set(found.liberal) == set(wanted.liberal)
    assert set(found.conservative) == set(wanted.conservative)


def test_swapped_sides_give_swapped_lists() -> None:
    found, swapped = (
        bias_words(SIDES, count=2),
        bias_words(SideTexts(SIDES.conservative, SIDES.liberal), count=2),
    )
    assert (found.liberal, found.conservative) == (swapped.conservative, swapped.liberal)
