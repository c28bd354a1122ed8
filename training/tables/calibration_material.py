"""The articles behind the tables of Liu et al. 2021: one part for the judge, another for what calibrates.

The paper trains f_judge and f_debias on the same articles (sections 5.1 and 5.2), so that the calibration is taught
what its judge will look for, outlets' habits included. Here the houses of either side are dealt out by the seed: the
judge learns from one half, bias words and f_debias from the other, and the epoch of f_debias is chosen on houses of its
own. A judge that is satisfied then is one that never saw what the calibration learnt from. The paper's setting is there
beside it (``shared``): the judge is the same, and the calibration learns from its articles.
"""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from training.calibration.judging import TOKENS, Masks, Row, rows
from training.calibration.seeds import Sides
from training.corpora import articles
from training.near import NearIndex

_JUDGED, _DEV = 0.5, 0.15
_NONE_SCORED = NearIndex(())
"""What is scored here are generated texts: no article is left out for them."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What the judge learns from, and what bias words and f_debias learn from, with the dev texts of the latter."""

    judge: tuple[Row, ...]
    learnt: tuple[Row, ...]
    dev: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Material:
    """All articles of the left and the right. ``mark`` changes with them.

    ``shared``: bias words and f_debias learn from the judge's articles, as in the paper, not from others.
    """

    rows: tuple[Row, ...]
    masks: Masks
    mark: str
    shared: bool = False

    def parts(self, seed: int) -> Parts:
        """The articles dealt out by ``seed``, the judge's alike in both settings.

        Where nothing is shared, an article that begins as a judge's article does is the judge's alone.
        """
        calibrating, judged = dealt(self.rows, _JUDGED, seed=seed)
        if self.shared:
            own = judged
        else:
            read = {self.masks.tokens(row.text) for row in judged}
            own = [row for row in calibrating if self.masks.tokens(row.text) not in read]
        learnt, dev = dealt(own, _DEV, seed=seed)
        return Parts(tuple(judged), tuple(learnt), tuple(dev))


def gather(data: Path, *, shared: bool = False) -> Material:
    """Read the articles. Raises CorpusError where there are none, or none of one side."""
    found = articles.load(data, _NONE_SCORED)
    labelled = tuple(rows(found))
    digest = hashlib.sha256()
    for row in labelled:
        digest.update(f"{row.house} {row.liberal} {row.text}\n".encode())
    return Material(labelled, Masks({article.outlet for article in found}), digest.hexdigest()[:16], shared)


def sides(labelled: Sequence[Row], *, most: int | None, seed: int) -> Sides:
    """The first words of articles, as many as the paper reads tokens; ``most`` a side at most, drawn by ``seed``."""
    chooser = random.Random(seed)
    texts: list[tuple[str, ...]] = []
    for liberal in (True, False):
        own = [" ".join(row.text.split()[:TOKENS]) for row in labelled if row.liberal == liberal]
        texts.append(tuple(own if most is None else chooser.sample(own, min(most, len(own)))))
    return Sides(*texts)


def dealt(labelled: Sequence[Row], share: float, *, seed: int) -> tuple[list[Row], list[Row]]:
    """The rows in two parts, the second of about ``share`` of each side; no house is in both.

    Large houses are dealt out first, as chance has it, each to the part that lacks more, so that both have large and
    small ones. A side of one house is dealt out by article.
    """
    chooser = random.Random(seed)
    parts: tuple[list[Row], list[Row]] = ([], [])
    for liberal in (False, True):
        side = [row for row in labelled if row.liberal == liberal]
        if len({row.house for row in side}) == 1:
            side = [replace(row, house=str(number)) for number, row in enumerate(side)]
        second = _chosen(Counter(row.house for row in side), share, chooser)
        for row in side:
            parts[row.house in second].append(row)
    return parts


def _chosen(sizes: Mapping[str, int], share: float, chooser: random.Random) -> set[str]:
    """Houses of the second part; one at least where there are two."""
    order = sorted(sorted(sizes), key=lambda house: -sizes[house] * chooser.uniform(0.5, 1.0))
    chosen: set[str] = set()
    most, begins = share * sum(sizes.values()), chooser.random() < share
    taken = left = 0
    for house in order:
        ahead = taken * (1 - share) - left * share
        if (ahead < 0 or (ahead == 0 and begins)) and taken + sizes[house] <= most:
            chosen.add(house)
            taken += sizes[house]
        else:
            left += sizes[house]
    if not chosen and len(order) > 1:
        chosen.add(min(order, key=lambda house: sizes[house]))
    return chosen
