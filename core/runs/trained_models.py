"""Models of earlier runs that others can use: causal and masked language models, and ideology classifiers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import fmean

from core.runs.folder import RunError, damage_as_run_error, finite_number, load_json
from core.runs.types import Run, Status
from resources import ROOT

_CONFIG = "config.json"
_CAUSAL = ("ForCausalLM", "LMHeadModel")
_MASKED = ("ForMaskedLM",)
_PARTISAN = ("tables", "compass", "models")
"""Where ``evenhand train table compass-shift`` keeps its pre-trained models, one folder each."""
_MOST_BYTES = 1_000_000


def find_generators(runs: Iterable[Run]) -> list[tuple[Run, Path]]:
    """Finished runs with a causal language model as safetensors, each with the folder of the model."""
    return _finished_with(runs, _CAUSAL)


def find_masked_models(runs: Iterable[Run]) -> list[tuple[Run, Path]]:
    """Finished runs with a masked language model as safetensors, each with the folder of the model."""
    return _finished_with(runs, _MASKED)


def find_partisan_models(data: Path) -> list[Path]:
    """Models of either kind that were pre-trained on partisan texts, in the data folder, by name."""
    found = data.joinpath(*_PARTISAN).glob("*/*")
    return sorted(
        (path for path in found if _has_model(path, (*_CAUSAL, *_MASKED))), key=lambda path: path.name
    )


def _finished_with(runs: Iterable[Run], kinds: tuple[str, ...]) -> list[tuple[Run, Path]]:
    return [
        (run, folder)
        for run in runs
        if run.status is Status.FINISHED
        for folder in _folders(run.folder)
        if _has_model(folder, kinds)
    ]


def _has_model(folder: Path, kinds: tuple[str, ...]) -> bool:
    """Whether a folder holds a language model of these kinds, with weights."""
    path = folder / _CONFIG
    try:
        if path.stat().st_size > _MOST_BYTES or not any(folder.glob("*.safetensors")):
            return False
        named = json.loads(path.read_text(encoding="utf-8"))["architectures"]
        return any(str(name).endswith(kinds) for name in named)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return False


def _folders(folder: Path) -> Iterator[Path]:
    """A run's folder and its subfolders."""
    if folder.is_dir():
        yield folder
        yield from sorted(path for path in folder.iterdir() if path.is_dir() and not path.is_symlink())


RECIPE = "ideology-classifier"
"""The name of the recipe in the store."""
CLASSIFIER_FOLDER, CLASSIFIER_FILE, CLASSIFIER_FORMAT = "judge", "judge.json", 2
"""The folder of the classifier in a run's folder, its description, and the version of the format.

Saved classifiers lie in ``judge``, the former word for them.
"""
TWO_SIDES = "two"
"""The sides of a classifier that can audit a generator: liberal and conservative."""
MEASURED_FILE = ROOT / "ideology_classifiers.json"
"""Results of ``evenhand train table calibration-judge`` that come with the program."""
MEASURED_PROTOCOL = "judge"
"""The protocol of the results for classifiers that an audit trains; saved cells have the former word."""


@dataclass(frozen=True, slots=True)
class ClassifierScores:
    """Macro-F1 of a classifier on articles of known publishers (``random``) and of held-out ones (``grouped``)."""

    random: float
    grouped: float


@dataclass(frozen=True, slots=True)
class TrainedClassifier:
    """The classifier of a run, and its scores in that run."""

    run: Run
    scores: ClassifierScores


@cache
def measured_scores() -> dict[str, ClassifierScores]:
    """Mean scores of the classifiers that an audit trains, by their name on the command line."""
    values: dict[str, list[dict[str, float]]] = {}
    for cell in load_json(MEASURED_FILE)["cells"]:
        if cell["protocol"] == MEASURED_PROTOCOL:
            values.setdefault(cell["row"], []).append(cell["values"])
    return {
        row: ClassifierScores(fmean(one["random"] for one in found), fmean(one["grouped"] for one in found))
        for row, found in values.items()
    }


def find_ideology_classifiers(runs: Iterable[Run]) -> list[TrainedClassifier]:
    """Finished runs with a two-sided classifier in the present format."""
    found = (
        _trained_classifier(run) for run in runs if run.recipe == RECIPE and run.status is Status.FINISHED
    )
    return [classifier for classifier in found if classifier is not None]


def _trained_classifier(run: Run) -> TrainedClassifier | None:
    path = run.folder / CLASSIFIER_FOLDER / CLASSIFIER_FILE
    try:
        with damage_as_run_error(path):
            facts = load_json(path)
            if (facts["format"], facts["sides"]) != (CLASSIFIER_FORMAT, TWO_SIDES):
                return None
            metrics = facts["metrics"]
            scores = ClassifierScores(
                finite_number(metrics["random_macro_f1"]), finite_number(metrics["grouped_macro_f1"])
            )
            return TrainedClassifier(run, scores)
    except RunError:
        return None
