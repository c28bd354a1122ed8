"""Protects the making of a training environment: complete or not used at all, and the one before stays until then."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path
from threading import Event

import pytest
from fake_uv import still_running, write_uv
from tiny_wheels import write_program, write_wheel

from core.storage.file_lock import FileLock
from core.training_env import find_training_python, setup_advice
from core.training_env.folders import latest_environment, training_folder
from core.training_env.plan import SetupPlan, make_plan
from core.training_env.setup import remove_environment, set_up
from core.training_env.types import Progress, SetupCancelledError, SetupError

ROOT = Path(__file__).resolve().parents[3]


def made(wheels: Path) -> list[Progress]:
    return list(set_up(make_plan(wheels=wheels)))


def left() -> set[str]:
    """What lies in the training folder, its log aside."""
    folder = training_folder()
    return {path.name for path in folder.iterdir()} - {"setup.log"} if folder.is_dir() else set()


def tries(wheels: Path, said: str, plan: SetupPlan | None = None) -> None:
    with pytest.raises(SetupError) as error:
        list(set_up(plan or make_plan(wheels=wheels)))
    assert said in str(error.value)


def wait_for(path: Path) -> None:
    for _ in range(600):
        if path.exists():
            return
        time.sleep(0.05)
    raise AssertionError(path)


@pytest.mark.parametrize("installer", ["pip", "uv"])
def test_an_installed_program_gets_an_environment_that_trains(
    program: Path, wheels: Path, installer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if installer == "uv":
        write_uv(program / "path")
    monkeypatch.setenv("PIP_INDEX_URL", "https://example.invalid/simple")
    assert find_training_python() is None
    assert "evenhand train setup" in setup_advice()
    plan = make_plan(wheels=wheels)
    rows = dict(plan.rows())
    assert installer in rows["With"]
    assert "network is not used" in rows["From"]
    told = list(set_up(plan))
    assert [stage.step for stage in told] == sorted(stage.step for stage in told)
    assert told[-1].step == told[-1].steps == 5
    assert any("torch" in stage.line for stage in told)
    found = find_training_python()
    assert found is not None
    assert found.managed
    assert "torch 2.9.1 · CPU" in found.description
    done = subprocess.run(found.command(["show", "x"]), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (7, "entry train show x\n")
    assert left() == {"environment-1"}
    marker = json.loads((training_folder() / "environment-1" / "complete.json").read_text())
    assert marker["build"] == "cpu"
    assert marker["packages"]["scikit-learn"] == "1.5"
    assert "PySide6-Essentials" not in marker["packages"]


@pytest.mark.usefixtures("program")
def test_a_wheel_that_only_another_one_needs_is_named_and_what_was_there_stays(
    wheels: Path, uv: Path
) -> None:
    made(wheels)
    before = find_training_python()
    (uv / "uv").unlink()
    (wheels / "filelock-3.0-py3-none-any.whl").unlink()
    tries(wheels, "lacks a wheel of filelock for Python 3.")
    assert left() == {"environment-1", "cache"}
    assert find_training_python() == before


@pytest.mark.usefixtures("uv")
def test_wheels_that_are_missing_are_named_before_anything_is_done(wheels: Path) -> None:
    (wheels / "scikit_learn-1.5-py3-none-any.whl").unlink()
    (wheels / "torch-2.9.1+cpu-py3-none-any.whl").unlink()
    with pytest.raises(SetupError, match=r"lacks wheels of: torch, scikit-learn\."):
        make_plan(wheels=wheels)
    with pytest.raises(SetupError, match="There is no folder"):
        make_plan(wheels=wheels / "gone")
    assert left() == set()


@pytest.mark.usefixtures("uv")
def test_what_does_not_work_after_all_is_not_used(wheels: Path) -> None:
    made(wheels)
    before = find_training_python()
    write_wheel(
        wheels, "transformers", "5.0", files={"transformers.py": "raise ImportError('libfoo.so is missing')"}
    )
    tries(wheels, "ImportError: libfoo.so is missing")
    assert find_training_python() == before
    assert left() == {"environment-1", "cache"}
    assert "libfoo" in (training_folder() / "setup.log").read_text()


@pytest.mark.usefixtures("uv")
def test_a_new_one_takes_the_place_of_the_old_one_when_it_is_complete(wheels: Path) -> None:
    made(wheels)
    plan = make_plan(wheels=wheels)
    assert "torch 2.9.1" in dict(plan.rows())["Instead of"]
    for progress in set_up(plan):
        there = latest_environment()
        assert there is not None
        assert there.folder.name == "environment-1" or progress.step == 5
    assert left() == {"environment-2"}
    found = find_training_python()
    assert found is not None
    assert "environment-2" in found.start[0]


def test_cancelling_ends_the_installer_and_all_it_started(wheels: Path, uv: Path) -> None:
    (uv / "act").write_text("hang")
    cancel = Event()
    running = set_up(make_plan(wheels=wheels), cancel)
    while next(running).line != "Downloading torch":
        pass
    cancel.set()
    with pytest.raises(SetupCancelledError, match="Nothing was changed"):
        next(running)
    assert still_running(uv) == []
    assert left() == {"cache"}
    assert find_training_python() is None


def test_who_stops_listening_ends_it_too(wheels: Path, uv: Path) -> None:
    """The window is closed, or Ctrl-C comes: the generator is thrown away in the middle."""
    (uv / "act").write_text("hang")
    running = set_up(make_plan(wheels=wheels))
    while next(running).line != "Downloading torch":
        pass
    running.close()
    assert still_running(uv) == []
    assert left() == {"cache"}


KILLED = """
import sys
sys.frozen, sys.executable = True, sys.argv[1]
from pathlib import Path
from core.training_env.plan import make_plan
from core.training_env.setup import set_up
for progress in set_up(make_plan(wheels=Path(sys.argv[2]))):
    print(progress.line, flush=True)
