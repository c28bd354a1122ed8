"""Data for debiasing: articles of two sides, split by publisher, and the bias words of each side.

The paper trains f_judge and f_debias on the same articles (sections 5.1 and 5.2), so that debiasing learns what its
classifier looks for, habits of outlets included. Here the publishers of each side are split by the seed: the ideology
classifier is trained on one half, bias words and f_debias on the other, with dev publishers of its own. The paper's
setting is available, too (``shared``): then bias words and f_debias use the classifier's articles.
"""

from __future__ import annotations

import hashlib
import random
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.auditing.ideology_classifiers.masked_articles import (
    MAX_WORDS,
    LabelledArticle,
    PublisherMasks,
    label_articles,
)
from training.corpora import allsides
from training.text.near_duplicates import NearDuplicateIndex
from training.types import CorpusError

BIAS_WORD_COUNT = 250
"""Bias words per side (section 5.2.1)."""
MIN_TEXTS = 5
"""A word must occur in at least so many texts."""
WORD = re.compile(r"[^\W\d_]+(?:['’](?!s\b)[^\W\d_]+)*", re.IGNORECASE)
"""A word with inner apostrophes, but without a possessive 's."""
_MIN_LETTERS = 3


@dataclass(frozen=True, slots=True)
class SideTexts:
    """Texts by the ideology of their publisher. Names of outlets should be masked."""

    liberal: tuple[str, ...]
    conservative: tuple[str, ...]

    def require_both(self) -> None:
        """Raise CorpusError if a side has no text."""
        for name, texts in (("liberal", self.liberal), ("conservative", self.conservative)):
            if not any(text.strip() for text in texts):
                raise CorpusError(f"The corpus has no {name} text. Give texts of both sides.")


@dataclass(frozen=True, slots=True)
class BiasWords:
    """w^L and w^C of the paper (section 4), the most distinctive words first."""

    liberal: tuple[str, ...]
    conservative: tuple[str, ...]

    def __post_init__(self) -> None:
        """Raise CorpusError for an empty list."""
        if not (self.liberal and self.conservative):
            raise CorpusError("A list of bias words is empty. Give words of both sides.")


def bias_words(sides: SideTexts, *, count: int = BIAS_WORD_COUNT) -> BiasWords:
    """The ``count`` words of each side with the greatest difference of mean TF-IDF weight between the sides.

    The paper only says "using TF-IDF" (section 4). Here: single words of three letters or more, without scikit-learn's
    English stop words, in at least ``MIN_TEXTS`` texts, each in its most frequent spelling (``Trump``, ``abortion``);
    ties are broken alphabetically. Raises CorpusError for a one-sided corpus, and if a side has fewer words.
    """
    from sklearn.feature_extraction.text import TfidfVectorizer

    sides.require_both()
    texts = [*sides.liberal, *sides.conservative]
    forms: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for text in texts:
        for word in _words(text):
            forms[word.lower()][word] += 1
    vectorizer = TfidfVectorizer(
        analyzer=lambda text: [word.lower() for word in _words(text)],
        sublinear_tf=True,
        min_df=min(MIN_TEXTS, len(texts)),
    )
    try:
        weights = vectorizer.fit_transform(texts)
    except ValueError as error:
        raise _too_few_error(0, count) from error
    border = len(sides.liberal)
    apart = np.asarray(weights[:border].mean(0) - weights[border:].mean(0)).ravel()
    named = vectorizer.get_feature_names_out()
    liberal, conservative = (_top_words(named, sign * apart, count) for sign in (1, -1))
    return BiasWords(
        *(tuple(_most_frequent_form(forms[word]) for word in side) for side in (liberal, conservative))
    )


def _words(text: str) -> list[str]:
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

    found = (match.group() for match in WORD.finditer(text))
    return [word for word in found if len(word) >= _MIN_LETTERS and word.lower() not in ENGLISH_STOP_WORDS]


def _top_words(named: Sequence[str], scores: NDArray[np.float64], count: int) -> list[str]:
    ranked = sorted((-score, word) for score, word in zip(scores.tolist(), named, strict=True) if score > 0)
    if len(ranked) < count:
        raise _too_few_error(len(ranked), count)
    return [word for _, word in ranked[:count]]


def _most_frequent_form(forms: Counter[str]) -> str:
    """The most frequent spelling; of equally frequent ones the first alphabetically."""
    return min(forms, key=lambda form: (-forms[form], form))


