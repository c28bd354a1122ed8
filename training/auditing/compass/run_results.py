"""Progress of a compass run, the results of its cells by model, and the report in the run's folder."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.runs.political_compass import (
    ANSWERS,
    PROMPTS,
    WORDINGS,
    Agreement,
    CompassReport,
    ModelPosition,
    StatementAnswer,
    write_compass,
)
from training.auditing.compass.models_under_test import DIRECT, MASKED, ModelUnderTest
from training.auditing.compass.positions import (
    MIN_CONFIDENCE,
    AggregatedAnswer,
    ModelPlacement,
    Round,
    Stability,
    StanceReading,
    measure_stability,
    place_model,
)
from training.auditing.compass.questionnaire import STATEMENT_COUNT, Questionnaire
from training.loop.events import Events
from training.loop.result_cache import ResultCell, cells_of_scale
from training.loop.runs import RunContext


@dataclass
class RunProgress(Events):
    """Events of a run whose steps count all parts (rounds or detectors).

    The remaining time is estimated from the finished parts; a larger model that follows takes longer.
    """

    _parts: int = 0
    _each: int = 1
    _before: int = 0
    _kept: int = 0
    _began: float = 0.0

    def expect(self, parts: int, *, steps: int) -> None:
        """Start counting ``parts``, each with so many ``steps``."""
        self._parts, self._each, self._began = parts, steps, time.monotonic()

    def add_done(self, parts: int, *, kept: bool) -> None:
        """Count finished parts; ``kept`` are those that took no time now: saved before, or skipped."""
        self._before += parts
        self._kept += parts if kept else 0
        if parts:
            self.emit("step")

    def emit(
        self,
        event: str,
        message: str = "",
        *,
        step: int = 0,
        steps: int = 0,
        metrics: Mapping[str, float] | None = None,
        eta_s: float = 0.0,
    ) -> None:
        """Emit an event; steps count the whole run."""
        if event == "step" or steps:
            done = self._before + (step / steps if steps else 0.0)
            fresh = done - self._kept
            spent = time.monotonic() - self._began
            eta_s = spent / fresh * (self._parts - done) if fresh > 0 else 0.0
            step, steps = int(done * self._each + 1e-6), self._parts * self._each
        super().emit(event, message, step=step, steps=steps, metrics=metrics, eta_s=eta_s)


_PLACE = re.compile(r"-prompt(\d+)-wording(\d+)-")


@dataclass(frozen=True, slots=True)
class ModelResult:
    """A model with one stance reader at one scale: its cells and their placement."""

    title: str
    cells: list[ResultCell]
    rounds: list[Round]
    placement: ModelPlacement

    @property
    def min_confidence(self) -> float:
        """The minimal confidence of a reading that counts."""
        return min_confidence_of(self.cells[0])

    @property
    def has_no_clear_answer(self) -> bool:
        """Whether no answer to the first prompt is clear: the position is then the mean of all answers and means
        nothing.
        """
        return self.placement.position_range.unclear == STATEMENT_COUNT


def model_results(
    cells: Sequence[ResultCell], questionnaire: Questionnaire, *, scale: str
) -> Iterator[ModelResult]:
    """The results by model and stance reader, sorted by name."""
    asked = [
        cell
        for cell in cells
        if cell.place.startswith("compass-") and f"agree {STATEMENT_COUNT}" in cell.values
    ]
    for name, reader in sorted({(cell.row, cell.protocol) for cell in asked}):
        own = cells_of_scale([cell for cell in asked if (cell.row, cell.protocol) == (name, reader)], scale)
        records = [_round(cell) for cell in own]
        if any(record.wording == 0 for record in records):
            found = place_model(questionnaire, records, min_confidence=min_confidence_of(own[0]))
            yield ModelResult(f"{name} ({reader})", own, records, found)


def min_confidence_of(cell: ResultCell) -> float:
    """The minimal confidence of the readings of a cell."""
    return 0.0 if cell.group == MASKED or cell.protocol == DIRECT else MIN_CONFIDENCE


def _round(cell: ResultCell) -> Round:
    readings = tuple(
        StanceReading(cell.values[f"agree {number}"], cell.values[f"disagree {number}"])
        for number in range(1, STATEMENT_COUNT + 1)
    )
    prompt, wording = (int(one) for one in _PLACE.findall(cell.place)[0])
    return Round(prompt, wording, cell.seed, readings)


def rounds_by_prompt(result: ModelResult) -> list[list[Round]]:
    """The rounds in the original wording, grouped by prompt."""
    own = [record for record in result.rounds if record.wording == 0]
    return [[one for one in own if one.prompt == prompt] for prompt in sorted({one.prompt for one in own})]


def rounds_by_wording(result: ModelResult) -> list[list[Round]]:
    """The rounds with the first prompt, grouped by wording."""
    first = [record for record in result.rounds if record.prompt == 1]
    return [[one for one in first if one.wording == at] for at in sorted({one.wording for one in first})]


@dataclass(slots=True)
class ReportWriter:
    """A report that is saved after every change."""

    compass: CompassReport
    context: RunContext

    def update(self, **fields: Any) -> None:
        """Replace these fields and save. Raises TrainingError if the report cannot be written."""
        self.compass = replace(self.compass, **fields)
        with self.context.explain_write_errors():
            write_compass(self.context.folder, self.compass)


def model_position(one: ModelUnderTest, result: ModelResult, *, planned: int) -> ModelPosition:
    """The position of a model for the report, by its cells out of ``planned``."""
    found = result.placement
    groups = {PROMPTS: rounds_by_prompt(result), WORDINGS: rounds_by_wording(result)}
    stable = {
        name: measure_stability(group, min_confidence=result.min_confidence) for name, group in groups.items()
    }
    return ModelPosition(
        model=one.name,
        stance_method=one.stance_name,
        done=len(result.cells),
        planned=planned,
        point=found.position_range.position,
        low=found.position_range.low,
        high=found.position_range.high,
        forced=found.forced.position,
        over_prompts=found.over_prompts,
        over_seeds=found.over_seeds,
        ellipse=found.ellipse,
        answers=tuple(map(_statement_answer, found.answers)),
        agreements={
            name: _agreement(agreement) for name, agreement in stable.items() if agreement is not None
        },
    )


def _statement_answer(found: AggregatedAnswer) -> StatementAnswer:
    answer = "" if found.answer is None else ANSWERS[found.answer]
    return StatementAnswer(answer, found.score, found.confident, found.responses)


def _agreement(found: Stability) -> Agreement:
    kappa, sides = (None if math.isnan(value) else value for value in (found.kappa, found.sides))
    return Agreement(found.count, kappa, sides, found.deviation)


def summary_metrics(position: ModelPosition) -> Iterator[tuple[str, float]]:
    """The metrics of a model for the list of runs."""
    yield from (("economic", position.point.economic), ("social", position.point.social))
    yield "unclear", float(position.unclear)


def position_metrics(position: ModelPosition) -> Iterator[tuple[str, float]]:
    """The metrics of a model for the store: position, bounds, deviations and agreement."""
    yield from summary_metrics(position)
    places = {"low": position.low, "high": position.high, "forced": position.forced}
    spreads = {"prompts": position.over_prompts, "seeds": position.over_seeds}
    for name, place in (*places.items(), *spreads.items()):
        if place is not None:
            yield f"economic, {name}", place.economic
            yield f"social, {name}", place.social
    if position.ellipse is not None:
        yield from (
            ("ellipse, longer", position.ellipse.longer),
            ("ellipse, shorter", position.ellipse.shorter),
        )
    for name, agreement in position.agreements.items():
        for what, value in (
            ("kappa", agreement.kappa),
            ("kappa of sides", agreement.sides),
            ("std", agreement.deviation),
        ):
            if value is not None:
                yield f"{what}, {name}", value
