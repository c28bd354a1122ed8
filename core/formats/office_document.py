"""What docx and odt share: the opened document, and its edits as patches of the XML bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from types import MappingProxyType
from typing import ClassVar, TypeVar

from core.documents.types import Format, NonProseSpan, Span, SuppressedRange
from core.formats.edits import BlockedError, EditRules, find_allowed_edits
from core.formats.text_layout import Line, Segment, TextLayout
from core.formats.types import ContainerError, LockedSpan
from core.formats.xml_scan import Part, Visitor, apply_patches, check_characters, end_tag, scan, to_utf8
from core.formats.zip_package import Package
from core.i18n import tr
from core.text.appearance import Appearance
from core.text.diff import TextEdit
from core.types import Unread

V = TypeVar("V", bound=Visitor)
Patch = tuple[int, int, bytes]
Writer = Callable[[Segment, str, "WriteContext"], list[Patch]]
"""Writes new text into a segment."""
NeedsRewrite = Callable[[Segment, str, bool], bool]
"""Whether an unchanged segment must be rewritten: (segment, the character before it, whether that is new)."""


@dataclass(frozen=True, slots=True)
class WriteContext:
    """The characters around a segment ("" at the ends of a line), and the end tag of its paragraph."""

    before: str
    after: str
    closing: bytes


class Patcher:
    """Collects the edits of a text and makes patches of the bytes that hold it."""

    def __init__(
        self, data: bytes, layout: TextLayout, write: Writer, needs_rewrite: NeedsRewrite | None = None
    ) -> None:
        self._data = data
        self._layout = layout
        self._write = write
        self._needs_rewrite = needs_rewrite
        self._texts: dict[Segment, list[TextEdit]] = {}
        self._gone: set[Segment] = set()
        self._joined: set[int] = set()
        self._replaced_heads: set[int] = set()
        self._touched: set[int] = set()

    def patches(self, changes: Sequence[TextEdit]) -> list[Patch]:
        """The patches of the bytes for some edits."""
        for change in changes:
            self._delete(change)
            if change.text:
                self._insert(change)
        found: list[Patch] = []
        done = -1
        for number in sorted(self._touched):
            if number > done:
                while number - 1 in self._joined:
                    number -= 1
                done = number
                while done in self._joined:
                    done += 1
                found += self._chain(number, done)
        return found

    def _delete(self, change: TextEdit) -> None:
        if change.start == change.end:
            return
        first = self._layout.line_at(change.start)
        for number in range(first, self._layout.line_at(change.end - 1) + 1):
            line, start = self._layout.lines[number], self._layout.starts[number]
            self._touched.add(number)
            for segment, low, high in self._layout.segments_at(number, change.start, change.end):
                cut_low, cut_high = max(low, change.start), min(high, change.end)
                if cut_low >= cut_high:
                    continue
                if segment.target is None:
                    self._gone.add(segment)
                else:
                    self._texts.setdefault(segment, []).append(TextEdit(cut_low - low, cut_high - low, ""))
            if change.start <= start + line.length < change.end:
                self._joined.add(number)
                self._touched.add(number + 1)
        if not change.text and change.start == self._layout.starts[first] and first in self._joined:
            self._replaced_heads.add(first)

    def _insert(self, change: TextEdit) -> None:
        self._touched.add(self._layout.line_at(change.start))
        for segment, place, text in place_insertion(self._layout, change):
            self._texts.setdefault(segment, []).append(TextEdit(place, place, text))

    def _new_text(self, segment: Segment) -> str:
        """The edited text of a segment. An insertion comes before a deletion at the same place."""
        parts = []
        at = 0
        for start, end, text in sorted(self._texts.get(segment, ()), key=lambda edit: edit[:2]):
            parts += [segment.text[at:start], text]
            at = max(at, end)
        return "".join([*parts, segment.text[at:]])

    def _chain(self, first: int, last: int) -> Iterator[Patch]:
        """The patches of one line, or of lines that are joined."""
        lines = self._layout.lines[first : last + 1]
        segments = [segment for line in lines for segment in line.segments]
        new = ["" if segment in self._gone else self._new_text(segment) for segment in segments]
        befores, afters = _befores(new), _afters(new)
        once = [before for line in lines for before in _befores([segment.text for segment in line.segments])]
        model = opened = lines[-1] if self._keeps_last_head(first, lines) else lines[0]
        homes = [line for line in lines for _ in line.segments]
        written = fresh = False
        for number, (segment, text) in enumerate(zip(segments, new, strict=True)):
            fresh = fresh or once[number] != befores[number]
            if segment in self._gone:
                yield segment.start, segment.end, b""
            elif text != segment.text or (
                self._needs_rewrite is not None and self._needs_rewrite(segment, befores[number], fresh)
            ):
                written = fresh = True
                around = WriteContext(befores[number], afters[number], self._closing(opened))
                yield from self._write(segment, text, around)
                opened = homes[number] if "\n" in text else opened
            elif text:
                fresh = False
        if written or last > first:
            yield from self._heads(lines, model, opened)

    def _keeps_last_head(self, first: int, lines: Sequence[Line]) -> bool:
        """Whether joined lines get the head of the last, which says whether its end is a tracked insertion."""
        return first in self._replaced_heads or any(line.mark_inserted for line in lines)

    def _heads(self, lines: Sequence[Line], model: Line, opened: Line) -> Iterator[Patch]:
        """Patches of heads and tails of joined lines, which get the head of ``model`` and the tail of ``opened``."""
        if model is not lines[0] or model.empty_tag:
            yield lines[0].start, lines[0].content, self._head(model)
        for before, after in pairwise(lines):
            yield before.close, before.end, b""
            yield before.end, after.start, b""
            yield after.start, after.content, b""
        if opened is not lines[-1] or opened.empty_tag:
            yield lines[-1].close, lines[-1].end, self._closing(opened)

    def _head(self, line: Line) -> bytes:
        head = self._data[line.start : line.content]
        return head[:-2] + b">" if line.empty_tag else head

    def _closing(self, line: Line) -> bytes:
        return end_tag(self._data, line.start)


def place_insertion(layout: TextLayout, change: TextEdit) -> list[tuple[Segment, int, str]]:
    """The segments that take the new text of an edit: (segment, place in it, text), none of them empty."""
    number = layout.line_at(change.start)
    line, start = layout.lines[number], layout.starts[number]
    around = [
        (segment, change.start - low)
        for segment, low, _ in layout.segments_at(number, change.start, change.start)
        if segment.target is not None
    ]
    plain = _target(around, change)
    if "\n" not in change.text:
        return _texts((plain, change.text))
    if change.start == change.end and change.start == start + line.length:
        insertion_point = next(
            (pair for pair in reversed(around) if pair[0].is_insertion_point and pair[0].breakable), None
        )
        if insertion_point is not None:
            head, _, rest = change.text.partition("\n")
            return _texts((plain, head), (insertion_point, "\n" + rest))
    if change.start == change.end and change.start == start:
        insertion_point = next(
            (pair for pair in around if pair[0].is_insertion_point and pair[0].breakable), None
        )
        if insertion_point is not None:
            head, _, rest = change.text.rpartition("\n")
            return _texts((insertion_point, head + "\n"), (plain, rest))
    return _texts((_target([pair for pair in around if pair[0].breakable], change), change.text))


def _texts(*found: tuple[tuple[Segment, int], str]) -> list[tuple[Segment, int, str]]:
    return [(segment, place, text) for (segment, place), text in found if text]


def _target(around: Sequence[tuple[Segment, int]], change: TextEdit) -> tuple[Segment, int]:
    """The segment for inserted text: of the first replaced character, else left, right, an insertion point."""

    def rank(pair: tuple[Segment, int]) -> int:
        segment, place = pair
        if segment.is_insertion_point:
            return 3
        if change.start < change.end and place < len(segment.text):
            return 0
        return 1 if place else 2

    return min(around, key=rank)


def _befores(texts: Sequence[str]) -> list[str]:
    r"""The character before each of some consecutive texts, "" at the start and after ``\n``."""
    found = []
    before = ""
    for text in texts:
        found.append(before)
        if text:
            before = "" if text[-1] == "\n" else text[-1]
    return found


def _afters(texts: Sequence[str]) -> list[str]:
    """The character after each of some consecutive texts, "" at the end."""
    found = []
    after = ""
    for text in reversed(texts):
        found.append(after)
        after = text[0] if text else after
    return found[::-1]


@dataclass(frozen=True, slots=True)
class TextPart:
    """An XML part whose text is shown; ``start`` is where its bytes begin in those of all such parts of a file."""

    name: str
    part: Part
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.part.data)


def join_parts(parts: Sequence[tuple[str, Part]]) -> tuple[TextPart, ...]:
    """The parts (name, part), each beginning where the bytes of the one before end."""
    starts = accumulate((len(part.data) for _, part in parts), initial=0)
    return tuple(TextPart(name, part, start) for (name, part), start in zip(parts, starts, strict=False))


def visit_part(package: Package, part: str | None, visitor: V, prefixes: Mapping[str, str]) -> V:
    """The visitor after it has seen a part of a package, if there is such a part. Raises ContainerError."""
    if part is not None and part in package.members:
        scan(to_utf8(package.read(part), name=package.name), visitor, prefixes, name=package.name)
    return visitor


@dataclass(frozen=True, slots=True, eq=False)
class OfficeDocument:
    """A `core.formats.types.Container` whose text is in XML parts of a zip package, the first of them the main part.

    ``data`` are the bytes of these ``parts``, and perhaps of others, in a row; places in the bytes are places in it.
    ``tracking``: the word processor tracks changes in this file.
    """

    format: Format
    package: Package
    parts: tuple[TextPart, ...]
    data: bytes
    layout: TextLayout
    suppressed: tuple[SuppressedRange, ...]
    quotes: tuple[Span, ...]
    unread: tuple[Unread, ...]
    non_prose: tuple[NonProseSpan, ...]
    set_apart: tuple[Span, ...]
    appearance: Appearance
    notes: tuple[str, ...]
    tracking: bool
    writer: Writer
    needs_rewrite: NeedsRewrite | None
    opener: Callable[..., OfficeDocument]

    encoding: ClassVar[str] = "utf-8"
    source: ClassVar[None] = None

    @property
    def part_name(self) -> str:
        """The name of the main part."""
        return self.parts[0].name

    @property
    def part(self) -> Part:
        """The main part."""
        return self.parts[0].part

    @property
    def text(self) -> str:
        return self.layout.text

    @property
    def editable(self) -> bool:
        """Whether the text is not locked as a whole. Empty paragraphs that cannot be joined are not text."""
        whole = (0, len(self.text))
        return not self.text.strip("\n") or all((one.start, one.end) != whole for one in self.locked)

    @property
    def locked(self) -> tuple[LockedSpan, ...]:
        return self.layout.locked

    @property
    def breaks(self) -> tuple[tuple[int, int], ...]:
        return self.layout.breaks

    def source_span(self, start: int, end: int) -> Span:
        """Never called: there is no ``source``."""
        raise NotImplementedError

    def save(self, text: str) -> bytes:
        """See `core.formats.types.Container.save`."""
        if text == self.text:
            return self.package.data
        changes = self.edits_to(text)
        patches = Patcher(self.data, self.layout, self.writer, self.needs_rewrite).patches(changes)
        return self.rebuilt(patches, text)

    def edits_to(self, text: str) -> list[TextEdit]:
        """The allowed edits that make ``text``, sorted and disjoint; raises ContainerError where one is not allowed."""
        check_characters(text, name=self.package.name)
        try:
            return find_allowed_edits(self.text, text, EditRules(self.locked, self.breaks))
        except BlockedError as blocked:
            raise self._refused(blocked) from None

    def rebuilt(
        self, patches: Sequence[Patch], text: str, others: Mapping[str, bytes] = MappingProxyType({})
    ) -> bytes:
        """The file with patches and ``others`` in its parts; raises ContainerError if its text is not ``text`` then."""
        try:
            data = self.package.replaced({**self._patched(patches), **others})
            reread = self.opener(data, name=self.package.name).text
        except (ContainerError, ValueError) as error:
            raise self.not_saved() from error
        if reread != text:
            raise self.not_saved()
        return data

    def _patched(self, patches: Sequence[Patch]) -> dict[str, bytes]:
        """The new content of each part that the patches change, by its name."""
        found = {}
        for one in self.parts:
            own = [
                (start - one.start, end - one.start, content)
                for start, end, content in patches
                if one.start <= start < one.end
            ]
            if own:
                found[one.name] = one.part.encoded(apply_patches(one.part.data, own))
        return found

    def _refused(self, blocked: BlockedError) -> ContainerError:
        line = self.text.count("\n", 0, blocked.place) + 1
        lock = blocked.lock
        why = tr("A paragraph cannot begin or end there.") if lock is None else lock.reason
        return ContainerError(
            tr(
                "{name} was not saved: line {line} was changed in a part that cannot be edited here. {why}"
            ).format(name=self.package.name, line=line, why=why)
        )

    def not_saved(self) -> ContainerError:
        """The error for a text that cannot be put into the file."""
        return ContainerError(
            tr(
                "{name} was not saved: the text could not be put into it exactly; nothing was changed. "
                "Undo the last edits, or save the text as a new file."
            ).format(name=self.package.name)
        )


def document_notes(layout: TextLayout, *notes: str) -> tuple[str, ...]:
    """Notes for a person: why the file cannot be edited, else those of ``notes`` that are not empty."""
    return (layout.lock_reason,) if layout.lock_reason else tuple(filter(None, notes))
