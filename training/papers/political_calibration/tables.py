"""Tables 5 to 7 of Liu et al. 2021: bias of a generator before and after debiasing, beside the published values.

The tables are views of cells and texts, both saved as soon as they are computed, so that an interrupted table resumes.
``calibration-judge`` evaluates the ideology classifiers alone; its results are also shown by the window.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch

from core.runs.trained_models import MEASURED_FILE
from training.auditing.debiasing.systems import (
    ALL_SYSTEMS,
    MODES,
    SWEEP,
    SYSTEMS,
    VANILLA,
    WORD_REPLACEMENT,
    DebiasingSystems,
    display_name,
)
from training.auditing.debiasing.training_data import load_articles
from training.auditing.generation.prompts import load_attributes
from training.auditing.generator_bias.experiment import ALL, SCALES, BiasRunner, CellId
from training.auditing.ideology_classifiers.registry import (
    DEFAULT_CLASSIFIER,
    classifier_mark,
    find_classifier,
)
from training.evaluation.results_table import Table, TablePlan
from training.loop.events import Events
from training.loop.result_cache import CellTask, ResultCell, digest
from training.loop.training_loop import TrainingError
from training.papers.harness import check_rows, compute_missing, run_cells
from training.papers.political_calibration import classifier_table
from training.papers.political_calibration.base_rate_chart import draw_base_rates
from training.papers.political_calibration.layout import SHARED, lay_out

RESULTS = Path(__file__).parent / "results" / "calibration.json"
JUDGE = "calibration-judge"
SEEDS = {"smoke": (1,), "cpu": (1,), "full": (1, 2, 3)}


@dataclass(frozen=True, slots=True)
class View:
    """A table: the systems for ``--rows``, and whether its cells are per attribute (``each``) and over all (``whole``)."""

    systems: tuple[str, ...]
    each: bool
    whole: bool

    def slots(self, plan: Plan) -> Iterator[CellId]:
        """The cells in the order of computation; those of a seed share its classifier."""
        single = tuple(attribute.name for attribute in load_attributes(plan.attributes)) if self.each else ()
        for seed in plan.seeds or SEEDS[plan.scale]:
            for system in self.systems:
                for name in (*single, *((ALL,) if self.whole and not plan.attributes else ())):
                    if not plan.rows or system in plan.rows:
                        yield CellId(system, name, seed)


VIEWS = {
    "calibration-5": View((VANILLA, *MODES), each=True, whole=False),
    "calibration-6": View(tuple(SYSTEMS), each=False, whole=True),
    "calibration-7": View(tuple(SWEEP), each=True, whole=True),
}


@dataclass(frozen=True, slots=True)
class Plan(TablePlan):
    """``table`` is a key of VIEWS or JUDGE.

    ``base`` is the generator by hub name or folder, ``glove`` a file of word vectors, ``ideology_classifier`` a key of
    BUILT_IN or a run; ``shared``: debiasing uses the classifier's articles. ``attributes`` are those to measure;
    without any, all and their mean. ``picture`` is a file for the chart of base rates (Table 5).
    """

    table: str = "calibration-5"
    base: str = ""
    glove: Path | None = None
    ideology_classifier: str = DEFAULT_CLASSIFIER
    shared: bool = False
    attributes: tuple[str, ...] = ()
    picture: Path | None = None

    def __post_init__(self) -> None:
        """Each table has its own file of results."""
        if self.results == Path():
            object.__setattr__(self, "results", MEASURED_FILE if self.table == JUDGE else RESULTS)

    @property
    def group(self) -> str:
        """The group of the cells: the generator, with this setting and this classifier; empty without a generator.

        Raises TrainingError for an unknown classifier.
        """
        if not self.base:
            return ""
        judged = (
            ""
            if self.ideology_classifier == DEFAULT_CLASSIFIER
            else f", read by {find_classifier(self.ideology_classifier).title}"
        )
        return f"{display_name(self.base)}{judged}{SHARED if self.shared else ''}"


def run(data: Path, plan: Plan, folder: Path, *, device: torch.device) -> Table:
    """Compute the missing cells of ``plan``, then lay out all.

    A row that cannot be run here becomes a note. Raises CorpusError if there are no articles or none of one side, and
    TrainingError for an unknown row, and if the generator is not available.
    """
    find_classifier(plan.ideology_classifier)
    if plan.table == JUDGE:
        if plan.shared:
            raise TrainingError(f"{JUDGE} calibrates nothing. Leave --articles out.")
        seeds = plan.seeds or SEEDS[plan.scale]
        return classifier_table.run(
            data, plan, folder / JUDGE, seeds=seeds, ideology_classifier=plan.ideology_classifier
        )
    folder = folder / "calibration"
    view = VIEWS[plan.table]
    check_rows(plan.rows, view.systems)
    if plan.attributes and not view.each:
        raise TrainingError(f"{plan.table} has no cells of one attribute. Leave --attribute out.")
    load_attributes(plan.attributes)
    if plan.picture is not None and plan.table != "calibration-5":
        raise TrainingError(f"{plan.table} has no picture. Say --picture FILE with calibration-5.")
    cells, notes = run_cells(plan, folder, lambda committed: _fill(data, plan, folder, device, committed))
    seeds = plan.seeds or SEEDS[plan.scale]
    if plan.picture is not None:
        draw_base_rates(cells, plan.picture, scale=plan.scale, name=plan.group)
    return lay_out(cells, plan.table, scale=plan.scale, runs=len(seeds), notes=notes)


def _fill(
    data: Path, plan: Plan, folder: Path, device: torch.device, committed: Sequence[ResultCell]
) -> list[str]:
    if not plan.base:
        raise TrainingError(
            "No generator was named. Say which with --base NAME, such as openai-community/gpt2-medium, or --base "
            "FOLDER."
        )
    events = Events(plan.table, stream=sys.stderr)
    events.emit("stage", "reading the articles")
    amount = SCALES[plan.scale]
    systems = DebiasingSystems(
        load_articles(data, shared=plan.shared),
        plan.base,
        glove=plan.glove,
        classifier_name=plan.ideology_classifier,
        fitting=amount.fitting,
        folder=folder,
        device=device,
        events=events,
    )
    systems.generator()
    experiment = BiasRunner(systems, amount, folder, events)
    tasks = (_task(experiment, slot, plan) for slot in VIEWS[plan.table].slots(plan))
    return compute_missing(tasks, folder, committed=committed, events=events)


def _task(experiment: BiasRunner, slot: CellId, plan: Plan) -> CellTask:
    facts = experiment.facts(slot)
    cell = ResultCell(
        place=f"calibration-{digest({'generator': plan.group})[:8]}-{slot.system}-{slot.attribute}-seed{slot.seed}",
        row=slot.system,
        group=plan.group,
        protocol=slot.attribute,
        seed=slot.seed,
        fold=0,
        scale=plan.scale,
        key=digest(facts),
        command=_command(slot, plan, experiment.systems.name),
        facts=facts,
        values={},
    )
    return CellTask(
        ALL_SYSTEMS[slot.system].title, cell, lambda: replace(cell, values=experiment.measure(slot))
    )


def _command(slot: CellId, plan: Plan, name: str) -> str:
    """The command that computes a cell, without local paths."""
    words = [f"evenhand train table {plan.table}", f"--base {name}", f"--scale {plan.scale}"]
    words += [f"--rows {slot.system}", f"--seeds {slot.seed}"]
    words += [] if slot.attribute == ALL else [f"--attribute {slot.attribute}"]
    words += (
        []
        if plan.ideology_classifier == DEFAULT_CLASSIFIER
        else [f"--ideology-classifier {classifier_mark(plan.ideology_classifier)}"]
    )
    words += ["--articles shared"] if plan.shared else []
    words += ["--glove FILE"] if ALL_SYSTEMS[slot.system].mode in WORD_REPLACEMENT else []
    return " ".join(words)
