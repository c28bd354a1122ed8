"""Starting runs, and loading, exporting and deleting them. The functions run in the background and touch no widget."""

from __future__ import annotations

import subprocess
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from app.models.app_context import AppContext
from app.runs.run_process import remove_empty_run, start_process
from core import training_env
from core.i18n import tr
from core.runs.folder import RunError, has_bundle, log_tail, runs_folder
from core.runs.metrics import RunMetrics, read_run_metrics
from core.runs.recipes import Request
from core.runs.types import Artefact, MetricPoint, Run, Status
from core.storage.files import describe_os_error
from core.training_env import TrainingPython

if TYPE_CHECKING:
    from core.storage.store import Store


def new_run(recipe: str, request: Request) -> Run:
    """The record of a requested run before its process has started."""
    run_id = str(uuid.uuid4())
    return Run(
        id=run_id,
        recipe=recipe,
        status=Status.RUNNING,
        folder=runs_folder() / run_id,
        scale=request.scale,
        base=request.base,
        device=request.device,
        seed=request.seed,
        code="",
        made_at=datetime.now(UTC),
    )


def launch_run(
    context: AppContext, trainer: TrainingPython | None, run: Run, arguments: Sequence[str], *, failed: str
) -> subprocess.Popen[bytes] | None:
    """Start the process of a run; on failure show ``failed`` with its ``{cause}``, and return None."""
    if trainer is None:
        context.message.emit(tr("Set up training first."))
        return None
    try:
        return start_process(trainer.command(arguments), run.folder)
    except OSError as error:
        remove_empty_run(run.folder)
        context.message.emit(failed.format(cause=describe_os_error(error)))
        return None


def list_runs(store: Store) -> list[Run]:
    """All runs, newest first; those whose process ended are marked as died."""
    from core.runs.run_store import RunStore

    runs = RunStore(store)
    runs.mark_died()
    return runs.list_runs()


def find_trainer_and_run(store: Store, run_id: str) -> tuple[TrainingPython | None, Run | None]:
    """The trainer and a run; each may be None."""
    from core.runs.run_store import RunStore

    return training_env.find_training_python(), RunStore(store).get(run_id)


@dataclass(frozen=True, slots=True)
class RunRecord:
    """All data of a run. ``problem`` says what cannot be shown; ``bundle``: whether it has a model."""

    run: Run
    points: list[MetricPoint]
    artefacts: list[Artefact]
    metrics: RunMetrics
    problem: str
    log: str
    bundle: bool


def read_runs(store: Store, selected: Sequence[Run]) -> list[RunRecord]:
    """The data of these runs."""
    from core.runs.run_store import RunStore

    runs = RunStore(store)
    return [_make_record(runs.points(run.id), runs.artefacts(run.id), run) for run in selected]


def export_run(store: Store, run: Run, target: Path) -> None:
    """Write a run to a zip file. Raises RunError."""
    from core.runs.run_store import RunStore

    RunStore(store).export(run.id, target)


def delete_runs(store: Store, selected: Sequence[Run]) -> list[str]:
    """Delete runs; returns a sentence for each that could not be deleted."""
    from core.runs.run_store import RunStore

    problems = []
    for run in selected:
        try:
            RunStore(store).delete(run.id)
        except RunError as error:
            problems.append(str(error))
    return problems


def _make_record(points: list[MetricPoint], artefacts: list[Artefact], run: Run) -> RunRecord:
    metrics, problem = RunMetrics(), ""
    try:
        metrics = read_run_metrics(run)
    except RunError as error:
        problem = str(error)
    return RunRecord(run, points, artefacts, metrics, problem, log_tail(run), has_bundle(run))
