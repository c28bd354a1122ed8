"""The process in which one contender runs: ``python -m tests.benchmarks.beside.child MODULE:FUNCTION ARGUMENT …``.

The function sets the contender up and gives back a `Ready`. Then each line on standard input is the number of a run;
the answer to each is one line of JSON with seconds, processor seconds, the peak of memory, and what the run itself
tells. ``peers/read.mjs`` does the same in JavaScript.
"""

from __future__ import annotations

import gc
import importlib
import json
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

Work = Callable[[], Mapping[str, float] | None]


class NotHere(Exception):  # noqa: N818
    """A contender is not installed on this computer. The message says what is missing."""


@dataclass(frozen=True, slots=True)
class Ready:
    """A contender that is warm. ``prepare`` gives the work of a run, which alone is timed."""

    version: str
    prepare: Callable[[int], Work]


def main() -> None:
    """Set up, say so, and run what is asked."""
    answers, sys.stdout = sys.stdout, sys.stderr  # what a library prints is no answer

    def say(answer: Mapping[str, object]) -> None:
        print(json.dumps(answer), file=answers, flush=True)

    module, name = sys.argv[1].split(":")
    try:
        ready: Ready = getattr(importlib.import_module(module), name)(*sys.argv[2:])
    except (NotHere, ImportError) as error:
        say({"missing": str(error)})
        return
    say({"version": ready.version})
    for line in sys.stdin:
        work = ready.prepare(int(line))
        gc.collect()
        cpu, began = time.process_time(), time.perf_counter()
        told = work()
        seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
        say({"seconds": seconds, "cpu": cpu, "peak": peak(), "told": dict(told or {})})


def peak() -> float:
    """The most memory that this process has had so far, in bytes."""
    try:
        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
        return 1024.0 * next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))
    except (OSError, StopIteration):
        import resource

        unit = 1 if sys.platform == "darwin" else 1024
        return float(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit)


if __name__ == "__main__":
    main()
