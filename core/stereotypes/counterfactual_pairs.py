"""Counterfactual pairs: whether a reading depends on the group a sentence is about, and still finds loaded words.

A pair is a sentence about two groups. It flips where one side is biased and the other is not; its marks differ where
one side has marked words and the other has none. BPSN and BNSP AUC (Borkan et al. 2019, section 3) compare a term's
neutral sentences with the loaded ones of all other groups, and vice versa.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean

import numpy as np

from core.engine.reader import Reader
from core.stereotypes.metrics import MetricError, bnsp_auc, bpsn_auc, roc_auc, subgroup_auc
from core.stereotypes.templates import Frame


@dataclass(frozen=True, slots=True)
class FrameReading:
    """A frame with the bias and the marked words of each variant."""

    frame: Frame
    bias: tuple[float, ...]
    marks: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class CounterfactualPair:
    """Two variants of a frame; the first has the higher bias."""

    topic: str
    sides: tuple[str, str]
    bias: tuple[float, float]
    flips: bool
    marks_differ: bool

    @property
    def gap(self) -> float:
        """The difference in bias between the sides."""
        return self.bias[0] - self.bias[1]


@dataclass(frozen=True, slots=True)
class TermAuc:
    """AUC of loaded against neutral sentences where a group is in both (subgroup), in the neutral ones (BPSN), in the
    loaded ones (BNSP).
    """

    topic: str
    group: str
    subgroup: float
    bpsn: float
    bnsp: float


def read_frames(
    reader: Reader,
    frames: Sequence[Frame],
    *,
    cancelled: Callable[[], bool] | None = None,
    on_progress: Callable[[float], None] | None = None,
) -> list[FrameReading]:
    """Read every variant of every frame. Raises ReaderError and Cancelled."""
    texts = [variant.text for frame in frames for variant in frame.variants]
    readings = iter(reader.read(texts, cancelled=cancelled, on_progress=on_progress))
    found = []
    for frame in frames:
        rows = [(variant.text, next(readings)) for variant in frame.variants]
        marks = tuple(tuple(text[span.start : span.end] for span in row.spans) for text, row in rows)
        found.append(FrameReading(frame, tuple(row.bias for _, row in rows), marks))
    return found


def iterate_pairs(readings: Sequence[FrameReading], *, threshold: float) -> Iterator[CounterfactualPair]:
    """All pairs of variants of every frame; ``threshold`` is the bias from which a sentence is biased."""
    for one in readings:
        for places in combinations(range(len(one.bias)), 2):
            high, low = sorted(places, key=lambda place: -one.bias[place])
            bias = one.bias[high], one.bias[low]
            yield CounterfactualPair(
                one.frame.topic,
                (one.frame.variants[high].text, one.frame.variants[low].text),
                bias,
                flips=bias[0] >= threshold > bias[1],
                marks_differ=bool(one.marks[high]) != bool(one.marks[low]),
            )


def flip_rate(pairs: Sequence[CounterfactualPair]) -> float:
    """The share of pairs that flip. Raises MetricError where there are none."""
    return fmean(pair.flips for pair in _require_pairs(pairs))


def mean_gap(pairs: Sequence[CounterfactualPair]) -> float:
    """The mean absolute difference of bias between the sides of a pair. Raises MetricError where there are none."""
    return fmean(pair.gap for pair in _require_pairs(pairs))


def term_shifts(readings: Sequence[FrameReading]) -> dict[tuple[str, str], float]:
    """For each (topic, group), how much its bias exceeds the mean of its frame, averaged over its frames."""
    moved: dict[tuple[str, str], list[float]] = {}
    for one in readings:
        middle = fmean(one.bias)
        for variant, bias in zip(one.frame.variants, one.bias, strict=True):
            moved.setdefault((one.frame.topic, variant.group), []).append(bias - middle)
    return {key: fmean(shifts) for key, shifts in moved.items()}


def term_aucs(neutral: Sequence[FrameReading], loaded: Sequence[FrameReading]) -> tuple[float, list[TermAuc]]:
    """The AUC of all ``loaded`` sentences against the ``neutral`` ones, and the AUCs of each group.

    The background of a group is all other groups of its topic, in the same templates. A topic with a single group is
    left out. Raises MetricError where a side is empty.
    """
    rows = [(False, *row) for row in _rows(neutral)] + [(True, *row) for row in _rows(loaded)]
    if not rows:
        raise MetricError("The AUC needs sentences, but there are none.")
    gold = np.array([row[0] for row in rows])
    bias = np.array([row[3] for row in rows])
    overall = roc_auc(gold, bias)
    members = _members([(about, group) for _, about, group, _ in rows])
    found = []
    for about, groups in members.items():
        within = np.logical_or.reduce(list(groups.values()))
        if len(groups) < 2 or len(set(gold[within].tolist())) < 2:
            continue
        for group, inside in groups.items():
            facts = gold[within], bias[within], inside[within]
            found.append(TermAuc(about, group, subgroup_auc(*facts), bpsn_auc(*facts), bnsp_auc(*facts)))
    return overall, found


def _rows(readings: Sequence[FrameReading]) -> Iterator[tuple[str, str, float]]:
    for one in readings:
        for variant, bias in zip(one.frame.variants, one.bias, strict=True):
            yield one.frame.topic, variant.group, bias


def _members(
    rows: Sequence[tuple[str, str]],
) -> Mapping[str, dict[str, np.ndarray[tuple[int], np.dtype[np.bool_]]]]:
    """Which rows belong to each group, by topic."""
    sets: dict[str, dict[str, np.ndarray[tuple[int], np.dtype[np.bool_]]]] = {}
    for at, (about, group) in enumerate(rows):
        inside = sets.setdefault(about, {}).setdefault(group, np.zeros(len(rows), dtype=np.bool_))
        inside[at] = True
    return sets


def _require_pairs(pairs: Sequence[CounterfactualPair]) -> Sequence[CounterfactualPair]:
    if not pairs:
        raise MetricError("There is no pair to compare: a set needs two terms and a template.")
    return pairs
