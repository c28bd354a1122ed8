"""How the downstream tables are shown: detectors on partisan models, overall, by group and voting, beside theirs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from training.compass.groups import ALL, balanced_accuracy, f1, scores, unpacked, vote
from training.compass.tasks import TASKS
from training.corpora.grouped import Parts
from training.metrics.resampling import Metric
from training.metrics.significance import paired_bootstrap
from training.published_compass import (
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
from training.tables.cells import Cell, spread
from training.tables.compass_downstream_notes import COMMON, NOTES, TABLES
from training.tables.filling import commands, of_one_scale, run_at
from training.tables.layout import Block, Table

_NONE = "–"
_SHOWN, _WIDTH = 10, 160
_MISINFORMATION = COMPASS_TASKS[-1]


@dataclass(frozen=True, slots=True)
class Chosen:
    """The cells of one task by model, in the order in which models were named, and the base's name if one was."""

    task: str
    models: dict[str, list[Cell]]
    base: str

    @property
    def members(self) -> dict[str, list[Cell]]:
        """All models but the base."""
        return {name: cells for name, cells in self.models.items() if name != self.base}


def lay_out(
    cells: Sequence[Cell],
    table: str,
    *,
    names: Sequence[str],
    tasks: Sequence[str],
    parts: Mapping[str, Parts],
    scale: str,
    notes: Sequence[str],
) -> Table:
    """The table of ``cells``: of the models called ``names``, the base first; without names of all, and without a base.

    ``parts`` are the corpora of compass-5, which shows texts.
    """
    every = [_chosen(cells, task, names, scale) for task in tasks]
    blocks = tuple(block for one in every for block in _BLOCKS[table](one, parts))
    shown = [cell for one in every for found in one.models.values() for cell in found]
    told = [*COMMON, *NOTES[table]] if shown else ["No detector was trained yet."]
    if table in ("compass-4", "compass-12"):
        told += [line for one in every for line in _lacking(one)]
    return Table(TABLES[table], blocks, (*notes, *told, *commands(shown, table)))


def _chosen(cells: Sequence[Cell], task: str, names: Sequence[str], scale: str) -> Chosen:
    own = [cell for cell in cells if cell.place.startswith(f"downstream-{task}-")]
    wanted = names or sorted({cell.protocol for cell in own})
    models = {
        name: found
        for name in wanted
        if (found := of_one_scale([cell for cell in own if cell.protocol == name], scale))
    }
    return Chosen(task, models, names[0] if names else "")


def _lacking(chosen: Chosen) -> Iterator[str]:
    """A line for each group that cannot be scored."""
    groups = _groups(chosen)
    for group, rows in zip(groups, _sizes(chosen, groups), strict=True):
        if not any(f"{group} bacc" in cell.values for cells in chosen.models.values() for cell in cells):
            yield (
                f"{TASKS[chosen.task].title}: {group} has {rows} test rows, and not of both classes; it has no "
                "balanced accuracy."
            )


def _overall(chosen: Chosen, _parts: Mapping[str, Parts]) -> Iterator[Block]:
    rows = [
        (
            name,
            *(_percent(cells, f"{ALL} {score}") for score in ("bacc", "f1")),
            _chance(chosen, name),
            str(len(cells)),
            run_at(cells),
        )
        for name, cells in chosen.models.items()
    ]
    published = TASKS[chosen.task].published
    if published:
        at = COMPASS_TASKS.index(published)
        rows += [
            (f"{name}, published", *(f"{value:.2f}" for value in row[at]), _NONE, _NONE, "")
            for name, row in COMPASS_TABLE_3.items()
        ]
    head = ("model", "BACC", "F1", "p of F1 against the base", "seeds", "run at")
    yield Block(TASKS[chosen.task].title, head, tuple(rows))


def _chance(chosen: Chosen, name: str) -> str:
    """Two-sided p of the difference in F1 of two models, rows of a seed resampled together."""
    if name == chosen.base or chosen.base not in chosen.models:
        return _NONE
    both = _seeds(chosen, (chosen.base, name))
    if not both:
        return _NONE
    gold, rows, answers = _stacked(chosen, (chosen.base, name), both)
    found = paired_bootstrap(f1, gold, answers[name], answers[chosen.base], groups=rows)
    return _p(found.p)


