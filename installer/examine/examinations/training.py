"""*Set up training* from a folder of wheels, a tiny recipe, and its model in use; all of it without a network."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from installer.examine.clean_root import USER_ID
from installer.examine.failing import check
from installer.examine.inside import HOME, Said
from installer.examine.stage import CHECKOUT, COMMAND, Stage
from installer.examine.word_file import draft

_WHEELS = "srv/wheels"
_MAKE = """
import sys
from pathlib import Path
from tests.training.tiny_corpora import make_base, make_corpora
make_corpora(Path(sys.argv[1], "corpora"))
make_base(Path(sys.argv[1], "base"))
"""


def trains(stage: Stage) -> str:
    """Without a Python it says so; with Debian's it makes an environment, trains a tiny reader and reads with it."""
    assert stage.wheels is not None
    stage.root.mount(str(stage.wheels), _WHEELS, "--bind", "-o", "ro")
    setup = ("train", "setup", "--wheels", f"/{_WHEELS}", "--yes")
    if not stage.root.pythons():
        said = stage.inside.run(COMMAND, *setup)
        lines = said.err.strip().splitlines()
        check(
            said.code == 2 and len(lines) == 1 and "Python 3.11" in lines[0],
            f"without Python: {_shown(said)}",
        )
    stage.root.install("python3", "python3-venv")
    made = _run(stage, *setup, patience_s=1500)
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
    _run(stage, "models", "rollback")
    check(_biases(stage) == before, "after going back, check does not read as it did before")
    with stage.window(f"{HOME}/draft.docx") as program:
        stage.person.await_window("draft.docx — Evenhand")
        stage.person.press("ctrl+comma")
        stage.person.await_rest(2.0)
        stage.picture("settings")
        stage.person.press("Escape")
        stage.leave(program)
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
