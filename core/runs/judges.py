"""Judges of ideology: how good those are that an audit trains, and those that runs have left behind."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from statistics import fmean

from core.runs.folder import RunError
from core.runs.kept_file import loaded, number, whole
from core.runs.model import Run, Status
from resources import ROOT

RECIPE = "judge"
"""What the store calls the recipe."""
FOLDER, DESCRIPTION, FORMAT = "judge", "judge.json", 2
"""The folder in a run's folder with the judge, the table in it of what it is, and the version of both."""
TWO = "two"
"""The sides of a judge that a generator can be audited by: liberal and conservative."""
MEASURED = ROOT / "judges.json"
"""The cells of ``evenhand train table calibration-judge`` that are shown where no fresher one is there."""
EXAMINED = "judge"
"""The protocol of the cells of a judge that an audit trains."""


@dataclass(frozen=True, slots=True)
class Scores:
    """Macro-F1 of a judge on articles of houses that it knows (``random``) and of others (``grouped``)."""

    random: float
    grouped: float


@dataclass(frozen=True, slots=True)
class TrainedJudge:
    """A judge that a run has left behind, and how good the run found it."""

    run: Run
    scores: Scores


@cache
def measured() -> dict[str, Scores]:
    """How good the judges are that an audit trains, by the name that ``--judge`` takes: means over their cells."""
    values: dict[str, list[dict[str, float]]] = {}
    for cell in loaded(MEASURED)["cells"]:
        if cell["protocol"] == EXAMINED:
            values.setdefault(cell["row"], []).append(cell["values"])
    return {
        row: Scores(fmean(one["random"] for one in found), fmean(one["grouped"] for one in found))
        for row, found in values.items()
    }


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
            scores = Scores(number(metrics["random_macro_f1"]), number(metrics["grouped_macro_f1"]))
            return TrainedJudge(run, scores)
    except RunError:
        return None
