"""Comparing runs: which settings and which metrics differ."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest

from core.runs.types import Run

_SETTINGS = ("recipe", "scale", "base", "device", "seed", "code")
_SCORES = ("macro_f1", "f1", "auc", "accuracy", "first")
"""Suffixes of the most important metrics, in order."""


@dataclass(frozen=True, slots=True)
class SettingRow:
    """One setting, with a value for each run; "" where a run does not have it."""

    name: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MetricRow:
    """One final metric, with a value for each run; ``differences`` are those to the first run."""

    name: str
    values: tuple[float | None, ...]
    differences: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class RunComparison:
    """What differs in ``settings`` and ``data`` (checksums by path), and all metrics of all runs."""

    runs: tuple[Run, ...]
    settings: tuple[SettingRow, ...]
    data: tuple[SettingRow, ...]
    metrics: tuple[MetricRow, ...]


def compare_runs(runs: Sequence[Run]) -> RunComparison:
    """Compare runs with the first of them."""
    settings = [{name: str(getattr(run, name)) for name in _SETTINGS} | run.settings for run in runs]
    return RunComparison(
        runs=tuple(runs),
        settings=_differing(settings),
        data=_differing([run.data for run in runs]),
        metrics=tuple(_metric(name, runs) for name in _names(run.result for run in runs)),
    )


def main_metrics(runs: Sequence[Run], most: int = 4) -> list[str]:
    """The most important final metrics, taking one from each recipe in turn, at most ``most``."""
    by_recipe: dict[str, list[Run]] = {}
    for run in runs:
        by_recipe.setdefault(run.recipe, []).append(run)
    ranked = [sorted(_names(run.result for run in group), key=_rank) for group in by_recipe.values()]
    in_turn = chain.from_iterable(zip_longest(*ranked))
    return list(dict.fromkeys(name for name in in_turn if name is not None))[:most]


def _rank(name: str) -> tuple[bool, int]:
    place = next((at for at, ending in enumerate(_SCORES) if name.endswith(ending)), len(_SCORES))
    return name.startswith("int8_"), place


def _differing(tables: Sequence[dict[str, str]]) -> tuple[SettingRow, ...]:
    rows = [SettingRow(name, tuple(str(table.get(name, "")) for table in tables)) for name in _names(tables)]
    return tuple(row for row in rows if len(set(row.values)) > 1)


def _metric(name: str, runs: Sequence[Run]) -> MetricRow:
    values = tuple(run.result.get(name) for run in runs)
    first = values[0]
    differences = tuple(None if first is None or value is None else value - first for value in values)
    return MetricRow(name, values, differences)


def _names(tables: Iterable[dict[str, str] | dict[str, float]]) -> list[str]:
    """The keys of all tables, each once, in order of first occurrence."""
    return list(dict.fromkeys(name for table in tables for name in table))
