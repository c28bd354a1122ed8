"""The results of a political compass run.

Positions, answers, stability, and detectors of hate and misinformation overall and by group.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from core.runs.folder import damage_as_run_error, finite_number, load_json
from core.storage.files import write_bytes

# What detectors of hate or misinformation find that were trained on the models of a compass, overall and by group.
#
# Feng et al. (2023), Tables 3 to 5: scores of each model's detector on test rows, and on how many of these detectors
# differ.


ALL_GROUPS = "all"
"""What figures of all test rows stand under."""
SCORES = ("bacc", "f1")
"""Balanced accuracy, and F1 of what is to be detected."""


@dataclass(frozen=True, slots=True)
class DetectorScore:
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
    scores: dict[str, dict[str, DetectorScore]]

    def score(self, group: str, name: str) -> DetectorScore | None:
        """One of them."""
        return self.scores.get(group, {}).get(name)


@dataclass(frozen=True, slots=True)
class DownstreamTask:
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


def parse_downstream(data: Mapping[str, Any]) -> DownstreamTask:
    """A task as it was written. Raises what `core.runs.folder.damage_as_run_error` takes for damage."""
    differing = data["differing"]
    groups = {str(name): int(rows) for name, rows in data["groups"].items()}
    if data["detectors"] and ALL_GROUPS not in groups:
        raise ValueError("there are no test rows")
    return DownstreamTask(
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


def _score(data: Mapping[str, Any]) -> DetectorScore:
    low, high = (None if data[name] is None else _share(data[name]) for name in ("low", "high"))
    return DetectorScore(_share(data["value"]), low, high)


def _share(value: object) -> float:
    found = finite_number(value)
    if not 0 <= found <= 1:
        raise ValueError("no share")
    return found


# What a run of the political compass keeps in its folder: positions, answers, stability, detectors by group.
#
# It is written by ``training.auditing.compass.recipe`` answer by answer, so that a run that was stopped has something to show.
# Feng et al. (2023), Figures 1, 5 and 6; unclear answers after Röttger et al. (2024).


COMPASS_FILE = "compass.json"
"""The file in a run's folder with what is known of the compass."""
RECIPE = "compass"
"""What the store calls the recipe."""
AXIS_LIMIT = 10.0
"""Both axes run from -10 (left, libertarian) to 10 (right, authoritarian)."""
ANSWERS = ("strongly disagree", "disagree", "agree", "strongly agree")
"""What the test lets a person say."""
PROMPTS, WORDINGS = "prompts", "wordings"
"""What stability is told over."""


@dataclass(frozen=True, slots=True)
class CompassPoint:
    """A place on the compass, or a standard deviation on each axis."""

    economic: float
    social: float


@dataclass(frozen=True, slots=True)
class ConfidenceEllipse:
    """Where about 95% of single prompts and seeds lie; half axes in units of the compass, the angle in degrees."""

    centre: CompassPoint
    longer: float
    shorter: float
    angle: float


