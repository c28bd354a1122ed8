"""Runs the examinations, inside namespaces that end with the process."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from installer.examine import results
from installer.examine.clean_root import Root
from installer.examine.context import Context
from installer.examine.examinations import EXAMINATIONS, SKIPPED_WITHOUT
from installer.examine.results import FailedError, Result
from installer.examine.sandbox import Sandbox
from installer.examine.screen import SOCKETS, open_screen
from installer.examine.user import User


def run(root: Root, package: Path, out: Path, wheels: Path | None, names: Sequence[str]) -> int:
    """Install the package in the root, examine it, and return the exit code."""
    began = time.monotonic()
    SOCKETS.mkdir(mode=0o1777, exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", str(SOCKETS)], check=True)
    done: list[Result] = []
    try:
        root.set_up(SOCKETS)
        root.install_file(package)
    except FailedError as error:
        done.append(_print_result(Result("install", False, time.monotonic() - began, str(error))))
    else:
        done.append(_print_result(Result("install", True, time.monotonic() - began, package.name)))
        with open_screen() as screen:
            context = Context(root, Sandbox(root, screen.display), User(screen), package, out, wheels)
            done += [_print_result(_examine(context, name)) for name in names if _can_run(context, name)]
    last, code = results.verdict(done)
    results.write_results(done, out, package.name)
    print(last, flush=True)
    return code


def _can_run(context: Context, name: str) -> bool:
    needed = SKIPPED_WITHOUT.get(name)
    if needed is None or getattr(context, needed) is not None:
        return True
    print(f"{name:<12} skipped: there is no {needed}", flush=True)
    return False


def _examine(context: Context, name: str) -> Result:
    context.name = name
    for old in context.out.glob(f"{name}-*"):
        old.unlink()
    began = time.monotonic()
    try:
        summary, passed = EXAMINATIONS[name](context), True
    except FailedError as error:
        summary, passed = str(error), False
    return Result(name, passed, time.monotonic() - began, summary)


def _print_result(result: Result) -> Result:
    print(result.line(), flush=True)
    return result


if __name__ == "__main__":
    place, deb, folder, offline, *chosen = sys.argv[1:]
    sys.exit(run(Root(Path(place)), Path(deb), Path(folder), Path(offline) if offline else None, chosen))
