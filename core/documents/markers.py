"""Markers in comments that switch the checks off and on: ``<!-- evenhand off -->`` and its like.

``off`` and ``on`` stand for all kinds or for those that are named; they do not nest: the first ``on`` ends what any
``off`` before it began, and an ``off`` without an ``on`` runs to the end. ``ignore-next`` speaks of the next sentence.
Case and spaces are free, and commas may stand between kinds. A marker with a word that is none of these does nothing
but give a note: half of what it says could be more than its author meant. Plain text has no comments, so no markers.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from core.documents.masks import Span
from core.documents.model import Off, Sentence
from core.findings import KINDS, Kind
from core.language import tr

ACTIONS = ("off", "on", "ignore-next")
OPENING = re.compile(r"<!--\s*+evenhand(?![\w-])", re.IGNORECASE)
_LINE_END = re.compile(r"\r\n|\r|\n")
_LONGEST_WORD = 30
MOST_NOTES = 20


@dataclass(frozen=True, slots=True)
class Marker:
    """What a marker asks, and the stretch of the text in which it stands (empty where the text does not show it)."""

    start: int
    end: int
    action: str
    kinds: tuple[Kind, ...]


class MarkerError(Exception):
    """A comment begins as a marker does and is none; its text says for a person what is wrong."""


def read_marker(comment: str, start: int, end: int) -> Marker | None:
    """The marker in a whole comment that stands for ``start:end``, or None. Raises MarkerError."""
    opening = OPENING.match(comment)
    if opening is None:
        return None
    said = comment[opening.end() :].removesuffix("-->").removesuffix("--!>").lower().replace(",", " ").split()
    action = said[0] if said else ""
    if action not in ACTIONS:
        raise MarkerError(
            tr(
                "“evenhand {word}” is no marker. Write evenhand off, evenhand on or evenhand ignore-next."
            ).format(word=_shortened(action))
        )
    unknown = [word for word in said[1:] if word not in tuple(KINDS)]
    if unknown:
        raise MarkerError(
            tr("“{word}” is no kind, so the marker is not followed. Kinds are {kinds}.").format(
                word=_shortened(unknown[0]), kinds=", ".join(KINDS)
            )
        )
    kinds = tuple(kind for kind in KINDS if kind.value in said[1:])
    return Marker(start, end, action, kinds or KINDS)


def read_markers(source: str, comments: Iterable[Span]) -> tuple[list[Marker], list[str]]:
    """The markers among the comments of a source, in their order, and notes on the first that cannot be followed."""
    markers: list[Marker] = []
    notes: list[str] = []
    for start, end in comments:
        try:
            marker = read_marker(source[start:end], start, end)
        except MarkerError as error:
            if len(notes) < MOST_NOTES:
                notes.append(at_line(source, start, str(error)))
            continue
        if marker is not None:
            markers.append(marker)
    return markers, notes


def at_line(source: str, offset: int, message: str) -> str:
    """The message with the number of the line at ``offset``, counted from 1, before it."""
    number = len(_LINE_END.findall(source, 0, offset)) + 1
    return tr("line {number}: {message}").format(number=number, message=message)


def stretches(
    markers: Sequence[Marker], sentences: Sequence[Sentence], *, length: int, also: Iterable[Off] = ()
) -> tuple[Off, ...]:
    """What the markers of a text of ``length`` characters, in their order, and ``also`` leave unchecked."""
    found = [*also, *_switched(markers, length)]
    for marker in markers:
        if marker.action == "ignore-next":
            at = bisect_left(sentences, marker.end, key=lambda sentence: sentence.start)
            if at < len(sentences):
                found.append(Off(sentences[at].start, sentences[at].end, marker.kinds))
    return _disjoint(found)


def _switched(markers: Sequence[Marker], length: int) -> Iterator[Off]:
    since: dict[Kind, int] = {}
    for marker in markers:
        for kind in marker.kinds:
            if marker.action == "off":
                since.setdefault(kind, marker.end)
            elif marker.action == "on" and kind in since:
                yield Off(since.pop(kind), marker.start, (kind,))
    for kind, start in since.items():
        yield Off(start, length, (kind,))


def _disjoint(found: Iterable[Off]) -> tuple[Off, ...]:
    """The same stretches, sorted and disjoint; neighbours with the same kinds are one."""
    edges = sorted(
        (place, step, kind)
        for off in found
        if off.start < off.end
        for kind in off.kinds
        for place, step in ((off.start, 1), (off.end, -1))
    )
    open_ones = dict.fromkeys(KINDS, 0)
    joined: list[Off] = []
    position = 0
    for place, step, kind in edges:
        kinds = tuple(one for one in KINDS if open_ones[one])
        if kinds and place > position:
            last = joined[-1] if joined else None
            if last is not None and last.end == position and last.kinds == kinds:
                joined[-1] = Off(last.start, place, kinds)
            else:
                joined.append(Off(position, place, kinds))
        position = place
        open_ones[kind] += step
    return tuple(joined)


def _shortened(word: str) -> str:
    return word if len(word) <= _LONGEST_WORD else word[: _LONGEST_WORD - 1] + "…"
