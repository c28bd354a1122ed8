"""What debiasing learns from: articles of two sides, split by publisher, and the bias words of each side."""

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
from training.text.near_duplicates import NearIndex
from training.types import CorpusError

# What both modes of the calibration learn from: texts of two sides, and the words that tell the sides apart.


BIAS_WORD_COUNT = 250
"""Bias words for either ideology (section 5.2.1)."""
MIN_TEXTS = 5
"""A word of fewer texts is a text's own."""
WORD = re.compile(r"[^\W\d_]+(?:['’](?!s\b)[^\W\d_]+)*", re.IGNORECASE)
"""A word as it is written, with the apostrophes inside it but without a possessive 's."""
_MIN_LETTERS = 3


@dataclass(frozen=True, slots=True)
class SideTexts:
    """Texts by the ideology of who published them. What names the outlet should have been taken out."""

    liberal: tuple[str, ...]
    conservative: tuple[str, ...]

    def require_both(self) -> None:
        """Raise CorpusError where a side has no text."""
        for name, texts in (("liberal", self.liberal), ("conservative", self.conservative)):
            if not any(text.strip() for text in texts):
                raise CorpusError(
                    f"The corpus has no {name} text: nothing tells the sides apart. Give texts of both sides."
                )


@dataclass(frozen=True, slots=True)
class BiasWords:
    """w^L and w^C of the paper (section 4), those first that tell their side best."""

    liberal: tuple[str, ...]
    conservative: tuple[str, ...]

    def __post_init__(self) -> None:
        """Raise CorpusError for a list without words."""
        if not (self.liberal and self.conservative):
            raise CorpusError("A list of bias words is empty. Give words of both sides.")


def bias_words(sides: SideTexts, *, count: int = BIAS_WORD_COUNT) -> BiasWords:
    """The ``count`` words of each side with the greatest difference of mean TF-IDF weight between the sides.

    The paper says "using TF-IDF" (section 4) and no more. Taken here: single words of three letters at least, without
    scikit-learn's list of English stop words, in ``MIN_TEXTS`` texts or more; each is given as it is written most
    often (``Trump``, ``abortion``). Ties by the word. Raises CorpusError for a one-sided corpus and where a side has
    fewer words.
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
    """The form that is written most often; of equals the first in the alphabet."""
    return min(forms, key=lambda form: (-forms[form], form))


def _too_few_error(found: int, count: int) -> CorpusError:
    return CorpusError(
        f"Only {found} words tell one side from the other, and {count} are wanted. Give more texts or ask for fewer."
    )


# The articles behind the tables of Liu et al. 2021: one part for the judge, another for what calibrates.
#
# The paper trains f_judge and f_debias on the same articles (sections 5.1 and 5.2), so that the calibration is taught
# what its judge will look for, outlets' habits included. Here the houses of either side are dealt out by the seed: the
# judge learns from one half, bias words and f_debias from the other, and the epoch of f_debias is chosen on houses of its
# own. A judge that is satisfied then is one that never saw what the calibration learnt from. The paper's setting is there
# beside it (``shared``): the judge is the same, and the calibration learns from its articles.


_CLASSIFIER_SHARE, _DEV_SHARE = 0.5, 0.15
_NONE_SCORED = NearIndex(())
"""What is scored here are generated texts: no article is left out for them."""


@dataclass(frozen=True, slots=True)
class PublisherSplit:
    """What the judge learns from, and what bias words and f_debias learn from, with the dev texts of the latter."""

    classifier: tuple[LabelledArticle, ...]
    train: tuple[LabelledArticle, ...]
    dev: tuple[LabelledArticle, ...]


@dataclass(frozen=True, slots=True)
class ArticleCorpus:
    """All articles of the left and the right. ``mark`` changes with them.

    ``shared``: bias words and f_debias learn from the judge's articles, as in the paper, not from others.
    """

    rows: tuple[LabelledArticle, ...]
    masks: PublisherMasks
    mark: str
    shared: bool = False

    def split_publishers(self, seed: int) -> PublisherSplit:
        """The articles dealt out by ``seed``, the judge's alike in both settings.

        Where nothing is shared, an article that begins as a judge's article does is the judge's alone.
        """
        calibrating, judged = split_by_publisher(self.rows, _CLASSIFIER_SHARE, seed=seed)
        if self.shared:
            own = judged
        else:
            read = {self.masks.tokens(row.text) for row in judged}
            own = [row for row in calibrating if self.masks.tokens(row.text) not in read]
        learnt, dev = split_by_publisher(own, _DEV_SHARE, seed=seed)
        return PublisherSplit(tuple(judged), tuple(learnt), tuple(dev))


def load_articles(data: Path, *, shared: bool = False) -> ArticleCorpus:
    """Read the articles. Raises CorpusError where there are none, or none of one side."""
    found = allsides.load(data, _NONE_SCORED)
    labelled = tuple(label_articles(found))
    digest = hashlib.sha256()
    for row in labelled:
        digest.update(f"{row.publisher} {row.liberal} {row.text}\n".encode())
    return ArticleCorpus(
        labelled, PublisherMasks({article.outlet for article in found}), digest.hexdigest()[:16], shared
    )


def side_texts(labelled: Sequence[LabelledArticle], *, most: int | None, seed: int) -> SideTexts:
    """The first words of articles, as many as the paper reads tokens; ``most`` a side at most, drawn by ``seed``."""
    chooser = random.Random(seed)
    texts: list[tuple[str, ...]] = []
    for liberal in (True, False):
        own = [" ".join(row.text.split()[:MAX_WORDS]) for row in labelled if row.liberal == liberal]
        texts.append(tuple(own if most is None else chooser.sample(own, min(most, len(own)))))
    return SideTexts(*texts)


def split_by_publisher(
    labelled: Sequence[LabelledArticle], share: float, *, seed: int
) -> tuple[list[LabelledArticle], list[LabelledArticle]]:
    """The rows in two parts, the second of about ``share`` of each side; no house is in both.

    Large houses are dealt out first, as chance has it, each to the part that lacks more, so that both have large and
    small ones. A side of one house is dealt out by article.
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
    """Houses of the second part; one at least where there are two."""
    order = sorted(sorted(sizes), key=lambda house: -sizes[house] * chooser.uniform(0.5, 1.0))
    chosen: set[str] = set()
    most, begins = share * sum(sizes.values()), chooser.random() < share
    taken = left = 0
    for house in order:
        ahead = taken * (1 - share) - left * share
        if (ahead < 0 or (ahead == 0 and begins)) and taken + sizes[house] <= most:
            chosen.add(house)
            taken += sizes[house]
        else:
            left += sizes[house]
    if not chosen and len(order) > 1:
        chosen.add(min(order, key=lambda house: sizes[house]))
    return chosen