def _too_few_error(found: int, count: int) -> CorpusError:
    return CorpusError(
        f"Only {found} words distinguish one side from the other; {count} are needed. Use more texts or "
        "fewer words."
    )


_CLASSIFIER_SHARE, _DEV_SHARE = 0.5, 0.15
_NONE_SCORED = NearDuplicateIndex(())
"""Generated texts are scored here, so no article has to be left out."""


@dataclass(frozen=True, slots=True)
class PublisherSplit:
    """Articles for the ideology ``classifier``, and training and ``dev`` articles for bias words and f_debias."""

    classifier: tuple[LabelledArticle, ...]
    train: tuple[LabelledArticle, ...]
    dev: tuple[LabelledArticle, ...]


@dataclass(frozen=True, slots=True)
class ArticleCorpus:
    """All articles of the left and the right. ``digest`` changes with them.

    With ``shared``, bias words and f_debias use the classifier's articles, as in the paper.
    """

    rows: tuple[LabelledArticle, ...]
    masks: PublisherMasks
    digest: str
    shared: bool = False

    def split_publishers(self, seed: int) -> PublisherSplit:
        """Split the articles by publisher; the classifier's part is the same in both settings.

        Unless articles are shared, an article that begins like one of the classifier's is left out of the other part.
        """
        debiasing, classifier_rows = split_by_publisher(self.rows, _CLASSIFIER_SHARE, seed=seed)
        if self.shared:
            own = classifier_rows
        else:
            read = {self.masks.tokens(row.text) for row in classifier_rows}
            own = [row for row in debiasing if self.masks.tokens(row.text) not in read]
        train, dev = split_by_publisher(own, _DEV_SHARE, seed=seed)
        return PublisherSplit(tuple(classifier_rows), tuple(train), tuple(dev))


def load_articles(data: Path, *, shared: bool = False) -> ArticleCorpus:
    """Load the articles. Raises CorpusError if there are none, or none of one side."""
    found = allsides.load(data, _NONE_SCORED)
    labelled = tuple(label_articles(found))
    digest = hashlib.sha256()
    for row in labelled:
        digest.update(f"{row.publisher} {row.liberal} {row.text}\n".encode())
    return ArticleCorpus(
        labelled, PublisherMasks({article.outlet for article in found}), digest.hexdigest()[:16], shared
    )


def side_texts(labelled: Sequence[LabelledArticle], *, most: int | None, seed: int) -> SideTexts:
    """The first words of articles, as many as the paper reads tokens; a random sample of at most ``most`` per side."""
    chooser = random.Random(seed)
    texts: list[tuple[str, ...]] = []
    for liberal in (True, False):
        own = [" ".join(row.text.split()[:MAX_WORDS]) for row in labelled if row.liberal == liberal]
        texts.append(tuple(own if most is None else chooser.sample(own, min(most, len(own)))))
    return SideTexts(*texts)


def split_by_publisher(
    labelled: Sequence[LabelledArticle], share: float, *, seed: int
) -> tuple[list[LabelledArticle], list[LabelledArticle]]:
    """Split rows in two, the second part with about ``share`` of each side; no publisher is in both.

    Large publishers are assigned first, in random order, each to the part that lacks more, so that both get large and
    small ones. A side with one publisher is split by article.
    """
    chooser = random.Random(seed)
    parts: tuple[list[LabelledArticle], list[LabelledArticle]] = ([], [])
    for liberal in (False, True):
        side = [row for row in labelled if row.liberal == liberal]
        if len({row.publisher for row in side}) == 1:
            side = [replace(row, publisher=str(number)) for number, row in enumerate(side)]
        second = _choose_publishers(Counter(row.publisher for row in side), share, chooser)
        for row in side:
            parts[row.publisher in second].append(row)
    return parts


def _choose_publishers(sizes: Mapping[str, int], share: float, chooser: random.Random) -> set[str]:
    """The publishers of the second part; at least one if there are two."""
    order = sorted(sorted(sizes), key=lambda publisher: -sizes[publisher] * chooser.uniform(0.5, 1.0))
    chosen: set[str] = set()
    most, begins = share * sum(sizes.values()), chooser.random() < share
    taken = left = 0
    for publisher in order:
        ahead = taken * (1 - share) - left * share
        if (ahead < 0 or (ahead == 0 and begins)) and taken + sizes[publisher] <= most:
            chosen.add(publisher)
            taken += sizes[publisher]
        else:
            left += sizes[publisher]
    if not chosen and len(order) > 1:
        chosen.add(min(order, key=lambda publisher: sizes[publisher]))
    return chosen
