"""A tagger outside its domain (section 4): what it marks in books, headlines and speeches, and F1 against raters.

A tagger is any function from texts to marked spans. Spans are counted as phrases: lower case, without leading articles.
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
from training.papers.wikibias.span_ratings import SpanRatings, majority_spans
from training.types import OUTSIDE, CorpusError, TaggedSentence, locate_file, print_to_stderr

PRIOR = 100.0
"""The weight of the prior in words or spans; a larger one trusts rare words less."""


def log_odds(
    here: Mapping[str, int], there: Mapping[str, int], every: Mapping[str, int], *, prior: float = PRIOR
) -> dict[str, float]:
    """The z-score of each word of ``here``: positive where the word is more typical of it than of ``there``.

    Difference of log-odds over its standard error, with an informative Dirichlet prior of ``prior`` words distributed
    as in ``every``, which contains both (Monroe, Colaresi and Quinn 2008, "Fightin' Words"). All are 0 for a single
    word.
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


Place = tuple[int, int]
Tagger = Callable[[Sequence[str]], Sequence[Sequence[Place]]]
"""Texts to their marked spans, (start, end) in code points, sorted and disjoint."""
Group = tuple[str, Side]
_One = TypeVar("_One")

_ARTICLES = ("a", "an", "the")
_CONTEXT_CHARACTERS = 34
_RESAMPLES = 2000


@dataclass(frozen=True, slots=True)
class TaggedPassage:
    """A sentence and the spans that a tagger marked in it."""

    passage: Passage
    spans: tuple[Place, ...]

    def phrases(self) -> list[str]:
        """Its spans as phrases, in order."""
        return [normalize_phrase(self.passage.text[start:end]) for start, end in self.spans]


@dataclass(frozen=True, slots=True)
class MarkingSummary:
    """What is marked on one side of a corpus. ``multi`` of the spans have two or more words."""

    sentences: int
    marked: int
    words: int
    spans: int
    multi: int
    rate: Interval
    """Spans per 1,000 words, with a bootstrap interval over sentences."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase that is marked ``count`` times on one side and ``other_count`` times in the comparison group.

    ``z`` is positive where it is more typical of this side. ``sentence`` is an excerpt around its first occurrence,
    with the span in square brackets.
    """

    words: str
    count: int
    other_count: int
    z: float
    sentence: str


def load_passages(
    data: Path, *, most: int | None, seed: int, on_message: Callable[[str], None] = print_to_stderr
) -> tuple[list[Passage], list[str]]:
    """The sentences of all available corpora of this kind, and the names of the missing ones.

    At most ``most`` of each side are sampled. Raises CorpusError where all are missing, and for a bad file.
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
            "`evenhand train data list` names their homepages."
        )
    return sample_passages(found, most=most, seed=seed), absent


def sample_passages(some: Iterable[Passage], *, most: int | None, seed: int) -> list[Passage]:
    """A random sample of at most ``most`` passages of each side of each corpus, in their order."""
    chosen: list[Passage] = []
    for (corpus, side), group in group_by_side(some, of=lambda one: one).items():
        size = len(group) if most is None else min(most, len(group))
        places = random.Random(f"{corpus} {side} {seed}").sample(range(len(group)), size)
        chosen += (group[at] for at in sorted(places))
    return chosen


def group_by_side(some: Iterable[_One], *, of: Callable[[_One], Passage]) -> dict[Group, list[_One]]:
    """The items of each side of each corpus, in order; ``of`` returns the passage of an item."""
    groups: defaultdict[Group, list[_One]] = defaultdict(list)
    for one in some:
        groups[of(one).corpus, of(one).side].append(one)
    return dict(groups)


def reader_tagger(folder: Path) -> Tagger:
    """The reader of a bundle as a tagger, at the bundle's threshold. Raises BundleError."""
    reader = Reader.load(folder)
    return lambda texts: [[(span.start, span.end) for span in one.spans] for one in reader.read(texts)]


def tag_passages(tagger: Tagger, some: Sequence[Passage]) -> list[TaggedPassage]:
    """The spans that the tagger marks in each passage."""
    found = tagger([passage.text for passage in some])
    return [TaggedPassage(passage, tuple(spans)) for passage, spans in zip(some, found, strict=True)]


def normalize_phrase(text: str) -> str:
    """The words of a span in lower case, separated by single spaces, without leading articles."""
    words = WORD.findall(text.lower())
    while len(words) > 1 and words[0] in _ARTICLES:
        words = words[1:]
    return " ".join(words)


def summarize_marking(some: Sequence[TaggedPassage], *, seed: int = 0) -> MarkingSummary:
    """Counts and rate of the marked spans."""
    words = [len(WORD.findall(one.passage.text)) for one in some]
    counts = np.array([(len(one.spans), here) for one, here in zip(some, words, strict=True)])
    phrases = [found for one in some for found in one.phrases()]
    return MarkingSummary(
        sentences=len(some),
        marked=sum(bool(one.spans) for one in some),
        words=sum(words),
        spans=len(phrases),
        multi=sum(" " in found for found in phrases),
        rate=interval(_spans_per_thousand, np.zeros(len(some)), counts, resamples=_RESAMPLES, seed=seed),
    )


def _spans_per_thousand(_gold: Array, found: Array, weights: Floats) -> Floats:
    spans, words = (weights @ found).T
    return np.asarray(1000.0 * spans / np.maximum(words, 1.0))


