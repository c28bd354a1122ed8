"""Word documents (.docx): text, notes, headers and footers, saved by rewriting the edited runs and nothing else.

Notes are those of ECMA-376 part 1, section 17.11, in the order of their marks; headers and footers those of 17.10.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple
from urllib.parse import unquote

from core.documents.suppression import is_suppression_comment
from core.documents.types import Format
from core.formats.docx_elements import (
    NOTE_PROPERTIES,
    NUMBER_FORMATS,
    PREFIXES,
    NoteNumberings,
    read_number,
)
from core.formats.docx_reader import (
    PROPERTIES,
    DocxReader,
    NoteMark,
    read_level,
    read_outline,
    read_property,
)
from core.formats.docx_writer import DocxWriter, TextTarget
from core.formats.office_document import (
    OfficeDocument,
    TextPart,
    document_notes,
    join_parts,
    visit_part,
)
from core.formats.styles import PLAIN, Style
from core.formats.text_layout import (
    Aside,
    lay_out,
    lock_all,
    quoted_ranges,
    suppressed_ranges,
    with_asides,
)
from core.formats.text_properties import read_appearance, read_italics, read_non_prose, read_unread
from core.formats.types import ContainerError
from core.formats.xml_scan import Part, Visitor, scan, to_utf8
from core.formats.zip_package import Package, open_package
from core.i18n import tr
from core.text.list_labels import ListDefinition, ListLevel, numeral
from core.types import Unread, UnreadKind

_RELATIONS = {"http://schemas.openxmlformats.org/package/2006/relationships": "r"}
_COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ON = ("1", "true", "on", "")
_ROOTS = {"footnotes": "w:footnotes", "endnotes": "w:endnotes", "header": "w:hdr", "footer": "w:ftr"}
"""The kinds of the parts with notes, headers and footers, and the outermost element of each."""
_MOST_BYTES = 16_000_000
"""The most bytes of notes, headers and footers that are read, all together."""


def open_docx(data: bytes, *, name: str) -> OfficeDocument:
    """Open the bytes of a .docx; raises ContainerError where it is unsafe, damaged or no Word document."""
    if data.startswith(_COMPOUND):
        raise ContainerError(
            tr(
                "{name} is protected by a password, or is an old Word file (.doc). "
                "Open it in Word, remove the password, save it as .docx and open that."
            ).format(name=name)
        )
    package = open_package(data, name=name)
    top = _relations(package, "_rels/.rels", "")
    main = next((one.target for one in top if one.kind == "officeDocument"), "")
    if not main:
        raise _no_document(name)
    relations = relations_of(package, main)
    part = to_utf8(package.read(main), name=name)
    texts = join_parts([(main, part), *_aside_parts(package, relations, main)])
    data = b"".join(one.part.data for one in texts)
    parts = related_parts(package, main)
    styles = visit_part(package, parts.get("styles"), StylesVisitor(), PREFIXES)
    numbering = visit_part(package, parts.get("numbering"), _NumberingVisitor(), PREFIXES)
    new_reader = partial(DocxReader, data, styles.found, styles.default, numbering.found())
    reader = new_reader()
    scan(part, reader, PREFIXES, name=name)
    if not reader.is_right:
        raise _no_document(name)
    settings = visit_part(package, parts.get("settings"), _SettingsVisitor(), PREFIXES)
    comments = visit_part(package, parts.get("comments"), _SettingsVisitor(), PREFIXES)
    asides = _Asides(reader, package, relations, texts[1:], new_reader, settings.numberings)
    asides.read(has_even_pages=settings.has_even_pages)
    layout = lay_out(with_asides(reader.lines, asides.found), data)
    if any(one.kind == "origin" for one in top):
        layout = lock_all(
            layout,
            tr("The document is signed: a change would break the signature. Save a copy in Word first."),
        )
    elif settings.protected:
        layout = lock_all(
            layout, tr("The document is protected against changes. Remove the protection in Word first.")
        )
    non_prose = read_non_prose(layout)
    return OfficeDocument(
        format=Format.DOCX,
        package=package,
        parts=(texts[0], *asides.parts),
        data=data,
        layout=layout,
        suppressed=suppressed_ranges(layout, comments.suppressed),
        quotes=quoted_ranges(layout, styles.found),
        unread=(*reader.unread, *asides.unread, *read_unread(layout, non_prose)),
        non_prose=non_prose,
        set_apart=read_italics(layout),
        appearance=read_appearance(layout, asides.found),
        notes=document_notes(layout, _tracking_note() if settings.tracking else ""),
        tracking=settings.tracking,
        writer=DocxWriter(data),
        needs_rewrite=None,
        opener=open_docx,
    )


class Relation(NamedTuple):
    """A relationship of a part: the last part of its type, the full name of its target, and its id."""

    kind: str
    target: str
    id: str


def _aside_parts(package: Package, relations: Sequence[Relation], main: str) -> Iterator[tuple[str, Part]]:
    """The parts with notes, headers and footers that can be read, up to a size of all together."""
    left = _MOST_BYTES
    for name in dict.fromkeys(one.target for one in relations if one.kind in _ROOTS):
        member = package.members.get(name)
        if member is None or name == main or member.size > left:
            continue
        left -= member.size
        try:
            yield name, to_utf8(package.read(name), name=package.name)
        except ContainerError:
            continue


class _Asides:
    """Collects the notes, headers and footers of a document: ``found``, and the ``parts`` that hold them.

    ``unread`` is what is not shown of them, including those that are missing from the file or damaged.
    """

    def __init__(
        self,
        main: DocxReader,
        package: Package,
        relations: Sequence[Relation],
        texts: Sequence[TextPart],
        new_reader: Callable[..., DocxReader],
        numberings: NoteNumberings,
    ) -> None:
        self.found: list[Aside] = []
        self.parts: list[TextPart] = []
        self.unread: list[Unread] = []
        self._main = main
        self._package = package
        self._relations = relations
        self._texts = {one.name: one for one in texts}
        self._new_reader = new_reader
        self._numberings = numberings

    def read(self, *, has_even_pages: bool) -> None:
        """Read everything that a word processor shows."""
        self._read_notes("footnotes", tr("Footnote {number}"), tr("Footnote"))
        self._read_notes("endnotes", tr("Endnote {number}"), tr("Endnote"))
        pages = ["default", *["first"] * self._main.has_title_page, *["even"] * has_even_pages]
        self._read_margins("header", tr("Header"), pages)
        self._read_margins("footer", tr("Footer"), pages)

    def _read_notes(self, kind: str, numbered: str, typed: str) -> None:
        marks = {number: mark for (of, number), mark in self._main.note_marks.items() if of == kind}
        if not marks:
            return
        name = next((one.target for one in self._relations if one.kind == kind), "")
        reader = self._scanned(name, kind, marks)
        if reader is not None:
            self._add(name, reader)
        notes = reader.notes if reader is not None else {}
        for (number, mark), sign in zip(marks.items(), self._signs(kind, marks.values()), strict=True):
            if number in notes:
                label = numbered.format(number=sign) if sign else typed
                self.found.append(Aside(notes[number], label, mark.at, sign))
            else:
                self.unread.append(Unread(UnreadKind.FOOTNOTE))

    def _signs(self, kind: str, marks: Iterable[NoteMark]) -> Iterator[str]:
        """The number of each note as it is printed, empty for a mark that was typed.

        Numbers that begin anew on each page go on here, as the pages are not known.
        """
        sections = self._main.numberings
        count, last = -1, -1
        for mark in marks:
            own = sections[mark.section] if mark.section < len(sections) else NoteNumberings()
            numbering = own.over(self._numberings, kind)
            if count < 0 or (numbering.in_sections and mark.section != last):
                count = numbering.start - 1
            count += not mark.is_typed
            last = mark.section
            yield "" if mark.is_typed else numeral(count, numbering.numbers)

    def _read_margins(self, kind: str, label: str, pages: Collection[str]) -> None:
        targets = {one.id: one.target for one in self._relations if one.kind == kind}
        named = (one for one in self._main.margins if one.kind == kind and one.pages in pages)
        for name in dict.fromkeys(targets.get(one.relation, "") for one in named):
            reader = self._scanned(name, kind)
            if reader is not None and _has_words(reader):
                self._add(name, reader)
                self.found.append(Aside(reader.lines, label))
            elif reader is None and name in self._package.members:
                self.unread.append(Unread(UnreadKind.MARGIN))

    def _add(self, name: str, reader: DocxReader) -> None:
        self.parts.append(self._texts[name])
        self.unread += reader.unread

    def _scanned(self, name: str, kind: str, wanted: Collection[str] = ()) -> DocxReader | None:
        """A reader that has scanned a part; None if the part is missing, damaged or of another kind."""
        text = self._texts.get(name)
        if text is None:
            return None
        reader = self._new_reader(root=_ROOTS[kind], wanted=wanted)
        try:
            scan(text.part, reader, PREFIXES, name=self._package.name, start=text.start)
        except ContainerError:
            return None
        return reader if reader.is_right else None


def _has_words(reader: DocxReader) -> bool:
    """Whether a header or a footer holds more than pictures and page numbers, or did before words were deleted."""
    has_text = any(
        isinstance(segment.target, TextTarget) or (segment.reason and any(map(str.isalpha, segment.text)))
        for line in reader.lines
        for segment in line.segments
    )
    return has_text or any(one.kind is UnreadKind.DELETION for one in reader.unread)


@dataclass(slots=True)
class _SettingsVisitor(Visitor):
    """A visitor of the part with the settings and of the one with the comments."""

    protected: bool = False
    tracking: bool = False
    has_even_pages: bool = False
    numberings: NoteNumberings = field(default_factory=NoteNumberings)
    suppressed: set[str] = field(default_factory=set)
    comment: str = ""
    parent: str = ""
    words: list[str] = field(default_factory=list)
    in_text: bool = False

    def start(self, tag: str, attributes: Mapping[str, str], _at: int) -> None:
        if tag == "w:documentProtection":
            # Without a kind of editing only the formatting is restricted, and that stays as it is here.
            restricts_text = attributes.get("w:edit", "none") != "none"
            self.protected = restricts_text and attributes.get("w:enforcement", "0").casefold() in _ON
        elif tag == "w:trackRevisions":
            self.tracking = attributes.get("w:val", "").casefold() in _ON
        elif tag == "w:evenAndOddHeaders":
            self.has_even_pages = attributes.get("w:val", "").casefold() in _ON
        elif tag == "w:comment":
            self.comment = attributes.get("w:id", "")
            self.words.clear()
        elif tag in NOTE_PROPERTIES:
            self.parent = tag
        elif self.parent:
            self.numberings.read(self.parent, tag, attributes)
        self.in_text = tag == "w:t"

    def end(self, tag: str, _at: int) -> None:
        self.in_text = False
        if tag in NOTE_PROPERTIES:
            self.parent = ""
        if tag == "w:comment" and is_suppression_comment("".join(self.words)):
            self.suppressed.add(self.comment)

    def text(self, text: str, _start: int, _end: int) -> None:
        if self.in_text:
            self.words.append(text)


@dataclass(slots=True)
class StylesVisitor(Visitor):
    """A visitor of the styles: the name, the base and the properties of each, by its id; the defaults by no id.

    ``default`` is the id of the style of paragraphs that name none. ``part`` is the part of a table that a style of
    tables is describing.
    """

    found: dict[str, Style] = field(default_factory=dict)
    style: str = ""
    default: str = ""
    part: str = ""

    def start(self, tag: str, attributes: Mapping[str, str], _at: int) -> None:
        known = self.found.get(self.style, Style())
        value = attributes.get("w:val", "")
        if tag == "w:style":
            self.style, self.part = attributes.get("w:styleId", ""), ""
            is_default = attributes.get("w:default", "0").casefold() in _ON
            if is_default and attributes.get("w:type") == "paragraph":
                self.default = self.style
        elif tag == "w:name":
            self.found[self.style] = replace(known, name=value)
        elif tag == "w:basedOn":
            self.found[self.style] = replace(known, base=value)
        elif tag == "w:tblStylePr":
            self.part = attributes.get("w:type", "")
        elif self.part:
            if tag == "w:b" and self.part == "firstRow":
                is_bold = bool(read_property(PLAIN, tag, attributes).bold)
                self.found[self.style] = replace(known, bold_header=is_bold)
        elif tag == "w:outlineLvl":
            self.found[self.style] = replace(known, outline=read_outline(attributes))
        elif tag == "w:numId":
            self.found[self.style] = replace(known, list_id=value)
        elif tag == "w:ilvl":
            self.found[self.style] = replace(known, list_level=read_level(attributes))
        elif tag in PROPERTIES:
            self.found[self.style] = replace(
                known, properties=read_property(known.properties, tag, attributes)
            )


@dataclass(slots=True)
class _NumberingVisitor(Visitor):
    """A visitor of the lists: the levels of each definition, and the definition and own first numbers of each list.

    A definition can be one of a style: ``linked`` names the style, and ``by_style`` the definition with its levels.
    """

    levels: dict[str, dict[int, ListLevel]] = field(default_factory=dict)
    linked: dict[str, str] = field(default_factory=dict)
    by_style: dict[str, str] = field(default_factory=dict)
    definitions: dict[str, str] = field(default_factory=dict)
    restarts: dict[str, dict[int, int]] = field(default_factory=dict)
    definition: str = ""
    list_id: str = ""
    level: int = 1

    def start(self, tag: str, attributes: Mapping[str, str], _at: int) -> None:
        value = attributes.get("w:val", "")
        if tag == "w:abstractNum":
            self.definition = attributes.get("w:abstractNumId", "")
            self.levels[self.definition] = {}
        elif tag == "w:num":
            self.definition, self.list_id = "", attributes.get("w:numId", "")
        elif tag == "w:abstractNumId":
            self.definitions[self.list_id] = value
        elif tag in ("w:lvl", "w:lvlOverride"):
            self.level = read_level({"w:val": attributes.get("w:ilvl", "")}) + 1
        elif tag == "w:startOverride":
            self.restarts.setdefault(self.list_id, {})[self.level] = read_number(value)
        elif tag == "w:numStyleLink":
            self.linked[self.definition] = value
        elif tag == "w:styleLink":
            self.by_style[value] = self.definition
        elif self.definition and tag in ("w:numFmt", "w:lvlText", "w:start"):
            levels = self.levels[self.definition]
            known = levels.get(self.level, ListLevel())
            if tag == "w:numFmt":
                known = replace(known, numbers=NUMBER_FORMATS.get(value, "1"))
            elif tag == "w:lvlText":
                known = replace(known, text=value)
            else:
                known = replace(known, start=read_number(value))
            levels[self.level] = known

    def found(self) -> dict[str, ListDefinition]:
        """The lists by their ids."""
        found = {}
        for one, definition in self.definitions.items():
            known = self.by_style.get(self.linked.get(definition, ""), definition)
            found[one] = ListDefinition(known, self.levels.get(known, {}), self.restarts.get(one, {}))
        return found


@dataclass(slots=True)
class _RelationsVisitor(Visitor):
    """A visitor of a part with relationships; the targets are as written there."""

    found: list[Relation] = field(default_factory=list)

    def start(self, tag: str, attributes: Mapping[str, str], _at: int) -> None:
        if tag == "r:Relationship" and attributes.get("TargetMode") != "External":
            kind = attributes.get("Type", "").rpartition("/")[2]
            self.found.append(Relation(kind, attributes.get("Target", ""), attributes.get("Id", "")))


def _relations(package: Package, part: str, folder: str) -> list[Relation]:
    """The relationships in a part; none if there is no such part."""
    relations = visit_part(package, part, _RelationsVisitor(), _RELATIONS)
    return [one._replace(target=_full(unquote(one.target), folder)) for one in relations.found]


def relations_of(package: Package, part: str) -> list[Relation]:
    """The relationships of a part of the package. Raises ContainerError."""
    folder, leaf = posixpath.split(part)
    return _relations(package, posixpath.join(folder, "_rels", f"{leaf}.rels"), folder)


def related_parts(package: Package, part: str) -> dict[str, str]:
    """The names of the parts that a part refers to, by kind; the first of several of a kind."""
    relations = reversed(relations_of(package, part))
    return {one.kind: one.target for one in relations if one.target in package.members}


def _full(target: str, folder: str) -> str:
    return posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")


def _tracking_note() -> str:
    return tr("Track Changes is on in this document: changes that you make here are tracked, too.")


def _no_document(name: str) -> ContainerError:
    return ContainerError(
        tr("{name} is not a Word document. Save it as .docx in Word and open that.").format(name=name)
    )
