"""Scores of a detector, overall and by group, from its saved predictions (Feng et al. 2023, Tables 3, 4 and 12).

Undefined scores are left out: a group without rows, or with rows of one class only, has no balanced accuracy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from training.corpora.grouped_texts import GroupedText
from training.loop.result_cache import ResultCell, cells_of_scale, format_mean_std
from training.metrics.resampling import Array, Floats

ALL = "all"
_FULL = 99


def scores(gold: Sequence[int], found: Sequence[int]) -> dict[str, float]:
    """Those of bacc, f1, precision and recall that are defined, and the number of ``rows``."""
    truth, guess = np.asarray(gold, dtype=np.int64), np.asarray(found, dtype=np.int64)
    hits = int((truth & guess).sum())
    said, there, rows = int(guess.sum()), int(truth.sum()), len(truth)
    values = {"rows": float(rows)}
    if 0 < there < rows:
        right = int(((1 - truth) & (1 - guess)).sum())
        values["bacc"] = (hits / there + right / (rows - there)) / 2
    if said + there:
        values["f1"] = 2 * hits / (said + there)
    if said:
        values["precision"] = hits / said
    if there:
        values["recall"] = hits / there
    return values


def by_group(items: Sequence[GroupedText], found: Sequence[int], groups: Sequence[str]) -> dict[str, float]:
    """The scores of all rows and of each group; keys are ``group score``."""
    gold = [item.label for item in items]
    values = {f"{ALL} {name}": value for name, value in scores(gold, found).items()}
    for group in groups:
        own = [at for at, item in enumerate(items) if group in item.groups]
        of_group = scores([gold[at] for at in own], [found[at] for at in own])
        values |= {f"{group} {name}": value for name, value in of_group.items()}
    return values


def groups_of(items: Sequence[GroupedText]) -> tuple[str, ...]:
    """The groups of the items, in descending order of size."""
    names = [group for item in items for group in item.groups]
    return tuple(sorted(set(names), key=lambda name: (-names.count(name), name)))


def balanced_accuracy(gold: Array, found: Array, weights: Floats) -> Floats:
    """Balanced accuracy of two classes in each resample of rows; the recall of one class if a resample has no other."""
    recalls = []
    for label in (0, 1):
        there = weights @ (gold == label).astype(np.float64)
        hits = weights @ ((gold == label) & (found == label)).astype(np.float64)
        with np.errstate(invalid="ignore"):
            recalls.append(hits / there)
    return np.asarray(np.nanmean(np.stack(recalls), axis=0))


def f1(gold: Array, found: Array, weights: Floats) -> Floats:
    """F1 of class 1 in each resample of rows; 0 without such rows."""
    hits = weights @ ((gold == 1) & (found == 1)).astype(np.float64)
    shown = weights @ ((gold == 1).astype(np.float64) + (found == 1))
    return np.asarray(np.divide(2 * hits, shown, out=np.zeros_like(hits), where=shown > 0))


def pack_rows(gold: Sequence[int], probabilities: Sequence[float]) -> str:
    """Labels and probabilities as text, three digits per row: label and whole percent, rounded so that predictions
    stay.
    """
    return "".join(
        f"{label}{min(_FULL, int(100 * chance)):02}"
        for label, chance in zip(gold, probabilities, strict=True)
    )


def unpack_rows(counts: str) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Labels [rows] and probabilities [rows] from the text of ``pack_rows``."""
    rows = [counts[at : at + 3] for at in range(0, len(counts), 3)]
    return np.array([int(row[0]) for row in rows]), np.array([int(row[1:]) / 100 for row in rows])


def join_parts(dev: str, test: str) -> str:
    """The packed rows of both parts as one text, for a cell."""
    return f"{dev} {test}"


def select_dev(counts: str) -> str:
    """The packed rows of dev; empty if they were not saved."""
    return counts.rpartition(" ")[0]


def select_test(counts: str) -> str:
    """The packed rows of test."""
    return counts.rpartition(" ")[2]


