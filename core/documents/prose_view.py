"""Source text as it is read: without markup, with a map back to every source offset."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter

from core.documents.types import Document, NonProseSpan, Prose, Sentence

_END = attrgetter("end")


@dataclass(frozen=True, slots=True)
class ProseView:
    """Text without markup, in parts: part k begins at ``starts[k]`` in it and at ``origins[k]`` in the source.

    ``ends[k]``: where a part ends in the source that is read as other characters; all of them have its origin.
    """

    text: str
    starts: tuple[int, ...]
    origins: tuple[int, ...]
    ends: Mapping[int, int]

    def origin(self, index: int) -> int:
        """The source offset of ``text[index]``; for the space of a gap, the start of the gap."""
        piece = bisect_right(self.starts, index) - 1
        return self.origins[piece] + (0 if piece in self.ends else index - self.starts[piece])

    def end(self, index: int) -> int:
        """The source offset after ``text[index]``, which must not be the space of a gap."""
        piece = bisect_right(self.starts, index) - 1
        return self.ends.get(piece, self.origins[piece] + index - self.starts[piece] + 1)

    def index(self, offset: int) -> int:
        """The index in ``text`` of the first character at or after a source offset."""
        piece = bisect_right(self.origins, offset) - 1
        if piece < 0:
            return 0
        end = self.starts[piece + 1] if piece + 1 < len(self.starts) else len(self.text)
        if piece in self.ends:
            return self.starts[piece] if offset == self.origins[piece] else end
        return min(self.starts[piece] + offset - self.origins[piece], end)

    def source_span(self, start: int, end: int) -> tuple[int, int]:
        """The source span of ``text[start:end]``, which must not be empty nor end in a gap."""
        return self.origin(start), self.end(end - 1)


def view_prose(source: str, start: int, end: int, *, non_prose: Sequence[NonProseSpan]) -> ProseView:
    """The prose of ``source[start:end]``. ``non_prose`` is the document's, sorted and disjoint.

    Spans without a gap vanish, or become what they are read as; a run of adjacent spans with a gap among them becomes
    one space.
    """
    pieces: list[str] = []
    starts: list[int] = []
    origins: list[int] = []
    ends: dict[int, int] = {}
    length = 0

    def add(piece: str, origin: int) -> None:
        nonlocal length
        pieces.append(piece)
        starts.append(length)
        origins.append(origin)
        length += len(piece)

    position = start
    in_gap = False
    for number in range(bisect_right(non_prose, start, key=_END), len(non_prose)):
        span = non_prose[number]
        if span.start >= end:
            break
        if span.start > position:
            add(source[position : span.start], position)
            in_gap = False
        if span.gap and not in_gap:
            add(" ", max(span.start, start))
            in_gap = True
        elif span.read_as and span.start >= start:
            ends[len(starts)] = span.end
            add(span.read_as, span.start)
            in_gap = False
        position = span.end
    if position < end:
        add(source[position:end], position)
    return ProseView("".join(pieces), tuple(starts), tuple(origins), ends)


def prose(document: Document, sentence: Sentence) -> Prose:
    """A sentence without markup, with the source offset of each of its characters."""
    view = view_prose(document.source, sentence.start, sentence.end, non_prose=document.non_prose)
    bounds = (*view.starts[1:], len(view.text))
    offsets: list[int] = []
    for number, (origin, start, end) in enumerate(zip(view.origins, view.starts, bounds, strict=True)):
        length = end - start
        offsets += [origin] * length if number in view.ends else range(origin, origin + length)
    ends = {view.origins[number]: end for number, end in view.ends.items()}
    return Prose(view.text, tuple(offsets), ends)


def count_words(document: Document) -> int:
    """The number of words in the sentences of a document, as they are read; words are parted by white space."""
    return sum(len(prose(document, sentence).text.split()) for sentence in document.sentences)
