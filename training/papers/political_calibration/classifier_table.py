"""The table of the ideology classifiers that score the texts of Tables 5 to 7 of Liu et al. 2021, beside the paper's
F1.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from core.runs.trained_models import MEASURED_PROTOCOL
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
    CellTask,
    ResultCell,
    cells_of_scale,
    digest,
    format_mean_std,
    save_cell,
)
from training.metrics import macro_f1
from training.papers.harness import check_rows, command_notes, compute_missing, describe_runs, run_cells

METHOD = 1
"""Bump this when the result of a cell changes for the same facts."""
RUN = "judge-run"
"""The protocol of a cell that a run measured: one random split and one by publisher."""
TABLE = "calibration-judge"
TITLE = "Liu et al. 2021, section 5.2: the judge of political ideology"


FEWEST = 3
"""Folds of the smoke scale."""
_NOTES = (
    "Macro-F1 on articles that the judge did not learn from, of which it reads the first 100 tokens; sources' "
    "names, datelines and marks other than , . ? ! are taken out, as in section 5.1.",
    "random: folds that share outlets with what is learnt from, as the paper's split does; grouped: folds that "
    "share no outlet's house with it. as used: learnt from the half of the houses that a seed gives to the judge, "
    "read on the half from which the calibration learns; Tables 5 to 7 are judged by this one.",
    "A judge of a run was trained once: random are articles of houses it learnt from, grouped a fifth of all houses, "
    "held out from that training. It may have learnt from articles that a calibration learns from, too.",
    "The paper's judge is XLNet on articles of ten outlets of Media Cloud; ours reads AllSides articles of many.",
)


def run(
    data: Path,
    plan: TablePlan,
    folder: Path,
    *,
    seeds: Sequence[int],
    ideology_classifier: str = DEFAULT_CLASSIFIER,
) -> Table:
    """Evaluate the classifiers with each seed; for one of a run, show what the run measured.

    Raises CorpusError if there are no articles; too few publishers of a side become a note.
    """
    check_rows(plan.rows, BUILT_IN)
    if ideology_classifier not in BUILT_IN:
        save_cell(_cell_of_run(ideology_classifier), folder / "cells")
    cells, notes = run_cells(plan, folder, lambda committed: _fill(data, plan, folder, seeds, committed))
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
            _spread(found, "random") or "not run here",
            f"{PUBLISHED_F1:.3f}",
            _spread(found, "grouped"),
            _spread(found, "used"),
            f"{len(found)} of {max(len(seeds), len(found))}",
            describe_runs(found) if found else "",
        )
        for key, found in lines.items()
    )
    head = ("judge", "random", "published", "grouped", "as used", "cells", "run at")
    block = Block("macro-F1, liberal and conservative", head, rows)
    told = command_notes((cell for found in lines.values() for cell in found), TABLE)
    return Table(TITLE, (block,), (*notes, *_NOTES, *told))


def _spread(cells: Sequence[ResultCell], name: str) -> str:
    known = [cell.values[name] for cell in cells if name in cell.values]
    return format_mean_std(known, 3) if known else ""


def _cell_of_run(judge: str) -> ResultCell:
    """The cell of a classifier that a run trained, with the scores of that run."""
    _, told = describe_trained(judge)
    metrics = told["metrics"]
    facts = {
        "cell": f"judge of run {told['run']}",
        "title": find_classifier(judge).title,
        "base": told["base"],
    }
    return ResultCell(
        place=f"calibration-judge-run-{told['run'][:8]}",
        row=told["run"][:8],
        group="",
        protocol=RUN,
        seed=int(told["seed"]),
        fold=0,
        scale=told["scale"],
        key=digest(facts),
        command=told["command"],
        facts=facts,
        values={
            "random": metrics["random_macro_f1"],
            "grouped": metrics["grouped_macro_f1"],
            "articles": metrics["learnt_articles"],
        },
    )


def _fill(
    data: Path, plan: TablePlan, folder: Path, seeds: Sequence[int], committed: Sequence[ResultCell]
) -> list[str]:
    events = Events(TABLE, stream=sys.stderr)
    events.emit("stage", "reading the articles")
    material = load_articles(data)
    folds = FEWEST if plan.scale == "smoke" else FOLDS
    keys = [key for key in BUILT_IN if not plan.rows or key in plan.rows]
    tasks = (_task(material, key, seed, folds, plan) for seed in seeds for key in keys)
    return compute_missing(tasks, folder, committed=committed, events=events)


def _task(material: ArticleCorpus, key: str, seed: int, folds: int, plan: TablePlan) -> CellTask:
    facts = {
        "cell": f"judge {key}, seed {seed}",
        "method": str(METHOD),
        "articles": material.mark,
        "folds": str(folds),
    }
    cell = ResultCell(
        place=f"calibration-judge-{key}-seed{seed}",
        row=key,
        group="",
        protocol=MEASURED_PROTOCOL,
        seed=seed,
        fold=0,
        scale=plan.scale,
        key=digest(facts),
        command=f"evenhand train table {TABLE} --scale {plan.scale} --rows {key} --seeds {seed}",
        facts=facts,
        values={},
    )
    return CellTask(
        BUILT_IN[key].title,
        cell,
        lambda: replace(cell, values=_measure(key, material, seed=seed, folds=folds)),
    )


def _measure(key: str, material: ArticleCorpus, *, seed: int, folds: int) -> dict[str, float]:
    def fit(train: Sequence[LabelledArticle]) -> IdeologyClassifier:
        return BUILT_IN[key].fit(train, material.masks, seed)

    found = cross_validate(material.rows, fit, seed=seed, folds=folds)
    parts = material.split_publishers(seed)
    others = (*parts.train, *parts.dev)
    read = fit(parts.classifier).p_liberal([row.text for row in others])
    used = macro_f1([int(row.liberal) for row in others], [int(chance > 0.5) for chance in read])
    return {
        "random": found.random.macro_f1,
        "grouped": found.grouped.macro_f1,
        "used": used,
        "articles": float(len(material.rows)),
        "judge_articles": float(len(parts.classifier)),
        "other_articles": float(len(others)),
    }
