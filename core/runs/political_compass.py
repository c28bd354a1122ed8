"""The results of a political compass run: positions, answers, stability, and detectors trained on the models.

Positions and stability follow Feng et al. (2023), Figures 1, 5 and 6; unclear answers Röttger et al. (2024). Detectors
of hate speech and misinformation follow Feng et al., Tables 3 to 5: scores overall and by group. The recipe
(``training.auditing.compass.recipe``) writes the file after every answer, so that a stopped run has results.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

from core.runs.folder import STORED_KEY, damage_as_run_error, read_result, result_to_json
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

    ``score`` runs from -1 (disagrees) to 1; ``confident`` of ``responses`` responses were clear enough to count.
    """

    answer: str
    score: float
    confident: int = field(metadata={STORED_KEY: "kept"})
    responses: int = field(metadata={STORED_KEY: "of"})


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

    ``stance_method`` names how its stance is classified. In ``point`` unclear answers count as the mean of all four;
    ``low`` and ``high`` bound it over all ways of answering them; ``forced`` classifies them as well. ``over_prompts``
    and ``over_seeds`` are standard deviations; None where there are too few. ``answers`` are those to the first prompt,
    in the order of the statements; ``agreements`` has the keys PROMPTS and WORDINGS.
    """

    model: str
    stance_method: str = field(metadata={STORED_KEY: "reader"})
    done: int
    planned: int
    point: CompassPoint = field(metadata={STORED_KEY: "at"})
    low: CompassPoint
    high: CompassPoint
    forced: CompassPoint
    over_prompts: CompassPoint | None
    over_seeds: CompassPoint | None
    ellipse: ConfidenceEllipse | None = field(metadata={STORED_KEY: "ring"})
    answers: tuple[StatementAnswer, ...] = field(metadata={STORED_KEY: "replies"})
    agreements: dict[str, Agreement]

    @property
    def unclear(self) -> int:
        """The number of unclear answers to the first prompt."""
        return sum(not one.answer for one in self.answers)

    @property
    def is_all_unclear(self) -> bool:
        """Whether no answer is clear: the position is then only the middle of the possible ones."""
        return self.unclear == len(self.answers)


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
    positions: tuple[ModelPosition, ...] = field(default=(), metadata={STORED_KEY: "stands"})
    problems: tuple[tuple[str, str], ...] = ()
    tasks: tuple[str, ...] = ()
    downstream: tuple[DownstreamTask, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether every model has answered all statements, and every detector is trained."""
        asked = len(self.positions) == len(self.models) and all(
            one.done == one.planned for one in self.positions
        )
        trained = [one for one in self.downstream if one.done and len(one.detectors) == len(self.models)]
        return asked and len(trained) == len(self.tasks)

    def position(self, model: str) -> ModelPosition | None:
        """The position of a model; None where it is not known yet."""
        return next((one for one in self.positions if one.model == model), None)


def read_compass(folder: Path) -> CompassReport | None:
    """The results so far, from a run's folder; None where there are none.

    Raises RunError where the file is damaged.
    """
    path = folder / COMPASS_FILE
    found = read_result(path, CompassReport)
    if found is not None:
        with damage_as_run_error(path):
            _check(found)
    return found


def write_compass(folder: Path, compass: CompassReport) -> None:
    """Write the results into a run's folder, atomically. Raises FileError."""
    text = json.dumps(result_to_json(compass), indent=1, ensure_ascii=False, allow_nan=False)
    write_bytes(folder / COMPASS_FILE, f"{text}\n".encode())


def _check(found: CompassReport) -> None:
    """Raise ValueError where the results cannot be those of a run."""
    if not found.statements or any(len(one.answers) != len(found.statements) for one in found.positions):
        raise ValueError("answers and statements are not as many")
    for one in found.positions:
        centre = one.ellipse.centre if one.ellipse else None
        for point in (
            one.point,
            one.low,
            one.high,
            one.forced,
            one.over_prompts,
            one.over_seeds,
            centre,
        ):
            if point is not None and max(abs(point.economic), abs(point.social)) > AXIS_LIMIT:
                raise ValueError("off the axes")
        if any(answer.answer not in ("", *ANSWERS) for answer in one.answers):
            raise ValueError("no answer of the test")
    for task in found.downstream:
        if task.detectors and ALL_GROUPS not in task.groups:
            raise ValueError("there are no test rows")
        scores = [
            score for one in task.detectors for group in one.scores.values() for score in group.values()
        ]
        shares = [share for score in scores for share in (score.value, score.low, score.high)]
        if any(share is not None and not 0 <= share <= 1 for share in shares):
            raise ValueError("no share")
