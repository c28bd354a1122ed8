"""The tracked changes of a docx, read from its text, its headers and footers, and its notes.

ECMA-376 part 1, section 17.13.5; including ends of paragraphs, rows of tables, moves and changes of formatting.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from core.formats.docx import relations_of
from core.formats.docx_elements import DELETIONS, INSERTIONS, OBJECT_CHARACTER, PREFIXES
from core.formats.office_document import OfficeDocument
from core.formats.xml_scan import Visitor, element_end, scan, tag_end, to_utf8
from core.revisions.revision_list import OpenRevision, RevisionList
from core.revisions.types import Revision, RevisionKind, Story

REVISIONS = (*INSERTIONS, *DELETIONS)
RANGES = {f"w:move{way}Range{end}" for way in ("From", "To") for end in ("Start", "End")}
ALONE = {*RANGES, "w:numberingChange"}
"""Elements that are removed whether a change is accepted or rejected."""
FORMAT_CHANGES = {
    f"w:{of}Change" for of in ("pPr", "rPr", "sectPr", "trPr", "tblPr", "tcPr", "tblGrid", "tblPrEx")
}
_TEXTS = ("w:t", "w:delText", "m:t")
_SHOWN = {
    **{"w:tab": "\t", "w:ptab": "\t", "w:br": "\n", "w:cr": "\n", "w:noBreakHyphen": "\u2011"},
    **dict.fromkeys(
        ("w:sym", "w:drawing", "w:pict", "w:object", "w:footnoteReference", "w:endnoteReference"),
        OBJECT_CHARACTER,
    ),
}
_ANY = re.compile(
    rb"<(?:[\w.-]+:)?(?:ins|del|moveFrom|moveTo|numberingChange|"
    rb"(?:pPr|rPr|sectPr|trPr|tblPr|tcPr|tblGrid|tblPrEx)Change)[\s/>]"
)


def docx_stories(document: OfficeDocument) -> dict[str, Story]:
    """The story of each part that can hold tracked changes, by its name, the main text first."""
    stories = {document.part_name: Story.BODY}
    known = {story.value: story for story in Story if story is not Story.BODY}
    for one in relations_of(document.package, document.part_name):
        if one.kind in known and one.target in document.package.members:
            stories.setdefault(one.target, known[one.kind])
    return stories


def docx_has_revisions(document: OfficeDocument) -> bool:
    """See `core.revisions.resolve.has_revisions`."""
    package = document.package
    return any(
        _ANY.search(to_utf8(package.read(name), name=package.name).data) for name in docx_stories(document)
    )


def read_docx_revisions(document: OfficeDocument) -> list[Revision]:
    """See `core.revisions.resolve.read_revisions`."""
    package = document.package
    found: list[Revision] = []
    for name, story in docx_stories(document).items():
        part = to_utf8(package.read(name), name=package.name)
        reader = _Reader(part.data)
        scan(part, reader, PREFIXES, name=package.name)
        found += reader.list.revisions(name, story, document)
    return found


@dataclass(slots=True, eq=False)
class _Element:
    """An open element. ``inside``: the revisions of its content; ``at_end``: the tracked changes of its end."""

    tag: str
    start: int
    inside: list[tuple[OpenRevision, bool]] = field(default_factory=list)
    at_end: list[tuple[str, Mapping[str, str], int]] = field(default_factory=list)


class _Reader(Visitor):
    """A visitor of a part that fills ``list``."""

    def __init__(self, data: bytes) -> None:
        self.list = RevisionList()
        self._data = data
        self._stack: list[_Element] = []
        self._skip = 0
        self._moves: dict[tuple[str, str], tuple[str, int]] = {}
        self._in_alternatives = 0
        self._in_fallback = 0

    def start(self, tag: str, attributes: Mapping[str, str], at: int) -> None:
        element = _Element(tag, at)
        self._stack.append(element)
        if self._skip:
            return
        if tag in FORMAT_CHANGES:
            # It holds the formatting before the change, in which nothing is tracked.
            self._skip = len(self._stack)
            self._format_change(tag, attributes, at)
        elif tag == "w:numberingChange":
            self._within(self._ancestor("w:p"), RevisionKind.FORMATTED, attributes, at)
        elif tag in RANGES:
            self._range(tag, attributes, at)
        elif tag in REVISIONS:
            self._revision(element, tag, attributes, at)
        elif tag == "mc:AlternateContent":
            self._in_alternatives += 1
        elif tag == "mc:Fallback":
            self._in_fallback += 1
        elif tag in _SHOWN and self._tag(-2) in ("w:r", "mc:Choice", "mc:Fallback"):
            self._words(_SHOWN[tag], at, tag_end(self._data, at))
        elif tag == "m:oMath":
            self._words(OBJECT_CHARACTER, at, tag_end(self._data, at))

    def end(self, tag: str, at: int) -> None:
        element = self._stack[-1]
        if not self._skip and tag == "w:p":
            self._end_paragraph(element, at)
        elif not self._skip and tag == "mc:AlternateContent":
            self._in_alternatives -= 1
            self._keep_open()
        elif not self._skip and tag == "mc:Fallback":
            self._in_fallback -= 1
        if self._skip == len(self._stack):
            self._skip = 0
        self._stack.pop()

    def text(self, text: str, start: int, end: int) -> None:
        if not self._skip and self._tag(-1) in _TEXTS:
            self._words(text, start, end)

    # The changes

    def _revision(self, element: _Element, tag: str, attributes: Mapping[str, str], at: int) -> None:
        parent = self._tag(-2)
        if parent == "w:rPr" and self._tag(-3) == "w:pPr":
            self._at_end(tag, attributes, at)
        elif parent == "w:trPr":
            self._within(self._ancestor("w:tr"), self._kind(tag), attributes, at)
        elif parent == "w:numPr":
            self._within(self._ancestor("w:p"), RevisionKind.FORMATTED, attributes, at)
        else:
            element.inside.append(self._enter(tag, attributes, at))

    def _format_change(self, tag: str, attributes: Mapping[str, str], at: int) -> None:
        if tag == "w:rPrChange" and self._tag(-3) == "w:pPr":
            self._at_end(tag, attributes, at)
            return
        owner = self._stack[-3] if len(self._stack) > 2 else None
        self._within(owner, RevisionKind.FORMATTED, attributes, at)

    def _within(
        self, owner: _Element | None, kind: RevisionKind, attributes: Mapping[str, str], at: int
    ) -> None:
        """A change of a whole element; that of a section, which has no element of its own, has no words."""
        revision = self.list.enter(kind, *_who(attributes), at, at)
        if owner is not None and owner.tag not in ("w:body", "w:pPr"):
            owner.inside.append((revision, False))

    def _at_end(self, tag: str, attributes: Mapping[str, str], at: int) -> None:
        paragraph = self._ancestor("w:p")
        if paragraph is not None:
            paragraph.at_end.append((tag, attributes, at))

    def _enter(self, tag: str, attributes: Mapping[str, str], at: int) -> tuple[OpenRevision, bool]:
        """The revision of an element, and whether its text was moved away from there."""
        way = tag.removeprefix("w:move") if tag in ("w:moveFrom", "w:moveTo") else ""
        move = next((name for (of, _), (name, _) in reversed(self._moves.items()) if of == way), "")
        kind = RevisionKind.MOVED if move else self._kind(tag)
        return self.list.enter(kind, *_who(attributes), at, at, move=move), bool(move) and way == "From"

    def _kind(self, tag: str) -> RevisionKind:
        if tag in FORMAT_CHANGES:
            return RevisionKind.FORMATTED
        return RevisionKind.INSERTED if tag in INSERTIONS else RevisionKind.DELETED

    def _range(self, tag: str, attributes: Mapping[str, str], at: int) -> None:
        """A range of moved text begins or ends; it belongs to the move with its name."""
        way = "From" if "From" in tag else "To"
        number = attributes.get("w:id", "")
        if tag.endswith("Start"):
            name = attributes.get("w:name", "")
            if name:
                self._moves[way, number] = (name, at)
                self.list.enter(RevisionKind.MOVED, *_who(attributes), at, at, move=name)
        elif (way, number) in self._moves:
            name, _ = self._moves.pop((way, number))
            self.list.enter(RevisionKind.MOVED, "", "", at, at, move=name)

    # The words

    def _end_paragraph(self, paragraph: _Element, at: int) -> None:
        revisions = [self._enter(*mark) for mark in paragraph.at_end]
        paragraph.inside += revisions
        self._words("\n", at, element_end(self._data, paragraph.start, at))

    def _words(self, text: str, start: int, end: int) -> None:
        """Something visible; it belongs to all revisions around it."""
        if not self._in_fallback:
            for revision, is_origin in self._around().items():
                revision.add(text, start, end, is_origin=is_origin)
        self._keep_open()

    def _keep_open(self) -> None:
        """Close the revisions that do not go on here. Between the two forms of a text box, all go on."""
        if not self._in_alternatives:
            self.list.keep_open(self._around())

    def _around(self) -> dict[OpenRevision, bool]:
        """The revisions around this place, and whether text was moved away from it."""
        return {revision: is_origin for element in self._stack for revision, is_origin in element.inside}

    def _tag(self, number: int) -> str:
        return self._stack[number].tag if len(self._stack) >= -number else ""

    def _ancestor(self, tag: str) -> _Element | None:
        return next((one for one in reversed(self._stack) if one.tag == tag), None)


def _who(attributes: Mapping[str, str]) -> tuple[str, str]:
    return attributes.get("w:author", ""), attributes.get("w:date", "")
