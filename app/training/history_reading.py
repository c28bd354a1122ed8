"""What the history reads of runs: jobs for the background, which touch no widget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from core.runs.figures import Figures, read_figures
from core.runs.folder import RunError, has_bundle, log_tail
from core.runs.model import Artefact, Point, Run

if TYPE_CHECKING:
    from core.store.store import Store


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
    from core.runs.runs import Runs

    runs = Runs(store)
    runs.mark_died()
    return runs.listed()


def read_runs(store: Store, chosen: Sequence[Run]) -> list[Told]:
    """All that is known of these runs; one that was deleted meanwhile has nothing but itself."""
    from core.runs.runs import Runs

    runs = Runs(store)
    return [_told(runs.points(run.id), runs.artefacts(run.id), run) for run in chosen]


def export_run(store: Store, run: Run, target: Path) -> None:
    """Write a run into a zip file. Raises RunError."""
    from core.runs.runs import Runs

    Runs(store).export(run.id, target)


def delete_runs(store: Store, chosen: Sequence[Run]) -> list[str]:
    """Delete runs; returns a sentence for each that could not be."""
    from core.runs.runs import Runs

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
