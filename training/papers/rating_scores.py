"""Scores of ratings: means with intervals, pairwise comparisons, agreement between raters, self-consistency."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from training.metrics.agreement import krippendorff_alpha
from training.metrics.intervals import Interval, interval
from training.metrics.resampling import mean
from training.metrics.significance import approximate_randomisation, holm
from training.papers.rating_items import Criterion, Plan
from training.papers.rating_sheets import Rating


@dataclass(frozen=True, slots=True)
class PairwiseComparison:
    """On how many sources a system's mean rating is better than another's, equal, and worse.

    ``difference`` is the mean difference of the ratings; ``p`` is from approximate randomisation over sources,
    corrected for the number of comparisons (Holm).
    """

    system: str
    other: str
    criterion: str
    wins: int
    ties: int
    losses: int
    difference: float
    p: float


@dataclass(frozen=True, slots=True)
class SelfConsistency:
    """A rater's answers to repeated items: number, and shares of equal answers and of those at most one apart."""

    rater: str
    criterion: str
    count: int
    same: float
    near: float


def means(
    plan: Plan, ratings: Sequence[Rating], *, seed: int = 0
) -> dict[tuple[str, str], tuple[Interval, int]]:
    """For each system and criterion the mean of all first ratings, its interval, and their number.

    The ratings of a source are resampled together, since raters of one sentence do not answer independently.
    """
    found: dict[tuple[str, str], tuple[Interval, int]] = {}
    for system in plan.systems:
        for one in plan.protocol.criteria:
            rows = list(_of(plan, ratings, system, one))
            if rows:
                values = np.array([value for _, value in rows], dtype=np.float64)
                groups = [row for row, _ in rows]
                sure = interval(mean, np.zeros(len(rows)), values, groups=groups, seed=seed)
                found[system, one.name] = sure, len(rows)
    return found


def wins(plan: Plan, ratings: Sequence[Rating], *, seed: int = 0) -> list[PairwiseComparison]:
    """Comparisons of every two systems by every criterion, on the sources rated for both."""
    rows: list[PairwiseComparison] = []
    for one in plan.protocol.criteria:
        by_system = {system: _by_source(plan, ratings, system, one) for system in plan.systems}
        for system, other in combinations(plan.systems, 2):
            both = sorted(by_system[system].keys() & by_system[other].keys())
            if not both:
                continue
            ours, theirs = (np.array([by_system[name][row] for row in both]) for name in (system, other))
            gaps = one.better * (ours - theirs)
            chance = approximate_randomisation(mean, np.zeros(len(both)), ours, theirs, seed=seed)
            counts = (int((gaps > 1e-9).sum()), int((abs(gaps) <= 1e-9).sum()), int((gaps < -1e-9).sum()))
            rows.append(
                PairwiseComparison(system, other, one.name, *counts, float((ours - theirs).mean()), chance)
            )
    raised = holm([row.p for row in rows])
    return [PairwiseComparison(*_without_p(row), p) for row, p in zip(rows, raised, strict=True)]


def agreement(plan: Plan, ratings: Sequence[Rating]) -> dict[str, float]:
    """Krippendorff's ordinal alpha of the first ratings, for each criterion; NaN where it is undefined."""
    found = {}
    for one in plan.protocol.criteria:
        cells = {
            (r.item, r.rater): float(r.value) for r in ratings if r.criterion == one.name and not r.again
        }
        table = [[cells.get((item, rater)) for rater in plan.sheets] for item in range(len(plan.items))]
        found[one.name] = krippendorff_alpha(table, "ordinal")
    return found


def self_consistency(plan: Plan, ratings: Sequence[Rating]) -> list[SelfConsistency]:
    """How consistently each rater answered repeated items."""
    first, second = (
        {(r.rater, r.criterion, r.item): r.value for r in ratings if r.again == again}
        for again in (False, True)
    )
    found = []
    for rater in plan.sheets:
        for one in plan.protocol.criteria:
            gaps = [
                abs(first[key] - value)
                for key, value in second.items()
                if key[:2] == (rater, one.name) and key in first
            ]
            if gaps:
                shares = (sum(gap <= most for gap in gaps) / len(gaps) for most in (0, 1))
                found.append(SelfConsistency(rater, one.name, len(gaps), *shares))
    return found


