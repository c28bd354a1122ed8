"""What cells of a model say, as the run's folder and the store keep it, and the compass of a run as it grows."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

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
    write_compass,
)
from training.compass.readings import Settled
from training.compass.scoring import Position
from training.compass.stability import Ellipse
from training.compass.standing import Stability, stability
from training.compass.subjects import Subject
from training.running import Running
from training.tables.compass_layout import Line, by_prompt, by_wording


@dataclass(slots=True)
class Growing:
    """A compass, which is on disk after every change."""

    compass: Compass
    running: Running

    def change(self, **fields: Any) -> None:
        """Take these fields for what they were. Raises TrainingError where they cannot be written."""
        self.compass = replace(self.compass, **fields)
        with self.running.writing():
            write_compass(self.running.folder, self.compass)


def stand(one: Subject, line: Line, *, planned: int) -> Stand:
    """Where a model stands by the cells of a line, of ``planned``."""
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


def summed(stand: Stand) -> Iterator[tuple[str, float]]:
    """What the store lists of a model."""
    yield from (("economic", stand.at.economic), ("social", stand.at.social))
    yield "unclear", float(stand.unclear)


def figures(stand: Stand) -> Iterator[tuple[str, float]]:
    """What the store keeps of a model: position, what is open, spreads and agreement."""
    yield from summed(stand)
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
