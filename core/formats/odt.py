"""OpenDocument texts (.odt): text, notes, headers and footers, saved by rewriting only the edited stretches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.documents.types import Format
from core.formats.odt_reader import PREFIXES, OdtReader
from core.formats.odt_writer import needs_rewrite, write
from core.formats.office_document import OfficeDocument, document_notes, join_parts, visit_part
from core.formats.text_layout import lay_out, lock_all, quoted_ranges, suppressed_ranges, with_asides
from core.formats.text_properties import read_appearance, read_italics, read_non_prose, read_unread
from core.formats.types import ContainerError
from core.formats.xml_scan import Visitor, scan, to_utf8
from core.formats.zip_package import open_package
from core.i18n import tr

_CONTENT = "content.xml"
_MANIFEST = "META-INF/manifest.xml"
_SIGNATURES = "META-INF/documentsignatures.xml"
_STYLES = "styles.xml"
_KIND = b"application/vnd.oasis.opendocument.text"


def open_odt(data: bytes, *, name: str) -> OfficeDocument:
    """Open the bytes of an .odt; raises ContainerError where it is unsafe, damaged or no text document."""
    package = open_package(data, name=name)
    if "mimetype" in package.members and not package.read("mimetype").startswith(_KIND):
        raise _no_document(name)
    if visit_part(package, _MANIFEST, _ManifestVisitor(), PREFIXES).encrypted:
        raise ContainerError(
            tr("{name} is protected by a password. Remove the password and open it again.").format(name=name)
        )
    if _CONTENT not in package.members:
        raise _no_document(name)
    names = [one for one in (_CONTENT, _STYLES) if one in package.members]
    texts = join_parts([(one, to_utf8(package.read(one), name=name)) for one in names])
    data = b"".join(one.part.data for one in texts)
    margins = OdtReader(data)
    for one in texts[1:]:
        scan(one.part, margins, PREFIXES, name=name, start=one.start)
    reader = OdtReader(data, margins.styles, margins.list_styles)
    scan(texts[0].part, reader, PREFIXES, name=name)
    if not reader.is_document:
        raise _no_document(name)
    asides = [*reader.asides, *margins.asides]
    layout = lay_out(with_asides(reader.lines, asides), data)
    if _SIGNATURES in package.members:
        layout = lock_all(
            layout,
            tr(
                "The document is signed: a change would break the signature. Save a copy in the word processor first."
            ),
        )
    non_prose = read_non_prose(layout)
    return OfficeDocument(
        format=Format.ODT,
        package=package,
        parts=texts,
        data=data,
        layout=layout,
        suppressed=suppressed_ranges(layout, reader.suppressed | margins.suppressed),
        quotes=quoted_ranges(layout, reader.styles),
        unread=(*reader.unread, *margins.unread, *read_unread(layout, non_prose)),
        non_prose=non_prose,
        set_apart=read_italics(layout),
        appearance=read_appearance(layout, asides),
        notes=document_notes(layout, _tracking_note() if reader.tracking else ""),
        tracking=reader.tracking,
        writer=write,
        needs_rewrite=needs_rewrite,
        opener=open_odt,
    )


@dataclass(slots=True)
class _ManifestVisitor(Visitor):
    """A visitor of the manifest."""

    encrypted: bool = False

    def start(self, tag: str, _attributes: Mapping[str, str], _at: int) -> None:
        self.encrypted = self.encrypted or tag == "manifest:encryption-data"


def _tracking_note() -> str:
    return tr("Track Changes is on in this document: changes that you make here are tracked, too.")


def _no_document(name: str) -> ContainerError:
    return ContainerError(
        tr(
            "{name} is not an OpenDocument text. Save it as .odt in your word processor and open that."
        ).format(name=name)
    )
