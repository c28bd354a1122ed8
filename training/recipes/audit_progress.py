"""How far an audit is: the texts of one part counted among those of all, and the time that is left for all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

from training.events import Events
from training.published_calibration import CALIBRATION_SECONDS
from training.tables.calibration_systems import VANILLA


@dataclass
class AllTexts(Events):
    """The line of a run, with every step told as one of the whole audit.

    Until a system has written, its pace is that of the generator as it is times what the paper took for it
    (CALIBRATION_SECONDS).
    """

    _parts: list[tuple[str, str, int]] = field(default_factory=list)
    _at: int = 0
    _paces: dict[str, float] = field(default_factory=dict)

    @classmethod
    def over(cls, events: Events) -> Self:
        """Over the line of a run, which goes on telling all else."""
        return cls(
            events.run,
            stream=events.stream,
            stage=events.stage,
            sinks=events.sinks,
            ordered=events.ordered,
            trial=events.trial,
        )

    def expect(self, parts: Sequence[tuple[str, str, int]]) -> None:
        """What is to come: the system, the attribute and the number of texts of each part, in their order."""
        self._parts = list(parts)

    def begin(self, system: str, attribute: str) -> None:
        """The next steps are those of this part."""
        self._at = [part[:2] for part in self._parts].index((system, attribute))

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
            system, _, texts = self._parts[self._at]
            if step < texts:
                self._paces[system] = eta_s / (texts - step)
            eta_s += sum(self._pace(later) * count for later, _, count in self._parts[self._at + 1 :])
            step += sum(count for _, _, count in self._parts[: self._at])
            steps = sum(count for _, _, count in self._parts)
        super().say(event, message, step=step, steps=steps, metrics=metrics, eta_s=eta_s)

    def _pace(self, system: str) -> float:
        """Seconds of a text."""
        known = self._paces
        if system in known or not known:
            return known.get(system, 0.0)
        other = VANILLA if VANILLA in known else next(iter(known))
        return known[other] * CALIBRATION_SECONDS[system] / CALIBRATION_SECONDS[other]
