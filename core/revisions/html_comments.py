"""Comments in the source of a web page, which browsers do not show."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from core.documents.types import Span
from core.formats.html import HtmlContainer, open_html, page_bytes
from core.formats.types import ContainerError
from core.i18n import tr

_COMMENT = re.compile(r"<!--(?:-?>|.*?--!?>)", re.DOTALL)


def insert_comments(page: HtmlContainer, comments: Sequence[tuple[int, str]]) -> bytes:
    """The page with comments in its source: (end of the words in its text that one stands directly behind, comment).

    One that stands there already is not written again. Raises ContainerError if the page cannot be changed, or would
    then show another text.
    """
    new = {
        (_place(page, end), _written(text)) for end, text in comments if find_comment(page, end, text) is None
    }
    return _rewritten(page, [(place, place, comment) for place, comment in new])


def remove_comments(page: HtmlContainer, comments: Sequence[tuple[int, str]]) -> bytes:
    """The page without those of the comments of `insert_comments` that stand in it.

    Raises ContainerError if the page cannot be changed.
    """
    found = {find_comment(page, end, text) for end, text in comments}
    return _rewritten(page, [(*span, "") for span in found if span is not None])


def find_comment(page: HtmlContainer, end: int, comment: str) -> Span | None:
    """Where a comment stands in the source, behind the words that end there in the text; None if it does not."""
    # What the encoding does not have was written as a reference.
    written = page_bytes(_written(comment), page.encoding)
    for span in _comments_at(page, end):
        if page_bytes(page.source[slice(*span)], page.encoding) == written:
            return span
    return None


def _comments_at(page: HtmlContainer, end: int) -> Iterator[Span]:
    """The comments directly behind the words that end there; with no words before it, those around its place."""
    place = at = _place(page, end)
    while (found := _COMMENT.match(page.source, at)) is not None:
        yield found.span()
        at = found.end()
    while (start := page.source.rfind("<!--", 0, place)) >= 0 and _COMMENT.fullmatch(
        page.source, start, place
    ):
        yield start, place
        place = start


def _rewritten(page: HtmlContainer, edits: Sequence[tuple[int, int, str]]) -> bytes:
    """The page with texts in place of ranges of its source."""
    if not page.editable:
        raise ContainerError(page.locked[0].reason)
    if not edits:
        return page.data
    source = page.source
    for start, end, text in sorted(edits, reverse=True):
        source = source[:start] + text + source[end:]
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


def _written(comment: str) -> str:
    """A comment as it stands in the source: on one line, and nothing in it ends it."""
    return f"<!-- {' '.join(comment.split()).replace('--', '- -').replace('--', '- -')} -->"
