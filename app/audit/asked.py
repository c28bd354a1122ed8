"""What a person asks of an audit, as the trainer's command line takes it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from core.runs.audit import RECIPE as AUDIT
from core.runs.compass import RECIPE as COMPASS


@dataclass(frozen=True, slots=True)
class AuditAsked:
    """A generator (hub name or folder), the attributes, how it is calibrated, who judges, and how much is generated.

    ``judge`` is one of ``app.audit.judges.JUDGES`` or the folder of a run that trained one.
    """

    base: str
    data: str
    attributes: tuple[str, ...]
    modes: tuple[str, ...]
    judge: str
    device: str
    scale: str
    seed: int

    def arguments(self) -> list[str]:
        """The arguments of ``evenhand train`` for it, without those that say which run it is."""
        said = ["run", AUDIT, "--data", self.data, "--base", self.base, "--device", self.device]
        said += ["--scale", self.scale, "--seed", str(self.seed)]
        said += ["--judge", self.judge, "--attribute", *self.attributes]
        return [*said, "--modes", *self.modes]


@dataclass(frozen=True, slots=True)
class CompassAsked:
    """Models (hub names or folders), how a generator's side is told, ``detectors`` of what, and how much is asked."""

    models: tuple[str, ...]
    data: str
    stance: str
    detectors: tuple[str, ...]
    device: str
    scale: str
    seed: int

    @property
    def base(self) -> str:
        """All models, as the run is recorded."""
        return ", ".join(map(model_name, self.models))

    def arguments(self) -> list[str]:
        """The arguments of ``evenhand train`` for it, without those that say which run it is."""
        said = ["run", COMPASS, "--data", self.data, "--stance", self.stance, "--device", self.device]
        said += ["--scale", self.scale, "--seed", str(self.seed), "--base", *self.models]
        return [*said, "--detectors", *self.detectors] if self.detectors else said


def model_name(model: str) -> str:
    """A model as the trainer calls it: a folder by its name, else the name of the hub."""
    return Path(model).absolute().name if Path(model).is_dir() else model
