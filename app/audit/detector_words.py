"""Detectors in words: their tasks, the groups that they are scored by, what is missing, and how to read the bars."""

from __future__ import annotations

from collections.abc import Iterator

from core.language import ntr, tr
from core.runs.compass import Compass
from core.runs.compass_detectors import EVERYONE, Downstream, Score

TASKS = {
    "hatexplain": tr("hate speech (HateXplain)"),
    "liar": tr("misinformation (LIAR)"),
    "hate-identity": tr("hate speech by identity"),
    "hate-demographic": tr("hate speech by demographic"),
}
OFFERED = ("hatexplain", "liar")
"""The tasks that the form offers."""
SCORES = {"bacc": tr("Balanced accuracy"), "f1": tr("F1 of what is to be found")}
NOTE = tr(
    "A bar for each model whose detector was trained on the same texts with the same settings, in the colour of its "
    "mark on the compass. The line across a bar: where the score lies in 19 of 20 draws of other test texts. Dotted, "
    "for balanced accuracy: what guessing gives. A group whose test texts are all of one class has no balanced "
    "accuracy."
)
CAUTION = tr(
    "Lines that overlap tell no difference by themselves. One training with one seed says little of another; the texts "
    "are American, and whom they target or who spoke was marked by other people."
)
_GROUPS = {
    EVERYONE: tr("all test texts"),
    "race": tr("race"),
    "gender": tr("gender"),
    "religion": tr("religion"),
    "minority": tr("minorities"),
    "economic": tr("economic standing"),
    "republican": tr("Republicans"),
    "democrat": tr("Democrats"),
    "none": tr("no party"),
    "other": tr("other parties"),
}


def task_title(task: str) -> str:
    """What is detected."""
    return TASKS.get(task, task)


def group_title(group: str) -> str:
    """Whom a text is about, or who said it."""
    return _GROUPS.get(group, group)


def texts(rows: int) -> str:
    """How many test texts there are."""
    return ntr("{n} text", "{n} texts", rows).format(n=f"{rows:,}")


def scored(score: Score) -> str:
    """A score with its line."""
    if score.low is None or score.high is None:
        return f"{score.value:.3f}"
    said = tr("{value} ({low} to {high})")
    return said.format(value=f"{score.value:.3f}", low=f"{score.low:.3f}", high=f"{score.high:.3f}")


def differing(found: Downstream) -> str:
    """On how many texts the detectors do not find the same."""
    if found.differing is None:
        return ""
    said = ntr(
        "The detectors differ on {n} of {all} test text.",
        "The detectors differ on {n} of {all} test texts.",
        found.groups[EVERYONE],
    )
    return said.format(n=f"{found.differing:,}", all=f"{found.groups[EVERYONE]:,}")


def missing(compass: Compass) -> str:
    """Which detectors are not there, and why."""
    return "\n".join(_missing(compass))


def _missing(compass: Compass) -> Iterator[str]:
    known = {one.task: one for one in compass.downstream}
    for task in compass.tasks:
        found = known.get(task, Downstream(task, {}))
        for model, why in found.problems:
            if model:
                said = tr("{model} has no detector of {task}: {why}")
                yield said.format(model=model, task=task_title(task), why=why)
            else:
                yield tr("There is no detector of {task}: {why}").format(task=task_title(task), why=why)
        told = {model for model, _ in found.problems}
        waiting = [name for name in compass.models if name not in told and not _done(found, name)]
        if waiting and "" not in told:
            said = tr("Detectors of {task} that are still missing: {models}.")
            yield said.format(task=task_title(task), models=", ".join(waiting))


def _done(found: Downstream, model: str) -> bool:
    detector = found.detector(model)
    return detector is not None and detector.done == detector.planned
