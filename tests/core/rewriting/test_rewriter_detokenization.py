"""Protects how the model's words look: as a person types them, not as a tokenizer cuts them."""

from __future__ import annotations

import pytest

from core.rewriting.rewriter import detokenise


@pytest.mark.parametrize(
    ("pieces", "words"),
    [
        ("", ""),
        ("critic ##ized", "criticized"),
        ("long - term plan", "long-term plan"),
        ("it ' s new", "it's new"),
        ("don ' t", "don't"),
        ("the workers ' union", "the workers' union"),
        ("o ' brien", "o'brien"),
        ("old , new .", "old, new."),
        ("( a law )", "(a law)"),
        ("10 , 000 people", "10,000 people"),
        ("1 . 5 %", "1.5%"),
        ("$ 5", "$5"),
        ("and / or", "and/or"),
        ("co - op ##era ##ted", "co-operated"),
    ],
)
def test_pieces_become_words(pieces: str, words: str) -> None:
    assert detokenise(pieces.split()) == words


def test_a_first_piece_that_goes_on_with_nothing_does_not_crash() -> None:
    assert detokenise(["##ized"]) == "##ized"
