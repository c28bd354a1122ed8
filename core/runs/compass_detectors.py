"""What detectors of hate or misinformation find that were trained on the models of a compass, overall and by group.

Feng et al. (2023), Tables 3 to 5: scores of each model's detector on test rows, and on how many of these detectors
differ.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.runs.kept_file import number

EVERYONE = "all"
"""What figures of all test rows stand under."""
SCORES = ("bacc", "f1")
"""Balanced accuracy, and F1 of what is to be detected."""


@dataclass(frozen=True, slots=True)
class Score:
    """A share in [0, 1]. It lies between ``low`` and ``high`` in 19 of 20 draws of other test rows; None of one row."""

    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Detector:
    """What was trained on ``model`` with ``done`` of ``planned`` seeds.

    ``scores`` are by group, EVERYONE first, then by the name of the score. One that cannot be reckoned is not there: a
    group without rows of both classes has no balanced accuracy.
    """

    model: str
    done: int
    planned: int
    scores: dict[str, dict[str, Score]]

    def score(self, group: str, name: str) -> Score | None:
        """One of them."""
        return self.scores.get(group, {}).get(name)


@dataclass(frozen=True, slots=True)
class Downstream:
    """A task and the detectors of it that are there.

    ``groups`` are the test rows of each, EVERYONE first; ``differing`` is on how many of all test rows the detectors of
    the first seed do not find the same, None of fewer than two. ``problems`` are models (or none: the task itself) of
    which there is no detector, and why.
    """

    task: str
    groups: dict[str, int]
    detectors: tuple[Detector, ...] = ()
    differing: int | None = None
    problems: tuple[tuple[str, str], ...] = ()

    @property
    def done(self) -> bool:
        """Whether there are detectors, and all of them have been trained with all seeds."""
        return bool(self.detectors) and all(one.done == one.planned for one in self.detectors)

    def detector(self, model: str) -> Detector | None:
        """That of a model; None while there is none."""
        return next((one for one in self.detectors if one.model == model), None)


def downstream(data: Mapping[str, Any]) -> Downstream:
    """A task as it was written. Raises what `core.runs.kept_file.whole` takes for damage."""
    differing = data["differing"]
    groups = {str(name): int(rows) for name, rows in data["groups"].items()}
    if data["detectors"] and EVERYONE not in groups:
        raise ValueError("there are no test rows")
    return Downstream(
        task=str(data["task"]),
        groups=groups,
        detectors=tuple(map(_detector, data["detectors"])),
        differing=None if differing is None else int(differing),
        problems=tuple((str(model), str(why)) for model, why in data["problems"]),
    )


def _detector(data: Mapping[str, Any]) -> Detector:
    scores = {
        str(group): {str(name): _score(one) for name, one in found.items()}
        for group, found in data["scores"].items()
    }
    return Detector(str(data["model"]), int(data["done"]), int(data["planned"]), scores)


def _score(data: Mapping[str, Any]) -> Score:
    low, high = (None if data[name] is None else _share(data[name]) for name in ("low", "high"))
    return Score(_share(data["value"]), low, high)


def _share(value: object) -> float:
    found = number(value)
    if not 0 <= found <= 1:
        raise ValueError("no share")
    return found
