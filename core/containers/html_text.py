"""The text that a page shows, line by line as a browser breaks it, and where in the source each character stands."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from dataclasses import dataclass, field

from core.documents.markers import Marker
from core.documents.masks import Span
from core.documents.model import Off


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the text: ``text[start:end]``.

    ``anchor`` is where in the source the words of an empty line go; ``broken``: a ``<br>`` ends it, so that it stays
    a line without words; ``locked``: it stands as it is laid out in the source. ``breaks`` are the stretches in
    which it may be split, because a ``<p>`` with the attributes ``rest`` holds it alone.
    """

    start: int
    end: int
    anchor: int
    broken: bool = False
    locked: bool = False
    breaks: tuple[Span, ...] = ()
    rest: str = ""


@dataclass(frozen=True, slots=True)
class Pieces:
    """The map: piece k of the text, ``starts[k]`` to ``stops[k]``, stands at ``origins[k]`` to ``ends[k]``.

    A piece as long as its source is that source character by character; any other is one character reference or one
    run of white space. ``spread`` has all the places of a space whose white space is cut by tags. Line ends stand
    for nothing in the source.
    """

    starts: array[int] = field(default_factory=lambda: array("q"))
    stops: array[int] = field(default_factory=lambda: array("q"))
    origins: array[int] = field(default_factory=lambda: array("q"))
    ends: array[int] = field(default_factory=lambda: array("q"))
    spread: dict[int, tuple[Span, ...]] = field(default_factory=dict)

    def add(self, start: int, length: int, spans: tuple[Span, ...]) -> None:
        """Add ``length`` characters of text that stand for ``spans`` of the source."""
        origin, end = spans[0]
        if len(spans) > 1:
            self.spread[len(self.starts)] = spans
            end = spans[-1][1]
        elif (
            self.starts
            and self.ends[-1] == origin
            and self.stops[-1] == start
            and length == end - origin
            and self.is_plain(len(self.starts) - 1)
        ):
            self.stops[-1], self.ends[-1] = start + length, end
            return
        self.starts.append(start)
        self.stops.append(start + length)
        self.origins.append(origin)
        self.ends.append(end)

    def is_plain(self, number: int) -> bool:
        """Whether a piece is its source character by character."""
        length = self.stops[number] - self.starts[number]
        return length == self.ends[number] - self.origins[number] and number not in self.spread

    def at(self, offset: int) -> int:
        """The number of the piece that holds ``text[offset]``, which must be no line end."""
        return bisect_right(self.starts, offset) - 1

    def spans(self, number: int) -> tuple[Span, ...]:
        """All places of a piece in the source."""
        return self.spread.get(number) or ((self.origins[number], self.ends[number]),)

    def before(self, offset: int) -> int:
        """Where the source of ``text[offset]`` begins."""
        number = self.at(offset)
        inside = offset - self.starts[number] if self.is_plain(number) else 0
        return self.origins[number] + inside

    def after(self, offset: int) -> int:
        """Where the source of ``text[offset]`` ends."""
        number = self.at(offset)
        if self.is_plain(number):
            return self.origins[number] + offset + 1 - self.starts[number]
        return self.ends[number]


@dataclass(frozen=True, slots=True)
class PageText:
    """The text of a page, its lines joined by line ends, and what its mark-up says of it.

    ``notes`` are on markers that could not be followed; ``first`` is where words go if the page shows none.
    """

    text: str
    lines: tuple[Line, ...]
    pieces: Pieces
    quotes: tuple[Span, ...]
    code: tuple[Off, ...]
    markers: tuple[Marker, ...]
    notes: tuple[str, ...]
    first: int
