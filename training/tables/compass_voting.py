"""Table 6: what the partisan models find together, by their vote and by their mean probability, beside the best one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from training.compass.groups import average, balanced_accuracy, f1, scores, vote
from training.compass.tasks import TASKS
from training.metrics.resampling import Array, Floats, Metric
from training.metrics.significance import paired_bootstrap
from training.published_compass import COMPASS_TABLE_6, COMPASS_TASKS
from training.tables.compass_chosen import NONE, Chosen, found_in, p_value, percent
from training.tables.layout import Block

_TOGETHER: dict[str, Callable[[Sequence[Floats]], Array]] = {"vote": vote, "mean probability": average}
"""The paper's ensemble first."""


@dataclass(frozen=True, slots=True)
class _System:
    """What a member or all of them find in test, seed by seed [rows], with the scores of each seed."""

    name: str
    found: list[Array]
    scored: list[dict[str, float]]

    @property
    def f1(self) -> float:
        """Mean over seeds."""
        return fmean(one["f1"] for one in self.scored)

    def cells(self) -> Iterator[str]:
        """Its row."""
        yield self.name
        for score in ("bacc", "f1"):
            yield percent([one[score] for one in self.scored if score in one])


def voting(chosen: Chosen) -> Block:
    """The members of a task together; without two of them, or a seed that all share, why not."""
    members = chosen.members
    seeds = chosen.seeds(members) if len(members) > 1 else []
    if seeds:
        rows = list(_rows(chosen, members, seeds))
    else:
        why = "no seed that all models share" if len(members) > 1 else "a vote needs two partisan models"
        rows = [(why, NONE, NONE)]
    rows += _published(chosen)
    title = f"{TASKS[chosen.task].title}, seeds: {', '.join(map(str, seeds)) or NONE}"
    preferred = _preferred(chosen, members, seeds) if seeds else ""
    return Block(f"{title}; better on dev: {preferred}" if preferred else title, _HEAD, tuple(rows))


_HEAD = ("system", "BACC", "F1")


def _rows(chosen: Chosen, members: Sequence[str], seeds: Sequence[int]) -> Iterator[tuple[str, ...]]:
    gold = chosen.tested(members[0], seeds[0])[0]
    singles = [
        _system(name, gold, [found_in(chosen.tested(name, seed)[1]) for seed in seeds]) for name in members
    ]
    best = max(singles, key=lambda one: one.f1)
    every = [one for single in singles for one in single.scored]
    yield tuple(_System(f"mean of {len(members)}", [], every).cells())
    yield tuple(_System(f"best: {best.name}", best.found, best.scored).cells())
    chances = [[chosen.tested(name, seed)[1] for name in members] for seed in seeds]
    together = [
        _system(f"{how} of {len(members)}", gold, [join(some) for some in chances])
        for how, join in _TOGETHER.items()
    ]
    for one in together:
        yield tuple(one.cells())
    for how, one in zip(_TOGETHER, together, strict=True):
        yield (f"{how} − {best.name}", *_gaps(gold, one.found, best.found))


def _system(name: str, gold: Array, found: list[Array]) -> _System:
    return _System(name, found, [scores(gold.tolist(), one.tolist()) for one in found])


def _preferred(chosen: Chosen, members: Sequence[str], seeds: Sequence[int]) -> str:
    """Which way of going together has the better F1 on dev, mean over seeds; nothing where dev was not kept."""
    found: dict[str, list[float]] = {how: [] for how in _TOGETHER}
    for seed in seeds:
        rows = [chosen.judged(name, seed) for name in members]
        gold, chances = rows[0][0], [row[1] for row in rows]
        if not len(gold) or any(len(row) != len(gold) for row in chances):
            return ""
        for how, join in _TOGETHER.items():
            found[how].append(scores(gold.tolist(), join(chances).tolist()).get("f1", 0.0))
    return max(found, key=lambda how: fmean(found[how]))


def _gaps(gold: Array, one: Sequence[Array], other: Sequence[Array]) -> Iterator[str]:
    """The difference of two systems with its interval and p, rows of all seeds resampled together."""
    rows = list(range(len(gold))) * len(one)
    truth = np.tile(gold, len(one))
    metrics: tuple[Metric, ...] = (balanced_accuracy, f1)
    for metric in metrics:
        found = paired_bootstrap(metric, truth, np.concatenate(one), np.concatenate(other), groups=rows)
        low, value, high = (
            100 * end for end in (found.difference.low, found.difference.value, found.difference.high)
        )
        yield f"{value:+.2f} [{low:+.2f}, {high:+.2f}], p {p_value(found.p, '= ')}"


def _published(chosen: Chosen) -> Iterator[tuple[str, ...]]:
    published = TASKS[chosen.task].published
    if published:
        at = COMPASS_TASKS.index(published)
        rows: Mapping[str, Sequence[Sequence[float]]] = COMPASS_TABLE_6
        for name, row in rows.items():
            yield (f"{name}, published", *(f"{value:.2f}" for value in row[at]))
