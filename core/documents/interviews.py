"""Interviews and transcripts: what a person says after their name, or after A in questions and answers.

The answers are the words of others, as those between quotation marks are. A question is too, unless its label says that
the interviewer asks it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.documents.prose_view import view_prose
from core.documents.types import Document, Span

_NAME = r"(?:(?:[^\W\d_a-zß-ÿ]|(?<=[’'.-])\w)[\w’'.-]*+)"
_LABEL = re.compile(
    rf"""
    (?: [\[(] [\d:.,\s–-]{{2,24}} [\])] \s* | \d?\d:\d\d (?: :\d\d )? \s+ )?
    (?: (?P<name> {_NAME} (?: [ ] (?: (?: d[aei]|de[lr]?|van|von|bin|al|la|le|of|the ) [ ] )? {_NAME} ){{0,4}} )
        (?: [ ] [(\[] [^()\[\]\n]{{1,40}} [)\]] )? [ ]? : (?=\s)
      | (?P<letter> [QA] ) [ ]? [.–—-] (?=\s)
    )
    """,
    re.VERBOSE,
)
_LONGEST = 160
_ANY_LABEL = re.compile(r"^[^\n:]{0,160}+:|\b[QA][ ]?[.–—-]", re.MULTILINE)
_LETTERS = frozenset("qa")
_ASKS = frozenset(
    """
    q question interviewer reporter journalist moderator host presenter anchor editor
    """.split()
)
# Labels that recur in notices, reviews and lists without anyone speaking.
_NO_SPEAKER = frozenset(
    """
    address advantages author background bottom by caption category cause comment conclusion cons contact context
    correction cost credit date deadline description details disadvantages edit effect email example examples fact
    genre hint impact important ingredients length line location method name note notes objective outcome overview
    phone photo place point price pros publisher rating ratings reason recommendation reference references result
    results risk score section solution source sources step steps subject summary task time tip title topic update
    updated url verdict version warning website when where who why what year
    """.split()
)
_MOST_UNLABELLED = 6
_MIN_TURNS = 3


@dataclass(frozen=True, slots=True)
class _Turn:
    """A turn begins at sentence ``number``; ``speaker`` is the last word of its label, ``asks``: it has a question."""

    number: int
    speaker: str
    asks: bool


def find_turns(document: Document) -> list[Span]:
    """What the speakers of an interview or a transcript say, with their labels; empty for any other text.

    A turn goes on in the paragraphs after it, up to the next label. After the last label only its own paragraph counts.
    """
    labels = _ANY_LABEL.finditer(document.source)
    if next(labels, None) is None or next(labels, None) is None:
        return []
    found = list(_labelled(document))
    letters = [turn for turn in found if turn.speaker in _LETTERS]
    if len({turn.speaker for turn in letters}) < len(_LETTERS):
        letters = []
    names = [turn for turn in found if turn.speaker not in _LETTERS]
    if not _are_speakers(names):
        names = []
    turns = sorted([*letters, *names], key=lambda turn: turn.number)
    following = [*(turn.number for turn in turns[1:]), -1]
    ends = [
        _last_sentence(document, turn.number, after) for turn, after in zip(turns, following, strict=False)
    ]
    return [
        (document.sentences[turn.number].start, document.sentences[end].end)
        for turn, end in zip(turns, ends, strict=True)
        if turn.speaker not in _ASKS
    ]


def _labelled(document: Document) -> Iterator[_Turn]:
    """The sentences that begin a line with a label."""
    source, non_prose = document.source, document.non_prose
    for number, sentence in enumerate(document.sentences):
        start, end = sentence.start, min(sentence.end, sentence.start + _LONGEST)
        piece = source[start:end]
        if ":" not in piece and not piece.startswith(("Q", "A")):
            continue
        line = source.rfind("\n", 0, start) + 1
        if line < start and view_prose(source, line, start, non_prose=non_prose).text.strip():
            continue
        label = _LABEL.match(view_prose(source, start, end, non_prose=non_prose).text)
        if label is None:
            continue
        speaker = (label["letter"] or label["name"].rpartition(" ")[2]).casefold()
        if speaker not in _NO_SPEAKER:
            paragraph = bisect_right(document.paragraphs, start, key=lambda span: span[0]) - 1
            asks = "?" in source[start : document.paragraphs[paragraph][1]]
            yield _Turn(number, speaker, asks)


def _are_speakers(turns: Sequence[_Turn]) -> bool:
    """Whether labels are those of people who speak with each other: several, one of them again, one with a question."""
    counts = Counter(turn.speaker for turn in turns)
    return (
        len(counts) > 1
        and len(turns) >= _MIN_TURNS
        and max(counts.values()) > 1
        and any(turn.asks for turn in turns)
    )


def _last_sentence(document: Document, number: int, after: int) -> int:
    """The number of the last sentence of a turn that begins with sentence ``number``; the next one is at ``after``."""
    paragraphs, sentences = document.paragraphs, document.sentences
    own = bisect_right(paragraphs, sentences[number].start, key=lambda span: span[0]) - 1
    if after >= 0:
        next_one = bisect_right(paragraphs, sentences[after].start, key=lambda span: span[0]) - 1
        if next_one - own <= _MOST_UNLABELLED:
            return after - 1
    end = paragraphs[own][1]
    return bisect_right(sentences, end, key=lambda sentence: sentence.end) - 1
