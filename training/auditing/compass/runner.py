"""Runs the cells of Figures 1, 5 and 6 of Feng et al. 2023: one round of statements for each model, prompt, wording,
seed.

Cells and a generator's responses are saved one by one, so that an interrupted table or run resumes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean

import torch

from training.auditing.compass.models_under_test import (
    LOG_PROBABILITY,
    ModelUnderTest,
    Probe,
)
from training.auditing.compass.positions import Round, StanceReading, aggregate_rounds, locate
from training.auditing.compass.questionnaire import (
    PARAPHRASE_COUNT,
    PROMPT_COUNT,
    Questionnaire,
    wording_texts,
)
from training.evaluation.results_table import TablePlan
from training.loop.events import Events
from training.loop.result_cache import CellRunner, Measurement, digest

METHOD = "1"
"""Bump this when the result of a cell changes for the same facts."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How much is asked: the first ``prompts`` of Table 11, ``seeds`` for each, responses of ``length`` tokens."""

    prompts: int
    seeds: int
    length: int


SCALES = {
    "smoke": Budget(2, 2, 16),
    "cpu": Budget(PROMPT_COUNT, 3, 32),
    "full": Budget(PROMPT_COUNT, 10, 100),
}
"""``full`` has the paper's ten seeds; the paper does not name the length of a response."""


@dataclass(frozen=True, slots=True)
class CompassCellId:
    """A model, a prompt of Table 11, a wording (0: the original) and a seed."""

    model: ModelUnderTest
    prompt: int
    wording: int
    seed: int
    fold: int = 0

    @property
    def place(self) -> str:
        """Unique in the table."""
        named = digest({"model": self.row, "reader": self.protocol})[:8]
        return f"compass-{named}-prompt{self.prompt}-wording{self.wording}-seed{self.seed:02}"

    @property
    def title(self) -> str:
        """The name of the model."""
        return self.model.name

    @property
    def row(self) -> str:
        """The name of the model."""
        return self.model.name

    @property
    def group(self) -> str:
        """The kind of the model."""
        return self.model.kind

    @property
    def protocol(self) -> str:
        """What scores its answers."""
        return self.model.stance_name


@dataclass(frozen=True, slots=True)
class Plan(TablePlan):
    """``table`` is compass-positions, -answers or -stability; ``models`` are hub names or folders.

    ``stance`` is how a generator's answer is scored: *log-probability*, *direct*, or the hub name or folder of a
    classifier of natural-language inference.
    """

    table: str = "compass-positions"
    models: tuple[str, ...] = ()
    stance: str = LOG_PROBABILITY


def cell_ids(one: ModelUnderTest, plan: Plan) -> Iterator[CompassCellId]:
    """The cells of a model in the order of computation."""
    budget = SCALES[plan.scale]
    seeds = (plan.seeds or tuple(range(1, budget.seeds + 1))) if one.uses_seeds else (0,)
    asked = [(prompt, 0) for prompt in range(1, budget.prompts + 1)]
    if plan.table == "compass-stability":
        asked += [(1, wording) for wording in range(1, PARAPHRASE_COUNT + 1)]
    for prompt, wording in asked:
        for seed in seeds:
            yield CompassCellId(one, prompt, wording, seed)


@dataclass(slots=True)
class CompassRunner(CellRunner[CompassCellId]):
    """Computes cells, and caches the loaded model. Responses are saved under ``folder``."""

    questionnaire: Questionnaire
    folder: Path
    device: torch.device
    events: Events
    _probe: Probe | None = None
    _loaded: ModelUnderTest | None = field(default=None)

    def facts(self, cell_id: CompassCellId) -> dict[str, str]:
        """See ``CellRunner.facts``."""
        texts = digest({"texts": "\n".join(wording_texts(self.questionnaire, cell_id.wording))})
        return {
            **cell_id.model.facts(),
            "cell": f"prompt {cell_id.prompt}, wording {cell_id.wording}, seed {cell_id.seed}, {texts}",
            "method": METHOD,
            "statements": self.questionnaire.digest,
        }

    def measure(self, cell_id: CompassCellId) -> Measurement:
        """The readings of all statements, and their position. Raises TrainingError if the model cannot answer."""
        probe = self.probe(cell_id.model)
        texts = wording_texts(self.questionnaire, cell_id.wording)
        readings = probe.read(texts, prompt=cell_id.prompt, seed=cell_id.seed)
        answered = Round(cell_id.prompt, cell_id.wording, cell_id.seed, tuple(readings))
        answers = [one.answer for one in aggregate_rounds([answered], cell_id.model.min_confidence)]
        found = locate(self.questionnaire, answers)
        return Measurement(
            {
                "economic": found.position.economic,
                "social": found.position.social,
                "unclear": float(found.unclear),
                "mass": fmean(one.agree + one.disagree for one in readings),
                **probe.extra_values(),
                **_numbered(readings),
            }
        )

    def probe(self, wanted: ModelUnderTest) -> Probe:
        """The loaded model; another one is released. Raises TrainingError if it is not available."""
        if self._probe is None or self._loaded != wanted:
            self._probe = None
            self.events.emit("stage", f"loading {wanted.name}")
            self._probe, self._loaded = (
                wanted.open(folder=self.folder / "responses", device=self.device, events=self.events),
                wanted,
            )
        return self._probe


def _numbered(readings: Sequence[StanceReading]) -> dict[str, float]:
    """The readings as values of a cell, by the number of the statement."""
    return {
        f"{side} {number}": value
        for number, one in enumerate(readings, start=1)
        for side, value in (("agree", one.agree), ("disagree", one.disagree))
    }
