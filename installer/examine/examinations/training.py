"""*Set up training* from a folder of wheels, a tiny recipe, and its model in use; all of it without a network."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from installer.examine.clean_root import USER_ID
from installer.examine.examinations.rooms import TABS_TO_TRAINING, check_no_problem
from installer.examine.failing import check
from installer.examine.inside import HOME, Said
from installer.examine.stage import CHECKOUT, COMMAND, Stage
from installer.examine.word_file import draft

_WHEELS = "srv/wheels"
_DRAFT = "harbour.md"
_SETUP = ("train", "setup", "--wheels", f"/{_WHEELS}", "--yes")
_SETUP_S = 1500
_TABS_TO_RUNS = 5
_MAKE = """
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tests.training.tiny_corpora import make_base, make_corpora
make_corpora(Path(sys.argv[1], "corpora"))
make_base(Path(sys.argv[1], "base"))
"""


def sets_up(stage: Stage) -> str:
    """*Set up training* in the window: without a Python it says so; with Debian's it makes the environment."""
    _bring_wheels(stage)
    told = ""
    if not stage.root.pythons():
        said = stage.inside.run(COMMAND, *_SETUP)
        lines = said.err.strip().splitlines()
        check(
            said.code == 2 and len(lines) == 1 and "Python 3.11" in lines[0],
            f"without Python: {_shown(said)}",
        )
        told = f"without Python: “{lines[0]}”; "
        _in_the_dialog(stage, lambda: stage.picture("no-python"))
        stage.root.install("python3", "python3-venv")
    began = time.monotonic()
    _in_the_dialog(stage, lambda: _press_set_up(stage))
    listed = _run(stage, "train", "list").out
    check("reader" in listed, f"train list says {listed!r}")
    return f"{told}set up in the window in {time.monotonic() - began:.0f} s"


def _bring_wheels(stage: Stage) -> None:
    place = stage.root.path / _WHEELS
    if not (place.is_dir() and any(place.iterdir())):
        stage.root.mount(str(stage.wheels), _WHEELS, "--bind", "-o", "ro")


def _in_the_dialog(stage: Stage, act: Callable[[], None]) -> None:
    """Do something where *Set up training* is open."""
    with _settings(stage, parts=1):
        stage.person.press("Tab", "space")
        stage.person.await_window("Set up training")
        stage.person.await_rest()
        act()


def _see_the_run(stage: Stage) -> None:
    """Look at the runs, with their curves."""
    with _settings(stage, parts=2):
        stage.person.await_rest(3.0)
        stage.person.press(*("Tab",) * _TABS_TO_RUNS, "ctrl+Home", "space")
        stage.person.await_rest(3.0)
        stage.picture("runs")


@contextmanager
def _settings(stage: Stage, *, parts: int) -> Iterator[None]:
    """The window with *Models and training* open, so many parts to the right; in the end it knows of no problem."""
    person, title = stage.person, f"{_DRAFT} — Evenhand"
    with stage.window(stage.put(_DRAFT, b"The vote is due in March.\n")) as program:
        person.await_window(title)
        person.await_rest()
        person.press("ctrl+comma")
        person.await_window("Settings")
        person.press("Down", "Down")
        person.await_rest()
        person.press(*("Tab",) * TABS_TO_TRAINING, *("Right",) * parts)
        person.await_rest()
        yield
        person.escape_to(title)
        check_no_problem(stage, _DRAFT)
        stage.leave(program)


def _press_set_up(stage: Stage) -> None:
    stage.person.press("Tab")
    stage.person.write(f"/{_WHEELS}")
    stage.person.await_rest(2.0)
    stage.picture("plan")
    stage.person.press("alt+s")
    stage.person.await_rest()
    stage.picture("going")
    stage.await_file(".local/share/evenhand/training/environment-*/complete.json", _SETUP_S)
    stage.person.await_rest(2.0)
    stage.picture("done")
    stage.person.escape_to("Settings")
    stage.person.await_rest(2.0)
    stage.picture("retrain")


def trains(stage: Stage) -> str:
    """Set up by the command line, a tiny reader is trained, used and taken back."""
    _bring_wheels(stage)
    stage.root.install("python3", "python3-venv")
    _run(stage, "train", "setup", "--remove")
    made = _run(stage, *_SETUP, patience_s=_SETUP_S)
    (stage.out / f"{stage.name}-setup.txt").write_text(made.out + made.err, encoding="utf-8")
    _make_corpora(stage.root.home)
    before = _biases(stage)
    data = ("--data", f"{HOME}/corpora", "--base", f"{HOME}/base")
    tiny = ("--device", "cpu", "--scale", "smoke", "--rate", "0.001")
    trained = _run(stage, "train", "run", "reader", *data, *tiny, patience_s=1200)
    (stage.out / f"{stage.name}-run.jsonl").write_text(trained.out, encoding="utf-8")
    end = json.loads(trained.out.splitlines()[-1])
    check(end["event"] == "end", f"the run's last word is {end}")
    _run(stage, "models", "promote", end["run"])
    after = _biases(stage)
    check(after != before, "the trained model is promoted, and check reads as it did before")
    _see_the_run(stage)
    _run(stage, "models", "rollback")
    check(_biases(stage) == before, "after going back, check does not read as it did before")
    last = made.out.strip().splitlines()[-1]
    return f"{last} Run {end['run'][:8]} trained, was promoted, read otherwise, and was taken back"


def _make_corpora(home: Path) -> None:
    variables = {**os.environ, "CUDA_VISIBLE_DEVICES": ""}
    subprocess.run([sys.executable, "-c", _MAKE, str(home)], cwd=CHECKOUT, env=variables, check=True)
    for path in (home / "corpora", home / "base"):
        for one in (path, *path.rglob("*")):
            os.chown(one, USER_ID, USER_ID)


def _biases(stage: Stage) -> list[float]:
    said = stage.inside.run(COMMAND, "check", stage.put("draft.docx", draft()), "--format", "json")
    check(said.code in (0, 1), f"check fails: {_shown(said)}")
    return [one["bias"] for one in json.loads(said.out)["files"][0]["sentences"]]


def _run(stage: Stage, *call: str, patience_s: float = 180) -> Said:
    said = stage.inside.run(COMMAND, *call, patience_s=patience_s)
    check(said.code == 0, f"evenhand {' '.join(call)} ended with {said.code}: {_shown(said)}")
    return said


def _shown(said: Said) -> str:
    return (said.err.strip() or said.out.strip() or "nothing")[-400:]
