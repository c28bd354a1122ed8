"""Protects runs against each other: several processes write at once, and one that is killed is found out."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from uuid import uuid4

import pytest

from core.runs.folder import RunError, is_alive, request_stop
from core.runs.run_store import RunStore
from core.runs.types import Status

ROOT = Path(__file__).resolve().parents[3]


def child(run_id: str, batches: int) -> subprocess.Popen[str]:
    """A process that is a run, as far as its beginning."""
    command = [sys.executable, "-m", "tests.core.runs.made_runs", run_id, str(batches)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline().strip().isdigit()
    assert process.stdout.readline() == "begun\n"
    return process


def test_processes_write_at_once_while_another_reads(runs: RunStore) -> None:
    ids = [str(uuid4()) for _ in range(3)]
    children = [child(run_id, 30) for run_id in ids]
    while any(process.poll() is None for process in children):
        listed = runs.list_runs()
        assert all(run.status in (Status.RUNNING, Status.FINISHED) for run in listed)
        for run in listed:
            steps = [point.step for point in runs.points(run.id)]
            assert steps == list(range(1, len(steps) + 1))
            assert len(steps) >= run.step
        assert runs.mark_died() == []
    assert [process.wait() for process in children] == [0, 0, 0]
    assert {run.id: (run.status, run.step) for run in runs.list_runs()} == dict.fromkeys(
        ids, (Status.FINISHED, 300)
    )
    for process in children:
        assert process.stdout is not None
        process.stdout.close()


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
def test_a_killed_process_is_marked_and_its_run_can_go_on(runs: RunStore) -> None:
    killed, lives = str(uuid4()), str(uuid4())
    with child(killed, 10_000) as dying, child(lives, 10_000) as living:
        alive = runs.get(lives)
        assert alive is not None
        assert is_alive(alive)
        assert runs.mark_died() == []
        with pytest.raises(RunError, match="is running"):
            runs.delete(lives)
        dying.send_signal(signal.SIGKILL)
        dying.wait()
        (died,) = runs.mark_died()
        assert (died.id, died.status) == (killed, Status.DIED)
        assert died.ended_at is not None
        request_stop(alive, "pause")
        assert living.wait() == 0
    paused = runs.get(lives)
    assert paused is not None
    assert paused.status is Status.PAUSED
    assert not is_alive(paused)
    with child(killed, 2) as again:
        assert again.wait() == 0
    finished = runs.get(killed)
    assert finished is not None
    assert (finished.status, finished.result) == (Status.FINISHED, {"f1": 0.5})
