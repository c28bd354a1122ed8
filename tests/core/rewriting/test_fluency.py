"""Word sequences that are odd English score lower than usual ones, and any text has a score."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.rewriting.fluency import (
    FluencyScorer,
    NgramTables,
    load_fluency_scorer,
    read_tables,
    tokenise,
    write_tables,
)


def words_of(text: str) -> list[str]:
    return [word for word, _, _ in tokenise(text)]


def score(before: str, words: str, after: str) -> tuple[float, float]:
    return tuple(load_fluency_scorer().score(before + words + after, len(before), len(before) + len(words)))


def test_tokens_are_those_of_the_counts() -> None:
    assert words_of("He didn’t pay $3,000.50 - Trump's won't.") == [
        *("he", "did", "n't", "pay", "0", "-", "trump", "'s", "wo", "n't", "."),
    ]
    assert words_of("They do n't and can't.") == ["they", "do", "n't", "and", "ca", "n't", "."]


@given(st.text(max_size=60))
def test_the_places_of_tokens_are_in_order_and_in_the_text(text: str) -> None:
    places = [place for _, *place in tokenise(text)]
    assert all(0 <= start < end <= len(text) for start, end in places)
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("before", "good", "bad", "after"),
    [
        ("The judge doubted his ", "understanding", "understand", " of the law."),
        ("She has been ", "criticized", "criticize", " by the council."),
        ("The new ", "plans", "plan", " were published on Monday."),
        ("They agreed to ", "oppose", "opposed", " the bill."),
    ],
)
def test_another_form_of_the_word_is_less_usual(before: str, good: str, bad: str, after: str) -> None:
    assert sum(score(before, good, after)) > sum(score(before, bad, after)) + 1


def test_words_taken_out_are_judged_by_what_is_left() -> None:
    assert sum(score("The mayor of ", "", "the city spoke.")) > sum(score("The mayor of ", "", "spoke.")) + 1


@given(st.text(max_size=40), st.data())
def test_any_place_of_any_text_has_a_score(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    assert np.isfinite(load_fluency_scorer().score(text, start, end)).all()


def test_a_file_keeps_the_counts_within_five_percent(tmp_path: Path) -> None:
    numbers = np.arange(7, dtype=np.float64)
    tables = NgramTables(
        ["<edge>", "the", "<other>"],
        np.array([0.0, 12_345.0, 3.0]),
        (np.array([1, 5, 8]), np.array([1.0, 2.0, 70_000.0])),
        np.array([0, 1, 1]),
        numbers[:4].reshape(2, 2),
        (np.array([0, 7]), np.array([9.0, 100.0])),
    )
    write_tables(tables, tmp_path / "counts.npz")
    found = read_tables(tmp_path / "counts.npz")
    assert found.names == tables.names
    assert found.classes.tolist() == [0, 1, 1]
    for one, two in ((found.pairs, tables.pairs), (found.class_triples, tables.class_triples)):
        assert one[0].tolist() == two[0].tolist()
        assert one[1] == pytest.approx(two[1], rel=0.05)
    assert found.words == pytest.approx(tables.words, rel=0.05)
    assert found.class_pairs == pytest.approx(tables.class_pairs, rel=0.05)
    assert isinstance(FluencyScorer(found).score("the", 0, 3).by_word, float)
