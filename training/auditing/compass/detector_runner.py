"""Runs the cells of Tables 3 to 6 and 12 of Feng et al. 2023: a detector for each task, model and seed.

A cell holds the predictions for every dev and test row and is saved as soon as it is computed, so that an interrupted
table resumes. The first model is the base, the others are the partisan ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import torch

from core.runs.recipes import model_name
from training.auditing.compass.detectors import TASKS, Budget, train_detector
from training.auditing.compass.group_scores import by_group, groups_of, join_parts, pack_rows
from training.auditing.generation.generator import model_digest
from training.corpora.grouped_texts import GroupedSplit
from training.evaluation.results_table import TablePlan
from training.loop.events import Events
from training.loop.result_cache import CellRunner, Measurement, digest

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


@dataclass(frozen=True, slots=True)
class DetectorCellId:
    """A task, a model by hub name or folder, and a seed."""

    task: str
    base: str
    seed: int
    fold: int = 0

    @property
    def place(self) -> str:
        """Unique in the table."""
        return f"downstream-{self.task}-{digest({'model': self.protocol})[:8]}-seed{self.seed}"

    @property
    def title(self) -> str:
        """The model and the title of the task."""
        return f"{self.protocol}, {TASKS[self.task].title}"

    @property
    def row(self) -> str:
        """The task and the model."""
        return f"{self.task}: {self.protocol}"

    @property
    def group(self) -> str:
        """The task."""
        return self.task

    @property
    def protocol(self) -> str:
        """The name of the model."""
        return model_name(self.base)


@dataclass(slots=True)
class DetectorRunner(CellRunner[DetectorCellId]):
    """Computes cells, and caches the corpus of one task."""

    data: Path
    budget: Budget
    folder: Path
    device: torch.device
    events: Events
    _split: tuple[str, GroupedSplit] | None = None

    def facts(self, cell_id: DetectorCellId) -> dict[str, str]:
        """See ``CellRunner.facts``."""
        budget = self.budget
        return {
            "model": model_digest(cell_id.base),
            "task": cell_id.task,
            "corpus": TASKS[cell_id.task].corpus_digest(self.data),
            "effort": f"{budget.rows or 'all'} rows, {budget.epochs} epochs, {budget.tokens} tokens",
            "cell": f"{cell_id.task}, {cell_id.protocol}, seed {cell_id.seed}",
            "method": METHOD,
        }

    def measure(self, cell_id: DetectorCellId) -> Measurement:
        """Train a detector and score it by group. Raises CorpusError and TrainingError if that is not possible here."""
        split = self._load(cell_id.task)
        self.events.stage = cell_id.row
        found = train_detector(
            cell_id.base,
            split,
            self.budget,
            seed=cell_id.seed,
            device=self.device,
            events=self.events,
            checkpoint=self.folder / "work" / f"{self.key(cell_id)}.pt",
        )
        predictions = (found.test >= 0.5).astype(int).tolist()
        # Groups without a test row are recorded, too.
        values = by_group(split.test, predictions, groups_of((*split.train, *split.dev, *split.test)))
        dev, test = (
            pack_rows([item.label for item in items], some.tolist())
            for items, some in ((split.dev, found.dev), (split.test, found.test))
        )
        return Measurement(values, join_parts(dev, test))

    def _load(self, task: str) -> GroupedSplit:
        if self._split is None or self._split[0] != task:
            self._split = (task, TASKS[task].load(self.data))
        return self._split[1]
