"""Audits as the trainer's command line takes them, and background jobs that read runs and their results."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from app.runs.store_queries import all_runs
from core.paths import data_folder
from core.runs.folder import RunError
from core.runs.generator_audit import RECIPE as AUDIT
from core.runs.generator_audit import Audit, Sampled, read_texts
from core.runs.political_compass import RECIPE as COMPASS
from core.runs.trained_models import TrainedJudge, generators, judges, masked_models, partisan_models
from core.runs.types import Run

if TYPE_CHECKING:
    from core.storage.store import Store


# What a person asks of an audit, as the trainer's command line takes it.


@dataclass(frozen=True, slots=True)
class AuditAsked:
    """A generator (hub name or folder), the attributes, how it is calibrated, who judges, and how much is generated.

    ``judge`` is one of ``app.audit.bias_form.JUDGES`` or the folder of a run that trained one.
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


# What the audit window reads: jobs for the background, which touch no widget.


What = TypeVar("What")


@dataclass(frozen=True, slots=True)
class Known:
    """What there is: all runs, newest first, the generators, masked models and judges that some of them made, and
    ``partisan`` models that were pre-trained for a table.
    """

    runs: list[Run]
    generators: list[tuple[Run, Path]]
    masked: list[tuple[Run, Path]]
    partisan: list[Path]
    judges: list[TrainedJudge]


@dataclass(frozen=True, slots=True)
class Found(Generic[What]):
    """What a run has found so far; ``problem`` says what of it cannot be shown."""

    what: What | None
    problem: str = ""


def known(store: Store) -> Known:
    """All runs, those whose process is gone marked so, and the models that were trained here."""
    listed = all_runs(store)
    partisan = partisan_models(data_folder())
    return Known(listed, generators(listed), masked_models(listed), partisan, judges(listed))


def found(run: Run, read: Callable[[Path], What | None]) -> Found[What]:
    """What a run has found so far."""
    try:
        return Found(read(run.folder))
    except RunError as error:
        return Found(None, str(error))


def texts(run: Run, audit: Audit, attribute: str) -> tuple[str, list[Sampled]]:
    """The texts of an attribute, after its name. Raises RunError where they are damaged."""
    return attribute, read_texts(run.folder, attribute, audit.systems)
