"""Evenhand beside its peers, in one table: ``make bench``, small and quick ``make bench QUICK=1``.

    python -m tests.benchmarks.bench [--quick] [--only PART …] [--out FOLDER]

Parts: reading, rewriting, start, keys, growth, training. Peers that are not installed are named with the reason;
``make bench-peers`` installs them. Prints the table and writes ``bench.md``, ``bench.json`` and ``bench.png``. Asserts
nothing: run it on a quiet computer.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from resources import ROOT
from tests.benchmarks.beside import growth, reading, rewriting, training, window
from tests.benchmarks.beside.picture import draw
from tests.benchmarks.beside.results import Results, this_machine
from tests.benchmarks.beside.table import markdown


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is measured."""

    runs: int
    sentences: int
    asks: int
    starts: int
    keys: int
    growth: tuple[int, ...]
    steps: int


FULL = Sizes(runs=7, sentences=500, asks=40, starts=5, keys=30, growth=growth.SIZES, steps=10)
QUICK = Sizes(runs=3, sentences=60, asks=4, starts=1, keys=4, growth=growth.SIZES[:3], steps=1)


def main() -> None:
    """Measure, print, write."""
    arguments = _arguments()
    sizes = QUICK if arguments.quick else FULL
    results = Results(this_machine(), arguments.quick)
    for name in arguments.only or PARTS:
        _told(name)
        with tempfile.TemporaryDirectory() as folder:
            PARTS[name](results, sizes, Path(folder))
        write(results, arguments.out)
    print(markdown(results))
    print(f"Written: bench.md, bench.json and bench.png in {arguments.out}")


def write(results: Results, out: Path) -> None:
    """Table, raw values and picture of what was measured so far, into the folder ``out``."""
    out.mkdir(parents=True, exist_ok=True)
    (out / "bench.md").write_text(markdown(results), encoding="utf-8")
    (out / "bench.json").write_text(json.dumps(results.as_dict(), indent=1) + "\n", encoding="utf-8")
    draw(results, out / "bench.png")


def _reading(results: Results, sizes: Sizes, folder: Path) -> None:
    results.reading = reading.measure(folder, count=sizes.sentences, runs=sizes.runs, told=_told)


def _rewriting(results: Results, sizes: Sizes, folder: Path) -> None:
    results.rewriting = rewriting.measure(folder, count=sizes.asks, runs=sizes.runs, told=_told)


def _starts(results: Results, sizes: Sizes, _folder: Path) -> None:
    results.windows, results.commands = window.starts(sizes.starts)


def _keys(results: Results, sizes: Sizes, _folder: Path) -> None:
    results.keys = window.keys(sizes.keys)


def _growth(results: Results, sizes: Sizes, _folder: Path) -> None:
    results.growth = growth.measure(sizes.growth, _told)


def _training(results: Results, sizes: Sizes, _folder: Path) -> None:
    results.training = training.measure(steps=sizes.steps, runs=min(3, sizes.runs), told=_told)


PARTS: Mapping[str, Callable[[Results, Sizes, Path], None]] = {
    "reading": _reading,
    "rewriting": _rewriting,
    "start": _starts,
    "keys": _keys,
    "growth": _growth,
    "training": _training,
}


def _told(said: str) -> None:
    print(f"  {said} …", file=sys.stderr, flush=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small sizes: minutes, and figures of no weight")
    parser.add_argument("--only", nargs="+", choices=tuple(PARTS), help="these parts alone")
    parser.add_argument(
        "--out", type=Path, default=ROOT.parent / "build" / "bench", help="folder to write into"
    )
    return parser.parse_args()


if __name__ == "__main__":
    main()
