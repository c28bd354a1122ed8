"""Finished cells of a table, kept so that a stopped table goes on where it was."""

from __future__ import annotations

import hashlib
import json
import os
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any


class Cells:
    """Results by key in one JSON file. Every change is on disk at once."""

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
        _write(self._path, self._found)


@dataclass(frozen=True, slots=True)
class Cell:
    """One trained and scored cell, with the command that made it and the facts that it depends on.

    ``place`` says which cell of the table it is, whatever it was made with; ``key`` is a digest of the facts.
    ``counts`` are those of each test sentence, where cells are compared sentence by sentence.
    """

    place: str
    row: str
    group: str
    protocol: str
    seed: int
    fold: int
    scale: str
    key: str
    command: str
    facts: dict[str, str]
    values: dict[str, float]
    counts: str = ""


def digest(facts: dict[str, str]) -> str:
    """Sixteen digits that change with the facts."""
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:16]


def keep(cell: Cell, folder: Path) -> None:
    """Write a cell into a file of its own, so that several tables can be filled at once."""
    _write(folder / f"{cell.place}-{cell.key}.json", _row(cell))


def kept(folder: Path) -> list[Cell]:
    """Every cell of ``folder``, oldest first; a file that holds none is left out."""
    return [
        cell
        for path in sorted(folder.glob("*.json"), key=lambda path: path.stat().st_mtime_ns)
        for cell in _cells(path)
    ]


def results(path: Path) -> list[Cell]:
    """The cells of a committed file; none where there is no such file."""
    return _cells(path) if path.is_file() else []


def write_results(path: Path, cells: Iterable[Cell]) -> None:
    """Commit cells as data, in the order of their places."""
    ordered = sorted(cells, key=lambda cell: (cell.place, cell.scale, cell.key))
    _write(path, {"cells": [_row(cell) for cell in ordered]})


def spread(values: Sequence[float], digits: int = 4) -> str:
    """Mean and standard deviation, as ``0.7910 ± 0.0060``; the mean alone of a single value."""
    if len(values) < 2:
        return f"{statistics.fmean(values):.{digits}f}"
    return f"{statistics.fmean(values):.{digits}f} ± {statistics.stdev(values):.{digits}f}"


def _row(cell: Cell) -> dict[str, Any]:
    row = asdict(cell)
    return row if cell.counts else {name: value for name, value in row.items() if name != "counts"}


def _cells(path: Path) -> list[Cell]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        return [Cell(**row) for row in found.get("cells", [found])]
    except (ValueError, TypeError, AttributeError):
        return []


def _write(path: Path, content: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(f".{os.getpid()}.new")
    fresh.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    fresh.replace(path)
