"""One run of the examinations, in namespaces that end with it."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from installer.examine import results
from installer.examine.clean_root import Root
from installer.examine.examinations import EXAMINATIONS, LEFT_OUT_WITHOUT
from installer.examine.failing import FailedError
from installer.examine.inside import Inside
from installer.examine.person import Person
from installer.examine.results import Result
from installer.examine.screen import SOCKETS, shown
from installer.examine.stage import Stage


def run(root: Root, package: Path, out: Path, wheels: Path | None, names: Sequence[str]) -> int:
    """Install the package in the root, examine it, and return the exit code."""
    began = time.monotonic()
    SOCKETS.mkdir(mode=0o1777, exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", str(SOCKETS)], check=True)
    done: list[Result] = []
    try:
        root.make_ready(SOCKETS)
        root.install_file(package)
    except FailedError as error:
        done.append(_told(Result("install", False, time.monotonic() - began, str(error))))
    else:
        done.append(_told(Result("install", True, time.monotonic() - began, package.name)))
        with shown() as screen:
            stage = Stage(root, Inside(root, screen.display), Person(screen), package, out, wheels)
            done += [_told(_examined(stage, name)) for name in names if _can(stage, name)]
    last, code = results.verdict(done)
    results.keep(done, out, package.name)
    print(last, flush=True)
    return code


def _can(stage: Stage, name: str) -> bool:
    needed = LEFT_OUT_WITHOUT.get(name)
    if needed is None or getattr(stage, needed) is not None:
        return True
    print(f"{name:<12} left out: there is no {needed}", flush=True)
    return False


def _examined(stage: Stage, name: str) -> Result:
    stage.name = name
    for old in stage.out.glob(f"{name}-*"):
        old.unlink()
    began = time.monotonic()
    try:
        told, passed = EXAMINATIONS[name](stage), True
    except FailedError as error:
        told, passed = str(error), False
    return Result(name, passed, time.monotonic() - began, told)


def _told(result: Result) -> Result:
    print(result.line(), flush=True)
    return result


if __name__ == "__main__":
    place, deb, folder, offline, *chosen = sys.argv[1:]
    sys.exit(run(Root(Path(place)), Path(deb), Path(folder), Path(offline) if offline else None, chosen))
