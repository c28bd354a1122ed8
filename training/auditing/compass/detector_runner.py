"""Runs the cells of Tables 3 to 6 and 12 of Feng et al. 2023: a detector for each task, model and seed.

A cell holds the predictions for every dev and test row and is saved as soon as it is computed, so that an interrupted
table resumes. The first model is the base, the others are the partisan ones.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path

import torch

from training.auditing.compass.detectors import TASKS, Budget, train_detector
from training.auditing.compass.group_scores import by_group, groups_of, join_parts, pack_rows
from training.auditing.compass.models_under_test import display_name, model_mark
from training.corpora.grouped_texts import GroupedSplit
from training.evaluation.results_table import TablePlan
from training.loop.events import Events
from training.loop.result_cache import CellTask, ResultCell, digest

METHOD = "2"
"""Bump this when the result of a cell changes for the same facts."""
SCALES = {
    "smoke": Budget(rows=200, epochs=1, tokens=32),
    "cpu": Budget(rows=3000, epochs=2, tokens=48),
    "full": Budget(rows=None, epochs=50, tokens=128),
}
SEEDS = {"smoke": (1,), "cpu": (1,), "full": (1, 2, 3, 4, 5)}


@dataclass(frozen=True, slots=True)
class Plan(TablePlan):
    """``table`` is compass-3, -4, -5, -6 or -12; ``models`` are hub names or folders, ``tasks`` keys of TASKS."""

    table: str = "compass-3"
    models: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ("hatexplain", "liar")


@dataclass(slots=True)
class DetectorRunner:
    """Computes cells, and caches the corpus of one task."""

    data: Path
    budget: Budget
    folder: Path
    device: torch.device
    events: Events
    _parts: tuple[str, GroupedSplit] | None = None

    def task(self, task: str, base: str, seed: int, plan: Plan) -> CellTask:
        """The cell of a task, a model and a seed, and the function that computes it."""
        name, effort = display_name(base), self.budget
        facts = {
            "model": model_mark(base),
            "task": task,
            "corpus": TASKS[task].mark(self.data),
            "effort": f"{effort.rows or 'all'} rows, {effort.epochs} epochs, {effort.tokens} tokens",
            "cell": f"{task}, {name}, seed {seed}",
            "method": METHOD,
        }
        cell = ResultCell(
            place=f"downstream-{task}-{digest({'model': name})[:8]}-seed{seed}",
            row=f"{task}: {name}",
            group=task,
            protocol=name,
            seed=seed,
            fold=0,
            scale=plan.scale,
            key=digest(facts),
            command=f"evenhand train table {plan.table} --base {name} --tasks {task} --scale {plan.scale} "
            f"--seeds {seed}",
            facts=facts,
            values={},
        )
        return CellTask(f"{name}, {TASKS[task].title}", cell, lambda: self._made(cell, base))

    def _made(self, cell: ResultCell, base: str) -> ResultCell:
        began = time.monotonic()
        parts = self._load(cell.group)
        self.events.stage = cell.row
        chances = train_detector(
            base,
            parts,
            self.budget,
            seed=cell.seed,
            device=self.device,
            events=self.events,
            checkpoint=self.folder / "work" / f"{cell.key}.pt",
        )
        found = (chances.test >= 0.5).astype(int).tolist()
        # Groups without a test row are recorded, too.
        values = by_group(parts.test, found, groups_of((*parts.train, *parts.dev, *parts.test)))
        values["seconds"] = round(time.monotonic() - began, 1)
        dev, test = (
            pack_rows([item.label for item in items], some.tolist())
            for items, some in ((parts.dev, chances.dev), (parts.test, chances.test))
        )
        return replace(cell, values=values, counts=join_parts(dev, test))

    def _load(self, task: str) -> GroupedSplit:
        if self._parts is None or self._parts[0] != task:
            self._parts = (task, TASKS[task].load(self.data))
        return self._parts[1]
