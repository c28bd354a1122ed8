"""Text that is excluded from checking: ranges between markers, commented ranges, and words that a person allows.

Markers are comments like ``<!-- evenhand off -->``. ``off`` and ``on`` apply to all kinds or to the named ones. They do
not nest: the first ``on`` ends every ``off`` before it, and an ``off`` without ``on`` lasts to the end. ``ignore-next``
applies to the next sentence. Case and spaces do not matter, and commas may separate kinds. An unknown word makes a
marker invalid, which is noted, because the author may have meant more than the rest says.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from core.documents.types import Sentence, Span, SuppressedRange
from core.i18n import tr
from core.text.tokens import WORD
from core.types import ALL_KINDS, Finding, Kind

ACTIONS = ("off", "on", "ignore-next")
MARKER_START = re.compile(r"<!--\s*+evenhand(?![\w-])", re.IGNORECASE)
_LINE_END = re.compile(r"\r\n|\r|\n")
_LONGEST_WORD = 30
MAX_NOTES = 20


@dataclass(frozen=True, slots=True)
class Marker:
    """The action of a marker, and its place in the text (empty where the text does not show it)."""

    start: int
    end: int
    action: str
    kinds: tuple[Kind, ...]


class MarkerError(Exception):
    """A comment begins like a marker but is invalid; its text says for a person what is wrong."""


def read_marker(comment: str, start: int, end: int) -> Marker | None:
    """The marker in a whole comment, which is at ``start:end``, or None. Raises MarkerError."""
    opening = MARKER_START.match(comment)
    if opening is None:
        return None
    said = comment[opening.end() :].removesuffix("-->").removesuffix("--!>").lower().replace(",", " ").split()
    action = said[0] if said else ""
    if action not in ACTIONS:
        raise MarkerError(
            tr(
                "“evenhand {word}” is not a marker. Write evenhand off, evenhand on or evenhand ignore-next."
            ).format(word=_shortened(action))
        )
    unknown = [word for word in said[1:] if word not in tuple(ALL_KINDS)]
    if unknown:
        raise MarkerError(
            tr("“{word}” is not a kind, so the marker is ignored. Kinds are {kinds}.").format(
                word=_shortened(unknown[0]), kinds=", ".join(ALL_KINDS)
            )
        )
    kinds = tuple(kind for kind in ALL_KINDS if kind.value in said[1:])
    return Marker(start, end, action, kinds or ALL_KINDS)


def read_markers(source: str, comments: Iterable[Span]) -> tuple[list[Marker], list[str]]:
    """The markers among the comments of a source, in order, and notes on the first invalid ones."""
    markers: list[Marker] = []
    notes: list[str] = []
    for start, end in comments:
        try:
            marker = read_marker(source[start:end], start, end)
        except MarkerError as error:
            if len(notes) < MAX_NOTES:
                notes.append(with_line_number(source, start, str(error)))
            continue
        if marker is not None:
            markers.append(marker)
    return markers, notes


def with_line_number(source: str, offset: int, message: str) -> str:
    """The message after the number of the line at ``offset``, counted from 1."""
    number = len(_LINE_END.findall(source, 0, offset)) + 1
    return tr("line {number}: {message}").format(number=number, message=message)


def find_suppressed(
    markers: Sequence[Marker],
    sentences: Sequence[Sentence],
    *,
    length: int,
    also: Iterable[SuppressedRange] = (),
) -> tuple[SuppressedRange, ...]:
    """The ranges that markers (in order) of a text of ``length`` characters suppress, together with ``also``."""
    found = [*also, *_switched_ranges(markers, length)]
    for marker in markers:
        if marker.action == "ignore-next":
            at = bisect_left(sentences, marker.end, key=lambda sentence: sentence.start)
            if at < len(sentences):
                found.append(SuppressedRange(sentences[at].start, sentences[at].end, marker.kinds))
    return _make_disjoint(found)


def _switched_ranges(markers: Sequence[Marker], length: int) -> Iterator[SuppressedRange]:
    since: dict[Kind, int] = {}
    for marker in markers:
        for kind in marker.kinds:
            if marker.action == "off":
                since.setdefault(kind, marker.end)
            elif marker.action == "on" and kind in since:
                yield SuppressedRange(since.pop(kind), marker.start, (kind,))
    for kind, start in since.items():
        yield SuppressedRange(start, length, (kind,))


def _make_disjoint(found: Iterable[SuppressedRange]) -> tuple[SuppressedRange, ...]:
    """The same ranges, sorted and disjoint; adjacent ranges with the same kinds are joined."""
    edges = sorted(
        (place, step, kind)
        for suppressed in found
        if suppressed.start < suppressed.end
        for kind in suppressed.kinds
        for place, step in ((suppressed.start, 1), (suppressed.end, -1))
    )
    open_ones = dict.fromkeys(ALL_KINDS, 0)
    joined: list[SuppressedRange] = []
    position = 0
    for place, step, kind in edges:
        kinds = tuple(one for one in ALL_KINDS if open_ones[one])
        if kinds and place > position:
            last = joined[-1] if joined else None
            if last is not None and last.end == position and last.kinds == kinds:
                joined[-1] = SuppressedRange(last.start, place, kinds)
            else:
                joined.append(SuppressedRange(position, place, kinds))
        position = place
        open_ones[kind] += step
    return tuple(joined)


def _shortened(word: str) -> str:
    return word if len(word) <= _LONGEST_WORD else word[: _LONGEST_WORD - 1] + "…"


def checked_sentences(
    sentences: Sequence[Sentence], suppressed: Sequence[SuppressedRange]
) -> Sequence[Sentence]:
    """The sentences that are not wholly inside a range suppressed for all kinds."""
    whole = [one for one in suppressed if len(one.kinds) == len(ALL_KINDS)]
    if not whole:
        return sentences
    return [sentence for sentence in sentences if not _is_inside(sentence, whole)]


def is_suppressed(suppressed: Sequence[SuppressedRange], finding: Finding) -> bool:
    """Whether a finding overlaps a range that is suppressed for its kind."""
    at = bisect_right(suppressed, finding.start, key=lambda one: one.end)
    while at < len(suppressed) and suppressed[at].start < finding.end:
        if finding.kind in suppressed[at].kinds:
            return True
        at += 1
    return False


def _is_inside(sentence: Sentence, whole: Sequence[SuppressedRange]) -> bool:
    at = bisect_right(whole, sentence.start, key=lambda one: one.start) - 1
    return at >= 0 and sentence.end <= whole[at].end


def is_suppression_comment(comment: str) -> bool:
    """Whether a comment of a word processor suppresses the range that it is about."""
    return " ".join(comment.split()).casefold() == "evenhand off"


# Allowed words are one person's, so only the window uses them: `evenhand check` gives the same on every machine.

MAX_PHRASE_LENGTH = 120
"""Characters of the longest phrase that can be allowed; a longer one is a sentence, not a name."""

_REACH = 2 * MAX_PHRASE_LENGTH


def normalize_phrase(words: str) -> str:
    """``words`` as they are compared: without case and runs of white space."""
    return " ".join(words.split()).casefold()


def clean_phrase(words: str) -> str:
    """The phrase that is stored for ``words``: from the first whole word to the last, white space normalized.

    Empty if there is no word in it, or more than `LONGEST` characters.
    """
    places = [match.span() for match in WORD.finditer(words)]
    phrase = " ".join(words[places[0][0] : places[-1][1]].split()) if places else ""
    return phrase if len(phrase) <= MAX_PHRASE_LENGTH else ""


class AllowedPhrases:
    """Phrases to look for in a text, as whole words."""

    def __init__(self, phrases: Iterable[str] = ()) -> None:
        self._phrases = {normalize_phrase(phrase) for phrase in map(clean_phrase, phrases) if phrase}
        self._lengths = sorted({len(WORD.findall(phrase)) for phrase in self._phrases})

    def __bool__(self) -> bool:
        return bool(self._phrases)

    def covers(self, text: str, start: int, end: int) -> bool:
        """Whether each word in ``text[start:end]`` belongs to an allowed phrase at that place.

        A phrase may begin before these words and end after them: with "kung fu" allowed, "fu" is covered in "kung fu"
        and nowhere else. Not every word of "kung fu master" is covered.
        """
        if not self._phrases:
            return False
        words = _words_around(text, start, end)
        first = bisect_right(words, start, key=lambda word: word[1])
        last = bisect_left(words, end, key=lambda word: word[0])
        covered: set[int] = set()
        for at in range(max(0, first - self._lengths[-1] + 1), last):
            for length in self._lengths:
                if at + length > len(words):
                    break
                if normalize_phrase(text[words[at][0] : words[at + length - 1][1]]) in self._phrases:
                    covered.update(range(at, at + length))
        return first < last and covered.issuperset(range(first, last))


def _words_around(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The words of ``text[start:end]``, and those on either side that a phrase across its ends can contain."""
    left, right = max(0, start - _REACH), min(len(text), end + _REACH)
    words = [(left + a, left + b) for a, b in (match.span() for match in WORD.finditer(text[left:right]))]
    if left and words and words[0][0] == left:
        del words[0]
    if right < len(text) and words and words[-1][1] == right:
        del words[-1]
    return words
