"""F1, precision, recall, accuracy and confusion of labels and of spans, exact and by overlap, per class and per
kind.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.types import KINDS, Kind

# Span precision, recall and F1, exact and overlap, over sentences and per kind.


SpanWithKind = tuple[int, int, Kind]
Bounds = tuple[int, int] | SpanWithKind
"""A span of which only start and end count."""


@dataclass(frozen=True, slots=True)
class Score:
    """Precision, recall and F1, each in [0, 1]; zero where there is nothing to divide by."""

    precision: float
    recall: float
    f1: float


def score(hits_predicted: int, predicted: int, hits_gold: int, gold: int) -> Score:
    """Precision ``hits_predicted / predicted`` and recall ``hits_gold / gold``, and their harmonic mean."""
    precision = hits_predicted / predicted if predicted else 0.0
    recall = hits_gold / gold if gold else 0.0
    total = precision + recall
    return Score(precision, recall, 2 * precision * recall / total if total else 0.0)


def span_counts(
    predicted: Sequence[Sequence[Bounds]], gold: Sequence[Sequence[Bounds]]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Exact and overlap counts of each sentence, both [sentences, 4]: hits and number of predicted, then of gold spans.

    Exact: same start and end. Overlap: a predicted span is a hit where it shares a character (or a token, where spans
    count those) with a gold one, and a gold one where a predicted span shares one with it. Kinds are left out of
    account.
    """
    exact, overlap = [], []
    for predicted_spans, gold_spans in zip(predicted, gold, strict=True):
        ours, truth = ([(span[0], span[1]) for span in side] for side in (predicted_spans, gold_spans))
        bounds = set(truth)
        same = sum(span in bounds for span in ours)
        touched = sum(any(start < e and s < end for s, e in truth) for start, end in ours)
        reached = sum(any(start < e and s < end for s, e in ours) for start, end in truth)
        exact.append((same, len(ours), same, len(truth)))
        overlap.append((touched, len(ours), reached, len(truth)))
    return np.array(exact, dtype=np.int64).reshape(-1, 4), np.array(overlap, dtype=np.int64).reshape(-1, 4)


def span_scores(
    predicted: Sequence[Sequence[SpanWithKind]], gold: Sequence[Sequence[SpanWithKind]]
) -> tuple[Score, Score]:
    """Exact and overlap scores over sentences, as ``span_counts`` counts."""
    exact, overlap = span_counts(predicted, gold)
    return score(*exact.sum(axis=0).tolist()), score(*overlap.sum(axis=0).tolist())


def kind_scores(
    predicted: Sequence[Sequence[SpanWithKind]], gold: Sequence[Sequence[SpanWithKind]]
) -> dict[Kind, Score]:
    """Overlap scores per kind: a span counts only against gold spans of its own kind."""
    result: dict[Kind, Score] = {}
    for kind in KINDS:
        one_kind = [
            [[span for span in spans if span[2] is kind] for spans in side] for side in (predicted, gold)
        ]
        result[kind] = span_scores(one_kind[0], one_kind[1])[1]
    return result


# Scores of labels: F1 by class, macro and weighted, accuracy, and the confusion matrix they all come from.


Floats = NDArray[np.float64]


def confusion(
    gold: Sequence[Hashable], predicted: Sequence[Hashable], labels: Sequence[Hashable]
) -> NDArray[np.int64]:
    """Counts [gold, predicted] of the labels, in the order of ``labels``. Raises ValueError for others."""
    place = {label: index for index, label in enumerate(labels)}
    strange = {*gold, *predicted} - place.keys()
    if strange:
        raise ValueError(f"There are labels beside {list(labels)}: {sorted(map(str, strange))}.")
    counts = np.zeros((len(labels), len(labels)), dtype=np.int64)
    for one, other in zip(gold, predicted, strict=True):
        counts[place[one], place[other]] += 1
    return counts


def macro_f1(gold: Sequence[int], predicted: Sequence[int], *, weights: Floats | None = None) -> float:
    """Unweighted mean of the F1 of each class that occurs in ``gold`` or ``predicted``; 0 where there is no row.

    ``weights`` [rows] are the weights of the rows, equal by default.
    """
    from sklearn.metrics import f1_score

    return (
        float(f1_score(gold, predicted, average="macro", sample_weight=weights, zero_division=0.0))
        if len(gold)
        else 0.0
    )


def weighted_f1(gold: Sequence[int], predicted: Sequence[int]) -> float:
    """Mean of the F1 of each class weighted by its rows in ``gold``, which BABE's released notebook calls macro."""
    from sklearn.metrics import f1_score

    return float(f1_score(gold, predicted, average="weighted", zero_division=0.0)) if len(gold) else 0.0


def accuracy(gold: Sequence[int], predicted: Sequence[int]) -> float:
    """Share of rows with the right label; 0 where there is no row."""
    return float(np.mean(np.asarray(gold) == np.asarray(predicted))) if len(gold) else 0.0


def positive_score(gold: Sequence[int], predicted: Sequence[int]) -> Score:
    """Precision, recall and F1 of the class 1, all others being negative; zero where there is nothing to divide by."""
    pairs = list(zip(gold, predicted, strict=True))
    hits = sum(one == other == 1 for one, other in pairs)
    return score(hits, sum(other == 1 for _, other in pairs), hits, sum(one == 1 for one, _ in pairs))
