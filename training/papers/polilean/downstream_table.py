"""Tables 3 to 6 and 12 of Feng et al. 2023: detectors on partisan models, overall, by group and by vote."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

import numpy as np
import torch

from core.runs.recipes import model_name
from training.auditing.compass.detector_runner import SCALES as DETECTOR_SCALES
from training.auditing.compass.detector_runner import SEEDS, DetectorCellId, DetectorRunner, Plan
from training.auditing.compass.detectors import TASKS
from training.auditing.compass.group_scores import (
    ALL,
    NONE,
    TaskCells,
    balanced_accuracy,
    choose_task_cells,
    f1,
    format_p,
    format_percent,
    majority_vote,
    mean_vote,
    predict,
    scores,
)
from training.auditing.compass.models_under_test import check_names_differ
from training.corpora.grouped_texts import GroupedSplit
from training.evaluation.results_table import Block, Table
from training.loop.events import Events
from training.loop.result_cache import ResultCell
from training.loop.training_loop import TrainingError
from training.metrics.resampling import Array, Floats, Metric
from training.metrics.significance import paired_bootstrap
from training.papers.harness import TableSpec, command_line, command_notes, describe_runs
from training.papers.polilean.positions_table import RESULTS
from training.papers.polilean.published import (
    COMPASS_HATE_GROUPS,
    COMPASS_SOURCES,
    COMPASS_TABLE_3,
    COMPASS_TABLE_4_HATE,
    COMPASS_TABLE_4_MISINFORMATION,
    COMPASS_TABLE_6,
    COMPASS_TABLE_12_HATE,
    COMPASS_TABLE_12_MISINFORMATION,
    COMPASS_TASKS,
)
from training.types import CorpusError

TABLES = {
    "compass-3": "Feng et al. 2023, Table 3: detectors on partisan models",
    "compass-4": "Feng et al. 2023, Table 4: the same detectors by group",
    "compass-5": "Feng et al. 2023, Tables 5, 14 and 15: where detectors on partisan models disagree",
    "compass-6": "Feng et al. 2023, Table 6: a vote of the partisan models",
    "compass-12": "Feng et al. 2023, Table 12: precision and recall by group",
}
COMMON = (
    "In percent. F1, precision and recall are those of the class to detect; ±: standard deviation over "
    "seeds. The first model of --base is the base, the others are the partisan ones.",
    "Fine-tuning follows Table 9 (learning rate 1e-4, batch size 32, at most 50 epochs at full scale), "
    "with AdamW and warm-up instead of RAdam, and uses the epoch that is best on dev; the paper does "
    "not say how it chose one.",
    "HateXplain and the parties of LIAR replace the paper's corpora: published rows are of other texts "
    "and groups, so no cell can be compared with one of them. LIAR has 12,836 statements; the paper "
    "counts 29,556 rows.",
)
SCALES = {
    "cpu": "cpu: 3,000 training rows, two epochs, 48 tokens of a text, one seed: chance is not "
    "averaged out. compass-shift says how a partisan model was pre-trained.",
    "smoke": "smoke: 200 rows, one epoch: only a test that everything works.",
}
NOTES: dict[str, tuple[str, ...]] = {
    "compass-3": (
        "p: paired bootstrap over the test rows of all seeds; the paper has a t-test without saying "
        "over what. It is not corrected for the number of models, and with one seed says nothing of "
        "another training.",
    ),
    "compass-4": (
        "– : a group without rows of both classes has no balanced accuracy. rows: test texts of the "
        "group; scores of small groups are unreliable. The paper does not name the score of this "
        "table.",
    ),
    "compass-5": (
        "The texts are quoted as they are, hate and falsehoods included. ✓ right, ✗ wrong; one seed. "
        "Two trainings of the same model would differ, too; on how many texts was not measured.",
    ),
    "compass-6": (
        "mean: ± over models and seeds. vote: the majority of the partisan models; ties are decided by "
        "their mean probability. mean probability: not in the paper. Each title names which of both is "
        "better on dev; only that one should be used. best: by F1 on the same test rows, as in the "
        "paper, which favours the single model. [ ] and p: paired bootstrap over test rows, which says "
        "nothing of another training.",
    ),
    "compass-12": (
        "– : no prediction (precision) or no row (recall) of that group is positive. rows: test texts "
        "of the group; scores of small groups are unreliable.",
    ),
}


def _check(_data: Path, plan: Plan) -> None:
    unknown = next((task for task in plan.tasks if task not in TASKS), None)
    if unknown is not None:
        raise TrainingError(f"{unknown} is not a task. Name some of {', '.join(TASKS)} with --tasks.")
    check_names_differ(plan.models)


def _make_runner(data: Path, plan: Plan, folder: Path, device: torch.device) -> DetectorRunner:
    if plan.rows:
        raise TrainingError(f"{plan.table} has no --rows: name its models with --base MODEL [MODEL ...].")
    if not plan.models:
        raise TrainingError(
            "No model was named. Name the base and its partisan models with --base BASE [PARTISAN ...]: hub names "
            "(FacebookAI/roberta-base) or folders, the model without partisan pre-training first."
        )
    events = Events(plan.table, stream=sys.stderr)
    return DetectorRunner(data, DETECTOR_SCALES[plan.scale], folder, device, events)


def _cell_ids(_data: Path, plan: Plan) -> Iterator[DetectorCellId]:
    for task in plan.tasks:
        for base in plan.models:
            for seed in plan.seeds or SEEDS[plan.scale]:
                yield DetectorCellId(task, base, seed)


def _command(cell_id: DetectorCellId, plan: Plan) -> str:
    """The command that computes a cell, without local paths."""
    return command_line(
        plan.table, base=cell_id.protocol, tasks=cell_id.task, scale=plan.scale, seeds=cell_id.seed
    )


def _build_table(data: Path, plan: Plan, cells: Sequence[ResultCell], notes: Sequence[str]) -> Table:
    splits: dict[str, GroupedSplit] = {}
    missing: list[str] = []
    for task in plan.tasks if plan.table == "compass-5" else ():
        try:
            splits[task] = TASKS[task].load(data)
        except CorpusError as error:
            missing.append(str(error))
    names = tuple(model_name(base) for base in plan.models)
    return build_table(
        cells,
        plan.table,
        names=names,
        tasks=plan.tasks,
        parts=splits,
        scale=plan.scale,
        notes=[*notes, *missing],
    )


SPEC = TableSpec(
    folder="compass",
    results=RESULTS,
    check=_check,
    cell_ids=_cell_ids,
    runner=_make_runner,
    command=_command,
    build_table=_build_table,
)


_TOGETHER: dict[str, Callable[[Sequence[Floats]], Array]] = {
    "vote": majority_vote,
    "mean probability": mean_vote,
}
"""The paper's ensemble first."""


