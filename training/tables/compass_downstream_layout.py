"""How the downstream tables are shown: detectors on partisan models, overall, by group and voting, beside theirs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from training.compass.groups import ALL, f1
from training.compass.tasks import TASKS
from training.corpora.grouped import Parts
from training.metrics.significance import paired_bootstrap
from training.published_compass import (
    COMPASS_HATE_GROUPS,
    COMPASS_SOURCES,
    COMPASS_TABLE_3,
    COMPASS_TABLE_4_HATE,
    COMPASS_TABLE_4_MISINFORMATION,
    COMPASS_TABLE_12_HATE,
    COMPASS_TABLE_12_MISINFORMATION,
    COMPASS_TASKS,
)
from training.tables.cells import Cell
from training.tables.compass_chosen import NONE, Chosen, choose, found_in, p_value, percent
from training.tables.compass_downstream_notes import COMMON, NOTES, SCALES, TABLES
from training.tables.compass_voting import voting
from training.tables.filling import commands, run_at
from training.tables.layout import Block, Table

_SHOWN, _WIDTH = 10, 160
_MISINFORMATION = COMPASS_TASKS[-1]


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
    every = [choose(cells, task, names, scale) for task in tasks]
    blocks = tuple(block for one in every for block in _BLOCKS[table](one, parts))
    shown = [cell for one in every for found in one.models.values() for cell in found]
    told = [*COMMON, *NOTES[table]] if shown else ["No detector was trained yet."]
    told += [note for scale, note in SCALES.items() if any(cell.scale == scale for cell in shown)]
    if table in ("compass-4", "compass-12"):
        told += [line for one in every for line in _lacking(one)]
    return Table(TABLES[table], blocks, (*notes, *told, *commands(shown, table)))


def _lacking(chosen: Chosen) -> Iterator[str]:
    """A line for each group that cannot be scored."""
    groups = chosen.groups
    for group, rows in zip(groups, chosen.sizes, strict=True):
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
            (f"{name}, published", *(f"{value:.2f}" for value in row[at]), NONE, NONE, "")
            for name, row in COMPASS_TABLE_3.items()
        ]
    head = ("model", "BACC", "F1", "p of F1 against the base", "seeds", "run at")
    yield Block(TASKS[chosen.task].title, head, tuple(rows))


def _chance(chosen: Chosen, name: str) -> str:
    """Two-sided p of the difference in F1 of two models, rows of a seed resampled together."""
    if name == chosen.base or chosen.base not in chosen.models:
        return NONE
    both = chosen.seeds((chosen.base, name))
    if not both:
        return NONE
    gold = chosen.tested(name, both[0])[0]
    one, other = (
        np.concatenate([found_in(chosen.tested(who, seed)[1]) for seed in both])
        for who in (name, chosen.base)
    )
    rows = list(range(len(gold))) * len(both)
    found = paired_bootstrap(f1, np.tile(gold, len(both)), one, other, groups=rows)
    return p_value(found.p)


def _by_group(chosen: Chosen, _parts: Mapping[str, Parts]) -> Iterator[Block]:
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


def _precise(chosen: Chosen, _parts: Mapping[str, Parts]) -> Iterator[Block]:
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
    chosen: Chosen, names: Sequence[str], rows: Mapping[str, Sequence[float]], score: str = ""
) -> Block:
    title = f"{TASKS[chosen.task].published}{', ' * bool(score)}{score}, published"
    return Block(
        title,
        ("model", *names),
        tuple((name, *(f"{value:.2f}" for value in row)) for name, row in rows.items()),
    )


def _disagreeing(chosen: Chosen, parts: Mapping[str, Parts]) -> Iterator[Block]:
    names = tuple(chosen.models)
    seeds = chosen.seeds(names)
    title = f"{TASKS[chosen.task].title}: texts on which models differ most"
    head = ("text", "groups", "label", *names)
    if len(names) < 2 or not seeds or chosen.task not in parts:
        yield Block(title, head, ())
        return
    items = parts[chosen.task].test
    every = np.stack([chosen.tested(name, seeds[0])[1] for name in names])
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
            ", ".join(items[at].groups) or NONE,
            classes[items[at].label],
            *(f"{classes[int(one)]} {'✓' if one == items[at].label else '✗'}" for one in found[:, at]),
        )
        for at in order
    )
    yield Block(f"{title} ({len(mixed)} of {len(items)} texts)", head, rows)


def _voting(chosen: Chosen, _parts: Mapping[str, Parts]) -> Iterator[Block]:
    yield voting(chosen)


def _percent(cells: Sequence[Cell], name: str) -> str:
    """Of the cells that could reckon it."""
    return percent([cell.values[name] for cell in cells if name in cell.values])


def _short(text: str) -> str:
    return text if len(text) <= _WIDTH else f"{text[: _WIDTH - 1]}…"


_BLOCKS: dict[str, Callable[[Chosen, Mapping[str, Parts]], Iterator[Block]]] = {
    "compass-3": _overall,
    "compass-4": _by_group,
    "compass-5": _disagreeing,
    "compass-6": _voting,
    "compass-12": _precise,
}
