"""Any file that can be read, opened from its bytes: its format, its text, and whether it can be edited."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath

from core.documents import parse
from core.documents.format_specs import FORMATS, ZIP_SIGNATURE, FormatSpec, detect_format, format_of_suffix
from core.documents.types import Document, Format
from core.formats.markup_ranges import markup_ranges
from core.formats.types import Container, ContainerError
from core.i18n import tr
from core.storage.files import FileError, decode

_OLE_SIGNATURE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""The first bytes of an old Word file, and of a .docx that is protected by a password."""


@dataclass(frozen=True, slots=True)
class OpenedDocument:
    """A file that was opened.

    For a text format ``text`` is the file's, with its own line ends, and ``encoding`` is what to pass to
    `core.storage.files.write_text`. For html, docx and odt it is that of ``container``, which alone can save it.
    ``editable`` is False where any change would lose something. ``notes`` are sentences for a person.
    """

    text: str
    format: Format
    encoding: str
    editable: bool
    notes: tuple[str, ...]
    container: Container | None = None


def open_document(data: bytes, *, name: str, format: Format | None = None) -> OpenedDocument:
    """Open the bytes of a file called ``name``, as ``format`` or as its name and its first bytes say.

    Raises FileError (ContainerError among them) with one sentence that says what is wrong and what to do.
    """
    known = format or _format_of(data, name)
    spec = FORMATS[known] if known else None
    if spec is None or not spec.signature:
        _refuse_unsupported(data, name, rtf=format is None)
    elif not data.startswith((spec.signature, _OLE_SIGNATURE)):
        _refuse_unsupported(data, name)
        raise ContainerError(
            tr(
                "{name} is not a {suffix} file, or it is damaged. "
                "Open it in the program that wrote it and save it again."
            ).format(name=name, suffix=spec.suffixes[0])
        )
    if spec is not None and spec.extracts_text:
        return _open_container(data, name, spec)
    file = decode(data, name=name)
    notes = (file.note,) if file.note else ()
    return OpenedDocument(
        file.text, known or detect_format(name, file.text), file.encoding, file.editable, notes
    )


def read_opened(opened: OpenedDocument) -> Document:
    """The document of an opened file, with what its container says about it."""
    if opened.container is None:
        return parse(opened.text, opened.format)
    return markup_ranges(opened.container, opened.text).parse(opened.text, opened.format)


def _open_container(data: bytes, name: str, spec: FormatSpec) -> OpenedDocument:
    container: Container = spec.open_container(data, name=name)
    return OpenedDocument(
        container.text,
        spec.format,
        container.encoding,
        container.editable,
        container.notes,
        container=container,
    )


def _format_of(data: bytes, name: str) -> Format | None:
    """The format by the name, else by the bytes; None for a text whose characters have to tell."""
    by_name = format_of_suffix(name)
    by_bytes = next((spec for spec in FORMATS.values() if spec.matches(data)), None)
    packed = by_bytes if by_bytes is not None and by_bytes.signature else None
    if by_name is None:
        return by_bytes.format if by_bytes else None
    if by_name is Format.PLAIN:
        return packed.format if packed else None
    if packed is not None and FORMATS[by_name].extracts_text and packed.format is not by_name:
        raise ContainerError(
            tr(
                "{name} is a {suffix} file under another name. Rename it to end in {suffix} and open it again."
            ).format(name=name, suffix=packed.suffixes[0])
        )
    return by_name


def _refuse_unsupported(data: bytes, name: str, *, rtf: bool = True) -> None:
    """Raise FileError, with what to do instead, for files that hold text in a format that is not supported."""
    if data.startswith(_OLE_SIGNATURE):
        said = tr(
            "{name} is an old Word file (.doc) or is protected by a password. Save it as .docx, without a password."
        )
    elif data.startswith(b"%PDF-"):
        said = tr(
            "{name} is a PDF file, which cannot be edited as text. Open the .docx or .odt file that it was made from."
        )
    elif rtf and data.startswith(b"{\\rtf"):
        said = tr("{name} is in rich text format (.rtf), which is not supported. Save it as .docx or .odt.")
    elif data.startswith(ZIP_SIGNATURE) and PurePath(name).suffix.lower() == ".pages":
        said = tr("{name} is a Pages document, which is not supported. Export it from Pages to Word (.docx).")
    elif data.startswith(ZIP_SIGNATURE):
        said = tr(
            "{name} is an archive or a document that is not supported. Save its text as .docx, .odt or plain text."
        )
    else:
        return
    raise FileError(said.format(name=name))
