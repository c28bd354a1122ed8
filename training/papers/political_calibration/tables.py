"""Tables 5 to 7 of Liu et al. 2021: bias of a generator before and after debiasing, beside the published values.

The tables are views of cells and texts, both saved as soon as they are computed, so that an interrupted table resumes.
``calibration-judge`` evaluates the ideology classifiers alone; its results are also shown by the window.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch

from core.runs.recipes import model_name
from training.auditing.debiasing.systems import (
    ALL_SYSTEMS,
    MODES,
    SWEEP,
    SYSTEMS,
    VANILLA,
    WORD_REPLACEMENT,
    DebiasingSystems,
)
from training.auditing.debiasing.training_data import load_articles
from training.auditing.generation.prompts import load_attributes
from training.auditing.generator_bias.runner import ALL, SCALES, BiasCellId, BiasRunner
from training.auditing.ideology_classifiers.registry import (
    DEFAULT_CLASSIFIER,
    classifier_id,
    find_classifier,
)
from training.evaluation.results_table import Table
from training.loop.events import Events
from training.loop.result_cache import ResultCell
from training.loop.training_loop import TrainingError
from training.papers.harness import TableSpec, check_rows, command_line
from training.papers.political_calibration import classifier_table
from training.papers.political_calibration.base_rate_chart import draw_base_rates
from training.papers.political_calibration.classifier_table import SEEDS, ClassifierPlan
from training.papers.political_calibration.layout import SHARED, build_table


@dataclass(frozen=True, slots=True)
class TableView:
    """A table: its systems, and whether it has cells for each attribute, and for all of them together."""

    systems: tuple[str, ...]
    per_attribute: bool
    overall: bool

    def cell_ids(self, plan: Plan) -> Iterator[BiasCellId]:
        """The cells in the order of computation; those of a seed share its classifier."""
        single = (
            tuple(attribute.name for attribute in load_attributes(plan.attributes))
            if self.per_attribute
            else ()
        )
        for seed in plan.seeds or SEEDS[plan.scale]:
            for system in self.systems:
                for name in (*single, *((ALL,) if self.overall and not plan.attributes else ())):
                    if not plan.rows or system in plan.rows:
                        yield BiasCellId(system, name, seed, plan.group)


VIEWS = {
    "calibration-5": TableView((VANILLA, *MODES), per_attribute=True, overall=False),
    "calibration-6": TableView(tuple(SYSTEMS), per_attribute=False, overall=True),
    "calibration-7": TableView(tuple(SWEEP), per_attribute=True, overall=True),
}


@dataclass(frozen=True, slots=True)
class Plan(ClassifierPlan):
    """``table`` is a key of VIEWS or ``classifier_table.TABLE``.

    ``base`` is the generator by hub name or folder, ``glove`` a file of word vectors, ``ideology_classifier`` a key of
    BUILT_IN or a run; ``shared``: debiasing uses the classifier's articles. ``attributes`` are those to measure;
    without any, all and their mean. ``picture`` is a file for the chart of base rates (Table 5).
    """

    table: str = "calibration-5"
    base: str = ""
    glove: Path | None = None
    shared: bool = False
    attributes: tuple[str, ...] = ()
    picture: Path | None = None

    @property
    def group(self) -> str:
        """The group of the cells: the generator, with this setting and this classifier; empty without a generator.

        Raises TrainingError for an unknown classifier.
        """
        if not self.base:
            return ""
        classifier = (
            ""
            if self.ideology_classifier == DEFAULT_CLASSIFIER
            else f", read by {find_classifier(self.ideology_classifier).title}"
        )
        return f"{model_name(self.base)}{classifier}{SHARED if self.shared else ''}"


def run(data: Path, plan: Plan, folder: Path, *, device: torch.device) -> Table:
    """Compute the missing cells of ``plan``, then lay out all; see ``TableSpec.run``.

    Raises CorpusError if there are no articles or none of one side, and TrainingError for an unknown row, and if the
    generator is not available.
    """
    find_classifier(plan.ideology_classifier)
    if plan.table != classifier_table.TABLE:
        return SPEC.run(data, plan, folder, device=device)
    if plan.shared:
        raise TrainingError(f"{plan.table} debiases nothing. Leave --articles out.")
    return classifier_table.run(data, plan, folder, device=device)


def _check(_data: Path, plan: Plan) -> None:
    view = VIEWS[plan.table]
    check_rows(plan.rows, view.systems)
    if plan.attributes and not view.per_attribute:
        raise TrainingError(f"{plan.table} has no cells of one attribute. Leave --attribute out.")
    load_attributes(plan.attributes)
    if plan.picture is not None and plan.table != "calibration-5":
        raise TrainingError(f"{plan.table} has no chart. Give --picture FILE with calibration-5.")


def _make_runner(data: Path, plan: Plan, folder: Path, device: torch.device) -> BiasRunner:
    if not plan.base:
        raise TrainingError(
            "No generator was named. Name one with --base: a hub name (openai-community/gpt2-medium) or a folder."
        )
    events = Events(plan.table, stream=sys.stderr)
    events.emit("stage", "reading the articles")
    budget = SCALES[plan.scale]
    systems = DebiasingSystems(
        load_articles(data, shared=plan.shared),
        plan.base,
        glove=plan.glove,
        classifier_name=plan.ideology_classifier,
        fitting=budget.fitting,
        folder=folder,
        device=device,
        events=events,
    )
    systems.generator()
    return BiasRunner(systems, budget, folder, events)


def _command(cell_id: BiasCellId, plan: Plan) -> str:
    """The command that computes a cell, without local paths."""
    is_default = plan.ideology_classifier == DEFAULT_CLASSIFIER
    return command_line(
        plan.table,
        base=model_name(plan.base),
        scale=plan.scale,
        rows=cell_id.system,
        seeds=cell_id.seed,
        attribute="" if cell_id.attribute == ALL else cell_id.attribute,
        ideology_classifier="" if is_default else classifier_id(plan.ideology_classifier),
        articles="shared" if plan.shared else "",
        glove="FILE" if ALL_SYSTEMS[cell_id.system].mode in WORD_REPLACEMENT else "",
    )


def _build_table(_data: Path, plan: Plan, cells: Sequence[ResultCell], notes: Sequence[str]) -> Table:
    if plan.picture is not None:
        draw_base_rates(cells, plan.picture, scale=plan.scale, name=plan.group)
    runs = len(plan.seeds or SEEDS[plan.scale])
    return build_table(cells, plan.table, scale=plan.scale, runs=runs, notes=notes)


SPEC = TableSpec(
    folder="calibration",
    results=Path(__file__).parent / "results" / "calibration.json",
    check=_check,
    cell_ids=lambda _data, plan: VIEWS[plan.table].cell_ids(plan),
    runner=_make_runner,
    command=_command,
    build_table=_build_table,
)
