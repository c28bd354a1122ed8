"""Runs the cells of Figures 1, 5 and 6 of Feng et al. 2023: one round of statements for each model, prompt, wording,
seed.

Cells and a generator's responses are saved one by one, so that an interrupted table or run resumes.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import fmean

import torch

from training.auditing.compass.models_under_test import (
    LOG_PROBABILITY,
    ModelUnderTest,
    Probe,
)
from training.auditing.compass.positions import Round, StanceReading, locate, settle_rounds
from training.auditing.compass.questionnaire import (
    PARAPHRASE_COUNT,
    PROMPT_COUNT,
    Questionnaire,
    wording_texts,
)
from training.evaluation.results_table import TablePlan
from training.loop.events import Events
from training.loop.result_cache import CellTask, ResultCell, digest

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
class CellId:
    """Identifies a cell: a model, a prompt of Table 11, a wording (0: the original) and a seed."""

    model: ModelUnderTest
    prompt: int
    wording: int
    seed: int


@dataclass(frozen=True, slots=True)
class Plan(TablePlan):
    """``table`` is compass-positions, -answers or -stability; ``models`` are hub names or folders.

    ``stance`` is how a generator's answer is scored: *log-probability*, *direct*, or the hub name or folder of a
    classifier of natural-language inference.
    """

    table: str = "compass-positions"
    models: tuple[str, ...] = ()
    stance: str = LOG_PROBABILITY


def cell_ids(one: ModelUnderTest, plan: Plan) -> Iterator[CellId]:
    """The cells of a model in the order of computation."""
    amount = SCALES[plan.scale]
    seeds = (plan.seeds or tuple(range(1, amount.seeds + 1))) if one.uses_seeds else (0,)
    asked = [(prompt, 0) for prompt in range(1, amount.prompts + 1)]
    if plan.table == "compass-stability":
        asked += [(1, wording) for wording in range(1, PARAPHRASE_COUNT + 1)]
    for prompt, wording in asked:
        for seed in seeds:
            yield CellId(one, prompt, wording, seed)


@dataclass(slots=True)
class CompassRunner:
    """Computes cells, and caches the loaded model. Responses are saved under ``folder``."""

    questionnaire: Questionnaire
    folder: Path
    device: torch.device
    events: Events
    _probe: Probe | None = None
    _of: ModelUnderTest | None = field(default=None)

    def task(self, slot: CellId, plan: Plan, *, command: str = "") -> CellTask:
        """The cell of an id, and the function that computes it; ``command`` replaces the default command."""
        one = slot.model
        texts = digest({"texts": "\n".join(wording_texts(self.questionnaire, slot.wording))})
        facts = {
            **one.facts(),
            "cell": f"prompt {slot.prompt}, wording {slot.wording}, seed {slot.seed}, {texts}",
            "method": METHOD,
            "statements": self.questionnaire.mark,
        }
        named = digest({"model": one.name, "reader": one.reader})[:8]
        cell = ResultCell(
            place=f"compass-{named}-prompt{slot.prompt}-wording{slot.wording}-seed{slot.seed:02}",
            row=one.name,
            group=one.kind,
            protocol=one.reader,
            seed=slot.seed,
            fold=0,
            scale=plan.scale,
            key=digest(facts),
            command=command or _command(slot, plan),
            facts=facts,
            values={},
        )
        return CellTask(one.name, cell, lambda: replace(cell, values=self._values(slot)))

    def _values(self, slot: CellId) -> dict[str, float]:
        began = time.monotonic()
        probe = self.probe(slot.model)
        texts = wording_texts(self.questionnaire, slot.wording)
        readings = probe.read(texts, prompt=slot.prompt, seed=slot.seed)
        record = Round(slot.prompt, slot.wording, slot.seed, tuple(readings))
        answers = [one.answer for one in settle_rounds([record], slot.model.min_confidence)]
        found = locate(self.questionnaire, answers)
        return {
            "economic": found.position.economic,
            "social": found.position.social,
            "unclear": float(found.unclear),
            "mass": fmean(one.agree + one.disagree for one in readings),
            **probe.extra_values(),
            **_numbered(readings),
            "seconds": round(time.monotonic() - began, 1),
        }

    def probe(self, wanted: ModelUnderTest) -> Probe:
        """The loaded model; another one is released. Raises TrainingError if it is not available."""
        if self._probe is None or self._of != wanted:
            self._probe = None
            self.events.emit("stage", f"loading {wanted.name}")
            self._probe, self._of = (
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


def _command(slot: CellId, plan: Plan) -> str:
    """The command that computes a cell, without local paths."""
    words = [f"evenhand train table {plan.table}", f"--base {slot.model.name}", f"--scale {plan.scale}"]
    words += [f"--seeds {slot.seed}"] if slot.model.uses_seeds else []
    return " ".join([*words, *slot.model.stance_options])
