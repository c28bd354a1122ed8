"""The window and the command line: how long until they are there, and from a key to the line under the word."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from resources import ROOT
from tests.benchmarks.window_start import _measure as window_start

SAMPLE = ROOT / "samples" / "sample.md"
COMMANDS = {
    "evenhand --version": ("--version",),
    "evenhand check": ("check", str(SAMPLE)),
    "evenhand check --suggest 3": ("check", "--suggest", "3", str(SAMPLE)),
}
_LONGEST_S = 600


def starts(runs: int) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    """Seconds from the start of a process, by turns: of the window to each of its steps, of commands to their end."""
    windows: dict[str, list[float]] = {}
    commands: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for number in range(runs + 1):
        steps = window_start()
        ends = {name: _command(arguments) for name, arguments in COMMANDS.items()}
        if number:
            for step, seconds in steps.items():
                windows.setdefault(step, []).append(seconds)
            for name, seconds in ends.items():
                commands[name].append(seconds)
    return windows, commands


def keys(count: int) -> dict[str, Any]:
    """``count`` sentences typed at the end of the sample draft in the real window, in a process of its own.

    ``seen`` are the seconds from the last key of each to the first frame with a line under its loaded word, the pause
    included; ``missed`` counts those that got none. ``peak`` is the memory in bytes.
    """
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "XDG_CONFIG_HOME": folder, "EVENHAND_HOME": f"{folder}/home"}
        environment.setdefault("QT_QPA_PLATFORM", "offscreen")
        path = Path(folder) / "draft.md"
        path.write_text(SAMPLE.read_text(encoding="utf-8"), encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "-m", "tests.benchmarks.beside.keystroke", str(path), str(count)],
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
            timeout=_LONGEST_S,
            cwd=ROOT.parent,
        )
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def _command(arguments: tuple[str, ...]) -> float:
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "EVENHAND_HOME": folder}
        began = time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "app.entry", *arguments],
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
            timeout=_LONGEST_S,
            cwd=ROOT.parent,
        )
        return time.perf_counter() - began
