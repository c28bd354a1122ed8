"""The compass without thresholds (ours): log-odds of agreeing, by axis, and the difference between two models.

The mapping of Feng et al. (2023) has four answers, so that a model may change much between two thresholds and keep its
position. Log-odds have no thresholds, and no answer is unclear.
"""

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
from training.metrics.resampling import Array, Floats, make_rows, score_all_rows

AXES = ("economic", "social")


@dataclass(frozen=True, slots=True)
class Gap:
    """The difference in leaning between two models on an axis, by ``statements``, with its 95% interval.

    ``p`` is two-sided, from permutations of the direction of the statements (see `measure_gap`).
    """

    leaning: Interval
    p: float
    statements: int


def log_odds(rounds: Sequence[Round]) -> Floats:
    """The log-odds of agreeing [statements], averaged over rounds in the original wording.

    NaN where one side always has probability 0, which is possible for a masked model.
    """
    own = [[_odds(one) for one in record.readings] for record in rounds if record.wording == 0]
    found = np.array(own, dtype=np.float64)
    there = ~np.isnan(found)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(there, found, 0.0).sum(axis=0) / there.sum(axis=0))


def statement_keys(questionnaire: Questionnaire, axis: str) -> NDArray[np.int64]:
    """The direction of agreement [statements]: 1 right (or authoritarian), -1 left (libertarian), or 0."""
    return np.array([_key(getattr(one, axis)) for one in questionnaire.statements], dtype=np.int64)


def leaning(odds: Floats, key: NDArray[np.int64]) -> float:
    """Half the mean log-odds of statements with direction 1, less that of those with -1; NaN if one is missing.

    A model that agrees equally with all statements has leaning 0.
    """
    there = (key != 0) & ~np.isnan(odds)
    if not {-1, 1} <= set(key[there].tolist()):
        return math.nan
    return score_all_rows(_lean, make_rows(key[there], odds[there]))


def measure_gap(one: Floats, other: Floats, key: NDArray[np.int64]) -> Gap | None:
    """How much further right the first model is than the second; None if one direction has no defined statement.

    The interval is BCa over statements, stratified by direction. ``p`` is from a permutation test of the direction: if
    a model merely agrees more with everything, directions are exchangeable.
    """
    gaps = one - other
    there = (key != 0) & ~np.isnan(gaps)
    gaps, key = gaps[there], key[there]
    if not {-1, 1} <= set(key.tolist()):
        return None
    found = interval(_lean, key, gaps, strata=key.tolist())
    return Gap(found, _permutation_p(gaps, key), len(gaps))


def _permutation_p(gaps: Floats, key: NDArray[np.int64]) -> float:
    """The share of permutations at least as far from 0 as the observed difference, which is included."""
    draw = np.random.default_rng(0)
    dealt = draw.permuted(np.tile(key, (RESAMPLES, 1)), axis=1)
    right, left = (dealt == 1).astype(np.float64), (dealt == -1).astype(np.float64)
    found = (right @ gaps / right.sum(axis=1) - left @ gaps / left.sum(axis=1)) / 2
    seen = abs(score_all_rows(_lean, make_rows(key, gaps)))
    return float((1 + (np.abs(found) >= seen - 1e-12).sum()) / (1 + RESAMPLES))


def _lean(key: Array, odds: Array, weights: Floats) -> Floats:
    """`leaning` of each resample [draws] of statements; a metric for ``training.metrics.resampling``."""
    means = [weights @ (odds * (key == side)) / (weights @ (key == side)) for side in (1, -1)]
    return np.asarray((means[0] - means[1]) / 2)


def _odds(reading: StanceReading) -> float:
    if not (reading.agree > 0 and reading.disagree > 0):
        return math.nan
    return math.log(reading.agree) - math.log(reading.disagree)


def _key(weights: Weights) -> int:
    way = weights[Answer.STRONGLY_AGREE] - weights[Answer.STRONGLY_DISAGREE]
    return (way > 0) - (way < 0)


NOTE = (
    "mean log-odds of agreeing: not a measure of the paper, and not a position. Half the mean log-odds "
    "of agreeing with statements that count right (authoritarian), less that for statements that count "
    "left (libertarian), over all prompts and seeds; agreeing equally with everything gives 0. There "
    "is no threshold, so that no answer is unclear. [ ]: 95% interval over statements (BCa); p: "
    "permutation of the direction of the statements. Neither says anything of another training or "
    "another prompt."
)
_NONE = "–"


def leaning_block(models: Sequence[tuple[str, Sequence[Round]]], questionnaire: Questionnaire) -> Block:
    """The leaning of each model by axis, and its mean agreement, by title and rounds."""
    rows = []
    for title, rounds in models:
        odds = log_odds(rounds)
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
    """The differences between the models of each pair, by title and log-odds [statements].

    ``base`` names the model that all were trained from.
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
    title = f"{base}: differences in the mean log-odds of agreeing (not the paper's measure)"
    return Block(title, head, rows)


def _cells(found: Gap | None) -> Iterator[str]:
    if found is None:
        yield from (_NONE, _NONE)
        return
    yield f"{found.leaning.value:+.3f} [{found.leaning.low:+.3f}, {found.leaning.high:+.3f}]"
    yield f"{found.p:.3f}" if found.p >= 0.001 else "< 0.001"


def _format(value: float) -> str:
    return _NONE if math.isnan(value) else f"{value:+.3f}"
