"""The text of a docx or odt as lines of segments that know their bytes, and what of it can be edited.

The readers build the lines; `lay_out` joins them into one text with its locks.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, chain

from core.documents.types import Span, SuppressedRange
from core.formats.styles import Style, is_quoting
from core.formats.types import LockedSpan
from core.i18n import tr
from core.text.appearance import NoteReference, ParagraphStyle

_GAP = re.compile(rb"\s*(?:</([\w.-]+):list-item>\s*<\1:list-item(?:\s[^<]*)?(?<!/)>\s*)?")
_FAR = 10_000
STYLE_MARK = "style "
_NOTE_MARK = "note "
PLAIN_PARAGRAPH = ParagraphStyle()


@dataclass(slots=True, eq=False)
class Segment:
    """Part of a line, and the bytes that hold it.

    ``target`` tells the writer how to put other text there; None where nothing can be typed. ``is_insertion_point``: it
    has no text yet, but text can be inserted. A segment with neither a target nor a ``reason`` can only be deleted as a
    whole. ``breakable``: a paragraph can be split in it. ``mirrors`` are copies of the same text.
    """

    text: str
    start: int
    end: int
    target: object = None
    reason: str = ""
    is_insertion_point: bool = False
    breakable: bool = False
    mirrors: tuple[Segment, ...] = ()


@dataclass(slots=True, eq=False)
class Line:
    """A paragraph. ``start`` to ``content`` are the bytes of its head, ``close`` to ``end`` those of its tail.

    A paragraph written as one empty tag is all head. ``joinable``: it can be joined with a neighbour. ``end_reason``:
    why it can never be joined with the next one. ``mark_deleted``: its end is a tracked deletion, so the next paragraph
    belongs to the same line. ``mark_inserted``: its end is a tracked insertion. ``marks`` are (place in the
    line, ``start`` or ``end``, id) of comments and, with `STYLE_MARK` before their name, of styles; `mark_note` adds
    those of notes. ``style`` is how it is shown. ``anchor`` is None in the main text; in an `Aside` it is that of the
    aside.
    """

    segments: list[Segment] = field(default_factory=list)
    start: int = 0
    content: int = 0
    close: int = 0
    end: int = 0
    empty_tag: bool = False
    joinable: bool = True
    end_reason: str = ""
    mark_deleted: bool = False
    mark_inserted: bool = False
    marks: list[tuple[int, str, str]] = field(default_factory=list)
    length: int = 0
    style: ParagraphStyle = PLAIN_PARAGRAPH
    anchor: int | None = None

    def add(self, segment: Segment) -> None:
        self.segments.append(segment)
        self.length += len(segment.text)

    def append(self, after: Line) -> None:
        """Continue the line with the paragraph ``after``; it cannot be joined with others then."""
        self.joinable = False
        self.end_reason = after.end_reason or self.end_reason
        self.mark_deleted = after.mark_deleted
        self.marks += [(self.length + place, what, mark) for place, what, mark in after.marks]
        self.close, self.end = after.close, after.end
        if not after.empty_tag:
            self.segments += after.segments
            self.length += after.length

    def mark_note(self, anchor: int) -> None:
        """What comes next refers to the note with this anchor."""
        self.marks.append((self.length, "note", f"{_NOTE_MARK}{anchor}"))

    def mark_style(self, style: str, start: int) -> None:
        """What was added from ``start`` on has a style."""
        if style and start < self.length:
            mark = f"{STYLE_MARK}{style}"
            self.marks += [(start, "start", mark), (self.length, "end", mark)]


@dataclass(frozen=True, slots=True, eq=False)
class Aside:
    """The lines of a note, a header or a footer, which come after the main text.

    ``label`` is its name for a person; ``anchor`` is the place of the mark of a note in the bytes, -1 for others.
    ``sign`` is the mark as it is printed, empty where it is a part of the text.
    """

    lines: Sequence[Line]
    label: str
    anchor: int = -1
    sign: str = ""


def with_asides(lines: Sequence[Line], asides: Iterable[Aside]) -> list[Line]:
    """The lines of the main text, then those of its notes, headers and footers, which cannot be joined with others."""
    border = tr("A note, a header or a footer begins here: its paragraphs cannot be joined with others.")
    found = list(lines)
    for aside in asides:
        if found and aside.lines:
            found[-1].end_reason = border
        for number, line in enumerate(aside.lines):
            line.anchor = aside.anchor
            label = line.style.label if number else aside.label
            line.style = replace(line.style, label=label, aside=True, in_margin=aside.anchor < 0)
            found.append(line)
    return found


@dataclass(frozen=True, slots=True, eq=False)
class TextLayout:
    """Lines as one text: ``lines[i]`` begins at ``starts[i]``. ``lock_reason`` is why all of it is locked, or empty."""

    lines: tuple[Line, ...]
    starts: tuple[int, ...]
    text: str
    locked: tuple[LockedSpan, ...]
    breaks: tuple[tuple[int, int], ...]
    lock_reason: str = ""
    _borders: dict[int, list[int]] = field(default_factory=dict, init=False, repr=False)

    def line_at(self, place: int) -> int:
        """The number of the line that holds a place in the text."""
        return bisect_right(self.starts, place) - 1

    def segments_at(self, number: int, start: int, end: int) -> list[tuple[Segment, int, int]]:
        """The segments of a line that overlap or touch a range of the text, with their start and end in the text."""
        borders = self._line_borders(number)
        first = bisect_left(borders, start, lo=1) - 1
        last = bisect_right(borders, end, hi=len(borders) - 1)
        segments = self.lines[number].segments
        return [(segments[at], borders[at], borders[at + 1]) for at in range(first, last)]

    def segments_before(self, number: int, place: int) -> Iterator[Segment]:
        """The segments of a line that end before a place in the text, the nearest first."""
        segments = self.lines[number].segments
        for at in range(bisect_left(self._line_borders(number), place, lo=1) - 2, -1, -1):
            yield segments[at]

    def _line_borders(self, number: int) -> list[int]:
        """Where the first segment of a line begins in the text, and where each one ends."""
        if number not in self._borders:
            lengths = (len(segment.text) for segment in self.lines[number].segments)
            self._borders[number] = list(accumulate(lengths, initial=self.starts[number]))
        return self._borders[number]

    def paragraph_of(self, aside: Line) -> Line | None:
        """The paragraph of the main text with the mark of the note that holds a line; for other asides, the first one.

        None if all paragraphs of the main text are empty tags.
        """
        main = [line for line in self.lines if line.anchor is None and not line.empty_tag]
        anchor = -1 if aside.anchor is None else aside.anchor
        return next((line for line in main if line.start <= anchor < line.end), next(iter(main), None))

    def marks(self) -> Iterator[tuple[int, str, str]]:
        """The marks of all lines: (place in the text, what, id)."""
        for line, start in zip(self.lines, self.starts, strict=True):
            yield from ((start + place, what, mark) for place, what, mark in line.marks)


def note_references(layout: TextLayout, asides: Iterable[Aside]) -> tuple[NoteReference, ...]:
    """The places that refer to the notes among the ``asides``, sorted."""
    places = {mark: place for place, what, mark in layout.marks() if what == "note"}
    starts = dict(zip(layout.lines, layout.starts, strict=True))
    found = []
    for aside in asides:
        place = places.get(f"{_NOTE_MARK}{aside.anchor}")
        if place is not None and aside.lines:
            first, last = aside.lines[0], aside.lines[-1]
            end = starts[last] + last.length
            found.append(NoteReference(place, aside.sign, aside.label, starts[first], end))
    return tuple(sorted(found, key=lambda one: one.place))


def may_join(before: Line, after: Line, data: bytes) -> bool:
    """Whether the break between two lines can be deleted: nothing is between them but the border of two list items."""
    free = before.joinable and after.joinable and not before.end_reason
    return free and is_next(before, after, data)


def is_next(before: Line, after: Line, data: bytes) -> bool:
    """Whether nothing is between two lines but the border of two list items."""
    near = 0 <= after.start - before.end <= _FAR
    return near and _GAP.fullmatch(data, before.end, after.start) is not None


def lay_out(lines: Sequence[Line], data: bytes) -> TextLayout:
    """The layout of the lines of a part, whose bytes are ``data``."""
    starts: list[int] = []
    parts: list[str] = []
    locks: list[LockedSpan] = []
    breaks: list[tuple[int, int]] = []
    borders: list[int] = []
    open_places: set[int] = set()
    joint = tr("The paragraphs before and after this point cannot be joined.")
    at = 0
    for number, line in enumerate(lines):
        starts.append(at)
        borders.append(at)
        for segment in line.segments:
            end = at + len(segment.text)
            if segment.target is not None:
                open_places.update((at, end))
                if segment.breakable:
                    breaks.append((at, end))
            elif segment.text and segment.reason:
                locks.append(LockedSpan(at, end, segment.reason))
            borders.append(end)
            parts.append(segment.text)
            at = end
        borders.append(at)
        if number + 1 < len(lines):
            if not may_join(line, lines[number + 1], data):
                locks.append(LockedSpan(at, at + 1, line.end_reason or joint))
            parts.append("\n")
            at += 1
    if not lines:
        return lock_all(TextLayout((), (), "", (), ()), tr("There is no paragraph in this file to write in."))
    closed = sorted(set(borders) - open_places)
    return TextLayout(
        tuple(lines), tuple(starts), "".join(parts), _merged(locks, closed, joint), join_touching(breaks)
    )


def lock_all(layout: TextLayout, reason: str) -> TextLayout:
    """The same text, all of it locked."""
    end = len(layout.text)
    ends = ((0, 0), (0, end), (end, end)) if end else ((0, 0),)
    locked = tuple(LockedSpan(start, stop, reason) for start, stop in ends)
    return TextLayout(layout.lines, layout.starts, layout.text, locked, (), reason)


def _merged(locks: Sequence[LockedSpan], closed: Sequence[int], weak: str) -> tuple[LockedSpan, ...]:
    """Locks joined where nothing can be typed between them, and empty locks at single places where nothing can.

    ``closed`` are the places where nothing can be typed; any other reason overrides the reason ``weak``.
    """
    closed_places = set(closed)
    merged: list[LockedSpan] = []
    for lock in locks:
        last = merged[-1] if merged else None
        if last is not None and last.end == lock.start and lock.start in closed_places:
            reason = lock.reason if last.reason == weak else last.reason
            merged[-1] = LockedSpan(last.start, lock.end, reason)
        else:
            merged.append(lock)
    found: list[LockedSpan] = []
    places = iter([*closed, -1])
    place = next(places)
    for lock in merged:
        while 0 <= place <= lock.start:
            found.append(LockedSpan(place, place, lock.reason))
            place = next(places)
        found.append(lock)
        while 0 <= place < lock.end:
            place = next(places)
        if place == lock.end:
            found.append(LockedSpan(place, place, lock.reason))
            place = next(places)
    found += [LockedSpan(place, place, weak) for place in chain([place], places) if place >= 0]
    return tuple(found)


def join_touching(stretches: Iterable[Span]) -> tuple[Span, ...]:
    """The same sorted ranges; ranges that touch are joined."""
    joined: list[Span] = []
    for start, end in stretches:
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return tuple(joined)


def suppressed_ranges(layout: TextLayout, ids: set[str]) -> tuple[SuppressedRange, ...]:
    """The ranges of comments with one of these ids, joined where they touch."""
    return tuple(SuppressedRange(start, end) for start, end in marked_ranges(layout, ids))


def quoted_ranges(layout: TextLayout, styles: Mapping[str, Style]) -> tuple[Span, ...]:
    """The ranges whose style is one for quotations, by its name or by that of a style it is based on."""
    ids = {mark for _, what, mark in layout.marks() if what == "start" and mark.startswith(STYLE_MARK)}
    return marked_ranges(layout, {mark for mark in ids if is_quoting(mark.removeprefix(STYLE_MARK), styles)})


def marked_ranges(layout: TextLayout, ids: set[str]) -> tuple[Span, ...]:
    """The ranges between marks ``start`` and ``end`` with one of these ids, joined where they touch."""
    opened: dict[str, int] = {}
    stretches = []
    for place, what, mark in layout.marks():
        if mark not in ids:
            continue
        if what == "start":
            opened[mark] = place
        elif mark in opened:
            stretches.append((opened.pop(mark), place))
    return tuple((start, end) for start, end in join_touching(sorted(stretches)) if start < end)
