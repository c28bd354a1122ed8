"""Metrics of a system's answers with confidence intervals, and whether the paper's ranking of Table 7 holds pair
by pair.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from core.types import KINDS, Kind
from training.evaluation.results_table import Block
from training.loop.result_cache import ResultCell
from training.loop.training_loop import TrainingError
from training.metrics import Score, accuracy, macro_f1, positive_score
from training.metrics.intervals import interval
from training.metrics.resampling import Array, Floats, Metric, span_f1
from training.metrics.significance import Compared, paired_bootstrap
from training.metrics.tags import tag_counts, tag_scores
from training.papers.wikibias.systems import RANKING, ROWS
from training.papers.wikibias.types import Answers
from training.types import Tagged

# A system's answers for the test part as the figures of a cell, with how sure they are.
#
# Figures are shares in [0, 1]. ``_low`` and ``_high`` are the ends of the 95% bootstrap interval over test sentences,
# both sides of a pair drawn together. A sentence whose kinds nobody has said is left out of theirs.


Counts = NDArray[np.int64]
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class Scored:
    """Figures by name, and the exact counts of each biased source sentence (``packed``) where there are tags."""

    values: dict[str, float]
    counts: str = ""


def scored(answers: Answers, test: Sequence[Tagged]) -> Scored:
    """Every figure that the answers allow. Raises TrainingError where there is no test part to score."""
    if not test:
        raise TrainingError("There is no test part to score. Add one to the corpus.")
    values: dict[str, float] = {}
    counts = ""
    if answers.tags is not None:
        found, counts = _of_tags(answers.tags, test)
        values |= found
    if answers.biased is not None:
        values |= _of_labels(answers.biased, test)
    if answers.kinds is not None:
        values |= _of_kinds(answers.kinds, test)
    return Scored(values | (answers.facts or {}), counts)


def compared(one: Sequence[str], other: Sequence[str]) -> Compared:
    """The exact F1 of one system less that of another, over the same sentences and the same seeds.

    Both are ``packed`` counts, one for each seed; the counts of a sentence are added up over seeds.
    """
    first, second = (np.sum([unpacked(counts) for counts in side], axis=0) for side in (one, other))
    return paired_bootstrap(span_f1, np.zeros(len(first)), first, second)


def packed(counts: Counts) -> str:
    """Counts [sentences, 4] of exact hits as three digits a sentence, of 36: hits, found, gold."""
    return "".join(_DIGITS[min(count, 35)] for count in counts[:, [0, 1, 3]].ravel().tolist())


def unpacked(counts: str) -> Counts:
    """The counts of ``packed``, [sentences, 4]."""
    digits = np.array([int(digit, 36) for digit in counts], dtype=np.int64)
    return digits.reshape(-1, 3)[:, [0, 1, 0, 2]]


def _of_tags(tags: Sequence[Sequence[str]], test: Sequence[Tagged]) -> tuple[dict[str, float], str]:
    values: dict[str, float] = {}
    for name, score in asdict(tag_scores(test, tags)).items():
        values |= _named(name, Score(**score))
    scored_here = [at for at, one in enumerate(test) if one.biased and one.original]
    counts = tag_counts(test, tags)["authors_exact"][scored_here]
    if len(counts):
        values |= _ends("authors_exact_f1", span_f1, np.zeros(len(counts)), counts)
    return values, packed(counts)


def _of_labels(biased: Sequence[bool], test: Sequence[Tagged]) -> dict[str, float]:
    gold, found = [int(one.biased) for one in test], [int(one) for one in biased]
    values = _named("biased", positive_score(gold, found))
    values |= {"accuracy": accuracy(gold, found), "macro_f1": macro_f1(gold, found)}
    groups = _groups(test)
    counts = _hits(np.array(gold), np.array(found))
    values |= _ends("biased_f1", span_f1, np.zeros(len(gold)), counts, groups)
    return values


def _of_kinds(kinds: Sequence[frozenset[Kind]], test: Sequence[Tagged]) -> dict[str, float]:
    """F1 of each kind, multi-label, and their mean (section 3.1.2)."""
    known = [at for at, one in enumerate(test) if one.kinds is not None or not one.biased]
    gold = _table([test[at].kinds or frozenset() for at in known])
    if not gold.any():
        raise TrainingError(
            "The test part does not say which kinds of bias its sentences have, so that nothing can be scored."
        )
    found = _table([kinds[at] for at in known])
    values: dict[str, float] = {}
    for number, kind in enumerate(KINDS):
        score = positive_score(gold[:, number].tolist(), found[:, number].tolist())
        values |= _named(str(kind), score)
        values[f"{kind}_sentences"] = float(gold[:, number].sum())
    values["kinds_macro_f1"] = float(np.mean([values[f"{kind}_f1"] for kind in KINDS]))
    counts = np.stack([_hits(gold[:, at], found[:, at]) for at in range(len(KINDS))], axis=1)
    groups = _groups([test[at] for at in known])
    return values | _ends("kinds_macro_f1", _mean_f1, np.zeros(len(known)), counts, groups)


def _mean_f1(gold: Array, found: Array, weights: Floats) -> Floats:
    """Mean over kinds of the F1 of each draw from counts [rows, kinds, 4]."""
    scores = [span_f1(gold, found[:, at], weights) for at in range(found.shape[1])]
    return np.asarray(np.mean(scores, axis=0))


def _ends(
    name: str, metric: Metric, gold: Array, counts: Counts, groups: Sequence[str] | None = None
) -> dict[str, float]:
    found = interval(metric, gold, counts, groups=groups)
    return {f"{name}_low": found.low, f"{name}_high": found.high} if np.isfinite(found.low) else {}


def _named(name: str, score: Score) -> dict[str, float]:
    return {f"{name}_precision": score.precision, f"{name}_recall": score.recall, f"{name}_f1": score.f1}


def _hits(gold: Counts, found: Counts) -> Counts:
    """Rows of 0 and 1 as counts [rows, 4] of the class 1."""
    both = gold * found
    return np.stack([both, found, both, gold], axis=1)


def _table(kinds: Sequence[frozenset[Kind]]) -> Counts:
    return np.array([[int(kind in one) for kind in KINDS] for one in kinds], dtype=np.int64)


def _groups(sentences: Sequence[Tagged]) -> list[str]:
    """Pairs; a sentence without a group stands alone."""
    return [one.group or f"alone {number}" for number, one in enumerate(sentences)]


# Whether the paper's ranking of Table 7 comes out again: pair by pair, with a paired bootstrap over test sentences.


HEAD = ("the lower first", "published", "ours", "difference", "95%", "p", "as in the paper?")
_ROWS = ROWS["wikibias-7"]
_CHANCE = 0.05


def ranking(lines: Mapping[str, Sequence[ResultCell]], *, where: str) -> list[Block]:
    """A block with a line for each pair whose cells learnt from the same material with the same seeds; else none.

    The exact F1 are of the hits of all common seeds together.
    """
    rows: list[tuple[str, ...]] = []
    tally = {"yes": 0, "open": 0, "no": 0}
    for lower, higher in RANKING:
        seeds = _common(lines.get(lower, ()), lines.get(higher, ()))
        if not seeds:
            continue
        ours = [[_of_seed(lines[key], seed) for seed in seeds] for key in (lower, higher)]
        found = compared([cell.counts for cell in ours[1]], [cell.counts for cell in ours[0]])
        told = _verdict(found)
        tally[told.partition(",")[0]] += 1
        rows.append(_line(lower, higher, ours, found, told))
    if not rows:
        return []
    summary = f"{tally['yes']} of {len(rows)} pairs, {tally['open']} open, {tally['no']} not"
    return [Block(f"{where}: is the paper's ranking by exact F1 reproduced? {summary}", HEAD, tuple(rows))]


def _line(
    lower: str, higher: str, ours: Sequence[Sequence[ResultCell]], found: Compared, told: str
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
        told,
    )


def _verdict(found: Compared) -> str:
    """Yes or no where the interval of the difference leaves 0 out and p is below 0.05, else open."""
    gap = found.difference
    if (gap.low > 0.0 or gap.high < 0.0) and found.p < _CHANCE:
        return "yes" if gap.value > 0.0 else "no, the other way round"
    return f"open, {'as' if gap.value > 0.0 else 'not as'} in the paper but within chance"


def _common(one: Sequence[ResultCell], other: Sequence[ResultCell]) -> list[int]:
    """The seeds that both have for the same test sentences."""
    places = [
        {(cell.seed, cell.scale, cell.facts.get("material")) for cell in side if cell.counts}
        for side in (one, other)
    ]
    return sorted(seed for seed, _, _ in places[0] & places[1])


def _of_seed(cells: Sequence[ResultCell], seed: int) -> ResultCell:
    return next(cell for cell in cells if cell.seed == seed)
