"""Protects a pipe: every line comes out once, in order, with its own line end, and only what is wrong is changed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.engine.engine import Engine
from core.rewriting.guards import TOO_LONG
from core.rewriting.lines import rewrite_lines, split_lines
from core.rewriting.suggester import Suggester
from tests.core.rewriting.fake_proposer import Told

TOLD = Told({"shameful": [("", 0.5), ("new", 0.3)], "claims": [("said", 0.5)]})
BIASED = "The senator said this shameful policy."
NEUTRAL = "The senator said this policy."


def piped(engine: Engine, text: str) -> str:
    """``text`` with each line made neutral."""
    lines = rewrite_lines(Suggester(engine, TOLD), text)
    return "".join((line.rewrites[0].text if line.rewrites else line.source) + line.end for line in lines)


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("", ""),
        ("\n\n", "\n\n"),
        (f"{BIASED}\r\n\r\nThe law is new.\n{BIASED}", f"{NEUTRAL}\r\n\r\nThe law is new.\n{NEUTRAL}"),
        (f"  {BIASED} The law is new.  {BIASED}\t\n", f"  {NEUTRAL} The law is new.  {NEUTRAL}\t\n"),
        ("…!?\n12\n", "…!?\n12\n"),
        ("Der shameful record der Stadt ist das.\n", "Der shameful record der Stadt ist das.\n"),
        (f"🙂 {BIASED}\rשלום\n", f"🙂 {NEUTRAL}\rשלום\n"),
    ],
)
def test_lines_come_out_as_they_went_in(engine: Engine, text: str, after: str) -> None:
    assert piped(engine, text) == after


def test_a_long_line_is_unchanged_and_reported(engine: Engine) -> None:
    long = "The shameful people said " * 41 + "this."
    first, second = rewrite_lines(Suggester(engine, TOLD), f"{long}\n{BIASED}\n")
    assert (first.source, first.rewrites, first.note) == (long, (), TOO_LONG)
    assert (second.rewrites[0].text, second.note) == (NEUTRAL, "")


def test_several_rewrites_of_one_line(engine: Engine) -> None:
    (line,) = rewrite_lines(Suggester(engine, TOLD), f"The law is new. {BIASED}", n=3)
    assert {one.text for one in line.rewrites} == {
        f"The law is new. {NEUTRAL}", "The law is new. The senator said this new policy."
    }  # fmt: skip
    assert all(one.bias_after < one.bias_before for one in line.rewrites)


@given(st.text(st.sampled_from("ab \r\n\u2028\x0b\x85"), max_size=40))
def test_no_character_is_lost_between_lines(text: str) -> None:
    lines = split_lines(text)
    assert "".join(line + end for line, end in lines) == text
    assert not any("\n" in line or "\r" in line for line, _ in lines)
    assert all(end for _, end in lines[:-1])
