"""What the readers of docx and odt share: paragraphs put together into lists and quotations, cells, and code."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from core.conversion.types import (
    Block,
    CodeBlock,
    Item,
    ItemList,
    Paragraph,
    Quote,
    Run,
    Runs,
    nest_items,
    own_runs,
    stripped,
)
from core.formats.styles import Style

_CODE = re.compile(r"\b(?:code|preformatted|verbatim|source[ _]text|teletype)(?:\b|_)", re.IGNORECASE)
_RULE = re.compile(r"rule|horizontal line", re.IGNORECASE)
_DEEPEST = 20
_WORD_BORDER = re.compile(r"(?<=[a-z])(?=[A-Z])|_20_")


class BlockCollector:
    """Puts the paragraphs of a word processor together: items into lists, quoted ones into quotations."""

    def __init__(self) -> None:
        self._found: list[Block] = []
        self._items: list[Item] = []
        self._list_id = ""
        self._quoted: list[Block] = []
        self._in_quote = False

    def add(self, block: Block, *, quoted: bool = False) -> None:
        """A block that is no item of a list. Code in paragraphs one after the other is one block."""
        self._end_list()
        self._turn(quoted)
        place = self._quoted if quoted else self._found
        last = place[-1] if place else None
        if isinstance(block, CodeBlock) and isinstance(last, CodeBlock):
            place[-1] = CodeBlock(f"{last.text}\n{block.text}")
        else:
            place.append(block)

    def add_item(
        self,
        depth: int,
        numbered: bool,
        runs: Runs,
        *,
        list_id: str = "",
        number: int = 1,
        quoted: bool = False,
    ) -> None:
        """An item of a list; ``depth`` is from 1 on. At depth 1 another ``list_id`` begins another list."""
        self._turn(quoted)
        if depth == 1 and list_id != self._list_id:
            self._end_list()
        if depth == 1 or not self._items:
            self._list_id = list_id
        before = self._items[-1].path if self._items else ""
        outer = before[: depth - 1].ljust(depth - 1, "*")
        self._items.append(Item(outer + ("#" if numbered else "*"), runs, number))

    def blocks(self) -> Iterator[Block]:
        """All blocks."""
        self._end_list()
        self._turn(False)
        yield from self._found

    def _turn(self, quoted: bool) -> None:
        if quoted == self._in_quote:
            return
        self._end_list()
        if self._quoted:
            self._found.append(Quote(tuple(self._quoted)))
            self._quoted = []
        self._in_quote = quoted

    def _end_list(self) -> None:
        if self._items:
            (self._quoted if self._in_quote else self._found).extend(nest_items(self._items))
            self._items = []


def cell_runs(blocks: Iterable[Block]) -> Runs:
    """The runs of a cell; its paragraphs are lines."""
    found: list[Run] = []
    for block in blocks:
        found += [*([Run("\n")] if found else []), *_lines(block)]
    return stripped(found)


def _lines(block: Block) -> list[Run]:
    if not isinstance(block, ItemList | Quote):
        return list(own_runs([block]))
    inner = [one for item in block.items for one in item] if isinstance(block, ItemList) else block.blocks
    return list(cell_runs(inner))


def note_blocks(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """The blocks of a footnote, without the white space behind its mark."""
    found = list(blocks)
    if found and isinstance(found[0], Paragraph):
        found[0] = replace(found[0], runs=stripped(found[0].runs))
    return tuple(found)


def is_code(style: str, styles: Mapping[str, Style]) -> bool:
    """Whether a style is for code: by its id, its name, or those of a style that it is based on."""
    return any(_CODE.search(_WORD_BORDER.sub(" ", name)) for name in _names(style, styles))


def is_rule(style: str, styles: Mapping[str, Style]) -> bool:
    """Whether a style is for a line across the page, as `is_code`."""
    return any(_RULE.fullmatch(_WORD_BORDER.sub(" ", name)) for name in _names(style, styles))


def _names(style: str, styles: Mapping[str, Style]) -> Iterator[str]:
    for _ in range(_DEEPEST):
        if not style:
            return
        known = styles.get(style, Style())
        yield from (style, known.name)
        style = known.base
