"""Files that are more than their text: docx, odt and html, opened and saved without touching the rest."""

from __future__ import annotations

from core.containers.model import Container
from core.documents.model import Format


def open_container(data: bytes, format: Format, *, name: str) -> Container:
    """Open the bytes of a docx, odt or html file; raises ContainerError.

    ``name`` is what messages call the file. Raises ValueError for a format that is nothing but text.
    """
    if format is Format.DOCX:
        from core.containers.docx import open_docx

        return open_docx(data, name=name)
    if format is Format.ODT:
        from core.containers.odt import open_odt

        return open_odt(data, name=name)
    if format is Format.HTML:
        from core.containers.html import open_html

        return open_html(data, name=name)
    raise ValueError(f"{format} is no container")
