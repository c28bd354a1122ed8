"""The positions of findings in the editor's text, in UTF-16 units, and how edits move them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from app.editor.positions import OffsetMap, utf16_length
from core.text.diff import TextEdit
from core.types import Finding


@dataclass(frozen=True, slots=True)
class Mark:
    """A finding and its present position: ``start`` and ``end`` are UTF-16 units of the editor's text."""

    start: int
    end: int
    finding: Finding


@dataclass(frozen=True, slots=True)
class EditStep:
    """One edit: ``removed`` units at ``position`` became ``added``.

    ``word_after``: the unit now at ``position`` is part of a word, so a mark that ends there has grown.
    ``word_before``: the unit now before ``position + added`` is part of a word, so a mark after it has too.
    """

    position: int
    removed: int
    added: int
    word_before: bool = False
    word_after: bool = False


def shift_position(position: int, edits: Sequence[TextEdit]) -> int:
    """Where a caret at ``position`` stands after ``edits``: (start, end, new text), sorted, in UTF-16 units.

    Inside words that are replaced it keeps its distance from their start, as far as the new words reach.
    """
    shift = 0
    for start, end, new in edits:
        if position <= start:
            break
        length = utf16_length(new)
        if position < end:
            return start + shift + min(position - start, length)
        shift += length - (end - start)
    return position + shift


def shift_range(start: int, end: int, step: EditStep) -> tuple[int, int] | None:
    """Where the words of a range stand after an edit; None if it has changed them, or made other words of them."""
    last, delta = step.position + step.removed, step.added - step.removed
    if end < step.position or (end == step.position and not step.word_after):
        return start, end
    if start > last or (start == last and end > step.position and not step.word_before):
        return start + delta, end + delta
    return None


class Marks:
    """Sorted, disjoint marks. An edit moves the later ones and drops those whose words it changes."""

    def __init__(self, marks: Iterable[Mark] = ()) -> None:
        ordered = sorted(marks, key=lambda mark: mark.start)
        self._starts = [mark.start for mark in ordered]
        self._ends = [mark.end for mark in ordered]
        self._findings = [mark.finding for mark in ordered]
        self._by_origin: dict[int, int] | None = None

    @classmethod
    def place(cls, findings: Iterable[Finding], positions: OffsetMap) -> Marks:
        """Marks for findings of the text that ``positions`` was made from."""
        return cls(
            Mark(positions.to_utf16(finding.start), positions.to_utf16(finding.end), finding)
            for finding in findings
        )

    def __len__(self) -> int:
        return len(self._findings)

    def __iter__(self) -> Iterator[Mark]:
        return map(Mark, self._starts, self._ends, self._findings)

    def __getitem__(self, index: int) -> Mark:
        return Mark(self._starts[index], self._ends[index], self._findings[index])

    def keep(self, wanted: Callable[[Finding], bool]) -> Marks:
        """The marks whose finding is ``wanted``."""
        picked = [index for index, finding in enumerate(self._findings) if wanted(finding)]
        filtered = Marks()
        filtered._starts = [self._starts[index] for index in picked]
        filtered._ends = [self._ends[index] for index in picked]
        filtered._findings = [self._findings[index] for index in picked]
        return filtered

    @property
    def findings(self) -> Sequence[Finding]:
        """The findings of the marks, in order."""
        return self._findings

    def find(self, finding: Finding) -> Mark | None:
        """The mark of a finding; None if an edit has changed its words."""
        if self._by_origin is None:
            self._by_origin = {known.start: index for index, known in enumerate(self._findings)}
        index = self._by_origin.get(finding.start)
        return self[index] if index is not None and self._findings[index] == finding else None

    def between(self, start: int, end: int) -> list[Mark]:
        """The marks that overlap ``[start, end)``."""
        return [self[i] for i in range(bisect_right(self._ends, start), bisect_left(self._starts, end))]

    def at(self, position: int) -> Mark | None:
        """The mark at a caret position, its edges included; between two adjacent marks the second one."""
        index = bisect_right(self._starts, position) - 1
        return self[index] if index >= 0 and position <= self._ends[index] else None

    def after(self, position: int) -> Mark | None:
        """The first mark that begins after ``position``."""
        index = bisect_right(self._starts, position)
        return self[index] if index < len(self) else None

    def before(self, position: int) -> Mark | None:
        """The last mark that begins before ``position``."""
        index = bisect_left(self._starts, position) - 1
        return self[index] if index >= 0 else None

    def edit(self, step: EditStep) -> bool:
        """Apply one edit. Returns whether a mark was dropped."""
        position, removed, added = step.position, step.removed, step.added
        first = bisect_left(self._ends, position)
        last = bisect_right(self._starts, position + removed)
        delta = added - removed
        kept: list[Mark] = []
        for index in range(first, last):
            if (place := shift_range(self._starts[index], self._ends[index], step)) is not None:
                kept.append(Mark(*place, self._findings[index]))
        self._starts[first:] = [m.start for m in kept] + [start + delta for start in self._starts[last:]]
        self._ends[first:] = [m.end for m in kept] + [end + delta for end in self._ends[last:]]
        self._findings[first:last] = [m.finding for m in kept]
        if len(kept) == last - first:
            return False
        self._by_origin = None
        return True
