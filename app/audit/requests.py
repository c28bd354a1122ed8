"""Requests of audits as arguments of the trainer, and background jobs that load runs and their results."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from app.runs.store_queries import list_runs
from core.paths import data_folder
from core.runs.folder import RunError
from core.runs.generator_audit import RECIPE as AUDIT
from core.runs.generator_audit import Audit, SampledPrompt, read_texts
from core.runs.political_compass import RECIPE as COMPASS
from core.runs.trained_models import (
    TrainedClassifier,
    find_generators,
    find_ideology_classifiers,
    find_masked_models,
    find_partisan_models,
)
from core.runs.types import Run

if TYPE_CHECKING:
    from core.storage.store import Store


@dataclass(frozen=True, slots=True)
class AuditRequest:
    """A bias audit of a generator (hub name or folder).

    ``classifier`` is a key of ``app.audit.audit_strings.BUILT_IN_CLASSIFIERS`` or the folder of the run that trained
    it.
    """

    base: str
    data: str
    attributes: tuple[str, ...]
    modes: tuple[str, ...]
    classifier: str
    device: str
    scale: str
    seed: int

    def arguments(self) -> list[str]:
        """The arguments of ``evenhand train`` except those that identify the run."""
        arguments = ["run", AUDIT, "--data", self.data, "--base", self.base, "--device", self.device]
        arguments += ["--scale", self.scale, "--seed", str(self.seed)]
        arguments += ["--judge", self.classifier, "--attribute", *self.attributes]
        return [*arguments, "--modes", *self.modes]


@dataclass(frozen=True, slots=True)
class CompassRequest:
    """A run of the political compass: models under test (hub names or folders), how a stance is read, and detector
    tasks.
    """

    models: tuple[str, ...]
    data: str
    stance: str
    detectors: tuple[str, ...]
    device: str
    scale: str
    seed: int

    @property
    def base(self) -> str:
        """The names of all models, as the run is recorded."""
        return ", ".join(map(model_name, self.models))

    def arguments(self) -> list[str]:
        """The arguments of ``evenhand train`` except those that identify the run."""
        arguments = ["run", COMPASS, "--data", self.data, "--stance", self.stance, "--device", self.device]
        arguments += ["--scale", self.scale, "--seed", str(self.seed), "--base", *self.models]
        return [*arguments, "--detectors", *self.detectors] if self.detectors else arguments


def model_name(model: str) -> str:
    """The name of a model as the trainer uses it: of a folder its name, else the hub name."""
    return Path(model).absolute().name if Path(model).is_dir() else model


Results = TypeVar("Results")


@dataclass(frozen=True, slots=True)
class RunInventory:
    """All runs, newest first, and the generators, masked models and classifiers that they trained; ``partisan`` models
    were pre-trained for a table.
    """

    runs: list[Run]
    generators: list[tuple[Run, Path]]
    masked: list[tuple[Run, Path]]
    partisan: list[Path]
    classifiers: list[TrainedClassifier]


@dataclass(frozen=True, slots=True)
class RunResults(Generic[Results]):
    """The results of a run so far; ``problem`` says what cannot be shown."""

    results: Results | None
    problem: str = ""


def load_runs(store: Store) -> RunInventory:
    """All runs, with those whose process ended marked as died, and the models that were trained here."""
    runs = list_runs(store)
    partisan = find_partisan_models(data_folder())
    return RunInventory(
        runs,
        find_generators(runs),
        find_masked_models(runs),
        partisan,
        find_ideology_classifiers(runs),
    )


def read_results(run: Run, read: Callable[[Path], Results | None]) -> RunResults[Results]:
    """The results of a run so far."""
    try:
        return RunResults(read(run.folder))
    except RunError as error:
        return RunResults(None, str(error))


def read_audit_texts(run: Run, audit: Audit, attribute: str) -> tuple[str, list[SampledPrompt]]:
    """The attribute and its texts. Raises RunError if they are damaged."""
    return attribute, read_texts(run.folder, attribute, audit.systems)
