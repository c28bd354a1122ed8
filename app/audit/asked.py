"""What a person asks of an audit, as the trainer's command line takes it."""

from __future__ import annotations

from dataclasses import dataclass

from core.runs.audit import RECIPE


@dataclass(frozen=True, slots=True)
class AuditAsked:
    """A generator (hub name or folder), the attributes, how it is calibrated, and how much is generated."""

    base: str
    data: str
    attributes: tuple[str, ...]
    modes: tuple[str, ...]
    device: str
    scale: str
    seed: int

    def arguments(self) -> list[str]:
        """The arguments of ``evenhand train`` for it, without those that say which run it is."""
        said = ["run", RECIPE, "--data", self.data, "--base", self.base, "--device", self.device]
        said += ["--scale", self.scale, "--seed", str(self.seed)]
        return [*said, "--attribute", *self.attributes, "--modes", *self.modes]
