"""The compass without thresholds: which way models lean by the log-odds of agreeing, and how far two are apart."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from training.compass.log_odds import AXES, Gap, apart, keys, lean, log_odds
from training.compass.standing import Record
from training.compass.statements import Questionnaire
from training.metrics.resampling import Floats
from training.tables.layout import Block

NOTE = (
    "mean log-odds of agreeing: no measure of the paper, and no position. Half of the mean log-odds of agreeing with "
    "statements of which agreeing counts right (authoritarian), less that with those where it counts left "
    "(libertarian), over all prompts and seeds; agreeing with everything leans nowhere. No threshold, so that nothing "
    "is unclear. [ ]: 95% interval over statements (BCa); p: permutation of which way statements count. Neither says "
    "anything of another training or another prompt."
)
_NONE = "–"


def leans(models: Sequence[tuple[str, Sequence[Record]]], questionnaire: Questionnaire) -> Block:
    """Which way each model leans, and how much it agrees at all, by a title and its records."""
    rows = []
    for title, records in models:
        odds = log_odds(records)
        there = odds[~np.isnan(odds)]
        found = [lean(odds, keys(questionnaire, axis)) for axis in AXES]
        every = float(there.mean()) if len(there) else math.nan
        rows.append((title, *map(_figure, (*found, every)), str(len(there))))
    return Block(
        "mean log-odds of agreeing, by axis (not the paper's measure)",
        ("model", *AXES, "all statements", "statements"),
        tuple(rows),
    )


def gaps(base: str, pairs: Sequence[tuple[str, Floats, Floats]], questionnaire: Questionnaire) -> Block:
    """How far the first model of each pair leans right of the second, by a title and their log-odds [statements].

    ``base`` names the model that all were made of.
    """
    rows = tuple(
        (title, *(cell for axis in AXES for cell in _cells(apart(one, other, keys(questionnaire, axis)))))
        for title, one, other in pairs
    )
    head = ("corpora", *(cell for axis in AXES for cell in (axis, "p")))
    title = f"{base}: how far apart by the mean log-odds of agreeing (not the paper's measure)"
    return Block(title, head, rows)


def _cells(found: Gap | None) -> Iterator[str]:
    if found is None:
        yield from (_NONE, _NONE)
        return
    yield f"{found.lean.value:+.3f} [{found.lean.low:+.3f}, {found.lean.high:+.3f}]"
    yield f"{found.p:.3f}" if found.p >= 0.001 else "< 0.001"


def _figure(value: float) -> str:
    return _NONE if math.isnan(value) else f"{value:+.3f}"
