"""What a classifier is measured by: accuracy on its corpus, bias towards words, and how fair it is on Wiki Madlibs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from core.stereotypes import metrics
from training.bsw.model import Labelled, tokens

Reads = Callable[[Sequence[Sequence[str]]], NDArray[np.float64]]
"""p(hateful) of rows of tokens [n]: a classifier with whatever is replaced before it."""


def accuracy(reads: Reads, test: Sequence[Labelled]) -> dict[str, float]:
    """ROC-AUC on the test part. Raises MetricError where it has one class."""
    return {"auc": metrics.roc_auc([row.hateful for row in test], reads([row.tokens for row in test]))}


def pinned_bias(reads: Reads, words: Sequence[str]) -> dict[str, float]:
    """The PB family over ``words``, each read alone (Equations 3 to 5). Raises MetricError where there is none."""
    chances = reads([tokens(word) for word in words])
    return {
        "pb_mean": metrics.pb_mean(chances),
        "pb_sym": metrics.pb_sym(chances),
        "pb_asym": metrics.pb_asym(chances),
        "words": float(len(words)),
    }


def fairness(
    reads: Reads, rows: Sequence[Labelled], members: Mapping[str, NDArray[np.bool_]], *, seed: int
) -> dict[str, float]:
    """On templates: AUC, pAUC (Equation 2), and of Borkan et al.'s three AUCs the mean and the lowest over terms.

    Raises MetricError where a term's rows have one class.
    """
    gold, scores = np.array([row.hateful for row in rows]), reads([row.tokens for row in rows])
    found = {
        "madlibs_auc": metrics.roc_auc(gold, scores),
        "pauc": metrics.pinned_auc(gold, scores, members, seed=seed),
        "terms": float(len(members)),
    }
    for name, figure in _FIGURES.items():
        by_term = [figure(gold, scores, inside) for inside in members.values()]
        found |= {name: float(np.mean(by_term)), f"{name}_lowest": min(by_term)}
    return found


_FIGURES = {"subgroup": metrics.subgroup_auc, "bpsn": metrics.bpsn_auc, "bnsp": metrics.bnsp_auc}
