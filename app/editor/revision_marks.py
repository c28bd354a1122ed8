"""The positions of tracked changes and comments in the editor's text, in UTF-16 units, and how edits move them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import TYPE_CHECKING, Generic, TypeVar

from app.editor.marks import EditStep
from core.revisions.types import Revision

if TYPE_CHECKING:
    from core.answers.comments import Comment


@dataclass(frozen=True, slots=True)
class RevisionMark:
    """A tracked change and its present position, which is empty where words were deleted.

    ``author`` is the number of its author among those of the file.
    """

    start: int
    end: int
    revision: Revision
    author: int


@dataclass(frozen=True, slots=True)
class CommentMark:
    """A comment and its present position, which is empty where it is on no words."""

    start: int
    end: int
    comment: Comment


M = TypeVar("M", RevisionMark, CommentMark)


def stretch_range(start: int, end: int, step: EditStep) -> tuple[int, int] | None:
    """Where a range stands after an edit: longer or shorter after one inside it; None if all its words are gone.

    An empty range stays before what is typed there.
    """
    position, last, delta = step.position, step.position + step.removed, step.added - step.removed
    if start == end:
        at = start if start <= position else max(start, last) + delta
        return at, at
    stays = start < position or (start == position and step.removed > 0)
    new_start = start if stays else max(start, last) + delta
    new_end = end if end <= position else end + delta if end >= last else position
    return (new_start, new_end) if new_start < new_end else None


class RangeMarks(Generic[M]):
    """Marks sorted by their position. They may overlap: words that one person inserted, another has moved."""

    def __init__(self, marks: Iterable[M] = ()) -> None:
        self._marks: list[M] = sorted(marks, key=_position)
        self._starts = [mark.start for mark in self._marks]
        self._ends = [mark.end for mark in self._marks]
        self._measure()

    def __len__(self) -> int:
        return len(self._marks)

    def __iter__(self) -> Iterator[M]:
        return map(self._mark, range(len(self._marks)))

    def between(self, start: int, end: int) -> list[M]:
        """The marks that overlap ``[start, end)``, and the empty ones there or at its edges."""
        return [
            mark
            for mark in self._near(start, end)
            if mark.start == mark.end or (mark.start < end and mark.end > start)
        ]

    def at(self, position: int) -> list[M]:
        """The marks at a caret position, their edges included."""
        return self._near(position, position)

    def edit(self, step: EditStep) -> None:
        """Apply one edit."""
        first = bisect_left(self._reach, step.position)
        last = bisect_right(self._starts, step.position + step.removed)
        delta = step.added - step.removed
        if first == len(self._marks):
            return
        kept: list[M] = []
        for number in range(first, last):
            place = stretch_range(self._starts[number], self._ends[number], step)
            if place is not None:
                kept.append(replace(self._marks[number], start=place[0], end=place[1]))
        kept.sort(key=_position)
        self._starts[first:] = [m.start for m in kept] + [start + delta for start in self._starts[last:]]
        self._ends[first:] = [m.end for m in kept] + [end + delta for end in self._ends[last:]]
        self._marks[first:last] = kept
        self._measure()

    def _near(self, start: int, end: int) -> list[M]:
        """The marks that overlap or touch a range."""
        numbers = range(bisect_left(self._reach, start), bisect_right(self._starts, end))
        return [self._mark(number) for number in numbers if self._ends[number] >= start]

    def _mark(self, number: int) -> M:
        return replace(self._marks[number], start=self._starts[number], end=self._ends[number])

    def _measure(self) -> None:
        """Note how far the marks up to each one reach."""
        self._reach = list(accumulate(self._ends, max))


def _position(mark: RevisionMark | CommentMark) -> tuple[int, int]:
    return mark.start, mark.end


RevisionMarks = RangeMarks[RevisionMark]
CommentMarks = RangeMarks[CommentMark]