@dataclass(frozen=True, slots=True)
class StatementAnswer:
    """What all responses to a statement come to: one of ANSWERS, empty where it is unclear.

    ``score`` runs from -1 (disagrees) to 1; ``kept`` of ``of`` responses were clear enough to count.
    """

    answer: str
    score: float
    kept: int
    of: int


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far answers agree between ``count`` prompts or wordings.

    ``kappa`` is Fleiss', ``sides`` that of agreeing and disagreeing alone, None where all answers are one;
    ``deviation`` is the mean standard deviation of scores.
    """

    count: int
    kappa: float | None
    sides: float | None
    deviation: float


@dataclass(frozen=True, slots=True)
class ModelPosition:
    """Where a model stands by ``done`` of ``planned`` rounds of all statements.

    ``reader`` is how its side is told. ``at`` has unclear answers count as the mean of all four, ``low`` and ``high``
    bound it over all ways of answering them, ``forced`` hears them as well. ``over_prompts`` and ``over_seeds`` are
    standard deviations; None where there are too few. ``replies`` are those to the first prompt, in the order of the
    statements; ``agreements`` are named PROMPTS and WORDINGS.
    """

    model: str
    reader: str
    done: int
    planned: int
    at: CompassPoint
    low: CompassPoint
    high: CompassPoint
    forced: CompassPoint
    over_prompts: CompassPoint | None
    over_seeds: CompassPoint | None
    ring: ConfidenceEllipse | None
    replies: tuple[StatementAnswer, ...]
    agreements: dict[str, Agreement]

    @property
    def unclear(self) -> int:
        """How many answers to the first prompt are unclear."""
        return sum(not reply.answer for reply in self.replies)

    @property
    def is_all_unclear(self) -> bool:
        """Whether no answer at all is clear: the position is then no more than the middle of what is open."""
        return self.unclear == len(self.replies)


@dataclass(frozen=True, slots=True)
class CompassReport:
    """All that is known so far of the ``models`` that were asked for; ``problems``: one that cannot answer, and why.

    ``tasks`` are those that detectors are trained of, ``parse_downstream`` what is there of them.
    """

    models: tuple[str, ...]
    stance: str
    scale: str
    seed: int
    statements: tuple[str, ...]
    stands: tuple[ModelPosition, ...] = ()
    problems: tuple[tuple[str, str], ...] = ()
    tasks: tuple[str, ...] = ()
    downstream: tuple[DownstreamTask, ...] = ()

    @property
    def whole(self) -> bool:
        """Whether every model has answered all that it was to be asked, and every detector is there."""
        asked = len(self.stands) == len(self.models) and all(one.done == one.planned for one in self.stands)
        trained = [one for one in self.downstream if one.done and len(one.detectors) == len(self.models)]
        return asked and len(trained) == len(self.tasks)

    def stand(self, model: str) -> ModelPosition | None:
        """Where a model stands; None while that is not known."""
        return next((one for one in self.stands if one.model == model), None)


def read_compass(folder: Path) -> CompassReport | None:
    """What a run has found so far, from its folder; None where it has found nothing.

    Raises RunError where the file is damaged.
    """
    path = folder / COMPASS_FILE
    if not path.is_file():
        return None
    with damage_as_run_error(path):
        return _compass(load_json(path))


def write_compass(folder: Path, compass: CompassReport) -> None:
    """Write what is known into a run's folder, whole or not at all. Raises FileError."""
    told = json.dumps(asdict(compass), indent=1, ensure_ascii=False, allow_nan=False)
    write_bytes(folder / COMPASS_FILE, f"{told}\n".encode())


def _compass(data: Mapping[str, Any]) -> CompassReport:
    statements = tuple(map(str, data["statements"]))
    stands = tuple(_stand(one) for one in data["stands"])
    if not statements or any(len(one.replies) != len(statements) for one in stands):
        raise ValueError("answers and statements are not as many")
    return CompassReport(
        models=tuple(map(str, data["models"])),
        stance=str(data["stance"]),
        scale=str(data["scale"]),
        seed=int(data["seed"]),
        statements=statements,
        stands=stands,
        problems=tuple((str(model), str(why)) for model, why in data["problems"]),
        # Runs from before there were detectors have none.
        tasks=tuple(map(str, data.get("tasks", ()))),
        downstream=tuple(map(parse_downstream, data.get("downstream", ()))),
    )


def _stand(data: Mapping[str, Any]) -> ModelPosition:
    ring = data["ring"]
    return ModelPosition(
        model=str(data["model"]),
        reader=str(data["reader"]),
        done=int(data["done"]),
        planned=int(data["planned"]),
        at=_place(data["at"]),
        low=_place(data["low"]),
        high=_place(data["high"]),
        forced=_place(data["forced"]),
        over_prompts=_spread(data["over_prompts"]),
        over_seeds=_spread(data["over_seeds"]),
        ring=None if ring is None else _ring(ring),
        replies=tuple(_reply(one) for one in data["replies"]),
        agreements={str(name): _agreement(one) for name, one in data["agreements"].items()},
    )


def _place(data: Mapping[str, Any]) -> CompassPoint:
    found = CompassPoint(finite_number(data["economic"]), finite_number(data["social"]))
    if max(abs(found.economic), abs(found.social)) > AXIS_LIMIT:
        raise ValueError("off the axes")
    return found


def _spread(data: Mapping[str, Any] | None) -> CompassPoint | None:
    return None if data is None else _place(data)


def _ring(data: Mapping[str, Any]) -> ConfidenceEllipse:
    return ConfidenceEllipse(
        _place(data["centre"]),
        finite_number(data["longer"]),
        finite_number(data["shorter"]),
        finite_number(data["angle"]),
    )


def _reply(data: Mapping[str, Any]) -> StatementAnswer:
    if data["answer"] and data["answer"] not in ANSWERS:
        raise ValueError("no answer of the test")
    return StatementAnswer(
        str(data["answer"]), finite_number(data["score"]), int(data["kept"]), int(data["of"])
    )


def _agreement(data: Mapping[str, Any]) -> Agreement:
    kappa, sides = (None if data[name] is None else finite_number(data[name]) for name in ("kappa", "sides"))
    return Agreement(int(data["count"]), kappa, sides, finite_number(data["deviation"]))
