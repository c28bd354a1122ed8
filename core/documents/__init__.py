"""Documents: source text, what of it is prose, its sentences and its direct quotations."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import replace

from core.documents.characters import find_special_characters
from core.documents.format_specs import FORMATS
from core.documents.interviews import find_turns
from core.documents.languages import foreign_ranges
from core.documents.prose_view import ProseView, prose, view_prose
from core.documents.quotes import find_quotes
from core.documents.sentences import split
from core.documents.suppression import find_suppressed, read_markers
from core.documents.titles import find_titles
from core.documents.types import (
    Document,
    Format,
    Layout,
    NonProseSpan,
    Prose,
    Sentence,
    Span,
    SuppressedRange,
    merge_non_prose,
    merge_spans,
)
from core.types import Unread

__all__ = ["Document", "Format", "NonProseSpan", "Prose", "Sentence", "parse", "prose"]


def parse(
    source: str,
    format: Format,
    *,
    suppressed: Iterable[SuppressedRange] = (),
    quotes: Iterable[Span] = (),
    unread: Iterable[Unread] = (),
    non_prose: Iterable[NonProseSpan] = (),
    set_apart: Iterable[Span] = (),
    headings: Iterable[Span] = (),
) -> Document:
    """Parse a source. Any string is a document: of markup that is never closed, only itself is left out.

    For html, docx and odt the source is the text extracted from the file; ``suppressed``, ``quotes``, ``unread``,
    ``non_prose``, ``set_apart`` and ``headings`` are what the file's own markup says about it. A pure function of its
    arguments.
    """
    layout = lay_out(source, format, non_prose)
    _, quoted, blocks = read_blocks(source, layout)
    sentences = tuple(sentence for block in blocks for sentence in block)
    markers, notes = read_markers(source, layout.comments)
    unread = (*layout.unread, *unread)
    titles = find_titles(source, sentences, layout.non_prose, (*layout.set_apart, *set_apart))
    document = Document(
        source,
        format,
        layout.non_prose,
        sentences,
        quoted,
        suppressed=find_suppressed(
            markers, sentences, length=len(source), also=excluded(suppressed, unread, titles)
        ),
        paragraphs=tuple((block[0].start, block[-1].end) for block in blocks if block),
        notes=tuple(notes),
        unread=unread,
        headings=merge_spans(headings),
    )
    return add_quotes(document, quotes)


def add_quotes(document: Document, quotes: Iterable[Span]) -> Document:
    """The document with the quotations that the file's markup names and the turns of an interview."""
    found = merge_spans([*quotes, *find_turns(document)])
    if not found:
        return document
    merged = merge_spans([*document.quotes, *found])
    sentences = list(document.sentences)
    for start, end in found:
        number = bisect_right(document.sentences, start, key=lambda sentence: sentence.end)
        while number < len(sentences) and sentences[number].start < end:
            sentence = sentences[number]
            view = view_prose(document.source, sentence.start, sentence.end, non_prose=document.non_prose)
            quoted = _mostly_quoted(view, 0, len(view.text), quotes=merged)
            sentences[number] = Sentence(sentence.start, sentence.end, quoted)
            number += 1
    return replace(document, sentences=tuple(sentences), quotes=merged)


def excluded(
    suppressed: Iterable[SuppressedRange], unread: Iterable[Unread], titles: Iterable[Span]
) -> list[SuppressedRange]:
    """The ranges in which nothing is found: those given, passages in another language, and titles."""
    return [*suppressed, *foreign_ranges(unread), *(SuppressedRange(start, end) for start, end in titles)]


def lay_out(source: str, format: Format, non_prose: Iterable[NonProseSpan] = ()) -> Layout:
    """The layout of a source in one format, with further ``non_prose``: blocks, quotations, comments and the like."""
    layout = FORMATS[format].parser.lay_out(source)
    more = [*non_prose, *find_special_characters(source)]
    return replace(layout, non_prose=merge_non_prose([*layout.non_prose, *more])) if more else layout


def read_blocks(
    source: str, layout: Layout
) -> tuple[list[ProseView], tuple[Span, ...], list[list[Sentence]]]:
    """The prose of each block, the quotations, and the sentences of each block."""
    views = [view_prose(source, start, end, non_prose=layout.non_prose) for start, end in layout.blocks]
    quoted = merge_spans([*layout.quotes, *find_quotes(views)])
    return views, quoted, [_sentences(view, quoted) for view in views]


def _sentences(view: ProseView, quotes: tuple[Span, ...]) -> list[Sentence]:
    found = []
    for start, end in split(view.text):
        first, last = view.source_span(start, end)
        found.append(Sentence(first, last, _mostly_quoted(view, start, end, quotes=quotes)))
    return found


def _mostly_quoted(view: ProseView, start: int, end: int, *, quotes: tuple[Span, ...]) -> bool:
    first, last = view.source_span(start, end)
    inside = 0
    for number in range(bisect_right(quotes, first, key=lambda quote: quote[1]), len(quotes)):
        if quotes[number][0] >= last:
            break
        begin, stop = max(quotes[number][0], first), min(quotes[number][1], last)
        inside += _word_characters(view.text[view.index(begin) : view.index(stop)])
    return inside > 0 and 2 * inside > _word_characters(view.text[start:end])


def _word_characters(text: str) -> int:
    return sum(map(str.isalnum, text))
