"""Protects the matching of lines behind saving with mixed line ends: only equal ones, in order, as many as sensible."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.text.diff import match_lines

LINES = st.lists(st.sampled_from("abcdefg"), max_size=20)


@given(LINES, LINES)
def test_only_equal_lines_match_and_in_order(before: list[str], after: list[str]) -> None:
    matched = match_lines(before, after)
    pairs = [(origin, index) for index, origin in enumerate(matched) if origin is not None]
    assert len(matched) == len(after)
    assert all(before[origin] == after[index] for origin, index in pairs)
    origins = [origin for origin, _ in pairs]
    assert origins == sorted(set(origins))


@given(LINES, st.integers(0, 20), LINES)
def test_lines_around_one_insertion_all_match(before: list[str], place: int, new: list[str]) -> None:
    place = min(place, len(before))
    inserted = [line.upper() for line in new]
    matched = match_lines(before, [*before[:place], *inserted, *before[place:]])
    assert [origin for origin in matched if origin is not None] == list(range(len(before)))


def test_a_moved_line_gives_way_to_the_many_that_stayed() -> None:
    assert match_lines(list("abcdef"), list("fabcde")) == [None, 0, 1, 2, 3, 4]


def test_several_edits_are_matched_between_unique_lines() -> None:
    before = ["", "one", "", "two", "", "three", ""]
    after = ["", "ONE", "", "two", "", "", "three", "end", ""]
    assert match_lines(before, after) == [0, None, 2, 3, 4, None, 5, None, 6]
