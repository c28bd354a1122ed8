"""The results of a political compass run: positions, answers, stability, and detectors trained on the models.

Positions and stability follow Feng et al. (2023), Figures 1, 5 and 6; unclear answers Röttger et al. (2024). Detectors
of hate speech and misinformation follow Feng et al., Tables 3 to 5: scores overall and by group. The recipe
(``training.auditing.compass.recipe``) writes the file after every answer, so that a stopped run has results.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from core.runs.folder import damage_as_run_error, finite_number, load_json
from core.storage.files import write_bytes

ALL_GROUPS = "all"
"""The key of scores over all test rows."""
SCORES = ("bacc", "f1")
"""Balanced accuracy, and F1 of the positive class."""


@dataclass(frozen=True, slots=True)
class DetectorScore:
    """A score in [0, 1] with its 95% interval over resampled test rows; None for a single row."""

    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Detector:
    """The detector trained on ``model`` with ``done`` of ``planned`` seeds.

    ``scores`` are by group, ALL_GROUPS first, then by score name. Undefined scores are missing: a group without rows of
    both classes has no balanced accuracy.
    """

    model: str
    done: int
    planned: int
    scores: dict[str, dict[str, DetectorScore]]

    def score(self, group: str, name: str) -> DetectorScore | None:
        """One score; None where it is missing."""
        return self.scores.get(group, {}).get(name)


@dataclass(frozen=True, slots=True)
class DownstreamTask:
    """A detection task and its detectors so far.

    ``groups`` has the number of test rows of each group, ALL_GROUPS first; ``differing`` is the number of test rows on
    which the detectors of the first seed disagree, None for fewer than two. ``problems`` are models without a detector
    (empty: the task itself), and why.
    """

    task: str
    groups: dict[str, int]
    detectors: tuple[Detector, ...] = ()
    differing: int | None = None
    problems: tuple[tuple[str, str], ...] = ()

    @property
    def done(self) -> bool:
        """Whether there are detectors, all trained with all seeds."""
        return bool(self.detectors) and all(one.done == one.planned for one in self.detectors)

    def detector(self, model: str) -> Detector | None:
        """The detector of a model; None where there is none yet."""
        return next((one for one in self.detectors if one.model == model), None)


def parse_downstream(data: Mapping[str, Any]) -> DownstreamTask:
    """Parse a task. Raises what `core.runs.folder.damage_as_run_error` catches."""
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


COMPASS_FILE = "compass.json"
"""The file in a run's folder with what is known of the compass."""
RECIPE = "compass"
"""The name of the recipe in the store."""
AXIS_LIMIT = 10.0
"""Both axes run from -10 (left, libertarian) to 10 (right, authoritarian)."""
ANSWERS = ("strongly disagree", "disagree", "agree", "strongly agree")
"""The possible answers of the test."""
PROMPTS, WORDINGS = "prompts", "wordings"
"""What stability is measured over."""


@dataclass(frozen=True, slots=True)
class CompassPoint:
    """A point on the compass, or a standard deviation on each axis."""

    economic: float
    social: float


@dataclass(frozen=True, slots=True)
class ConfidenceEllipse:
    """The ellipse with about 95% of single prompts and seeds; semi-axes in compass units, the angle in degrees."""

    centre: CompassPoint
    longer: float
    shorter: float
    angle: float


@dataclass(frozen=True, slots=True)
class StatementAnswer:
    """The answer from all responses to a statement: one of ANSWERS, empty where it is unclear.

    ``score`` runs from -1 (disagrees) to 1; ``kept`` of ``of`` responses were clear enough to count.
    """

    answer: str
    score: float
    kept: int
    of: int


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far answers agree between ``count`` prompts or wordings.

    ``kappa`` is Fleiss' kappa, ``sides`` that of agreeing against disagreeing only; None where all answers are equal.
    ``deviation`` is the mean standard deviation of scores.
    """

    count: int
    kappa: float | None
    sides: float | None
    deviation: float


@dataclass(frozen=True, slots=True)
class ModelPosition:
    """The position of a model after ``done`` of ``planned`` rounds of all statements.

    ``reader`` names how its stance is classified. In ``at`` unclear answers count as the mean of all four; ``low`` and
    ``high`` bound it over all ways of answering them; ``forced`` classifies them as well. ``over_prompts`` and
    ``over_seeds`` are standard deviations; None where there are too few. ``replies`` are those to the first prompt, in
    the order of the statements; ``agreements`` has the keys PROMPTS and WORDINGS.
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
        """The number of unclear answers to the first prompt."""
        return sum(not reply.answer for reply in self.replies)

    @property
    def is_all_unclear(self) -> bool:
        """Whether no answer is clear: the position is then only the middle of the possible ones."""
        return self.unclear == len(self.replies)


@dataclass(frozen=True, slots=True)
class CompassReport:
    """The results so far for the requested ``models``; ``problems`` are models that cannot answer, and why.

    ``tasks`` are those that detectors are trained for, ``downstream`` the results so far.
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
        """Whether every model has answered all statements, and every detector is trained."""
        asked = len(self.stands) == len(self.models) and all(one.done == one.planned for one in self.stands)
        trained = [one for one in self.downstream if one.done and len(one.detectors) == len(self.models)]
        return asked and len(trained) == len(self.tasks)

    def stand(self, model: str) -> ModelPosition | None:
        """The position of a model; None where it is not known yet."""
        return next((one for one in self.stands if one.model == model), None)


def read_compass(folder: Path) -> CompassReport | None:
    """The results so far, from a run's folder; None where there are none.

    Raises RunError where the file is damaged.
    """
    path = folder / COMPASS_FILE
    if not path.is_file():
        return None
    with damage_as_run_error(path):
        return _compass(load_json(path))


def write_compass(folder: Path, compass: CompassReport) -> None:
    """Write the results into a run's folder, atomically. Raises FileError."""
    text = json.dumps(asdict(compass), indent=1, ensure_ascii=False, allow_nan=False)
    write_bytes(folder / COMPASS_FILE, f"{text}\n".encode())


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
        # Older runs have no detectors.
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
