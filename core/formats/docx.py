"""Word documents (.docx): the text of the main part, saved by writing the edited runs and nothing else anew."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import unquote

from core.documents.suppression import is_suppression_comment
from core.documents.types import Format
from core.formats.docx_elements import PREFIXES
from core.formats.docx_reader import PROPERTIES, DocxReader, read_level, read_outline, read_property
from core.formats.docx_writer import DocxWriter
from core.formats.office_document import OfficeDocument, document_notes, visit_part
from core.formats.styles import Style
from core.formats.text_layout import lay_out, lock_all, quoted_ranges, suppressed_ranges
from core.formats.text_properties import read_appearance, read_italics, read_masks, read_unread
from core.formats.types import ContainerError
from core.formats.xml_scan import Visitor, scan, to_utf8
from core.formats.zip_package import Package, open_package
from core.i18n import tr
from core.types import Unread, UnreadKind

_RELATIONS = {"http://schemas.openxmlformats.org/package/2006/relationships": "r"}
_COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ON = ("1", "true", "on", "")


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
    main = next((target for kind, target in top if kind == "officeDocument"), "")
    if not main:
        raise _no_document(name)
    relations = relations_of(package, main)
    part = to_utf8(package.read(main), name=name)
    parts = related_parts(package, main)
    styles = visit_part(package, parts.get("styles"), StylesVisitor(), PREFIXES)
    numbering = visit_part(package, parts.get("numbering"), _NumberingVisitor(), PREFIXES)
    reader = DocxReader(part.data, styles.found, styles.default, numbering.numbered())
    scan(part, reader, PREFIXES, name=name)
    if not reader.is_document:
        raise _no_document(name)
    layout = lay_out(reader.lines, part.data)
    settings = visit_part(package, parts.get("settings"), _SettingsVisitor(), PREFIXES)
    comments = visit_part(package, parts.get("comments"), _SettingsVisitor(), PREFIXES)
    margins = {target for kind, target in relations if kind in ("header", "footer")}
    if any(kind == "origin" for kind, _ in top):
        layout = lock_all(
            layout,
            tr("The document is signed: a change would break the signature. Save a copy in Word first."),
        )
    elif settings.protected:
        layout = lock_all(
            layout, tr("The document is protected against changes. Stop the protection in Word first.")
        )
    masks = read_masks(layout)
    return OfficeDocument(
        format=Format.DOCX,
        package=package,
        part_name=main,
        part=part,
        layout=layout,
        suppressed=suppressed_ranges(layout, comments.suppressed),
        quotes=quoted_ranges(layout, styles.found),
        unread=(
            *reader.unread,
            *(Unread(UnreadKind.MARGIN) for part in margins if part in package.members),
            *read_unread(layout, masks),
        ),
        masks=masks,
        set_apart=read_italics(layout),
        appearance=read_appearance(layout),
        notes=document_notes(layout, _tracking_note() if settings.tracking else ""),
        tracking=settings.tracking,
        writer=DocxWriter(part.data),
        needs_rewrite=None,
        opener=open_docx,
    )


@dataclass(slots=True)
class _SettingsVisitor(Visitor):
    """What is wanted of the settings and the comments: a visitor of both parts."""

    protected: bool = False
    tracking: bool = False
    suppressed: set[str] = field(default_factory=set)
    comment: str = ""
    words: list[str] = field(default_factory=list)
    in_text: bool = False

    def start(self, tag: str, attributes: Mapping[str, str], _at: int) -> None:
        if tag == "w:documentProtection":
            # Without a kind of editing only the formatting is restricted, and that stays as it is here.
            restricts_text = attributes.get("w:edit", "none") != "none"
            self.protected = restricts_text and attributes.get("w:enforcement", "0").casefold() in _ON
        elif tag == "w:trackRevisions":
            self.tracking = attributes.get("w:val", "").casefold() in _ON
        elif tag == "w:comment":
            self.comment = attributes.get("w:id", "")
            self.words.clear()
        self.in_text = tag == "w:t"

    def end(self, tag: str, _at: int) -> None:
        self.in_text = False
        if tag == "w:comment" and is_suppression_comment("".join(self.words)):
            self.suppressed.add(self.comment)

    def text(self, text: str, _start: int, _end: int) -> None:
        if self.in_text:
            self.words.append(text)


@dataclass(slots=True)
class StylesVisitor(Visitor):
    """A visitor of the styles: the name, the base and the properties of each, by its id; the defaults by no id.

    ``default`` is the id of the style of paragraphs that name none.
    """

    found: dict[str, Style] = field(default_factory=dict)
    style: str = ""
    default: str = ""

    def start(self, tag: str, attributes: Mapping[str, str], _at: int) -> None:
        known = self.found.get(self.style, Style())
        value = attributes.get("w:val", "")
        if tag == "w:style":
            self.style = attributes.get("w:styleId", "")
            is_default = attributes.get("w:default", "0").casefold() in _ON
            if is_default and attributes.get("w:type") == "paragraph":
                self.default = self.style
        elif tag == "w:name":
            self.found[self.style] = replace(known, name=value)
        elif tag == "w:basedOn":
            self.found[self.style] = replace(known, base=value)
        elif tag == "w:outlineLvl":
            self.found[self.style] = replace(known, outline=read_outline(attributes))
        elif tag in PROPERTIES:
            self.found[self.style] = replace(
                known, properties=read_property(known.properties, tag, attributes)
            )


@dataclass(slots=True)
class _NumberingVisitor(Visitor):
    """A visitor of the lists: the definition of each, and which levels of a definition have numbers."""

    lists: dict[str, str] = field(default_factory=dict)
    with_numbers: dict[tuple[str, int], bool] = field(default_factory=dict)
    definition: str = ""
    list_id: str = ""
    level: int = 0

    def start(self, tag: str, attributes: Mapping[str, str], _at: int) -> None:
        if tag == "w:abstractNum":
            self.definition = attributes.get("w:abstractNumId", "")
        elif tag == "w:lvl":
            self.level = read_level({"w:val": attributes.get("w:ilvl", "")})
        elif tag == "w:numFmt":
            self.with_numbers[self.definition, self.level] = attributes.get("w:val") not in ("bullet", "none")
        elif tag == "w:num":
            self.list_id = attributes.get("w:numId", "")
            self.definition = ""
        elif tag == "w:abstractNumId":
            self.lists[self.list_id] = attributes.get("w:val", "")

    def numbered(self) -> dict[tuple[str, int], bool]:
        """Whether the items of a list have numbers, by (list, level from 0 on)."""
        return {
            (one, level): numbered
            for one, definition in self.lists.items()
            for (known, level), numbered in self.with_numbers.items()
            if known == definition
        }


@dataclass(slots=True)
class _RelationsVisitor(Visitor):
    """A visitor of a part of relationships: (last step of the kind, target)."""

    found: list[tuple[str, str]] = field(default_factory=list)

    def start(self, tag: str, attributes: Mapping[str, str], _at: int) -> None:
        if tag == "r:Relationship" and attributes.get("TargetMode") != "External":
            self.found.append((attributes.get("Type", "").rpartition("/")[2], attributes.get("Target", "")))


def _relations(package: Package, part: str, folder: str) -> list[tuple[str, str]]:
    """What a part refers to: (kind, name of the part), the names in full; nothing where it has no relationships."""
    relations = visit_part(package, part, _RelationsVisitor(), _RELATIONS)
    return [(kind, _full(unquote(target), folder)) for kind, target in relations.found]


def relations_of(package: Package, part: str) -> list[tuple[str, str]]:
    """What a part of the package refers to: (kind, name of the part). Raises ContainerError."""
    folder, leaf = posixpath.split(part)
    return _relations(package, posixpath.join(folder, "_rels", f"{leaf}.rels"), folder)


def related_parts(package: Package, part: str) -> dict[str, str]:
    """The names of the parts that a part refers to, by kind; the first of several of a kind."""
    relations = reversed(relations_of(package, part))
    return {kind: target for kind, target in relations if target in package.members}


def _full(target: str, folder: str) -> str:
    return posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")


def _tracking_note() -> str:
    return tr("Track Changes is on in this document: what you change here is tracked, too.")


def _no_document(name: str) -> ContainerError:
    return ContainerError(
        tr("{name} is not a Word document. Save it as .docx in Word and open that.").format(name=name)
    )
