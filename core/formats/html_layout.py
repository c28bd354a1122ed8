"""The text that a browser shows of a page, line by line, with the source offset of every character."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from html import unescape
from html.entities import html5

from core.documents.characters import is_footnote_mark
from core.documents.languages import foreign_passages
from core.documents.suppression import MAX_NOTES, Marker, MarkerError, read_marker, with_line_number
from core.documents.types import NonProseSpan, Span, SuppressedRange, merge_non_prose
from core.documents.unread import holds_prose
from core.formats.types import ContainerError
from core.i18n import tr
from core.text import html_scan as names
from core.text.appearance import Appearance, ParagraphStyle, merge_runs
from core.text.english import is_foreign
from core.text.html_scan import Token, attributes, is_hidden, scan
from core.text.list_labels import bullet, numeral
from core.text.table_cells import OpenTables
from core.types import Unread, UnreadKind


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the text: ``text[start:end]``.

    ``anchor`` is where in the source the words of an empty line go. ``broken``: a ``<br>`` ends it, so it stays a line
    when it is empty. ``locked``: it is preformatted. ``breaks`` are the ranges in which it may be split, because a
    ``<p>`` with the attributes ``rest`` holds it alone.
    """

    start: int
    end: int
    anchor: int
    broken: bool = False
    locked: bool = False
    breaks: tuple[Span, ...] = ()
    rest: str = ""


@dataclass(frozen=True, slots=True)
class SourceMap:
    """Maps text to source: segment k, ``starts[k]`` to ``stops[k]``, is at ``origins[k]`` to ``ends[k]`` of the source.

    A segment as long as its source equals it character by character; any other is one character reference or one run
    of white space. ``spread`` has all the places of a space whose white space is interrupted by tags. Line ends have
    no place in the source.
    """

    starts: array[int] = field(default_factory=lambda: array("q"))
    stops: array[int] = field(default_factory=lambda: array("q"))
    origins: array[int] = field(default_factory=lambda: array("q"))
    ends: array[int] = field(default_factory=lambda: array("q"))
    spread: dict[int, tuple[Span, ...]] = field(default_factory=dict)

    def add(self, start: int, length: int, spans: tuple[Span, ...]) -> None:
        """Add ``length`` characters of text that come from ``spans`` of the source."""
        origin, end = spans[0]
        if len(spans) > 1:
            self.spread[len(self.starts)] = spans
            end = spans[-1][1]
        elif (
            self.starts
            and self.ends[-1] == origin
            and self.stops[-1] == start
            and length == end - origin
            and self.is_verbatim(len(self.starts) - 1)
        ):
            self.stops[-1], self.ends[-1] = start + length, end
            return
        self.starts.append(start)
        self.stops.append(start + length)
        self.origins.append(origin)
        self.ends.append(end)

    def is_verbatim(self, number: int) -> bool:
        """Whether a segment equals its source character by character."""
        length = self.stops[number] - self.starts[number]
        return length == self.ends[number] - self.origins[number] and number not in self.spread

    def segment_at(self, offset: int) -> int:
        """The number of the segment that holds ``text[offset]``, which must not be a line end."""
        return bisect_right(self.starts, offset) - 1

    def spans(self, number: int) -> tuple[Span, ...]:
        """All places of a segment in the source."""
        return self.spread.get(number) or ((self.origins[number], self.ends[number]),)

    def source_start(self, offset: int) -> int:
        """Where the source of ``text[offset]`` begins."""
        number = self.segment_at(offset)
        inside = offset - self.starts[number] if self.is_verbatim(number) else 0
        return self.origins[number] + inside

    def source_end(self, offset: int) -> int:
        """Where the source of ``text[offset]`` ends."""
        number = self.segment_at(offset)
        if self.is_verbatim(number):
            return self.origins[number] + offset + 1 - self.starts[number]
        return self.ends[number]


@dataclass(frozen=True, slots=True)
class PageText:
    """The text of a page, its lines joined by line ends, and what its markup says about it.

    ``notes`` are about invalid markers; ``unread`` is what a reader of the page can see and ``text`` does not have;
    ``first`` is where words go in a page without text.
    """

    text: str
    lines: tuple[Line, ...]
    source_map: SourceMap
    quotes: tuple[Span, ...]
    code: tuple[SuppressedRange, ...]
    markers: tuple[Marker, ...]
    notes: tuple[str, ...]
    unread: tuple[Unread, ...]
    non_prose: tuple[NonProseSpan, ...]
    set_apart: tuple[Span, ...]
    appearance: Appearance
    first: int


