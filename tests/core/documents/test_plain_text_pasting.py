"""Protects pasting: what comes from Word or a browser is plain, visible text, and no visible character is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.plain_text import clean_pasted_text

ODD = st.text(
    alphabet=st.one_of(st.characters(), st.sampled_from("\r\n\v\u2028·•o\t \u00a0\u00ad\ufffc\u200b"))
)


@pytest.mark.parametrize(
    ("pasted", "typed"),
    [
        ("One\r\nTwo\rThree\vFour\u2028Five", "One\nTwo\nThree\nFour\nFive"),
        ("·\tfirst\r\n·\tsecond", "- first\n- second"),
        ("•   first\no  second\n§\tthird", "- first\n- second\n- third"),
        ("o second", "o second"),
        ("so-called\u00ad ex\u00adperts\ufeff\u200b", "so-called experts"),
        ("a picture\ufffc here", "a picture here"),
        ("10\u00a0km  \nnext ", "10\u00a0km\nnext "),
        ("👩\u200d🚀 and می\u200cخواهم", "👩\u200d🚀 and می\u200cخواهم"),
        ("x\0y\x07", "xy"),
        ("half \ud83d", "half \ufffd"),
    ],
)
def test_it_reads_as_if_it_had_been_typed(pasted: str, typed: str) -> None:
    assert clean_pasted_text(pasted) == typed


@given(ODD)
def test_it_can_be_saved_and_cleaning_again_changes_nothing(pasted: str) -> None:
    cleaned = clean_pasted_text(pasted)
    assert clean_pasted_text(cleaned) == cleaned
    cleaned.encode("utf-8")
    assert not set(cleaned) & set("\r\0\v\u2028\ufffc\u00ad")


@given(st.text(alphabet=st.characters(categories=("L", "N", "P"), exclude_characters="o·•§"), max_size=40))
def test_letters_digits_and_punctuation_all_stay(pasted: str) -> None:
    assert clean_pasted_text(pasted) == pasted
