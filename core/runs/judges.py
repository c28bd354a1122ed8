"""Judges of ideology that runs have left behind, and how good their runs found them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from core.runs.folder import RunError
from core.runs.kept_file import loaded, number, whole
from core.runs.model import Run, Status

RECIPE = "judge"
"""What the store calls the recipe."""
FOLDER, DESCRIPTION, FORMAT = "judge", "judge.json", 2
"""The folder in a run's folder with the judge, the table in it of what it is, and the version of both."""
TWO = "two"
"""The sides of a judge that a generator can be audited by: liberal and conservative."""


@dataclass(frozen=True, slots=True)
class TrainedJudge:
    """A judge and its macro-F1 on articles of houses that it knows (``random``) and of others (``grouped``)."""

    run: Run
    random: float
    grouped: float


def judges(runs: Iterable[Run]) -> list[TrainedJudge]:
    """The finished runs that hold a judge of two sides which can be read today."""
    found = (_judge(run) for run in runs if run.recipe == RECIPE and run.status is Status.FINISHED)
    return [judge for judge in found if judge is not None]


def _judge(run: Run) -> TrainedJudge | None:
    path = run.folder / FOLDER / DESCRIPTION
    try:
        with whole(path):
            told = loaded(path)
            if (told["format"], told["sides"]) != (FORMAT, TWO):
                return None
            metrics = told["metrics"]
            return TrainedJudge(run, number(metrics["random_macro_f1"]), number(metrics["grouped_macro_f1"]))
    except RunError:
        return None
