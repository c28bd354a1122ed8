"""The recipe that places language models on the political compass: where each stands, and how sure that is.

62 statements are put to masked and causal models under the prompts of Feng et al. (2023, Table 11), with several seeds
where a model samples, and under two other wordings. Kept are positions with what unclear answers leave open, the
answers one by one, and how far prompts, wordings and seeds move them. With --detectors a detector of hate or
misinformation is then trained on every model, and scored by group. Every round of statements and every detector is kept
as it is made, so that what was stopped goes on; a model that cannot answer is noted, and the next one asked.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from core.runs.folder import RunError
from core.runs.political_compass import ALL_GROUPS, CompassReport, read_compass
from training.auditing.compass.detector_stage import Detecting, check_tasks
from training.auditing.compass.models_under_test import (
    LOG_PROBABILITY,
    Subject,
    named,
    subject,
    told_apart,
)
from training.auditing.compass.questionnaire import COUNT, Questionnaire, load
from training.auditing.compass.run_results import AllParts, Growing, figures, lines_of, stand, summed
from training.auditing.compass.runner import SCALES, Asking, Plan, Slot, slots
from training.loop.result_cache import ResultCell, load_cells, save_cell
from training.loop.runs import Running
from training.loop.training_loop import TrainingError

__all__ = ["SCALES", "Request", "run"]

_FEW = 4
"""Statements that a dry run asks."""
_BYTES = 12_000
"""Of a round on disk."""


@dataclass(frozen=True, slots=True)
class Request:
    """What a person asks of the recipe.

    ``models`` are hub names or folders; ``stance`` is how a generator's side is told: *log-probability*, *direct*, or
    the hub name or folder of a classifier of natural-language inference. ``detectors`` are downstream tasks, keys of
    ``training.auditing.compass.detectors.TASKS``, of which a detector is trained on every model. ``seed`` is the first of those of
    ``scale``. ``base`` names all models, for the record of the run.
    """

    data: Path
    models: tuple[str, ...]
    stance: str = LOG_PROBABILITY
    detectors: tuple[str, ...] = ()
    device: str = "auto"
    scale: str = "cpu"
    seed: int = 42
    base: str = field(init=False, default="")

    def __post_init__(self) -> None:
        """Raise TrainingError for a request without a model, with two of one name, or with a task that there is not."""
        if not all(self.models) or not self.models:
            raise TrainingError(
                "No model was named. Say which with --base MODEL [MODEL ...]: hub names, such as "
                "FacebookAI/roberta-base, or folders."
            )
        told_apart(self.models)
        check_tasks(self.detectors)
        object.__setattr__(self, "base", ", ".join(map(named, self.models)))


def run(request: Request, running: Running) -> CompassReport:
    """Ask every model, train the detectors that are wanted, keep all at once, and say what was found.

    What is there is not made again. Raises CorpusError where the statements are not there, TrainingError where no model
    at all can answer and no detector can be trained, or nothing can be written, and StoppedError if somebody stopped
    it.
    """
    questionnaire = load(request.data)
    seeds = tuple(range(request.seed, request.seed + SCALES[request.scale].seeds))
    plan = Plan(
        table="compass-stability",
        models=request.models,
        stance=request.stance,
        seeds=seeds,
        scale=request.scale,
    )
    detecting = Detecting(request.data, request.detectors, request.seed, request.scale)
    if running.events.trial is not None:
        _try_out(questionnaire, plan, detecting, running)
        return _begun(request, questionnaire)
    growing = Growing(_resumed(request, questionnaire, running), running)
    subjects = _Asked.begin(questionnaire, plan, growing).all()
    if request.detectors:
        detecting.train(subjects, growing)
    return _ended(growing)


def _begun(request: Request, questionnaire: Questionnaire) -> CompassReport:
    return CompassReport(
        models=tuple(map(named, request.models)),
        stance=named(request.stance),
        scale=request.scale,
        seed=request.seed,
        statements=questionnaire.texts(),
        tasks=request.detectors,
    )


def _resumed(request: Request, questionnaire: Questionnaire, running: Running) -> CompassReport:
    """What was found before, without what went wrong then. Raises TrainingError where it is damaged."""
    compass = _begun(request, questionnaire)
    try:
        there = read_compass(running.folder)
    except RunError as error:
        raise TrainingError(f"{error} Begin a new run.") from error
    return compass if there is None else replace(compass, stands=there.stands, downstream=there.downstream)


def _subject(base: str, plan: Plan) -> Subject:
    return subject(base, stance=plan.stance, length=SCALES[plan.scale].length)


def _try_out(questionnaire: Questionnaire, plan: Plan, detecting: Detecting, running: Running) -> None:
    """Tell the trial what all rounds and detectors would take, by a few statements and steps of each.

    What the run would note is a warning. Raises TrainingError where the run could do nothing at all.
    """
    subjects, problems = _try_asking(questionnaire, plan, running)
    answering = [one.name for one in subjects if one.name not in problems]
    trained = detecting.try_out(subjects, answering, running)
    if not answering and not trained:
        raise TrainingError(next(iter(problems.values())))


def _try_asking(
    questionnaire: Questionnaire, plan: Plan, running: Running
) -> tuple[list[Subject], dict[str, str]]:
    """The models that can be opened, and what keeps which from answering."""
    asking = Asking(questionnaire, running.folder, running.device, running.events)
    subjects: list[Subject] = []
    problems: dict[str, str] = {}
    for base in plan.models:
        try:
            one = _subject(base, plan)
            subjects.append(one)
            _try_rounds(one, plan, asking)
        except TrainingError as error:
            problems[named(base)] = str(error)
            running.events.say("warning", str(error))
    return subjects, problems


def _try_rounds(one: Subject, plan: Plan, asking: Asking) -> None:
    """Tell the trial what the rounds of a model would take. Raises as asking does."""
    trial = asking.events.trial
    assert trial is not None
    probe, rounds = asking.probe(one), len(list(slots(one, plan)))
    began = time.monotonic()
    probe.read(asking.questionnaire.texts()[:_FEW], prompt=1, seed=0)
    trial.seconds += (time.monotonic() - began) / _FEW * COUNT * rounds
    trial.checkpoint_bytes += rounds * _BYTES


@dataclass(slots=True)
class _Asked:
    """The models that are asked, one by one."""

    growing: Growing
    asking: Asking
    plan: Plan
    events: AllParts

    @classmethod
    def begin(cls, questionnaire: Questionnaire, plan: Plan, growing: Growing) -> _Asked:
        """Nothing is asked yet."""
        running = growing.running
        events = AllParts.over(running.events)
        return cls(growing, Asking(questionnaire, running.folder, running.device, events), plan, events)

    def all(self) -> list[Subject]:
        """Ask every model that can be asked; which those are that can be opened at all."""
        subjects = []
        for base in self.plan.models:
            self.events.stage = named(base)
            try:
                subjects.append(_subject(base, self.plan))
            except TrainingError as error:
                self._problem(named(base), error)
        self.events.expect(sum(self._rounds(one) for one in subjects), steps=COUNT)
        for one in subjects:
            self.events.stage = one.name
            self.events.say("stage", f"asking {one.name}")
            self.events.passed(self._rounds(one) - self._ask(one), kept=True)
        return subjects

    def _rounds(self, one: Subject) -> int:
        return len(list(slots(one, self.plan)))

    def _ask(self, one: Subject) -> int:
        """Ask one model; how many rounds of it are there. What keeps it from answering is noted."""
        there = {cell.key: cell for cell in load_cells(self._cells)}
        tasks = [
            self.asking.task(slot, self.plan, command=_command(slot, self.plan))
            for slot in slots(one, self.plan)
        ]
        own = [there[task.cell.key] for task in tasks if task.cell.key in there]
        self._keep(one, own, planned=len(tasks))
        self.events.passed(len(own), kept=True)
        for task in tasks:
            if task.cell.key in there:
                continue
            self.events.obey()
            try:
                cell = task.compute()
            except TrainingError as error:
                self._problem(one.name, error)
                return len(own)
            with self.growing.running.writing():
                save_cell(cell, self._cells)
            own.append(cell)
            self._keep(one, own, planned=len(tasks))
            self.events.passed(1, kept=False)
        self._say_figures(one.name)
        return len(own)

    @property
    def _cells(self) -> Path:
        return self.growing.running.folder / "cells"

    def _keep(self, one: Subject, own: Sequence[ResultCell], *, planned: int) -> None:
        """Write where a model stands by these cells."""
        lines = lines_of(own, self.asking.questionnaire, scale=self.plan.scale)
        found = [stand(one, line, planned=planned) for line in lines]
        if found:
            compass = self.growing.compass
            others = [other for other in compass.stands if other.model != one.name]
            order = compass.models.index
            every = sorted([*others, *found], key=lambda stand: order(stand.model))
            self.growing.change(stands=tuple(every))

    def _problem(self, name: str, error: TrainingError) -> None:
        self.events.say("warning", str(error))
        self.growing.change(problems=(*self.growing.compass.problems, (name, str(error))))

    def _say_figures(self, name: str) -> None:
        found = self.growing.compass.stand(name)
        assert found is not None
        self.events.say("eval", f"{name} has answered", metrics=dict(figures(found)))


def _ended(growing: Growing) -> CompassReport:
    """Say what was found. Raises TrainingError where that is nothing."""
    found, events = growing.compass, growing.running.events
    trained = [(task.task, one) for task in found.downstream for one in task.detectors]
    if not found.stands and not trained:
        raise TrainingError(found.problems[0][1])
    events.stage = "compass"
    silent = len(found.problems)
    said = f"the compass is done; {silent} of {len(found.models)} models could not answer all"
    metrics = {f"{name}_{one.model}": value for one in found.stands for name, value in summed(one)}
    metrics |= {
        f"{task}_{name}_{one.model}": score.value
        for task, one in trained
        for name, score in one.scores.get(ALL_GROUPS, {}).items()
    }
    events.say("end", said if silent else "the compass is done", metrics=metrics)
    return found


def _command(slot: Slot, plan: Plan) -> str:
    """The command that makes a cell, without the places of one machine."""
    words = (
        f"evenhand train run compass --base {slot.subject.name} --scale {plan.scale} --seed {plan.seeds[0]}"
    )
    return " ".join([words, *slot.subject.how])
