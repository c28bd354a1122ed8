"""The data behind the charts of a report, shared by the window, the HTML report and exported pictures."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.reports.safe_text import single_line
from core.types import Finding, Kind, Leaning, NoLeaning, ParagraphReading, Report, count_kinds

MAX_BARS = 120
"""Most bars in a chart by paragraph; in longer texts a bar stands for a group of paragraphs."""

INTERVAL_SCALE = 1.3
"""Half the width of a leaning's interval over its uncertainty: the smallest factor, in tenths, at which it contains the
rating of 8 in 10 articles from held-out publishers (`evenhand train table leaning-gauge`)."""


@dataclass(frozen=True, slots=True)
class ParagraphBar:
    """One bar: the paragraphs ``first`` to ``last``, counted from 1; ``start`` is the offset of the first.

    ``bias`` is their mean weighted by length; ``biased`` of the ``sentences`` that count are biased; ``kinds`` counts
    the findings; ``leaning`` is None where no paragraph has one, and ``no_leaning`` says why, where that is known.
    """

    first: int
    last: int
    start: int
    bias: float
    biased: int
    sentences: int
    kinds: dict[Kind, int]
    leaning: Leaning | None
    no_leaning: NoLeaning | None = None


@dataclass(frozen=True, slots=True)
class CueCount:
    """How many findings a cue class explains; ``category`` is empty for findings without a cue.

    ``words`` are its most frequent words with their counts; ``findings`` are those it explains, in text order.
    """

    category: str
    kind: Kind
    count: int
    words: tuple[tuple[str, int], ...]
    findings: tuple[Finding, ...] = field(repr=False)


def paragraph_bars(report: Report, *, most: int = MAX_BARS) -> tuple[ParagraphBar, ...]:
    """The paragraphs in reading order as at most ``most`` bars, all of equally many paragraphs except the last."""
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
        leaning = _mean_leaning([one.leaning for one in group if one.leaning is not None])
        reasons = [one.no_leaning for one in group if one.no_leaning is not None]
        bars.append(
            ParagraphBar(
                first=at + 1,
                last=at + len(group),
                start=start,
                bias=_mean_bias(group),
                biased=sum(one.biased and (quotes_count or not one.quoted) for one in inside),
                sentences=counted,
                kinds=count_kinds(report.findings[bisect_left(found, start) : bisect_left(found, end)]),
                leaning=leaning,
                no_leaning=None if leaning else max(reasons, key=list(NoLeaning).index, default=None),
            )
        )
    return tuple(bars)


def leaning_interval(leaning: Leaning) -> tuple[float, float, float]:
    """(right - left, lower end, upper end of its interval), each in [-1, 1].

    The interval extends ``INTERVAL_SCALE`` times the uncertainty to either side.
    """
    value = leaning.right - leaning.left
    reach = INTERVAL_SCALE * leaning_uncertainty(leaning)
    return value, max(-1.0, value - reach), min(1.0, value + reach)


def leaning_uncertainty(leaning: Leaning) -> float:
    """The uncertainty of (right - left).

    The standard deviation of left (-1), center (0) and right (+1) under its probabilities, or the disagreement of the
    windows where that is larger.
    """
    value = leaning.right - leaning.left
    return max(math.sqrt(max(0.0, leaning.right + leaning.left - value * value)), leaning.spread)


def count_cues(
    findings: Sequence[Finding], *, most: int = 8, words: int = 4, kinds: Mapping[str, Kind] | None = None
) -> tuple[CueCount, ...]:
    """The cue classes that explain most findings, the most frequent first, then by name.

    A finding counts for the class of its first cue. ``kinds`` maps classes to kinds; a class that is missing there gets
    the kind of its first finding.
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
    return finding.why[0].cue if finding.why else finding.shown


def _mean_bias(group: Sequence[ParagraphReading]) -> float:
    length = sum(one.end - one.start for one in group)
    return math.fsum(one.bias * (one.end - one.start) for one in group) / length if length else 0.0


def _mean_leaning(leanings: Sequence[Leaning]) -> Leaning | None:
    """The mean; its spread includes the variance between the paragraphs."""
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
