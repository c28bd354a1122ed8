"""Edits of an odt as tracked changes: new text between two marks, deleted text in a region at the start of the file."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from operator import itemgetter

from core.formats.odt_reader import OWN_ATTRIBUTES
from core.formats.odt_writer import OdtTarget, Span, inline_content
from core.formats.office_document import (
    OfficeDocument,
    Patch,
    Patcher,
    WriteContext,
    place_insertion,
)
from core.formats.text_layout import Line, Segment
from core.formats.types import ContainerError
from core.formats.xml_scan import end_tag, tag_name
from core.i18n import tr
from core.revisions.odt_changes import ChangesReader, read_changes
from core.revisions.odt_markup import OdtMarkup
from core.revisions.tracked_edits import grouped, whole_words
from core.revisions.types import Note, Stamp
from core.text.diff import TextEdit

_SPANS = re.compile(rb"(?:</?(?:[\w.-]+:)?span(?:\s[^<>]*)?>)*")


def save_tracked_odt(document: OfficeDocument, text: str, stamp: Stamp, notes: Sequence[Note]) -> bytes:
    """See `core.revisions.tracking.save_tracked`."""
    changes = whole_words(document, document.edits_to(text))
    _check_margins(document, changes)
    writer = _ChangeWriter(document, stamp)
    for note, group in grouped(changes, notes):
        writer.write(group, note)
    return document.rebuilt(writer.patches(changes), text)


def annotate_odt(document: OfficeDocument, notes: Sequence[Note], stamp: Stamp) -> bytes:
    """See `core.revisions.annotate.annotate`; ``notes`` are sorted."""
    writer = _ChangeWriter(document, stamp)
    for note in notes:
        writer.comment(note)
    return document.rebuilt(writer.patches([]), document.text)


def _check_margins(document: OfficeDocument, changes: Sequence[TextEdit]) -> None:
    """Raise ContainerError for a change of a header or a footer, which would hold its tracked changes itself."""
    layout, end = document.layout, document.parts[0].end
    for change in changes:
        number = layout.line_at(change.start)
        if layout.lines[number].start >= end:
            raise ContainerError(
                tr(
                    "{name} was not saved: line {line} was changed in a header or a footer, where changes "
                    "cannot be tracked in this kind of file. Save without tracking changes."
                ).format(name=document.package.name, line=number + 1)
            )


@dataclass(frozen=True, slots=True)
class _Put:
    """``parts`` in place of ``[start, end)`` of the text of a segment: markup as bytes, new text as str."""

    start: int
    end: int
    parts: tuple[bytes | str, ...] = ()


_Placed = tuple[Segment, _Put]


@dataclass(slots=True)
class _Stretch:
    """Deleted text with nothing but spans in it, as paragraphs of its region.

    ``puts``: where it is cut out of the text; its mark belongs at the first. ``span`` is open at the end of
    ``content``, and ``ending`` ends the paragraph there.
    """

    content: bytes
    ending: bytes
    puts: list[_Placed]
    span: Span | None = None

    def enter(self, span: Span | None) -> None:
        """Close and open spans: what follows is in this one."""
        if span is not self.span:
            self.content += b"".join(end_tag(opening, 0) for opening in reversed(_openings(self.span)))
            self.content += b"".join(_openings(span))
            self.span = span

    def finished(self) -> bytes:
        """All paragraphs."""
        self.enter(None)
        return self.content + self.ending


class _ChangeWriter:
    """Writes changes and comments into the content of a document."""

    def __init__(self, document: OfficeDocument, stamp: Stamp) -> None:
        main = document.part.data
        self._data = document.data
        self._layout = document.layout
        self._changes: ChangesReader = read_changes(main, name=document.package.name)
        self._markup = OdtMarkup(main, stamp)
        self._puts: dict[Segment, list[_Put]] = defaultdict(list)
        self._fixed: list[Patch] = []
        self._has_changes = False
        notes: dict[int, int] = {}
        for line in self._layout.lines:
            if line.anchor is not None and line.anchor >= 0:
                notes[line.anchor] = max(line.end, notes.get(line.anchor, 0))
        self._notes = sorted(notes.items())
        self._insertions = self._find_insertions()
        # How far each insertion, or one that begins before it, reaches.
        self._reach = list(accumulate((end for _, end, _ in self._insertions), max))
        self._renamed: dict[str, bytes] = {}

    def write(self, edits: Sequence[TextEdit], note: Note | None) -> None:
        """Write some edits as one change where they can be one, else one by one, under one comment."""
        puts = self._as_one(edits) if len(edits) > 1 else []
        puts = puts or [put for edit in edits for put in self._change(edit)]
        line = self._layout.lines[self._layout.line_at(edits[-1].start)]
        if note is not None and note.comment and line.anchor is not None:
            self._comment_aside(line, note)
        elif note is not None and note.comment and puts:
            (first, opening), (last, closing) = puts[0], puts[-1]
            start, end = self._markup.comment(note)
            puts.insert(0, (first, _Put(opening.start, opening.start, (start,))))
            puts.append((last, _Put(closing.end, closing.end, (end,))))
        self._add(puts)

    def comment(self, note: Note) -> None:
        """Write a comment on a range of the text, or on its whole paragraphs if one of its ends is locked."""
        layout = self._layout
        number, last = layout.line_at(note.start), layout.line_at(max(note.end - 1, note.start))
        if layout.lines[last].anchor is not None:
            self._comment_aside(layout.lines[last], note)
            return
        begins = self._place(number, note.start, at_end=False)
        ends = self._place(last, note.end, at_end=True)
        opening, closing = self._markup.comment(note)
        if begins is None or ends is None:
            self._fixed.append((layout.lines[number].content, layout.lines[number].content, opening))
            self._fixed.append((layout.lines[last].close, layout.lines[last].close, closing))
        else:
            self._add([(begins[0], _Put(begins[1], begins[1], (opening,)))])
            self._add([(ends[0], _Put(ends[1], ends[1], (closing,)))])

    def _comment_aside(self, line: Line, note: Note) -> None:
        """Write a comment on a note, a header or a footer at the end of the paragraph that it belongs to."""
        paragraph = self._layout.paragraph_of(line)
        if paragraph is not None:
            content = b"".join(self._markup.comment(note))
            self._fixed.append((paragraph.close, paragraph.close, content))

    def _place(self, number: int, place: int, *, at_end: bool) -> tuple[Segment, int] | None:
        """The segment of the character after a place (``at_end``: before it) in a line, and the place in it.

        None where that is locked.
        """
        for segment, low, high in self._layout.segments_at(number, place, place):
            holds = low < place <= high if at_end else low <= place < high
            if holds and segment.target is not None:
                return segment, place - low
        return None

    def patches(self, changes: Sequence[TextEdit]) -> list[Patch]:
        """The patches of the part's bytes; ``changes`` are all edits that were written."""
        self._has_changes = bool(changes)
        found = Patcher(self._data, self._layout, self._content, self._needs_rewrite).patches(changes)
        if not changes:
            for segment in self._puts:
                found += self._content(segment, segment.text, WriteContext("", "", b""))
        found += self._fixed
        ends = {mark.id: mark for mark in self._changes.marks if mark.tag == "text:change-end"}
        for change, number in self._renamed.items():
            found.append((ends[change].start, ends[change].end, self._markup.end(number)))
        return [*found, *self._markup.block_patches(self._changes)]

    def _add(self, puts: Sequence[_Placed]) -> None:
        for segment, put in puts:
            self._puts[segment].append(put)

    # One change

    def _change(self, edit: TextEdit) -> list[_Placed]:
        """The puts of one edit, in the order of the text."""
        puts: list[_Placed] = []
        for stretch in self._stretches(edit) if edit.start < edit.end else ():
            mark = self._markup.point(self._markup.deletion(stretch.finished()))
            (segment, put), *others = stretch.puts
            puts += [(segment, _Put(put.start, put.end, (mark,))), *others]
        placed = place_insertion(self._layout, edit) if edit.text else []
        if len(placed) == 2 and not self._is_plain(placed[0][0].end, placed[1][0].start):
            for segment, place, text in placed:
                puts.append((segment, _Put(place, place, self._inserted(segment, text))))
        elif placed:
            puts += self._one_insertion(placed)
        return sorted(puts, key=lambda put: (put[0].start, put[1].start))

    def _one_insertion(self, placed: Sequence[tuple[Segment, int, str]]) -> list[_Placed]:
        """One insertion, of text in one segment or in two with nothing between them."""
        whole = self._inserted(placed[0][0], "")
        half = len(whole) // 2
        puts = [(segment, _Put(place, place, (text,))) for segment, place, text in placed]
        (first, opening), (last, closing) = puts[0], puts[-1]
        begins = first, _Put(opening.start, opening.start, whole[:half])
        return [begins, *puts, (last, _Put(closing.end, closing.end, whole[half:]))]

    def _inserted(self, segment: Segment, text: str) -> tuple[bytes | str, ...]:
        """New text between its marks. An insertion around it ends before it and continues after it."""
        number = self._markup.insertion()
        before: list[bytes] = []
        after: list[bytes] = []
        for change in self._insertions_around(segment):
            before.insert(0, self._markup.end(self._renamed.get(change, change.encode())))
            self._renamed[change] = self._markup.copied(self._data, self._changes.regions[change])
            after.append(self._markup.start(self._renamed[change]))
        words = (text,) if text else ()
        return (*before, self._markup.start(number), *words, self._markup.end(number), *after)

    def _insertions_around(self, segment: Segment) -> list[str]:
        """The ids of the insertions that a segment is in, in their order; for a note, without those around the note."""
        found = []
        low, high = self._note_around(segment)
        number = bisect_right(self._insertions, segment.start, key=itemgetter(0)) - 1
        while number >= 0 and segment.end <= self._reach[number]:
            start, end, change = self._insertions[number]
            if segment.end <= end and not (start <= low and high <= end):
                found.append(change)
            number -= 1
        return found[::-1]

    def _note_around(self, segment: Segment) -> tuple[int, int]:
        """Where the note that holds a segment begins and ends; for the main text, all bytes."""
        number = bisect_right(self._notes, segment.start, key=itemgetter(0)) - 1
        if number >= 0 and segment.end <= self._notes[number][1]:
            return self._notes[number]
        return -1, len(self._data)

    def _find_insertions(self) -> list[tuple[int, int, str]]:
        """Where text that was inserted by a change begins and ends, and the id of the change."""
        starts: dict[str, int] = {}
        found = []
        for mark in self._changes.marks:
            region = self._changes.regions.get(mark.id)
            if region is None or not region.inserts:
                continue
            if mark.tag == "text:change-start":
                starts[mark.id] = mark.end
            elif mark.tag == "text:change-end" and mark.id in starts:
                found.append((starts.pop(mark.id), mark.start, mark.id))
        return sorted(found)

    def _as_one(self, edits: Sequence[TextEdit]) -> list[_Placed]:
        """Several edits as one deletion and one insertion; nothing if there is more than text between them."""
        start, end = edits[0].start, edits[-1].end
        number = self._layout.line_at(start)
        line = self._layout.lines[number]
        if start == end or end > self._layout.starts[number] + line.length:
            return []
        if any("\n" in edit.text for edit in edits):
            return []
        stretches = self._stretches(TextEdit(start, end, ""))
        puts: list[_Placed] = []
        for edit in edits:
            if edit.start < edit.end:
                puts += [put for stretch in self._stretches(edit) for put in stretch.puts]
            if edit.text:
                placed = place_insertion(self._layout, edit)
                puts += [(segment, _Put(place, place, (text,))) for segment, place, text in placed]
        puts.sort(key=lambda put: (put[0].start, put[1].start))
        both = [*stretches[0].puts, *puts]
        first, opening = min(both, key=lambda put: (put[0].start, put[1].start))
        last, closing = max(both, key=lambda put: (put[0].start, put[1].end))
        if len(stretches) > 1 or not self._is_one(line, first, last):
            return []
        mark = self._markup.point(self._markup.deletion(stretches[0].finished()))
        whole = self._inserted(first, "")
        half = len(whole) // 2
        begins = first, _Put(opening.start, opening.start, (mark, *whole[:half]))
        return [begins, *puts, (last, _Put(closing.end, closing.end, whole[half:]))]

    def _is_one(self, line: Line, first: Segment, last: Segment) -> bool:
        """Whether there is nothing but spans and editable text between two segments of a line."""
        between = line.segments[_number(line, first) : _number(line, last) + 1]
        return all(segment.target is not None for segment in between) and all(
            self._is_plain(one.end, other.start) for one, other in pairwise(between)
        )

    # Deleted text

    def _stretches(self, edit: TextEdit) -> list[_Stretch]:
        """The deleted text of an edit, cut where it holds something that stays."""
        layout = self._layout
        found: list[_Stretch] = []
        at = -1
        first, last = layout.line_at(edit.start), layout.line_at(edit.end - 1)
        # Joined paragraphs have the head of the first, but that of the last where the first is deleted as a whole.
        keeps_last = not edit.text and edit.start == layout.starts[first]
        for number in range(first, last + 1):
            line, start = layout.lines[number], layout.starts[number]
            earlier = layout.segments_before(number, edit.start)
            before = next((one for one in earlier if one.target is not None), None)
            for segment, low, high in layout.segments_at(number, edit.start, edit.end):
                cut_low, cut_high = max(low, edit.start), min(high, edit.end)
                if cut_low < cut_high:
                    if at < 0 or not self._is_plain(at, segment.start):
                        found.append(self._stretch(line, keeps_head=not keeps_last))
                    put = segment, _Put(cut_low - low, cut_high - low)
                    if segment.target is None and before is not None:
                        # A line break is deleted as a whole, so its mark is put before it.
                        put = before, _Put(len(before.text), len(before.text))
                    found[-1].puts.append(put)
                    self._delete(found[-1], segment, cut_low - low, cut_high - low)
                    at = segment.end
                if segment.target is not None:
                    before = segment
            if edit.start <= start + line.length < edit.end:
                if at < 0 or not self._is_plain(at, line.close):
                    assert before is not None
                    found.append(self._stretch(line, keeps_head=not keeps_last))
                    found[-1].puts.append((before, _Put(len(before.text), len(before.text))))
                after = layout.lines[number + 1]
                self._join(found[-1], line, after, keeps_head=keeps_last and number == last)
                at = after.content
        return found

    def _stretch(self, line: Line, *, keeps_head: bool) -> _Stretch:
        return _Stretch(self._head(line, keeps_head=keeps_head), end_tag(self._data, line.start), [])

    def _head(self, line: Line, *, keeps_head: bool) -> bytes:
        """The head of a paragraph for a region, without its ids if the head stays in the text too."""
        head = self._data[line.start : line.content]
        head = head[:-2] + b">" if line.empty_tag else head
        return OWN_ATTRIBUTES.sub(b"", head) if keeps_head else head

    def _delete(self, stretch: _Stretch, segment: Segment, start: int, end: int) -> None:
        target = segment.target
        if isinstance(target, OdtTarget):
            stretch.enter(target.span)
            stretch.content += inline_content(segment.text[start:end], "", "", target.prefix)
        else:
            stretch.content += self._data[segment.start : segment.end]

    def _join(self, stretch: _Stretch, line: Line, after: Line, *, keeps_head: bool) -> None:
        """Add the deleted end of a paragraph; if it ends an item of a list, the next paragraph is in an item too."""
        stretch.content = stretch.finished()
        stretch.ending = end_tag(self._data, after.start)
        if self._data[line.end : after.start].strip():
            prefix = tag_name(self._data, line.start)[:-1]
            stretch.content += b"<%blist><%blist-item>" % (prefix, prefix)
            stretch.ending += b"</%blist-item></%blist>" % (prefix, prefix)
        stretch.content += self._head(after, keeps_head=keeps_head)

    def _is_plain(self, start: int, end: int) -> bool:
        """Whether nothing but tags of spans is between two places in the bytes."""
        return start <= end and _SPANS.fullmatch(self._data, start, end) is not None

    # The bytes of a segment

    def _needs_rewrite(self, segment: Segment, _before: str, fresh: bool) -> bool:
        """Whether to rewrite a segment: also if accepting or rejecting a change could make its white space collapse."""
        target = segment.target
        loose = isinstance(target, OdtTarget) and (segment.text.startswith(" ") or target.unstable)
        return segment in self._puts or (fresh and loose)

    def _content(self, segment: Segment, _text: str, around: WriteContext) -> list[Patch]:
        target = segment.target
        assert isinstance(target, OdtTarget)
        content, closing, at = b"", around.closing, 0
        for put in sorted(self._puts.get(segment, ()), key=lambda put: put.start):
            content += self._kept(segment, target, at, put.start)
            at = max(at, put.end)
            for part in put.parts:
                if isinstance(part, bytes):
                    content += part
                    continue
                for number, piece in enumerate(part.split("\n")):
                    if number:
                        content += target.broken(closing)
                        closing = end_tag(target.head, target.head.rindex(b"<"))
                    content += inline_content(piece, "", "", target.prefix)
        content += self._kept(segment, target, at, len(segment.text))
        return [(segment.start, segment.end, content)]

    def _kept(self, segment: Segment, target: OdtTarget, start: int, end: int) -> bytes:
        """Text that stays. Spaces beside a change are written as elements, so that no decision on it removes them."""
        is_raw = self._data[segment.start : segment.start + 1] != b"<"
        before = "." if is_raw and not self._has_changes else ""
        after = "." if is_raw and (end == len(segment.text) or not self._has_changes) else ""
        return inline_content(segment.text[start:end], before, after, target.prefix) if start < end else b""


def _number(line: Line, segment: Segment) -> int:
    """The index of a segment in its line, whose segments are sorted by their bytes."""
    first = bisect_left(line.segments, segment.start, key=lambda one: one.start)
    return line.segments.index(segment, first)


def _openings(span: Span | None) -> list[bytes]:
    """The start tags of a span and those around it, the outermost first."""
    found: list[bytes] = []
    while span is not None:
        found.insert(0, span.opening)
        span = span.outer
    return found
