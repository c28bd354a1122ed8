"""Logistic regression on TF-IDF and a perceptron on mean word vectors (section 5.3), by scikit-learn."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import Pipeline, make_pipeline

from training.corpora.hate_speech import LabelledText
from training.modeling.word_vectors import Lexicon
from training.papers.stereotype_removal.classifiers import TrainingContext, check_classes

_NOTHING = "<nothing>"
"""The only token of a text without words."""


class Logistic:
    """Logistic regression on TF-IDF of words; tags count as words. Dev part and vectors are not used."""

    def __init__(self, context: TrainingContext) -> None:
        self._model: Pipeline = make_pipeline(
            TfidfVectorizer(analyzer=_words, sublinear_tf=True),
            LogisticRegression(max_iter=1000, random_state=context.seed),
        )

    def fit(
        self,
        train: Sequence[LabelledText],
        dev: Sequence[LabelledText],  # noqa: ARG002
        *,
        vectors: Mapping[str, NDArray[np.float32]],  # noqa: ARG002
    ) -> None:
        """Train on ``train``. Raises TrainingError where one class is missing."""
        check_classes(train)
        self._model.fit([row.tokens for row in train], [row.hateful for row in train])

    def hate_probabilities(self, texts: Sequence[Sequence[str]]) -> NDArray[np.float64]:
        """p(hateful) [n]."""
        if not texts:
            return np.zeros(0)
        found: NDArray[np.float64] = self._model.predict_proba([tuple(text) for text in texts])[:, 1]
        return found


def _words(text: Any) -> Sequence[str]:
    return text or (_NOTHING,)


HIDDEN, BATCH_SIZE, PATIENCE = 128, 128, 2
_CLASSES = (0, 1)


class Mlp:
    """One hidden layer on the mean word vector; epochs and early stopping as for the CNN, Adam's rate of 1e-3."""

    def __init__(self, context: TrainingContext) -> None:
        self._context = context
        self._lexicon = Lexicon(context.space, {})
        self._model = MLPClassifier((HIDDEN,), batch_size=BATCH_SIZE, random_state=context.seed)

    def fit(
        self,
        train: Sequence[LabelledText],
        dev: Sequence[LabelledText],
        *,
        vectors: Mapping[str, NDArray[np.float32]],
    ) -> None:
        """Train on ``train``; the epoch with the lowest loss on ``dev`` is kept.

        Raises TrainingError where one class is missing.
        """
        check_classes(train)
        self._lexicon = Lexicon(self._context.space, vectors)
        texts, gold = self._means([row.tokens for row in train]), [int(row.hateful) for row in train]
        judged, wanted = self._means([row.tokens for row in dev]), [int(row.hateful) for row in dev]
        learner, best, misses = self._model, np.inf, 0
        learner.batch_size = min(BATCH_SIZE, len(gold))
        for _ in range(self._context.budget.epochs):
            learner.partial_fit(texts, gold, classes=_CLASSES)
            loss = log_loss(wanted, learner.predict_proba(judged), labels=_CLASSES) if wanted else -np.inf
            misses = 0 if loss < best else misses + 1
            if loss < best or not wanted:
                self._model, best = copy.deepcopy(learner), loss
            if misses == PATIENCE and wanted:
                break

    def hate_probabilities(self, texts: Sequence[Sequence[str]]) -> NDArray[np.float64]:
        """p(hateful) [n]."""
        if not texts:
            return np.zeros(0)
        found: NDArray[np.float64] = self._model.predict_proba(self._means(texts))[:, 1]
        return found

    def _means(self, texts: Sequence[Sequence[str]]) -> NDArray[np.float32]:
        """The mean vector of each text's words [n, dimensions]."""
        numbers = [[self._lexicon.number(word) for word in text] for text in texts]
        table = self._lexicon.table()
        means = np.zeros((len(texts), table.shape[1]), dtype=np.float32)
        for at, row in enumerate(numbers):
            if row:
                means[at] = table[row].mean(0)
        return means
