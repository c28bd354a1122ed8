"""Protects the places of diagnostics: offsets and positions of a client name the same character."""

from __future__ import annotations

import re
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.server.positions import Encoding, TextPositions

SIGNS = ["a", "é", "ש", "…", "😀", "\n", "\r", "\u2028", "\x0c", "\ud800"]
TEXTS = st.text(alphabet=st.sampled_from(SIGNS), max_size=40)
ENCODINGS = get_args(Encoding)


def width(text: str, encoding: Encoding) -> int:
    """The code units of a text, by the codec of the standard library."""
    if encoding == "utf-32":
        return len(text)
    size = {"utf-8": 1, "utf-16": 2}[encoding]
    return len(text.encode({"utf-8": "utf-8", "utf-16": "utf-16-le"}[encoding], "surrogatepass")) // size


@pytest.mark.parametrize("encoding", ENCODINGS)
@given(text=TEXTS)
def test_positions_are_those_of_the_protocol(text: str, encoding: Encoding) -> None:
    positions = TextPositions(text, encoding)
    for offset in range(len(text) + 1):
        ends = [match for match in re.finditer(r"\r\n|\r|\n", text) if match.end() <= offset]
        begin = ends[-1].end() if ends else 0
        assert positions.position(offset) == (len(ends), width(text[begin:offset], encoding))
        assert positions.units(offset) == width(text[:offset], encoding)
        assert positions.offset_at(positions.units(offset)) == offset
        if text[max(0, offset - 1) : offset + 1] != "\r\n":
            assert positions.offset(*positions.position(offset)) == offset


@given(text=TEXTS, line=st.integers(-2, 50), character=st.integers(-2, 50))
def test_any_position_is_a_place_in_the_text(text: str, line: int, character: int) -> None:
    assert 0 <= TextPositions(text).offset(line, character) <= len(text)


def test_a_position_inside_an_emoji_is_before_it_and_one_beyond_a_line_is_its_end() -> None:
    positions = TextPositions("😀a\r\nb")
    assert positions.offset(0, 1) == 0
    assert positions.offset(0, 99) == 2
    assert positions.offset(9, 0) == 5
