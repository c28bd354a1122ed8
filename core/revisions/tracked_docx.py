"""Saving a docx with each edit as a tracked change: the deleted words and the new ones, with author and time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from xml.parsers.expat import ExpatError

from core.formats.docx_writer import Paragraph, ParagraphTarget, Run, RunTarget, TextTarget, run_children
from core.formats.office_document import OfficeDocument, Patch, place_insertion
from core.formats.text_layout import Line, Segment
from core.formats.types import ContainerError
from core.formats.xml_scan import end_tag, tag_name
from core.i18n import tr
from core.revisions.docx_comments import CommentWriter
from core.revisions.markup import Markup
from core.revisions.run_splitter import Content, RunEdit, RunSplitter, Split, run_of
from core.revisions.tracked_edits import grouped, whole_words
from core.revisions.types import Note, Stamp
from core.text.diff import TextEdit


def save_tracked_docx(document: OfficeDocument, text: str, stamp: Stamp, notes: Sequence[Note]) -> bytes:
    """See `core.revisions.tracking.save_tracked`."""
    changes = document.edits_to(text)
    comments = CommentWriter(document)
    writer = _TrackedWriter(document, Markup(stamp, (document.data, comments.data)), comments)
    for note, group in grouped(whole_words(document, changes), notes):
        writer.write(group, note)
    try:
        patches = writer.patches()
    except ExpatError as error:
        raise document.not_saved() from error
    return document.rebuilt(patches, text, comments.parts())


@dataclass(frozen=True, slots=True, eq=False)
class _Cut:
    """``[start, end)`` of the text of a segment is deleted."""

    segment: Segment
    line: Line
    run: Run
    start: int
    end: int


@dataclass(frozen=True, slots=True, eq=False)
class _Addition:
    """New text at a place in a segment, in parts: each with the run whose formatting it has (None: the paragraph's).

    A piece of bytes is the content of a run.
    """

    segment: Segment
    line: Line
    place: int
    contents: tuple[tuple[Run | None, str | bytes], ...]


_Placed = tuple[Segment, Line, RunEdit]


class _TrackedWriter:
    """Writes changes into the parts with the text of a document."""

    def __init__(self, document: OfficeDocument, markup: Markup, comments: CommentWriter) -> None:
        self._name = document.package.name
        self._data = document.data
        self._flow = document.layout
        self._markup = markup
        self._comments = comments
        self._splitter = RunSplitter(self._data, markup)

    def patches(self) -> list[Patch]:
        """The patches of the part's bytes."""
        return self._splitter.patches()

    def write(self, edits: Sequence[TextEdit], note: Note | None) -> None:
        """Write some edits as one change where they can be one, else one by one, under one comment."""
        puts = self._as_one(edits) if len(edits) > 1 else []
        puts = puts or [put for edit in edits for put in self._change(edit)]
        if note is not None and note.comment and puts:
            (first, line, opening), (last, last_line, closing) = puts[0], puts[-1]
            if last_line.anchor is None:
                start, end = self._comments.add(note, self._markup)
                puts.insert(0, (first, line, RunEdit(opening.start, opening.start, (start,))))
                puts.append((last, last_line, RunEdit(closing.end, closing.end, (end,))))
            elif (paragraph := self._flow.paragraph_of(last_line)) is not None:
                self._splitter.put_at(paragraph.close, b"".join(self._comments.add(note, self._markup)))
        for segment, line, put in puts:
            self._splitter.put(segment, line, put)

    def _change(self, edit: TextEdit) -> list[_Placed]:
        """The puts of one edit, in the order of the text."""
        cuts = self._cuts(edit) if edit.start < edit.end else []
        line = self._flow.lines[self._flow.line_at(edit.start)]
        additions: list[_Addition] = []
        for segment, place, text in place_insertion(self._flow, edit) if edit.text else ():
            between = isinstance(segment.target, ParagraphTarget)
            run = None if between else self._run(segment, line, edit.start)
            additions.append(_behind(_Addition(segment, line, place, ((run, text),)), cuts))
        return self._puts(cuts, additions)

    def _cuts(self, edit: TextEdit) -> list[_Cut]:
        """The texts that an edit deletes; marks the ends of paragraphs in it."""
        layout = self._flow
        found = []
        for number in range(layout.line_at(edit.start), layout.line_at(edit.end - 1) + 1):
            line, start = layout.lines[number], layout.starts[number]
            for segment, low, high in layout.segments_at(number, edit.start, edit.end):
                first, last = max(low, edit.start), min(high, edit.end)
                if first < last:
                    run = self._run(segment, line, first)
                    found.append(_Cut(segment, line, run, first - low, last - low))
            if edit.start <= start + line.length < edit.end:
                self._splitter.join(line, layout.lines[number + 1])
        return found

    def _run(self, segment: Segment, line: Line, place: int) -> Run:
        """The run of a segment. Raises ContainerError where it cannot be cut in two."""
        run = run_of(segment, line)
        if run is None or any(run_of(mirror, line) is None for mirror in segment.mirrors):
            raise ContainerError(
                tr(
                    "{name} was not saved: line {line} was changed in text of which the file contains two "
                    "versions, and such a change cannot be tracked. Save without tracking changes."
                ).format(name=self._name, line=self._flow.line_at(place) + 1)
            )
        return run

    def _as_one(self, edits: Sequence[TextEdit]) -> list[_Placed]:
        """Several edits as one deletion and one addition; nothing if there is more than text between them."""
        start, end = edits[0].start, edits[-1].end
        number = self._flow.line_at(start)
        line, at = self._flow.lines[number], self._flow.starts[number]
        if end > at + line.length or any("\n" in edit.text for edit in edits):
            return []
        cuts: list[_Cut] = []
        contents: list[tuple[Run | None, str | bytes]] = []
        waiting = list(edits)
        for segment, low, high in self._flow.segments_at(number, start, end):
            first, last = max(low, edits[0].start), min(high, end)
            if first >= last:
                continue
            run = run_of(segment, line)
            if run is None or segment.mirrors:
                return []
            cut = _Cut(segment, line, run, first - low, last - low)
            if cuts and not self._touch(cuts[-1], cut):
                return []
            cuts.append(cut)
            while waiting and waiting[0].start < last:
                edit = waiting.pop(0)
                if max(start, first) < edit.start:
                    kept = max(start, first) - low, edit.start - low
                    contents.append((run, self._splitter.held(segment, *kept, run)))
                contents.append((run, edit.text))
                start = edit.end
            if max(start, first) < last:
                contents.append((run, self._splitter.held(segment, max(start, first) - low, last - low, run)))
        if not cuts:
            return []
        contents += [(cuts[-1].run, edit.text) for edit in waiting]
        added = tuple(piece for piece in contents if piece[1])
        return self._puts(cuts, [_Addition(cuts[-1].segment, line, cuts[-1].end, added)] if added else [])

    def _touch(self, before: _Cut, after: _Cut) -> bool:
        """Whether nothing is between two deleted texts in the same element, so that they are one deletion."""
        if (
            before.end < len(before.segment.text)
            or after.start
            or before.segment.mirrors
            or after.segment.mirrors
        ):
            return False
        if before.run.parent != after.run.parent:
            return False
        end, start = self._splitter.element(before.segment)[1], self._splitter.element(after.segment)[0]
        gaps: tuple[tuple[int, int], ...] = ((end, start),)
        if before.run is not after.run:
            close = self._data.rindex(b"</", end, before.run.end)
            gaps = ((end, close), (before.run.end, after.run.start), (after.run.content, start))
        return not any(self._data[low:high].strip() for low, high in gaps)

    def _puts(self, cuts: Sequence[_Cut], additions: Sequence[_Addition]) -> list[_Placed]:
        """The puts of deletions and additions, in the order of the text; adjoining deletions are one element."""
        changes: list[_Cut | _Addition] = sorted([*cuts, *additions], key=_order)
        found: list[_Placed] = []
        goes_on = False
        for number, change in enumerate(changes):
            if isinstance(change, _Addition):
                put = RunEdit(change.place, change.place, tuple(self._insertion(change)))
            else:
                after = changes[number + 1] if number + 1 < len(changes) else None
                continues = isinstance(after, _Cut) and self._touch(change, after)
                content = self._deletion(change, begins=not goes_on, ends=not continues)
                put = RunEdit(change.start, change.end, (content,))
                goes_on = continues
            found.append((change.segment, change.line, put))
        return found

    def _deletion(self, cut: _Cut, *, begins: bool, ends: bool) -> bytes:
        """The run of a deleted text, with the tags of the deletion that it begins or ends."""
        prefix = tag_name(self._data, cut.line.start)[:-1]
        tag = self._markup.revision(prefix, b"del") + b">" if begins else b""
        text = self._splitter.held(cut.segment, cut.start, cut.end, cut.run, deleted=True)
        return tag + self._in_run(cut.run, text) + (b"</%bdel>" % prefix if ends else b"")

    def _in_run(self, run: Run, content: bytes) -> bytes:
        head = self._markup.copied(self._data[run.start : run.content])
        return head + content + end_tag(self._data, run.start)

    def _insertion(self, addition: _Addition) -> Iterator[Content]:
        """New text as an insertion; a new paragraph begins at each line break in it."""
        prefix = tag_name(self._data, addition.line.start)[:-1]
        around = run_of(addition.segment, addition.line)
        outer = around.insertion if around is not None else b""
        runs: list[tuple[Run | None, bytes]] = []
        if around is not None and outer:
            yield end_tag(self._data, around.parent)
        for run, piece in addition.contents:
            name = run.prefix if run is not None else prefix
            parts = (
                [piece]
                if isinstance(piece, bytes)
                else [run_children(part, name) for part in piece.split("\n")]
            )
            for number, part in enumerate(parts):
                if number:
                    yield self._inserted(runs, addition)
                    yield Split(_paragraph(addition))
                    runs.clear()
                runs.append((run, part))
        yield self._inserted(runs, addition)
        if outer:
            yield self._markup.renumbered(outer)

    def _inserted(self, runs: Sequence[tuple[Run | None, bytes]], addition: _Addition) -> bytes:
        """An insertion of some runs; nothing if they are empty. Pieces of one run become one run."""
        found = b""
        for run, contents in groupby(runs, key=lambda piece: piece[0]):
            content = b"".join(piece for _, piece in contents)
            if content and run is not None:
                found += self._in_run(run, content)
            elif content:
                paragraph = _paragraph(addition)
                end = b"</%br>" % paragraph.prefix
                found += b"<%br>" % paragraph.prefix + paragraph.run_properties + content + end
        prefix = tag_name(self._data, addition.line.start)[:-1]
        return self._markup.revision(prefix, b"ins") + b">" + found + b"</%bins>" % prefix if found else b""


def _behind(addition: _Addition, cuts: Sequence[_Cut]) -> _Addition:
    """New text after what it replaces, as far as that is in the same element."""
    text = addition.contents[0][1]
    number = next((at for at, cut in enumerate(cuts) if cut.segment is addition.segment), None)
    if number is None or addition.place > cuts[number].start:
        return addition
    is_split = isinstance(text, str) and "\n" in text
    last = number
    while not is_split and last + 1 < len(cuts) and cuts[last + 1].run.parent == cuts[number].run.parent:
        last += 1
    cut = cuts[last]
    return replace(addition, segment=cut.segment, line=cut.line, place=cut.end)


def _order(change: _Cut | _Addition) -> tuple[int, int, int]:
    """The place of a change among those of one edit."""
    if isinstance(change, _Cut):
        return change.segment.start, change.start, change.end
    return change.segment.start, change.place, change.place


def _paragraph(addition: _Addition) -> Paragraph:
    target = addition.segment.target
    assert isinstance(target, ParagraphTarget | RunTarget | TextTarget)
    return target.paragraph if isinstance(target, ParagraphTarget) else target.run.paragraph
