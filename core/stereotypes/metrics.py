"""Metrics for stereotyped words, on plain arrays.

Sources: Badjatiya et al. 2019, section 5.2 (pinned AUC equality difference and pinned bias, Equations 2 to 5); Borkan
et al. 2019, section 3 (subgroup, BPSN and BNSP AUC), which distinguish a group that is scored too high from one that is
scored too low.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Gold = ArrayLike
"""Which rows are positive: booleans, or 0 and 1."""


class MetricError(Exception):
    """A metric is not defined for these rows. The message says why."""


def roc_auc(gold: Gold, scores: ArrayLike) -> float:
    """The probability that a positive is scored above a negative; ties count half.

    Raises MetricError unless there are both, a finite score for each row, and nothing but 0 and 1 in ``gold``.
    """
    positive, values = _rows(gold, scores)
    positives = int(positive.sum())
    negatives = len(positive) - positives
    if not positives or not negatives:
        lacking = "positive" if not positives else "negative"
        raise MetricError(f"The AUC needs both classes, but none of the {len(positive)} rows is {lacking}.")
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[place]
    wins = float(ranks[positive].sum()) - positives * (positives + 1) / 2
    return wins / (positives * negatives)


def pb_mean(probabilities: ArrayLike) -> float:
    """How far p(positive | word) lies from its mean over the words, on average (Equations 3 and 4).

    It is 0 for words that the classifier cannot distinguish, however wrong it is about them.
    """
    values = _probabilities(probabilities)
    return float(np.abs(values - values.mean()).mean())


def pb_sym(probabilities: ArrayLike, classes: int = 2) -> float:
    """How far p(positive | word) lies from 1/classes, on average (Equation 3)."""
    values = _probabilities(probabilities)
    return float(np.abs(values - _pinned(classes)).mean())


def pb_asym(probabilities: ArrayLike, classes: int = 2) -> float:
    """How far p(positive | word) lies above 1/classes, on average; values below count as 0 (Equation 5)."""
    values = _probabilities(probabilities)
    return float(np.maximum(values - _pinned(classes), 0).mean())


def subgroup_auc(gold: Gold, scores: ArrayLike, inside: ArrayLike) -> float:
    """The AUC over the rows ``inside`` the subgroup."""
    positive, values, member = _grouped(gold, scores, inside)
    return roc_auc(positive[member], values[member])


def bpsn_auc(gold: Gold, scores: ArrayLike, inside: ArrayLike) -> float:
    """The AUC over background positives and subgroup negatives: low where the subgroup is scored too high."""
    positive, values, member = _grouped(gold, scores, inside)
    kept = positive != member
    return roc_auc(positive[kept], values[kept])


def bnsp_auc(gold: Gold, scores: ArrayLike, inside: ArrayLike) -> float:
    """The AUC over background negatives and subgroup positives: low where the subgroup is scored too low."""
    positive, values, member = _grouped(gold, scores, inside)
    kept = positive == member
    return roc_auc(positive[kept], values[kept])


def pinned_auc(
    gold: Gold, scores: ArrayLike, members: Mapping[str, NDArray[np.bool_]], *, seed: int
) -> float:
    """The pinned AUC equality difference: the sum over terms of |AUC - AUC(term)| (Equation 2).

    ``members`` says which rows hold each term. AUC is that of all rows; AUC(term) that of the term's rows and as many
    drawn from the rest without replacement, or all of the rest where it is smaller. A lower sum is better, and it grows
    with the number of terms. Raises MetricError, naming the term, where a term has no rows or its rows have one class.
    """
    positive, values = _rows(gold, scores)
    whole = roc_auc(positive, values)
    draw = np.random.default_rng(seed)
    total = 0.0
    for term, inside in members.items():
        member = _flags(inside, len(positive))
        own, rest = np.flatnonzero(member), np.flatnonzero(~member)
        if not len(own):
            raise MetricError(f"No row holds {term!r}: leave it out of the terms.")
        other = draw.choice(rest, size=min(len(own), len(rest)), replace=False)
        kept = np.concatenate([own, other])
        try:
            total += abs(whole - roc_auc(positive[kept], values[kept]))
        except MetricError as error:
            raise MetricError(f"{term!r}: {error}") from error
    return total


def _probabilities(probabilities: ArrayLike) -> NDArray[np.float64]:
    values = np.asarray(probabilities, dtype=np.float64)
    if values.ndim != 1 or not values.size:
        raise MetricError("The pinned bias needs at least one word, but the list is empty.")
    if not np.isfinite(values).all() or values.min() < 0 or values.max() > 1:
        raise MetricError("The pinned bias needs probabilities between 0 and 1.")
    return values


def _pinned(classes: int) -> float:
    if classes < 2:
        raise MetricError(f"There are at least two classes, not {classes}.")
    return 1 / classes


def _rows(gold: Gold, scores: ArrayLike) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    values = np.asarray(scores, dtype=np.float64)
    positive = _flags(gold, values.size)
    if values.ndim != 1 or not np.isfinite(values).all():
        raise MetricError("Scores are a list of finite numbers, one for each row.")
    return positive, values


def _grouped(
    gold: Gold, scores: ArrayLike, inside: ArrayLike
) -> tuple[NDArray[np.bool_], NDArray[np.float64], NDArray[np.bool_]]:
    positive, values = _rows(gold, scores)
    return positive, values, _flags(inside, len(positive))


def _flags(values: ArrayLike | Sequence[Any], rows: int) -> NDArray[np.bool_]:
    flags = np.asarray(values)
    if flags.shape != (rows,):
        raise MetricError(f"There are {rows} rows, but {flags.size} labels.")
    if flags.dtype != np.bool_ and not np.isin(flags, (0, 1)).all():
        raise MetricError("Labels are 0 and 1, or true and false.")
    return flags.astype(np.bool_)
