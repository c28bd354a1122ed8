"""The figures behind the charts of a report: what window, page and picture all draw from."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.reports.safe_text import single_line
from core.types import Finding, Kind, Leaning, ParagraphReading, Report, count_kinds

MAX_BARS = 120
"""Bars of a chart by paragraph in a report; a longer text is drawn in groups of paragraphs."""

INTERVAL_SCALE = 1.3
"""Times that the band of a leaning is as wide as the reader is unsure: the least, in tenths, with which it holds the
rating of eight in ten articles of outlets that the reader never saw (`evenhand train table leaning-gauge`)."""

LEANING_F1, LEANING_CHANCE = 0.399, 0.33
"""Macro-F1 of the leaning over outlets that the reader has never seen, and that of guessing (README)."""


@dataclass(frozen=True, slots=True)
class ParagraphBar:
    """One bar: the paragraphs ``first`` to ``last``, counted from 1, of which the first begins at ``start``.

    ``bias`` is their mean by length, ``biased`` of the ``sentences`` that count read as biased, ``kinds`` counts
    findings, and ``leaning`` is None where no paragraph has one.
    """

    first: int
    last: int
    start: int
    bias: float
    biased: int
    sentences: int
    kinds: dict[Kind, int]
    leaning: Leaning | None


@dataclass(frozen=True, slots=True)
class CueCount:
    """A class of cues (empty for what the model reads from context alone) and how often it explains a finding.

    ``words`` are its most frequent wordings with their counts; ``findings`` those that it explains, in text order.
    """

    category: str
    kind: Kind
    count: int
    words: tuple[tuple[str, int], ...]
    findings: tuple[Finding, ...] = field(repr=False)


def paragraph_bars(report: Report, *, most: int = MAX_BARS) -> tuple[ParagraphBar, ...]:
    """The paragraphs in reading order as at most ``most`` bars, each of equally many paragraphs but the last."""
    paragraphs = report.paragraphs
    size = max(1, math.ceil(len(paragraphs) / max(1, most)))
    starts = [sentence.start for sentence in report.sentences]
    found = [finding.start for finding in report.findings]
    bars = []
    for at in range(0, len(paragraphs), size):
        group = paragraphs[at : at + size]
        start, end = group[0].start, group[-1].end
        inside = report.sentences[bisect_left(starts, start) : bisect_left(starts, end)]
        counted = sum(one.sentences for one in group)
        quotes_count = counted == len(inside)
        bars.append(
            ParagraphBar(
                first=at + 1,
                last=at + len(group),
                start=start,
                bias=_mean_bias(group),
                biased=sum(one.biased and (quotes_count or not one.quoted) for one in inside),
                sentences=counted,
                kinds=count_kinds(report.findings[bisect_left(found, start) : bisect_left(found, end)]),
                leaning=_mean_leaning([one.leaning for one in group if one.leaning is not None]),
            )
        )
    return tuple(bars)


def leaning_interval(leaning: Leaning) -> tuple[float, float, float]:
    """(right - left, the low end, the high end of its band), each in [-1, 1].

    The band reaches ``INTERVAL_SCALE`` times as far as the reader is unsure to either side.
    """
    value = leaning.right - leaning.left
    reach = INTERVAL_SCALE * leaning_uncertainty(leaning)
    return value, max(-1.0, value - reach), min(1.0, value + reach)


def leaning_uncertainty(leaning: Leaning) -> float:
    """How unsure the reader is of (right - left).

    The standard deviation of left (-1), center (0) and right (+1) under its probabilities, or the disagreement of the
    windows where that is larger.
    """
    value = leaning.right - leaning.left
    return max(math.sqrt(max(0.0, leaning.right + leaning.left - value * value)), leaning.spread)


def count_cues(
    findings: Sequence[Finding], *, most: int = 8, words: int = 4, kinds: Mapping[str, Kind] | None = None
) -> tuple[CueCount, ...]:
    """The classes that explain most findings, the most frequent first, then by name.

    A finding counts for the class of its first cue. ``kinds`` gives the kind of a class; without it, or for a class
    that it does not know, that is the kind of the first such finding.
    """
    groups: dict[str, list[Finding]] = {}
    for finding in findings:
        groups.setdefault(finding.why[0].category if finding.why else "", []).append(finding)
    counted = []
    for category, group in groups.items():
        wordings: Counter[str] = Counter()
        for wording, count in Counter(map(_wording, group)).items():
            wordings[single_line(wording).casefold()] += count
        kind = (kinds or {}).get(category, group[0].kind)
        counted.append(CueCount(category, kind, len(group), tuple(wordings.most_common(words)), tuple(group)))
    return tuple(sorted(counted, key=lambda one: (-one.count, one.category))[:most])


def _wording(finding: Finding) -> str:
    return finding.why[0].cue if finding.why else finding.text


def _mean_bias(group: Sequence[ParagraphReading]) -> float:
    length = sum(one.end - one.start for one in group)
    return math.fsum(one.bias * (one.end - one.start) for one in group) / length if length else 0.0


def _mean_leaning(leanings: Sequence[Leaning]) -> Leaning | None:
    """The mean; its spread takes in how far the paragraphs stand apart."""
    if not leanings:
        return None
    left, center, right, varied = (
        math.fsum(values) / len(leanings)
        for values in zip(
            *((one.left, one.center, one.right, one.spread**2) for one in leanings), strict=True
        )
    )
    apart = math.fsum((one.right - one.left - right + left) ** 2 for one in leanings) / len(leanings)
    return Leaning(left, center, right, math.sqrt(varied + apart))
