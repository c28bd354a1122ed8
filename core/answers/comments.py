"""The comments in a docx or odt: who says what, where, in answer to what, and whether it is marked as resolved.

ECMA-376 part 1, section 17.13.4, with [MS-DOCX] 2.5.3 (``commentsExtended``) for answers in Word; OpenDocument 1.3,
part 3, section 14.1, with ``loext:parent-name`` and ``loext:resolved`` for answers in LibreOffice.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from core.documents.types import Format, Span
from core.formats.docx import related_parts
from core.formats.docx_elements import PREFIXES
from core.formats.office_document import OfficeDocument, visit_part
from core.formats.text_layout import STYLE_MARK
from core.formats.xml_scan import Part, Visitor, scan
from core.revisions.odt_changes import NAMES
from core.revisions.revision_list import Places, parse_time

_ON = ("1", "true", "on")
_ODT_NAMES = {
    **NAMES,
    "urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0": "loext",
}


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment. ``parent`` is the id of the one that it answers, empty if there is none.

    ``place`` is its range in the text of the document, empty where it is at one place; None where that is not known.
    """

    id: str
    text: str
    author: str
    time: datetime | None
    place: Span | None
    parent: str = ""
    is_resolved: bool = False


def read_comments(document: OfficeDocument) -> list[Comment]:
    """The comments of a file in the order of the file. Raises ContainerError where a part is damaged."""
    return _docx_comments(document) if document.format is Format.DOCX else _odt_comments(document)


def _docx_comments(document: OfficeDocument) -> list[Comment]:
    package = document.package
    parts = related_parts(package, document.part_name)
    comments = visit_part(package, parts.get("comments"), _CommentsVisitor(), PREFIXES)
    threads = visit_part(package, parts.get("commentsExtended"), _ThreadsVisitor(), PREFIXES)
    by_paragraph = {paragraph: one.id for one in comments.found for paragraph in one.paragraphs}
    places: dict[str, dict[str, int]] = {"start": {}, "end": {}, "reference": {}}
    for place, what, mark in document.layout.marks():
        if what in places and not mark.startswith(STYLE_MARK):
            places[what].setdefault(mark, place)
    found = []
    for one in comments.found:
        # A comment on no words has no range, only its mark.
        start = places["start"].get(one.id, places["reference"].get(one.id))
        thread = next((threads.found[name] for name in one.paragraphs if name in threads.found), _Thread())
        found.append(
            Comment(
                one.id,
                one.text,
                one.author,
                parse_time(one.date),
                None if start is None else (start, max(start, places["end"].get(one.id, start))),
                by_paragraph.get(thread.parent, ""),
                thread.is_done,
            )
        )
    return found


@dataclass(slots=True)
class _Read:
    """A comment that is being read. ``paragraphs`` are the ids of its paragraphs, ``start`` and ``end`` its bytes."""

    id: str
    author: str
    date: str
    lines: list[str] = field(default_factory=list)
    paragraphs: list[str] = field(default_factory=list)
    parent: str = ""
    is_resolved: bool = False
    start: int = 0
    end: int = 0

    @property
    def text(self) -> str:
        return "\n".join(self.lines).strip()

    def add(self, text: str) -> None:
        """Add characters to the last line."""
        if self.lines:
            self.lines[-1] += text


class _CommentsVisitor(Visitor):
    """A visitor of the part of a docx that holds the comments."""

    def __init__(self) -> None:
        self.found: list[_Read] = []
        self._in_text = False

    def start(self, tag: str, attributes: Mapping[str, str], _at: int) -> None:
        self._in_text = tag == "w:t"
        if tag == "w:comment":
            number, author, date = (attributes.get(f"w:{name}", "") for name in ("id", "author", "date"))
            self.found.append(_Read(number, author, date))
        elif not self.found:
            return
        elif tag == "w:p":
            self.found[-1].lines.append("")
            if name := attributes.get("w14:paraId", "").upper():
                self.found[-1].paragraphs.append(name)
        elif tag in ("w:br", "w:cr", "w:tab"):
            self.found[-1].add("\t" if tag == "w:tab" else "\n")

    def end(self, _tag: str, _at: int) -> None:
        self._in_text = False

    def text(self, text: str, _start: int, _end: int) -> None:
        if self._in_text and self.found:
            self.found[-1].add(text)


