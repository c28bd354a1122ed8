"""What a file's own markup says about its text, also after that text was edited."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import accumulate, pairwise
from typing import NamedTuple, TypeVar

from core.documents import parse
from core.documents.types import Document, Format, NonProseSpan, Span, SuppressedRange
from core.formats.types import Container
from core.text.diff import common_ends, match_lines
from core.types import Unread

R = TypeVar("R", SuppressedRange, Unread, NonProseSpan)


class MarkupRanges(NamedTuple):
    """What a container says about its text; see `core.formats.types.Container`."""

    suppressed: tuple[SuppressedRange, ...]
    quotes: tuple[Span, ...]
    unread: tuple[Unread, ...]
    non_prose: tuple[NonProseSpan, ...]
    set_apart: tuple[Span, ...]
    headings: tuple[Span, ...]

    def parse(self, text: str, format: Format, parser: Callable[..., Document] = parse) -> Document:
        """The document of a text with these ranges; ``parser`` is an equivalent of ``core.documents.parse``."""
        return parser(text, format, **self._asdict())


def markup_ranges(container: Container, text: str) -> MarkupRanges:
    """What a container says about its text, in offsets of ``text``, its text as it was edited since.

    A range moves with its words, and includes what was typed inside it.
    """
    found = MarkupRanges(
        container.suppressed,
        container.quotes,
        container.unread,
        container.non_prose,
        container.set_apart,
        container.appearance.headings,
    )
    if text == container.text or not any(found):
        return found
    place = _places(container.text, text)

    def moved(ranges: Iterable[R]) -> tuple[R, ...]:
        placed = (replace(one, start=place(one.start), end=place(one.end)) for one in ranges)
        return tuple(one for one in placed if one.start < one.end)

    def moved_spans(spans: Iterable[Span]) -> tuple[Span, ...]:
        placed = ((place(start), place(end)) for start, end in spans)
        return tuple(one for one in placed if one[0] < one[1])

    shown = moved(one for one in found.unread if one.start < one.end)
    return MarkupRanges(
        moved(found.suppressed),
        moved_spans(found.quotes),
        (*(one for one in found.unread if one.start >= one.end), *shown),
        moved(found.non_prose),
        moved_spans(found.set_apart),
        moved_spans(found.headings),
    )


def _places(before: str, after: str) -> Callable[[int], int]:
    """Where an offset of one text is in the other, by the lines that both have and the ends of those between them."""
    old, new = before.split("\n"), after.split("\n")
    old_starts = [0, *accumulate(len(line) + 1 for line in old)]
    new_starts = [0, *accumulate(len(line) + 1 for line in new)]
    # (start before, start after, length) of stretches that both texts have, in order.
    same: list[tuple[int, int, int]] = []
    low = first = 0
    for last, high in [*enumerate(match_lines(old, new)), (len(new), len(old))]:
        if high is None:
            continue
        # If there are as many lines as before, they correspond one by one; else only the ends of the whole stretch do.
        steps = range(last - first) if last - first == high - low else range(0)
        edges = [*((low + step, first + step) for step in steps), (high, last)]
        for (start, there), (end, stop) in pairwise([(low, first), *edges]):
            same += _ends(
                before, after, (old_starts[start], old_starts[end], new_starts[there], new_starts[stop])
            )
        if last < len(new):
            same.append((old_starts[high], new_starts[last], len(old[high]) + 1))
        low, first = high + 1, last + 1
    starts = [one[0] for one in same]

    def place(offset: int) -> int:
        number = bisect_right(starts, offset) - 1
        if number < 0:
            return 0
        start, there, length = same[number]
        following = same[number + 1][1] if number + 1 < len(same) else len(after)
        return min(there + offset - start if offset <= start + length else following, following, len(after))

    return place


def _ends(before: str, after: str, gap: tuple[int, int, int, int]) -> list[tuple[int, int, int]]:
    """The stretches with which both sides of a gap begin and end."""
    old, new = before[gap[0] : gap[1]], after[gap[2] : gap[3]]
    head, tail = common_ends(old, new)
    found = [(gap[0], gap[2], head), (gap[0] + len(old) - tail, gap[2] + len(new) - tail, tail)]
    return [one for one in found if one[2]]
