"""Protects who replaces a word everywhere: long lists of words are compared in bounded time, and no word gets lost."""

from __future__ import annotations

from difflib import SequenceMatcher

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text import word_runs
from core.text.diff import apply_edits, compare_texts, find_edits
from core.text.word_runs import differing_runs

WORDS = st.lists(st.sampled_from(["a", "b", "c", " ", "law", "record"]), max_size=60)


@pytest.mark.parametrize("pairs", [0, 20, word_runs.MAX_PAIRS])
@given(WORDS, WORDS)
def test_the_runs_make_one_list_the_other(pairs: int, old: list[str], new: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(word_runs, "MAX_PAIRS", pairs)
        runs = list(differing_runs(old, new))
    made: list[str] = []
    at = new_at = 0
    for start, end, first, last in runs:
        assert start < end or first < last
        assert old[at:start] == new[new_at:first]
        made += [*old[at:start], *new[first:last]]
        at, new_at = end, last
    assert [*made, *old[at:]] == new


@given(WORDS, WORDS)
def test_short_lists_are_compared_as_difflib_does(old: list[str], new: list[str]) -> None:
    low = next((at for at, (one, other) in enumerate(zip(old, new, strict=False)) if one != other), None)
    if low is None or old[-1] == new[-1]:
        return
    codes = SequenceMatcher(None, old[low:], new[low:], autojunk=False).get_opcodes()
    expected = [(i + low, j + low, k + low, m + low) for tag, i, j, k, m in codes if tag != "equal"]
    assert list(differing_runs(old, new)) == expected


def test_a_word_replaced_everywhere_is_found_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = []

    class Counting(SequenceMatcher):  # type: ignore[type-arg]
        def __init__(self, junk: None, one: list[str], other: list[str], autojunk: bool) -> None:
            compared.append(sum(one.count(word) * other.count(word) for word in set(one)))
            super().__init__(junk, one, other, autojunk=autojunk)

    monkeypatch.setattr(word_runs, "SequenceMatcher", Counting)
    for text in ("shameful " * 900, " ".join(f"shameful word{number}" for number in range(450)) + " "):
        edits = find_edits(text, text.replace("shameful", "new"))
        assert {(text[edit.start : edit.end], edit.text) for edit in edits} == {("shameful", "new")}
        assert apply_edits(text, edits) == text.replace("shameful", "new")
        assert len(compare_texts(text, text.replace("shameful", "new")).changes) >= 1
    assert max(compared, default=0) <= word_runs.MAX_PAIRS
