"""A tagger outside its domain (section 4).

Amounts and phrases marked in books, headlines and speeches, and F1 against raters.
"""

from __future__ import annotations

import math
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar
from zlib import crc32

import numpy as np

from core.engine.reader import Reader
from core.text.tokens import WORD
from training.corpora import political_texts
from training.corpora.political_texts import Passage, Side
from training.loop.training_loop import TrainingError
from training.metrics.intervals import Interval, interval
from training.metrics.resampling import Array, Floats, span_f1
from training.metrics.tags import spans, tag_counts, tags_over
from training.papers.wikibias.runner import WikibiasCellId, WikibiasRunner
from training.papers.wikibias.span_ratings import SpanRatings, majority
from training.types import OUTSIDE, CorpusError, TaggedSentence, locate_file, print_to_stderr

# Which words tell one text from another: log-odds with an informative Dirichlet prior.


PRIOR = 100.0
"""What the prior counts for, in words (or spans); more of it trusts rare ones less."""


def log_odds(
    here: Mapping[str, int], there: Mapping[str, int], every: Mapping[str, int], *, prior: float = PRIOR
) -> dict[str, float]:
    """z of each word of ``here``: above 0 where it is more typical of it than of ``there``.

    The difference of the word's log-odds in both over its standard error, after both are given ``prior`` more words,
    spread as the words are in ``every``, which holds both (Monroe, Colaresi and Quinn 2008, "Fightin' Words"). A plain
    ratio would put first what comes once here and never there. All are 0 where there is one word alone.
    """
    share = prior / max(1, sum(every.values()))
    size, other_size = sum(here.values()) + prior, sum(there.values()) + prior
    scores: dict[str, float] = {}
    for word, count in here.items():
        added = share * every[word]
        ours, theirs = count + added, there.get(word, 0) + added
        if min(size - ours, other_size - theirs) < 1e-9:
            scores[word] = 0.0
            continue
        gap = math.log(ours / (size - ours)) - math.log(theirs / (other_size - theirs))
        scores[word] = gap / math.sqrt(1.0 / ours + 1.0 / theirs)
    return scores


# A tagger outside its domain (WIKIBIAS, section 4): how much it marks of books, headlines and speeches, and what.
#
# A tagger is any function from texts to the places that it marks in them, so that a shipped reader and a tagger in
# training are looked at alike. Spans are counted as phrases: lower case, without articles at the front. Which phrases
# tell one side from the other is said by their log-odds (``metrics.log_odds``), with all corpora as the prior.


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
    data: Path, *, most: int | None, seed: int, on_message: Callable[[str], None] = print_to_stderr
) -> tuple[list[Passage], list[str]]:
    """The sentences of all corpora of this kind that are there, and the names of those that are not.

    At most ``most`` of each side are drawn by chance. Raises CorpusError where none is there, and for a bad file.
    """
    found: list[Passage] = []
    absent: list[str] = []
    for facts, load in (
        (political_texts.FACTS, political_texts.load),
        (political_texts.DEBATES_FACTS, political_texts.load_debates),
        (political_texts.CONVOTE_FACTS, political_texts.load_convote),
    ):
        there = any(locate_file(data, place).is_file() for place in facts.files)
        if there or (facts.folder and (data / facts.folder).is_dir()):
            found += load(data, on_message=on_message)
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


# Any text as the tokens and tags of WIKIBIAS, and back; and with that any tagger of Table 7 on other sentences.


_TOKEN = re.compile(rf"{WORD.pattern}|\S")


def places(text: str) -> list[Place]:
    """Where the tokens of a text are: its words, and every sign by itself."""
    return [match.span() for match in _TOKEN.finditer(text)]


def tokens(text: str) -> tuple[str, ...]:
    """The tokens of a text."""
    return tuple(text[start:end] for start, end in places(text))


def bio(text: str, marked: Sequence[Place]) -> tuple[str, ...]:
    """BIO tags of the text's tokens; each is of the first marked stretch that it shares a character with."""
    return tuple(tags_over(places(text), marked))


def marks(text: str, tags: Sequence[str]) -> list[Place]:
    """The stretches of the text that BIO tags of its tokens mark, in code points."""
    here = places(text)
    return [(here[start][0], here[end - 1][1]) for start, end in spans(tags)]


def trained_tagger(runner: WikibiasRunner, cell_id: WikibiasCellId) -> Tagger:
    """The tagger of a cell of Table 7, on any texts.

    It learns as for its cell, or is there already where that cell was made; then the texts take the place of the test
    part. Raises TrainingError for a system that cannot be run here, or that gives no tags.
    """
    system, context = cell_id.system.load(), runner.context(cell_id)
    if system(runner.corpus, context).tags is None:
        raise TrainingError(f"{cell_id.title} marks no words. Name a tagger of Table 7.")

    def tagger(texts: Sequence[str]) -> list[list[Place]]:
        test = [
            TaggedSentence(
                tokens(text), (OUTSIDE,) * len(places(text)), biased=True, original=True, group=str(at)
            )
            for at, text in enumerate(texts)
        ]
        tags = system(replace(runner.corpus, test=test), context).tags or ()
        return [marks(text, of) for text, of in zip(texts, tags, strict=True)]

    return tagger


# A tagger against what raters marked: the partial F1 of WIKIBIAS's Table 9.


_RATED_RESAMPLES = 2000


@dataclass(frozen=True, slots=True)
class Rated:
    """Partial F1 in [0, 1] on the rated sentences of one side; sentences are drawn for its interval."""

    f1: Interval
    sentences: int
    raters: int


def partial(ratings: SpanRatings, tagger: Tagger, *, seed: int = 0) -> Mapping[Group, Rated]:
    """Partial F1 of a tagger on every side that raters answered for, as the authors count (``metrics.tags``).

    Gold is what more than one rater marked, or the only one who answered. All rated sentences count, so that a span in
    one without bias costs precision; the paper does not say whether it does so.
    """
    items = [at for at in range(len(ratings.plan.items)) if ratings.votes(at)]
    texts = [ratings.plan.items[at].text for at in items]
    found = dict(zip(items, tagger(texts), strict=True))
    scores: dict[Group, Rated] = {}
    for group, here in grouped(items, of=lambda at: ratings.plan.items[at]).items():
        gold, predictions = [], []
        for at in here:
            text = ratings.plan.items[at].text
            truth = bio(text, majority(text, ratings.votes(at)))
            gold.append(TaggedSentence(tokens(text), truth, biased=True, original=True))
            predictions.append(bio(text, found[at]))
        counts = tag_counts(gold, predictions)["authors_partial"]
        f1 = interval(span_f1, np.zeros(len(here)), counts, resamples=_RATED_RESAMPLES, seed=seed)
        scores[group] = Rated(f1, len(here), max(len(ratings.votes(at)) for at in here))
    return scores
