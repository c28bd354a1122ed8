"""How a container's text looks in its own program: styles of stretches of text and of paragraphs, for reading only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TextStyle:
    """How characters look."""

    bold: bool = False
    italic: bool = False
    underlined: bool = False
    struck: bool = False
    raised: bool = False
    linked: bool = False
    code: bool = False


@dataclass(frozen=True, slots=True)
class ParagraphStyle:
    """How a paragraph looks.

    ``heading`` is its level, from 1 on; 0 if it is none. ``list_level`` is that of a list item, from 1 on; 0 if it is
    none. ``label`` is the bullet or the number of an item that has one, or the name of a note, a header or a footer at
    its first paragraph. ``aside``: it is in one of those; ``in_margin``: in a header or a footer. ``caption``: it says
    what a figure or a table shows.

    A paragraph that ``starts_row`` is the first one of a row of a table, and one that ``starts_cell`` of a cell;
    ``in_header``: the cell is the header of a column or a row.
    """

    heading: int = 0
    list_level: int = 0
    label: str = ""
    quoted: bool = False
    caption: bool = False
    aside: bool = False
    in_margin: bool = False
    in_table: bool = False
    starts_row: bool = False
    starts_cell: bool = False
    in_header: bool = False
    ends_table: bool = False


@dataclass(frozen=True, slots=True)
class NoteReference:
    """A place in a text that refers to a note, ``text[start:end]``.

    ``sign`` is what is printed at the place, and no part of the text; it is empty where the text has it. ``label`` is
    the name of the note for a person.
    """

    place: int
    sign: str
    label: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Appearance:
    """Sorted, disjoint stretches of a text that look unlike plain text: (start, end, style).

    A paragraph may be empty; it has all lines of the text that stand in it. One that looks plain is named where it has
    several lines. ``note_references`` are sorted by their places.
    """

    runs: tuple[tuple[int, int, TextStyle], ...] = ()
    paragraphs: tuple[tuple[int, int, ParagraphStyle], ...] = ()
    note_references: tuple[NoteReference, ...] = ()

    @property
    def headings(self) -> tuple[tuple[int, int], ...]:
        """The stretches of the paragraphs that are headings, without empty ones."""
        return tuple((start, end) for start, end, style in self.paragraphs if style.heading and start < end)


def merge_runs(spans: Iterable[tuple[str, tuple[int, int]]]) -> tuple[tuple[int, int, TextStyle], ...]:
    """Disjoint runs of spans that may overlap, each with the name of one field of `TextStyle`."""
    borders: list[tuple[int, int, str]] = []
    for name, (start, end) in spans:
        if start < end:
            borders += [(start, 1, name), (end, -1, name)]
    runs: list[tuple[int, int, TextStyle]] = []
    depths: Counter[str] = Counter()
    last = 0
    for place, change, name in sorted(borders):
        on = {name: True for name, depth in depths.items() if depth}
        if on and last < place:
            runs.append((last, place, TextStyle(**on)))
        depths[name] += change
        last = place
    return tuple(runs)