MAX_PARTS = 300_000
"""The most tags and text segments of a page; more would take too much memory."""

_REFERENCE = r"& (?: \#[0-9]{1,9}+;?+ | \#[xX][0-9a-fA-F]{1,8}+;?+ | [a-zA-Z][a-zA-Z0-9]{1,40}+;?+ )"
_CHUNK = re.compile(
    rf"""
    (?P<space> [ \t\n\r\f]++ ) | (?P<reference> {_REFERENCE} )
  | (?P<plain> [^ \t\n\r\f&]++ (?: [ ] [^ \t\n\r\f&]++ )* | & )
    """,
    re.VERBOSE,
)
_KEPT = re.compile(
    rf"(?P<line> \r\n | \r | \n ) | (?P<reference> {_REFERENCE} ) | (?P<plain> [^\r\n&]++ | & )", re.VERBOSE
)
_WHOLE = re.compile(_REFERENCE, re.VERBOSE)
_SPACES = " \t\n\r\f"
_COMMENT_MARK = re.compile(r"cmnt\d+")
_WITH_TEXT = ("img", "area", "meta")
_WITH_ATTRIBUTES = ("a", "table", "ol", "li")
_LISTS = ("ul", "ol", "menu", "dir")
_CELLS = ("td", "th")
_CAPTIONS = ("caption", "figcaption")
_INTEGER = re.compile(r"\s*-?[0-9]{1,8}\s*")
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_STYLED = {
    **dict.fromkeys(("b", "strong", "th", "dt"), "bold"),
    **dict.fromkeys(("i", "em", "cite", "dfn", "var", "address"), "italic"),
    **dict.fromkeys(("u", "ins"), "underlined"),
    **dict.fromkeys(("s", "strike", "del"), "struck"),
    **dict.fromkeys(("code", "kbd", "samp", "tt", "pre"), "code"),
    "sup": "raised",
    "a": "linked",
}
_PLAIN = ParagraphStyle()


@dataclass(slots=True)
class _Paragraph:
    """An open ``<p>``: the number of lines before it, its attributes, and its own text so far."""

    lines: int
    rest: str
    stretches: list[Span] = field(default_factory=list)


@dataclass(slots=True)
class _Element:
    """An open element, where its text begins, and how it is shown.

    ``items`` is the number of the last item of a list, and ``numbers`` the kind of its numbers; ``label`` is that of an
    item in a list with numbers, ``labelled`` whether its first line has ended.
    """

    name: str
    start: int
    hidden: bool = False
    unread: bool = False
    language: str = ""
    linked: bool = False
    comment: bool = False
    items: int = 0
    numbers: str = "1"
    label: str = ""
    labelled: bool = False
    paragraph: _Paragraph | None = None


def page_text(source: str) -> PageText:
    """The text of a page. Any string is a page; raises ContainerError only for one with too many parts."""
    return _Builder(source).run()


