"""What every classifier of section 5.3 can be asked, and which there are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Protocol

import numpy as np
import torch
from numpy.typing import NDArray

from training.corpora.hate_speech import Labelled
from training.loop.events import Events
from training.loop.training_loop import TrainingError
from training.modeling.word_vectors import Space

TITLES = {"cnn": "CNN", "logistic": "logistic regression", "mlp": "multi-layer perceptron"}
_MAKERS = {"cnn": "cnn:Cnn", "logistic": "sklearn_classifiers:Logistic", "mlp": "sklearn_classifiers:Mlp"}


@dataclass(frozen=True, slots=True)
class Effort:
    """How long a classifier learns: the most epochs; of the CNN the rate, and the words of a text that it reads.

    The defaults are the paper's.
    """

    epochs: int = 20
    rate: float = 5e-5
    longest: int = 250


@dataclass(frozen=True, slots=True)
class Work:
    """Where and how a classifier is trained: the space of word vectors, the folder of its weights, its seed."""

    space: Space
    folder: Path
    seed: int
    effort: Effort
    device: torch.device
    events: Events


class Classifier(Protocol):
    """Tells hateful texts from neutral ones."""

    def fit(
        self,
        train: Sequence[Labelled],
        dev: Sequence[Labelled],
        *,
        vectors: Mapping[str, NDArray[np.float32]],
    ) -> None:
        """Learn from ``train``, as long as ``dev`` gets better. ``vectors`` are those of tags that stand for words.

        Raises TrainingError where there is nothing to learn from.
        """
        ...

    def chances(self, texts: Sequence[Sequence[str]]) -> NDArray[np.float64]:
        """p(hateful) of each row of tokens [n]; a row without any gets an answer, too."""
        ...


def classifier(name: str, work: Work) -> Classifier:
    """An untrained classifier of TITLES. What trains it is imported only here."""
    module, _, found = _MAKERS[name].partition(":")
    return getattr(import_module(f"training.papers.stereotype_removal.{module}"), found)(work)  # type: ignore[no-any-return]


def demand_both(train: Sequence[Labelled]) -> None:
    """Raise TrainingError unless there are hateful and neutral texts."""
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
            f"The training part holds {lacking} text: nothing can be learnt from it. Check the corpus with "
            "`evenhand train data check`."
        )