def _by_group(chosen: Chosen, _parts: Mapping[str, Parts]) -> Iterator[Block]:
    groups = _groups(chosen)
    rows = [
        (name, *(_percent(cells, f"{group} bacc") for group in groups))
        for name, cells in chosen.models.items()
    ]
    rows.append(("rows", *_sizes(chosen, groups)))
    yield Block(f"{TASKS[chosen.task].title}, balanced accuracy", ("model", *groups), tuple(rows))
    if TASKS[chosen.task].published:
        names, published = (
            (COMPASS_SOURCES, COMPASS_TABLE_4_MISINFORMATION)
            if TASKS[chosen.task].published == _MISINFORMATION
            else (COMPASS_HATE_GROUPS, COMPASS_TABLE_4_HATE)
        )
        yield _published(chosen, names, published)


def _precise(chosen: Chosen, _parts: Mapping[str, Parts]) -> Iterator[Block]:
    groups = _groups(chosen)
    published = TASKS[chosen.task].published
    for at, score in enumerate(("precision", "recall")):
        rows = [
            (name, *(_percent(cells, f"{group} {score}") for group in groups))
            for name, cells in chosen.models.items()
        ]
        yield Block(f"{TASKS[chosen.task].title}, {score}", ("model", *groups), tuple(rows))
        if published:
            hate = published != _MISINFORMATION
            table = COMPASS_TABLE_12_HATE if hate else COMPASS_TABLE_12_MISINFORMATION
            names = COMPASS_HATE_GROUPS if hate else COMPASS_SOURCES
            yield _published(chosen, names, {name: both[at] for name, both in table.items()}, score)


def _published(
    chosen: Chosen, names: Sequence[str], rows: Mapping[str, Sequence[float]], score: str = ""
) -> Block:
    title = f"{TASKS[chosen.task].published}{', ' * bool(score)}{score}, published"
    return Block(
        title,
        ("model", *names),
        tuple((name, *(f"{value:.2f}" for value in row)) for name, row in rows.items()),
    )


def _voting(chosen: Chosen, _parts: Mapping[str, Parts]) -> Iterator[Block]:
    members = tuple(chosen.members)
    seeds = _seeds(chosen, members) if len(members) > 1 else []
    rows: list[tuple[str, ...]] = []
    if seeds:
        singles = {name: [_answers(_of(chosen, name, seed)) for seed in seeds] for name in members}
        gold = unpacked(_of(chosen, members[0], seeds[0]).counts)[0].tolist()
        both = {
            name: [scores(gold, found.tolist()) for found in answers] for name, answers in singles.items()
        }
        best = max(members, key=lambda name: fmean(one["f1"] for one in both[name]))
        votes = [vote([unpacked(_of(chosen, name, seed).counts)[1] for name in members]) for seed in seeds]
        voted = [scores(gold, found.tolist()) for found in votes]
        every = [one for name in members for one in both[name]]
        rows = [
            (f"mean of {len(members)}", *_two(every)),
            (f"best: {best}", *_two(both[best])),
            (f"vote of {len(members)}", *_two(voted)),
            (f"vote − {best}", *_gaps(gold, votes, singles[best])),
        ]
    elif len(members) < 2:
        rows = [("a vote needs two partisan models", _NONE, _NONE)]
    else:
        rows = [("no seed that all models share", _NONE, _NONE)]
    published = TASKS[chosen.task].published
    if published:
        at = COMPASS_TASKS.index(published)
        rows += [
            (f"{name}, published", *(f"{value:.2f}" for value in row[at]))
            for name, row in COMPASS_TABLE_6.items()
        ]
    yield Block(
        f"{TASKS[chosen.task].title}, seeds: {', '.join(map(str, seeds)) or _NONE}",
        ("system", "BACC", "F1"),
        tuple(rows),
    )


def _gaps(gold: Sequence[int], votes: Sequence[np.ndarray], best: Sequence[np.ndarray]) -> Iterator[str]:
    """The difference of vote and best member with its interval and p, rows of all seeds resampled together."""
    rows = list(range(len(gold))) * len(votes)
    truth, one, other = np.tile(gold, len(votes)), np.concatenate(votes), np.concatenate(best)
    metrics: tuple[Metric, ...] = (balanced_accuracy, f1)
    for metric in metrics:
        found = paired_bootstrap(metric, truth, one, other, groups=rows)
        low, value, high = (
            100 * one for one in (found.difference.low, found.difference.value, found.difference.high)
        )
        yield f"{value:+.2f} [{low:+.2f}, {high:+.2f}], p {_p(found.p, '= ')}"


