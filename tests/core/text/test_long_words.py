"""Protects who pastes a very long word: other words are found as before, and only its beginning is read."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from core.text.tokens import MAX_WORD_CHARACTERS, WORD, last_word, tokenizer_safe

TEXTS = st.text(st.sampled_from("aé1_ \n-’'.(漢\u0301\u00ad\u200d"), max_size=40)


@given(TEXTS, st.integers(0, 40))
def test_the_last_word_is_the_one_that_only_white_space_follows(text: str, end: int) -> None:
    expected = re.search(rf"({WORD.pattern})\s*$", text[:end])
    found = last_word(text, end)
    assert (found and found.group()) == (expected and expected[1])
    assert found is None or found.start() == expected.start()


def test_a_very_long_last_word_is_none() -> None:
    assert last_word(f"the {'a' * MAX_WORD_CHARACTERS}") is None
    assert last_word(f"the {'a' * (MAX_WORD_CHARACTERS - 1)} ") is not None


def test_the_end_of_a_very_long_word_is_not_read() -> None:
    for letter in ("a", "漢", "e\u0301"):
        long = letter * 300
        safe = tokenizer_safe(f"It {long} is {long[:100]}.")
        assert len(safe) == len(f"It {long} is {long[:100]}.")
        assert safe[3 : 3 + MAX_WORD_CHARACTERS] == long[:MAX_WORD_CHARACTERS]
        assert set(safe[3 + MAX_WORD_CHARACTERS : 3 + len(long)]) == {" "}
        assert safe.endswith(f" is {long[:100]}.")


@given(TEXTS)
def test_words_of_usual_length_are_read_whole(text: str) -> None:
    assert tokenizer_safe(text) == text
