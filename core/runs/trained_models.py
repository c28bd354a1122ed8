"""Models that runs left behind for other runs.

Generators (causal and masked language models) and ideology classifiers with their scores.
"""

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

# Language models that were trained here: folders with the weights of a causal or a masked one.


_CONFIG = "config.json"
_CAUSAL = ("ForCausalLM", "LMHeadModel")
_MASKED = ("ForMaskedLM",)
_PARTISAN = ("tables", "compass", "models")
"""Where ``evenhand train table compass-shift`` keeps what it pre-trains: a folder each in a folder of its settings."""
_MOST_BYTES = 1_000_000


def find_generators(runs: Iterable[Run]) -> list[tuple[Run, Path]]:
    """The finished runs that hold a causal language model as safetensors, each with its folder."""
    return _left_behind(runs, _CAUSAL)


def find_masked_models(runs: Iterable[Run]) -> list[tuple[Run, Path]]:
    """The finished runs that hold a masked language model as safetensors, each with its folder."""
    return _left_behind(runs, _MASKED)


def find_partisan_models(data: Path) -> list[Path]:
    """The models of either kind that were pre-trained on partisan texts, in Evenhand's folder ``data``, by name."""
    found = data.joinpath(*_PARTISAN).glob("*/*")
    return sorted((path for path in found if _holds(path, (*_CAUSAL, *_MASKED))), key=lambda path: path.name)


def _left_behind(runs: Iterable[Run], kinds: tuple[str, ...]) -> list[tuple[Run, Path]]:
    return [
        (run, folder)
        for run in runs
        if run.status is Status.FINISHED
        for folder in _folders(run.folder)
        if _holds(folder, kinds)
    ]


def _holds(folder: Path, kinds: tuple[str, ...]) -> bool:
    """Whether a folder says that it holds a language model of these kinds, and has weights."""
    path = folder / _CONFIG
    try:
        if path.stat().st_size > _MOST_BYTES or not any(folder.glob("*.safetensors")):
            return False
        named = json.loads(path.read_text(encoding="utf-8"))["architectures"]
        return any(str(name).endswith(kinds) for name in named)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return False


def _folders(folder: Path) -> Iterator[Path]:
    """A run's folder and those in it."""
    if folder.is_dir():
        yield folder
        yield from sorted(path for path in folder.iterdir() if path.is_dir() and not path.is_symlink())


# Judges of ideology: how good those are that an audit trains, and those that runs have left behind.


RECIPE = "ideology-classifier"
"""What the store calls the recipe."""
FOLDER, DESCRIPTION, FORMAT = "judge", "judge.json", 2
"""The folder in a run's folder with the judge, the table in it of what it is, and the version of both."""
TWO_SIDES = "two"
"""The sides of a judge that a generator can be audited by: liberal and conservative."""
MEASURED_FILE = ROOT / "judges.json"
"""The cells of ``evenhand train table calibration-judge`` that are shown where no fresher one is there."""
MEASURED_PROTOCOL = "judge"
"""The protocol of the cells of a judge that an audit trains."""


@dataclass(frozen=True, slots=True)
class ClassifierScores:
    """Macro-F1 of a judge on articles of houses that it knows (``random``) and of others (``grouped``)."""

    random: float
    grouped: float


@dataclass(frozen=True, slots=True)
class TrainedClassifier:
    """A judge that a run has left behind, and how good the run found it."""

    run: Run
    scores: ClassifierScores


@cache
def measured_scores() -> dict[str, ClassifierScores]:
    """How good the judges are that an audit trains, by the name that ``--judge`` takes: means over their cells."""
    values: dict[str, list[dict[str, float]]] = {}
    for cell in load_json(MEASURED_FILE)["cells"]:
        if cell["protocol"] == MEASURED_PROTOCOL:
            values.setdefault(cell["row"], []).append(cell["values"])
    return {
        row: ClassifierScores(fmean(one["random"] for one in found), fmean(one["grouped"] for one in found))
        for row, found in values.items()
    }


def find_ideology_classifiers(runs: Iterable[Run]) -> list[TrainedClassifier]:
    """The finished runs that hold a judge of two sides which can be read today."""
    found = (_judge(run) for run in runs if run.recipe == RECIPE and run.status is Status.FINISHED)
    return [judge for judge in found if judge is not None]


def _judge(run: Run) -> TrainedClassifier | None:
    path = run.folder / FOLDER / DESCRIPTION
    try:
        with damage_as_run_error(path):
            told = load_json(path)
            if (told["format"], told["sides"]) != (FORMAT, TWO_SIDES):
                return None
            metrics = told["metrics"]
            scores = ClassifierScores(
                finite_number(metrics["random_macro_f1"]), finite_number(metrics["grouped_macro_f1"])
            )
            return TrainedClassifier(run, scores)
    except RunError:
        return None
