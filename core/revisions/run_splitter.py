"""Puts elements between the runs of a docx; a run is cut in two where they belong in its middle."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.formats.docx_writer import Paragraph, ParagraphTarget, Run, RunTarget, TextTarget
from core.formats.office_document import Patch
from core.formats.text_layout import Line, Segment
from core.formats.xml_scan import end_tag, escape_text, tag_end, tag_name
from core.revisions.markup import Markup, mark_paragraph


@dataclass(frozen=True, slots=True, eq=False)
class Split:
    """A paragraph ends here, and another with the same properties begins."""

    paragraph: Paragraph


Content = bytes | Split


@dataclass(frozen=True, slots=True)
class RunEdit:
    """``content``, between runs, replaces ``[start, end)`` of the text of a segment."""

    start: int
    end: int
    content: tuple[Content, ...]


def run_of(segment: Segment, line: Line) -> Run | None:
    """The run that holds a segment, if it can be cut in two there."""
    if isinstance(segment.target, TextTarget | RunTarget):
        return segment.target.run if segment.target.divisible else None
    if segment.target is None and not segment.reason:
        # A line break: the places before and after it are in its run.
        for other in _neighbours(segment, line):
            if isinstance(other.target, RunTarget) and other.end in (segment.start, segment.end):
                return run_of(other, line)
    return None


def _neighbours(segment: Segment, line: Line) -> Iterator[Segment]:
    """The segments of a line, sorted by their bytes, that touch this one."""
    segments = line.segments
    at = bisect_left(segments, segment.start, key=lambda one: one.start)
    while at and segments[at - 1].end >= segment.start:
        at -= 1
    for number in range(at, len(segments)):
        if segments[number].start > segment.end:
            return
        yield segments[number]


class RunSplitter:
    """Collects what is put into a part, whose bytes are ``data``, and which ends of paragraphs are deleted."""

    def __init__(self, data: bytes, markup: Markup) -> None:
        self._data = data
        self._markup = markup
        self._in_runs: dict[Run, dict[Segment, list[RunEdit]]] = defaultdict(lambda: defaultdict(list))
        self._between: dict[Segment, list[RunEdit]] = defaultdict(list)
        self._fixed: list[tuple[int, int, tuple[Content, ...]]] = []
        self._splits: Counter[int] = Counter()
        self._contents: dict[int, int] = {}
        self._deleted: set[int] = set()
        self._opened: dict[int, Line] = {}

    def put(self, segment: Segment, line: Line, put: RunEdit) -> None:
        """Put something in a segment and its copies; call it in the order of the text of a segment."""
        self.open(line)
        for split in put.content:
            if isinstance(split, Split):
                self._splits[split.paragraph.start] += 1
                self._contents[split.paragraph.start] = split.paragraph.content
        for one in (segment, *segment.mirrors):
            run = run_of(one, line)
            if run is not None:
                self._in_runs[run][one].append(put)
            else:
                assert isinstance(one.target, ParagraphTarget)
                self._between[one].append(put)

    def open(self, line: Line) -> None:
        """Give a paragraph that is an empty tag an end tag of its own, so that something can be put into it."""
        if line.empty_tag:
            self._opened[line.start] = line

    def put_at(self, place: int, content: bytes) -> None:
        """Put something at a place between runs, given in bytes."""
        self._fixed.append((place, place, (content,)))

    def join(self, line: Line, after: Line) -> None:
        """Mark the end of a line as deleted."""
        self._deleted.add(line.start)
        self._contents[line.start] = line.content
        self._opened |= {one.start: one for one in (line, after) if one.empty_tag}

    def patches(self) -> list[Patch]:
        """The patches of the part's bytes."""
        patches = [*self._fixed, *self._heads()]
        for segment, puts in self._between.items():
            patches.append((segment.start, segment.end, tuple(part for put in puts for part in put.content)))
        for run, units in self._in_runs.items():
            patches += self._run(run, units)
        patches += [
            (line.close, line.end, (end_tag(self._data, line.start),)) for line in self._opened.values()
        ]
        seen: Counter[int] = Counter()
        return [
            (start, end, b"".join(self._bytes(part, seen) for part in content))
            for start, end, content in sorted(patches, key=lambda patch: patch[:2])
        ]

    def _heads(self) -> Iterator[tuple[int, int, tuple[Content, ...]]]:
        """The heads of paragraphs whose ends are new or deleted, and of those that were empty tags."""
        for start, content in self._contents.items():
            tag = self._data[start : tag_end(self._data, start)]
            properties = self._data[start + len(tag) : content]
            prefix = tag_name(self._data, start)[:-1]
            if start in self._opened:
                tag = _opened(tag)
            mark = b"ins" if self._splits[start] else b"del"
            yield start, content, (tag + self._marked(properties, prefix, mark),)
        for start, line in self._opened.items():
            if start not in self._contents:
                yield start, line.content, (_opened(self._data[start : line.content]),)

    def _bytes(self, content: Content, seen: Counter[int]) -> bytes:
        if isinstance(content, bytes):
            return content
        paragraph = content.paragraph
        prefix, properties, start = paragraph.prefix, paragraph.properties, paragraph.start
        seen[start] += 1
        if seen[start] < self._splits[start]:
            properties = self._marked(properties, prefix, b"ins")
        elif start in self._deleted:
            properties = self._marked(properties, prefix, b"del")
        return b"</%bp><%bp>%b" % (prefix, prefix, properties)

    def _marked(self, properties: bytes, prefix: bytes, name: bytes) -> bytes:
        return mark_paragraph(properties, prefix, self._markup.revision(prefix, name) + b"/>")

    def _run(
        self, run: Run, units: dict[Segment, list[RunEdit]]
    ) -> Iterator[tuple[int, int, tuple[Content, ...]]]:
        """The patches of one run: it ends before each put, and begins again after it if something is left."""
        data = self._data
        head, closing = data[run.start : run.content], end_tag(data, run.start)
        is_open, is_empty = True, True
        at = run.content
        for segment in sorted(units, key=lambda unit: (unit.start, unit.end)):
            start, end = self.element(segment)
            if data[at:start].strip():
                if not is_open:
                    yield at, at, (self._markup.copied(head),)
                is_open, is_empty = True, False
            content: list[Content] = []
            for part in self._parts(segment, units[segment], run):
                if isinstance(part, RunEdit):
                    if is_open and is_empty:
                        yield run.start, run.content, ()
                    elif is_open:
                        content.append(closing)
                    is_open = False
                    content += part.content
                else:
                    if not is_open:
                        content.append(self._markup.copied(head))
                    content.append(part)
                    is_open, is_empty = True, False
            yield start, end, tuple(content)
            at = end
        close = data.rindex(b"</", at, run.end)
        if is_open:
            return
        if data[at:close].strip():
            yield at, at, (self._markup.copied(head),)
        else:
            yield close, run.end, ()

    def element(self, segment: Segment) -> tuple[int, int]:
        """The bytes of the element that holds the text of a segment."""
        if isinstance(segment.target, TextTarget):
            return segment.target.tag, tag_end(self._data, segment.end)
        return segment.start, segment.end

    def _parts(self, segment: Segment, puts: Sequence[RunEdit], run: Run) -> Iterator[RunEdit | bytes]:
        """What is put, and the text between that is left, as the content of a run."""
        at = 0
        for put in puts:
            if at < put.start:
                yield self.held(segment, at, put.start, run)
            yield put
            at = put.end
        if at < len(segment.text):
            yield self.held(segment, at, len(segment.text), run)

    def held(self, segment: Segment, start: int, end: int, run: Run, *, deleted: bool = False) -> bytes:
        """Part of the text of a segment as the content of a run, or of a deleted run."""
        if not isinstance(segment.target, TextTarget):
            return self._data[segment.start : segment.end]
        name = b"delText" if deleted else b"t"
        text = escape_text(segment.text[start:end])
        return b'<%b%b xml:space="preserve">%b</%b%b>' % (run.prefix, name, text, run.prefix, name)


def _opened(tag: bytes) -> bytes:
    return tag[:-2] + b">"
