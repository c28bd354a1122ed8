"""Documents: source text, what of it is prose, its sentences and its direct quotations."""

from __future__ import annotations

import re
from bisect import bisect_right
from importlib import import_module
from pathlib import PurePath

from core.documents.masks import Layout, Span, union
from core.documents.model import Document, Format, Mask, Prose, Sentence
from core.documents.quotes import find_quotes
from core.documents.sentences import split
from core.documents.strands import Strand, prose, unravel

__all__ = ["Document", "Format", "Mask", "Prose", "Sentence", "detect", "parse", "prose"]

_SUFFIXES = {
    ".md": Format.MARKDOWN,
    ".markdown": Format.MARKDOWN,
    ".wiki": Format.WIKITEXT,
    ".wikitext": Format.WIKITEXT,
    ".mediawiki": Format.WIKITEXT,
}
_WIKITEXT = re.compile(
    r"\[\[[^\[\]\n]{1,200}\]\]|\{\{\s?[^\W\d_][^{}\[\]]{0,200}[|}]|<ref(?:\s[^<>\n]{1,200})?/?>|^'''[^'\n]{1,200}'''",
    re.IGNORECASE | re.MULTILINE,
)


def detect(path: str, source: str) -> Format:
    """The format by the suffix of a file name, else by mark-up that only wikitext has, else plain text."""
    by_suffix = _SUFFIXES.get(PurePath(path).suffix.lower())
    if by_suffix is not None:
        return by_suffix
    return Format.WIKITEXT if _WIKITEXT.search(source) else Format.PLAIN


def parse(source: str, format: Format) -> Document:
    """Read a source. Any string is a document: mark-up that is never closed masks no more than itself."""
    layout: Layout = import_module(f"core.documents.{format.value}").lay_out(source)
    strands = [unravel(source, start, end, masks=layout.masks) for start, end in layout.blocks]
    quotes = union([*layout.quotes, *find_quotes(strands)])
    sentences = [sentence for strand in strands for sentence in _sentences(strand, quotes)]
    return Document(source, format, layout.masks, tuple(sentences), quotes)


def _sentences(strand: Strand, quotes: tuple[Span, ...]) -> list[Sentence]:
    found = []
    for start, end in split(strand.text):
        first, last = strand.source_span(start, end)
        found.append(Sentence(first, last, _mostly_quoted(strand, start, end, quotes=quotes)))
    return found


def _mostly_quoted(strand: Strand, start: int, end: int, *, quotes: tuple[Span, ...]) -> bool:
    first, last = strand.source_span(start, end)
    inside = 0
    for number in range(bisect_right(quotes, first, key=lambda quote: quote[1]), len(quotes)):
        if quotes[number][0] >= last:
            break
        begin, stop = max(quotes[number][0], first), min(quotes[number][1], last)
        inside += _word_characters(strand.text[strand.index(begin) : strand.index(stop)])
    return inside > 0 and 2 * inside > _word_characters(strand.text[start:end])


def _word_characters(text: str) -> int:
    return sum(map(str.isalnum, text))