@dataclass(frozen=True, slots=True)
class _Thread:
    """What Word stores for the last paragraph of a comment: that of the comment it answers, and if it is done."""

    parent: str = ""
    is_done: bool = False


@dataclass(slots=True)
class _ThreadsVisitor(Visitor):
    """A visitor of the part ``commentsExtended``; ``found`` is by the ids of paragraphs."""

    found: dict[str, _Thread] = field(default_factory=dict)

    def start(self, tag: str, attributes: Mapping[str, str], _at: int) -> None:
        if tag == "w15:commentEx":
            parent = attributes.get("w15:paraIdParent", "").upper()
            is_done = attributes.get("w15:done", "").casefold() in _ON
            self.found[attributes.get("w15:paraId", "").upper()] = _Thread(parent, is_done)


def _odt_comments(document: OfficeDocument) -> list[Comment]:
    reader = _AnnotationsVisitor()
    scan(Part(document.part.data, "utf-8"), reader, _ODT_NAMES, name=document.package.name)
    places = Places(document.layout)
    return [
        Comment(
            one.id,
            one.text,
            one.author,
            parse_time(one.date),
            places.span(one.start, max(one.start, one.end)),
            one.parent,
            one.is_resolved,
        )
        for one in reader.found
    ]


class _AnnotationsVisitor(Visitor):
    """A visitor of the text of an odt. A comment without a name has its number as id."""

    def __init__(self) -> None:
        self.found: list[_Read] = []
        self._named: dict[str, _Read] = {}
        self._stack: list[str] = []
        self._open: _Read | None = None

    def start(self, tag: str, attributes: Mapping[str, str], at: int) -> None:
        self._stack.append(tag)
        name = attributes.get("office:name", "")
        if tag == "office:annotation":
            self._open = _Read(name or f"#{len(self.found)}", "", "", start=at, end=at)
            self._open.parent = attributes.get("loext:parent-name", "")
            self._open.is_resolved = attributes.get("loext:resolved", "") == "true"
            self.found.append(self._open)
            if name:
                self._named.setdefault(name, self._open)
        elif tag == "office:annotation-end" and name in self._named:
            self._named[name].end = at
        elif self._open is not None and tag == "text:p":
            self._open.lines.append("")
        elif self._open is not None and tag in ("text:s", "text:tab", "text:line-break"):
            count = attributes.get("text:c", "1")
            spaces = int(count) if count.isdecimal() and len(count) < 4 else 1
            self._open.add({"text:s": " " * spaces, "text:tab": "\t"}.get(tag, "\n"))

    def end(self, tag: str, _at: int) -> None:
        self._stack.pop()
        if tag == "office:annotation":
            self._open = None

    def text(self, text: str, _start: int, _end: int) -> None:
        if self._open is None:
            return
        inside = self._stack[self._stack.index("office:annotation") :]
        if inside[-1] == "dc:creator":
            self._open.author += text
        elif inside[-1] == "dc:date":
            self._open.date += text
        elif "text:p" in inside:
            self._open.add(text)


def with_threads(comments: list[Comment]) -> list[Comment]:
    """The same comments; the parent of each answer is now the first comment of its thread."""
    parents = {one.id: one.parent for one in comments}
    found = []
    for one in comments:
        seen = {one.id}
        parent = one.parent
        while parent and parents.get(parent) and parent not in seen:
            seen.add(parent)
            parent = parents[parent]
        found.append(replace(one, parent=parent))
    return found
