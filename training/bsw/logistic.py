"""Logistic regression on TF-IDF of words (section 5.3); a tag that stands for words is a word to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline

from training.bsw.classifiers import Work, demand_both
from training.bsw.model import Labelled

_NOTHING = "<nothing>"
"""Stands in a text without words."""


class Logistic:
    """It has no need of a dev part, nor of vectors."""

    def __init__(self, work: Work) -> None:
        self._model: Pipeline = make_pipeline(
            TfidfVectorizer(analyzer=_words, sublinear_tf=True),
            LogisticRegression(max_iter=1000, random_state=work.seed),
        )

    def fit(
        self,
        train: Sequence[Labelled],
        dev: Sequence[Labelled],  # noqa: ARG002
        *,
        vectors: Mapping[str, NDArray[np.float32]],  # noqa: ARG002
    ) -> None:
        """Learn from ``train``. Raises TrainingError where one class is missing."""
        demand_both(train)
        self._model.fit([row.tokens for row in train], [row.hateful for row in train])

    def chances(self, texts: Sequence[Sequence[str]]) -> NDArray[np.float64]:
        """p(hateful) [n]."""
        if not texts:
            return np.zeros(0)
        found: NDArray[np.float64] = self._model.predict_proba([tuple(text) for text in texts])[:, 1]
        return found


def _words(text: Any) -> Sequence[str]:
    return text or (_NOTHING,)
