"""Biased words as raters mark them in a sentence, by copied words or by square brackets, and what most marked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from core.words import WORD

Place = tuple[int, int]
NOTHING = "none"
"""What a rater writes where no word is biased: an empty cell is one that was not answered."""
_NOTHING = frozenset({NOTHING, "-", "–", "—", "−", "0"})
_BETWEEN = re.compile(r"[;|\n]")
_BARE = re.compile(r"\W+")


class MarkError(ValueError):
    """A cell cannot be read as marks; the message says what is wrong and what to do."""


def marked(cell: str, text: str) -> tuple[Place, ...]:
    """The places in ``text`` that a filled cell marks: sorted, disjoint, from the first to the last word of each.

    The cell is NOTHING, or the biased words as they stand in the text (a semicolon, a bar or a line between two
    stretches; commas do where the words are not found otherwise), or the sentence or a part of it with square brackets
    around each stretch. Capitals and signs do not matter. Words that come twice are marked where they come first.
    Raises MarkError.
    """
    cell = cell.strip().lstrip("'")
    if cell.casefold() in _NOTHING:
        return ()
    spoken = _words(text)
    ranges = (
        _bracketed(cell, [word for word, _ in spoken])
        if "[" in cell or "]" in cell
        else _copied(cell, spoken)
    )
    return tuple(sorted((spoken[start][1][0], spoken[end - 1][1][1]) for start, end in ranges))


def majority(text: str, votes: Sequence[Sequence[Place]]) -> tuple[Place, ...]:
    """The stretches of ``text`` that more than one rater marked, of one rater alone what that one marked.

    Counted word by word; two words belong to one stretch where as many raters marked them together (WIKIBIAS, section
    4, takes a span that has more than one vote).
    """
    need = max(1, min(2, len(votes)))
    places = [place for _, place in _words(text)]
    stretches: list[Place] = []
    joined = False
    for at, (start, end) in enumerate(places):
        if _votes(votes, start, end) < need:
            joined = False
            continue
        together = joined and _votes(votes, places[at - 1][0], end) >= need
        stretches[-1:] = [(stretches[-1][0], end)] if together else [*stretches[-1:], (start, end)]
        joined = True
    return tuple(stretches)


def _votes(votes: Iterable[Sequence[Place]], start: int, end: int) -> int:
    """How many raters have [start, end) within one of their stretches."""
    return sum(any(first <= start and end <= last for first, last in marks) for marks in votes)


def _words(text: str) -> list[tuple[str, Place]]:
    """The words of a text, bare of signs and capitals, and where they are."""
    found = ((_BARE.sub("", match[0]).casefold(), match.span()) for match in WORD.finditer(text))
    return [(word, place) for word, place in found if word]


def _copied(cell: str, spoken: Sequence[tuple[str, Place]]) -> list[Place]:
    """The word ranges of copied stretches."""
    taken: list[Place] = []
    words = [word for word, _ in spoken]
    for piece in filter(str.strip, _BETWEEN.split(cell)):
        whole = _free(piece, words, taken)
        parts = [piece] if whole is not None else [part for part in piece.split(",") if part.strip()]
        for part in parts:
            place = _free(part, words, taken)
            if place is None:
                raise MarkError(
                    f"{' '.join(part.split())!r} is not in the sentence. Copy the words as they stand in it, a "
                    f"semicolon between two stretches, or write {NOTHING!r}."
                )
            taken.append(place)
    if not taken:
        raise MarkError(f"{cell!r} holds no words. Copy the biased words, or write {NOTHING!r}.")
    return taken


def _free(piece: str, words: Sequence[str], taken: Sequence[Place]) -> Place | None:
    """The first place of the words of ``piece`` that is not taken; None where there is none."""
    wanted = [word for word, _ in _words(piece)]
    for start in range(len(words) - len(wanted) + 1) if wanted else ():
        end = start + len(wanted)
        if words[start:end] == wanted and all(end <= first or start >= last for first, last in taken):
            return start, end
    return None


def _bracketed(cell: str, words: Sequence[str]) -> list[Place]:
    """The word ranges in square brackets of a sentence or a part of it."""
    pieces = re.split(r"([\[\]])", cell)
    marks = pieces[1::2]
    if marks != ["[", "]"] * (len(marks) // 2):
        raise MarkError("A square bracket has no partner. Write [ before and ] after each biased stretch.")
    counts = [len(_words(piece)) for piece in pieces[::2]]
    if 0 in counts[1::2]:
        raise MarkError(
            f"There is no word between two brackets. Put them around words, or write {NOTHING!r}."
        )
    whole = _free(cell, words, ())
    if whole is None:
        raise MarkError(
            "The words around the brackets are not the sentence's. Copy it again, then put brackets around whole words."
        )
    at, ranges = whole[0], []
    for number, count in enumerate(counts):
        if number % 2:
            ranges.append((at, at + count))
        at += count
    return ranges
