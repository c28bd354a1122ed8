"""Scores of a system's predictions with confidence intervals, and a test of the paper's ranking in Table 7.

Scores are in [0, 1]. ``_low`` and ``_high`` are the ends of the 95% bootstrap interval over test sentences, in which
both sides of a pair are drawn together. Sentences without gold kinds are left out of the scores of kinds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict

import numpy as np
from numpy.typing import NDArray

from core.types import KINDS, Kind
from training.evaluation.results_table import Block
from training.loop.result_cache import Measurement, ResultCell
from training.loop.training_loop import TrainingError
from training.metrics import Score, accuracy, macro_f1, positive_score
from training.metrics.intervals import interval
from training.metrics.resampling import Array, Floats, Metric, span_f1
from training.metrics.significance import PairedTest, paired_bootstrap
from training.metrics.tags import tag_counts, tag_scores
from training.papers.wikibias.systems import RANKING, ROWS
from training.papers.wikibias.types import Predictions
from training.types import TaggedSentence

Counts = NDArray[np.int64]
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def score(predictions: Predictions, test: Sequence[TaggedSentence]) -> Measurement:
    """Every score that the predictions allow; with tags also the exact counts of each biased source sentence.

    Raises TrainingError where there is no test part.
    """
    if not test:
        raise TrainingError("The corpus has no test part. Add one.")
    values: dict[str, float] = {}
    counts = ""
    if predictions.tags is not None:
        found, counts = _score_tags(predictions.tags, test)
        values |= found
    if predictions.biased is not None:
        values |= _score_labels(predictions.biased, test)
    if predictions.kinds is not None:
        values |= _score_kinds(predictions.kinds, test)
    return Measurement(values | (predictions.facts or {}), counts)


def compare_systems(one: Sequence[str], other: Sequence[str]) -> PairedTest:
    """Difference of the exact F1 of two systems over the same sentences and the same seeds.

    Both are packed counts (see ``pack_counts``), one for each seed; those of a sentence are added up over seeds.
    """
    first, second = (np.sum([unpack_counts(counts) for counts in side], axis=0) for side in (one, other))
    return paired_bootstrap(span_f1, np.zeros(len(first)), first, second)


def pack_counts(counts: Counts) -> str:
    """Counts [sentences, 4] of exact matches as three base-36 digits per sentence: matches, predicted, gold."""
    return "".join(_DIGITS[min(count, 35)] for count in counts[:, [0, 1, 3]].ravel().tolist())


def unpack_counts(counts: str) -> Counts:
    """The inverse of ``pack_counts``, [sentences, 4]."""
    digits = np.array([int(digit, 36) for digit in counts], dtype=np.int64)
    return digits.reshape(-1, 3)[:, [0, 1, 0, 2]]


def _score_tags(
    tags: Sequence[Sequence[str]], test: Sequence[TaggedSentence]
) -> tuple[dict[str, float], str]:
    values: dict[str, float] = {}
    for name, score in asdict(tag_scores(test, tags)).items():
        values |= _score_values(name, Score(**score))
    biased_sources = [at for at, one in enumerate(test) if one.biased and one.original]
    counts = tag_counts(test, tags)["authors_exact"][biased_sources]
    if len(counts):
        values |= _interval("authors_exact_f1", span_f1, np.zeros(len(counts)), counts)
    return values, pack_counts(counts)


def _score_labels(biased: Sequence[bool], test: Sequence[TaggedSentence]) -> dict[str, float]:
    gold, found = [int(one.biased) for one in test], [int(one) for one in biased]
    values = _score_values("biased", positive_score(gold, found))
    values |= {"accuracy": accuracy(gold, found), "macro_f1": macro_f1(gold, found)}
    groups = _groups(test)
    counts = _binary_counts(np.array(gold), np.array(found))
    values |= _interval("biased_f1", span_f1, np.zeros(len(gold)), counts, groups)
    return values


def _score_kinds(kinds: Sequence[frozenset[Kind]], test: Sequence[TaggedSentence]) -> dict[str, float]:
    """F1 of each kind, multi-label, and their mean (section 3.1.2)."""
    known = [at for at, one in enumerate(test) if one.kinds is not None or not one.biased]
    gold = _kind_matrix([test[at].kinds or frozenset() for at in known])
    if not gold.any():
        raise TrainingError("The test part has no kinds of bias, so nothing can be scored.")
    found = _kind_matrix([kinds[at] for at in known])
    values: dict[str, float] = {}
    for number, kind in enumerate(KINDS):
        score = positive_score(gold[:, number].tolist(), found[:, number].tolist())
        values |= _score_values(str(kind), score)
        values[f"{kind}_sentences"] = float(gold[:, number].sum())
    values["kinds_macro_f1"] = float(np.mean([values[f"{kind}_f1"] for kind in KINDS]))
    counts = np.stack([_binary_counts(gold[:, at], found[:, at]) for at in range(len(KINDS))], axis=1)
    groups = _groups([test[at] for at in known])
    return values | _interval("kinds_macro_f1", _mean_f1, np.zeros(len(known)), counts, groups)


def _mean_f1(gold: Array, found: Array, weights: Floats) -> Floats:
    """Mean over kinds of the F1 of each draw from counts [rows, kinds, 4]."""
    scores = [span_f1(gold, found[:, at], weights) for at in range(found.shape[1])]
    return np.asarray(np.mean(scores, axis=0))


def _interval(
    name: str, metric: Metric, gold: Array, counts: Counts, groups: Sequence[str] | None = None
) -> dict[str, float]:
    found = interval(metric, gold, counts, groups=groups)
    return {f"{name}_low": found.low, f"{name}_high": found.high} if np.isfinite(found.low) else {}


def _score_values(name: str, score: Score) -> dict[str, float]:
    return {f"{name}_precision": score.precision, f"{name}_recall": score.recall, f"{name}_f1": score.f1}


def _binary_counts(gold: Counts, found: Counts) -> Counts:
    """Counts [rows, 4] of the class 1 from labels 0 and 1."""
    both = gold * found
    return np.stack([both, found, both, gold], axis=1)


def _kind_matrix(kinds: Sequence[frozenset[Kind]]) -> Counts:
    return np.array([[int(kind in one) for kind in KINDS] for one in kinds], dtype=np.int64)


def _groups(sentences: Sequence[TaggedSentence]) -> list[str]:
    """The group of each sentence; a sentence without one is a group of its own."""
    return [one.group or f"alone {number}" for number, one in enumerate(sentences)]


_HEADER = ("lower one first", "published", "ours", "difference", "95%", "p", "as in the paper?")
_ROWS = ROWS["wikibias-7"]
_ALPHA = 0.05


def compare_ranking(lines: Mapping[str, Sequence[ResultCell]], *, where: str) -> list[Block]:
    """A block with a line for each pair with cells of the same corpus and seeds; no block without such a pair.

    The exact F1 are computed from the matches of all common seeds together.
    """
    rows: list[tuple[str, ...]] = []
    tally = {"yes": 0, "open": 0, "no": 0}
    for lower, higher in RANKING:
        seeds = _common_seeds(lines.get(lower, ()), lines.get(higher, ()))
        if not seeds:
            continue
        ours = [[_of_seed(lines[key], seed) for seed in seeds] for key in (lower, higher)]
        found = compare_systems([cell.counts for cell in ours[1]], [cell.counts for cell in ours[0]])
        verdict = _verdict(found)
        tally[verdict.partition(",")[0]] += 1
        rows.append(_line(lower, higher, ours, found, verdict))
    if not rows:
        return []
    summary = (
        f"yes for {tally['yes']} of {len(rows)} pairs, open for {tally['open']}, reversed for {tally['no']}"
    )
    return [Block(f"{where}: is the paper's ranking by exact F1 reproduced? {summary}", _HEADER, tuple(rows))]


def _line(
    lower: str, higher: str, ours: Sequence[Sequence[ResultCell]], found: PairedTest, verdict: str
) -> tuple[str, ...]:
    published = [_ROWS[key].published[0] for key in (lower, higher)]
    means = [100 * sum(cell.values["authors_exact_f1"] for cell in side) / len(side) for side in ours]
    gap = found.difference
    return (
        f"{_ROWS[lower].title} < {_ROWS[higher].title}",
        " < ".join(f"{figure:.1f}" for figure in published if figure is not None),
        f"{means[0]:.1f}, {means[1]:.1f}",
        f"{100 * gap.value:+.1f}",
        f"[{100 * gap.low:+.1f}, {100 * gap.high:+.1f}]",
        f"{found.p:.3f}",
        verdict,
    )


def _verdict(found: PairedTest) -> str:
    """Yes or no where the interval of the difference excludes 0 and p is below 0.05, else open."""
    gap = found.difference
    if (gap.low > 0.0 or gap.high < 0.0) and found.p < _ALPHA:
        return "yes" if gap.value > 0.0 else "no, reversed"
    return f"open, {'as' if gap.value > 0.0 else 'not as'} in the paper, not significant"


def _common_seeds(one: Sequence[ResultCell], other: Sequence[ResultCell]) -> list[int]:
    """The seeds that both have on the same test sentences."""
    known = [
        {(cell.seed, cell.scale, cell.facts.get("material")) for cell in side if cell.counts}
        for side in (one, other)
    ]
    return sorted(seed for seed, _, _ in known[0] & known[1])


def _of_seed(cells: Sequence[ResultCell], seed: int) -> ResultCell:
    return next(cell for cell in cells if cell.seed == seed)
