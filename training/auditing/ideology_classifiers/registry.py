"""Which ideology classifier scores the texts of an audit: a built-in one, or one that a run trained."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.runs.folder import runs_folder
from core.runs.trained_models import CLASSIFIER_FILE, CLASSIFIER_FOLDER
from training.auditing.generation.prompts import IdeologyClassifier
from training.auditing.ideology_classifiers.linear import LinearClassifier
from training.auditing.ideology_classifiers.masked_articles import (
    LabelledArticle,
    PublisherMasks,
    TfidfClassifier,
)
from training.loop.training_loop import TrainingError, choose_device


@dataclass(frozen=True, slots=True)
class ClassifierKind:
    """An ideology classifier: its title, and ``fit``, which trains it on articles with publisher masks and a seed.

    One that a run trained names its ``run`` and the encoder ``base``. Its ``fit`` only loads it, and ``grouped`` is the
    macro-F1 that the run measured on held-out publishers.
    """

    title: str
    fit: Callable[[Sequence[LabelledArticle], PublisherMasks, int], IdeologyClassifier]
    run: str = ""
    base: str = ""
    grouped: float | None = None


BUILT_IN = {
    "words": ClassifierKind(
        "linear models of words, by side and by publisher",
        lambda train, masks, seed: LinearClassifier.fit(train, masks=masks, seed=seed),
    ),
    "tfidf": ClassifierKind(
        "logistic regression over TF-IDF",
        lambda train, masks, seed: TfidfClassifier.fit(train, masks=masks, seed=seed),
    ),
}
"""Classifiers that are trained within a table or an audit, by their name on the command line."""
DEFAULT_CLASSIFIER = "words"
"""The better of them on dev articles."""


def find_classifier(name: str) -> ClassifierKind:
    """The classifier of a key of BUILT_IN, or of a training run by its id or folder.

    Raises TrainingError for an unknown name.
    """
    if name in BUILT_IN:
        return BUILT_IN[name]
    from training.auditing.ideology_classifiers.ensemble import EnsembleClassifier

    folder, description = describe_trained(name)

    def load(_train: Sequence[LabelledArticle], _masks: PublisherMasks, _seed: int) -> IdeologyClassifier:
        return EnsembleClassifier.load(folder, device=choose_device("auto"))

    return ClassifierKind(
        f"the ideology classifier of run {description['run'][:8]}, on {description['base']}",
        load,
        run=description["run"],
        base=description["base"],
        grouped=description["metrics"]["grouped_macro_f1"],
    )


def describe_trained(name: str) -> tuple[Path, dict[str, Any]]:
    """The folder and the description of a classifier that a run trained. Raises TrainingError if there is none."""
    from training.auditing.ideology_classifiers.ensemble import read_description

    candidates = (Path(name), Path(name) / CLASSIFIER_FOLDER, runs_folder() / name / CLASSIFIER_FOLDER)
    folder = next((path for path in candidates if (path / CLASSIFIER_FILE).is_file()), None)
    if folder is None:
        raise TrainingError(
            f"{name} is not an ideology classifier. Name one of {', '.join(BUILT_IN)}, or a run of "
            "`evenhand train ideology-classifier`."
        )
    return folder, read_description(folder)


def classifier_id(name: str) -> str:
    """What identifies a classifier in the facts of a cell: its key in BUILT_IN, or the id of its run."""
    return find_classifier(name).run or name
