"""Results that are saved one by one, so that a stopped table resumes where it was, and the runner that computes
them.
"""

from __future__ import annotations

import hashlib
import json
import os
import statistics
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from training.loop.events import Events

_LARGEST_FIRST = ("full", "cpu")


class ScoreCache:
    """Scores by key in one JSON file. Every change is on disk at once."""

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
        """Save the scores of one key."""
        self._found[key] = values
        _write(self._path, self._found)


@dataclass(frozen=True, slots=True)
class ResultCell:
    """One result, with the command that computes it and the facts on which it depends.

    ``place`` identifies the cell in its table; ``key`` is a digest of the facts. ``counts`` are those of each test
    item, for tables that compare cells item by item. The field names are those of the JSON files.
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


@dataclass(frozen=True, slots=True)
class Measurement:
    """The values of a cell, and the counts of each test item where the table needs them.

    A ``timed`` cell gets the value ``seconds``, the time that its computation took.
    """

    values: dict[str, float]
    counts: str = ""
    timed: bool = True


class CellId(Protocol):
    """Identifies a cell before it is computed: the fields of ``ResultCell`` that do not depend on any data."""

    @property
    def place(self) -> str:
        """Unique in the table; also the name of the cell's file."""

    @property
    def title(self) -> str:
        """The row's title in the table, for messages."""

    @property
    def row(self) -> str:
        """The row's key."""

    @property
    def group(self) -> str:
        """The part of the table, such as a data set or an encoder."""

    @property
    def protocol(self) -> str:
        """How it is trained or scored."""

    @property
    def seed(self) -> int:
        """The seed of everything random."""

    @property
    def fold(self) -> int:
        """The number of the fold; 0 without folds."""


@dataclass(frozen=True, slots=True)
class CellTask:
    """A cell without values, and the function that computes it (raises CorpusError and TrainingError)."""

    title: str
    cell: ResultCell
    compute: Callable[[], ResultCell]


IdT = TypeVar("IdT", bound=CellId, contravariant=True)


class CellRunner(ABC, Generic[IdT]):
    """Computes cells. A subclass says on which facts a cell depends and how it is measured."""

    events: Events

    @abstractmethod
    def facts(self, cell_id: IdT) -> dict[str, str]:
        """Everything on which the values of a cell depend; cells with equal facts are equal.

        The strings are a contract: they identify the saved cells of earlier versions.
        """

    @abstractmethod
    def measure(self, cell_id: IdT) -> Measurement:
        """Train and score. Raises CorpusError and TrainingError where the cell cannot be computed here."""

    def key(self, cell_id: IdT) -> str:
        """The digest of the facts."""
        return digest(self.facts(cell_id))

    def task(self, cell_id: IdT, *, scale: str, command: str) -> CellTask:
        """The cell of an id, still without values, and the function that computes it."""
        facts = self.facts(cell_id)
        cell = ResultCell(
            place=cell_id.place,
            row=cell_id.row,
            group=cell_id.group,
            protocol=cell_id.protocol,
            seed=cell_id.seed,
            fold=cell_id.fold,
            scale=scale,
            key=digest(facts),
            command=command,
            facts=facts,
            values={},
        )

        def compute() -> ResultCell:
            start = time.monotonic()
            found = self.measure(cell_id)
            seconds = {"seconds": round(time.monotonic() - start, 1)} if found.timed else {}
            return replace(cell, values={**found.values, **seconds}, counts=found.counts)

        return CellTask(cell_id.title, cell, compute)


def digest(facts: dict[str, str]) -> str:
    """Sixteen hexadecimal digits that change with the facts."""
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:16]


def save_cell(cell: ResultCell, folder: Path) -> None:
    """Write a cell into a file of its own, so that several processes can compute cells of one table."""
    _write(folder / f"{cell.place}-{cell.key}.json", _row(cell))


def load_cells(folder: Path) -> list[ResultCell]:
    """Every cell of ``folder``, oldest first; files without a readable cell are skipped."""
    return [
        cell
        for path in sorted(folder.glob("*.json"), key=lambda path: path.stat().st_mtime_ns)
        for cell in _cells(path)
    ]


def read_results(path: Path) -> list[ResultCell]:
    """The cells of a results file of the repository; none where the file is missing."""
    return _cells(path) if path.is_file() else []


def write_results(path: Path, cells: Iterable[ResultCell]) -> None:
    """Write cells into a results file, ordered by place."""
    ordered = sorted(cells, key=lambda cell: (cell.place, cell.scale, cell.key))
    _write(path, {"cells": [_row(cell) for cell in ordered]})


def cells_of_scale(cells: Sequence[ResultCell], scale: str) -> list[ResultCell]:
    """The cells of ``scale``; where there are none, those of the largest scale that has some."""
    by_scale = ([cell for cell in cells if cell.scale == name] for name in (scale, *_LARGEST_FIRST))
    return next((found for found in by_scale if found), [])


def format_mean_std(values: Sequence[float], digits: int = 4) -> str:
    """Mean and standard deviation, as ``0.7910 ± 0.0060``; the mean alone of a single value."""
    if len(values) < 2:
        return f"{statistics.fmean(values):.{digits}f}"
    return f"{statistics.fmean(values):.{digits}f} ± {statistics.stdev(values):.{digits}f}"


def _row(cell: ResultCell) -> dict[str, Any]:
    row = asdict(cell)
    return row if cell.counts else {name: value for name, value in row.items() if name != "counts"}


def _cells(path: Path) -> list[ResultCell]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        return [ResultCell(**row) for row in found.get("cells", [found])]
    except (ValueError, TypeError, AttributeError):
        return []


def _write(path: Path, content: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(f".{os.getpid()}.new")
    fresh.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    fresh.replace(path)
