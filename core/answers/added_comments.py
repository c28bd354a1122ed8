"""Comments that were added to a draft here: which of them its docx, odt or html holds, and the file without them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from core.answers.comments import read_comments
from core.formats.html import HtmlContainer
from core.formats.office_document import OfficeDocument
from core.formats.types import Container
from core.revisions.annotate import remove_annotations
from core.revisions.html_comments import find_comment, remove_comments
from core.storage.draft_comments import DraftComment


def held_comments(container: Container, comments: Sequence[DraftComment]) -> list[DraftComment]:
    """Those of the comments on the text of a file that the file holds. Raises ContainerError where it is damaged.

    In html one must stand behind its words. In a docx or odt it has its text, author and time, wherever it stands.
    """
    if isinstance(container, HtmlContainer):
        return [one for one in comments if find_comment(container, one.end, one.text) is not None]
    assert isinstance(container, OfficeDocument)
    ids = _ids_in(container, comments)
    return [one for number, one in enumerate(comments) if number in ids]


def without_comments(container: Container, comments: Sequence[DraftComment]) -> bytes:
    """The file without those of the comments on its text that it holds.

    Raises ContainerError if it is damaged, or if another program has written them anew.
    """
    if isinstance(container, HtmlContainer):
        return remove_comments(container, [(one.end, one.text) for one in comments])
    assert isinstance(container, OfficeDocument)
    return remove_annotations(container, _ids_in(container, comments).values())


def _ids_in(document: OfficeDocument, comments: Sequence[DraftComment]) -> dict[int, str]:
    """The id in the file of each comment that it holds, by its number among the comments.

    Several that say the same at the same time are told apart by their places.
    """
    there = read_comments(document)
    pairs = sorted(
        (abs((other.place or (0, 0))[0] - one.start), number, other.id)
        for number, one in enumerate(comments)
        for other in there
        if (other.text, other.author, other.time) == (one.text, one.author, _written_time(one))
    )
    found: dict[int, str] = {}
    for _, number, name in pairs:
        if number not in found and name not in found.values():
            found[number] = name
    return found


def _written_time(comment: DraftComment) -> datetime:
    """The time of a comment as a file holds it."""
    return comment.time.replace(tzinfo=None, microsecond=0)
