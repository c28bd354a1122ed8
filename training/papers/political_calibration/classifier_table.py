"""The table of the ideology classifiers that score the texts of Tables 5 to 7 of Liu et al. 2021, beside the paper's
F1.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch

from core.runs.trained_models import MEASURED_FILE, MEASURED_PROTOCOL
from training.auditing.debiasing.training_data import ArticleCorpus, load_articles
from training.auditing.generation.prompts import IdeologyClassifier
from training.auditing.ideology_classifiers.masked_articles import (
    FOLDS,
    LabelledArticle,
    cross_validate,
)
from training.auditing.ideology_classifiers.model_card import PUBLISHED_F1
from training.auditing.ideology_classifiers.registry import (
    BUILT_IN,
    DEFAULT_CLASSIFIER,
    describe_trained,
    find_classifier,
)
from training.evaluation.results_table import Block, Table, TablePlan
from training.loop.events import Events
from training.loop.result_cache import (
    CellRunner,
    Measurement,
    ResultCell,
    cells_of_scale,
    digest,
    save_cell,
)
from training.metrics import macro_f1
from training.papers.harness import (
    TableSpec,
    cell_columns,
    check_rows,
    command_line,
    command_notes,
    mean_and_std,
)

METHOD = 1
"""Bump this when the result of a cell changes for the same facts."""
RUN = "judge-run"  # Saved cells have the former word for the classifier, here and in their facts and places.
"""The protocol of a cell that a run measured: one random split and one by publisher."""
TABLE = "calibration-judge"
TITLE = "Liu et al. 2021, section 5.2: the ideology classifier"


FEWEST = 3
"""Folds of the smoke scale."""
_NOTES = (
    "Macro-F1 on held-out articles, of which the classifier reads the first 100 tokens; names of "
    "sources, datelines and marks other than , . ? ! are removed, as in section 5.1.",
    "random: folds that share outlets with the training data, as the paper's split does; grouped: "
    "folds that share no publisher with it. as used: trained on the publishers that a seed gives to "
    "the classifier, evaluated on those from which debiasing learns; this one scores Tables 5 to 7.",
    "A classifier of a run was trained once: random are articles of its training publishers, grouped a "
    "fifth of all publishers, held out from that training. It may share training articles with "
    "debiasing.",
    "The paper's classifier is XLNet on articles of ten outlets of Media Cloud; ours reads AllSides "
    "articles of many.",
)


SEEDS = {"smoke": (1,), "cpu": (1,), "full": (1, 2, 3)}


@dataclass(frozen=True, slots=True)
class ClassifierPlan(TablePlan):
    """``ideology_classifier`` is a key of BUILT_IN, or a training run, by its id or folder."""

    ideology_classifier: str = DEFAULT_CLASSIFIER


@dataclass(frozen=True, slots=True)
class ClassifierCellId:
    """A key of BUILT_IN, and a seed."""

    key: str
    seed: int
    group: str = ""
    protocol: str = MEASURED_PROTOCOL
    fold: int = 0

    @property
    def place(self) -> str:
        """Unique in the table."""
        return f"calibration-judge-{self.key}-seed{self.seed}"

    @property
    def title(self) -> str:
        """The title of the classifier."""
        return BUILT_IN[self.key].title

    @property
    def row(self) -> str:
        """The key of the classifier."""
        return self.key


@dataclass(slots=True)
class ClassifierRunner(CellRunner[ClassifierCellId]):
    """Evaluates the built-in classifiers on so many ``folds`` of the articles."""

    articles: ArticleCorpus
    folds: int
    events: Events

    def facts(self, cell_id: ClassifierCellId) -> dict[str, str]:
        """See ``CellRunner.facts``."""
        return {
            "cell": f"judge {cell_id.key}, seed {cell_id.seed}",
            "method": str(METHOD),
            "articles": self.articles.digest,
            "folds": str(self.folds),
        }

    def measure(self, cell_id: ClassifierCellId) -> Measurement:
        """Macro-F1 on random and publisher-grouped folds, and as tables use the classifier.

        Raises CorpusError if a side has fewer publishers than there are folds.
        """
        articles, seed = self.articles, cell_id.seed

        def fit(train: Sequence[LabelledArticle]) -> IdeologyClassifier:
            return BUILT_IN[cell_id.key].fit(train, articles.masks, seed)

        found = cross_validate(articles.rows, fit, seed=seed, folds=self.folds)
        parts = articles.split_publishers(seed)
        others = (*parts.train, *parts.dev)
        chances = fit(parts.classifier).p_liberal([row.text for row in others])
        used = macro_f1([int(row.liberal) for row in others], [int(chance > 0.5) for chance in chances])
        values = {
            "random": found.random.macro_f1,
            "grouped": found.grouped.macro_f1,
            "used": used,
            "articles": float(len(articles.rows)),
            "judge_articles": float(len(parts.classifier)),
            "other_articles": float(len(others)),
        }
        return Measurement(values, timed=False)


def run(data: Path, plan: ClassifierPlan, folder: Path, *, device: torch.device) -> Table:
    """Evaluate the classifiers with each seed; for one of a run, show what the run measured. See ``TableSpec.run``.

    Raises CorpusError if there are no articles; too few publishers of a side become a note.
    """
    _check(data, plan)
    if plan.ideology_classifier not in BUILT_IN:
        save_cell(_cell_of_run(plan.ideology_classifier), folder / TABLE / "cells")
    return SPEC.run(data, plan, folder, device=device)


def _check(_data: Path, plan: ClassifierPlan) -> None:
    check_rows(plan.rows, BUILT_IN)


def _cell_ids(_data: Path, plan: ClassifierPlan) -> Iterator[ClassifierCellId]:
    for seed in plan.seeds or SEEDS[plan.scale]:
        for key in BUILT_IN:
            if not plan.rows or key in plan.rows:
                yield ClassifierCellId(key, seed)


def _make_runner(data: Path, plan: ClassifierPlan, _folder: Path, _device: torch.device) -> ClassifierRunner:
    events = Events(TABLE, stream=sys.stderr)
    events.emit("stage", "reading the articles")
    return ClassifierRunner(load_articles(data), FEWEST if plan.scale == "smoke" else FOLDS, events)


def _command(cell_id: ClassifierCellId, plan: ClassifierPlan) -> str:
    return command_line(TABLE, scale=plan.scale, rows=cell_id.key, seeds=cell_id.seed)


def _build_table(
    _data: Path, plan: ClassifierPlan, cells: Sequence[ResultCell], notes: Sequence[str]
) -> Table:
    runs = len(plan.seeds or SEEDS[plan.scale])
    lines = {
        key: cells_of_scale(
            [cell for cell in cells if cell.protocol in (MEASURED_PROTOCOL, RUN) and cell.row == key],
            plan.scale,
        )
        for key in [*BUILT_IN, *sorted({cell.row for cell in cells if cell.protocol == RUN})]
    }
    rows = tuple(
        (
            BUILT_IN[key].title if key in BUILT_IN else found[0].facts["title"],
            mean_and_std(found, "random", 3) or "not run here",
            f"{PUBLISHED_F1:.3f}",
            mean_and_std(found, "grouped", 3),
            mean_and_std(found, "used", 3),
            *cell_columns(found, runs),
        )
        for key, found in lines.items()
    )
    head = ("classifier", "random", "published", "grouped", "as used", "cells", "run at")
    block = Block("macro-F1, liberal and conservative", head, rows)
    commands = command_notes((cell for found in lines.values() for cell in found), TABLE)
    return Table(TITLE, (block,), (*notes, *_NOTES, *commands))


SPEC = TableSpec(
    folder=TABLE,
    results=MEASURED_FILE,
    check=_check,
    cell_ids=_cell_ids,
    runner=_make_runner,
    command=_command,
    build_table=_build_table,
)


def _cell_of_run(name: str) -> ResultCell:
    """The cell of a classifier that a run trained, with the scores of that run."""
    _, description = describe_trained(name)
    metrics = description["metrics"]
    facts = {
        "cell": f"judge of run {description['run']}",
        "title": find_classifier(name).title,
        "base": description["base"],
    }
    return ResultCell(
        place=f"calibration-judge-run-{description['run'][:8]}",
        row=description["run"][:8],
        group="",
        protocol=RUN,
        seed=int(description["seed"]),
        fold=0,
        scale=description["scale"],
        key=digest(facts),
        command=description["command"],
        facts=facts,
        values={
            "random": metrics["random_macro_f1"],
            "grouped": metrics["grouped_macro_f1"],
            "articles": metrics["learnt_articles"],
        },
    )
