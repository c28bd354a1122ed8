"""The compass without thresholds: log-odds of agreeing, and how far two models are apart (ours)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from training.auditing.compass.positions import Round, StanceReading
from training.auditing.compass.questionnaire import Answer, Questionnaire, Weights
from training.evaluation.results_table import Block
from training.metrics.intervals import RESAMPLES, Interval, interval
from training.metrics.resampling import Array, Floats, rows, whole

# How much likelier a model finds agreeing than disagreeing, as it is: no answer is settled, so none is unclear.
#
# This is no measure of Feng et al. (2023). Their mapping hears one of four answers, so that a model may move a long way
# between two thresholds and stay where it was. Here is what lies behind the answers, in units of log-odds.


AXES = ("economic", "social")


@dataclass(frozen=True, slots=True)
class Gap:
    """What two models lean apart on an axis, by ``statements``: with its 95% interval, and how probable by chance.

    ``p`` is two-sided, over which statements count right and which left (see `measure_gap`).
    """

    leaning: Interval
    p: float
    statements: int


def log_odds(records: Sequence[Round]) -> Floats:
    """The log-odds of agreeing [statements], mean over records in the test's own wording.

    NaN where all of them give one side nothing, which a masked model may.
    """
    own = [[_odds(one) for one in record.readings] for record in records if record.wording == 0]
    found = np.array(own, dtype=np.float64)
    there = ~np.isnan(found)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(there, found, 0.0).sum(axis=0) / there.sum(axis=0))


def statement_keys(questionnaire: Questionnaire, axis: str) -> NDArray[np.int64]:
    """Whether agreeing moves a person right (or authoritarian, 1), left (libertarian, -1) or not (0), [statements]."""
    return np.array([_key(getattr(one, axis)) for one in questionnaire.statements], dtype=np.int64)


def leaning(odds: Floats, key: NDArray[np.int64]) -> float:
    """Half of the mean log-odds where agreeing counts right, less that where it counts left; NaN without either.

    A model that agrees with all statements alike leans nowhere.
    """
    there = (key != 0) & ~np.isnan(odds)
    if not {-1, 1} <= set(key[there].tolist()):
        return math.nan
    return whole(_lean, rows(key[there], odds[there]))


def measure_gap(one: Floats, other: Floats, key: NDArray[np.int64]) -> Gap | None:
    """How far the first model leans right of the second; None where no statement of either direction can be read.

    The interval is BCa over statements, drawn among those of one direction. ``p`` is that of a permutation test: were
    it all the same which way a statement counts, as when a model only came to agree more with everything, the keys
    could be dealt to the statements anew.
    """
    gaps = one - other
    there = (key != 0) & ~np.isnan(gaps)
    gaps, key = gaps[there], key[there]
    if not {-1, 1} <= set(key.tolist()):
        return None
    found = interval(_lean, key, gaps, strata=key.tolist())
    return Gap(found, _permutation_p(gaps, key), len(gaps))


def _permutation_p(gaps: Floats, key: NDArray[np.int64]) -> float:
    """The share of deals that are as far from 0 as the one that is there, itself counted in."""
    draw = np.random.default_rng(0)
    dealt = draw.permuted(np.tile(key, (RESAMPLES, 1)), axis=1)
    right, left = (dealt == 1).astype(np.float64), (dealt == -1).astype(np.float64)
    found = (right @ gaps / right.sum(axis=1) - left @ gaps / left.sum(axis=1)) / 2
    seen = abs(whole(_lean, rows(key, gaps)))
    return float((1 + (np.abs(found) >= seen - 1e-12).sum()) / (1 + RESAMPLES))


def _lean(key: Array, odds: Array, weights: Floats) -> Floats:
    """`leaning` of each draw [draws] of statements; a metric of ``training.metrics.resampling``."""
    means = [weights @ (odds * (key == side)) / (weights @ (key == side)) for side in (1, -1)]
    return np.asarray((means[0] - means[1]) / 2)


def _odds(reading: StanceReading) -> float:
    if not (reading.agree > 0 and reading.disagree > 0):
        return math.nan
    return math.log(reading.agree) - math.log(reading.disagree)


def _key(weights: Weights) -> int:
    way = weights[Answer.STRONGLY_AGREE] - weights[Answer.STRONGLY_DISAGREE]
    return (way > 0) - (way < 0)


# The compass without thresholds: which way models lean by the log-odds of agreeing, and how far two are apart.


NOTE = (
    "mean log-odds of agreeing: no measure of the paper, and no position. Half of the mean log-odds of agreeing with "
    "statements of which agreeing counts right (authoritarian), less that with those where it counts left "
    "(libertarian), over all prompts and seeds; agreeing with everything leans nowhere. No threshold, so that nothing "
    "is unclear. [ ]: 95% interval over statements (BCa); p: permutation of which way statements count. Neither says "
    "anything of another training or another prompt."
)
_NONE = "–"


def leaning_block(models: Sequence[tuple[str, Sequence[Round]]], questionnaire: Questionnaire) -> Block:
    """Which way each model leans, and how much it agrees at all, by a title and its records."""
    rows = []
    for title, records in models:
        odds = log_odds(records)
        there = odds[~np.isnan(odds)]
        found = [leaning(odds, statement_keys(questionnaire, axis)) for axis in AXES]
        every = float(there.mean()) if len(there) else math.nan
        rows.append((title, *map(_format, (*found, every)), str(len(there))))
    return Block(
        "mean log-odds of agreeing, by axis (not the paper's measure)",
        ("model", *AXES, "all statements", "statements"),
        tuple(rows),
    )


def gap_block(base: str, pairs: Sequence[tuple[str, Floats, Floats]], questionnaire: Questionnaire) -> Block:
    """How far the first model of each pair leans right of the second, by a title and their log-odds [statements].

    ``base`` names the model that all were made of.
    """
    rows = tuple(
        (
            title,
            *(
                cell
                for axis in AXES
                for cell in _cells(measure_gap(one, other, statement_keys(questionnaire, axis)))
            ),
        )
        for title, one, other in pairs
    )
    head = ("corpora", *(cell for axis in AXES for cell in (axis, "p")))
    title = f"{base}: how far apart by the mean log-odds of agreeing (not the paper's measure)"
    return Block(title, head, rows)


def _cells(found: Gap | None) -> Iterator[str]:
    if found is None:
        yield from (_NONE, _NONE)
        return
    yield f"{found.leaning.value:+.3f} [{found.leaning.low:+.3f}, {found.leaning.high:+.3f}]"
    yield f"{found.p:.3f}" if found.p >= 0.001 else "< 0.001"


def _format(value: float) -> str:
    return _NONE if math.isnan(value) else f"{value:+.3f}"
