"""How a page that shows runs begins one, and what it asks the store: jobs for the background touch no widget."""

from __future__ import annotations

import subprocess
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from app.training.child_start import clear_away, start
from app.training.desk import Desk
from core import environment
from core.environment import Trainer
from core.files import cause_of
from core.language import tr
from core.runs.folder import runs_folder
from core.runs.model import Run, Status

if TYPE_CHECKING:
    from app.training.asking_form import Wanted
    from core.store.store import Store


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
    from core.runs.runs import Runs

    runs = Runs(store)
    runs.mark_died()
    return runs.listed()


def trainer_and_run(store: Store, run_id: str) -> tuple[Trainer | None, Run | None]:
    """What can train, and a run."""
    from core.runs.runs import Runs

    return environment.trainer(), Runs(store).get(run_id)
