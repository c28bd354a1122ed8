"""The tracked changes of an odt part: the regions that describe them, and their marks in the text.

OpenDocument 1.3, part 3, section 5.5. Deleted text is in its region, at the start of the document.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.formats.odt_reader import PARAGRAPHS, PREFIXES
from core.formats.xml_scan import Part, Visitor, element_end, end_tag, scan, tag_end

_DC = "http://purl.org/dc/elements/1.1/"
NAMES = {**PREFIXES, _DC: "dc", "http://www.w3.org/XML/1998/namespace": "xml"}
URIS = {prefix: uri for uri, prefix in NAMES.items()}
KINDS = ("text:insertion", "text:deletion", "text:format-change")
MARKS = ("text:change-start", "text:change-end", "text:change")


@dataclass(slots=True)
class Region:
    """A tracked change: where its element is, and what it says. ``kinds``: the elements that name what was done.

    ``content`` are the bytes of deleted text, empty where there is none; ``text`` is the text as a person reads it.
    ``held`` are the changes whose marks are in it.
    """

    id: str
    start: int
    end: int = 0
    kinds: dict[str, tuple[int, int]] = field(default_factory=dict)
    author: str = ""
    date: str = ""
    content: tuple[int, int] = (0, 0)
    text: str = ""
    held: set[str] = field(default_factory=set)

    @property
    def inserts(self) -> bool:
        return set(self.kinds) == {"text:insertion"}

    @property
    def deletes(self) -> bool:
        """Whether text was deleted, perhaps text that another change had inserted."""
        return "text:deletion" in self.kinds


@dataclass(frozen=True, slots=True)
class Open:
    """An element that is open at a mark: its name, and its start tag."""

    tag: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark of a change in the text; ``around`` are the open elements from the paragraph on, the outermost first.

    ``is_item``: that paragraph is a child of an item of a list.
    """

    tag: str
    id: str
    start: int
    end: int
    around: tuple[Open, ...]
    is_item: bool


class ChangesReader(Visitor):
    """A visitor of a part. ``regions`` by their ids; ``marks`` in the order of the text.

    ``body`` is where the text of the document begins, after its forms; ``blocks`` are the elements that hold the
    regions. ``ends`` has the place of the end tag of each paragraph, by its start.
    """

    def __init__(self, data: bytes) -> None:
        self.regions: dict[str, Region] = {}
        self.marks: list[Mark] = []
        self.body = 0
        self.blocks: list[tuple[int, int]] = []
        self.ends: dict[int, int] = {}
        self._data = data
        self._stack: list[tuple[str, int]] = []
        self._region: Region | None = None
        self._lines: list[str] = []

    def start(self, tag: str, attributes: Mapping[str, str], at: int) -> None:
        parent = self._stack[-1][0] if self._stack else ""
        self._stack.append((tag, at))
        if tag == "office:text" and not self.body:
            self.body = tag_end(self._data, at)
        elif tag == "text:changed-region":
            self._region = Region(attributes.get("xml:id") or attributes.get("text:id", ""), at)
            self._lines = []
        elif self._region is not None:
            self._region_start(self._region, tag, parent, at, attributes)
        elif tag in MARKS:
            self._mark(tag, attributes.get("text:change-id", ""), at)

    def end(self, tag: str, at: int) -> None:
        start = self._stack.pop()[1]
        end = element_end(self._data, start, at)
        region = self._region
        if tag == "office:forms" and self._stack and self._stack[-1][0] == "office:text":
            self.body = max(self.body, end)
        elif tag == "text:tracked-changes":
            self.blocks.append((start, end))
        elif tag == "text:changed-region" and region is not None:
            region.end = end
            self.regions.setdefault(region.id, region)
            self._region = None
        elif region is not None:
            self._region_end(region, tag, start, at, end)
        elif tag in PARAGRAPHS:
            self.ends[start] = at

    def text(self, text: str, _start: int, _end: int) -> None:
        if self._region is None:
            return
        if self._stack[-1][0] == "dc:creator":
            self._region.author = self._region.author or text
        elif self._stack[-1][0] == "dc:date":
            self._region.date = self._region.date or text
        elif self._lines:
            self._lines[-1] += text

    def before_end(self, element: tuple[int, int], content: bytes) -> tuple[int, int, bytes]:
        """A patch that puts content at the end of an element."""
        start, end = element
        if self._data[end - 2 : end] == b"/>":
            return end - 2, end, b">" + content + end_tag(self._data, start)
        at = self._data.rindex(b"</", start, end)
        return at, at, content

    def _region_start(
        self, region: Region, tag: str, parent: str, at: int, attributes: Mapping[str, str]
    ) -> None:
        if parent == "text:changed-region" and tag in KINDS:
            region.kinds[tag] = (at, at)
            if tag == "text:deletion":
                inside = tag_end(self._data, at)
                region.content = (inside, inside)
        elif tag in PARAGRAPHS:
            self._lines.append("")
        elif tag in MARKS:
            region.held.add(attributes.get("text:change-id", ""))
        elif self._lines:
            count = attributes.get("text:c", "1")
            count = count if count.isdecimal() and len(count) < 5 else "1"
            shown = {"text:s": " " * int(count), "text:tab": "\t", "text:line-break": "\n"}
            self._lines[-1] += shown.get(tag, "")

    def _region_end(self, region: Region, tag: str, start: int, at: int, end: int) -> None:
        parent = self._stack[-1][0]
        if tag == "office:change-info" and parent == "text:deletion":
            region.content = (end, end)
        elif tag in KINDS and parent == "text:changed-region":
            region.kinds[tag] = (start, end)
            if tag == "text:deletion":
                inside = region.content[0]
                region.content = (inside, max(at, inside) if at > start else inside)
                region.text = "\n".join(self._lines)

    def _mark(self, tag: str, change: str, at: int) -> None:
        inner = [number for number, (name, _) in enumerate(self._stack) if name in PARAGRAPHS]
        around: tuple[Open, ...] = ()
        is_item = False
        if inner:
            first = inner[-1]
            around = tuple(
                Open(name, start, tag_end(self._data, start)) for name, start in self._stack[first:-1]
            )
            is_item = first > 0 and self._stack[first - 1][0] == "text:list-item"
        self.marks.append(Mark(tag, change, at, tag_end(self._data, at), around, is_item))


def read_changes(data: bytes, *, name: str) -> ChangesReader:
    """The tracked changes of a part, whose bytes are ``data``. Raises ContainerError."""
    reader = ChangesReader(data)
    scan(Part(data, "utf-8"), reader, NAMES, name=name)
    return reader
