"""Contenders, each in a process of its own, run by turns: A, B, A, B, so that drift hits all of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from resources import ROOT

PEERS = ROOT.parent / "build" / "peers"
"""Where ``make bench-peers`` puts what Evenhand itself does not need."""

NODE = ROOT.parent / "tests" / "benchmarks" / "peers" / "read.mjs"
_CHILD = (sys.executable, "-m", "tests.benchmarks.beside.child")


@dataclass(frozen=True, slots=True)
class Contender:
    """What runs: a name for the table, what it does in a few words, and the command that starts its process.

    ``count`` is how many things it does in a run: sentences, asks.
    """

    name: str
    does: str
    command: tuple[str, ...]
    count: int = 1


@dataclass(slots=True)
class Measured:
    """What was measured of a contender. Where ``missing`` says why it is not here, there are no runs.

    ``start`` is the time in seconds from the start of its process until it is warm. One entry a run: ``seconds``,
    ``cpu`` (processor seconds of all its threads), ``told`` (what the run itself tells). ``peak`` is in bytes.
    """

    name: str
    does: str
    count: int = 1
    version: str = ""
    missing: str = ""
    start: float = 0.0
    peak: float = 0.0
    seconds: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    told: list[dict[str, float]] = field(default_factory=list)


def python(function: str, *arguments: object) -> tuple[str, ...]:
    """The command for a contender that a function of a module here sets up."""
    return (*_CHILD, f"tests.benchmarks.beside.{function}", *map(str, arguments))


def node(name: str, *arguments: object) -> tuple[str, ...]:
    """The command for a contender in JavaScript."""
    return ("node", str(NODE), str(PEERS), name, *map(str, arguments))


def compare(
    contenders: Sequence[Contender], runs: int, *, told: Callable[[str], None] = lambda _: None
) -> list[Measured]:
    """Start all, warm each by its run 0, then run them by turns. ``told`` hears what is being done."""
    processes: list[_Process] = []
    try:
        for contender in contenders:
            told(f"starting {contender.name}")
            processes.append(_Process(contender))
        for number in range(runs + 1):
            for process in processes:
                process.run(number)
            told(f"run {number} of {runs}" if number else "warm")
    finally:
        for process in processes:
            process.end()
    return [process.measured for process in processes]


class _Process:
    """One contender's process."""

    def __init__(self, contender: Contender) -> None:
        self.measured = Measured(contender.name, contender.does, contender.count)
        self._process: subprocess.Popen[str] | None = None
        began = time.perf_counter()
        try:
            self._process = subprocess.Popen(
                contender.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                cwd=ROOT.parent,
                env=_environment(),
            )
        except FileNotFoundError:
            self.measured.missing = f"{contender.command[0]} is not installed"
            return
        answer = self._answer()
        self.measured.start = time.perf_counter() - began
        self.measured.version = answer.get("version", "")
        self.measured.missing = answer.get("missing", "")

    def run(self, number: int) -> None:
        """Run once; run 0 warms and is not counted."""
        if self.measured.missing or self._process is None or self._process.stdin is None:
            return
        try:
            self._process.stdin.write(f"{number}\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            self.measured.missing = "its process ended"
            return
        answer = self._answer()
        self.measured.missing = answer.get("missing", "")
        if number and not self.measured.missing:
            self.measured.seconds.append(answer["seconds"])
            self.measured.cpu.append(answer["cpu"])
            self.measured.told.append(answer["told"])
            self.measured.peak = max(self.measured.peak, answer["peak"])

    def end(self) -> None:
        """End the process."""
        if self._process is not None:
            for stream in (self._process.stdin, self._process.stdout):
                if stream is not None:
                    stream.close()
            self._process.wait()

    def _answer(self) -> dict[str, Any]:
        assert self._process is not None
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.startswith("{"):
                answer: dict[str, Any] = json.loads(line)
                return answer
        return {"missing": f"its process ended with code {self._process.wait()}"}


def _environment() -> Mapping[str, str]:
    """That of this process, without what holds its threads back, and with the peers that were installed."""
    kept = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    folders = [str(PEERS / "python"), kept.get("PYTHONPATH", "")]
    return kept | {
        "PYTHONPATH": os.pathsep.join(folder for folder in folders if folder),
        "QT_QPA_PLATFORM": kept.get("QT_QPA_PLATFORM", "offscreen"),
        "TOKENIZERS_PARALLELISM": "true",
    }


def write_text(folder: Path, number: int, material: Mapping[str, object]) -> None:
    """What all contenders read in one run, as one file."""
    (folder / f"{number}.json").write_text(json.dumps(material), encoding="utf-8")


def read_text(folder: str, number: int) -> dict[str, Any]:
    """What `write_text` wrote."""
    found: dict[str, Any] = json.loads((Path(folder) / f"{number}.json").read_text(encoding="utf-8"))
    return found
