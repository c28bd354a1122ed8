"""What the audit window reads: jobs for the background, which touch no widget."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from app.training.launching import all_runs
from core.paths import data_folder
from core.runs.audit import Audit, Sampled, read_texts
from core.runs.folder import RunError
from core.runs.generators import generators, masked_models, partisan_models
from core.runs.judges import TrainedJudge, judges
from core.runs.model import Run

if TYPE_CHECKING:
    from core.store.store import Store

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
