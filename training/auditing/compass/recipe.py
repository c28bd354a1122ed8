"""The recipe that places language models on the political compass, with the uncertainty of each position.

Masked and causal models answer 62 statements with the prompts of Feng et al. (2023, Table 11), with several seeds if a
model samples, and in two paraphrases. Results are positions with bounds for unclear answers, all answers, and the
stability over prompts, wordings and seeds. With ``--detectors``, a detector of hate speech or misinformation is trained
on every model and scored by group. Every round of statements and every detector is saved as soon as it is finished, so
that an interrupted run resumes; a model that cannot answer is reported and left out.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.runs.folder import RunError
from core.runs.political_compass import ALL_GROUPS, CompassReport, read_compass
from core.runs.recipes import CompassRequest, model_name
from training.auditing.compass.detector_stage import DetectorStage, check_tasks
from training.auditing.compass.models_under_test import (
    ModelUnderTest,
    check_names_differ,
    model_under_test,
)
from training.auditing.compass.questionnaire import STATEMENT_COUNT, Questionnaire, load_questionnaire
from training.auditing.compass.run_results import (
    ReportWriter,
    RunProgress,
    model_position,
    model_results,
    position_metrics,
    summary_metrics,
)
from training.auditing.compass.runner import SCALES, CompassCellId, CompassRunner, Plan, cell_ids
from training.loop.result_cache import ResultCell, load_cells, save_cell
from training.loop.runs import RunContext
from training.loop.training_loop import TrainingError

__all__ = ["SCALES", "check", "run"]

_DRY_RUN_STATEMENTS = 4
"""Statements that a dry run asks."""
_BYTES_PER_ROUND = 12_000
"""Bytes per round on disk."""


def check(request: CompassRequest) -> None:
    """Raise TrainingError for a request without a model, with two models of one name, or with an unknown detector."""
    if not all(request.models) or not request.models:
        raise TrainingError(
            "No model was named. Name one or more with --base MODEL [MODEL ...]: hub names, such as "
            "FacebookAI/roberta-base, or folders."
        )
    check_names_differ(request.models)
    check_tasks(request.detectors)


def run(request: CompassRequest, context: RunContext) -> CompassReport:
    """Place every model, train the requested detectors, save everything, and return the report.

    Saved results are not computed again. Raises CorpusError if the statements are missing, TrainingError if no model
    can answer and no detector can be trained, or if results cannot be written, and StoppedError if the run is stopped.
    """
    questionnaire = load_questionnaire(request.data)
    seeds = tuple(range(request.seed, request.seed + SCALES[request.scale].seeds))
    plan = Plan(
        table="compass-stability",
        models=request.models,
        stance=request.stance,
        seeds=seeds,
        scale=request.scale,
    )
    stage = DetectorStage(request.data, request.detectors, request.seed, request.scale)
    if context.events.dry_run is not None:
        _estimate(questionnaire, plan, stage, context)
        return _new_report(request, questionnaire)
    writer = ReportWriter(_resume(request, questionnaire, context), context)
    models = _ModelRounds.begin(questionnaire, plan, writer).all()
    if request.detectors:
        stage.train(models, writer)
    return _finish(writer)


def _new_report(request: CompassRequest, questionnaire: Questionnaire) -> CompassReport:
    return CompassReport(
        models=tuple(map(model_name, request.models)),
        stance=model_name(request.stance),
        scale=request.scale,
        seed=request.seed,
        statements=questionnaire.texts(),
        tasks=request.detectors,
    )


def _resume(request: CompassRequest, questionnaire: Questionnaire, context: RunContext) -> CompassReport:
    """The saved report without its problems. Raises TrainingError if it is damaged."""
    compass = _new_report(request, questionnaire)
    try:
        there = read_compass(context.folder)
    except RunError as error:
        raise TrainingError(f"{error} Begin a new run.") from error
    return (
        compass if there is None else replace(compass, positions=there.positions, downstream=there.downstream)
    )


def _model(base: str, plan: Plan) -> ModelUnderTest:
    return model_under_test(base, stance=plan.stance, length=SCALES[plan.scale].length)


def _estimate(questionnaire: Questionnaire, plan: Plan, stage: DetectorStage, context: RunContext) -> None:
    """Estimate all rounds and detectors for a dry run by a few statements and steps of each.

    Problems are emitted as warnings. Raises TrainingError if the run could do nothing at all.
    """
    models, problems = _estimate_models(questionnaire, plan, context)
    answering = [one.name for one in models if one.name not in problems]
    trained = stage.estimate(models, answering, context)
    if not answering and not trained:
        raise TrainingError(next(iter(problems.values())))


def _estimate_models(
    questionnaire: Questionnaire, plan: Plan, context: RunContext
) -> tuple[list[ModelUnderTest], dict[str, str]]:
    """The models that can be loaded, and the problems of those that cannot answer."""
    runner = CompassRunner(questionnaire, context.folder, context.device, context.events)
    models: list[ModelUnderTest] = []
    problems: dict[str, str] = {}
    for base in plan.models:
        try:
            one = _model(base, plan)
            models.append(one)
            _estimate_rounds(one, plan, runner)
        except TrainingError as error:
            problems[model_name(base)] = str(error)
            context.events.emit("warning", str(error))
    return models, problems


def _estimate_rounds(one: ModelUnderTest, plan: Plan, runner: CompassRunner) -> None:
    """Add the estimate of a model's rounds to the dry run. Raises as the rounds do."""
    dry_run = runner.events.dry_run
    assert dry_run is not None
    probe, rounds = runner.probe(one), len(list(cell_ids(one, plan)))
    began = time.monotonic()
    probe.read(runner.questionnaire.texts()[:_DRY_RUN_STATEMENTS], prompt=1, seed=0)
    dry_run.seconds += (time.monotonic() - began) / _DRY_RUN_STATEMENTS * STATEMENT_COUNT * rounds
    dry_run.checkpoint_bytes += rounds * _BYTES_PER_ROUND


