"""Any file that can be read, from its bytes: what its format is, its text, and what of it can be edited."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePath

from core.documents import detect, parse
from core.documents.types import Document, Format, Off, Span
from core.formats.types import Container, ContainerError
from core.i18n import tr
from core.storage.files import FileError, decode

# Files that are more than their text: docx, odt and html, opened and saved without touching the rest.


def open_container(data: bytes, format: Format, *, name: str) -> Container:
    """Open the bytes of a docx, odt or html file; raises ContainerError.

    ``name`` is what messages call the file. Raises ValueError for a format that is nothing but text.
    """
    if format is Format.DOCX:
        from core.formats.docx import open_docx

        return open_docx(data, name=name)
    if format is Format.ODT:
        from core.formats.odt import open_odt

        return open_odt(data, name=name)
    if format is Format.HTML:
        from core.formats.html import open_html

        return open_html(data, name=name)
    raise ValueError(f"{format} is no container")


# Any file that can be read, from its bytes: what its format is, its text, and what of it can be edited.


CONTAINERS = (Format.HTML, Format.DOCX, Format.ODT)
"""The formats whose text is taken out of the file: offsets count in that text."""

_ZIP, _COMPOUND = b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ODF = b"application/vnd.oasis.opendocument.text"
_PAGE = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]{0,400}>\s*)?(?:<!--[^>]{0,400}-->\s*)?<(?:!doctype\s+html|html[\s>])",
    re.IGNORECASE,
)
_TEXT = (".txt", ".text")
_NAMES = {Format.HTML: ".html", Format.DOCX: ".docx", Format.ODT: ".odt"}


@dataclass(frozen=True, slots=True)
class Opened:
    """A file that was opened.

    Of a text format ``text`` is the file's, line ends as they are in it, and ``encoding`` is what to hand to
    `core.storage.files.write_text`. Of html, docx and odt it is that of ``container``, which alone can save it. ``off`` and
    ``quotes`` are what the mark-up around the text says of it, in offsets of this text. ``editable`` is False where
    nothing can be changed without a loss; ``notes`` are sentences for a person.
    """

    text: str
    format: Format
    encoding: str
    editable: bool
    notes: tuple[str, ...]
    container: Container | None = None
    off: tuple[Off, ...] = ()
    quotes: tuple[Span, ...] = ()


def open_document(data: bytes, *, name: str, format: Format | None = None) -> Opened:
    """Open the bytes of a file called ``name``, as ``format`` or as its name and its first bytes say.

    Raises FileError (ContainerError among them) with one sentence on what is wrong and what to do.
    """
    form = format or _format(data, name)
    if form in (Format.DOCX, Format.ODT):
        return _packed(data, name, form)
    _refuse_others(data, name, rtf=format is None)
    if form is Format.HTML:
        return _page(data, name)
    file = decode(data, name=name)
    notes = (file.note,) if file.note else ()
    return Opened(file.text, form or detect(name, file.text), file.encoding, file.editable, notes)


def read_opened(opened: Opened) -> Document:
    """The document that was opened, with what its container says of it."""
    return parse(opened.text, opened.format, off=opened.off, quotes=opened.quotes)


def _format(data: bytes, name: str) -> Format | None:
    """The format by the name, else by the first bytes; None for a text whose characters have to say it."""
    inside = _packed_format(data)
    by_name = detect(name, "")
    known = by_name is not Format.PLAIN
    if by_name in _NAMES and inside is not None and inside is not by_name:
        raise ContainerError(
            tr(
                "{name} is a file of another kind than its name says. Rename it to end in {suffix} and open it again."
            ).format(name=name, suffix=_NAMES[inside])
        )
    if known:
        return by_name
    if inside is None and PurePath(name).suffix.lower() not in _TEXT and _PAGE.match(data):
        return Format.HTML
    return inside


def _packed_format(data: bytes) -> Format | None:
    """What a zip file holds, by the names that stand in it, or None."""
    if not data.startswith(_ZIP):
        return None
    if data[30:46].startswith(b"mimetype") and data[38 : 38 + len(_ODF)] == _ODF:
        return Format.ODT
    return Format.DOCX if b"[Content_Types].xml" in data and b"word/" in data else None


def _packed(data: bytes, name: str, form: Format) -> Opened:
    if not data.startswith((_ZIP, _COMPOUND)):
        _refuse_others(data, name)
        said = tr(
            "{name} is no {suffix} file, whatever its name says, or it is damaged. Open it where it was made."
        )
        raise ContainerError(said.format(name=name, suffix=_NAMES[form]))
    container = _open_packed(data, name, form)
    off = tuple(Off(start, end) for start, end in container.off)
    return Opened(
        container.text, form, "utf-8", _is_editable(container), container.notes, container=container, off=off
    )


def _open_packed(data: bytes, name: str, form: Format) -> Container:
    """Imported when one is opened: the window starts without."""
    if form is Format.DOCX:
        from core.formats.docx import open_docx

        return open_docx(data, name=name)
    from core.formats.odt import open_odt

    return open_odt(data, name=name)


def _page(data: bytes, name: str) -> Opened:
    from core.formats.html import open_html

    page = open_html(data, name=name)
    return Opened(
        page.text,
        Format.HTML,
        page.encoding,
        page.editable,
        page.notes,
        container=page,
        off=page.switched,
        quotes=page.quotes,
    )


def _is_editable(container: Container) -> bool:
    """Whether not all of the text is locked at once; empty paragraphs that cannot be joined are no text."""
    whole = (0, len(container.text))
    return not container.text.strip("\n") or not any(
        (one.start, one.end) == whole for one in container.locked
    )


def _refuse_others(data: bytes, name: str, *, rtf: bool = True) -> None:
    """Say what to do with files that hold text in a form that is not read."""
    if data.startswith(_COMPOUND):
        said = tr(
            "{name} is an old Word file (.doc) or is protected by a password. Save it as .docx without one."
        )
    elif data.startswith(b"%PDF-"):
        said = tr(
            "{name} is a PDF, which holds pages and no text to edit. Open the .docx or .odt it was made from."
        )
    elif rtf and data.startswith(b"{\\rtf"):
        said = tr("{name} is in rich text format (.rtf), which is not read. Save it as .docx or .odt.")
    elif data.startswith(_ZIP) and PurePath(name).suffix.lower() == ".pages":
        said = tr("{name} is a Pages document, which is not read. Export it from Pages to Word (.docx).")
    elif data.startswith(_ZIP):
        said = tr(
            "{name} is an archive or a document that is not read. Save its text as .docx, .odt or plain text."
        )
    else:
        return
    raise FileError(said.format(name=name))