def mean_vote(probabilities: Sequence[NDArray[np.float64]]) -> NDArray[np.int64]:
    """The prediction [rows] by the mean probability of several detectors, which is not the paper's vote."""
    return np.asarray(np.stack(probabilities).mean(axis=0) >= 0.5, dtype=np.int64)


def majority_vote(probabilities: Sequence[NDArray[np.float64]]) -> NDArray[np.int64]:
    """The majority vote [rows] of several detectors (Table 6); ties are decided by their mean probability.

    The paper has four members and does not say how ties are decided.
    """
    every = np.stack(probabilities)
    lead = (every >= 0.5).sum(axis=0) * 2 - len(every)
    return np.asarray(np.where(lead == 0, every.mean(axis=0) >= 0.5, lead > 0), dtype=np.int64)


NONE = "–"


@dataclass(frozen=True, slots=True)
class TaskCells:
    """The cells of one task by model, in the given order, and the name of the base, if any."""

    task: str
    models: dict[str, list[ResultCell]]
    base: str

    @property
    def members(self) -> tuple[str, ...]:
        """The names of all models except the base."""
        return tuple(name for name in self.models if name != self.base)

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups of the task, in descending order of test rows."""
        values = [cell.values for cells in self.models.values() for cell in cells]
        names = {key.removesuffix(" rows") for one in values for key in one if key.endswith(" rows")} - {ALL}
        return tuple(
            sorted(names, key=lambda name: (-max(one.get(f"{name} rows", 0) for one in values), name))
        )

    @property
    def sizes(self) -> list[str]:
        """The number of test rows of each group, as text."""
        first = next((cells[0] for cells in self.models.values()), None)
        return [
            NONE if first is None else f"{first.values.get(f'{group} rows', 0):.0f}" for group in self.groups
        ]

    def seeds(self, names: Sequence[str]) -> list[int]:
        """The seeds with which all of these models were trained and tested on the same rows."""
        if not names or any(name not in self.models for name in names):
            return []
        shared = set.intersection(*({cell.seed for cell in self.models[name]} for name in names))
        golds = {
            seed: {tuple(self.test_predictions(name, seed)[0].tolist()) for name in names}
            for seed in sorted(shared)
        }
        first = next(iter(golds.values()), set())
        return [seed for seed, gold in golds.items() if len(gold) == 1 and gold == first]

    def test_predictions(self, name: str, seed: int) -> tuple[Array, Floats]:
        """Labels [test rows] and probabilities [test rows] of a model's detector with that seed."""
        return unpack_rows(select_test(self._cell(name, seed).counts))

    def dev_predictions(self, name: str, seed: int) -> tuple[Array, Floats]:
        """The same for dev; empty if they were not saved."""
        return unpack_rows(select_dev(self._cell(name, seed).counts))

    def _cell(self, name: str, seed: int) -> ResultCell:
        return next(cell for cell in self.models[name] if cell.seed == seed)


def choose_task_cells(cells: Sequence[ResultCell], task: str, names: Sequence[str], scale: str) -> TaskCells:
    """The cells of the models called ``names``, the base first; without names those of all models, without a base."""
    own = [cell for cell in cells if cell.place.startswith(f"downstream-{task}-")]
    wanted = names or sorted({cell.protocol for cell in own})
    models = {
        name: found
        for name in wanted
        if (found := cells_of_scale([cell for cell in own if cell.protocol == name], scale))
    }
    return TaskCells(task, models, names[0] if names else "")


def predict(probabilities: Floats) -> Array:
    """Predictions 0 or 1 from probabilities [rows]."""
    return np.asarray(probabilities >= 0.5, dtype=np.int64)


def format_percent(values: Sequence[float]) -> str:
    """Mean and standard deviation of shares in percent; a dash without values."""
    return format_mean_std([100 * value for value in values], 2) if values else NONE


def format_p(value: float, sign: str = "") -> str:
    """A p-value as text."""
    return f"{sign}{value:.3f}" if value >= 0.001 else "< 0.001"