@dataclass(slots=True)
class _ModelRounds:
    """Runs the rounds of all models."""

    writer: ReportWriter
    runner: CompassRunner
    plan: Plan
    events: RunProgress

    @classmethod
    def begin(cls, questionnaire: Questionnaire, plan: Plan, writer: ReportWriter) -> _ModelRounds:
        """Before the first round."""
        context = writer.context
        events = RunProgress.from_events(context.events)
        return cls(writer, CompassRunner(questionnaire, context.folder, context.device, events), plan, events)

    def all(self) -> list[ModelUnderTest]:
        """Run the rounds of every model; returns the models that can be loaded."""
        models = []
        for base in self.plan.models:
            self.events.stage = model_name(base)
            try:
                models.append(_model(base, self.plan))
            except TrainingError as error:
                self._problem(model_name(base), error)
        self.events.expect(sum(self._rounds(one) for one in models), steps=STATEMENT_COUNT)
        for one in models:
            self.events.stage = one.name
            self.events.emit("stage", f"asking {one.name}")
            self.events.add_done(self._rounds(one) - self._ask(one), kept=True)
        return models

    def _rounds(self, one: ModelUnderTest) -> int:
        return len(list(cell_ids(one, self.plan)))

    def _ask(self, one: ModelUnderTest) -> int:
        """Run the rounds of one model; returns how many it has. A problem is recorded."""
        there = {cell.key: cell for cell in load_cells(self._cells)}
        tasks = [
            self.runner.task(cell_id, scale=self.plan.scale, command=_command(cell_id, self.plan))
            for cell_id in cell_ids(one, self.plan)
        ]
        own = [there[task.cell.key] for task in tasks if task.cell.key in there]
        self._keep(one, own, planned=len(tasks))
        self.events.add_done(len(own), kept=True)
        for task in tasks:
            if task.cell.key in there:
                continue
            self.events.check_cancelled()
            try:
                cell = task.compute()
            except TrainingError as error:
                self._problem(one.name, error)
                return len(own)
            with self.writer.context.explain_write_errors():
                save_cell(cell, self._cells)
            own.append(cell)
            self._keep(one, own, planned=len(tasks))
            self.events.add_done(1, kept=False)
        self._emit_metrics(one.name)
        return len(own)

    @property
    def _cells(self) -> Path:
        return self.writer.context.folder / "cells"

    def _keep(self, one: ModelUnderTest, own: Sequence[ResultCell], *, planned: int) -> None:
        """Save the position of a model by these cells."""
        results = model_results(own, self.runner.questionnaire, scale=self.plan.scale)
        found = [model_position(one, result, planned=planned) for result in results]
        if found:
            compass = self.writer.compass
            others = [other for other in compass.positions if other.model != one.name]
            order = compass.models.index
            every = sorted([*others, *found], key=lambda position: order(position.model))
            self.writer.update(positions=tuple(every))

    def _problem(self, name: str, error: TrainingError) -> None:
        self.events.emit("warning", str(error))
        self.writer.update(problems=(*self.writer.compass.problems, (name, str(error))))

    def _emit_metrics(self, name: str) -> None:
        found = self.writer.compass.position(name)
        assert found is not None
        self.events.emit("eval", f"{name} has answered", metrics=dict(position_metrics(found)))


def _finish(writer: ReportWriter) -> CompassReport:
    """Emit the result. Raises TrainingError if there is none."""
    found, events = writer.compass, writer.context.events
    trained = [(task.task, one) for task in found.downstream for one in task.detectors]
    if not found.positions and not trained:
        raise TrainingError(found.problems[0][1])
    events.stage = "compass"
    silent = len(found.problems)
    message = f"the compass is done; {silent} of {len(found.models)} models could not answer all"
    metrics = {
        f"{name}_{one.model}": value for one in found.positions for name, value in summary_metrics(one)
    }
    metrics |= {
        f"{task}_{name}_{one.model}": score.value
        for task, one in trained
        for name, score in one.scores.get(ALL_GROUPS, {}).items()
    }
    events.emit("end", message if silent else "the compass is done", metrics=metrics)
    return found


def _command(cell_id: CompassCellId, plan: Plan) -> str:
    """The command that computes a cell, without local paths."""
    words = f"evenhand train compass --base {cell_id.model.name} --scale {plan.scale} --seed {plan.seeds[0]}"
    return " ".join([words, *cell_id.model.stance_options])
