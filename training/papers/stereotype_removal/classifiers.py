"""The interface of the classifiers of section 5.3, and their names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Protocol

import numpy as np
import torch
from numpy.typing import NDArray

from training.corpora.hate_speech import LabelledText
from training.loop.events import Events
from training.loop.training_loop import TrainingError
from training.modeling.word_vectors import VectorSpace

TITLES = {"cnn": "CNN", "logistic": "logistic regression", "mlp": "multi-layer perceptron"}
_CLASSES = {"cnn": "cnn:Cnn", "logistic": "sklearn_classifiers:Logistic", "mlp": "sklearn_classifiers:Mlp"}


@dataclass(frozen=True, slots=True)
class ClassifierBudget:
    """The most epochs of training; for the CNN also the learning rate and the words of a text that it reads.

    The defaults are the paper's.
    """

    epochs: int = 20
    learning_rate: float = 5e-5
    max_words: int = 250

    def as_fact(self) -> str:
        """As the facts of cells have it; the wording identifies saved cells and must not change."""
        return f"epochs {self.epochs}, rate {self.learning_rate}, longest {self.max_words}"


@dataclass(frozen=True, slots=True)
class TrainingContext:
    """How a classifier is trained: word vectors, the folder of its weights, seed, budget and device."""

    space: VectorSpace
    folder: Path
    seed: int
    budget: ClassifierBudget
    device: torch.device
    events: Events


class Classifier(Protocol):
    """A classifier of hateful and neutral texts."""

    def fit(
        self,
        train: Sequence[LabelledText],
        dev: Sequence[LabelledText],
        *,
        vectors: Mapping[str, NDArray[np.float32]],
    ) -> None:
        """Train on ``train``, as long as the loss on ``dev`` falls. ``vectors`` are those of tags that replace words.

        Raises TrainingError where one of the classes is missing.
        """
        ...

    def hate_probabilities(self, texts: Sequence[Sequence[str]]) -> NDArray[np.float64]:
        """p(hateful) of each row of tokens [n], also of rows without tokens."""
        ...


def make_classifier(name: str, context: TrainingContext) -> Classifier:
    """An untrained classifier by its key in TITLES, imported on demand."""
    module, _, found = _CLASSES[name].partition(":")
    return getattr(import_module(f"training.papers.stereotype_removal.{module}"), found)(context)  # type: ignore[no-any-return]


def check_classes(train: Sequence[LabelledText]) -> None:
    """Raises TrainingError unless there are hateful and neutral texts."""
    classes = {row.hateful for row in train}
    if len(classes) < 2:
        lacking = (
            "neither a hateful nor a neutral"
            if not classes
            else "no neutral"
            if True in classes
            else "no hateful"
        )
        raise TrainingError(
            f"The training part holds {lacking} text, so nothing can be trained on it. Check the corpus with "
            "`evenhand train data check`."
        )
