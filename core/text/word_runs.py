"""Where two lists of words differ, in bounded time.

difflib compares every pair of equal words again for each difference, which takes minutes where a long paragraph has
many equal words (its spaces, or one word that was replaced everywhere). Longer lists are therefore first cut at words
that both have once, as in patience diff.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

Run = tuple[int, int, int, int]
"""(start, end) of words of the old list, and of the words of the new list in their place."""

MAX_PAIRS = 5_000
"""Pairs of equal words up to which difflib compares two lists."""

_MAX_DEPTH = 12


def differing_runs(old: Sequence[str], new: Sequence[str]) -> Iterator[Run]:
    """The runs in which the lists differ, in order; the words between two runs are equal."""
    return _runs(old, new, (0, len(old), 0, len(new)), 0)


def _runs(old: Sequence[str], new: Sequence[str], run: Run, depth: int) -> Iterator[Run]:
    low, high, first, last = _without_equal_ends(old, new, run)
    if low == high or first == last:
        if low < high or first < last:
            yield low, high, first, last
        return
    one, other = old[low:high], new[first:last]
    counts, new_counts = Counter(one), Counter(other)
    if sum(count * new_counts[word] for word, count in counts.items()) <= MAX_PAIRS:
        for tag, i, j, k, m in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
            if tag != "equal":
                yield low + i, low + j, first + k, first + m
        return
    places = {word: at for at, word in enumerate(one, low) if counts[word] == new_counts[word] == 1}
    anchors = longest_increasing_run(
        [(places[word], at) for at, word in enumerate(other, first) if word in places]
    )
    if anchors and depth < _MAX_DEPTH:
        for place, new_place in [*anchors, (high, last)]:
            yield from _runs(old, new, (low, place, first, new_place), depth + 1)
            low, first = place + 1, new_place + 1
    elif high - low == last - first:
        yield from _word_by_word(old, new, (low, high, first, last))
    else:
        yield low, high, first, last


def _without_equal_ends(old: Sequence[str], new: Sequence[str], run: Run) -> Run:
    low, high, first, last = run
    while low < high and first < last and old[low] == new[first]:
        low, first = low + 1, first + 1
    while low < high and first < last and old[high - 1] == new[last - 1]:
        high, last = high - 1, last - 1
    return low, high, first, last


def _word_by_word(old: Sequence[str], new: Sequence[str], run: Run) -> Iterator[Run]:
    """The runs of two lists of one length, each word compared with the one in its place."""
    low, high, first, _ = run
    start = -1
    for at in range(high - low):
        differs = old[low + at] != new[first + at]
        if differs and start < 0:
            start = at
        elif not differs and start >= 0:
            yield low + start, low + at, first + start, first + at
            start = -1
    if start >= 0:
        yield low + start, high, first + start, first + high - low


def longest_increasing_run(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest subsequence whose first members are increasing."""
    tails: list[int] = []
    members: list[int] = []
    links: list[int] = []
    for number, (value, _) in enumerate(pairs):
        place = bisect_left(tails, value)
        links.append(members[place - 1] if place else -1)
        tails[place : place + 1] = [value]
        members[place : place + 1] = [number]
    rise = []
    number = members[-1] if members else -1
    while number >= 0:
        rise.append(pairs[number])
        number = links[number]
    return rise[::-1]
