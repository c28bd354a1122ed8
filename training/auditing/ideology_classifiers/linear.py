"""An ideology classifier without an encoder: linear models over hashed words and bigrams, one of sides, one of
publishers.

All segments of an article are used for training, only the first for prediction. The model of publishers predicts who
wrote a text, and so the sides of that publisher's articles: a finer target on the same articles. Features are hashed,
so that the model is saved as plain tables of numbers without a vocabulary.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction.text import HashingVectorizer, TfidfTransformer
from sklearn.linear_model import LogisticRegression, SGDClassifier

from training.auditing.ideology_classifiers.masked_articles import (
    LabelledArticle,
    PublisherMasks,
    has_no_word,
)
from training.auditing.ideology_classifiers.splits import CLASS_NAMES, SegmentedArticle, segments_of
from training.types import CorpusError, require_classes

_HASHED, _MOST = 2**22, 300_000
"""Number of hashed features, and how many are kept: those in most segments, at least two."""
_MAX_SEGMENTS = 4
"""Segments of an article that a built-in classifier is trained on; more of them help little."""
MIN_ARTICLES = 30
"""Publishers with fewer articles are merged into one per side."""
_STRENGTH, _PENALTY, _ROUNDS = 3.0, 1e-6, 8
_PUBLISHER = "house"
"""The publisher model in the tables; saved classifiers have the former word for a publisher."""
Tables = dict[str, NDArray[Any]]


@dataclass(frozen=True, slots=True)
class PublisherTargets:
    """The publisher number of each text, and the ``shares`` [publishers, classes] of the classes of its articles."""

    numbers: tuple[int, ...]
    shares: NDArray[np.float32]


def publisher_targets(articles: Sequence[SegmentedArticle], *, classes: int) -> PublisherTargets:
    """The publishers of the training articles; the small ones of a side are merged."""
    sizes = Counter(one.publisher for one in articles)
    names = [one.publisher if sizes[one.publisher] >= MIN_ARTICLES else f" {one.label}" for one in articles]
    numbers = {name: number for number, name in enumerate(sorted(set(names)))}
    of = tuple(numbers[name] for name in names)
    shares = np.zeros((len(numbers), classes), dtype=np.float32)
    for number, one in zip(of, articles, strict=True):
        shares[number, one.label] += 1
    return PublisherTargets(of, shares / shares.sum(axis=1, keepdims=True))


class LinearModels:
    """The fitted models; ``tables`` holds all parameters by name."""

    def __init__(self, tables: Mapping[str, NDArray[Any]]) -> None:
        self.tables: Tables = dict(tables)

    @classmethod
    def fit(cls, articles: Sequence[SegmentedArticle], *, classes: int, seed: int) -> Self:
        """Train on all segments of the articles, with balanced sides.

        Raises CorpusError if no two segments share a word.
        """
        hashed = _hash_features([text for one in articles for text in one.segments])
        frequent = hashed.getnnz(axis=0)
        columns = np.sort(np.argsort(-frequent, kind="stable")[:_MOST])
        columns = columns[frequent[columns] > 1]
        if not columns.size:
            raise CorpusError("No two training articles share a word. Use more articles.")
        counts = hashed[:, columns]
        weighing = TfidfTransformer(sublinear_tf=True).fit(counts)
        read = weighing.transform(counts)
        known = publisher_targets(articles, classes=classes)
        side = LogisticRegression(C=_STRENGTH, max_iter=300, class_weight="balanced", random_state=seed)
        side.fit(read, [one.label for one in articles for _ in one.segments])
        publisher_model = SGDClassifier(
            loss="log_loss", alpha=_PENALTY, max_iter=_ROUNDS, tol=None, random_state=seed
        )
        publisher_model.fit(
            read, [of for of, one in zip(known.numbers, articles, strict=True) for _ in one.segments]
        )
        return cls(
            {
                "columns": columns.astype(np.int32),
                "idf": np.asarray(weighing.idf_, dtype=np.float32),
                "shares": known.shares,
                **_as_tables("side", side),
                **_as_tables(_PUBLISHER, publisher_model),
            }
        )

    def probabilities(self, texts: Sequence[str]) -> list[NDArray[np.float64]]:
        """Two probabilities [texts, classes] of masked texts: by side, and by the sides of the predicted publishers."""
        tables = self.tables
        weighing = TfidfTransformer(sublinear_tf=True)
        weighing.idf_ = tables["idf"]
        read = weighing.transform(_hash_features(texts)[:, tables["columns"]])
        side, publisher = (
            read @ tables[f"{name} weights"].T + tables[f"{name} bias"] for name in ("side", _PUBLISHER)
        )
        powers = np.exp(side - side.max(axis=1, keepdims=True))
        likely = 1 / (1 + np.exp(-publisher))
        answers = (powers, likely @ tables["shares"])
        return [np.asarray(one / one.sum(axis=1, keepdims=True), dtype=np.float64) for one in answers]


class LinearClassifier:
    """The linear models as an `IdeologyClassifier` that trains within minutes on any machine: the mean of both."""

    def __init__(self, masks: PublisherMasks, model: LinearModels) -> None:
        self._masks, self._model = masks, model

    @classmethod
    def fit(cls, train: Sequence[LabelledArticle], *, masks: PublisherMasks, seed: int) -> Self:
        """Train on ``train``. Raises CorpusError if one side is missing, or if no two articles share a word."""
        require_classes(
            [int(row.liberal) for row in train], CLASS_NAMES["two"], corpus="The classifier's training part"
        )
        articles = [
            SegmentedArticle(
                segments_of(row.text, masks, most=_MAX_SEGMENTS), int(row.liberal), row.publisher
            )
            for row in train
        ]
        return cls(masks, LinearModels.fit(articles, classes=2, seed=seed))

    def p_liberal(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """p(liberal) [texts]; one half for a text without a word."""
        if not texts:
            return np.zeros(0)
        read = [self._masks.tokens(text) for text in texts]
        by_side, by_publisher = self._model.probabilities([" ".join(tokens) for tokens in read])
        found = np.asarray((by_side + by_publisher)[:, 1] / 2, dtype=np.float64)
        found[has_no_word(read)] = 0.5
        return found


def _as_tables(name: str, model: LogisticRegression | SGDClassifier) -> Tables:
    """Weights and bias of every class; for two classes the fitted model only has those of the second."""
    weights, bias = model.coef_, model.intercept_
    if len(weights) == 1:
        weights, bias = np.concatenate([-weights, weights]), np.concatenate([-bias, bias])
        if isinstance(model, LogisticRegression):
            weights, bias = weights / 2, bias / 2
    return {f"{name} weights": weights.astype(np.float32), f"{name} bias": bias.astype(np.float32)}


def _hash_features(texts: Sequence[str]) -> Any:
    hashing = HashingVectorizer(analyzer=_features, n_features=_HASHED, alternate_sign=False, norm=None)
    return hashing.transform(texts)


def _features(text: str) -> list[str]:
    words = text.split(" ")
    return [*words, *(f"{one} {other}" for one, other in pairwise(words))]
