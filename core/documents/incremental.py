"""Incremental parsing: after an edit only the changed parts between blank lines are parsed again.

The result equals ``core.documents.parse`` of the whole text. A part may be parsed alone if nothing crosses its ends: no
open markup, no quotation that the next paragraph continues, no non-prose span. Where that is not certain, neighbouring
parts are parsed as one, and as a last resort the whole text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from core.documents import (
    Document,
    Format,
    NonProseSpan,
    Sentence,
    add_quotes,
    excluded,
    lay_out,
    parse,
    read_blocks,
)
from core.documents.format_specs import FORMATS
from core.documents.prose_view import ProseView
from core.documents.quotes import QUOTATION_MARK, find_quotes
from core.documents.suppression import find_suppressed, read_markers
from core.documents.titles import find_titles
from core.documents.types import Layout, Span, SuppressedRange, merge_spans
from core.types import Unread


@dataclass(slots=True)
class _Unit:
    """A part of the text; ``head`` and ``tail`` are its first and last block, next to its neighbours.

    ``bare_head`` and ``bare_tail``: it begins or ends with something that is not prose. ``document`` is its content at
    its latest offset ``at``. ``meets``: it continues a quotation of ``before``, the last part it was compared with.
    """

    text: str
    layout: Layout
    document: Document
    titles: list[Span]
    head: ProseView | None
    tail: ProseView | None
    bare_head: bool
    bare_tail: bool
    at: int = 0
    before: _Unit | None = None
    meets: bool = False


class IncrementalParser:
    """Parses texts like ``core.documents.parse``, and reuses the parts of the previous one."""

    def __init__(self) -> None:
        self._format = Format.PLAIN
        self._units: dict[str, _Unit] = {}
        self._closed: dict[str, bool] = {}

    def parse(
        self,
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
        """The document of ``source``; see ``core.documents.parse``."""
        suppressed, quotes, unread = tuple(suppressed), tuple(quotes), tuple(unread)
        non_prose, set_apart = tuple(non_prose), tuple(set_apart)
        if non_prose or "\r" in source or FORMATS[format].parser.needs_whole(source):
            return parse(
                source,
                format,
                suppressed=suppressed,
                quotes=quotes,
                unread=unread,
                non_prose=non_prose,
                set_apart=set_apart,
                headings=headings,
            )
        if format is not self._format:
            self._format, self._units, self._closed = format, {}, {}
        known, self._units = self._units, {}
        joined = _join_units(
            source,
            format,
            self._join_dependent(self._closed_parts(source), known),
            suppressed,
            unread,
            set_apart,
        )
        return add_quotes(replace(joined, headings=merge_spans(headings)), quotes)

    def _closed_parts(self, source: str) -> Iterator[str]:
        """The text in parts that leave no markup open at their end."""
        known, self._closed = self._closed, {}
        parser = FORMATS[self._format].parser
        pieces = parser.split(source)
        at, wide = 0, 1
        while at < len(pieces):
            stretch = pieces[at] if wide == 1 else "".join(pieces[at : at + wide])
            closed = known.get(stretch)
            self._closed[stretch] = closed = parser.is_closed(stretch) if closed is None else closed
            if closed or at + wide >= len(pieces):
                yield stretch
                at, wide = at + wide, 1
            else:
                wide *= 2

    def _join_dependent(self, find_suppressed: Iterable[str], known: Mapping[str, _Unit]) -> list[_Unit]:
        """Units for the parts; parts that depend on each other, and those between them, become one."""
        joins_markup = FORMATS[self._format].parser.joins_markup
        runs: list[list[_Unit]] = []
        last = -1
        for text in find_suppressed:
            unit = self._unit(text, known)
            joins = len(runs)
            if runs and joins_markup and runs[-1][-1].bare_tail and unit.bare_head:
                joins = len(runs) - 1
            if last >= 0 and _quote_goes_on(_with_tail(runs[last]), unit):
                joins = min(joins, last)
            runs[joins:] = [[*(one for run in runs[joins:] for one in run), unit]]
            last = joins if unit.tail is not None else min(last, joins)
        return [
            run[0] if len(run) == 1 else self._unit("".join(unit.text for unit in run), known) for run in runs
        ]

    def _unit(self, text: str, known: Mapping[str, _Unit]) -> _Unit:
        unit = self._units.get(text) or known.get(text) or _parse_unit(text, self._format)
        self._units[text] = unit
        return unit


def _with_tail(run: Sequence[_Unit]) -> _Unit:
    return next(unit for unit in reversed(run) if unit.tail is not None)


def _quote_goes_on(first: _Unit, second: _Unit) -> bool:
    """Whether the first paragraph of ``second`` continues a quotation that the last one of ``first`` left open."""
    if first.tail is None or second.head is None or not QUOTATION_MARK.match(second.head.text.lstrip()):
        return False
    if second.before is not first:
        both = find_quotes([first.tail, second.head])
        second.meets = len(both) != len(find_quotes([first.tail])) + len(find_quotes([second.head]))
        second.before = first
    return second.meets


def _parse_unit(text: str, format: Format) -> _Unit:
    layout = lay_out(text, format)
    views, quotes, blocks = read_blocks(text, layout)
    first = next(iter(layout.blocks), None)
    bare = not text.isspace() and bool(text)
    document = Document(
        "",
        format,
        layout.non_prose,
        tuple(sentence for block in blocks for sentence in block),
        quotes,
        paragraphs=tuple((block[0].start, block[-1].end) for block in blocks if block),
        unread=layout.unread,
    )
    return _Unit(
        text,
        layout,
        document,
        find_titles(text, document.sentences, layout.non_prose, layout.set_apart),
        head=views[0] if views else None,
        tail=views[-1] if views else None,
        bare_head=bare if first is None else bool(text[: first[0]].strip()),
        bare_tail=bare if first is None else bool(text[layout.blocks[-1][1] :].strip()),
    )


def _join_units(
    source: str,
    format: Format,
    units: Sequence[_Unit],
    suppressed: Sequence[SuppressedRange],
    more_unread: Sequence[Unread],
    set_apart: Sequence[Span],
) -> Document:
    """One document of all units."""
    non_prose: list[NonProseSpan] = []
    sentences: list[Sentence] = []
    quotes: list[Span] = []
    paragraphs: list[Span] = []
    comments: list[Span] = []
    unread: list[Unread] = []
    titles: list[Span] = []
    position = 0
    seen: set[int] = set()
    for unit in units:
        if unit.at != position:
            if id(unit) in seen:
                unit = replace(unit)
            unit.document, unit.at = _moved(unit.document, position - unit.at), position
        seen.add(id(unit))
        non_prose += unit.document.non_prose
        sentences += unit.document.sentences
        quotes += unit.document.quotes
        paragraphs += unit.document.paragraphs
        unread += unit.document.unread
        comments += _shifted(unit.layout.comments, position)
        titles += _shifted(unit.titles, position)
        position += len(unit.text)
    markers, notes = read_markers(source, comments)
    unread += more_unread
    found = tuple(sentences)
    titles += find_titles(source, found, non_prose, set_apart)
    return Document(
        source,
        format,
        tuple(non_prose),
        found,
        tuple(quotes),
        suppressed=find_suppressed(
            markers, found, length=len(source), also=excluded(suppressed, unread, titles)
        ),
        paragraphs=tuple(paragraphs),
        notes=tuple(notes),
        unread=tuple(unread),
    )


def _moved(document: Document, by: int) -> Document:
    return replace(
        document,
        non_prose=tuple(
            [
                NonProseSpan(span.start + by, span.end + by, span.gap, span.read_as)
                for span in document.non_prose
            ]
        ),
        sentences=tuple([Sentence(one.start + by, one.end + by, one.quoted) for one in document.sentences]),
        quotes=tuple(_shifted(document.quotes, by)),
        paragraphs=tuple(_shifted(document.paragraphs, by)),
        unread=tuple([Unread(one.kind, one.start + by, one.end + by) for one in document.unread]),
    )


def _shifted(spans: Iterable[Span], by: int) -> list[Span]:
    return [(start + by, end + by) for start, end in spans]