@dataclass(frozen=True, slots=True)
class _System:
    """The predictions of a member or of an ensemble on test, by seed [rows], and the scores of each seed."""

    name: str
    found: list[Array]
    scored: list[dict[str, float]]

    @property
    def f1(self) -> float:
        """Mean over seeds."""
        return fmean(one["f1"] for one in self.scored)

    def cells(self) -> Iterator[str]:
        """The cells of its row."""
        yield self.name
        for score in ("bacc", "f1"):
            yield format_percent([one[score] for one in self.scored if score in one])


def voting_block(chosen: TaskCells) -> Block:
    """The vote of a task's members; with fewer than two, or without a common seed, the reason."""
    members = chosen.members
    seeds = chosen.seeds(members) if len(members) > 1 else []
    if seeds:
        rows = list(_rows(chosen, members, seeds))
    else:
        why = "no seed is common to all models" if len(members) > 1 else "a vote needs two partisan models"
        rows = [(why, NONE, NONE)]
    rows += _published_votes(chosen)
    title = f"{TASKS[chosen.task].title}, seeds: {', '.join(map(str, seeds)) or NONE}"
    preferred = _preferred(chosen, members, seeds) if seeds else ""
    return Block(f"{title}; better on dev: {preferred}" if preferred else title, _HEAD, tuple(rows))


_HEAD = ("system", "BACC", "F1")


def _rows(chosen: TaskCells, members: Sequence[str], seeds: Sequence[int]) -> Iterator[tuple[str, ...]]:
    gold = chosen.test_predictions(members[0], seeds[0])[0]
    singles = [
        _system(name, gold, [predict(chosen.test_predictions(name, seed)[1]) for seed in seeds])
        for name in members
    ]
    best = max(singles, key=lambda one: one.f1)
    every = [one for single in singles for one in single.scored]
    yield tuple(_System(f"mean of {len(members)}", [], every).cells())
    yield tuple(_System(f"best: {best.name}", best.found, best.scored).cells())
    probabilities = [[chosen.test_predictions(name, seed)[1] for name in members] for seed in seeds]
    together = [
        _system(f"{how} of {len(members)}", gold, [join(some) for some in probabilities])
        for how, join in _TOGETHER.items()
    ]
    for one in together:
        yield tuple(one.cells())
    for how, one in zip(_TOGETHER, together, strict=True):
        yield (f"{how} − {best.name}", *_gaps(gold, one.found, best.found))


