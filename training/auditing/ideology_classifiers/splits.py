"""Masked articles in segments, and their split into training, dev and test articles, by chance and by publisher.

Liu et al. (2021), section 5.1, hold out random articles, whose outlets the classifier knows. Baly et al. (2020) hold
out outlets. Here one training serves both evaluations: some publishers are held out whole, and of the other articles a
random part, less those that repeat training articles. Model selection uses a dev part of its own.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
from sklearn.model_selection import StratifiedGroupKFold

from training.auditing.ideology_classifiers.masked_articles import PublisherMasks
from training.corpora.allsides import Article, publisher_of
from training.types import LEFT, RIGHT, CorpusError

Sides = Literal["two", "three"]
CLASS_NAMES: dict[Sides, tuple[str, ...]] = {
    "two": ("conservative", "liberal"),
    "three": ("left", "center", "right"),
}
"""The class names, in the order of the probabilities."""
FOLDS = 5
RANDOM_TEST_SHARE = 0.15
"""Share of the articles of training publishers that is held out at random (the paper's test part)."""
DEV_SHARE = 0.1
"""Share of the rest that is used for model selection and stacking."""
MIN_WORDS = 30
"""Later segments with fewer words are not used for training."""
_CACHED = 40_000
_SHINGLE, _SAME = 8, 0.2


@dataclass(frozen=True, slots=True)
class SegmentedArticle:
    """One article: masked segments of at most 100 tokens, class, and publisher."""

    segments: tuple[str, ...]
    label: int
    publisher: str


@dataclass(frozen=True, slots=True)
class Splits:
    """Training and ``dev`` articles, and those held out: at ``random``, random but ``repeated``, and by publisher
    (``grouped``).
    """

    train: tuple[SegmentedArticle, ...]
    dev: tuple[SegmentedArticle, ...]
    random: tuple[SegmentedArticle, ...]
    repeated: tuple[SegmentedArticle, ...]
    grouped: tuple[SegmentedArticle, ...]


def segment_articles(
    found: Iterable[Article], masks: PublisherMasks, sides: Sides, *, segments: int
) -> list[SegmentedArticle]:
    """The articles for ``sides``, masked and cut into at most so many segments.

    Two sides leave out the center; left is liberal. Raises CorpusError if a class has no article.
    """
    made = []
    for article in found:
        if sides == "two" and article.leaning not in (LEFT, RIGHT):
            continue
        label = int(article.leaning == LEFT) if sides == "two" else article.leaning
        kept = segments_of(" ".join(article.whole), masks, most=segments)
        made.append(SegmentedArticle(kept, label, publisher_of(article.outlet)))
    for label, name in enumerate(CLASS_NAMES[sides]):
        if not any(one.label == label for one in made):
            raise CorpusError(
                f"There is no {name} article. An ideology classifier needs articles of every side."
            )
    return made


@lru_cache(maxsize=_CACHED)
def segments_of(text: str, masks: PublisherMasks, *, most: int) -> tuple[str, ...]:
    """The masked segments of a text: the first, and those that are not too short, at most ``most``.

    Cached, because masking an article takes longer than training on it, and every fold trains on most of them.
    """
    cut = masks.segments(text, most=most)
    return tuple(" ".join(part) for part in cut if part is cut[0] or len(part) >= MIN_WORDS)


def split_articles(labelled: Sequence[SegmentedArticle], *, fold: int, seed: int) -> Splits:
    """Split the articles; each of the five folds holds out other publishers.

    Raises CorpusError if a class has fewer publishers than there are folds.
    """
    labels = np.array([one.label for one in labelled])
    publishers = np.array([one.publisher for one in labelled])
    for label in sorted(set(labels.tolist())):
        count = len(set(publishers[labels == label]))
        if count < FOLDS:
            raise CorpusError(
                f"The articles of one side come from {count} outlets; {FOLDS} publisher-grouped folds "
                "need as many. Use articles of more outlets."
            )
    splits = StratifiedGroupKFold(FOLDS, shuffle=True, random_state=seed).split(labels, labels, publishers)
    known, unknown = list(splits)[fold]
    order = known.tolist()
    random.Random(seed).shuffle(order)
    size = round(RANDOM_TEST_SHARE * len(order))
    train = [labelled[at] for at in order[size:]]
    held_out = [labelled[at] for at in order[:size]]
    seen = {shingle for one in train for shingle in _shingles(one)}
    repeated = {at for at, one in enumerate(held_out) if _repeated_share(one, seen) >= _SAME}
    apart = max(1, round(DEV_SHARE * len(train)))
    return Splits(
        train=tuple(train[apart:]),
        dev=tuple(train[:apart]),
        random=tuple(one for at, one in enumerate(held_out) if at not in repeated),
        repeated=tuple(held_out[at] for at in sorted(repeated)),
        grouped=tuple(labelled[at] for at in unknown),
    )


def _shingles(one: SegmentedArticle) -> list[int]:
    """Hashed eight-word runs of the first segment."""
    words = one.segments[0].split(" ")
    return [hash(tuple(words[at : at + _SHINGLE])) for at in range(max(1, len(words) - _SHINGLE + 1))]


def _repeated_share(one: SegmentedArticle, seen: set[int]) -> float:
    own = _shingles(one)
    return sum(shingle in seen for shingle in own) / len(own)