def report(plan: Plan, ratings: Sequence[Rating]) -> str:
    """All scores as Markdown that is readable as text."""
    sources, raters = len({item.row for item in plan.items}), len({one.rater for one in ratings})
    lines = [
        f"{len(ratings)} ratings of {len(plan.items)} items ({sources} sources) by {raters} raters, "
        f"scales of {plan.protocol.paper}",
        "",
        "Means with 95% intervals (BCa bootstrap over sources), and agreement of the raters",
        "",
        *_means_table(plan, ratings),
    ]
    compared = [
        [
            *(row.system, row.other, row.criterion),
            *map(str, (row.wins, row.ties, row.losses)),
            *(f"{row.difference:+.3f}", f"{row.p:.4f}"),
        ]
        for row in wins(plan, ratings, seed=plan.seed)
    ]
    if compared:
        lines += [
            "",
            "Sources won, tied and lost; p from approximate randomisation over sources, corrected by Holm",
            "",
        ]
        heads = ["system", "against", "by", "won", "tied", "lost", "difference", "p"]
        lines += _table(heads, compared)
    steady = [
        [row.rater, row.criterion, str(row.count), f"{row.same:.0%}", f"{row.near:.0%}"]
        for row in self_consistency(plan, ratings)
    ]
    if steady:
        lines += ["", "The same item shown twice to the same rater", ""]
        lines += _table(["rater", "by", "items", "same answer", "at most one apart"], steady)
    return "\n".join(lines)


def _means_table(plan: Plan, ratings: Sequence[Rating]) -> list[str]:
    found, agreed = means(plan, ratings, seed=plan.seed), agreement(plan, ratings)
    heads = ["system", "ratings"]
    rows = [[system, str(_count(found, system))] for system in plan.systems]
    last = ["alpha, ordinal", ""]
    for one in plan.protocol.criteria:
        heads.append(f"{one.name}, {one.low} to {one.high}, {'more' if one.better > 0 else 'less'} is better")
        for row in rows:
            row.append(_mean(found.get((row[0], one.name))))
        last.append(_figure(agreed[one.name]))
    return _table(heads, [*rows, last])


def _of(plan: Plan, ratings: Sequence[Rating], system: str, one: Criterion) -> Iterator[tuple[int, int]]:
    """The row of the source and the value of each first rating of a system."""
    for rating in ratings:
        item = plan.items[rating.item]
        if rating.criterion == one.name and not rating.again and system in item.systems:
            yield item.row, rating.value


def _by_source(plan: Plan, ratings: Sequence[Rating], system: str, one: Criterion) -> dict[int, float]:
    answers: dict[int, list[int]] = defaultdict(list)
    for row, value in _of(plan, ratings, system, one):
        answers[row].append(value)
    return {row: sum(values) / len(values) for row, values in answers.items()}


def _without_p(row: PairwiseComparison) -> tuple[str, str, str, int, int, int, float]:
    return row.system, row.other, row.criterion, row.wins, row.ties, row.losses, row.difference


def _count(found: dict[tuple[str, str], tuple[Interval, int]], system: str) -> int:
    return max((count for (name, _), (_, count) in found.items() if name == system), default=0)


def _mean(entry: tuple[Interval, int] | None) -> str:
    return "" if entry is None else f"{entry[0].value:+.3f} [{entry[0].low:+.3f}, {entry[0].high:+.3f}]"


def _figure(value: float) -> str:
    return "not known" if math.isnan(value) else f"{value:.3f}"


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(row[at]) for row in (heads, *rows)) for at in range(len(heads))]
    padded = ([cell.ljust(width) for cell, width in zip(row, widths, strict=True)] for row in (heads, *rows))
    lines = [f"| {' | '.join(row)} |" for row in padded]
    return [lines[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *lines[1:]]
