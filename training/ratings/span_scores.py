"""How far raters agree on which words are biased, and how much most of them marked."""

from __future__ import annotations

import math
from collections import defaultdict

from core.words import WORD
from training.metrics.agreement import alpha
from training.ratings.span_marks import majority
from training.ratings.span_sheets import SpanRatings


def agreement(ratings: SpanRatings, items: list[int]) -> float:
    """Krippendorff's nominal alpha over the words of some items, each marked or not; NaN where it says nothing."""
    units: list[list[float]] = []
    for item in items:
        votes = ratings.votes(item)
        for word in WORD.finditer(ratings.plan.items[item].text):
            marked = (
                any(start < word.end() and word.start() < end for start, end in marks) for marks in votes
            )
            units.append([float(one) for one in marked])
    return alpha(units)


def report(ratings: SpanRatings) -> str:
    """A row for each side of each corpus, for a terminal."""
    groups: defaultdict[str, list[int]] = defaultdict(list)
    for at, item in enumerate(ratings.plan.items):
        if ratings.votes(at):
            groups[f"{item.corpus}, {item.side}"].append(at)
    lines = [
        f"{sum(map(len, ratings.marks.values()))} answers for {sum(map(len, groups.values()))} of "
        f"{len(ratings.plan.items)} sentences by {', '.join(ratings.marks)}; {ratings.empty} cells are empty.",
        "A word is biased where more than one rater marked it, or the only one who answered.",
        "",
        f"{'':22}{'sentences':>11}{'with bias':>11}{'spans':>7}{'alpha':>8}",
    ]
    for name, items in groups.items():
        gold = [majority(ratings.plan.items[item].text, ratings.votes(item)) for item in items]
        agreed = agreement(ratings, items)
        lines.append(
            f"{name:22}{len(items):>11}{sum(map(bool, gold)):>11}{sum(map(len, gold)):>7}"
            f"{'' if math.isnan(agreed) else f'{agreed:.3f}':>8}"
        )
    return "\n".join([*lines, "", "Alpha is Krippendorff's over words, marked or not."])
