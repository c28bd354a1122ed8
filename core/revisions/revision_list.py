"""Collects the tracked changes of a part while it is read, and finds their places in the text of the document."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Hashable
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from core.documents.types import Span
from core.formats.office_document import OfficeDocument
from core.formats.text_layout import TextLayout
from core.revisions.types import Revision, RevisionKind, Story

_TIME_LENGTH = len("2024-05-06T07:08:09")


@dataclass(slots=True, eq=False)
class OpenRevision:
    """A revision that is being read, which begins ``at`` a place of the bytes; None where no place is known.

    ``text`` are its words so far and ``span`` their bytes; ``origin`` are the words at the place that text was moved
    from. ``story`` is where it is, if not in the main story of its part.
    """

    kind: RevisionKind
    author: str
    time: datetime | None
    at: int | None
    marks: set[int | str] = field(default_factory=set)
    text: list[str] = field(default_factory=list)
    origin: list[str] = field(default_factory=list)
    span: Span | None = None
    story: Story | None = None

    def add(self, text: str, start: int, end: int, *, is_origin: bool = False) -> None:
        """Add words that these bytes hold."""
        if is_origin:
            self.origin.append(text)
            return
        self.text.append(text)
        self.span = (min(self.span[0], start), max(self.span[1], end)) if self.span else (start, end)


class RevisionList:
    """The revisions of one part, in the order in which they begin.

    Elements of one kind, author and time are one revision, until words follow that are in none of them.
    """

    def __init__(self) -> None:
        self.found: list[OpenRevision] = []
        self._open: dict[Hashable, OpenRevision] = {}
        self._moves: dict[str, OpenRevision] = {}

    def enter(
        self,
        kind: RevisionKind,
        author: str,
        date: str,
        mark: int | str,
        at: int | None,
        *,
        move: str = "",
    ) -> OpenRevision:
        """The revision that an element belongs to, which has this ``mark`` and begins ``at`` a place of the bytes.

        ``move`` is the name of a move, whose two places belong together.
        """
        key = (kind, author, date)
        revision = self._moves.get(move) if move else self._open.get(key)
        if revision is None:
            revision = OpenRevision(kind, author, parse_time(date), at)
            self.found.append(revision)
            if move:
                self._moves[move] = revision
            else:
                self._open[key] = revision
        revision.marks.add(mark)
        return revision

    def keep_open(self, revisions: Collection[OpenRevision]) -> None:
        """End all revisions except these, in which the next words are; moves stay open."""
        self._open = {key: one for key, one in self._open.items() if one in revisions}

    def revisions(self, part: str, story: Story, document: OfficeDocument) -> list[Revision]:
        """All revisions; they are in this part of the document."""
        start = next((one.start for one in document.parts if one.name == part), None)
        places = Places(document.layout, start) if start is not None and self.found else None
        return [
            Revision(
                kind=one.kind,
                text="".join(one.text or one.origin),
                author=one.author,
                time=one.time,
                story=one.story or story,
                place=places.of(one) if places is not None else None,
                part=part,
                marks=frozenset(one.marks),
            )
            for one in self.found
        ]


class _Placed(NamedTuple):
    """Where a segment is in the bytes and in the text, and the number of its line."""

    start: int
    end: int
    low: int
    high: int
    line: int


class Places:
    """Finds the place in the text for bytes of a part; ``start`` is where the part begins in those of the document."""

    def __init__(self, layout: TextLayout, start: int = 0) -> None:
        self._layout = layout
        self._base = start
        self._segments = sorted(
            _Placed(segment.start, segment.end, low, high, number)
            for number, (line, at) in enumerate(zip(layout.lines, layout.starts, strict=True))
            for segment, low, high in layout.segments_at(number, at, at + line.length)
        )
        self._starts = [one.start for one in self._segments]
        self._lines = sorted((line.start, number) for number, line in enumerate(layout.lines))

    def of(self, revision: OpenRevision) -> Span | None:
        """The range of a revision in the text; empty if nothing of it is shown, None if no place is known."""
        if revision.span is not None:
            return self.span(*revision.span)
        return None if revision.at is None else self.span(revision.at, revision.at)

    def span(self, start: int, end: int) -> Span:
        """The range in the text of what these bytes hold, without notes in it; empty if nothing of it is shown."""
        if not self._layout.lines:
            return 0, 0
        start, end = self._base + start, self._base + end
        first = self._starts_before(start)
        shown = [
            one
            for one in self._segments[max(first - 1, 0) : self._starts_before(end)]
            if one.end > start and one.low < one.high
        ]
        shown = [one for one in shown if self._layout.lines[one.line].anchor is None] or shown
        if shown:
            return min(one.low for one in shown), max(one.high for one in shown)
        line = self._line(start)
        place = self._layout.starts[line]
        while first and self._segments[first - 1].start >= self._layout.lines[line].start:
            first -= 1
            if not self._is_ended_note(self._segments[first].line, start):
                place = self._segments[first].high
                break
        return place, place

    def _starts_before(self, at: int) -> int:
        """How many segments begin at a place or before it."""
        return bisect_right(self._starts, at)

    def _line(self, at: int) -> int:
        """The line at a place in the bytes: the last one that begins before it, except in a note that has ended."""
        last = near = bisect_right(self._lines, (at, len(self._lines)))
        while near and self._is_ended_note(self._lines[near - 1][1], at):
            near -= 1
        near = near if near and self._layout.lines[self._lines[near - 1][1]].end > at else last
        return self._lines[near - 1][1] if near else 0

    def _is_ended_note(self, number: int, at: int) -> bool:
        line = self._layout.lines[number]
        return line.anchor is not None and line.end <= at


def parse_time(written: str) -> datetime | None:
    """The time that a file gives, without its zone: Word writes the time of the clock as if it were UTC."""
    try:
        return datetime.fromisoformat(written.strip()[:_TIME_LENGTH]).replace(tzinfo=None)
    except ValueError:
        return None
