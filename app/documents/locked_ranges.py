"""The ranges of a text that cannot be edited, and those where a line break may be typed; they move with edits.

A file of 50,000 words can have thousands of them, so their positions are arrays: a text cursor for each would cost more
per key than everything else in the window.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.editor.marks import shift_position
from app.editor.positions import OffsetMap, edits_between, utf16_length
from core.formats.edits import BlockedError, EditRules, find_allowed_edits
from core.formats.types import Container
from core.i18n import tr
from core.storage.journal_format import from_utf16_bytes, to_utf16_bytes
from core.text.diff import TextEdit

NO_BREAK = tr("A line break cannot be inserted here: the file has no place for one.")
NO_CONTROL = tr(
    "The text contains the control character U+{code}, which is not allowed in this kind of "
    "file. Remove it and insert the text again."
)
# Lone surrogates are allowed: a keyboard may type a pair one after the other.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_Places = NDArray[np.int64]


def _places(units: OffsetMap, points: Sequence[int]) -> _Places:
    return np.array([units.to_utf16(point) for point in points], dtype=np.int64)


@dataclass(frozen=True, slots=True)
class LockedRange:
    """``text`` from ``start`` to ``end``, in UTF-16 units, cannot be edited; ``reason`` says why."""

    start: int
    end: int
    text: str
    reason: str


class LockedRanges:
    """The locked ranges of a container's text in ``shown``, the text of the editor, which may have been edited."""

    def __init__(self, container: Container, shown: str) -> None:
        units = OffsetMap(container.text)
        locked, breaks = container.locked, container.breaks
        self._text = bytearray(to_utf16_bytes(shown))
        self._reasons = [lock.reason for lock in locked]
        self._words = [container.text[lock.start : lock.end] for lock in locked]
        self._starts = _places(units, [lock.start for lock in locked])
        self._ends = _places(units, [lock.end for lock in locked])
        self._break_starts = _places(units, [start for start, _ in breaks])
        self._break_ends = _places(units, [end for _, end in breaks])
        if shown != container.text:
            self._follow(container, shown, units)

    def _follow(self, container: Container, shown: str, units: OffsetMap) -> None:
        """Move the ranges by the edits that make ``shown`` of the file's text."""
        try:
            edits = find_allowed_edits(container.text, shown, EditRules(container.locked, container.breaks))
        except BlockedError:
            # The file cannot be saved with this text: the ranges go where their words probably are.
            changes = edits_between(container.text, shown)
            for places in (self._starts, self._ends, self._break_starts, self._break_ends):
                places[:] = [shift_position(int(place), changes) for place in places]
            return
        for start, end, text in reversed(edits):
            self._move(units.to_utf16(start), units.to_utf16(end), utf16_length(text))

    def rejection_reason(self, start: int, end: int, inserted: str) -> str:
        """Why ``inserted`` cannot replace the text from ``start`` to ``end``; empty if it can."""
        number = self._touched(start, end)
        if number is None and inserted:
            number = self._touched(start, start)
        if number is not None:
            return self._reasons[number]
        control = _CONTROL.search(inserted)
        if control is not None:
            return NO_CONTROL.format(code=f"{ord(control[0]):04X}")
        if not {"\n", "\u2028", "\u2029"}.isdisjoint(inserted):
            at = int(np.searchsorted(self._break_ends, end))
            if at == len(self._break_ends) or self._break_starts[at] > start:
                return NO_BREAK
        return ""

    def between(self, start: int, end: int) -> list[LockedRange]:
        """The locked ranges that overlap a part of the text."""
        first = int(np.searchsorted(self._ends, start, side="right"))
        last = int(np.searchsorted(self._starts, end))
        return [
            LockedRange(int(self._starts[at]), int(self._ends[at]), self._words[at], self._reasons[at])
            for at in range(first, last)
        ]

    def apply_edit(
        self, start: int, end: int, *, length: int, text_between: Callable[[int, int], str]
    ) -> bool:
        """Apply an edit: the text from ``start`` to ``end`` is new in the document, which has ``length`` units now.

        ``text_between`` returns parts of it. Returns whether all locked text is unchanged.
        """
        end = min(end, length)
        gone = len(self._text) // 2 - (length - (end - start))
        new = text_between(start, end)
        old = from_utf16_bytes(self._text[2 * start : 2 * (start + gone)])
        self._text[2 * start : 2 * (start + gone)] = to_utf16_bytes(new)
        # Qt reports several edits as one, also when they are undone: locked text between them was not touched.
        whole = self._touched(start, start + gone) is None
        steps = [TextEdit(0, gone, new)] if whole else edits_between(old, new)
        for first, last, text in reversed(steps):
            if self._touched(start + first, start + last) is not None:
                return False
            self._move(start + first, start + last, len(to_utf16_bytes(text)) // 2)
        return True

    def _touched(self, start: int, end: int) -> int | None:
        """The first locked range that an edit would touch; an edit beside one is allowed unless that is empty."""
        number = int(np.searchsorted(self._ends, start, side="right"))
        if number and self._starts[number - 1] == start == end:
            return number - 1
        inside = number < len(self._starts) and self._starts[number] < end
        return number if inside else None

    def _move(self, start: int, end: int, added: int) -> None:
        """Move the ranges. Text typed at an edge is outside locked ranges, and inside ranges that allow breaks."""
        change = added - (end - start)
        self._starts[self._starts >= end] += change
        self._ends[(self._ends >= end) & (self._ends > start)] += change
        first, last = self._break_starts, self._break_ends
        inner = np.where(first >= end, first + change, start)
        self._break_starts = np.where(first <= start, first, inner)
        inner = np.where(last > start, start + added, last)
        self._break_ends = np.where(last >= end, last + change, inner)
