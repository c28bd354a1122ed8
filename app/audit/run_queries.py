"""Background jobs of the audit window: loading runs, trained models, results and texts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from app.runs.store_queries import list_runs
from core.paths import data_folder
from core.runs.folder import RunError
from core.runs.generator_audit import Audit, SampledPrompt, read_texts
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
