"""Collects the tracked changes of a part while it is read, and tells where they are in the text of the document."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Hashable
from dataclasses import dataclass, field
from datetime import datetime

from core.documents.types import Span
from core.formats.text_layout import TextLayout
from core.revisions.types import Revision, RevisionKind, Story

_TIME_LENGTH = len("2024-05-06T07:08:09")


@dataclass(slots=True, eq=False)
class OpenRevision:
    """A revision that is being read, which begins ``at`` a place of the bytes; None where no place is known.

    ``text`` are its words so far and ``span`` their bytes; ``origin`` are those at the place that text was moved from.
    ``story`` is where it is, if that is not what most of the part is.
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
        """Add words that stand at these bytes."""
        if is_origin:
            self.origin.append(text)
            return
        self.text.append(text)
        self.span = (min(self.span[0], start), max(self.span[1], end)) if self.span else (start, end)


class RevisionList:
    """The revisions of one part, in the order in which they begin.

    Elements of one kind, author and time are one revision until words come that are in none of them.
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
        """Words come that are only in these revisions: the others end here, but for moves."""
        self._open = {key: one for key, one in self._open.items() if one in revisions}

    def revisions(self, part: str, story: Story, layout: TextLayout | None) -> list[Revision]:
        """All of them. ``layout`` tells where in the text they are; None for a part that is not shown."""
        places = Places(layout) if layout is not None and self.found else None
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


class Places:
    """Where some bytes of the main part are in its text."""

    def __init__(self, layout: TextLayout) -> None:
        placed = [
            (segment.start, segment.end, low, high)
            for number, (line, start) in enumerate(zip(layout.lines, layout.starts, strict=True))
            for segment, low, high in layout.segments_at(number, start, start + line.length)
        ]
        self._segments = sorted(placed)
        self._starts = [start for start, *_ in self._segments]
        self._lines = sorted(
            (line.start, start) for line, start in zip(layout.lines, layout.starts, strict=True)
        )

    def of(self, revision: OpenRevision) -> Span | None:
        """The range of a revision in the text; empty where nothing of it is shown, None where no place is known."""
        if revision.span is not None:
            return self.span(*revision.span)
        return None if revision.at is None else self.span(revision.at, revision.at)

    def span(self, start: int, end: int) -> Span:
        """The range in the text of what these bytes hold; empty where nothing of it is shown."""
        first = self._starts_before(start)
        shown = [
            (low, high)
            for _, segment_end, low, high in self._segments[max(first - 1, 0) : self._starts_before(end)]
            if segment_end > start and low < high
        ]
        if shown:
            return min(low for low, _ in shown), max(high for _, high in shown)
        if first and self._segments[first - 1][0] >= self._line(start)[0]:
            place = self._segments[first - 1][3]
        else:
            place = self._line(start)[1]
        return place, place

    def _starts_before(self, at: int) -> int:
        """How many segments begin before a place or there."""
        return bisect_right(self._starts, at)

    def _line(self, at: int) -> tuple[int, int]:
        """Where the last paragraph that begins before a place begins, in the bytes and in the text."""
        number = bisect_right(self._lines, (at, float("inf")))
        return self._lines[number - 1] if number else (0, 0)


def parse_time(written: str) -> datetime | None:
    """The time that a file gives, without its zone: Word writes the time of the clock as if it were UTC."""
    try:
        return datetime.fromisoformat(written.strip()[:_TIME_LENGTH]).replace(tzinfo=None)
    except ValueError:
        return None
