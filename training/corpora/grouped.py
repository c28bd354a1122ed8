"""Texts that a detector learns from, with the groups that its faults are counted by: whom they target, who said them.

What the corpora of Feng et al. (2023), section 3, share.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from training.corpora.base import need_classes

SPLIT_SEED = 42
_TENTHS = 10


@dataclass(frozen=True, slots=True)
class Item:
    """A text, its ``label`` (1 is what is to be detected), and every group that it counts in."""

    text: str
    label: int
    groups: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Parts:
    """What is learnt from, what is chosen by, and what is scored."""

    train: tuple[Item, ...]
    dev: tuple[Item, ...]
    test: tuple[Item, ...]

    def demand_classes(self, names: Sequence[str], *, corpus: str) -> Parts:
        """These parts. Raises CorpusError unless each of them has rows of both classes."""
        for part, rows in (("train", self.train), ("dev", self.dev), ("test", self.test)):
            need_classes((row.label for row in rows), names, corpus=f"{corpus} ({part})")
        return self


def split(items: Sequence[Item], *, tenths: tuple[int, int]) -> tuple[tuple[Item, ...], ...]:
    """Items in three parts: so many ``tenths`` are the second and the third, the rest the first.

    Each part has about the same share of both labels; equal texts stay in one part, whatever their labels. The same
    items always give the same parts.
    """
    same: defaultdict[str, list[int]] = defaultdict(list)
    for at, item in enumerate(items):
        same[" ".join(item.text.lower().split())].append(at)
    strata: defaultdict[int, list[list[int]]] = defaultdict(list)
    for places in same.values():
        strata[items[places[0]].label].append(places)
    draw = random.Random(SPLIT_SEED)
    part_of: dict[int, int] = {}
    for label in sorted(strata):
        groups = strata[label]
        draw.shuffle(groups)
        count = sum(map(len, groups))
        ends = [count * tenths[0] / _TENTHS, count * sum(tenths) / _TENTHS]
        placed = 0
        for places in groups:
            part = 1 if placed < ends[0] else 2 if placed < ends[1] else 0
            part_of.update(dict.fromkeys(places, part))
            placed += len(places)
    return tuple(tuple(item for at, item in enumerate(items) if part_of[at] == part) for part in range(3))