class _Builder:
    def __init__(self, source: str) -> None:
        self._source = source
        self._xml = source.lstrip("\ufeff" + _SPACES).startswith("<?xml")
        self._parts: list[str] = []
        self._length = 0
        self._pieces = SourceMap()
        self._lines: list[Line] = []
        self._begun = -1
        self._pending: list[Span] = []
        self._stack: list[_Element] = []
        self._places: dict[str, list[int]] = {}
        self._blocks: list[int] = []
        self._hidden = self._preformatted = 0
        self._skip_line_end = False
        self._quotes: list[Span] = []
        self._code: list[SuppressedRange] = []
        self._markers: list[Marker] = []
        self._notes: list[str] = []
        self._unread: list[Unread] = []
        self._struck: list[Span] = []
        self._comments: list[Span] = []
        self._raised: list[tuple[int, int, bool]] = []
        self._set_apart: list[Span] = []
        self._foreign: list[Span] = []
        self._runs: list[tuple[str, Span]] = []
        self._looks: list[tuple[int, int, ParagraphStyle]] = []
        self._paragraph: tuple[int, ParagraphStyle] | None = None
        self._tables = OpenTables()
        self._has_cells: list[bool] = []
        self._hiding: _Element | None = None
        self._first = len(source)

    def run(self) -> PageText:
        for count, token in enumerate(scan(self._source, xml=self._xml)):
            _bound(count)
            if token.kind == "text":
                if self._preformatted and not self._hidden:
                    self._add_preformatted(token)
                elif not self._hidden:
                    self._text(token)
            elif token.kind == "open":
                self._open(token)
            elif token.kind == "close":
                self._close(token)
            elif token.kind == "comment" and not self._hidden:
                self._comment(token)
            if self._hidden and token.kind in ("text", "other"):
                self._hide(token)
        while self._stack:
            self._pop()
        self._flush()
        text = "".join(self._parts)
        return PageText(
            text,
            tuple(self._lines),
            self._pieces,
            quotes=tuple(_trimmed(text, start, end) for start, end in self._quotes),
            code=tuple(self._code),
            markers=tuple(self._markers),
            notes=tuple(self._notes),
            unread=(*self._unread, *self._passages(text)),
            non_prose=self._non_prose(text),
            set_apart=tuple(sorted(_trimmed(text, start, end) for start, end in self._set_apart)),
            appearance=Appearance(
                merge_runs((name, _trimmed(text, start, end)) for name, (start, end) in self._runs),
                tuple(self._looks),
            ),
            first=self._first,
        )

    def _non_prose(self, text: str) -> tuple[NonProseSpan, ...]:
        gone = [NonProseSpan(*_trimmed(text, *span), True) for span in (*self._struck, *self._comments)]
        marks = [
            NonProseSpan(start, end, False)
            for start, end, linked in self._raised
            if is_footnote_mark(text[start:end], text[max(0, start - 20) : start], linked=linked)
        ]
        return merge_non_prose([*gone, *marks])

    def _passages(self, text: str) -> Iterator[Unread]:
        yield from (Unread(UnreadKind.DELETION, *_trimmed(text, *span)) for span in self._struck)
        yield from (Unread(UnreadKind.COMMENT, *_trimmed(text, *span)) for span in self._comments)
        yield from foreign_passages(text, self._foreign)

    # Text

    def _begin(self) -> None:
        if self._lines:
            self._parts.append("\n")
            self._length += 1
        self._begun = self._length

    def _show(self, text: str, start: int, end: int) -> None:
        """Add visible text, with the space before it that white space since the last text makes."""
        if self._begun < 0:
            self._begin()
        elif self._pending:
            self._add(" ", tuple(self._pending))
        self._pending = []
        paragraph = self._stack[-1].paragraph if self._stack else None
        if paragraph is not None:
            paragraph.stretches.append((self._length, self._length + len(text)))
        if self._stack and is_foreign(self._stack[-1].language):
            self._foreign.append((self._length, self._length + len(text)))
        self._add(text, ((start, end),))

    def _add(self, text: str, spans: tuple[Span, ...]) -> None:
        self._pieces.add(self._length, len(text), spans)
        _bound(len(self._pieces.starts))
        self._parts.append(text)
        self._length += len(text)

    def _text(self, token: Token) -> None:
        position, end = token.start, token.end
        while position < end:
            chunk = _CHUNK.match(self._source, position, end)
            assert chunk is not None
            position = chunk.end()
            if chunk["space"]:
                self._pending.append(chunk.span())
            elif chunk["plain"]:
                self._show(chunk.group(), *chunk.span())
            else:
                shown, position = resolve_reference(chunk.group(), chunk.start())
                if shown and not shown.strip(_SPACES):
                    self._pending.append((chunk.start(), position))
                elif shown:
                    self._show(shown, chunk.start(), position)

    def _add_preformatted(self, token: Token) -> None:
        """Preformatted text; a line end right after its tag is not shown."""
        position, end = token.start, token.end
        while position < end:
            chunk = _KEPT.match(self._source, position, end)
            assert chunk is not None
            start, position = chunk.span()
            shown = chunk.group()
            if chunk["reference"]:
                shown, position = resolve_reference(shown, start)
            if shown.strip("\r\n"):
                self._show(shown.replace("\r", " ").replace("\n", " "), start, position)
            elif shown and not self._skip_line_end:
                self._break(start)
            self._skip_line_end = False

    # Lines

    def _break(self, at: int) -> None:
        """A line ends here by a break, also an empty one."""
        if self._begun < 0:
            self._begin()
        self._end_line(at, broken=True)

    def _flush(self) -> None:
        """A line ends here if there is one, and a paragraph."""
        if self._begun >= 0:
            self._end_line(-1, broken=False)
        self._pending = []
        if self._paragraph is not None:
            start, look = self._paragraph
            last = self._lines[-1]
            if look != _PLAIN or last.start > start:
                self._looks.append((start, last.end, look))
            self._paragraph = None

    def _end_line(self, at: int, *, broken: bool) -> None:
        if self._paragraph is None:
            self._paragraph = self._begun, self._look()
        self._lines.append(Line(self._begun, self._length, at, broken, locked=bool(self._preformatted)))
        self._begun = -1
        self._pending = []

    def _look(self) -> ParagraphStyle:
        """How the paragraph is shown whose first line ends here."""
        heading = level = 0
        label = ""
        quoted = caption = False
        item: _Element | None = None
        for element in self._stack:
            name = element.name
            if name in _LISTS:
                level += 1
            elif name == "li":
                item = element
            elif name in _HEADINGS:
                heading = int(name[1])
            quoted = quoted or name == "blockquote"
            caption = caption or name in _CAPTIONS
        if item is not None and level and not item.labelled:
            item.labelled = True
            label = item.label or bullet(level)
        return replace(
            self._tables.next_paragraph(),
            heading=heading,
            list_level=level,
            label=label,
            quoted=quoted,
            caption=caption,
        )

    # Elements

    def _open(self, token: Token) -> None:
        name = token.name
        closes = token.rest.endswith("/") and (self._xml or name in names.FOREIGN)
        self._end_implied(name)
        if not self._hidden:
            if name == "br":
                self._break(token.start)
            elif name in names.BLOCKS:
                self._flush()
        if name == "body" or (self._first == len(self._source) and name == "html"):
            self._first = token.end
        if name in _WITH_TEXT and not self._hidden:
            self._read_attributes(name, attributes(token.rest))
        if name in names.VOID or closes:
            return
        element = _Element(name, self._length, name in names.HIDDEN or is_hidden(token.rest))
        outer = self._stack[-1] if self._stack else None
        said = attributes(token.rest) if "lang" in token.rest.lower() or name in _WITH_ATTRIBUTES else {}
        element.language = said.get("lang", said.get("xml:lang", outer.language if outer else ""))
        if name == "a":
            self._read_link(said)
        elif name == "sup":
            element.linked = outer is not None and outer.name == "a"
        if name == "p":
            element.paragraph = _Paragraph(len(self._lines), token.rest)
        if name == "ol":
            element.items = _integer(said.get("start", ""), 1) - 1
            element.numbers = said.get("type", "1")
        elif name == "li":
            outer_list = next((one for one in reversed(self._stack) if one.name in _LISTS), None)
            if outer_list is not None and outer_list.name == "ol":
                outer_list.items = _integer(said.get("value", ""), outer_list.items + 1)
                element.label = f"{numeral(outer_list.items, outer_list.numbers)}."
        else:
            self._start_of_table(name, said)
        self._places.setdefault(name, []).append(len(self._stack))
        if name in names.BLOCKS:
            self._blocks.append(len(self._stack))
        self._stack.append(element)
        if element.hidden and not self._hidden:
            self._hiding = None if is_hidden(token.rest) else element
        self._hidden += element.hidden
        if name in names.PREFORMATTED:
            self._preformatted += 1
            self._skip_line_end = True

    def _start_of_table(self, name: str, said: dict[str, str]) -> None:
        if name == "table":
            self._has_cells.append(said.get("role", "").lower() not in ("presentation", "none"))
            if self._has_cells[-1]:
                self._tables.start_table()
        elif self._has_cells and self._has_cells[-1]:
            if name == "tr":
                self._tables.start_row()
            elif name in _CELLS:
                self._tables.start_cell(is_header=name == "th")

    def _end_of_table(self, element: _Element) -> None:
        is_shown = bool(self._has_cells) and self._has_cells[-1]
        if element.name == "table":
            self._has_cells.pop()
            if is_shown and self._tables.end_table() and self._looks:
                start, end, look = self._looks[-1]
                if look.in_table and start >= element.start:
                    self._looks[-1] = (start, end, replace(look, ends_table=True))
        elif is_shown and element.name == "tr":
            self._tables.end_row()
        elif is_shown and element.name in _CELLS:
            self._tables.end_cell()

    def _read_link(self, said: dict[str, str]) -> None:
        """Note a footnote's mark that is a link, and a comment in a page that Google Docs has exported."""
        if self._stack and self._stack[-1].name == "sup":
            self._stack[-1].linked = True
        mark = said.get("id") or said.get("name", "")
        if _COMMENT_MARK.fullmatch(mark) and said.get("href", "").startswith("#cmnt_ref"):
            blocks = [element for element in self._stack if element.name in ("div", "p")]
            alone = [element for element in blocks if not self._text_since(element.start)]
            if alone:
                alone[0].comment = True

    def _text_since(self, start: int) -> bool:
        """Whether any text was shown since ``start``."""
        return self._length > start

    def _read_attributes(self, name: str, found: dict[str, str]) -> None:
        """Note prose in attributes that readers of the page meet."""
        if name == "meta":
            of_page = found.get("name", "").lower() == "description"
            if of_page and holds_prose(found.get("content", "")):
                self._unread.append(Unread(UnreadKind.METADATA))
        elif holds_prose(found.get("alt", "")):
            self._unread.append(Unread(UnreadKind.ALTERNATIVE))

    def _hide(self, token: Token) -> None:
        """Note prose in an element that is not read, once for each; what its tags hide from readers is none."""
        element = self._hiding
        if element is None or element.unread or self._stack[-1].name in ("script", "style"):
            return
        kind = UnreadKind.METADATA if element.name == "title" else UnreadKind.EMBEDDED
        if element.name == "title" or element.name in names.EMBEDDED:
            element.unread = holds_prose(self._source[token.start : token.end])
            self._unread += [Unread(kind)] * element.unread

    def _end_implied(self, name: str) -> None:
        ends = names.ENDS.get(name, frozenset())
        while self._stack and self._stack[-1].name in ends:
            self._pop()
        if name in names.ENDS_PARAGRAPH and self._stack and self._stack[-1].name == "p":
            self._pop()

    def _close(self, token: Token) -> None:
        name = token.name
        places = self._places.get(name)
        if not self._hidden and name == "br":
            self._break(token.start)
        if not places:
            if name in names.BLOCKS and not self._hidden:
                self._flush()
            return
        if name not in names.BLOCKS and self._blocks and self._blocks[-1] > places[-1]:
            return
        for _ in range(len(self._stack) - places[-1]):
            self._pop()

    def _pop(self) -> None:
        element = self._stack[-1]
        name = element.name
        if name in names.BLOCKS:
            if not self._hidden:
                self._flush()
            self._blocks.pop()
        self._stack.pop()
        self._places[name].pop()
        self._hidden -= element.hidden
        self._end_of_table(element)
        if name in names.PREFORMATTED:
            self._preformatted -= 1
        if element.start < self._length:
            if element.comment:
                self._comments.append((element.start, self._length))
            if name in _STYLED:
                self._runs.append((_STYLED[name], (element.start, self._length)))
            if name in names.STRUCK_OUT:
                self._struck.append((element.start, self._length))
            elif name in names.SET_APART:
                self._set_apart.append((element.start, self._length))
            elif name == "sup":
                self._raised.append((element.start, self._length, element.linked))
            if name in names.QUOTATIONS:
                self._quotes.append((element.start, self._length))
            elif name in names.CODE or name in names.PREFORMATTED:
                self._code.append(SuppressedRange(element.start, self._length))
        paragraph = element.paragraph
        if paragraph is not None and len(self._lines) == paragraph.lines + 1:
            line = self._lines[-1]
            if not line.locked:
                self._lines[-1] = Line(
                    line.start,
                    line.end,
                    line.anchor,
                    line.broken,
                    breaks=tuple(paragraph.stretches),
                    rest=paragraph.rest,
                )

    def _comment(self, token: Token) -> None:
        try:
            marker = read_marker(self._source[token.start : token.end], self._length, self._length)
        except MarkerError as error:
            if len(self._notes) < MAX_NOTES:
                self._notes.append(with_line_number(self._source, token.start, str(error)))
            return
        if marker is not None:
            self._markers.append(marker)


def _integer(value: str, otherwise: int) -> int:
    return int(value) if _INTEGER.fullmatch(value) else otherwise


def _bound(parts: int) -> None:
    if parts > MAX_PARTS:
        said = tr("The page has more than {count} tags and pieces of text. Split it and open the parts.")
        raise ContainerError(said.format(count=f"{MAX_PARTS:,}"))


def _trimmed(text: str, start: int, end: int) -> Span:
    """A span without the line end and the space that were still to come when it began."""
    return start + len(text[start:end]) - len(text[start:end].lstrip("\n ")), end


def resolve_reference(reference: str, start: int) -> tuple[str, int]:
    """The characters of a character reference at ``start`` and its end, or ``&`` and the end of that.

    One without a semicolon may end inside a word: ``&copyright`` is ``©right``.
    """
    if _WHOLE.fullmatch(reference) and (reference[1] == "#" or reference[1:] in html5):
        return unescape(reference), start + len(reference)
    for length in range(min(len(reference), 8), 1, -1):
        if reference[1:length] in html5:
            return unescape(reference[:length]), start + length
    return "&", start + 1
