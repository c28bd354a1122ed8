"""Saving a docx or odt with each edit as a tracked change: the deleted words and the new ones, with author and time."""

from __future__ import annotations

from collections.abc import Sequence

from core.documents.types import Format
from core.formats.office_document import OfficeDocument
from core.formats.types import Container, ContainerError
from core.i18n import tr
from core.revisions.tracked_docx import save_tracked_docx
from core.revisions.tracked_odt import save_tracked_odt
from core.revisions.types import Note, Stamp


def can_track(container: Container | None) -> bool:
    """Whether the edits of a file can be saved as tracked changes."""
    return isinstance(container, OfficeDocument)


def is_tracking(container: Container | None) -> bool:
    """Whether Track Changes is on in a file whose edits can be saved as tracked changes."""
    return isinstance(container, OfficeDocument) and container.tracking


def save_tracked(container: Container, text: str, stamp: Stamp, notes: Sequence[Note] = ()) -> bytes:
    """The file with the edits that turn its text into ``text`` as tracked changes; everything else stays as it was.

    ``notes`` say which edits are one change, and why it was made: a comment on it. Raises ContainerError where an edit
    touches what is locked or what the file holds in two forms, or if the file is no docx or odt.
    """
    if not isinstance(container, OfficeDocument):
        raise ContainerError(
            tr(
                "Changes can only be tracked in Word and OpenDocument files (.docx, .odt). Save without "
                "tracking changes."
            )
        )
    if text == container.text:
        return container.package.data
    write = save_tracked_docx if container.format is Format.DOCX else save_tracked_odt
    return write(container, text, stamp, notes)
