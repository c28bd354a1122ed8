"""A judge by words alone: linear models over hashed words and pairs of words, one of sides, one of houses.

Every stretch of an article is learnt from, though only the first is judged by. The model of houses tells who is likely
to have written a text, and answers with the sides that this house's articles are on: a finer lesson from the same
articles. Nothing of it is a vocabulary, so that it is kept as plain tables of numbers.
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
from training.types import CorpusError, need_classes

_HASHED, _MOST = 2**22, 300_000
"""Hashed features, and how many of them are kept: those that stand in most stretches, in two at least."""
_MAX_SEGMENTS = 4
"""What a judge that learns within a table or an audit reads of an article; more of them tell little more."""
MIN_ARTICLES = 30
"""A house of fewer articles is learnt together with all such houses of its side."""
_STRENGTH, _PENALTY, _ROUNDS = 3.0, 1e-6, 8
Tables = dict[str, NDArray[Any]]


@dataclass(frozen=True, slots=True)
class PublisherTargets:
    """The house that each text is learnt as, by number, and the ``shares`` [houses, classes] of a house's articles."""

    of: tuple[int, ...]
    shares: NDArray[np.float32]


def publisher_targets(learnt: Sequence[SegmentedArticle], *, classes: int) -> PublisherTargets:
    """The houses of some articles; the small ones of a side stand together as one."""
    sizes = Counter(one.publisher for one in learnt)
    names = [one.publisher if sizes[one.publisher] >= MIN_ARTICLES else f" {one.label}" for one in learnt]
    numbers = {name: number for number, name in enumerate(sorted(set(names)))}
    of = tuple(numbers[name] for name in names)
    shares = np.zeros((len(numbers), classes), dtype=np.float32)
    for number, one in zip(of, learnt, strict=True):
        shares[number, one.label] += 1
    return PublisherTargets(of, shares / shares.sum(axis=1, keepdims=True))


class LinearModels:
    """The fitted models; ``tables`` is all that they are, by name."""

    def __init__(self, tables: Mapping[str, NDArray[Any]]) -> None:
        self.tables: Tables = dict(tables)

    @classmethod
    def fit(cls, learnt: Sequence[SegmentedArticle], *, classes: int, seed: int) -> Self:
        """Learn from all stretches of some articles, the sides weighing alike.

        Raises CorpusError where no two stretches share a word.
        """
        hashed = _hash_features([text for one in learnt for text in one.segments])
        frequent = hashed.getnnz(axis=0)
        columns = np.sort(np.argsort(-frequent, kind="stable")[:_MOST])
        columns = columns[frequent[columns] > 1]
        if not columns.size:
            raise CorpusError("No two of the judge's articles share a word. Take more of them.")
        counts = hashed[:, columns]
        weighing = TfidfTransformer(sublinear_tf=True).fit(counts)
        read = weighing.transform(counts)
        known = publisher_targets(learnt, classes=classes)
        side = LogisticRegression(C=_STRENGTH, max_iter=300, class_weight="balanced", random_state=seed)
        side.fit(read, [one.label for one in learnt for _ in one.segments])
        house = SGDClassifier(loss="log_loss", alpha=_PENALTY, max_iter=_ROUNDS, tol=None, random_state=seed)
        house.fit(read, [of for of, one in zip(known.of, learnt, strict=True) for _ in one.segments])
        return cls(
            {
                "columns": columns.astype(np.int32),
                "idf": np.asarray(weighing.idf_, dtype=np.float32),
                "shares": known.shares,
                **_as_tables("side", side),
                **_as_tables("house", house),
            }
        )

    def probabilities(self, texts: Sequence[str]) -> list[NDArray[np.float64]]:
        """Two answers [texts, classes] for masked texts: by sides, and by the sides of the likely houses."""
        tables = self.tables
        weighing = TfidfTransformer(sublinear_tf=True)
        weighing.idf_ = tables["idf"]
        read = weighing.transform(_hash_features(texts)[:, tables["columns"]])
        side, publisher = (
            read @ tables[f"{name} weights"].T + tables[f"{name} bias"] for name in ("side", "house")
        )
        powers = np.exp(side - side.max(axis=1, keepdims=True))
        likely = 1 / (1 + np.exp(-publisher))
        answers = (powers, likely @ tables["shares"])
        return [np.asarray(one / one.sum(axis=1, keepdims=True), dtype=np.float64) for one in answers]


class LinearClassifier:
    """The models as a ``Judge`` that any machine can train within minutes: the mean of both answers."""

    def __init__(self, masks: PublisherMasks, model: LinearModels) -> None:
        self._masks, self._model = masks, model

    @classmethod
    def fit(cls, train: Sequence[LabelledArticle], *, masks: PublisherMasks, seed: int) -> Self:
        """Learn from ``train``. Raises CorpusError where one side is missing, or no two articles share a word."""
        need_classes(
            [int(row.liberal) for row in train], CLASS_NAMES["two"], corpus="The judge's training part"
        )
        learnt = [
            SegmentedArticle(
                segments_of(row.text, masks, most=_MAX_SEGMENTS), int(row.liberal), row.publisher
            )
            for row in train
        ]
        return cls(masks, LinearModels.fit(learnt, classes=2, seed=seed))

    def p_liberal(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """p(liberal) [texts]; one half for a text with no word left to read."""
        if not texts:
            return np.zeros(0)
        read = [self._masks.tokens(text) for text in texts]
        by_side, by_house = self._model.probabilities([" ".join(tokens) for tokens in read])
        found = np.asarray((by_side + by_house)[:, 1] / 2, dtype=np.float64)
        found[has_no_word(read)] = 0.5
        return found


def _as_tables(name: str, model: LogisticRegression | SGDClassifier) -> Tables:
    """Weights and bias of every class; of two classes the model has those of the second alone."""
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
