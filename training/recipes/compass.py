"""The recipe that places language models on the political compass: where each stands, and how sure that is.

62 statements are put to masked and causal models under the prompts of Feng et al. (2023, Table 11), with several seeds
where a model samples, and under two other wordings. Kept are positions with what unclear answers leave open, the
answers one by one, and how far prompts, wordings and seeds move them. Every round of statements is kept as it is made,
so that what was stopped goes on; a model that cannot answer is noted, and the next one asked.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from core.runs.compass import (
    ANSWERS,
    PROMPTS,
    WORDINGS,
    Agreement,
    Compass,
    Place,
    Reply,
    Ring,
    Stand,
    read_compass,
    write_compass,
)
from core.runs.folder import RunError
from training.compass.readings import Settled
from training.compass.scoring import Position
from training.compass.stability import Ellipse
from training.compass.standing import Stability, stability
from training.compass.statements import COUNT, Questionnaire, load
from training.compass.subjects import LOG_PROBABILITY, Subject, named, subject, told_apart
from training.events import Trial
from training.loop import TrainingError
from training.recipes.compass_progress import AllAnswers
from training.running import Running
from training.tables.cells import Cell, keep, kept
from training.tables.compass import SCALES, Asking, Plan, Slot, slots
from training.tables.compass_layout import Line, by_prompt, by_wording, lines_of

__all__ = ["SCALES", "Request", "run"]

_FEW = 4
"""Statements that a dry run asks."""
_BYTES = 12_000
"""Of a round on disk."""


@dataclass(frozen=True, slots=True)
class Request:
    """What a person asks of the recipe.

    ``models`` are hub names or folders; ``stance`` is how a generator's side is told: *log-probability*, *direct*, or
    the hub name or folder of a classifier of natural-language inference. ``seed`` is the first of those of ``scale``.
    ``base`` names all models, for the record of the run.
    """

    data: Path
    models: tuple[str, ...]
    stance: str = LOG_PROBABILITY
    device: str = "auto"
    scale: str = "cpu"
    seed: int = 42
    base: str = field(init=False, default="")

    def __post_init__(self) -> None:
        """Raise TrainingError for a request without a model, or with two of one name."""
        if not all(self.models) or not self.models:
            raise TrainingError(
                "No model was named. Say which with --base MODEL [MODEL ...]: hub names, such as "
                "FacebookAI/roberta-base, or folders."
            )
        told_apart(self.models)
        object.__setattr__(self, "base", ", ".join(map(named, self.models)))


def run(request: Request, running: Running) -> Compass:
    """Ask every model, keep each round at once, and say where they stand; what is there is not asked again.

    Raises CorpusError where the statements are not there, TrainingError where no model at all can answer or nothing can
    be written, and StoppedError if somebody stopped it.
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
    if running.events.trial is not None:
        _try_out(questionnaire, plan, running, running.events.trial)
        return _begun(request, questionnaire)
    return _Asked.begin(request, questionnaire, plan, running).all()


def _begun(request: Request, questionnaire: Questionnaire) -> Compass:
    return Compass(
        models=tuple(map(named, request.models)),
        stance=named(request.stance),
        scale=request.scale,
        seed=request.seed,
        statements=questionnaire.texts(),
    )


def _subject(base: str, plan: Plan) -> Subject:
    return subject(base, stance=plan.stance, length=SCALES[plan.scale].length)


def _try_out(questionnaire: Questionnaire, plan: Plan, running: Running, trial: Trial) -> None:
    """Add to ``trial`` what all rounds would take, by a few statements. Raises as asking does."""
    asking = Asking(questionnaire, running.folder, running.device, running.events)
    for base in plan.models:
        one = _subject(base, plan)
        probe, rounds = asking.probe(one), len(list(slots(one, plan)))
        began = time.monotonic()
        probe.read(questionnaire.texts()[:_FEW], prompt=1, seed=0)
        trial.seconds += (time.monotonic() - began) / _FEW * COUNT * rounds
        trial.checkpoint_bytes += rounds * _BYTES


