"""Which lines of an edited text are lines of the original, in time that grows with the text and no faster."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher

_SMALL = 64


def match_lines(before: Sequence[str], after: Sequence[str]) -> list[int | None]:
    """For each line after, the index of the same line before, or None. Indices rise, so no line is moved.

    Lines that stand once on both sides are anchors (their longest rising run, as in patience diff); between two
    anchors lines match from both ends inwards, and what is left of a short gap by its longest common runs.
    """
    matched: list[int | None] = [None] * len(after)
    start, end = _grow(before, after, matched, (0, len(before), 0, len(after)))
    anchors = _anchors(before, after, start, end)
    previous = start
    for anchor in [*anchors, end]:
        _fill(before, after, matched, (previous[0], anchor[0], previous[1], anchor[1]))
        if anchor is not end:
            matched[anchor[1]] = anchor[0]
            previous = (anchor[0] + 1, anchor[1] + 1)
    return matched


def _grow(
    before: Sequence[str], after: Sequence[str], matched: list[int | None], gap: tuple[int, int, int, int]
) -> tuple[tuple[int, int], tuple[int, int]]:
    """Match equal lines at both ends of a gap; returns the starts and the ends of what is left."""
    low, high, first, last = gap
    while low < high and first < last and before[low] == after[first]:
        matched[first] = low
        low, first = low + 1, first + 1
    while low < high and first < last and before[high - 1] == after[last - 1]:
        high, last = high - 1, last - 1
        matched[last] = high
    return (low, first), (high, last)


def _anchors(
    before: Sequence[str], after: Sequence[str], start: tuple[int, int], end: tuple[int, int]
) -> list[tuple[int, int]]:
    old, new = before[start[0] : end[0]], after[start[1] : end[1]]
    counts, new_counts = Counter(old), Counter(new)
    places = {line: index for index, line in enumerate(old, start[0]) if counts[line] == 1}
    pairs = [
        (places[line], index)
        for index, line in enumerate(new, start[1])
        if new_counts[line] == 1 and line in places
    ]
    return _longest_rise(pairs)


def _longest_rise(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest subsequence whose first members rise."""
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


def _fill(
    before: Sequence[str], after: Sequence[str], matched: list[int | None], gap: tuple[int, int, int, int]
) -> None:
    (low, first), (high, last) = _grow(before, after, matched, gap)
    if not (0 < high - low <= _SMALL and 0 < last - first <= _SMALL):
        return
    matcher = SequenceMatcher(None, before[low:high], after[first:last], autojunk=False)
    for origin, place, size in matcher.get_matching_blocks():
        for step in range(size):
            matched[first + place + step] = low + origin + step