def _system(name: str, gold: Array, found: list[Array]) -> _System:
    return _System(name, found, [scores(gold.tolist(), one.tolist()) for one in found])


def _preferred(chosen: TaskCells, members: Sequence[str], seeds: Sequence[int]) -> str:
    """Which of both ensembles has the better F1 on dev, averaged over seeds; empty if dev was not saved."""
    found: dict[str, list[float]] = {how: [] for how in _TOGETHER}
    for seed in seeds:
        rows = [chosen.dev_predictions(name, seed) for name in members]
        gold, probabilities = rows[0][0], [row[1] for row in rows]
        if not len(gold) or any(len(row) != len(gold) for row in probabilities):
            return ""
        for how, join in _TOGETHER.items():
            found[how].append(scores(gold.tolist(), join(probabilities).tolist()).get("f1", 0.0))
    return max(found, key=lambda how: fmean(found[how]))


def _gaps(gold: Array, one: Sequence[Array], other: Sequence[Array]) -> Iterator[str]:
    """The difference of two systems with interval and p; the rows of all seeds are resampled together."""
    rows = list(range(len(gold))) * len(one)
    truth = np.tile(gold, len(one))
    metrics: tuple[Metric, ...] = (balanced_accuracy, f1)
    for metric in metrics:
        found = paired_bootstrap(metric, truth, np.concatenate(one), np.concatenate(other), groups=rows)
        low, value, high = (
            100 * end for end in (found.difference.low, found.difference.value, found.difference.high)
        )
        yield f"{value:+.2f} [{low:+.2f}, {high:+.2f}], p {format_p(found.p, '= ')}"


def _published_votes(chosen: TaskCells) -> Iterator[tuple[str, ...]]:
    published = TASKS[chosen.task].published
    if published:
        at = COMPASS_TASKS.index(published)
        rows: Mapping[str, Sequence[Sequence[float]]] = COMPASS_TABLE_6
        for name, row in rows.items():
            yield (f"{name}, published", *(f"{value:.2f}" for value in row[at]))


_SHOWN, _WIDTH = 10, 160
_MISINFORMATION = COMPASS_TASKS[-1]


def build_table(
    cells: Sequence[ResultCell],
    table: str,
    *,
    names: Sequence[str],
    tasks: Sequence[str],
    parts: Mapping[str, GroupedSplit],
    scale: str,
    notes: Sequence[str],
) -> Table:
    """The table of ``cells`` of the models called ``names``, the base first; without names of all, without a base.

    ``parts`` are the corpora of compass-5, which shows texts.
    """
    every = [choose_task_cells(cells, task, names, scale) for task in tasks]
    blocks = tuple(block for one in every for block in _BLOCKS[table](one, parts))
    shown = [cell for one in every for found in one.models.values() for cell in found]
    how = [*COMMON, *NOTES[table]] if shown else ["No detector was trained yet."]
    how += [note for scale, note in SCALES.items() if any(cell.scale == scale for cell in shown)]
    if table in ("compass-4", "compass-12"):
        how += [line for one in every for line in _missing_rows(one)]
    return Table(TABLES[table], blocks, (*notes, *how, *command_notes(shown, table)))


def _missing_rows(chosen: TaskCells) -> Iterator[str]:
    """A line for each group that cannot be scored."""
    groups = chosen.groups
    for group, rows in zip(groups, chosen.sizes, strict=True):
        if not any(f"{group} bacc" in cell.values for cells in chosen.models.values() for cell in cells):
            yield (
                f"{TASKS[chosen.task].title}: {group} has {rows} test rows of one class only, and "
                "therefore no balanced accuracy."
            )


def _overall(chosen: TaskCells, _parts: Mapping[str, GroupedSplit]) -> Iterator[Block]:
    rows = [
        (
            name,
            *(_percent(cells, f"{ALL} {score}") for score in ("bacc", "f1")),
            _chance(chosen, name),
            str(len(cells)),
            describe_runs(cells),
        )
        for name, cells in chosen.models.items()
    ]
    published = TASKS[chosen.task].published
    if published:
        at = COMPASS_TASKS.index(published)
        rows += [
            (f"{name}, published", *(f"{value:.2f}" for value in row[at]), NONE, NONE, "")
            for name, row in COMPASS_TABLE_3.items()
        ]
    head = ("model", "BACC", "F1", "p of F1 against the base", "seeds", "run at")
    yield Block(TASKS[chosen.task].title, head, tuple(rows))


