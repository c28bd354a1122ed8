"""Starting a run, and reading, exporting and deleting runs: background jobs that touch no widget."""

from __future__ import annotations

import subprocess
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from app.models.app_context import Desk
from app.runs.run_process import clear_away, start
from core import training_env
from core.i18n import tr
from core.runs.folder import RunError, has_bundle, log_tail, runs_folder
from core.runs.metrics import Figures, read_figures
from core.runs.types import Artefact, Point, Run, Status
from core.storage.files import cause_of
from core.training_env import Trainer

if TYPE_CHECKING:
    from app.runs.request_form import Wanted
    from core.storage.store import Store


# How a page that shows runs begins one, and what it asks the store: jobs for the background touch no widget.


def new_run(recipe: str, asked: Wanted) -> Run:
    """A run of what was asked, as it is before its process has said a word."""
    run_id = str(uuid.uuid4())
    return Run(
        id=run_id,
        recipe=recipe,
        status=Status.RUNNING,
        folder=runs_folder() / run_id,
        scale=asked.scale,
        base=asked.base,
        device=asked.device,
        seed=asked.seed,
        code="",
        made_at=datetime.now(UTC),
    )


def launched(
    desk: Desk, trainer: Trainer | None, run: Run, arguments: Sequence[str], *, failed: str
) -> subprocess.Popen[bytes] | None:
    """The child of a run; where it cannot be started a person is told, by ``failed`` with its ``{cause}``."""
    if trainer is None:
        desk.told.emit(tr("Set up training first: nothing here can train."))
        return None
    try:
        return start(trainer.command(arguments), run.folder)
    except OSError as error:
        clear_away(run.folder)
        desk.told.emit(failed.format(cause=cause_of(error)))
        return None


def all_runs(store: Store) -> list[Run]:
    """All runs, newest first; those whose process is gone are marked so."""
    from core.runs.run_store import Runs

    runs = Runs(store)
    runs.mark_died()
    return runs.listed()


def trainer_and_run(store: Store, run_id: str) -> tuple[Trainer | None, Run | None]:
    """What can train, and a run."""
    from core.runs.run_store import Runs

    return training_env.trainer(), Runs(store).get(run_id)


# What the history reads of runs: jobs for the background, which touch no widget.


@dataclass(frozen=True, slots=True)
class Told:
    """All that is known of a run. ``problem`` says what of it cannot be shown; ``bundle``: it has left a model."""

    run: Run
    points: list[Point]
    artefacts: list[Artefact]
    figures: Figures
    problem: str
    log: str
    bundle: bool


def list_runs(store: Store) -> list[Run]:
    """All runs, newest first; those whose process is gone are marked so."""
    from core.runs.run_store import Runs

    runs = Runs(store)
    runs.mark_died()
    return runs.listed()


def read_runs(store: Store, chosen: Sequence[Run]) -> list[Told]:
    """All that is known of these runs; one that was deleted meanwhile has nothing but itself."""
    from core.runs.run_store import Runs

    runs = Runs(store)
    return [_told(runs.points(run.id), runs.artefacts(run.id), run) for run in chosen]


def export_run(store: Store, run: Run, target: Path) -> None:
    """Write a run into a zip file. Raises RunError."""
    from core.runs.run_store import Runs

    Runs(store).export(run.id, target)


def delete_runs(store: Store, chosen: Sequence[Run]) -> list[str]:
    """Delete runs; returns a sentence for each that could not be."""
    from core.runs.run_store import Runs

    said = []
    for run in chosen:
        try:
            Runs(store).delete(run.id)
        except RunError as error:
            said.append(str(error))
    return said


def _told(points: list[Point], artefacts: list[Artefact], run: Run) -> Told:
    figures, problem = Figures(), ""
    try:
        figures = read_figures(run)
    except RunError as error:
        problem = str(error)
    return Told(run, points, artefacts, figures, problem, log_tail(run), has_bundle(run))
