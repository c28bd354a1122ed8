"""The content of a draft in no particular format: blocks with runs, and what could not be carried into them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

_SPACES = re.compile(r"[ \t\r\v\f]+")
_AROUND_BREAK = re.compile(r" ?\n ?")


class Loss(StrEnum):
    """What a draft has that no block can hold."""

    TEMPLATE = "template"
    IMAGE = "image"
    CATEGORY = "category"
    FRONT_MATTER = "front_matter"
    COMMENT = "comment"
    TAG = "tag"
    FORMULA = "formula"
    OBJECT = "object"
    CHANGE = "change"
    MARGIN = "margin"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Run:
    r"""Text with one formatting; ``\n`` is a line break. ``link`` is the address that it leads to, or empty.

    A run with a ``note`` is the mark of a footnote; it has no text.
    """

    text: str
    bold: bool = False
    italic: bool = False
    struck: bool = False
    code: bool = False
    link: str = ""
    note: tuple[Block, ...] | None = None


Runs = tuple[Run, ...]


def with_formatting(run: Run, name: str, on: bool) -> Run:
    """The run with one of its looks, by its name (``bold``, ``italic``, ``struck``, ``code``), on or off."""
    looks: dict[str, Any] = {name: on}
    return replace(run, **looks)


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph."""

    runs: Runs


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; ``level`` is from 1 to 6."""

    level: int
    runs: Runs


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """Lines of code."""

    text: str


@dataclass(frozen=True, slots=True)
class Quote:
    """A block quote."""

    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class ItemList:
    """A list; the blocks of an item may be lists again. A numbered one counts from ``start``."""

    items: tuple[tuple[Block, ...], ...]
    numbered: bool = False
    start: int = 1


@dataclass(frozen=True, slots=True)
class Table:
    """A table: its rows, the first of them the heads of the columns. Rows may differ in length."""

    rows: tuple[tuple[Runs, ...], ...]


@dataclass(frozen=True, slots=True)
class ThematicBreak:
    """A line across the page."""


Block = Paragraph | Heading | CodeBlock | Quote | ItemList | Table | ThematicBreak


@dataclass(frozen=True, slots=True)
class Content:
    """A draft as blocks, and how many things of each kind they do not hold."""

    blocks: tuple[Block, ...]
    losses: Counter[Loss] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Item:
    """An item of a list before lists are nested: the numbering of its list and of those around it, and its runs.

    ``path``: a character for each list, the outermost first: ``#`` for a numbered one, ``*`` for another.
    """

    path: str
    runs: Runs
    number: int = 1


def nest_items(items: Iterable[Item]) -> tuple[Block, ...]:
    """The lists that a row of items makes. ``number`` counts where a list begins."""
    return _nested(list(items), 1)


def _nested(items: list[Item], depth: int) -> tuple[Block, ...]:
    lists: list[Block] = []
    at = 0
    while at < len(items):
        sign = items[at].path[depth - 1]
        end = at + 1
        while end < len(items) and items[end].path[depth - 1] == sign:
            end += 1
        group, at = items[at:end], end
        found: list[tuple[Block, ...]] = []
        number = 0
        while number < len(group):
            inner = number + 1 if len(group[number].path) == depth else number
            stop = inner
            while stop < len(group) and len(group[stop].path) > depth:
                stop += 1
            own: tuple[Block, ...] = (Paragraph(group[number].runs),) if inner > number else ()
            found.append((*own, *_nested(group[inner:stop], depth + 1)))
            number = stop
        lists.append(
            ItemList(tuple(found), sign == "#", group[0].number if len(group[0].path) == depth else 1)
        )
    return tuple(lists)


def merged(runs: Iterable[Run]) -> Runs:
    """The same runs without empty ones, those with the same formatting joined."""
    found: list[Run] = []
    for run in runs:
        if run.note is None and not run.text:
            continue
        last = found[-1] if found else None
        if last and run.note is None and last.note is None and replace(last, text=run.text) == run:
            found[-1] = replace(last, text=last.text + run.text)
        else:
            found.append(run)
    return tuple(found)


def stripped(runs: Iterable[Run]) -> Runs:
    """The runs joined as by `merged`, with single spaces, and none at the ends of lines. Code keeps its spaces."""
    found: list[Run] = []
    at_start = True
    for run in merged(runs):
        if run.note is None and not run.code:
            text = _SPACES.sub(" ", run.text)
            text = _AROUND_BREAK.sub("\n", text.lstrip(" ") if at_start else text)
            run = replace(run, text=text)
        if run.text:
            at_start = run.text[-1] in " \n"
        if run.text or run.note is not None:
            found.append(run)
    while found and found[-1].note is None and not found[-1].text.strip():
        found.pop()
    if found and found[-1].note is None:
        found[-1] = replace(found[-1], text=found[-1].text.rstrip())
    while found and found[0].note is None and not found[0].text.strip():
        found.pop(0)
    if found and found[0].note is None:
        found[0] = replace(found[0], text=found[0].text.lstrip())
    return merged(found)


def own_runs(blocks: Iterable[Block]) -> Iterator[Run]:
    """The runs of blocks in their order, without those inside footnotes. A code block is one run."""
    for block in blocks:
        match block:
            case Paragraph(runs) | Heading(_, runs):
                yield from runs
            case CodeBlock(text):
                yield Run(text, code=True)
            case Quote(inner):
                yield from own_runs(inner)
            case ItemList(items):
                for item in items:
                    yield from own_runs(item)
            case Table(rows):
                for row in rows:
                    for cell in row:
                        yield from cell


def all_runs(blocks: Iterable[Block]) -> Iterator[Run]:
    """The runs of blocks in their order, those of a footnote after its mark. A code block is one run."""
    for run in own_runs(blocks):
        yield run
        if run.note is not None:
            yield from all_runs(run.note)
