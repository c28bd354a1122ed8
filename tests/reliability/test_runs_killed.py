"""Protects the record of runs: processes are killed at random moments, and none of what was kept is lost or blocked."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from uuid import uuid4

import pytest

from core.runs.run_store import RunStore
from core.runs.types import Status
from core.storage.store import Store

ROOT = Path(__file__).resolve().parents[2]


def killed(run_id: str, pause_s: float) -> None:
    """Begin a run in a process of its own, and kill that while it writes."""
    command = [sys.executable, "-m", "tests.core.runs.made_runs", run_id, "10000"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        said = [child.stdout.readline() for _ in range(2)]
        assert said[1] == "begun\n"
        time.sleep(pause_s)
        child.send_signal(signal.SIGKILL)


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
@pytest.mark.parametrize("kills", [3, pytest.param(40, marks=pytest.mark.slow)])
def test_killed_runs_are_marked_and_their_points_are_whole(kills: int) -> None:
    some = random.Random(kills)
    ids = [str(uuid4()) for _ in range(max(1, kills // 2))]
    for at in range(kills):
        run_id = ids[at % len(ids)]
        killed(run_id, some.uniform(0, 0.15))
        with closing(Store.open()) as store:
            assert store.notes == ()
            assert store.check() == []
            runs = RunStore(store)
            assert [(run.id, run.status) for run in runs.mark_died()] == [(run_id, Status.DIED)]
            run = runs.get(run_id)
            assert run is not None
            # A batch of ten is kept whole or not at all, and never less than what the progress tells.
            steps = sorted(point.step for point in runs.points(run_id))
            assert steps == list(range(1, len(steps) + 1))
            assert len(steps) % 10 == 0
            assert len(steps) >= run.step
    with closing(Store.open()) as store:
        runs = RunStore(store)
        for run_id in ids:
            runs.delete(run_id)
        assert runs.list_runs() == []
