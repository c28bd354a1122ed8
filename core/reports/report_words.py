"""The charts of a report in words: for those who do not see them, and for what stands below them."""

from __future__ import annotations

from collections.abc import Sequence

from core.language import ntr, tr
from core.leaning_words import caution
from core.reports.report_figures import ParagraphBar, lean


def bias_in_words(bars: Sequence[ParagraphBar]) -> str:
    """The figures of the chart in a sentence or two."""
    if not bars:
        return tr("There is no paragraph.")
    most = max(bars, key=lambda bar: bar.bias)
    told = ntr(
        "{count} bar from 0 (neutral) to 1 (biased); {biased} with a biased sentence; most at {which}: {bias:.2f}.",
        "{count} bars from 0 (neutral) to 1 (biased); {biased} with a biased sentence; most at {which}: {bias:.2f}.",
        len(bars),
    )
    biased = sum(bar.biased > 0 for bar in bars)
    return told.format(count=f"{len(bars):,}", biased=f"{biased:,}", which=where(most), bias=most.bias)


def leaning_in_words(bars: Sequence[ParagraphBar]) -> str:
    """The figures of the chart in a sentence or two."""
    known = [bar for bar in bars if bar.leaning is not None]
    if not known:
        return tr("No paragraph has a leaning: each is too short, or not political.")
    ends = (
        (tr("Most to the left"), min(known, key=_value)),
        (tr("most to the right"), max(known, key=_value)),
    )
    told = "; ".join(f"{end}: {where(bar)}, {_value(bar):+.2f}" for end, bar in ends)
    count = tr("{known} of {count} have a leaning, from −1 (left) to +1 (right).")
    return f"{count.format(known=len(known), count=len(bars))} {told}."


def where(bar: ParagraphBar) -> str:
    """The paragraphs of a bar by their numbers."""
    if bar.first == bar.last:
        return tr("paragraph {number}").format(number=f"{bar.first:,}")
    return tr("paragraphs {first} to {last}").format(first=f"{bar.first:,}", last=f"{bar.last:,}")


def _value(bar: ParagraphBar) -> float:
    return lean(bar.leaning)[0] if bar.leaning is not None else 0.0


def bias_note(bars: Sequence[ParagraphBar]) -> str:
    """How the chart of bias is read."""
    told = tr("A filled bar holds a sentence that reads as biased; an outlined one holds none.")
    grouped = bool(bars) and bars[0].last > bars[0].first
    if not grouped:
        return told
    mean = tr("A bar is the mean of {n} paragraphs.").format(n=bars[0].last)
    return f"{told} {mean}"


def leaning_note() -> str:
    """How the chart of leaning is read, and how little it can be relied on."""
    told = tr(
        "Lines show how unsure the reader is. Paragraphs that are too short or not political have no mark."
    )
    return f"{told} {caution()}"
