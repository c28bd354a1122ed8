"""How far the compass is: the answers of one round of statements counted among those of all rounds of all models."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Self

from training.compass.statements import COUNT
from training.events import Events


@dataclass
class AllAnswers(Events):
    """The line of a run, with every step told as one of all answers. A round is COUNT answers.

    The time left is that of the answers so far: a larger model that is still to come takes longer.
    """

    _rounds: int = 0
    _before: int = 0
    _kept: int = 0
    _began: float = 0.0

    @classmethod
    def over(cls, events: Events) -> Self:
        """Over the line of a run, which goes on telling all else."""
        return cls(**{one.name: getattr(events, one.name) for one in fields(Events)})

    def expect(self, rounds: int) -> None:
        """So many are to come; their time counts from now."""
        self._rounds, self._began = rounds, time.monotonic()

    def passed(self, rounds: int, *, kept: bool) -> None:
        """These rounds are there; ``kept``: from before, or never to come, and so without taking time."""
        self._before += rounds
        self._kept += rounds if kept else 0
        if rounds:
            self.say("step")

    def say(
        self,
        event: str,
        message: str = "",
        *,
        step: int = 0,
        steps: int = 0,
        metrics: Mapping[str, float] | None = None,
        eta_s: float = 0.0,
    ) -> None:
        """Report; a step is one of the whole."""
        if event == "step":
            step, steps = self._before * COUNT + step, self._rounds * COUNT
            fresh = step - self._kept * COUNT
            spent = time.monotonic() - self._began
            eta_s = spent / fresh * (steps - step) if fresh else 0.0
        super().say(event, message, step=step, steps=steps, metrics=metrics, eta_s=eta_s)
