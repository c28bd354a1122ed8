"""How long it takes to list runs: ``python -m tests.benchmarks.run_listing [--runs N] [--points N] [--times N]``.

Makes a store with that many finished runs, each with that many points, ten data checksums and twenty metrics, and
prints the median and the slowest of several calls of ``Runs.listed``, of the first call after opening, and of the
points of one run. Asserts nothing.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median

from core.runs.run_store import RunStore
from core.runs.types import MetricPoint, Run, Status
from core.storage.store import Store


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--points", type=int, default=500)
    parser.add_argument("--times", type=int, default=30)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "store.sqlite3"
        _fill(place, options.runs, options.points)
        store = Store.open(place)
        runs = RunStore(store)
        (first,) = _timed(runs.list_runs, 1)
        listed = _timed(runs.list_runs, options.times)
        newest = runs.list_runs()[0].id
        points = _timed(lambda: runs.points(newest), options.times)
        load = " ".join(f"{value:.1f}" for value in os.getloadavg()) if hasattr(os, "getloadavg") else "?"
        print(f"{options.runs} runs of {options.points} points, load {load}")
        print(f"first list   {first:8.2f} ms")
        print(
            f"list         {median(listed):8.2f} ms median, {max(listed):.2f} ms slowest of {options.times}"
        )
        print(f"points       {median(points):8.2f} ms median")
        store.close()


def _fill(place: Path, number: int, points: int) -> None:
    store = Store.open(place)
    runs = RunStore(store)
    begun = datetime.now(UTC)
    for at in range(number):
        run = Run(
            id=f"{at:08d}-run",
            recipe="reader" if at % 3 else "rewriter",
            status=Status.RUNNING,
            folder=place.parent / f"{at:08d}-run",
            scale="cpu",
            base="thenlper/gte-small",
            device="cpu",
            seed=at,
            code="0.1.0",
            made_at=begun + timedelta(minutes=at),
            settings={f"setting_{name}": str(name) for name in range(20)},
            data={f"corpus/file_{name}.csv": "ab" * 32 for name in range(10)},
        )
        runs.begin(run)
        runs.add_points(run.id, [MetricPoint("reader", step, "step", "loss", 0.5) for step in range(points)])
        runs.finish(run.id, Status.FINISHED, result={f"metric_{name}_f1": 0.5 for name in range(20)})
    store.close()


def _timed(call: Callable[[], object], times: int) -> list[float]:
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        call()
        taken.append(1000 * (time.perf_counter() - start))
    return taken


if __name__ == "__main__":
    main()
