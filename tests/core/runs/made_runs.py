"""Runs made up for tests, and a process that is one."""

from __future__ import annotations

import json
import os
import sys
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

from core.runs.folder import runs_folder
from core.runs.run_store import RunStore
from core.runs.trained_models import CLASSIFIER_FILE, CLASSIFIER_FOLDER, CLASSIFIER_FORMAT
from core.runs.types import ALIVE_LOCK, STOP_REQUEST, MetricPoint, Run, Status
from core.storage.file_lock import FileLock
from core.storage.store import Store

BEGUN = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def a_run(at: int = 0, **changes: object) -> Run:
    """A run that began ``at`` minutes after noon, with a folder."""
    run_id = str(uuid4())
    values: dict[str, object] = {
        "id": run_id,
        "recipe": "reader",
        "status": Status.RUNNING,
        "folder": runs_folder() / run_id,
        "scale": "smoke",
        "base": "some/encoder",
        "device": "cpu",
        "seed": 42,
        "code": "0.1.0",
        "made_at": BEGUN + timedelta(minutes=at),
        "settings": {"learning_rate": "5e-05"},
    }
    run = Run(**values | changes)  # type: ignore[arg-type]
    run.folder.mkdir(parents=True, exist_ok=True)
    return run


def some_points(number: int, *, stage: str = "reader") -> list[MetricPoint]:
    """A falling loss, one value a step."""
    return [MetricPoint(stage, step, "step", "loss", 1 / (1 + step)) for step in range(1, number + 1)]


def work(run_id: str, batches: int) -> None:
    """What a training process does: hold the lock, begin, tell points, obey an order, finish."""
    run = a_run(id=run_id, folder=runs_folder() / run_id)
    lock = FileLock.acquire(run.folder / ALIVE_LOCK)
    assert lock is not None
    with closing(Store.open()) as store:
        runs = RunStore(store)
        runs.begin(run)
        print("begun", flush=True)
        for batch in range(batches):
            first = batch * 10
            points = [MetricPoint("reader", first + at, "step", "loss", 0.5) for at in range(1, 11)]
            runs.add_points(run_id, points)
            runs.progress(run_id, stage="reader", step=first + 10, steps=batches * 10, eta_s=1.0, message="")
            if (run.folder / STOP_REQUEST).exists():
                runs.finish(run_id, Status.PAUSED)
                return
            if batches > 100:
                time.sleep(0.01)
        runs.finish(run_id, Status.FINISHED, result={"f1": 0.5})
    lock.release()


if __name__ == "__main__":
    print(os.getpid(), flush=True)
    work(sys.argv[1], int(sys.argv[2]))


def made_classifier(folder: Path, *, sides: str = "two", version: int = CLASSIFIER_FORMAT) -> None:
    """What a run of the recipe ``ideology-classifier`` says of its classifier, in its folder."""
    (folder / CLASSIFIER_FOLDER).mkdir()
    metrics = {"random_macro_f1": 0.812, "grouped_macro_f1": 0.531}
    told = {"format": version, "sides": sides, "metrics": metrics}
    (folder / CLASSIFIER_FOLDER / CLASSIFIER_FILE).write_text(json.dumps(told), encoding="utf-8")
