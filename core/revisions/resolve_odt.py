"""Accepting or rejecting tracked changes of an odt, in its text and in headers and footers.

An odt does not say how changed formatting was before, so such a change stays marked when it is rejected.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from core.formats.odt_reader import OWN_ATTRIBUTES, PARAGRAPHS
from core.formats.office_document import OfficeDocument, Patch
from core.formats.types import ContainerError
from core.formats.xml_scan import (
    Part,
    Visitor,
    apply_patches,
    element_end,
    end_tag,
    scan,
    tag_end,
    tag_name,
    to_utf8,
)
from core.i18n import tr
from core.revisions.odt_changes import NAMES, ChangesReader, Mark, Open, Region, read_changes
from core.revisions.odt_revisions import odt_stories

_TAG = re.compile(rb"<[^<>]*>")
_VISIBLE = re.compile(
    rb"<(?:[\w.-]+:)?(?:s|tab|line-break|note|annotation|frame|image|object|page-number|date)[\s/>]"
)
_PARAGRAPH_START = re.compile(rb"<(?:[\w.-]+:)?[ph][\s>]")
_ONLY_STARTS = re.compile(rb"(?:<(?!/)[^<>]*(?<!/)>\s*)*")
_ONLY_ENDS = re.compile(rb"(?:\s*</[^<>]*>)*")
_OFF = re.compile(rb"""track-changes\s*=\s*["']false["']""")

Decide = Callable[[str, Region], bool | None]
"""Whether a change of a part is accepted (True), rejected (False) or left as it is (None)."""


def resolve_odt(document: OfficeDocument, decide: Decide) -> bytes:
    """The file with some of its changes accepted or rejected. Raises ContainerError."""
    package = document.package
    parts: dict[str, bytes] = {}
    for name in odt_stories(document):
        part = to_utf8(package.read(name), name=package.name)
        data = _Resolver(part.data, package.name).resolved(partial(decide, name))
        if data != part.data:
            parts[name] = part.encoded(data)
    return package.replaced(parts) if parts else package.data


class _Resolver:
    """Resolves the changes of one part: first deleted text comes back, then inserted text goes, then the marks."""

    def __init__(self, data: bytes, name: str) -> None:
        self._data = data
        self._name = name

    def resolved(self, decide: Callable[[Region], bool | None]) -> bytes:
        """The part with the changes resolved."""
        reader = self._read()
        decisions = {number: decide(region) for number, region in reader.regions.items()}
        marked = {mark.id for mark in reader.marks}
        around: dict[str, list[str]] = defaultdict(list)
        for outer, region in reader.regions.items():
            for number in region.held:
                around[number].append(outer)
        for number in (decisions.keys() & around.keys()) - marked:
            # A change in deleted words is removed with them; if they come back or stay, it is left for later.
            decisions[number] = True if all(decisions[outer] for outer in around[number]) else None
        restored = {
            number
            for number, region in reader.regions.items()
            if decisions[number] is False and region.deletes
        }
        # Text that one change inserted and another deleted comes back as an insertion.
        again = {number for number in restored if "text:insertion" in reader.regions[number].kinds}
        if restored:
            self._apply(self._restorations(reader, restored - again, again))
            reader = self._read()
        removed = {
            number
            for number, region in reader.regions.items()
            if decisions.get(number) is False and region.inserts and number not in again
        }
        if removed:
            self._apply(self._removals(reader, removed))
            reader = self._read()
        done = {
            number
            for number, decision in decisions.items()
            if (decision is True or (decision is False and (number in restored | removed)))
            and number not in again
        }
        left = {mark.id for mark in reader.marks}
        self._apply(self._cleaning(reader, done, gone=marked - left))
        return self._data

    def _read(self) -> ChangesReader:
        return read_changes(self._data, name=self._name)

    def _apply(self, patches: Iterable[Patch]) -> None:
        try:
            self._data = apply_patches(self._data, list(patches))
        except ValueError as error:
            message = tr(
                "{name} is damaged: its tracked changes overlap. Accept or reject them in the program that wrote it."
            )
            raise ContainerError(message.format(name=self._name)) from error

    # Deleted text comes back

    def _restorations(self, reader: ChangesReader, restored: set[str], again: set[str]) -> Iterator[Patch]:
        names: dict[int, bytes] = {}
        touched: set[int] = set()
        back = restored | again
        marks = [mark for mark in reader.marks if mark.tag == "text:change" and mark.id in back]
        blocks = self._blocks(marks, reader)
        for mark, deleted in zip(marks, blocks, strict=True):
            region = reader.regions[mark.id]
            place = mark.around[0].start if mark.around else -1
            content, head = self._restored(mark, deleted, names, is_first=place not in touched)
            touched.add(place)
            if head:
                yield mark.around[0].start, mark.around[0].end, head
            if mark.id in again:
                tag = self._data[mark.start : mark.end]
                prefix = tag_name(self._data, mark.start)
                begin, end = (tag.replace(prefix, prefix + way, 1) for way in (b"-start", b"-end"))
                yield mark.start, mark.end, begin + content + end
                yield (*region.kinds["text:deletion"], b"")
            else:
                yield mark.start, mark.end, content
        for start, name in names.items():
            if name != tag_name(self._data, start):
                at = reader.ends[start]
                yield at, tag_end(self._data, at), b"</" + name + b">"

    def _restored(
        self, mark: Mark, blocks: Sequence[_Block], names: dict[int, bytes], *, is_first: bool
    ) -> tuple[bytes, bytes]:
        """What replaces a mark, and the new head of its paragraph if that is the first deleted one."""
        if not mark.around or not blocks:
            return b"".join(block.raw for block in blocks), b""
        paragraph, inline = mark.around[0], mark.around[1:]
        name = names.get(paragraph.start, tag_name(self._data, paragraph.start))
        if len(blocks) == 1 and blocks[0].head:
            closing, opening = self._around(_innermost_spans(inline))
            inner = blocks[0].inner
            return (closing + inner + opening if inner else b""), b""
        closing, opening = self._around(inline)
        head = b""
        before = self._data[paragraph.end : mark.start]
        if is_first and blocks[0].head and not _TAG.sub(b"", before).strip() and not _VISIBLE.search(before):
            head, name = blocks[0].head, blocks[0].name
        found = closing
        for number, block in enumerate(blocks):
            if number or not block.head:
                found += b"</" + name + b">" + self._item_border(mark, block)
                if not block.head:
                    found += block.raw
                    # After an element that is no paragraph, the paragraph continues.
                    name = tag_name(self._data, paragraph.start)
                    found += OWN_ATTRIBUTES.sub(b"", self._data[paragraph.start : paragraph.end])
                    continue
                found += block.head
                name = block.name
            found += block.inner
        names[paragraph.start] = name
        return found + opening, head

    def _item_border(self, mark: Mark, block: _Block) -> bytes:
        if not (mark.is_item and block.begins_item):
            return b""
        prefix = tag_name(self._data, mark.around[0].start)[:-1]
        return b"</%blist-item><%blist-item>" % (prefix, prefix)

    def _around(self, inline: Sequence[Open]) -> tuple[bytes, bytes]:
        """What closes open elements, and what opens them again."""
        closing = b"".join(end_tag(self._data, one.start) for one in reversed(inline))
        return closing, b"".join(self._data[one.start : one.end] for one in inline)

    def _blocks(self, marks: Sequence[Mark], changes: ChangesReader) -> list[list[_Block]]:
        """The paragraphs and other blocks of the deleted text of each mark; in an item, those in lists one by one."""
        readers = [
            _BlockReader(self._data, changes.regions[mark.id].content, flat=mark.is_item) for mark in marks
        ]
        scan(Part(self._data, "utf-8"), _ContentsReader(readers), NAMES, name=self._name)
        return [reader.blocks for reader in readers]

    # Inserted text goes

    def _removals(self, reader: ChangesReader, removed: set[str]) -> list[Patch]:
        starts: dict[str, Mark] = {}
        ranges: list[tuple[int, int]] = []
        for mark in reader.marks:
            if mark.id in removed and mark.tag == "text:change-start":
                starts[mark.id] = mark
            elif mark.id in removed and mark.tag == "text:change-end" and mark.id in starts:
                ranges.append((starts.pop(mark.id).start, mark.end))
        merged: list[tuple[int, int]] = []
        for start, end in sorted(ranges):
            if merged and start <= merged[-1][1]:
                merged[-1] = merged[-1][0], max(end, merged[-1][1])
            else:
                merged.append((start, end))
        tags = _TagReader(self._data)
        scan(Part(self._data, "utf-8"), tags, NAMES, name=self._name)
        halves = [mark for mark in reader.marks if mark.id not in removed and mark.tag != "text:change"]
        half_starts = [mark.start for mark in halves]
        names: dict[int, bytes] = {}
        found = []
        for start, end in merged:
            inside = halves[bisect_left(half_starts, start) : bisect_left(half_starts, end)]
            found.append(self._removal(start, end, tags, inside, names))
        for at, name in names.items():
            place = bisect_left(merged, (at, at))
            is_gone = place > 0 and at < merged[place - 1][1]
            if not is_gone and tag_name(self._data, at + 1) != name:
                found.append((at, tag_end(self._data, at), b"</" + name + b">"))
        return found

    def _removal(
        self, start: int, end: int, tags: _TagReader, marks: Sequence[Mark], names: dict[int, bytes]
    ) -> Patch:
        """The patch that removes a range. Elements that reach beyond it stay, but paragraphs are joined.

        ``marks`` are those in the range that other changes begin and end with. ``names`` are those of joined
        paragraphs, by where their end tags are.
        """
        times = Counter(mark.id for mark in marks)
        kept = b"".join(self._data[mark.start : mark.end] for mark in marks if times[mark.id] == 1)
        ended, begun = tags.unmatched(start, end)
        if ended and ended[-1].is_block and _ONLY_STARTS.fullmatch(self._data, ended[-1].partner, start):
            # The element that ends here holds nothing else: it is removed as a whole.
            return ended[-1].partner, end, self._bytes(begun) + kept
        blocks_ended = [tag for tag in ended if tag.is_block]
        blocks_begun = [tag for tag in reversed(begun) if tag.is_block]
        if [tag.level for tag in blocks_ended] == [tag.level for tag in blocks_begun]:
            for one, other in zip(blocks_ended, blocks_begun, strict=True):
                if one.level == "paragraph":
                    names[other.partner] = names.get(one.start) or tag_name(self._data, one.partner)
            inline = [tag for tag in (*ended, *begun) if not tag.is_block]
            after = self._space(start, end)
            return start, end + len(after[:1]), self._bytes(inline) + kept + after
        if begun and begun[0].is_block:
            close = tag_end(self._data, begun[0].partner)
            if _ONLY_ENDS.fullmatch(self._data, end, close):
                return start, close, kept + self._bytes(ended)
        return start, end, kept + self._bytes([*ended, *begun])

    def _bytes(self, tags: Sequence[_Tag]) -> bytes:
        return b"".join(self._data[tag.start : tag.end] for tag in tags)

    def _space(self, start: int, end: int) -> bytes:
        """The element for a space after a removed range that would otherwise collapse with one before, or nothing."""
        data = self._data
        if data[end : end + 1] != b" ":
            return b""
        at = start
        while data[at - 1 : at] == b">":
            at = data.rindex(b"<", 0, at)
            if _VISIBLE.match(data, at):
                return b""
            if _PARAGRAPH_START.match(data, at):
                break
        else:
            if not data[at - 1 : at].isspace():
                return b""
        return b"<%bs/>" % tag_name(data, start)[: -len(b"change-start")]

    # The marks go

    def _cleaning(self, reader: ChangesReader, done: set[str], gone: set[str]) -> Iterator[Patch]:
        for mark in reader.marks:
            if mark.id in done:
                yield mark.start, mark.end, b""
        resolved = done | gone
        for start, end in reader.blocks:
            here = [region for region in reader.regions.values() if start < region.start < end]
            tag = self._data[start : tag_end(self._data, start)]
            if here and all(region.id in resolved for region in here) and _OFF.search(tag):
                yield start, end, b""
            else:
                yield from ((region.start, region.end, b"") for region in here if region.id in resolved)


@dataclass(frozen=True, slots=True)
class _Block:
    """A paragraph of deleted text; without a ``head``, another element. ``begins_item``: it begins a list item."""

    raw: bytes
    head: bytes = b""
    inner: bytes = b""
    begins_item: bool = False

    @property
    def name(self) -> bytes:
        return tag_name(self.head, 0)


class _BlockReader(Visitor):
    """A visitor that collects the blocks of some content. ``flat``: paragraphs in lists one by one."""

    def __init__(self, data: bytes, content: tuple[int, int], *, flat: bool) -> None:
        self.blocks: list[_Block] = []
        self.content = content
        self._data = data
        self._flat = flat
        self._stack: list[tuple[str, int]] = []
        self._begins_item = False

    def start(self, tag: str, _attributes: Mapping[str, str], at: int) -> None:
        if self.content[0] <= at < self.content[1]:
            self._begins_item = self._begins_item or tag == "text:list-item"
            self._stack.append((tag, at))

    def end(self, tag: str, at: int) -> None:
        if not self._stack:
            return
        start = self._stack.pop()[1]
        inside = all(name in ("text:list", "text:list-item") for name, _ in self._stack)
        if not inside or (self._stack and not self._flat):
            return
        end = element_end(self._data, start, at)
        raw = self._data[start:end]
        if tag in PARAGRAPHS:
            head = tag_end(self._data, start)
            opening = self._data[start:head]
            opening = opening[:-2] + b">" if head == end else opening
            begins = self._begins_item
            self._begins_item = False
            self.blocks.append(_Block(raw, opening, self._data[head:at] if head < end else b"", begins))
        elif not self._flat or tag not in ("text:list", "text:list-item"):
            self.blocks.append(_Block(raw))


class _ContentsReader(Visitor):
    """A visitor that passes each reader only its own content, so that one scan is enough for all of them."""

    def __init__(self, readers: Sequence[_BlockReader]) -> None:
        self._waiting = sorted(readers, key=lambda reader: reader.content[0], reverse=True)
        self._reading: list[_BlockReader] = []

    def start(self, tag: str, attributes: Mapping[str, str], at: int) -> None:
        while self._waiting and self._waiting[-1].content[0] <= at:
            self._reading.append(self._waiting.pop())
        self._reading = [reader for reader in self._reading if at < reader.content[1]]
        for reader in self._reading:
            reader.start(tag, attributes, at)

    def end(self, tag: str, at: int) -> None:
        for reader in self._reading:
            reader.end(tag, at)


@dataclass(slots=True)
class _Tag:
    """A tag of an element; ``partner`` is where its other tag begins. ``is_block``: not inside a paragraph."""

    start: int
    end: int
    level: str
    is_end: bool
    is_block: bool
    partner: int = -1


class _TagReader(Visitor):
    """A visitor that collects the tags of all elements that have two."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._tags: list[_Tag] = []
        self._starts: list[int] = []
        self._stack: list[tuple[_Tag, bool]] = []

    def start(self, tag: str, _attributes: Mapping[str, str], at: int) -> None:
        in_paragraph = bool(self._stack) and self._stack[-1][1]
        is_paragraph = tag in PARAGRAPHS
        level = "paragraph" if is_paragraph else tag
        opened = _Tag(at, tag_end(self._data, at), level, False, is_paragraph or not in_paragraph)
        self._stack.append((opened, in_paragraph or is_paragraph))
        self._add(opened)

    def end(self, _tag: str, at: int) -> None:
        opened = self._stack.pop()[0]
        if self._data[opened.end - 2 : opened.end] == b"/>":
            if self._tags[-1] is opened:
                self._tags.pop()
                self._starts.pop()
            return
        opened.partner = at
        self._add(_Tag(at, tag_end(self._data, at), opened.level, True, opened.is_block, opened.start))

    def unmatched(self, start: int, end: int) -> tuple[list[_Tag], list[_Tag]]:
        """The tags in a range of elements that only end in it, and of those that only begin in it."""
        ended: list[_Tag] = []
        begun: list[_Tag] = []
        for tag in self._tags[bisect_left(self._starts, start) : bisect_left(self._starts, end)]:
            if not tag.is_end:
                begun.append(tag)
            elif begun:
                begun.pop()
            else:
                ended.append(tag)
        return ended, begun

    def _add(self, tag: _Tag) -> None:
        self._tags.append(tag)
        self._starts.append(tag.start)


def _innermost_spans(inline: Sequence[Open]) -> Sequence[Open]:
    first = len(inline)
    while first and inline[first - 1].tag == "text:span":
        first -= 1
    return inline[first:]
