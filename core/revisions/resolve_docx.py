"""Accepting or rejecting all tracked changes of a docx.

Inserted and deleted text, moved text, table rows, ends of paragraphs and changes of the look are resolved in the text,
the headers and footers and the notes (ECMA-376 part 1, section 17.13.5). Cells that were inserted, deleted or merged
stay marked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from core.formats.docx import relations_of
from core.formats.docx_elements import DELETIONS, INSERTIONS, PREFIXES
from core.formats.office_document import OfficeDocument
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

_STORIES = ("header", "footer", "footnotes", "endnotes")
_REVISIONS = (*INSERTIONS, *DELETIONS)
_RANGES = {f"w:move{way}Range{end}" for way in ("From", "To") for end in ("Start", "End")}
_RENAMED = {"w:delText": b"t", "w:delInstrText": b"instrText"}
_KEPT_OF_OLD = {
    "w:pPr": ("w:rPr", "w:sectPr"),
    "w:rPr": _REVISIONS,
    "w:sectPr": ("w:headerReference", "w:footerReference"),
    "w:trPr": _REVISIONS,
    **dict.fromkeys(("w:tblPr", "w:tcPr", "w:tblGrid", "w:tblPrEx"), ()),
}
"""Elements whose look can be tracked, and which of their children a look before the change does not tell of."""
_CHANGES = {f"{tag}Change" for tag in _KEPT_OF_OLD}


def accept_all_docx(document: OfficeDocument) -> bytes:
    """The file with every tracked change made; raises ContainerError where it is protected or damaged."""
    return _resolved(document, gone=DELETIONS)


def reject_all_docx(document: OfficeDocument) -> bytes:
    """The file as it was before every tracked change; raises ContainerError where it is protected or damaged."""
    return _resolved(document, gone=INSERTIONS)


def _resolved(document: OfficeDocument, gone: tuple[str, ...]) -> bytes:
    """The file without the elements ``gone``; the other revisions become plain."""
    package = document.package
    names = [document.part_name]
    for kind, target in relations_of(package, document.part_name):
        if kind in _STORIES and target in package.members and target not in names:
            names.append(target)
    parts: dict[str, bytes] = {}
    for name in names:
        part = to_utf8(package.read(name), name=package.name)
        data = part.data
        for visitor in (_Resolver, _Joiner):
            seen = visitor(data, gone)
            scan(Part(data, "utf-8"), seen, PREFIXES, name=package.name)
            data = apply_patches(data, seen.patches())
        if data != part.data:
            parts[name] = part.encoded(data)
    return package.replaced(parts) if parts else package.data


@dataclass(slots=True)
class _Element:
    """An open element: its name, where it begins, how many patches were made before it, and its children so far.

    ``is_gone``: it is to be removed. ``old`` is the content of the look before a tracked change of it.
    """

    tag: str
    start: int
    patches: int
    children: list[tuple[str, int, int]] = field(default_factory=list)
    is_gone: bool = False
    old: bytes | None = None


class _Resolver(Visitor):
    """Resolves all but the ends of paragraphs that are to go: those stay marked, for `_Joiner`."""

    def __init__(self, data: bytes, gone: tuple[str, ...]) -> None:
        self._data = data
        self._gone = gone
        self._rejects = "w:ins" in gone
        self._stack: list[_Element] = []
        self._patches: list[tuple[int, int, bytes]] = []

    def patches(self) -> list[tuple[int, int, bytes]]:
        return self._patches

    def start(self, tag: str, _attributes: Mapping[str, str], at: int) -> None:
        self._stack.append(_Element(tag, at, len(self._patches)))

    def end(self, _tag: str, at: int) -> None:
        element = self._stack.pop()
        end = element_end(self._data, element.start, at)
        parent = self._stack[-1] if self._stack else None
        if parent is not None:
            parent.children.append((element.tag, element.start, end))
        if element.is_gone or element.tag in _RANGES or element.tag == "w:numberingChange":
            self._remove(element, end)
        elif element.tag in _REVISIONS and parent is not None:
            self._revision(element, parent, at, end)
        elif element.tag in _CHANGES and parent is not None:
            if self._rejects:
                parent.old = self._old(element)
            self._remove(element, end)
        elif element.old is not None:
            self._restore(element, at)
        elif element.tag in _RENAMED and self._rejects:
            self._rename(element, at, end)

    def _remove(self, element: _Element, end: int) -> None:
        del self._patches[element.patches :]
        self._patches.append((element.start, end, b""))

    def _revision(self, element: _Element, parent: _Element, at: int, end: int) -> None:
        goes = element.tag in self._gone
        if parent.tag == "w:rPr" and len(self._stack) > 1 and self._stack[-2].tag == "w:pPr":
            if not goes:
                self._remove(element, end)
        elif parent.tag == "w:trPr":
            self._remove(element, end)
            row = next((one for one in reversed(self._stack) if one.tag == "w:tr"), None)
            if goes and row is not None:
                row.is_gone = True
        elif goes or parent.tag == "w:numPr":
            self._remove(element, end)
        else:
            tag = tag_end(self._data, element.start)
            self._patches.insert(element.patches, (element.start, tag, b""))
            if tag < end:
                self._patches.append((at, end, b""))

    def _old(self, change: _Element) -> bytes:
        """The content of the look before a change of it."""
        if not change.children:
            return b""
        _, start, end = change.children[0]
        inside = tag_end(self._data, start)
        return b"" if inside == end else self._data[inside : self._data.rindex(b"</", inside, end)]

    def _restore(self, element: _Element, at: int) -> None:
        """Put the look before a change in place of the present one."""
        kept = [child for child in element.children if child[0] in _KEPT_OF_OLD.get(element.tag, ())]
        inner = [
            patch
            for patch in self._patches[element.patches :]
            if any(start <= patch[0] and patch[1] <= end for _, start, end in kept)
        ]
        del self._patches[element.patches :]
        self._patches += inner
        kept_spans = {child[1] for child in kept}
        self._patches += [(start, end, b"") for _, start, end in element.children if start not in kept_spans]
        place = tag_end(self._data, element.start) if element.tag == "w:pPr" else at
        self._patches.append((place, place, element.old or b""))

    def _rename(self, element: _Element, at: int, end: int) -> None:
        name = tag_name(self._data, element.start)
        new = name[: name.find(b":") + 1] + _RENAMED[element.tag]
        self._patches.insert(element.patches, (element.start + 1, element.start + 1 + len(name), new))
        if tag_end(self._data, element.start) < end:
            self._patches.append((at + 2, at + 2 + len(name), new))


@dataclass(slots=True)
class _Paragraph:
    """A paragraph: its head is ``start`` to ``content``, its tail ``close`` to ``end``.

    ``marks`` are tags that say that its end goes.
    """

    start: int
    parent: int
    tag: int
    content: int = 0
    close: int = 0
    end: int = 0
    marks: list[tuple[int, int]] = field(default_factory=list)
    ends_section: bool = False


class _Joiner(Visitor):
    """Joins paragraphs whose ends go with the next ones. The joined one has the properties of the last with content."""

    def __init__(self, data: bytes, gone: tuple[str, ...]) -> None:
        self._data = data
        self._gone = gone
        self._stack: list[tuple[str, int]] = []
        self._open: list[_Paragraph] = []
        self._all: list[_Paragraph] = []

    def start(self, tag: str, _attributes: Mapping[str, str], at: int) -> None:
        if tag == "w:p":
            parent = self._stack[-1][1] if self._stack else -1
            end = tag_end(self._data, at)
            self._open.append(_Paragraph(at, parent, end, end))
            self._all.append(self._open[-1])
        self._stack.append((tag, at))

    def end(self, tag: str, at: int) -> None:
        start = self._stack.pop()[1]
        if not self._open:
            return
        current = self._open[-1]
        end = element_end(self._data, start, at)
        above = [name for name, _ in self._stack[-3:]]
        if tag == "w:p":
            current.close, current.end = (end if current.tag == end else at), end
            self._open.pop()
        elif above[-1:] == ["w:p"] and tag == "w:pPr":
            current.content = end
        elif above[-2:] == ["w:p", "w:pPr"] and tag == "w:sectPr":
            current.ends_section = True
        elif above == ["w:p", "w:pPr", "w:rPr"] and tag in self._gone:
            current.marks.append((start, end))

    def patches(self) -> list[tuple[int, int, bytes]]:
        found: list[tuple[int, int, bytes]] = []
        for chain in self._chains():
            if len(chain) == 1:
                found += [(start, end, b"") for start, end in chain[0].marks]
            else:
                found += self._join(chain)
        return sorted(found)

    def _chains(self) -> Iterator[list[_Paragraph]]:
        """The paragraphs that are joined, and those alone whose end cannot go."""
        siblings: dict[int, list[_Paragraph]] = {}
        for paragraph in self._all:
            siblings.setdefault(paragraph.parent, []).append(paragraph)
        for row in siblings.values():
            chain = row[:1]
            for before, after in pairwise(row):
                near = not self._data[before.end : after.start].strip()
                if before.marks and near and not before.ends_section:
                    chain.append(after)
                else:
                    yield chain
                    chain = [after]
            yield chain

    def _join(self, chain: Sequence[_Paragraph]) -> Iterator[tuple[int, int, bytes]]:
        first, last = chain[0], chain[-1]
        filled = [one for one in chain if self._data[one.content : one.close].strip()]
        model = last if last.ends_section or not filled else filled[-1]
        tag = self._data[first.start : first.tag]
        yield first.start, first.content, tag + self._properties(model)
        for before, after in pairwise(chain):
            is_empty_tag = after.tag == after.end
            yield before.close, after.content, end_tag(self._data, first.start) if is_empty_tag else b""

    def _properties(self, paragraph: _Paragraph) -> bytes:
        at = paragraph.tag
        found = b""
        for start, end in sorted(paragraph.marks):
            found += self._data[at:start]
            at = end
        return found + self._data[at : paragraph.content]