def _p(value: float, sign: str = "") -> str:
    return f"{sign}{value:.3f}" if value >= 0.001 else "< 0.001"


def _disagreeing(chosen: Chosen, parts: Mapping[str, Parts]) -> Iterator[Block]:
    names = tuple(chosen.models)
    seeds = _seeds(chosen, names)
    title = f"{TASKS[chosen.task].title}: texts on which models differ most"
    head = ("text", "groups", "label", *names)
    if len(names) < 2 or not seeds or chosen.task not in parts:
        yield Block(title, head, ())
        return
    items = parts[chosen.task].test
    every = np.stack([unpacked(_of(chosen, name, seeds[0]).counts)[1] for name in names])
    if every.shape[1] != len(items):
        yield Block(f"{title} (the corpus is another than it was)", head, ())
        return
    found = every >= 0.5
    mixed = np.flatnonzero(found.any(axis=0) & ~found.all(axis=0))
    order = sorted(mixed.tolist(), key=lambda at: (-float(every[:, at].std()), at))[:_SHOWN]
    classes = TASKS[chosen.task].classes
    rows = tuple(
        (
            _short(items[at].text),
            ", ".join(items[at].groups) or _NONE,
            classes[items[at].label],
            *(f"{classes[int(one)]} {'✓' if one == items[at].label else '✗'}" for one in found[:, at]),
        )
        for at in order
    )
    yield Block(f"{title} ({len(mixed)} of {len(items)} texts)", head, rows)


def _groups(chosen: Chosen) -> tuple[str, ...]:
    values = [cell.values for cells in chosen.models.values() for cell in cells]
    names = {key.removesuffix(" rows") for one in values for key in one if key.endswith(" rows")} - {ALL}
    return tuple(sorted(names, key=lambda name: (-max(one.get(f"{name} rows", 0) for one in values), name)))


def _sizes(chosen: Chosen, groups: Sequence[str]) -> list[str]:
    first = next((cells[0] for cells in chosen.models.values()), None)
    return [_NONE if first is None else f"{first.values.get(f'{group} rows', 0):.0f}" for group in groups]


def _seeds(chosen: Chosen, names: Sequence[str]) -> list[int]:
    """The seeds that all of some models have been trained with on the same test rows."""
    if not names or any(name not in chosen.models for name in names):
        return []
    shared = set.intersection(*({cell.seed for cell in chosen.models[name]} for name in names))
    golds = {
        seed: {tuple(unpacked(_of(chosen, name, seed).counts)[0].tolist()) for name in names}
        for seed in sorted(shared)
    }
    first = next(iter(golds.values()), set())
    return [seed for seed, gold in golds.items() if len(gold) == 1 and gold == first]


def _of(chosen: Chosen, name: str, seed: int) -> Cell:
    return next(cell for cell in chosen.models[name] if cell.seed == seed)


def _answers(cell: Cell) -> np.ndarray:
    return np.asarray(unpacked(cell.counts)[1] >= 0.5, dtype=np.int64)


def _stacked(
    chosen: Chosen, names: Sequence[str], seeds: Sequence[int]
) -> tuple[np.ndarray, list[int], dict[str, np.ndarray]]:
    gold = unpacked(_of(chosen, names[0], seeds[0]).counts)[0]
    answers = {name: np.concatenate([_answers(_of(chosen, name, seed)) for seed in seeds]) for name in names}
    return np.tile(gold, len(seeds)), list(range(len(gold))) * len(seeds), answers


def _percent(cells: Sequence[Cell], name: str) -> str:
    """Mean and spread in percent; nothing where no cell could reckon it."""
    values = [100 * cell.values[name] for cell in cells if name in cell.values]
    return spread(values, 2) if values else _NONE


def _two(found: Sequence[Mapping[str, float]]) -> Iterator[str]:
    for score in ("bacc", "f1"):
        values = [100 * one[score] for one in found if score in one]
        yield spread(values, 2) if values else _NONE


def _short(text: str) -> str:
    return text if len(text) <= _WIDTH else f"{text[: _WIDTH - 1]}…"


_BLOCKS: dict[str, Callable[[Chosen, Mapping[str, Parts]], Iterator[Block]]] = {
    "compass-3": _overall,
    "compass-4": _by_group,
    "compass-5": _disagreeing,
    "compass-6": _voting,
    "compass-12": _precise,
}
