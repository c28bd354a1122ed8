"""The elements of an odt by what is done with them, and why some of what they hold cannot be edited."""

from __future__ import annotations

import re

from core.language import tr

_OASIS = "urn:oasis:names:tc:opendocument:xmlns:"
PREFIXES = {
    **{f"{_OASIS}{name}:1.0": name for name in ("office", "text", "table", "style", "form", "manifest")},
    f"{_OASIS}drawing:1.0": "draw",
}
OBJECT = "\ufffc"
PARAGRAPHS = ("text:p", "text:h")
CLEAR = {"text:span", "text:a", "text:meta", "text:ruby", "text:ruby-base"}
NO_WIDTH = {
    *(
        "text:bookmark",
        "text:bookmark-start",
        "text:bookmark-end",
        "text:reference-mark",
        "text:reference-mark-start",
    ),
    *(
        "text:reference-mark-end",
        "text:change",
        "text:change-start",
        "text:change-end",
        "text:soft-page-break",
    ),
    *("text:toc-mark", "text:toc-mark-start", "text:toc-mark-end", "text:user-index-mark"),
    *("text:user-index-mark-start", "text:user-index-mark-end", "text:alphabetical-index-mark"),
    *("text:alphabetical-index-mark-start", "text:alphabetical-index-mark-end"),
}
HIDDEN = {
    *(
        "office:dde-source",
        "text:tracked-changes",
        "text:note",
        "office:annotation",
        "office:forms",
        "office:event-listeners",
    ),
    *("text:variable-decls", "text:sequence-decls", "text:user-field-decls", "text:dde-connection-decls"),
    *(
        "text:index-title-template",
        "text:ruby-text",
        "office:binary-data",
        "text:alphabetical-index-auto-mark-file",
    ),
}
INDEXES = {
    *("text:table-of-content", "text:illustration-index", "text:table-index", "text:object-index"),
    *("text:user-index", "text:alphabetical-index", "text:bibliography"),
}
INDEX_SOURCE = re.compile(r"text:[a-z-]+-source")
SPACES = re.compile("[ \t\n\r]+")
AS_SPACE = str.maketrans("\u2029", " ")
OWN_ATTRIBUTES = re.compile(
    rb"""\s(?:xml:id|xhtml:[\w-]+|[\w.-]+:(?:id|restart-numbering|start-value))\s*=\s*(?:"[^"]*"|'[^']*')"""
)


def reasons() -> dict[str, str]:
    """Sentences for a person, by what cannot be edited."""
    return {
        "field": tr("This is a field that the word processor computes. Change it there."),
        "object": tr("This is a picture, a drawing or an object. Change it in the word processor."),
        "index": tr("This is an index that the word processor computes. Change it there."),
        "spaces": tr("These are more spaces than can be shown. Change them in the word processor."),
        "protected": tr(
            "This part of the document is protected. Remove the protection in the word processor first."
        ),
        "linked": tr("This part of the document comes from another file. Change it there."),
    }
