"""Figures 2, 3 and 4 of Feng et al. 2023: where partisan pre-training moves a model.

Each corpus is pre-trained on once, and the model is saved under ``compass/models``, where other tables can use it; its
positions are cells as those of other models. An interrupted pre-training resumes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import torch

from core.runs.recipes import model_name
from training.auditing.compass import runner
from training.auditing.compass.models_under_test import (
    ModelUnderTest,
    model_under_test,
)
from training.auditing.compass.questionnaire import load_questionnaire
from training.auditing.generation.generator import model_digest
from training.evaluation.results_table import Table
from training.loop.events import Events
from training.loop.result_cache import CellTask, ResultCell, digest
from training.loop.training_loop import TrainingError
from training.papers.harness import command_line, compute_missing, run_cells
from training.papers.polilean import positions_table
from training.papers.polilean.partisan_corpora import (
    PartisanCorpus,
    drop_hateful,
    load_scored_texts,
    load_scorer,
    load_texts,
    parse_corpus,
    take_share,
)
from training.papers.polilean.pretraining import SCALES, Budget, pretrain
from training.papers.polilean.shift_layout import build_table
from training.text.near_duplicates import NearDuplicateIndex
from training.types import CorpusError

METHOD = "1"
"""Bump this when pre-trained models change for the same facts."""
SHIFT, TRAJECTORY = "compass-shift", "compass-trajectory"
STEPS: dict[str, tuple[tuple[int, ...], tuple[float, ...]]] = {
    "smoke": ((1, 2), (0.5,)),
    "cpu": ((1, 2, 4), (0.25, 0.5)),
    "full": ((10, 20, 30, 40, 50), (0.2, 0.4, 0.6, 0.8)),
}
"""Epochs and shares of the texts in Figure 4; all texts with the scale's epochs belong to both."""
SEEDS = {"smoke": (1,), "cpu": (1,), "full": (1, 2, 3)}
"""Seeds of pre-training, one model each. Those of ``--seeds`` are of responses."""
CORPORA = ("news-left", "news-center", "news-right", "speech-left", "speech-right")


@dataclass(frozen=True, slots=True)
class Variant:
    """A corpus, the share ``part`` of it, the epochs, and the ``seed`` of the pre-training.

    The share applies to the texts and to the blocks of the scale: ``cpu`` uses fewer blocks than a quarter of the news
    has, so that fewer texts alone would change nothing.
    """

    corpus: PartisanCorpus
    part: float
    epochs: int
    seed: int = 1

    def budget(self, usual: Budget) -> Budget:
        """The budget of this variant, from the ``usual`` one of the scale."""
        blocks = None if usual.blocks is None else max(1, round(self.part * usual.blocks))
        return replace(usual, blocks=blocks, epochs=self.epochs)

    def name(self, usual: Budget) -> str:
        """The name of the model: the corpus, and what differs from the scale's default."""
        part = "" if self.part == 1.0 else f"-{round(100 * self.part)}pc"
        epochs = "" if self.epochs == usual.epochs else f"-{self.epochs}ep"
        return f"{self.corpus.name}{part}{epochs}{'' if self.seed == 1 else f'-seed{self.seed}'}"


@dataclass(frozen=True, slots=True)
class Plan(runner.Plan):
    """``corpora`` are names for ``parse_corpus`` (none: CORPORA), ``hate_filter`` a classifier of hate speech or empty.

    ``epochs`` replaces the scale's number in compass-shift; 0 keeps it.
    """

    table: str = SHIFT
    corpora: tuple[str, ...] = ()
    hate_filter: str = ""
    epochs: int = 0


def run(data: Path, plan: Plan, folder: Path, *, device: torch.device) -> Table:
    """Pre-train the missing models, place base and partisan models, and lay out their distances.

    A missing corpus becomes a note. Raises CorpusError if the statements are missing or a corpus is unknown, and
    TrainingError if no base is named or it is not available.
    """
    questionnaire = load_questionnaire(data)
    plan = plan if plan.results != Path() else replace(plan, results=positions_table.RESULTS)
    wanted = [parse_corpus(name) for name in plan.corpora]
    if len(set(wanted)) < len(wanted):
        raise CorpusError("A corpus is named twice. Name each once with --corpora.")
    folder = folder / "compass"
    cells, notes = run_cells(
        plan,
        folder,
        lambda committed: _fill(data, plan, folder, device, committed),
    )
    return build_table(cells, questionnaire, plan.table, scale=plan.scale, notes=notes)


