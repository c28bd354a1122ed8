"""Edits found in a pair are the words an editor took out or changed: offsets, and what does not count."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from training.text.edits import find_word_edits


@pytest.mark.parametrize(
    ("biased", "neutral", "expected"),
    [
        ("hutchinson passed away in 1964 .", "hutchinson died in 1964 .", [("passed away", "died")]),
        ("he temporarily resigned .", "he resigned .", [("temporarily", "")]),
        ("the infamous and cruel king", "the king", [("infamous and cruel", "")]),
        ("a legendary singer, and a shrewd man", "a singer, and a man", [("legendary", ""), ("shrewd", "")]),
    ],
)
def test_words_that_an_editor_changed(biased: str, neutral: str, expected: list[tuple[str, str]]) -> None:
    assert [(edit.before, edit.after) for edit in find_word_edits(biased, neutral)] == expected


@pytest.mark.parametrize(
    ("biased", "neutral"),
    [
        ("inappropriate behavior here", "inappropriate behaviour here"),
        ("a well known singer", "a well-known singer"),
        ("it rained , then stopped", "it rained then stopped"),
        ("the cat sat", "a cat sat"),
        ("he resigned", "he has resigned"),
        ("one two three four five", "six seven eight nine ten"),
    ],
)
def test_what_is_no_bias_edit(biased: str, neutral: str) -> None:
    assert find_word_edits(biased, neutral) == ()


@given(st.text(alphabet="ab é’.😀-", max_size=60), st.text(alphabet="ab é’.😀-", max_size=60))
def test_an_edit_slices_its_own_words(biased: str, neutral: str) -> None:
    found = find_word_edits(biased, neutral)
    assert all(biased[edit.start : edit.end] == edit.before for edit in found)
    assert all(one.end <= two.start for one, two in pairwise(found))
