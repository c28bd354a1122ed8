"""What people can read in a file and Evenhand does not, with the reason; every parser says it in the same way."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from core.documents.format_specs import extracts_text
from core.documents.types import Format
from core.i18n import ntr, tr
from core.types import Report, Unread, UnreadKind

_LOWER_WORDS = re.compile(r"(?<![\w/.@-])[^\W\d_A-Z][^\W\d_A-Z]++\s++[^\W\d_A-Z]{2,}(?![\w/@=])")


def holds_prose(text: str) -> bool:
    """Whether a text has two words in lower case in a row, as a name, a date, a file or a code has not."""
    return any(found.group().islower() for found in _LOWER_WORDS.finditer(text))


def describe_unread(unread: Iterable[Unread], *, shown: bool = True) -> str:
    """The number of parts of each kind that are not read, as a sentence or two; empty if there are none.

    Without ``shown``, for a file whose text is extracted, parts without a place in the text are said to be kept.
    """
    placed: Counter[UnreadKind] = Counter()
    kept: Counter[UnreadKind] = Counter()
    for part in unread:
        (placed if shown or part.end else kept)[part.kind] += 1
    sentences = (
        (tr("Not read: {things}."), placed),
        (tr("Kept in the file but not shown or read here: {things}."), kept),
    )
    return " ".join(said.format(things=_listed(counts)) for said, counts in sentences if counts)


def unread_note(report: Report) -> str:
    """The sentence of `describe_unread` on the document of a report."""
    if not report.unread:
        return ""
    return describe_unread(report.unread, shown=not extracts_text(Format(report.format)))


def notes_with_unread(report: Report) -> tuple[str, ...]:
    """The notes of a report, with that on what was not read at their end."""
    note = unread_note(report)
    return (*report.notes, note) if note else report.notes


def explain_unread(kind: UnreadKind) -> str:
    """Why parts of a kind are not read, as a sentence for a person."""
    return {
        UnreadKind.UNCLOSED: tr(
            "A table or template is not closed, so its words cannot be distinguished from its markup."
        ),
        UnreadKind.CAPTION: tr(
            "The caption is in the middle of a sentence. Move the image so that it is between two paragraphs."
        ),
        UnreadKind.NOTE: tr("The note is in the middle of a sentence. Move it to the end of the sentence."),
        UnreadKind.TEMPLATE: tr("The text that a template shows is on the page of the template."),
        UnreadKind.REFERENCE: tr("References are not read, except notes in a named group."),
        UnreadKind.SECTION: tr("Sections such as References, Notes and See also list sources and links."),
        UnreadKind.LINK_LABEL: tr("The label of an external link names a page elsewhere."),
        UnreadKind.CATEGORY: tr("Categories sort the page; their names are not part of its text."),
        UnreadKind.METADATA: tr("Only the titles and descriptions in the metadata are read."),
        UnreadKind.ALTERNATIVE: tr("Alternative text of an image is not shown with the text."),
        UnreadKind.EMBEDDED: tr("What scripts, forms and frames show is not part of the text."),
        UnreadKind.FOOTNOTE: tr(
            "The part of the file with the words of the note is missing, damaged or too large."
        ),
        UnreadKind.MARGIN: tr("The part of the file with the header or footer is damaged or too large."),
        UnreadKind.COMMENT: tr("Comments are not part of the text."),
        UnreadKind.DELETION: tr("Text that is deleted or struck out is no longer part of the text."),
        UnreadKind.FOREIGN: tr(
            "Only English is read. If the file marks English words as another language, correct that in the file."
        ),
        UnreadKind.IMPORTED: tr("The word processor imports the document when it opens the file."),
    }[kind]


def _listed(counts: Counter[UnreadKind]) -> str:
    return ", ".join(_counted(kind, counts[kind]) for kind in UnreadKind if counts[kind])


def _counted(kind: UnreadKind, count: int) -> str:
    phrase = {
        UnreadKind.UNCLOSED: ntr(
            "{count} unclosed table or template", "{count} unclosed tables and templates", count
        ),
        UnreadKind.CAPTION: ntr("{count} caption", "{count} captions", count),
        UnreadKind.NOTE: ntr("{count} note", "{count} notes", count),
        UnreadKind.TEMPLATE: ntr("{count} template", "{count} templates", count),
        UnreadKind.REFERENCE: ntr("{count} reference", "{count} references", count),
        UnreadKind.SECTION: ntr("{count} reference section", "{count} reference sections", count),
        UnreadKind.LINK_LABEL: ntr(
            "{count} label of an external link", "{count} labels of external links", count
        ),
        UnreadKind.CATEGORY: ntr("{count} category", "{count} categories", count),
        UnreadKind.METADATA: ntr("{count} metadata field", "{count} metadata fields", count),
        UnreadKind.ALTERNATIVE: ntr("{count} alternative text", "{count} alternative texts", count),
        UnreadKind.EMBEDDED: ntr("{count} embedded part", "{count} embedded parts", count),
        UnreadKind.FOOTNOTE: ntr("{count} footnote or endnote", "{count} footnotes and endnotes", count),
        UnreadKind.MARGIN: ntr("{count} header or footer", "{count} headers and footers", count),
        UnreadKind.COMMENT: ntr("{count} comment", "{count} comments", count),
        UnreadKind.DELETION: ntr("{count} deleted passage", "{count} deleted passages", count),
        UnreadKind.IMPORTED: ntr("{count} imported document", "{count} imported documents", count),
        UnreadKind.FOREIGN: ntr(
            "{count} passage in another language", "{count} passages in another language", count
        ),
    }[kind]
    return phrase.format(count=f"{count:,}")