def _fill(
    data: Path, plan: Plan, folder: Path, device: torch.device, committed: Sequence[ResultCell]
) -> list[str]:
    if plan.rows or not plan.models:
        raise TrainingError(
            f"{plan.table} has no --rows and needs a model. Name one or more with --base MODEL [MODEL ...]."
        )
    events = Events(plan.table, stream=sys.stderr)
    compass_runner = runner.CompassRunner(load_questionnaire(data), folder, device, events)
    pretrainer = PartisanPretrainer(data, plan, folder, device, events)
    length = runner.SCALES[plan.scale].length
    notes: list[str] = []

    def tasks() -> Iterator[CellTask]:
        for base in plan.models:
            one = model_under_test(base, stance=plan.stance, length=length)
            yield from (
                compass_runner.task(cell_id, scale=plan.scale, command=positions_table.command(cell_id, plan))
                for cell_id in runner.cell_ids(one, plan)
            )
            for variant in _variants(plan):
                try:
                    made = pretrainer.pretrain(one, variant)
                except (CorpusError, TrainingError) as error:
                    notes.append(f"{model_name(base)}, {variant.corpus.name}: not run here. {error}")
                    continue
                command = _command(one, variant, plan)
                for cell_id in runner.cell_ids(replace(one, base=str(made)), plan):
                    yield compass_runner.task(cell_id, scale=plan.scale, command=command)

    return [*compute_missing(tasks(), folder, committed=committed, events=events), *notes]


def _command(base: ModelUnderTest, variant: Variant, plan: Plan) -> str:
    """The command that trains a partisan model and computes its cells, without local paths."""
    words = command_line(
        plan.table,
        base=base.name,
        corpora=variant.corpus.name,
        epochs=plan.epochs or "",
        scale=plan.scale,
    )
    return " ".join([words, *base.stance_options])


def _variants(plan: Plan) -> list[Variant]:
    """All variants of a base."""
    usual = SCALES[plan.scale]
    every: list[Variant] = []
    for name in plan.corpora or CORPORA:
        corpus = parse_corpus(name)
        if plan.table == TRAJECTORY:
            epochs, parts = STEPS[plan.scale]
            every += [Variant(corpus, part, usual.epochs) for part in parts]
            every += [Variant(corpus, 1.0, count) for count in epochs]
        wanted = plan.epochs if plan.table == SHIFT and plan.epochs else usual.epochs
        every += [Variant(corpus, 1.0, wanted, seed) for seed in SEEDS[plan.scale]]
    return list(dict.fromkeys(every))


@dataclass(slots=True)
class PartisanPretrainer:
    """Trains partisan models, and caches the texts of one corpus. Models are saved under ``folder``."""

    data: Path
    plan: Plan
    folder: Path
    device: torch.device
    events: Events
    _excluded: NearDuplicateIndex | None = None
    _texts: dict[PartisanCorpus, list[str]] = field(default_factory=dict)

    def pretrain(self, base: ModelUnderTest, variant: Variant) -> Path:
        """The folder of a partisan model. Raises CorpusError and TrainingError if it cannot be trained."""
        usual = SCALES[self.plan.scale]
        effort = variant.budget(usual)
        name = variant.name(usual)
        found = take_share(self._read(variant.corpus), of=variant.part)
        facts = {
            "base": model_digest(base.base),
            "texts": digest({"texts": "\n".join(found)}),
            "effort": effort.as_fact(),
            "seed": str(variant.seed),
            "method": METHOD,
        }
        self.events.stage = f"{base.name}-{name}"
        place = self.folder / "models" / digest(facts) / f"{base.name.rpartition('/')[2]}-{name}"
        pretrain(base, found, effort, seed=variant.seed, device=self.device, events=self.events, folder=place)
        self.events.stage = ""
        return place

    def _read(self, corpus: PartisanCorpus) -> list[str]:
        """The texts of a corpus without those scored downstream and, with a filter, without hateful ones."""
        if corpus not in self._texts:
            self._excluded = self._excluded or load_scored_texts(self.data)
            found = load_texts(self.data, corpus, excluded=self._excluded)
            if self.plan.hate_filter:
                kept = drop_hateful(found, load_scorer(self.plan.hate_filter, device=self.device))
                self.events.emit("stage", f"{corpus.name}: {len(found) - len(kept)} hateful texts left out")
                found = kept
            self._texts = {corpus: found}
        return self._texts[corpus]
