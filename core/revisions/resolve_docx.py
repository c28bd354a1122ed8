"""Accepting or rejecting tracked changes of a docx, all or some.

Inserted and deleted text, moved text, table rows, ends of paragraphs and changes of the look are resolved in the text,
the headers and footers and the notes (ECMA-376 part 1, section 17.13.5). Cells that were inserted, deleted or merged
stay marked.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate, pairwise

from core.formats.docx_elements import DELETIONS, INSERTIONS, PREFIXES
from core.formats.office_document import OfficeDocument, Patch
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
from core.revisions.docx_revisions import ALONE, FORMAT_CHANGES, RANGES, REVISIONS, docx_stories

_RENAMED = {"w:delText": b"t", "w:delInstrText": b"instrText"}
_KEPT_OF_OLD = {
    "w:pPr": ("w:rPr", "w:sectPr"),
    "w:rPr": REVISIONS,
    "w:sectPr": ("w:headerReference", "w:footerReference"),
    "w:trPr": REVISIONS,
    **dict.fromkeys(("w:tblPr", "w:tcPr", "w:tblGrid", "w:tblPrEx"), ()),
}
"""Elements whose formatting can be tracked, and which of their children the earlier formatting does not include."""

Chosen = Callable[[str, int], bool]
"""Whether to resolve the element of a change: (name of the part, place of the element in its UTF-8 bytes)."""


def resolve_docx(document: OfficeDocument, chosen: Chosen, *, accept: bool) -> bytes:
    """The file with some of its changes made, or undone; the others stay as they are. Raises ContainerError."""
    package = document.package
    parts: dict[str, bytes] = {}
    for name in docx_stories(document):
        part = to_utf8(package.read(name), name=package.name)
        resolver = _Resolver(part.data, DELETIONS if accept else INSERTIONS, partial(chosen, name))
        scan(part, resolver, PREFIXES, name=package.name)
        data = apply_patches(part.data, resolver.patches)
        joiner = _Joiner(data, resolver)
        scan(Part(data, "utf-8"), joiner, PREFIXES, name=package.name)
        data = apply_patches(data, joiner.patches())
        if data != part.data:
            parts[name] = part.encoded(data)
    return package.replaced(parts) if parts else package.data


@dataclass(slots=True)
class _Element:
    """An open element: its name, where it begins, how many patches were made before it, and its children so far.

    ``is_gone``: it will be removed. ``old`` is the content of its formatting before a tracked change.
    """

    tag: str
    start: int
    patches: int
    children: list[tuple[str, int, int]] = field(default_factory=list)
    is_gone: bool = False
    old: bytes | None = None


class _Resolver(Visitor):
    """Resolves everything but the ends of paragraphs that will be removed: those stay marked, for `_Joiner`.

    ``gone`` are the elements whose content is removed; ``chosen`` says whether to resolve the element at a place.
    """

    def __init__(self, data: bytes, gone: tuple[str, ...], chosen: Callable[[int], bool]) -> None:
        self.gone = gone
        self.patches: list[Patch] = []
        self._data = data
        self._chosen = chosen
        self._rejects = "w:ins" in gone
        self._stack: list[_Element] = []
        self._ends: list[int] = []

    def ends(self) -> set[int]:
        """Where the marks of the ends that will be removed are, once the patches are applied."""
        patches = sorted(self.patches, key=lambda patch: patch[:2])
        starts = [start for start, _, _ in patches]
        shifts = [0, *accumulate(len(content) - (end - start) for start, end, content in patches)]
        return {at + shifts[bisect_left(starts, at)] for at in self._ends}

    def start(self, tag: str, _attributes: Mapping[str, str], at: int) -> None:
        self._stack.append(_Element(tag, at, len(self.patches)))

    def end(self, _tag: str, at: int) -> None:
        element = self._stack.pop()
        end = element_end(self._data, element.start, at)
        parent = self._stack[-1] if self._stack else None
        if parent is not None:
            parent.children.append((element.tag, element.start, end))
        if element.is_gone:
            self._remove(element, end)
        elif element.tag in ALONE:
            if self._chosen(element.start):
                self._remove(element, end)
        elif element.tag in REVISIONS and parent is not None:
            if self._chosen(element.start):
                self._revision(element, parent, at, end)
        elif element.tag in FORMAT_CHANGES and parent is not None:
            if self._chosen(element.start):
                if self._rejects:
                    parent.old = self._old(element)
                self._remove(element, end)
        elif element.old is not None:
            self._restore(element, at)
        elif element.tag in _RENAMED and self._rejects and self._comes_back():
            self._rename(element, at, end)

    def _comes_back(self) -> bool:
        """Whether no deletion around this place stays."""
        return all(self._chosen(one.start) for one in self._stack if one.tag in DELETIONS)

    def _remove(self, element: _Element, end: int) -> None:
        while self._ends and self._ends[-1] >= element.start:
            self._ends.pop()
        del self.patches[element.patches :]
        self.patches.append((element.start, end, b""))

    def _revision(self, element: _Element, parent: _Element, at: int, end: int) -> None:
        goes = element.tag in self.gone
        if parent.tag == "w:rPr" and len(self._stack) > 1 and self._stack[-2].tag == "w:pPr":
            if goes:
                self._ends.append(element.start)
            else:
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
            self.patches.insert(element.patches, (element.start, tag, b""))
            if tag < end:
                self.patches.append((at, end, b""))

    def _old(self, change: _Element) -> bytes:
        """The content of the formatting before a change."""
        if not change.children:
            return b""
        _, start, end = change.children[0]
        inside = tag_end(self._data, start)
        return b"" if inside == end else self._data[inside : self._data.rindex(b"</", inside, end)]

    def _restore(self, element: _Element, at: int) -> None:
        """Replace the present formatting by that before a change."""
        kept = [child for child in element.children if child[0] in _KEPT_OF_OLD.get(element.tag, ())]
        inner = [
            patch
            for patch in self.patches[element.patches :]
            if any(start <= patch[0] and patch[1] <= end for _, start, end in kept)
        ]
        del self.patches[element.patches :]
        self.patches += inner
        kept_spans = {child[1] for child in kept}
        self.patches += [(start, end, b"") for _, start, end in element.children if start not in kept_spans]
        place = tag_end(self._data, element.start) if element.tag == "w:pPr" else at
        self.patches.append((place, place, element.old or b""))

    def _rename(self, element: _Element, at: int, end: int) -> None:
        name = tag_name(self._data, element.start)
        new = name[: name.find(b":") + 1] + _RENAMED[element.tag]
        self.patches.insert(element.patches, (element.start + 1, element.start + 1 + len(name), new))
        if tag_end(self._data, element.start) < end:
            self.patches.append((at + 2, at + 2 + len(name), new))


@dataclass(slots=True)
class _Paragraph:
    """A paragraph: its head is ``start`` to ``content``, its tail ``close`` to ``end``.

    ``marks`` are the tags that track its end. ``goes``: its end will be removed. ``filled``: something in it stays.
    """

    start: int
    parent: int
    tag: int
    content: int = 0
    close: int = 0
    end: int = 0
    marks: list[tuple[int, int]] = field(default_factory=list)
    goes: bool = False
    filled: bool = False
    ends_section: bool = False


class _Joiner(Visitor):
    """Joins paragraphs whose ends are removed with the next ones; the last one with content gives the properties.

    What other changes of the same kind will remove counts as removed already, so that their order does not matter.
    """

    def __init__(self, data: bytes, resolver: _Resolver) -> None:
        self._data = data
        self._gone = resolver.gone
        self._ends = resolver.ends()
        self._stack: list[tuple[str, int]] = []
        self._open: list[_Paragraph] = []
        self._all: list[_Paragraph] = []
        self._ranges: list[tuple[int, int]] = []
        self._hidden = 0

    def start(self, tag: str, _attributes: Mapping[str, str], at: int) -> None:
        if self._hidden or tag in self._gone:
            self._hidden += 1
        elif self._open and tag != "w:pPr" and tag not in REVISIONS and tag not in RANGES:
            parent = self._stack[-1][0]
            if parent == "w:p" or parent in REVISIONS:
                self._open[-1].filled = True
        if tag == "w:p":
            around = self._stack[-1][1] if self._stack else -1
            end = tag_end(self._data, at)
            self._open.append(_Paragraph(at, around, end, end))
            self._all.append(self._open[-1])
        self._stack.append((tag, at))

    def end(self, tag: str, at: int) -> None:
        start = self._stack.pop()[1]
        self._hidden = max(self._hidden - 1, 0)
        end = element_end(self._data, start, at)
        if tag in RANGES:
            self._ranges.append((start, end))
        if not self._open:
            return
        current = self._open[-1]
        above = [name for name, _ in self._stack[-3:]]
        if tag == "w:p":
            current.close, current.end = (end if current.tag == end else at), end
            self._open.pop()
        elif above[-1:] == ["w:p"] and tag == "w:pPr":
            current.content = end
        elif above[-2:] == ["w:p", "w:pPr"] and tag == "w:sectPr":
            current.ends_section = True
        elif above == ["w:p", "w:pPr", "w:rPr"] and tag in REVISIONS:
            current.marks.append((start, end))
            current.goes = current.goes or start in self._ends

    def patches(self) -> list[Patch]:
        found: list[Patch] = []
        for chain in self._chains():
            if len(chain) == 1:
                found += [(start, end, b"") for start, end in chain[0].marks if start in self._ends]
            else:
                found += self._join(chain)
        return sorted(found)

    def _chains(self) -> Iterator[list[_Paragraph]]:
        """Groups of paragraphs to join; one whose end stays is a group of its own."""
        siblings: dict[int, list[_Paragraph]] = {}
        for paragraph in self._all:
            siblings.setdefault(paragraph.parent, []).append(paragraph)
        for row in siblings.values():
            chain = row[:1]
            for before, after in pairwise(row):
                if before.goes and not before.ends_section and self._between(before, after) is not None:
                    chain.append(after)
                else:
                    yield chain
                    chain = [after]
            yield chain

    def _between(self, before: _Paragraph, after: _Paragraph) -> bytes | None:
        """The ends of moved ranges between two paragraphs; None if there is something else."""
        low, high = (bisect_left(self._ranges, (at, 0)) for at in (before.end, after.start))
        places = [before.end, *(place for span in self._ranges[low:high] for place in span), after.start]
        if any(self._data[start:end].strip() for start, end in zip(places[::2], places[1::2], strict=True)):
            return None
        return b"".join(self._data[start:end] for start, end in self._ranges[low:high])

    def _join(self, chain: Sequence[_Paragraph]) -> Iterator[Patch]:
        first, last = chain[0], chain[-1]
        filled = [one for one in chain if one.filled]
        model = last if last.ends_section or not filled else filled[-1]
        tag = self._data[first.start : first.tag]
        yield first.start, first.content, tag + self._properties(model, last)
        for before, after in pairwise(chain):
            is_empty_tag = after.tag == after.end
            between = self._between(before, after) or b""
            closing = end_tag(self._data, first.start) if is_empty_tag else b""
            yield before.close, after.content, between + closing

    def _properties(self, model: _Paragraph, last: _Paragraph) -> bytes:
        """The properties of ``model``, with the tracked changes of the end of ``last``."""
        at = model.tag
        found = b""
        kept = b"".join(self._data[start:end] for start, end in last.marks if start not in self._ends)
        for start, end in sorted(model.marks):
            found += self._data[at:start] + kept
            kept = b""
            at = end
        return found + self._data[at : model.content]
