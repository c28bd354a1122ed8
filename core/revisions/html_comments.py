"""Comments in the source of a web page, which browsers do not show."""

from __future__ import annotations

from collections.abc import Sequence

from core.formats.html import HtmlContainer, open_html, page_bytes
from core.formats.types import ContainerError
from core.i18n import tr


def insert_comments(page: HtmlContainer, comments: Sequence[tuple[int, str]]) -> bytes:
    """The page with comments in its source: (end of the words in its text that one stands directly behind, comment).

    Raises ContainerError if the page cannot be changed, or would then show another text.
    """
    if not page.editable:
        raise ContainerError(page.locked[0].reason)
    source = page.source
    placed = [(_place(page, end), f"<!-- {_escaped(comment)} -->") for end, comment in comments]
    for place, comment in sorted(placed, reverse=True):
        source = source[:place] + comment + source[place:]
    data = page_bytes(source, page.encoding)
    if open_html(data, name="").text != page.text:
        raise ContainerError(
            tr("The page was not saved: a comment cannot be written there. Undo the comment and save again.")
        )
    return data


def _place(page: HtmlContainer, end: int) -> int:
    """The place in the source behind the last word before a place in the text."""
    end = len(page.text[:end].rstrip())
    return page.source_span(end - 1, end)[1] if end else page.page.first


def _escaped(comment: str) -> str:
    """A comment on one line, in which nothing ends it."""
    return " ".join(comment.split()).replace("--", "- -").replace("--", "- -")