@dataclass(slots=True)
class _Asked:
    """The compass as it grows."""

    compass: Compass
    asking: Asking
    plan: Plan
    running: Running
    events: AllAnswers

    @classmethod
    def begin(cls, request: Request, questionnaire: Questionnaire, plan: Plan, running: Running) -> _Asked:
        """With what the folder keeps of it. Raises TrainingError where that is damaged."""
        compass = _begun(request, questionnaire)
        try:
            there = read_compass(running.folder)
        except RunError as error:
            raise TrainingError(f"{error} Begin a new run.") from error
        if there is not None:
            compass = replace(compass, stands=there.stands)
        events = AllAnswers.over(running.events)
        asking = Asking(questionnaire, running.folder, running.device, events)
        return cls(compass, asking, plan, running, events)

    def all(self) -> Compass:
        """Ask every model that can be asked."""
        subjects = []
        for base in self.plan.models:
            self.events.stage = named(base)
            try:
                subjects.append(_subject(base, self.plan))
            except TrainingError as error:
                self._problem(named(base), error)
        self.events.expect(sum(self._rounds(one) for one in subjects))
        for one in subjects:
            self.events.stage = one.name
            self.events.say("stage", f"asking {one.name}")
            self.events.passed(self._rounds(one) - self._ask(one), kept=True)
        return self._ended()

    def _rounds(self, one: Subject) -> int:
        return len(list(slots(one, self.plan)))

    def _ask(self, one: Subject) -> int:
        """Ask one model; how many rounds of it are there. What keeps it from answering is noted."""
        there = {cell.key: cell for cell in kept(self._cells)}
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
                cell = task.make()
            except TrainingError as error:
                self._problem(one.name, error)
                return len(own)
            with self.running.writing():
                keep(cell, self._cells)
            own.append(cell)
            self._keep(one, own, planned=len(tasks))
            self.events.passed(1, kept=False)
        self._say_figures(one.name)
        return len(own)

    @property
    def _cells(self) -> Path:
        return self.running.folder / "cells"

    def _keep(self, one: Subject, own: Sequence[Cell], *, planned: int) -> None:
        """Write where a model stands by these cells."""
        lines = lines_of(own, self.asking.questionnaire, scale=self.plan.scale)
        stands = [_stand(one, line, planned=planned) for line in lines]
        if stands:
            others = [stand for stand in self.compass.stands if stand.model != one.name]
            order = self.compass.models.index
            every = sorted([*others, *stands], key=lambda stand: order(stand.model))
            self._write(replace(self.compass, stands=tuple(every)))

    def _problem(self, name: str, error: TrainingError) -> None:
        self.events.say("warning", str(error))
        self._write(replace(self.compass, problems=(*self.compass.problems, (name, str(error)))))

    def _write(self, compass: Compass) -> None:
        self.compass = compass
        with self.running.writing():
            write_compass(self.running.folder, compass)

    def _say_figures(self, name: str) -> None:
        stand = self.compass.stand(name)
        assert stand is not None
        self.events.say("eval", f"{name} has answered", metrics=dict(_figures(stand)))

    def _ended(self) -> Compass:
        """Say the positions. Raises TrainingError where there is none."""
        found = self.compass
        if not found.stands:
            raise TrainingError(found.problems[0][1])
        self.events.stage = "compass"
        silent = len(found.problems)
        said = f"the compass is done; {silent} of {len(found.models)} models could not answer all"
        metrics = {f"{name}_{stand.model}": value for stand in found.stands for name, value in _summed(stand)}
        self.events.say("end", said if silent else "the compass is done", metrics=metrics)
        return found


def _command(slot: Slot, plan: Plan) -> str:
    """The command that makes a cell, without the places of one machine."""
    words = (
        f"evenhand train run compass --base {slot.subject.name} --scale {plan.scale} --seed {plan.seeds[0]}"
    )
    return f"{words} --stance {slot.subject.reader}" if slot.subject.seeded else words


def _stand(one: Subject, line: Line, *, planned: int) -> Stand:
    found = line.standing
    groups = {PROMPTS: by_prompt(line), WORDINGS: by_wording(line)}
    stable = {name: stability(group, confident=line.confident) for name, group in groups.items()}
    return Stand(
        model=one.name,
        reader=one.reader,
        done=len(line.cells),
        planned=planned,
        at=_place(found.placed.position),
        low=_place(found.placed.low),
        high=_place(found.placed.high),
        forced=_place(found.forced.position),
        over_prompts=None if found.over_prompts is None else _place(found.over_prompts),
        over_seeds=None if found.over_seeds is None else _place(found.over_seeds),
        ring=None if found.ellipse is None else _ring(found.ellipse),
        replies=tuple(map(_reply, found.settled)),
        agreements={name: _agreement(told) for name, told in stable.items() if told is not None},
    )


def _place(position: Position) -> Place:
    return Place(position.economic, position.social)


def _ring(found: Ellipse) -> Ring:
    return Ring(_place(found.centre), found.longer, found.shorter, found.angle)


def _reply(found: Settled) -> Reply:
    answer = "" if found.answer is None else ANSWERS[found.answer]
    return Reply(answer, found.score, found.kept, found.of)


def _agreement(found: Stability) -> Agreement:
    kappa, sides = (None if math.isnan(value) else value for value in (found.kappa, found.sides))
    return Agreement(found.count, kappa, sides, found.deviation)


def _summed(stand: Stand) -> Iterator[tuple[str, float]]:
    """What the store lists of a model."""
    yield from (("economic", stand.at.economic), ("social", stand.at.social))
    yield "unclear", float(stand.unclear)


def _figures(stand: Stand) -> Iterator[tuple[str, float]]:
    """What the store keeps of a model: position, what is open, spreads and agreement."""
    yield from _summed(stand)
    places = {"low": stand.low, "high": stand.high, "forced": stand.forced}
    spreads = {"prompts": stand.over_prompts, "seeds": stand.over_seeds}
    for name, place in (*places.items(), *spreads.items()):
        if place is not None:
            yield f"economic, {name}", place.economic
            yield f"social, {name}", place.social
    if stand.ring is not None:
        yield from (("ellipse, longer", stand.ring.longer), ("ellipse, shorter", stand.ring.shorter))
    for name, told in stand.agreements.items():
        for what, value in (("kappa", told.kappa), ("kappa of sides", told.sides), ("std", told.deviation)):
            if value is not None:
                yield f"{what}, {name}", value