def _chance(chosen: TaskCells, name: str) -> str:
    """Two-sided p of the difference in F1 from the base; rows of a seed are resampled together."""
    if name == chosen.base or chosen.base not in chosen.models:
        return NONE
    both = chosen.seeds((chosen.base, name))
    if not both:
        return NONE
    gold = chosen.test_predictions(name, both[0])[0]
    one, other = (
        np.concatenate([predict(chosen.test_predictions(who, seed)[1]) for seed in both])
        for who in (name, chosen.base)
    )
    rows = list(range(len(gold))) * len(both)
    found = paired_bootstrap(f1, np.tile(gold, len(both)), one, other, groups=rows)
    return format_p(found.p)


def _by_group(chosen: TaskCells, _parts: Mapping[str, GroupedSplit]) -> Iterator[Block]:
    groups = chosen.groups
    rows = [
        (name, *(_percent(cells, f"{group} bacc") for group in groups))
        for name, cells in chosen.models.items()
    ]
    rows.append(("rows", *chosen.sizes))
    yield Block(f"{TASKS[chosen.task].title}, balanced accuracy", ("model", *groups), tuple(rows))
    if TASKS[chosen.task].published:
        names, published = (
            (COMPASS_SOURCES, COMPASS_TABLE_4_MISINFORMATION)
            if TASKS[chosen.task].published == _MISINFORMATION
            else (COMPASS_HATE_GROUPS, COMPASS_TABLE_4_HATE)
        )
        yield _published(chosen, names, published)


def _precise(chosen: TaskCells, _parts: Mapping[str, GroupedSplit]) -> Iterator[Block]:
    groups = chosen.groups
    published = TASKS[chosen.task].published
    for at, score in enumerate(("precision", "recall")):
        rows = [
            (name, *(_percent(cells, f"{group} {score}") for group in groups))
            for name, cells in chosen.models.items()
        ]
        rows.append(("rows", *chosen.sizes))
        yield Block(f"{TASKS[chosen.task].title}, {score}", ("model", *groups), tuple(rows))
        if published:
            hate = published != _MISINFORMATION
            table = COMPASS_TABLE_12_HATE if hate else COMPASS_TABLE_12_MISINFORMATION
            names = COMPASS_HATE_GROUPS if hate else COMPASS_SOURCES
            yield _published(chosen, names, {name: both[at] for name, both in table.items()}, score)


def _published(
    chosen: TaskCells, names: Sequence[str], rows: Mapping[str, Sequence[float]], score: str = ""
) -> Block:
    title = f"{TASKS[chosen.task].published}{', ' * bool(score)}{score}, published"
    return Block(
        title,
        ("model", *names),
        tuple((name, *(f"{value:.2f}" for value in row)) for name, row in rows.items()),
    )


def _disagreeing(chosen: TaskCells, parts: Mapping[str, GroupedSplit]) -> Iterator[Block]:
    names = tuple(chosen.models)
    seeds = chosen.seeds(names)
    title = f"{TASKS[chosen.task].title}: texts on which models differ most"
    head = ("text", "groups", "label", *names)
    if len(names) < 2 or not seeds or chosen.task not in parts:
        yield Block(title, head, ())
        return
    items = parts[chosen.task].test
    every = np.stack([chosen.test_predictions(name, seeds[0])[1] for name in names])
    if every.shape[1] != len(items):
        yield Block(f"{title} (the corpus has changed)", head, ())
        return
    found = every >= 0.5
    mixed = np.flatnonzero(found.any(axis=0) & ~found.all(axis=0))
    order = sorted(mixed.tolist(), key=lambda at: (-float(every[:, at].std()), at))[:_SHOWN]
    classes = TASKS[chosen.task].classes
    rows = tuple(
        (
            _short(items[at].text),
            ", ".join(items[at].groups) or NONE,
            classes[items[at].label],
            *(f"{classes[int(one)]} {'✓' if one == items[at].label else '✗'}" for one in found[:, at]),
        )
        for at in order
    )
    yield Block(f"{title} ({len(mixed)} of {len(items)} texts)", head, rows)


def _voting(chosen: TaskCells, _parts: Mapping[str, GroupedSplit]) -> Iterator[Block]:
    yield voting_block(chosen)


def _percent(cells: Sequence[ResultCell], name: str) -> str:
    """The score over the cells that have it."""
    return format_percent([cell.values[name] for cell in cells if name in cell.values])


def _short(text: str) -> str:
    return text if len(text) <= _WIDTH else f"{text[: _WIDTH - 1]}…"


_BLOCKS: dict[str, Callable[[TaskCells, Mapping[str, GroupedSplit]], Iterator[Block]]] = {
    "compass-3": _overall,
    "compass-4": _by_group,
    "compass-5": _disagreeing,
    "compass-6": _voting,
    "compass-12": _precise,
}
