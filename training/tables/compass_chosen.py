"""The cells of one downstream task, model by model, and what is read off them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from training.compass.groups import ALL, of_dev, of_test, unpacked
from training.metrics.resampling import Array, Floats
from training.tables.cells import Cell, spread
from training.tables.filling import of_one_scale

NONE = "–"


@dataclass(frozen=True, slots=True)
class Chosen:
    """The cells of one task by model, in the order in which models were named, and the base's name if one was."""

    task: str
    models: dict[str, list[Cell]]
    base: str

    @property
    def members(self) -> tuple[str, ...]:
        """The names of all models but the base."""
        return tuple(name for name in self.models if name != self.base)

    @property
    def groups(self) -> tuple[str, ...]:
        """Every group of the task, those with most test rows first."""
        values = [cell.values for cells in self.models.values() for cell in cells]
        names = {key.removesuffix(" rows") for one in values for key in one if key.endswith(" rows")} - {ALL}
        return tuple(
            sorted(names, key=lambda name: (-max(one.get(f"{name} rows", 0) for one in values), name))
        )

    @property
    def sizes(self) -> list[str]:
        """The test rows of each group, as they are shown."""
        first = next((cells[0] for cells in self.models.values()), None)
        return [
            NONE if first is None else f"{first.values.get(f'{group} rows', 0):.0f}" for group in self.groups
        ]

    def seeds(self, names: Sequence[str]) -> list[int]:
        """The seeds that all of some models have been trained with on the same test rows."""
        if not names or any(name not in self.models for name in names):
            return []
        shared = set.intersection(*({cell.seed for cell in self.models[name]} for name in names))
        golds = {
            seed: {tuple(self.tested(name, seed)[0].tolist()) for name in names} for seed in sorted(shared)
        }
        first = next(iter(golds.values()), set())
        return [seed for seed, gold in golds.items() if len(gold) == 1 and gold == first]

    def tested(self, name: str, seed: int) -> tuple[Array, Floats]:
        """Labels [test rows] and what a model's detector of that seed says of them, probabilities [test rows]."""
        return unpacked(of_test(self._cell(name, seed).counts))

    def judged(self, name: str, seed: int) -> tuple[Array, Floats]:
        """The same of dev; no row where they were not kept."""
        return unpacked(of_dev(self._cell(name, seed).counts))

    def _cell(self, name: str, seed: int) -> Cell:
        return next(cell for cell in self.models[name] if cell.seed == seed)


def choose(cells: Sequence[Cell], task: str, names: Sequence[str], scale: str) -> Chosen:
    """Of the models called ``names``, the base first; without names of all, and without a base."""
    own = [cell for cell in cells if cell.place.startswith(f"downstream-{task}-")]
    wanted = names or sorted({cell.protocol for cell in own})
    models = {
        name: found
        for name in wanted
        if (found := of_one_scale([cell for cell in own if cell.protocol == name], scale))
    }
    return Chosen(task, models, names[0] if names else "")


def found_in(chances: Floats) -> Array:
    """What is found by probabilities [rows], 0 or 1."""
    return np.asarray(chances >= 0.5, dtype=np.int64)


def percent(values: Sequence[float]) -> str:
    """Mean and spread of shares in percent; nothing of none."""
    return spread([100 * value for value in values], 2) if values else NONE


def p_value(value: float, sign: str = "") -> str:
    """A probability as it is shown."""
    return f"{sign}{value:.3f}" if value >= 0.001 else "< 0.001"
