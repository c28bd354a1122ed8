"""*Set up training* from a folder of wheels, a tiny training run, and its model in use; without a network."""

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
from installer.examine.context import CHECKOUT, COMMAND, Context
from installer.examine.docx_draft import draft
from installer.examine.examinations.pages import TABS_TO_TRAINING, check_no_problem
from installer.examine.results import check
from installer.examine.sandbox import HOME, CommandResult

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


def sets_up(context: Context) -> str:
    """*Set up training* in the window: an error without a Python; with Debian's Python it creates the environment."""
    _mount_wheels(context)
    prefix = ""
    if not context.root.pythons():
        result = context.sandbox.run(COMMAND, *_SETUP)
        lines = result.err.strip().splitlines()
        check(
            result.code == 2 and len(lines) == 1 and "Python 3.11" in lines[0],
            f"without Python: {_shown(result)}",
        )
        prefix = f"without Python: “{lines[0]}”; "
        _in_the_dialog(context, lambda: context.screenshot("no-python"))
        context.root.install("python3", "python3-venv")
    began = time.monotonic()
    _in_the_dialog(context, lambda: _press_set_up(context))
    listed = _run(context, "train", "list").out
    check("reader" in listed, f"train list says {listed!r}")
    return f"{prefix}set up in the window in {time.monotonic() - began:.0f} s"


def _mount_wheels(context: Context) -> None:
    place = context.root.path / _WHEELS
    if not (place.is_dir() and any(place.iterdir())):
        context.root.mount(str(context.wheels), _WHEELS, "--bind", "-o", "ro")


def _in_the_dialog(context: Context, act: Callable[[], None]) -> None:
    """Call ``act`` with the *Set up training* dialog open."""
    with _settings(context, tabs=1):
        context.user.press("Tab", "space")
        context.user.await_window("Set up training")
        context.user.await_rest()
        act()


def _open_runs(context: Context) -> None:
    """Open the list of runs with their curves."""
    with _settings(context, tabs=2):
        context.user.await_rest(3.0)
        context.user.press(*("Tab",) * _TABS_TO_RUNS, "ctrl+Home", "space")
        context.user.await_rest(3.0)
        context.screenshot("runs")


@contextmanager
def _settings(context: Context, *, tabs: int) -> Iterator[None]:
    """The window with a tab of *Models and training* open, ``tabs`` to the right; no problems at the end."""
    user, title = context.user, f"{_DRAFT} — Evenhand"
    with context.window(context.write(_DRAFT, b"The vote is due in March.\n")) as program:
        user.await_window(title)
        user.await_rest()
        user.press("ctrl+comma")
        user.await_window("Settings")
        user.press("Down", "Down")
        user.await_rest()
        user.press(*("Tab",) * TABS_TO_TRAINING, *("Right",) * tabs)
        user.await_rest()
        yield
        user.escape_to(title)
        check_no_problem(context, _DRAFT)
        context.quit(program)


def _press_set_up(context: Context) -> None:
    context.user.press("Tab")
    context.user.write(f"/{_WHEELS}")
    context.user.await_rest(2.0)
    context.screenshot("plan")
    context.user.press("alt+s")
    context.user.await_rest()
    context.screenshot("going")
    context.await_file(".local/share/evenhand/training/environment-*/complete.json", _SETUP_S)
    context.user.await_rest(2.0)
    context.screenshot("done")
    context.user.escape_to("Settings")
    context.user.await_rest(2.0)
    context.screenshot("retrain")


def trains(context: Context) -> str:
    """Set up on the command line; a tiny reader is trained, promoted and rolled back."""
    _mount_wheels(context)
    context.root.install("python3", "python3-venv")
    _run(context, "train", "setup", "--remove")
    made = _run(context, *_SETUP, timeout_s=_SETUP_S)
    (context.out / f"{context.name}-setup.txt").write_text(made.out + made.err, encoding="utf-8")
    _make_corpora(context.root.home)
    before = _biases(context)
    data = ("--data", f"{HOME}/corpora", "--base", f"{HOME}/base")
    tiny = ("--device", "cpu", "--scale", "smoke", "--learning-rate", "0.001")
    trained = _run(context, "train", "reader", *data, *tiny, timeout_s=1200)
    (context.out / f"{context.name}-run.jsonl").write_text(trained.out, encoding="utf-8")
    end = json.loads(trained.out.splitlines()[-1])
    check(end["event"] == "end", f"the last event of the run is {end}")
    _run(context, "models", "promote", end["run"])
    after = _biases(context)
    check(after != before, "the trained model is promoted, but check gives the same result as before")
    _open_runs(context)
    _run(context, "models", "rollback")
    check(_biases(context) == before, "after the rollback, check does not give the result from before")
    last = made.out.strip().splitlines()[-1]
    return f"{last} Run {end['run'][:8]} was trained, promoted, gave other results, and was rolled back"


def _make_corpora(home: Path) -> None:
    variables = {**os.environ, "CUDA_VISIBLE_DEVICES": ""}
    subprocess.run([sys.executable, "-c", _MAKE, str(home)], cwd=CHECKOUT, env=variables, check=True)
    for path in (home / "corpora", home / "base"):
        for one in (path, *path.rglob("*")):
            os.chown(one, USER_ID, USER_ID)


def _biases(context: Context) -> list[float]:
    result = context.sandbox.run(COMMAND, "check", context.write("draft.docx", draft()), "--format", "json")
    check(result.code in (0, 1), f"check fails: {_shown(result)}")
    return [one["bias"] for one in json.loads(result.out)["files"][0]["sentences"]]


def _run(context: Context, *call: str, timeout_s: float = 180) -> CommandResult:
    result = context.sandbox.run(COMMAND, *call, timeout_s=timeout_s)
    check(result.code == 0, f"evenhand {' '.join(call)} ended with {result.code}: {_shown(result)}")
    return result


def _shown(result: CommandResult) -> str:
    return (result.err.strip() or result.out.strip() or "nothing")[-400:]
