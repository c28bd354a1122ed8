"""The positions of misspelled words in the editor's text, in UTF-16 units."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable

from app.editor.marks import EditStep, shift_range

Range = tuple[int, int]


class Misspellings:
    """Sorted, disjoint ranges. An edit moves the later ones and drops those whose words it changes."""

    def __init__(self, ranges: Iterable[Range] = ()) -> None:
        self._ranges = sorted(ranges)

    def __len__(self) -> int:
        return len(self._ranges)

    def __getitem__(self, index: int) -> Range:
        return self._ranges[index]

    def between(self, start: int, end: int) -> list[Range]:
        """The ranges that overlap ``[start, end)``."""
        return self._ranges[
            bisect_right(self._ranges, start, key=_end) : bisect_left(self._ranges, (end, end))
        ]

    def at(self, position: int) -> Range | None:
        """The range at a caret position, its edges included; between two that touch the second one."""
        index = bisect_right(self._ranges, (position, 1 << 62)) - 1
        return self._ranges[index] if index >= 0 and position <= self._ranges[index][1] else None

    def after(self, position: int) -> Range | None:
        """The first range that begins after ``position``."""
        index = bisect_right(self._ranges, (position, 1 << 62))
        return self._ranges[index] if index < len(self._ranges) else None

    def edit(self, step: EditStep) -> None:
        """Apply one edit."""
        first = bisect_left(self._ranges, step.position, key=_end)
        if first < len(self._ranges):
            moved = (shift_range(start, end, step) for start, end in self._ranges[first:])
            self._ranges[first:] = [place for place in moved if place is not None]


def _end(place: Range) -> int:
    return place[1]
