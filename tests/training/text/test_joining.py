"""Tokens of a corpus as people write them: no token is lost, and every offset is that of its token."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from training.text.joining import join_tokens

QUOTES = {"``": '"', "''": '"'}
TOKENS = st.lists(
    st.one_of(
        st.text(alphabet="abcXYZ019éß-&/", min_size=1, max_size=8),
        st.sampled_from(
            ["``", "''", '"', ".", ",", "(", ")", "$", "%", "n't", "'s", "’re", "…", "”", "“", "'"]
        ),
    ),
    max_size=30,
)


@given(TOKENS)
def test_every_token_stands_where_its_offsets_say(tokens: list[str]) -> None:
    text, places = join_tokens(tokens)
    assert [text[start:end] for start, end in places] == [QUOTES.get(token, token) for token in tokens]


@given(TOKENS)
def test_nothing_but_single_spaces_stands_between_tokens(tokens: list[str]) -> None:
    text, places = join_tokens(tokens)
    ends = [0, *(end for _, end in places)]
    gaps = [text[end:start] for end, (start, _) in zip(ends, places, strict=False)]
    assert set(gaps) <= {"", " "}
    assert text == text.strip()
    assert text.replace(" ", "") == "".join(QUOTES.get(token, token) for token in tokens)


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        ([], ""),
        (["It", "did", "n't", "end", ",", "she", "said", "."], "It didn't end, she said."),
        (["``", "A", "plan", "''", ",", "he", "said", "."], '"A plan", he said.'),
        (["He", '"', "won", '"', "it", '"', "all", '"', "."], 'He "won" it "all".'),
        (["The", "mayor", "'s", "(", "new", ")", "$", "5", "fee", "."], "The mayor's (new) $5 fee."),
        (["90", "%", "of", "them", "’ll", "stay", "!"], "90% of them’ll stay!"),
    ],
)
def test_it_reads_like_prose(tokens: list[str], text: str) -> None:
    assert join_tokens(tokens)[0] == text
