"""A report's charts and political leaning in words.

For those who do not see the charts, and for what stands below them.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.engine.political_leaning import MIN_WORDS
from core.i18n import ntr, tr
from core.reports.chart_data import LEANING_CHANCE, LEANING_F1, ParagraphBar, leaning_interval
from core.types import Leaning

# What is said of a leaning: whose wording the text resembles, and never where it, or anyone, stands.


CLEAR_MARGIN = 0.1
"""By how much the likeliest side leads where one side is named; what leads by less is not clear."""


def describe_leaning(leaning: Leaning) -> str:
    """Whose wording the text resembles, in one sentence."""
    ranked = sorted(((leaning.left, 0), (leaning.center, 1), (leaning.right, 2)), reverse=True)
    if ranked[0][0] - ranked[1][0] < CLEAR_MARGIN:
        return tr("The wording resembles no one side’s outlets clearly.")
    return (
        tr("The wording resembles left outlets’ wording most."),
        tr("The wording resembles center outlets’ wording most."),
        tr("The wording resembles right outlets’ wording most."),
    )[ranked[0][1]]


def format_probabilities(leaning: Leaning) -> str:
    """The three probabilities in one line."""
    return tr("left\u00a0{left:.2f} · center\u00a0{center:.2f} · right\u00a0{right:.2f}").format(
        left=leaning.left, center=leaning.center, right=leaning.right
    )


def explain_missing_leaning() -> str:
    """Why no leaning is given."""
    said = tr("No leaning is given: the text is not political, or has fewer than {count} words.")
    return said.format(count=MIN_WORDS)


def leaning_caveat() -> str:
    """How far a leaning can be relied on, and what its band says."""
    weak = tr(
        "A hint about wording, not a verdict on a text or a person. It compares with US outlets by their ratings and "
        "is weak on outlets it has not seen: {f1} macro-F1 there, where guessing gives {chance}."
    ).format(f1=LEANING_F1, chance=LEANING_CHANCE)
    return f"{weak} {explain_interval()}"


def explain_interval() -> str:
    """What the band of a leaning says (`core.reports.chart_data.INTERVAL_SCALE`)."""
    return tr("8 in 10 articles of outlets it has not seen are rated within the band.")


# The charts of a report in words: for those who do not see them, and for what stands below them.


def describe_bias_chart(bars: Sequence[ParagraphBar]) -> str:
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
    return told.format(
        count=f"{len(bars):,}", biased=f"{biased:,}", which=paragraph_numbers(most), bias=most.bias
    )


def describe_leaning_chart(bars: Sequence[ParagraphBar]) -> str:
    """The figures of the chart in a sentence or two."""
    known = [bar for bar in bars if bar.leaning is not None]
    if not known:
        return tr("No paragraph has a leaning: each is too short, or not political.")
    ends = (
        (tr("Most to the left"), min(known, key=_value)),
        (tr("most to the right"), max(known, key=_value)),
    )
    told = "; ".join(f"{end}: {paragraph_numbers(bar)}, {_value(bar):+.2f}" for end, bar in ends)
    count = tr("{known} of {count} have a leaning, from −1 (left) to +1 (right).")
    return f"{count.format(known=len(known), count=len(bars))} {told}."


def paragraph_numbers(bar: ParagraphBar) -> str:
    """The paragraphs of a bar by their numbers."""
    if bar.first == bar.last:
        return tr("paragraph {number}").format(number=f"{bar.first:,}")
    return tr("paragraphs {first} to {last}").format(first=f"{bar.first:,}", last=f"{bar.last:,}")


def _value(bar: ParagraphBar) -> float:
    return leaning_interval(bar.leaning)[0] if bar.leaning is not None else 0.0


def bias_chart_note(bars: Sequence[ParagraphBar]) -> str:
    """How the chart of bias is read."""
    told = tr("A filled bar holds a sentence that reads as biased; an outlined one holds none.")
    grouped = bool(bars) and bars[0].last > bars[0].first
    if not grouped:
        return told
    mean = tr("A bar is the mean of {n} paragraphs.").format(n=bars[0].last)
    return f"{told} {mean}"


def leaning_chart_note() -> str:
    """How the chart of leaning is read, and how little it can be relied on."""
    told = tr(
        "Lines show how unsure the reader is. Paragraphs that are too short or not political have no mark."
    )
    return f"{told} {leaning_caveat()}"
