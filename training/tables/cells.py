"""Finished cells of a table, kept in a JSON file so that a stopped table goes on where it was."""

from __future__ import annotations

import json
import statistics
from collections.abc import Sequence
from pathlib import Path


class Cells:
    """Results by key. Every change is on disk at once."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._found: dict[str, dict[str, float]] = {}
        if path.is_file():
            self._found = json.loads(path.read_text(encoding="utf-8"))

    def __contains__(self, key: str) -> bool:
        return key in self._found

    def __getitem__(self, key: str) -> dict[str, float]:
        return self._found[key]

    def put(self, key: str, values: dict[str, float]) -> None:
        """Keep one cell."""
        self._found[key] = values
        self._path.parent.mkdir(parents=True, exist_ok=True)
        fresh = self._path.with_suffix(".new")
        fresh.write_text(json.dumps(self._found, indent=1) + "\n", encoding="utf-8")
        fresh.replace(self._path)


def spread(values: Sequence[float]) -> str:
    """Mean and standard deviation, as ``0.791 ± 0.006``."""
    deviation = statistics.stdev(values) if len(values) > 1 else 0.0
    return f"{statistics.fmean(values):.4f} ± {deviation:.4f}"
