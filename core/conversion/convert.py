"""A draft made into another format: which pairs there are, what cannot be carried, and the bytes of the new file."""

from __future__ import annotations

from core.conversion.types import Content, all_runs
from core.documents.types import Format
from core.formats.office_document import OfficeDocument
from core.formats.xml_scan import check_characters
from core.i18n import tr
from core.storage.files import FileError

_MARKUP = (Format.PLAIN, Format.MARKDOWN, Format.WIKITEXT)
_OFFICE = (Format.DOCX, Format.ODT)
_TARGETS = {
    **dict.fromkeys(_MARKUP, _OFFICE),
    Format.DOCX: (Format.ODT, Format.MARKDOWN, Format.PLAIN),
    Format.ODT: (Format.DOCX, Format.MARKDOWN, Format.PLAIN),
}


def can_convert(source: Format, target: Format) -> bool:
    """Whether a draft in ``source`` can be made into a file in ``target``; never for one and the same."""
    return target in _TARGETS.get(source, ())


def read_content(text: str, format: Format, document: OfficeDocument | None = None) -> Content:
    r"""The content of a draft: of ``text``, whose lines end in ``\n``, or of an opened docx or odt.

    Raises FileError where it cannot be read, and ValueError for a format that cannot be converted.
    """
    try:
        return _read(text, format, document)
    except RecursionError as error:
        said = tr(
            "This draft is nested too deeply to be converted. Flatten its lists, tables and quotations first."
        )
        raise FileError(said) from error


def _read(text: str, format: Format, document: OfficeDocument | None) -> Content:
    # Imported late: most drafts are never converted, and the window starts sooner without the libraries.
    if document is not None and format is Format.DOCX:
        from core.conversion.read_docx import read_docx

        return read_docx(document)
    if document is not None and format is Format.ODT:
        from core.conversion.read_odt import read_odt

        return read_odt(document)
    if format is Format.MARKDOWN:
        from core.conversion.read_markdown import read_markdown

        return read_markdown(text)
    if format is Format.WIKITEXT:
        from core.conversion.read_wikitext import read_wikitext

        return read_wikitext(text)
    if format is Format.PLAIN:
        from core.conversion.read_plain import read_plain

        return read_plain(text)
    raise ValueError(f"{format} cannot be converted")


def write_content(content: Content, target: Format, *, name: str) -> bytes:
    """The bytes of a file called ``name`` in ``target`` with this content.

    Raises FileError for a character that the file cannot hold, and ValueError for a format that is not written.
    """
    if target in _OFFICE:
        check_characters(_all_text(content), name=name)
    try:
        return _written(content, target)
    except RecursionError as error:
        said = tr(
            "This draft is nested too deeply to be converted. Flatten its lists, tables and quotations first."
        )
        raise FileError(said) from error


def _written(content: Content, target: Format) -> bytes:
    if target is Format.DOCX:
        from core.conversion.write_docx import write_docx

        return write_docx(content)
    if target is Format.ODT:
        from core.conversion.write_odt import write_odt

        return write_odt(content)
    if target is Format.MARKDOWN:
        from core.conversion.write_markdown import write_markdown

        return write_markdown(content).encode("utf-8")
    if target is Format.PLAIN:
        from core.conversion.write_plain import write_plain

        return write_plain(content).encode("utf-8")
    raise ValueError(f"{target} cannot be written")


def _all_text(content: Content) -> str:
    return "\n".join(f"{run.text}\n{run.link}" for run in all_runs(content.blocks))