def comparison_group(groups: Mapping[Group, Sequence[TaggedPassage]], group: Group) -> list[TaggedPassage]:
    """What a side is compared with: the other sides of its corpus, or all other corpora if it has none."""
    sides = [one for one in groups if one[0] == group[0] and one != group]
    return [one for other in sides or [one for one in groups if one != group] for one in groups[other]]


def rank_phrases(
    here: Sequence[TaggedPassage], there: Sequence[TaggedPassage], every: Sequence[TaggedPassage]
) -> list[Phrase]:
    """Every phrase that is marked ``here``, by frequency, then by z-score, then in an arbitrary fixed order.

    ``every`` contains both and is the prior.
    """
    counts, others, prior = (
        Counter(p for one in some for p in one.phrases()) for some in (here, there, every)
    )
    z = log_odds(counts, others, prior)
    sentences: dict[str, str] = {}
    for one in here:
        for span, found in zip(one.spans, one.phrases(), strict=True):
            sentences.setdefault(found, excerpt(one.passage.text, span))
    rows = [Phrase(p, n, others[p], z[p], sentences[p]) for p, n in counts.items() if p]
    return sorted(rows, key=lambda row: (-row.count, -row.z, crc32(row.words.encode())))


def most_frequent(found: Sequence[Phrase], count: int) -> list[Phrase]:
    """The ``count`` most frequent phrases of two or more words."""
    return [row for row in found if " " in row.words][:count]


def most_typical(found: Sequence[Phrase], count: int) -> list[Phrase]:
    """The ``count`` most typical phrases that occur more than once."""
    rows = [row for row in found if row.count > 1 and row.z > 0.0]
    return sorted(rows, key=lambda row: (-row.z, row.words))[:count]


def excerpt(text: str, span: Place) -> str:
    """Whole words of ``text`` around a span in square brackets."""
    start, end = span
    before, after = text[:start], text[end:]
    if len(before) > _CONTEXT_CHARACTERS:
        before = "… " + before[-_CONTEXT_CHARACTERS:].partition(" ")[2]
    if len(after) > _CONTEXT_CHARACTERS:
        after = after[:_CONTEXT_CHARACTERS].rpartition(" ")[0] + " …"
    return f"{before}[{text[start:end]}]{after}"


_TOKEN = re.compile(rf"{WORD.pattern}|\S")


def token_spans(text: str) -> list[Place]:
    """The spans of the tokens of a text: words, and every punctuation mark by itself."""
    return [match.span() for match in _TOKEN.finditer(text)]


def tokens(text: str) -> tuple[str, ...]:
    """The tokens of a text."""
    return tuple(text[start:end] for start, end in token_spans(text))


def to_bio(text: str, marked: Sequence[Place]) -> tuple[str, ...]:
    """BIO tags of the tokens of a text, from marked spans."""
    return tuple(tags_over(token_spans(text), marked))


def from_bio(text: str, tags: Sequence[str]) -> list[Place]:
    """The spans that BIO tags of the tokens of a text mark, in code points."""
    here = token_spans(text)
    return [(here[start][0], here[end - 1][1]) for start, end in spans(tags)]


def trained_tagger(runner: WikibiasRunner, cell_id: WikibiasCellId) -> Tagger:
    """The tagger of a cell of Table 7, for any texts.

    It is trained as for its cell, or loaded where the cell was computed; the texts then replace the test part. Raises
    TrainingError for a system that cannot be trained here, or that predicts no tags.
    """
    system, context = cell_id.system.load(), runner.context(cell_id)
    if system(runner.corpus, context).tags is None:
        raise TrainingError(f"{cell_id.title} marks no words. Name a tagger of Table 7.")

    def tagger(texts: Sequence[str]) -> list[list[Place]]:
        test = [
            TaggedSentence(
                tokens(text), (OUTSIDE,) * len(token_spans(text)), biased=True, original=True, group=str(at)
            )
            for at, text in enumerate(texts)
        ]
        tags = system(replace(runner.corpus, test=test), context).tags or ()
        return [from_bio(text, of) for text, of in zip(texts, tags, strict=True)]

    return tagger


@dataclass(frozen=True, slots=True)
class RaterScore:
    """Partial F1 in [0, 1] on the rated sentences of one side, with a bootstrap interval over sentences."""

    f1: Interval
    sentences: int
    raters: int


def score_against_raters(
    ratings: SpanRatings, tagger: Tagger, *, seed: int = 0
) -> Mapping[Group, RaterScore]:
    """Partial F1 of a tagger on every rated side, as the authors count (``metrics.tags``).

    Gold is what more than one rater marked, or the only one who answered. Sentences without gold spans count, so a span
    there costs precision; the paper does not say whether it counts them.
    """
    items = [at for at in range(len(ratings.plan.items)) if ratings.votes(at)]
    texts = [ratings.plan.items[at].text for at in items]
    found = dict(zip(items, tagger(texts), strict=True))
    scores: dict[Group, RaterScore] = {}
    for group, here in group_by_side(items, of=lambda at: ratings.plan.items[at]).items():
        gold, predictions = [], []
        for at in here:
            text = ratings.plan.items[at].text
            truth = to_bio(text, majority_spans(text, ratings.votes(at)))
            gold.append(TaggedSentence(tokens(text), truth, biased=True, original=True))
            predictions.append(to_bio(text, found[at]))
        counts = tag_counts(gold, predictions)["authors_partial"]
        f1 = interval(span_f1, np.zeros(len(here)), counts, resamples=_RESAMPLES, seed=seed)
        scores[group] = RaterScore(f1, len(here), max(len(ratings.votes(at)) for at in here))
    return scores
