"""What the heuristic is worth where somebody, or something, knows better: WIKIBIAS's section 2.1 over again."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.findings import Kind
from training.corpora.reading import lines
from training.diff import edits
from training.injection.model import Injected
from training.metrics.spans import Score, span_scores
from training.metrics.tags import spans as tagged_spans
from training.wikibias.model import Tagged
from training.wikibias.pairing import THRESHOLD, revise
from training.wikibias.stand_in import injected_sides, token_range
from training.wikibias.subtrees import Tree, trees

Ranges = Sequence[tuple[int, int]]
THRESHOLDS = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)

_SEED = 42
_NULL = ["null"]
_FRAME = ("in 1990 the report".split(), "people said today .".split())


@dataclass(frozen=True, slots=True)
class Case:
    """Both sides of a revision as tokens, and the biased token ranges of the first as they are known."""

    before: tuple[str, ...]
    after: tuple[str, ...]
    gold: tuple[tuple[int, int], ...]
    group: str = ""


@dataclass(frozen=True, slots=True)
class HeuristicScores:
    """Section 2.1's scores over cases.

    ``sources`` is the accuracy of the label biased or not over the sources, ``sentences`` over both sides, a target
    being neutral by rule. ``strict`` wants first and last token of a span right, ``overlap`` one shared token.
    """

    sources: float
    sentences: float
    strict: Score
    overlap: Score
    gold: int
    found: int


def cases_of_tagged(sentences: Iterable[Tagged]) -> list[Case]:
    """A case of each Original that is followed by the Neutral of its group."""
    made: list[Case] = []
    last: Tagged | None = None
    for sentence in sentences:
        if last is not None and last.original and not sentence.original and last.group == sentence.group:
            gold = tuple(tagged_spans(last.tags))
            made.append(Case(last.tokens, sentence.tokens, gold, sentence.group))
        last = sentence
    return made


def cases_of_injected(rows: Iterable[Injected], *, limit: int | None = None) -> list[Case]:
    """A case of each injected pair, at most ``limit``, drawn at random but always the same."""
    chosen = list(rows)
    if limit is not None and len(chosen) > limit:
        chosen = random.Random(_SEED).sample(chosen, limit)
    return [case for row in chosen for case in cases_of_tagged(injected_sides(row))]


def cases_of_phrases(path: Path) -> list[Case]:
    """A case of each phrase pair of the annotators' practice set that has words before, in the midst of other words.

    The file is a table with a header: before, tab, after, ``null`` for nothing there.
    """
    made: list[Case] = []
    for number, line in enumerate(lines(path), start=1):
        cells = [cell.replace('""', "").split() for cell in line.split("\t")]
        if number == 1 or len(cells) != len(("before", "after")) or cells[0] in ([], _NULL):
            continue
        old, new = cells[0], [] if cells[1] == _NULL else cells[1]
        start = len(_FRAME[0])
        before, after = ((*_FRAME[0], *side, *_FRAME[1]) for side in (old, new))
        made.append(Case(before, after, ((start, start + len(old)),), str(number)))
    return made


def halves(cases: Sequence[Case]) -> tuple[list[Case], list[Case]]:
    """Two halves, one to choose on and one to score; cases of one group are in the same half."""
    groups = sorted({case.group for case in cases})
    random.Random(_SEED).shuffle(groups)
    chosen = set(groups[: len(groups) // 2])
    first = [case for case in cases if case.group in chosen]
    return first, [case for case in cases if case.group not in chosen]


def parsed(cases: Sequence[Case], nlp: Any) -> list[tuple[Tree, Tree]]:
    """The trees of both sides of each case."""
    found = trees((side for case in cases for side in (case.before, case.after)), nlp)
    return list(zip(found, found, strict=True))


def heuristic(
    cases: Sequence[Case], both: Sequence[tuple[Tree, Tree]] | None, *, threshold: float = THRESHOLD
) -> list[Ranges]:
    """The heuristic's spans of each source, with the trees of both sides or without."""
    known = both if both is not None else [None] * len(cases)
    return [
        [
            (change.start, change.end)
            for change in revise(case.before, case.after, trees=tree, threshold=threshold).spans
        ]
        for case, tree in zip(cases, known, strict=True)
    ]


def plain_diff(cases: Sequence[Case]) -> list[Ranges]:
    """The spans of `training.diff.edits`, to compare with."""
    return [_plain(case) for case in cases]


def scores(cases: Sequence[Case], found: Sequence[Ranges]) -> HeuristicScores:
    """How right ``found`` is, by section 2.1's measures."""
    right = sum(bool(case.gold) == bool(spans) for case, spans in zip(cases, found, strict=True))
    strict, overlap = span_scores(
        [[(start, end, Kind.FRAMING) for start, end in spans] for spans in found],
        [[(start, end, Kind.FRAMING) for start, end in case.gold] for case in cases],
    )
    count = max(1, len(cases))
    return HeuristicScores(
        sources=right / count,
        sentences=(right + len(cases)) / (2 * count),
        strict=strict,
        overlap=overlap,
        gold=sum(len(case.gold) for case in cases),
        found=sum(len(spans) for spans in found),
    )


def tuned(cases: Sequence[Case], both: Sequence[tuple[Tree, Tree]] | None) -> float:
    """The threshold of likeness with the best strict F1 on ``cases``; of equals the one nearest to the default."""

    def worth(threshold: float) -> tuple[float, float]:
        found = heuristic(cases, both, threshold=threshold)
        return scores(cases, found).strict.f1, -abs(threshold - THRESHOLD)

    return max(THRESHOLDS, key=worth)


def _plain(case: Case) -> Ranges:
    places = []
    at = 0
    for token in case.before:
        places.append((at, at + len(token)))
        at += len(token) + 1
    found = edits(" ".join(case.before), " ".join(case.after))
    ranges = (token_range(places, edit.start, edit.end) for edit in found)
    return [(start, end) for start, end in ranges if start < end]
