"""Front matter: the fields before a text. Titles and descriptions are prose, as readers meet them above the text."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from core.documents.types import NonProseSpan, Span
from core.documents.unread import holds_prose
from core.types import Unread, UnreadKind

READ_FIELDS = frozenset(
    """
    title subtitle shorttitle longtitle linktitle seotitle ogtitle pagetitle headline subheadline subheading subhead
    description metadescription seodescription ogdescription summary excerpt abstract synopsis lead lede deck dek teaser
    tagline blurb standfirst caption
    """.split()
)

_FIELD = re.compile(r"([ \t]*(?:-[ \t]+)*)([\"']?)([A-Za-z][\w.-]*)\2[ \t]*[:=](?=[ \t]|$)[ \t]*")
_BLOCK_SCALAR = re.compile(r"[|>][-+0-9]{0,2}[ \t]*(?:#.*)?$")
_COMMENT = re.compile(r"(?:^|(?<![ \t])[ \t]++)#.*$")
_CONTENT_WORD = re.compile(r"(?<!\w)(?!(?:an?|the)\b)\w+", re.IGNORECASE)
_LEAST_WORDS = 2
"""A title of fewer words, articles left out, is a name: it has no wording."""

_NO_TEXT = ("[", "{", "&", "*", "!", "#")


@dataclass(slots=True)
class FrontMatter:
    """``texts``: the lines (start, end) of each value that is read. ``non_prose`` is the notation in them."""

    texts: list[list[Span]] = field(default_factory=list)
    non_prose: list[NonProseSpan] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)


def read_fields(text: str, start: int, end: int) -> FrontMatter:
    r"""The fields in ``text[start:end]``, whose lines end in ``\n``: YAML, or TOML with a field on each line."""
    found = FrontMatter()
    lines = list(_lines(text, start, end))
    number = 0
    said = -1
    top = 0
    while number < len(lines):
        first, last = lines[number]
        named = _FIELD.match(text, first, last)
        if named is not None and not named[1]:
            top = number
        inner = _inner_lines(text, lines, number, len(named[1])) if named else []
        if named is not None and re.sub(r"[\W_]", "", named[3]).lower() in READ_FIELDS:
            value = _value(text, (named.end(), last), inner, found.non_prose)
            if len(_CONTENT_WORD.findall(" ".join(text[a:b] for a, b in value))) >= _LEAST_WORDS:
                found.texts.append(value)
                number += 1 + len(inner) * (value[-1][0] >= last)
                continue
        value_start = named.end() if named else first
        if (
            said != top
            and not text[first:last].lstrip().startswith("#")
            and holds_prose(text[value_start:last])
        ):
            said = top
            found.unread.append(Unread(UnreadKind.METADATA, first, last))
        number += 1
    return found


def _lines(text: str, start: int, end: int) -> list[Span]:
    spans = []
    while start < end:
        stop = text.find("\n", start, end)
        stop = end if stop < 0 else stop
        spans.append((start, stop))
        start = stop + 1
    return spans


def _inner_lines(text: str, lines: list[Span], number: int, indent: int) -> list[Span]:
    """The lines that belong to a field: those after it that are indented further, and the blank ones between them."""
    inner: list[Span] = []
    kept = 0
    for start, end in lines[number + 1 :]:
        bare = text[start:end].strip()
        if bare and end - start - len(text[start:end].lstrip()) <= indent:
            break
        inner.append((start, end))
        kept = len(inner) if bare else kept
    return inner[:kept]


def _value(text: str, rest: Span, inner: list[Span], non_prose: list[NonProseSpan]) -> list[Span]:
    """The lines of the words in a value; empty if it has none on lines of its own."""
    value = text[rest[0] : rest[1]].rstrip()
    if _BLOCK_SCALAR.match(value):
        return [_stripped(text, *line) for line in inner if text[line[0] : line[1]].strip()]
    if value[:1] in ('"', "'") and value:
        return _quoted(text, rest, inner, non_prose)
    if not value or value.startswith(_NO_TEXT):
        return []
    comment = _COMMENT.search(value)
    first = _stripped(text, rest[0], rest[0] + (comment.start() if comment else len(value)))
    if comment:
        return [first]
    more = [_stripped(text, *line) for line in inner if text[line[0] : line[1]].strip()]
    return [first, *more]


def _quoted(text: str, rest: Span, inner: list[Span], non_prose: list[NonProseSpan]) -> list[Span]:
    """The lines inside quotation marks that close on the same or on a further line."""
    mark = text[rest[0]]
    closing = re.compile(r'(?:\\.|[^"\\])*' if mark == '"' else r"(?:''|[^'])*", re.DOTALL)
    width = 3 if text.startswith(mark * 3, rest[0]) else 1
    last = inner[-1][1] if inner else rest[1]
    end = closing.match(text, rest[0] + width, last)
    if end is None or text[end.end() : end.end() + 1] != mark or end.end() >= last:
        return []
    doubled = "''" if mark == "'" else "\\"
    stretch = text[rest[0] + width : end.end()]
    non_prose += [
        NonProseSpan(at, at + 1, False)
        for at in (rest[0] + width + one.start() for one in re.finditer(re.escape(doubled), stretch))
        if mark == "'" or text[at + 1] in '"\\'
    ]
    spans = [(max(one[0], rest[0] + width), min(one[1], end.end())) for one in [rest, *inner]]
    return [_stripped(text, *span) for span in spans if span[0] < span[1] and text[slice(*span)].strip()]


def _stripped(text: str, start: int, end: int) -> Span:
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())
