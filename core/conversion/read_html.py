"""HTML of a clipboard as blocks. Nothing that it names is loaded; pictures and what is hidden are left out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from html import unescape

from core.conversion.markup import FORMATTING_TAGS
from core.conversion.types import (
    Block,
    CodeBlock,
    Heading,
    ItemList,
    Paragraph,
    Quote,
    Run,
    Runs,
    Table,
    ThematicBreak,
    stripped,
    with_formatting,
)
from core.conversion.word_blocks import BlockCollector, cell_runs
from core.text import html_scan as names
from core.text.html_scan import attributes, is_hidden, scan

MAX_SIZE = 1_000_000
"""The characters of the longest HTML that is read."""
_DEEPEST = 120
_MAX_CELLS = 50_000
_MAX_SPAN = 50

_SPACES = re.compile(r"[ \t\r\n\f]+")
_ADDRESS = re.compile(r"(?:https?://|mailto:)\S.*", re.IGNORECASE)
_WEIGHT = re.compile(r"font-weight\s*:\s*(?:(bold|[6-9]00)|(normal|[1-5]00))", re.IGNORECASE)
_SLANT = re.compile(r"font-style\s*:\s*(?:(italic|oblique)|(normal))", re.IGNORECASE)
_LINE = re.compile(r"text-decoration[a-z-]*\s*:\s*(?:[a-z ]*(line-through)|(none))", re.IGNORECASE)
_STYLES = (("bold", _WEIGHT), ("italic", _SLANT), ("struck", _LINE))
_WORD_ITEM = re.compile(r"mso-list\s*:\s*l(\d+)\s+level(\d)", re.IGNORECASE)
_WORD_SIGN = re.compile(r"mso-list\s*:\s*ignore", re.IGNORECASE)
_NUMBER = re.compile(r"[0-9]{1,6}")
_NUMBERED = re.compile(r"\(?\w{1,8}[.)]")


class TooComplexError(ValueError):
    """The HTML is too large, or nested too deeply, to be read."""


@dataclass(slots=True)
class _Element:
    name: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[_Element | str] = field(default_factory=list)
    hidden: bool = False

    @property
    def style(self) -> str:
        return self.attributes.get("style", "")

    def elements(self) -> Iterator[_Element]:
        return (child for child in self.children if isinstance(child, _Element))

    def text(self) -> str:
        """All text inside, line breaks as such."""
        return "".join(
            child if isinstance(child, str) else "\n" if child.name == "br" else child.text()
            for child in self.children
        )


def read_html(source: str) -> tuple[Block, ...]:
    """The blocks of a page or a part of one. Raises TooComplexError."""
    if len(source) > MAX_SIZE:
        raise TooComplexError
    flow = _Flow()
    flow.add(_tree(source).children, Run(""))
    return flow.blocks()


def _tree(source: str) -> _Element:
    """The elements of a page, those that have no end ended where a browser would."""
    root = _Element("")
    opened = [root]
    for token in scan(source):
        if token.kind == "text":
            opened[-1].children.append(unescape(source[token.start : token.end]))
        elif token.kind == "open":
            ends = names.ENDS.get(token.name, frozenset())
            while opened[-1].name in ends:
                opened.pop()
            if token.name in names.ENDS_PARAGRAPH and opened[-1].name == "p":
                opened.pop()
            hidden = token.name in names.HIDDEN or is_hidden(token.rest)
            made = _Element(token.name, attributes(token.rest), hidden=hidden)
            opened[-1].children.append(made)
            if token.name not in names.VOID and not (hidden and token.rest.endswith("/")):
                opened.append(made)
            if len(opened) > _DEEPEST:
                raise TooComplexError
        elif token.kind == "close":
            place = next((at for at in range(len(opened) - 1, 0, -1) if opened[at].name == token.name), 0)
            if place:
                del opened[place:]
    return root


class _Flow:
    """Puts the content of one element together: what is not a block becomes paragraphs."""

    def __init__(self) -> None:
        self._collector = BlockCollector()
        self._runs: list[Run] = []

    def blocks(self) -> tuple[Block, ...]:
        """All blocks."""
        self._end_paragraph()
        return tuple(self._collector.blocks())

    def add(self, children: Iterable[_Element | str], formatting: Run) -> None:
        """Add the content of an element; ``formatting`` is that of its text."""
        for child in children:
            if isinstance(child, str):
                self._runs.append(replace(formatting, text=_SPACES.sub(" ", child)))
            elif child.name == "br":
                self._runs.append(replace(formatting, text="\n"))
            elif not child.hidden:
                self._add_element(child, formatting)

    def _add_element(self, element: _Element, formatting: Run) -> None:
        name = element.name
        if name in names.HEADINGS:
            # A heading is bold by itself.
            runs = stripped(with_formatting(run, "bold", False) for run in _lines(element, formatting))
            self._add_block(Heading(int(name[1]), runs) if runs else None)
        elif name in ("ul", "ol", "menu", "dir"):
            self._add_block(_list(element, formatting))
        elif name == "table":
            self._add_table(element, formatting)
        elif name == "blockquote":
            quoted = _blocks(element, _styled(element, formatting))
            self._add_block(Quote(quoted) if quoted else None)
        elif name in names.PREFORMATTED:
            text = element.text().strip("\n")
            self._add_block(CodeBlock(text) if text.strip() else None)
        elif name == "hr":
            self._add_block(ThematicBreak())
        elif name == "p" and (item := _WORD_ITEM.search(element.style)):
            self._add_word_item(element, formatting, item)
        elif name in names.BLOCKS:
            self._end_paragraph()
            self.add(element.children, _styled(element, formatting))
            self._end_paragraph()
        elif name == "q":
            self.add(["“", *element.children, "”"], _styled(element, formatting))
        else:
            self.add(element.children, _styled(element, formatting))

    def _end_paragraph(self) -> None:
        runs, self._runs = stripped(self._runs), []
        if runs:
            self._collector.add(Paragraph(runs))

    def _add_block(self, block: Block | None) -> None:
        self._end_paragraph()
        if block is not None:
            self._collector.add(block)

    def _add_word_item(self, element: _Element, formatting: Run, item: re.Match[str]) -> None:
        """An item of a list as Word writes it: a paragraph that begins with its number or its bullet."""
        self._end_paragraph()
        sign = _take_sign(element)
        if runs := stripped(_lines(element, formatting)):
            numbered = _NUMBERED.fullmatch(sign.strip()) is not None and sign.strip() != "o"
            self._collector.add_item(int(item[2]), numbered, runs, list_id=item[1])

    def _add_table(self, table: _Element, formatting: Run) -> None:
        """A table; one that only lays out a page counts as what stands in it."""
        for caption in table.elements():
            if caption.name == "caption":
                self._add_block(Paragraph(runs) if (runs := stripped(_lines(caption, formatting))) else None)
        rows = list(_rows(table))
        cells = [cell for row in rows for cell in row.elements()]
        if max((len(list(row.elements())) for row in rows), default=0) < 2 or any(map(_has_table, cells)):
            for cell in cells:
                self._end_paragraph()
                self.add(cell.children, _styled(cell, formatting))
            self._end_paragraph()
        else:
            self._add_block(Table(_grid(rows, formatting)))


def _blocks(element: _Element, formatting: Run) -> tuple[Block, ...]:
    flow = _Flow()
    flow.add(element.children, formatting)
    return flow.blocks()


def _lines(element: _Element, formatting: Run) -> Runs:
    """The text of an element whose paragraphs are lines."""
    return cell_runs(_blocks(element, _styled(element, formatting)))


def _list(element: _Element, formatting: Run) -> ItemList | None:
    items: list[tuple[Block, ...]] = []
    for child in element.elements():
        if child.hidden:
            continue
        if child.name in ("ul", "ol"):
            # Word processors put the list of an item behind it.
            inner = _list(child, formatting)
            if inner is not None and items:
                items[-1] = (*items[-1], inner)
            elif inner is not None:
                items.append((inner,))
        elif found := _blocks(child, _styled(child, formatting)):
            items.append(found)
    number = _number(element.attributes.get("start", "")) if element.name == "ol" else 1
    return ItemList(tuple(items), element.name == "ol", number) if items else None


def _rows(table: _Element) -> Iterator[_Element]:
    for child in table.elements():
        if child.name == "tr" and not child.hidden:
            yield child
        elif child.name in ("thead", "tbody", "tfoot"):
            yield from _rows(child)


def _has_table(element: _Element) -> bool:
    return any(child.name == "table" or _has_table(child) for child in element.elements())


def _grid(rows: list[_Element], formatting: Run) -> tuple[tuple[Runs, ...], ...]:
    """The cells of a table, those that reach over several columns or rows with empty ones beside or below them."""
    grid: list[tuple[Runs, ...]] = []
    widest = 0
    below: dict[int, int] = {}
    for row in rows:
        line: list[Runs] = []
        for cell in row.elements():
            _fill(line, below)
            width, height = (
                min(_number(cell.attributes.get(name, "")) or 1, _MAX_SPAN) for name in ("colspan", "rowspan")
            )
            for column in range(len(line), len(line) + width):
                below[column] = height - 1
            # The cells of the first row are heads: bold by themselves.
            runs = _lines(cell, formatting)
            line += [stripped(with_formatting(run, "bold", False) for run in runs) if not grid else runs]
            line += [()] * (width - 1)
        _fill(line, below)
        grid.append(tuple(line))
        widest = max(widest, len(line))
        if len(grid) * widest > _MAX_CELLS:
            raise TooComplexError
    return tuple(grid)


def _fill(line: list[Runs], below: dict[int, int]) -> None:
    """Put empty cells where a cell of a row above reaches down."""
    while below.get(len(line), 0) > 0:
        below[len(line)] -= 1
        line.append(())


def _number(text: str) -> int:
    """The number in an attribute; 1 if it is none, or a long one."""
    return int(text) if _NUMBER.fullmatch(text) else 1


def _take_sign(element: _Element) -> str:
    """Take the number or the bullet out of an item of Word; returns it."""
    for place, child in enumerate(element.children):
        if not isinstance(child, _Element):
            continue
        if _WORD_SIGN.search(child.style):
            del element.children[place]
            return child.text()
        if sign := _take_sign(child):
            return sign
    return ""


def _styled(element: _Element, formatting: Run) -> Run:
    """The formatting of the text in an element."""
    if element.name in FORMATTING_TAGS:
        formatting = with_formatting(formatting, FORMATTING_TAGS[element.name], True)
    for name, pattern in _STYLES:
        if said := pattern.search(element.style):
            formatting = with_formatting(formatting, name, bool(said[1]))
    if element.name == "a":
        address = _SPACES.sub(" ", element.attributes.get("href", "")).strip()
        formatting = replace(formatting, link=address if _ADDRESS.fullmatch(address) else "")
    return formatting
