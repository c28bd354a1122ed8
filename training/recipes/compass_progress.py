"""How far the compass is: the steps of one round of answers, or of one detector, counted among those of all."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Self

from training.events import Events


@dataclass
class AllParts(Events):
    """The line of a run, with every step told as one of all parts, each of which has as many.

    The time left is that of the parts so far: a larger model that is still to come takes longer.
    """

    _parts: int = 0
    _each: int = 1
    _before: int = 0
    _kept: int = 0
    _began: float = 0.0

    @classmethod
    def over(cls, events: Events) -> Self:
        """Over the line of a run, which goes on telling all else."""
        return cls(**{one.name: getattr(events, one.name) for one in fields(Events)})

    def expect(self, parts: int, *, steps: int) -> None:
        """So many are to come, told as so many ``steps`` each; their time counts from now."""
        self._parts, self._each, self._began = parts, steps, time.monotonic()

    def passed(self, parts: int, *, kept: bool) -> None:
        """These are there; ``kept``: from before, or never to come, and so without taking time."""
        self._before += parts
        self._kept += parts if kept else 0
        if parts:
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
        if event == "step" or steps:
            done = self._before + (step / steps if steps else 0.0)
            fresh = done - self._kept
            spent = time.monotonic() - self._began
            eta_s = spent / fresh * (self._parts - done) if fresh > 0 else 0.0
            step, steps = int(done * self._each + 1e-6), self._parts * self._each
        super().say(event, message, step=step, steps=steps, metrics=metrics, eta_s=eta_s)
