"""Comments on the text of a docx, odt or html file, which stays as it is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from core.documents.types import Format
from core.formats.docx import related_parts
from core.formats.html import HtmlContainer
from core.formats.office_document import OfficeDocument, Patch
from core.formats.text_layout import Segment, TextLayout
from core.formats.types import Container, ContainerError
from core.formats.xml_scan import apply_patches, to_utf8
from core.i18n import tr
from core.revisions.docx_comments import CommentWriter
from core.revisions.html_comments import insert_comments
from core.revisions.markup import Markup
from core.revisions.run_splitter import RunEdit, RunSplitter, run_of
from core.revisions.tracked_odt import annotate_odt
from core.revisions.types import Note, Stamp
from core.storage.draft_comments import DraftComment

_DOCX_ENDS = (
    rb'<((?:[\w.-]+:)?)commentRangeStart \1id="%b"/>',
    rb'<((?:[\w.-]+:)?)commentRangeEnd \1id="%b"/><\1r><\1commentReference \1id="%b"/></\1r>',
)
_DOCX_COMMENT = rb'<((?:[\w.-]+:)?)comment \1id="%b" .*?</\1comment>'
_ODT_ENDS = (
    rb'<((?:[\w.-]+:)?)annotation \1name="%b"[ >].*?</\1annotation>',
    rb'<((?:[\w.-]+:)?)annotation-end \1name="%b"[^<>]*/>',
)
"""What `annotate` writes for a comment, by its id."""


def annotate(container: Container, notes: Sequence[Note], stamp: Stamp) -> bytes:
    """The file with a comment on each of some disjoint ranges of its text.

    A comment that would begin or end inside a field or an object is put on the whole paragraph. Word ignores comments
    in notes, headers and footers ([MS-OI29500] 2.1.315): one on a note is put at the end of the paragraph with its
    mark, one on a header or a footer at the end of the first paragraph. Raises ContainerError if the file is no docx or
    odt, or cannot be changed.
    """
    if not isinstance(container, OfficeDocument):
        raise ContainerError(tr("Comments can only be written to Word and OpenDocument files (.docx, .odt)."))
    if container.layout.lock_reason:
        raise ContainerError(container.layout.lock_reason)
    if not notes:
        return container.package.data
    ordered = sorted(notes, key=lambda note: note.start)
    if container.format is Format.DOCX:
        return _annotate_docx(container, ordered, stamp)
    return annotate_odt(container, ordered, stamp)


def add_comments(container: Container, comments: Sequence[DraftComment]) -> bytes:
    """The file with the comments that were added to its draft, each on its words; they may overlap.

    In html a comment stands directly behind its words; one that stands there already is not written again. Raises
    ContainerError if the file cannot be changed.
    """
    if isinstance(container, HtmlContainer):
        return insert_comments(container, [(one.end, one.text) for one in comments])
    data = b""
    for layer in _disjoint(comments):
        notes = [Note(one.start, one.end, one.text, Stamp(one.author, one.time)) for one in layer]
        data = annotate(container, notes, Stamp(layer[0].author, layer[0].time))
        assert isinstance(container, OfficeDocument)
        container = container.opener(data, name=container.package.name)
    return data


def remove_annotations(document: OfficeDocument, ids: Iterable[str]) -> bytes:
    """The docx or odt without the comments that have these ids in it.

    Raises ContainerError if one of them does not stand there as `annotate` writes it.
    """
    numbers = [re.escape(one.encode()) for one in ids]
    is_docx = document.format is Format.DOCX
    patches = [
        _cut(document, document.data, pattern.replace(b"%b", number))
        for number in numbers
        for pattern in (_DOCX_ENDS if is_docx else _ODT_ENDS)
    ]
    others: dict[str, bytes] = {}
    if is_docx and numbers:
        name = related_parts(document.package, document.part_name).get("comments")
        if name is None:
            raise document.not_saved()
        part = to_utf8(document.package.read(name), name=document.package.name)
        cuts = [_cut(document, part.data, _DOCX_COMMENT.replace(b"%b", number)) for number in numbers]
        others[name] = part.encoded(apply_patches(part.data, cuts))
    return document.rebuilt(patches, document.text, others)


def _cut(document: OfficeDocument, data: bytes, pattern: bytes) -> Patch:
    """The patch that takes out the one match of a pattern."""
    found = list(re.finditer(pattern, data, re.DOTALL))
    if len(found) != 1:
        raise document.not_saved()
    return found[0].start(), found[0].end(), b""


def _disjoint(comments: Sequence[DraftComment]) -> list[list[DraftComment]]:
    """The comments in lists; those of a list are disjoint and sorted."""
    layers: list[list[DraftComment]] = []
    for one in sorted(comments, key=lambda one: (one.start, one.end)):
        layer = next((layer for layer in layers if layer[-1].end <= one.start), None)
        if layer is None:
            layers.append([one])
        else:
            layer.append(one)
    return layers


def _annotate_docx(container: OfficeDocument, notes: Sequence[Note], stamp: Stamp) -> bytes:
    layout = container.layout
    comments = CommentWriter(container)
    markup = Markup(stamp, (container.data, comments.data))
    splitter = RunSplitter(container.data, markup)
    for note in notes:
        number, last = layout.line_at(note.start), layout.line_at(max(note.end - 1, note.start))
        if layout.lines[last].anchor is not None:
            paragraph = layout.paragraph_of(layout.lines[last])
            if paragraph is not None:
                splitter.put_at(paragraph.close, b"".join(comments.add(note, markup)))
            continue
        opening, closing = comments.add(note, markup)
        first_place = _place(layout, number, note.start, at_end=False)
        last_place = _place(layout, last, note.end, at_end=True)
        if first_place is None or last_place is None:
            splitter.open(layout.lines[number])
            splitter.open(layout.lines[last])
            splitter.put_at(layout.lines[number].content, opening)
            splitter.put_at(layout.lines[last].close, closing)
            continue
        for line, (segment, place), content in (
            (layout.lines[number], first_place, opening),
            (layout.lines[last], last_place, closing),
        ):
            splitter.put(segment, line, RunEdit(place, place, (content,)))
    return container.rebuilt(splitter.patches(), container.text, comments.parts())


def _place(layout: TextLayout, number: int, place: int, *, at_end: bool) -> tuple[Segment, int] | None:
    """The segment of the character after a place (``at_end``: before it) in a line, and the place in it.

    None if that is locked.
    """
    for segment, low, high in layout.segments_at(number, place, place):
        holds = low < place <= high if at_end else low <= place < high
        if holds and run_of(segment, layout.lines[number]) is not None and not segment.mirrors:
            return segment, place - low
    return None