"""


def test_a_killed_try_is_begun_anew_and_its_rest_is_cleared(
    program: Path, wheels: Path, uv: Path, here: str
) -> None:
    (uv / "act").write_text("hang")
    command = [here, "-c", KILLED, str(program / "evenhand"), str(wheels)]
    child = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
    try:
        wait_for(uv / "pids")
    finally:
        child.send_signal(signal.SIGKILL)
        child.wait()
    try:
        assert "environment-1" in left()
        assert find_training_python() is None
        (uv / "act").unlink()
        made(wheels)
        assert left() == {"environment-2"}
        assert find_training_python() is not None
    finally:
        for pid in still_running(uv):
            os.kill(pid, signal.SIGKILL)


def test_a_disk_that_is_full_or_fills_up(wheels: Path, uv: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(wheels)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=10**9))
    plan = make_plan(wheels=wheels)
    assert not plan.has_space
    tries(wheels, "Training needs about 1.9 GB on the disk, but only 1.0 GB are free.", plan)
    assert not (uv / "calls").exists() or "venv" not in (uv / "calls").read_text()
    monkeypatch.undo()


def test_a_disk_that_fills_up_meanwhile(wheels: Path, uv: Path) -> None:
    (uv / "act").write_text("say error: failed to write: No space left on device (os error 28)")
    tries(wheels, "The disk is full. Free some space and try again.")
    assert left() == {"cache"}


@pytest.mark.usefixtures("uv")
def test_two_at_once_are_one_too_many(wheels: Path) -> None:
    training_folder().mkdir(parents=True)
    lock = FileLock.acquire(training_folder() / "setup.lock")
    assert lock is not None
    tries(wheels, "already setting up training")
    lock.release()
    made(wheels)


@pytest.mark.usefixtures("uv")
def test_what_a_training_may_be_using_is_not_removed(wheels: Path) -> None:
    made(wheels)
    runs = training_folder().parent / "runs"
    runs.mkdir()
    lock = FileLock.acquire(runs / "training.lock")
    assert lock is not None
    with pytest.raises(SetupError, match="A training run is in progress"):
        remove_environment()
    made(wheels)
    assert left() == {"environment-1", "environment-2"}
    lock.release()
    assert remove_environment()
    assert left() == set()
    assert not remove_environment()
    assert find_training_python() is None


def test_a_new_version_of_the_program_only_brings_its_own_code(
    program: Path, wheels: Path, uv: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(wheels)
    for wheel in (program / "wheels").iterdir():
        wheel.unlink()
    write_program(program, monkeypatch, version="9.10")
    assert find_training_python() is None
    assert "another version" in setup_advice()
    (uv / "calls").unlink()
    plan = make_plan()
    assert "network is not used" in dict(plan.rows())["From"]
    assert list(set_up(plan))[-1].steps == 2
    assert not (uv / "calls").exists()
    found = find_training_python()
    assert found is not None
    done = subprocess.run(found.command(["list"]), capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert left() == {"environment-1"}
    assert len([*(training_folder() / "environment-1").glob("project-*")]) == 1


@pytest.mark.usefixtures("uv")
def test_a_new_version_that_does_not_work_leaves_the_old_code(
    program: Path, wheels: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(wheels)
    old = next((program / "wheels").iterdir())
    kept = old.read_bytes()
    old.unlink()
    monkeypatch.setattr("tiny_wheels.ENTRY", "import sys; sys.exit('broken')")
    write_program(program, monkeypatch, version="9.10")
    tries(wheels, "does not work: broken")
    assert find_training_python() is None
    next((program / "wheels").iterdir()).unlink()
    old.write_bytes(kept)
    found = find_training_python()
    assert found is not None
    assert subprocess.run(found.command(["list"]), capture_output=True, check=False).returncode == 0


@pytest.mark.usefixtures("uv")
def test_what_is_damaged_is_not_used(wheels: Path) -> None:
    made(wheels)
    folder = training_folder() / "environment-1"
    marker, python = folder / "complete.json", folder / "bin" / "python"
    whole = marker.read_text()
    for text in (whole[:20], "[]", "{}"):
        marker.write_text(text)
        assert find_training_python() is None
    marker.write_text(whole)
    assert find_training_python() is not None
    python.unlink()
    assert find_training_python() is None
    made(wheels)
    assert find_training_python() is not None
    assert left() == {"environment-2"}
