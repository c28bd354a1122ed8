"""The tracked changes of a docx or odt: listed, accepted and rejected, some or all."""

from __future__ import annotations

from collections.abc import Iterable

from core.documents.types import Format
from core.formats.office_document import OfficeDocument
from core.formats.types import ContainerError
from core.revisions.docx_revisions import docx_has_revisions, read_docx_revisions
from core.revisions.odt_revisions import odt_has_revisions, read_odt_revisions
from core.revisions.resolve_docx import resolve_docx
from core.revisions.resolve_odt import Decide, resolve_odt
from core.revisions.types import Revision

_MOST_LAYERS = 5
"""How often changes are rejected: deleted text can hold changes that appear once it is back."""


def has_revisions(document: OfficeDocument) -> bool:
    """Whether `read_revisions` can find anything; quick. Raises ContainerError where a part cannot be read."""
    if document.format is Format.DOCX:
        return docx_has_revisions(document)
    return odt_has_revisions(document)


def read_revisions(document: OfficeDocument) -> list[Revision]:
    """The tracked changes of a file in their order: those of the text, then those of headers, footers and notes.

    What one person did at one time without a gap is one revision. Raises ContainerError where a part is damaged.
    """
    if document.format is Format.DOCX:
        return read_docx_revisions(document)
    return read_odt_revisions(document)


def accept(document: OfficeDocument, revisions: Iterable[Revision]) -> bytes:
    """The file with some of its `read_revisions` made; raises ContainerError where it is protected or damaged."""
    return _resolve(document, revisions, is_accepted=True)


def reject(document: OfficeDocument, revisions: Iterable[Revision]) -> bytes:
    """The file with some of its `read_revisions` undone; raises ContainerError where it is protected or damaged."""
    return _resolve(document, revisions, is_accepted=False)


def accept_all(document: OfficeDocument) -> bytes:
    """The file with every tracked change made; raises ContainerError where it is protected or damaged."""
    check_unlocked(document)
    if document.format is Format.DOCX:
        return resolve_docx(document, lambda _part, _place: True, accept=True)
    return resolve_odt(document, lambda _part, _region: True)


def reject_all(document: OfficeDocument) -> bytes:
    """The file as it was before every tracked change; raises ContainerError where it is protected or damaged."""
    check_unlocked(document)
    if document.format is Format.DOCX:
        return resolve_docx(document, lambda _part, _place: True, accept=False)
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


def _resolve(document: OfficeDocument, revisions: Iterable[Revision], *, is_accepted: bool) -> bytes:
    check_unlocked(document)
    chosen = {(revision.part, mark) for revision in revisions for mark in revision.marks}
    if document.format is Format.DOCX:
        return resolve_docx(document, lambda part, place: (part, place) in chosen, accept=is_accepted)
    decide: Decide = lambda part, region: is_accepted if (part, region.id) in chosen else None  # noqa: E731
    return resolve_odt(document, decide)
