"""Misspelled words keep their place under edits, and an edit of a word drops it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.editor.marks import EditStep
from app.editor.misspellings import Misspellings, Range

RANGES = st.lists(st.integers(1, 6), max_size=12).map(
    lambda lengths: [(sum(lengths[:at]) + at, sum(lengths[: at + 1]) + at) for at in range(len(lengths))][::2]
)
STEPS = st.builds(
    EditStep, st.integers(0, 50), st.integers(0, 8), st.integers(0, 8), st.booleans(), st.booleans()
)


@given(RANGES, STEPS)
def test_an_edit_moves_what_is_behind_it_and_drops_what_it_touches(
    ranges: list[Range], step: EditStep
) -> None:
    words = Misspellings(ranges)
    words.edit(step)
    last, delta = step.position + step.removed, step.added - step.removed
    kept = [*words]
    for start, end in ranges:
        if end < step.position:
            assert (start, end) in kept
        elif start > last:
            assert (start + delta, end + delta) in kept
        elif start < last and end > step.position:
            assert (start, end) not in kept or (start, end) in [
                (a + delta, b + delta) for a, b in ranges if a >= last
            ]
    assert kept == sorted(kept)
    assert len(kept) <= len(ranges)


@given(RANGES, st.integers(0, 60), st.integers(0, 60))
def test_lookups_agree_with_a_search_through_all(ranges: list[Range], one: int, other: int) -> None:
    words = Misspellings(ranges)
    low, high = sorted((one, other))
    if low < high:
        assert words.between(low, high) == [(a, b) for a, b in ranges if a < high and b > low]
    at = [(a, b) for a, b in ranges if a <= one <= b]
    assert words.at(one) == (at[-1] if at else None)
    after = [(a, b) for a, b in ranges if a > one]
    assert words.after(one) == (after[0] if after else None)


def test_letters_typed_at_the_end_of_a_word_make_another_of_it() -> None:
    typed = EditStep(4, 0, 1, word_before=True, word_after=True)
    words = Misspellings([(0, 4), (6, 9)])
    words.edit(typed)
    assert [*words] == [(7, 10)]
    words = Misspellings([(0, 4), (6, 9)])
    words.edit(EditStep(4, 0, 1))
    assert [*words] == [(0, 4), (7, 10)]
