"""The word tables of this folder and how well their words go with the word beside them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

from core.findings import Kind
from core.guides import read_table

_SEEN = 2
_FOLDER = Path(__file__).parent
_WORD = re.compile(r"[a-z]+(?:[-'][a-z]+)*|[.,;:!?()\"“”]")


@dataclass(frozen=True, slots=True)
class Words:
    """One row of ``adjectives.tsv`` or ``adverbs.tsv``: words that suit ``fits`` (a noun class, or a place)."""

    words: tuple[str, ...]
    fits: str
    family: str
    kind: Kind


@dataclass(frozen=True, slots=True)
class Swap:
    """One row of ``swaps.tsv``: what neutral words of a part of speech turn into."""

    biased: tuple[str, ...]
    part: str
    family: str
    kind: Kind


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """All tables. ``classes`` are the classes of a noun; ``swaps`` go by neutral lemma or phrase, in lower case."""

    adjectives: tuple[Words, ...]
    adverbs: tuple[Words, ...]
    phrases: tuple[Words, ...]
    classes: dict[str, frozenset[str]]
    swaps: dict[str, tuple[Swap, ...]]

    def fitting(self, noun: str) -> list[Words]:
        """The rows of adjectives that suit a noun's classes."""
        found = self.classes.get(noun, frozenset())
        return [row for row in self.adjectives if row.fits in found]

    def left_words(self) -> frozenset[str]:
        """Every word whose company is worth counting: the last word of each adjective and adverb."""
        return frozenset(
            word.lower().split()[-1] for row in (*self.adjectives, *self.adverbs) for word in row.words
        )


@cache
def load() -> Vocabulary:
    """The tables beside this module. Raises LexiconError where one is malformed."""
    classes: dict[str, set[str]] = defaultdict(set)
    for row in read_table(_FOLDER / "nouns.tsv", ("class", "nouns")):
        for noun in row.required("nouns").split("|"):
            classes[noun].add(row.required("class"))
    swaps: dict[str, list[Swap]] = defaultdict(list)
    for row in read_table(_FOLDER / "swaps.tsv", ("neutral", "biased", "part", "family", "kind")):
        swap = Swap(_split(row.required("biased")), row.required("part"), row.required("family"), row.kind())
        for neutral in _split(row.required("neutral")):
            swaps[neutral.lower()].append(swap)
    return Vocabulary(
        adjectives=_rows("adjectives.tsv", "fits"),
        adverbs=_rows("adverbs.tsv", "place"),
        phrases=_rows("phrases.tsv", "place"),
        classes={noun: frozenset(found) for noun, found in classes.items()},
        swaps={neutral: tuple(found) for neutral, found in swaps.items()},
    )


def _rows(name: str, column: str) -> tuple[Words, ...]:
    return tuple(
        Words(_split(row.required("words")), row.required(column), row.required("family"), row.kind())
        for row in read_table(_FOLDER / name, ("words", column, "family", "kind"))
    )


def _split(cell: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(cell.split("|")))


class Company:
    """How often a word of the tables was seen directly before another word."""

    def __init__(self, left_words: frozenset[str]) -> None:
        self._left = left_words
        self._pairs: dict[str, Counter[str]] = defaultdict(Counter)
        self._totals: Counter[str] = Counter()

    def read(self, texts: Iterable[str]) -> None:
        """Count the pairs of ``texts``."""
        for text in texts:
            for first, second in pairwise(_WORD.findall(text.lower())):
                if first in self._left:
                    self._pairs[second][first] += 1
                    self._totals[first] += 1

    def weights(self, options: Sequence[str], beside: str) -> list[float]:
        """A weight for each option before ``beside``: 0 where it was seen there less than twice.

        The count to the power 0.8 over the root of the word's own frequency, so that words that keep close company
        come before words that stand before everything.
        """
        seen = self._pairs.get(beside.lower(), Counter())
        weights: list[float] = []
        for option in options:
            words = option.lower().split()
            count = seen[words[-1]]
            if count < _SEEN:
                count = 0
            share = 1.0 if len(words) == 1 else 0.3
            weights.append(share * count**0.8 / self._totals[words[-1]] ** 0.5 if count else 0.0)
        return weights
