"""A report's political leaning and charts in words: for people who do not see the charts, and as notes below them.

A political leaning says whose wording a text resembles, never where the text or anyone stands.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.engine.political_leaning import MIN_WORDS
from core.i18n import ntr, tr
from core.reports.chart_data import ParagraphBar, leaning_interval
from core.types import Leaning, NoLeaning

CLEAR_MARGIN = 0.1
"""By how much the likeliest side must lead to be named."""

_CHANCE_F1 = 1 / 3
"""Macro-F1 of guessing among left, center and right."""


def describe_leaning(leaning: Leaning) -> str:
    """Whose wording the text resembles, in one sentence."""
    ranked = sorted(((leaning.left, 0), (leaning.center, 1), (leaning.right, 2)), reverse=True)
    if ranked[0][0] - ranked[1][0] < CLEAR_MARGIN:
        return tr("The wording does not clearly resemble that of any side’s outlets.")
    return (
        tr("The wording most resembles that of left outlets."),
        tr("The wording most resembles that of center outlets."),
        tr("The wording most resembles that of right outlets."),
    )[ranked[0][1]]


def format_probabilities(leaning: Leaning) -> str:
    """The three probabilities on one line."""
    return tr("left\u00a0{left:.2f} · center\u00a0{center:.2f} · right\u00a0{right:.2f}").format(
        left=leaning.left, center=leaning.center, right=leaning.right
    )


def explain_missing_leaning(reason: NoLeaning | None = None) -> str:
    """Why no leaning is given, in one sentence; without ``reason``, what it may be."""
    message = {
        None: tr("No leaning is given: the text is not political, or has fewer than {count} words."),
        NoLeaning.SHORT: tr(
            "No leaning is given: the text is too short (it needs {count} words and more than one sentence)."
        ),
        NoLeaning.UNPOLITICAL: tr("No leaning is given: the text is not political."),
        NoLeaning.UNSURE: tr(
            "No leaning is given: the reader cannot tell, because answers as uncertain as this one are too "
            "often wrong for outlets that it has not seen."
        ),
        NoLeaning.UNABLE: tr(
            "No leaning is given: this reader cannot tell, because its answers are too often wrong for outlets "
            "that it has not seen."
        ),
    }[reason]
    return message.format(count=MIN_WORDS)


def leaning_caveat(f1: float | None = None) -> str:
    """How reliable a leaning is, and what its interval means.

    ``f1`` is the macro-F1 of the reader in use on held-out publishers (`Report.leaning_f1`); None where it is not
    known.
    """
    sentences = [
        tr(
            "The leaning is a hint about the wording, not a verdict on a text or a person. It compares the "
            "wording with that of rated US outlets, and is unreliable for outlets that the reader has not seen."
        )
    ]
    if f1 is not None:
        score = tr("For such outlets, its macro-F1 is {f1}; guessing gives {chance}.")
        sentences.append(score.format(f1=f"{f1:.2f}", chance=f"{_CHANCE_F1:.2f}"))
    return " ".join([*sentences, explain_interval()])


def explain_interval() -> str:
    """What the interval of a leaning means (`core.reports.chart_data.INTERVAL_SCALE`)."""
    return tr(
        "For 8 in 10 articles of outlets that the reader has not seen, the rating is within the interval."
    )


def describe_bias_chart(bars: Sequence[ParagraphBar]) -> str:
    """The values of the bias chart in a sentence or two."""
    if not bars:
        return tr("There are no paragraphs.")
    most = max(bars, key=lambda bar: bar.bias)
    text = ntr(
        "{count} bar from 0 (neutral) to 1 (biased); {biased} with a biased sentence; highest at {which}: "
        "{bias:.2f}.",
        "{count} bars from 0 (neutral) to 1 (biased); {biased} with a biased sentence; highest at {which}: "
        "{bias:.2f}.",
        len(bars),
    )
    biased = sum(bar.biased > 0 for bar in bars)
    return text.format(
        count=f"{len(bars):,}", biased=f"{biased:,}", which=paragraph_numbers(most), bias=most.bias
    )


def describe_leaning_chart(bars: Sequence[ParagraphBar]) -> str:
    """The values of the leaning chart in a sentence or two."""
    known = [bar for bar in bars if bar.leaning is not None]
    if not known:
        reasons = {bar.no_leaning for bar in bars}
        if NoLeaning.UNABLE in reasons:
            return explain_missing_leaning(NoLeaning.UNABLE)
        if NoLeaning.UNSURE in reasons:
            return tr(
                "No paragraph has a leaning: each is too short or not political, or the reader cannot tell."
            )
        return tr("No paragraph has a leaning: each is too short, or not political.")
    ends = (
        (tr("Furthest left"), min(known, key=_position)),
        (tr("furthest right"), max(known, key=_position)),
    )
    extremes = "; ".join(f"{end}: {paragraph_numbers(bar)}, {_position(bar):+.2f}" for end, bar in ends)
    count = tr("{known} of {count} have a leaning, from −1 (left) to +1 (right).")
    return f"{count.format(known=len(known), count=len(bars))} {extremes}."


def paragraph_numbers(bar: ParagraphBar) -> str:
    """The paragraphs of a bar by their numbers."""
    if bar.first == bar.last:
        return tr("paragraph {number}").format(number=f"{bar.first:,}")
    return tr("paragraphs {first} to {last}").format(first=f"{bar.first:,}", last=f"{bar.last:,}")


def bias_chart_note(bars: Sequence[ParagraphBar]) -> str:
    """How to read the bias chart."""
    note = tr("A filled bar contains a sentence that reads as biased; an outlined bar contains none.")
    if not bars or bars[0].last == bars[0].first:
        return note
    grouped = tr("Each bar is the mean of {n} paragraphs.").format(n=bars[0].last)
    return f"{note} {grouped}"


def leaning_chart_note(f1: float | None = None) -> str:
    """How to read the leaning chart, and how reliable it is (``f1`` as in `leaning_caveat`)."""
    note = tr(
        "Lines show how uncertain the reader is. Paragraphs without a marker are too short or not political, or "
        "the reader cannot tell."
    )
    return f"{note} {leaning_caveat(f1)}"


def _position(bar: ParagraphBar) -> float:
    return leaning_interval(bar.leaning)[0] if bar.leaning is not None else 0.0
