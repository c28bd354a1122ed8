"""A tagger outside its domain (WIKIBIAS, section 4): how much it marks of books, headlines and speeches, and what.

A tagger is any function from texts to the places that it marks in them, so that a shipped reader and a tagger in
training are looked at alike. Spans are counted as phrases: lower case, without articles at the front. Which phrases
tell one side from the other is said by their log-odds (``metrics.log_odds``), with all corpora as the prior.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar
from zlib import crc32

import numpy as np

from core.reader import Reader
from core.words import WORD
from training.corpora import real_world, speeches
from training.corpora.base import CorpusError, located, tell
from training.corpora.real_world import Passage, Side
from training.metrics.intervals import Interval, interval
from training.metrics.log_odds import log_odds
from training.metrics.resampling import Array, Floats

Place = tuple[int, int]
Tagger = Callable[[Sequence[str]], Sequence[Sequence[Place]]]
"""Texts to their marked spans, (start, end) in code points, sorted and disjoint."""
Group = tuple[str, Side]
_One = TypeVar("_One")

_ARTICLES = ("a", "an", "the")
_ROOM = 34
_RESAMPLES = 2000


@dataclass(frozen=True, slots=True)
class Marked:
    """One sentence and what a tagger marked in it."""

    passage: Passage
    spans: tuple[Place, ...]

    def phrases(self) -> list[str]:
        """Its spans as phrases, in order."""
        return [phrase(self.passage.text[start:end]) for start, end in self.spans]


@dataclass(frozen=True, slots=True)
class Amount:
    """How much is marked on one side of a corpus. ``multi`` of the spans have two words or more."""

    sentences: int
    marked: int
    words: int
    spans: int
    multi: int
    rate: Interval
    """Spans for 1,000 words; sentences are drawn for its interval."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase that is marked on one side ``here`` times and ``there`` on what it is set against.

    ``z`` is above 0 where it is more typical of this side. ``sentence`` is the words around its first place, the span
    in square brackets.
    """

    words: str
    here: int
    there: int
    z: float
    sentence: str


def passages(
    data: Path, *, most: int | None, seed: int, say: Callable[[str], None] = tell
) -> tuple[list[Passage], list[str]]:
    """The sentences of all corpora of this kind that are there, and the names of those that are not.

    At most ``most`` of each side are drawn by chance. Raises CorpusError where none is there, and for a bad file.
    """
    found: list[Passage] = []
    absent: list[str] = []
    for facts, load in (
        (real_world.FACTS, real_world.load),
        (speeches.DEBATES_FACTS, speeches.load_debates),
        (speeches.CONVOTE_FACTS, speeches.load_convote),
    ):
        there = any(located(data, place).is_file() for place in facts.files)
        if there or (facts.folder and (data / facts.folder).is_dir()):
            found += load(data, say=say)
        else:
            absent.append(facts.name)
    if not found:
        raise CorpusError(
            f"{', '.join(absent)}: none of them is in {data}. Put one there in its published layout; "
            "`evenhand train data list` names their homes."
        )
    return drawn(found, most=most, seed=seed), absent


def drawn(some: Iterable[Passage], *, most: int | None, seed: int) -> list[Passage]:
    """At most ``most`` passages of each side of each corpus, by chance, in their order."""
    chosen: list[Passage] = []
    for (corpus, side), group in grouped(some, of=lambda one: one).items():
        size = len(group) if most is None else min(most, len(group))
        places = random.Random(f"{corpus} {side} {seed}").sample(range(len(group)), size)
        chosen += (group[at] for at in sorted(places))
    return chosen


def grouped(some: Iterable[_One], *, of: Callable[[_One], Passage]) -> dict[Group, list[_One]]:
    """What belongs to each side of each corpus, in order; ``of`` gives the passage of one."""
    groups: defaultdict[Group, list[_One]] = defaultdict(list)
    for one in some:
        groups[of(one).corpus, of(one).side].append(one)
    return dict(groups)


def reader_tagger(folder: Path) -> Tagger:
    """The reader in a bundle as a tagger, at the bundle's own threshold. Raises BundleError."""
    reader = Reader.load(folder)
    return lambda texts: [[(span.start, span.end) for span in one.spans] for one in reader.read(texts)]


def mark(tagger: Tagger, some: Sequence[Passage]) -> list[Marked]:
    """What the tagger marks of each passage."""
    found = tagger([passage.text for passage in some])
    return [Marked(passage, tuple(spans)) for passage, spans in zip(some, found, strict=True)]


def phrase(text: str) -> str:
    """The words of a span in lower case, one space between them, without articles at the front."""
    words = WORD.findall(text.lower())
    while len(words) > 1 and words[0] in _ARTICLES:
        words = words[1:]
    return " ".join(words)


def amount(some: Sequence[Marked], *, seed: int = 0) -> Amount:
    """How much of these sentences is marked."""
    words = [len(WORD.findall(one.passage.text)) for one in some]
    counts = np.array([(len(one.spans), here) for one, here in zip(some, words, strict=True)])
    phrases = [found for one in some for found in one.phrases()]
    return Amount(
        sentences=len(some),
        marked=sum(bool(one.spans) for one in some),
        words=sum(words),
        spans=len(phrases),
        multi=sum(" " in found for found in phrases),
        rate=interval(_per_thousand, np.zeros(len(some)), counts, resamples=_RESAMPLES, seed=seed),
    )


def _per_thousand(_gold: Array, found: Array, weights: Floats) -> Floats:
    spans, words = (weights @ found).T
    return np.asarray(1000.0 * spans / np.maximum(words, 1.0))


def against(groups: Mapping[Group, Sequence[Marked]], group: Group) -> list[Marked]:
    """What a side is set against: the other sides of its corpus, or where it has none, all other corpora."""
    sides = [one for one in groups if one[0] == group[0] and one != group]
    return [one for other in sides or [one for one in groups if one != group] for one in groups[other]]


def phrases(here: Sequence[Marked], there: Sequence[Marked], every: Sequence[Marked]) -> list[Phrase]:
    """Every phrase that is marked ``here``, the most frequent first, then the most typical, then as if by chance.

    ``every`` holds both and gives the prior.
    """
    counts, others, prior = (
        Counter(p for one in some for p in one.phrases()) for some in (here, there, every)
    )
    z = log_odds(counts, others, prior)
    sentences: dict[str, str] = {}
    for one in here:
        for span, found in zip(one.spans, one.phrases(), strict=True):
            sentences.setdefault(found, around(one.passage.text, span))
    rows = [Phrase(p, n, others[p], z[p], sentences[p]) for p, n in counts.items() if p]
    return sorted(rows, key=lambda row: (-row.here, -row.z, crc32(row.words.encode())))


def frequent(found: Sequence[Phrase], count: int) -> list[Phrase]:
    """The ``count`` most frequent phrases of two words or more."""
    return [row for row in found if " " in row.words][:count]


def typical(found: Sequence[Phrase], count: int) -> list[Phrase]:
    """The ``count`` most typical phrases that come more than once, whatever their length."""
    rows = [row for row in found if row.here > 1 and row.z > 0.0]
    return sorted(rows, key=lambda row: (-row.z, row.words))[:count]


def around(text: str, span: Place) -> str:
    """``text`` cut to whole words around a span, which stands in square brackets."""
    start, end = span
    before, after = text[:start], text[end:]
    if len(before) > _ROOM:
        before = "… " + before[-_ROOM:].partition(" ")[2]
    if len(after) > _ROOM:
        after = after[:_ROOM].rpartition(" ")[0] + " …"
    return f"{before}[{text[start:end]}]{after}"
