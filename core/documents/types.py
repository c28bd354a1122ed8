"""The data classes of a document: formats, sentences, non-prose spans, the layout from a parser; functions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from core.types import ALL_KINDS, Kind, Unread


class Format(StrEnum):
    """Formats that can be read. ``core.documents.format_specs`` has the spec of each."""

    PLAIN = "plain"
    MARKDOWN = "markdown"
    WIKITEXT = "wikitext"
    HTML = "html"
    DOCX = "docx"
    ODT = "odt"


@dataclass(frozen=True, slots=True)
class NonProseSpan:
    """A stretch of the source that is not prose.

    ``gap`` is False for pure markup (``''``, ``[[target|``, ``]]``), which vanishes when the sentence is read,
    and True for content in place of words (a template, code, a URL, a reference), which is read as one space.
    ``read_as``: the characters that are read in its place (``é`` for ``&eacute;``, ``fi`` for a ligature), or empty.
    """

    start: int
    end: int
    gap: bool
    read_as: str = ""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence: ``source[start:end]``. ``quoted``: most of its words are inside a quotation."""

    start: int
    end: int
    quoted: bool


@dataclass(frozen=True, slots=True)
class Prose:
    """A sentence as the reader sees it. ``offsets[i]`` is the source offset of ``text[i]``.

    ``ends``: by their offset, the ends of the stretches of the source that are read as other characters.
    """

    text: str
    offsets: tuple[int, ...]
    ends: Mapping[int, int] = field(default_factory=dict)

    def end(self, index: int) -> int:
        """The source offset after ``text[index]``."""
        offset = self.offsets[index]
        return self.ends.get(offset, offset + 1)


@dataclass(frozen=True, slots=True)
class SuppressedRange:
    """``source[start:end]`` is not checked for ``kinds``: its author excluded it, or it is code."""

    start: int
    end: int
    kinds: tuple[Kind, ...] = ALL_KINDS


@dataclass(frozen=True, slots=True)
class Document:
    """Source text with its prose map. All its ranges are sorted and disjoint.

    ``quotes`` are (start, end) of direct quotations, quotation marks included; ``paragraphs`` of the sentences of each
    block that has any; ``headings`` of headings that the text itself does not mark as such. ``notes`` are sentences for
    a person about invalid markers. ``unread`` are the parts that people can read and that are in no sentence.
    """

    source: str
    format: Format
    non_prose: tuple[NonProseSpan, ...]
    sentences: tuple[Sentence, ...]
    quotes: tuple[tuple[int, int], ...]
    suppressed: tuple[SuppressedRange, ...] = ()
    paragraphs: tuple[tuple[int, int], ...] = ()
    notes: tuple[str, ...] = ()
    unread: tuple[Unread, ...] = ()
    headings: tuple[tuple[int, int], ...] = ()


Span = tuple[int, int]

_ADDRESS = re.compile(
    r"""
    (?<![\w+.-]) (?:https?|ftps?|sftp|ircs?|git|ssh|file) :// [^\s<>"{}|\[\]`\x01\x02]++
  | (?<![\w@./-]) www\. [^\s<>"{}|\[\]`\x01\x02]++
  | (?<![\w.%+-]) (?:mailto:)? \w [\w.%+-]{0,63} @ (?:[\w-]{1,63}\.){1,8} [^\W\d_]{2,24} (?![\w-])
    """,
    re.VERBOSE | re.IGNORECASE,
)
_TRAILING = ".,;:!?'\"*_~…’”»“‘"


@dataclass(frozen=True, slots=True)
class Layout:
    """What a format's parser returns: non-prose spans, blocks of prose, quotations set apart by markup, comments.

    All are sorted; non-prose spans and blocks are disjoint. A sentence never crosses the border of a block.
    ``comments`` are those of ``<!-- -->`` that the format treats as comments; comments that cannot be markers may be
    left out. ``unread`` are parts with words that people can read and that are in no block, or in another language.
    ``set_apart`` are stretches in italics or with a link, which may be titles.
    """

    non_prose: tuple[NonProseSpan, ...]
    blocks: tuple[Span, ...]
    quotes: tuple[Span, ...] = ()
    comments: tuple[Span, ...] = ()
    unread: tuple[Unread, ...] = ()
    set_apart: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class FormatParser:
    """How a format is parsed, and how a text in it can be cut into parts that parse alike alone and together.

    ``split`` cuts a text where a new block begins. ``is_closed(part)``: nothing in a part reaches into what follows it.
    ``needs_whole(source)``: the text cannot be parsed in parts. ``joins_markup``: a part that ends with markup and a
    part that begins with markup have to be parsed as one.
    """

    lay_out: Callable[[str], Layout]
    split: Callable[[str], list[str]]
    is_closed: Callable[[str], bool] = lambda _: True
    needs_whole: Callable[[str], bool] = lambda _: False
    joins_markup: bool = False


def merge_non_prose(non_prose: Iterable[NonProseSpan]) -> tuple[NonProseSpan, ...]:
    """Sorted, disjoint spans that cover the same characters.

    A span inside another vanishes into it; spans that overlap otherwise become one, a gap if either is.
    """
    merged: list[NonProseSpan] = []
    for span in sorted(non_prose, key=lambda span: (span.start, -span.end)):
        if span.start >= span.end:
            continue
        last = merged[-1] if merged else None
        if last is None or span.start >= last.end:
            merged.append(span)
        elif span.end > last.end:
            merged[-1] = NonProseSpan(last.start, span.end, last.gap or span.gap)
    return tuple(merged)


def merge_spans(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Sorted, disjoint spans that cover the same characters; spans that touch stay apart."""
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and start < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        elif start < end:
            joined.append((start, end))
    return tuple(joined)


def find_addresses(source: str) -> list[NonProseSpan]:
    """Bare URLs and e-mail addresses, as gaps, without the punctuation that ends a sentence after them."""
    found = []
    for match in _ADDRESS.finditer(source):
        address = match.group().split("''", 1)[0]
        unpaired = address.count(")") - address.count("(")
        end = len(address)
        while end and (address[end - 1] in _TRAILING or (unpaired > 0 and address[end - 1] == ")")):
            unpaired -= address[end - 1] == ")"
            end -= 1
        found.append(NonProseSpan(match.start(), match.start() + end, True))
    return found


def normalize_line_ends(source: str) -> str:
    r"""The source with every line end a ``\n`` and no character moved: a ``\r`` before it becomes a space."""
    return source.replace("\r\n", " \n").replace("\r", "\n") if "\r" in source else source
