"""How a training child is started: apart from the app, so that it lives on when the app is closed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from core.environment import child_variables
from core.runs.model import EVENTS, LOG


@dataclass(frozen=True, slots=True)
class Asked:
    """What a person asks of a training."""

    recipe: str
    base: str
    data: str
    device: str
    scale: str
    seed: int
    injected: str = ""
    corrections: str = ""
    pairs: str = ""

    def arguments(self) -> list[str]:
        """The arguments of ``evenhand train`` for it, without those that say which run it is."""
        said = ["run", self.recipe, "--data", self.data, "--base", self.base, "--device", self.device]
        said += ["--scale", self.scale, "--seed", str(self.seed)]
        said += ["--injected", self.injected] if self.injected else []
        said += ["--pairs", self.pairs] if self.pairs else []
        return said + (["--corrections", self.corrections] if self.corrections else [])


class Asking(Protocol):
    """What is asked of the trainer, as a recipe's arguments."""

    def arguments(self) -> list[str]:
        """The arguments of ``evenhand train``, without those that say which run it is."""
        ...


def fresh(asked: Asking, run_id: str) -> list[str]:
    """The arguments of ``evenhand train`` for a new run of this id, which lives on without the app."""
    return [*asked.arguments(), "--run-id", run_id, "--detached"]


def going_on(recipe: str, run_id: str) -> list[str]:
    """The arguments that go on with a run; what was asked of it lies in its folder."""
    return ["run", recipe, "--resume", run_id, "--detached"]


def start(command: Sequence[str], folder: Path) -> subprocess.Popen[bytes]:
    """Start a training whose run lies in ``folder``, which is made; its log gets what it writes to standard error.

    Raises OSError where the folder cannot be made or the program cannot be started.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    apart: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}
    descriptor = os.open(folder / LOG, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    with os.fdopen(descriptor, "ab") as log:
        return subprocess.Popen(
            list(command),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=log,
            env=child_variables(),
            **apart,
        )


def last_line(text: str) -> str:
    """The last line that says something, without the name of the program before it."""
    said = [line.strip() for line in text.splitlines() if line.strip()]
    return said[-1].removeprefix("evenhand train: ").removeprefix("evenhand: ") if said else ""


def clear_away(folder: Path) -> None:
    """Remove what is left of a child that ended before it said a word: its log, and its folder if that was all."""
    if (folder / EVENTS).exists():
        return
    try:
        (folder / LOG).unlink(missing_ok=True)
        folder.rmdir()
    except OSError:
        return
