"""Accepting or rejecting the tracked changes of a docx or odt."""

from __future__ import annotations

from core.documents.types import Format
from core.formats.office_document import OfficeDocument
from core.formats.types import ContainerError
from core.revisions.resolve_docx import accept_all_docx, reject_all_docx
from core.revisions.resolve_odt import resolve_odt

_MOST_LAYERS = 5
"""Deleted text can hold changes that come to light when it comes back."""


def accept_all(document: OfficeDocument) -> bytes:
    """The file with every tracked change made; raises ContainerError where it is protected or damaged."""
    check_unlocked(document)
    if document.format is Format.DOCX:
        return accept_all_docx(document)
    return resolve_odt(document, lambda _part, _region: True)


def reject_all(document: OfficeDocument) -> bytes:
    """The file as it was before every tracked change; raises ContainerError where it is protected or damaged."""
    check_unlocked(document)
    if document.format is Format.DOCX:
        return reject_all_docx(document)
    data = document.package.data
    for _ in range(_MOST_LAYERS):
        before, data = data, resolve_odt(document, lambda _part, _region: False)
        if data == before:
            break
        document = document.opener(data, name=document.package.name)
    return data


def check_unlocked(document: OfficeDocument) -> None:
    """Raise ContainerError where the whole document is protected."""
    if document.layout.lock_reason:
        raise ContainerError(document.layout.lock_reason)
