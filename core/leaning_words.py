"""What is said of a leaning: whose wording the text resembles, and never where it, or anyone, stands."""

from __future__ import annotations

from core.language import tr
from core.leaning_reading import FEWEST_WORDS
from core.report import Leaning
from core.reports.report_figures import LEANING_CHANCE, LEANING_F1

CLEAR = 0.1
"""By how much the likeliest side leads where one side is named; what leads by less is not clear."""


def resemblance(leaning: Leaning) -> str:
    """Whose wording the text resembles, in one sentence."""
    ranked = sorted(((leaning.left, 0), (leaning.center, 1), (leaning.right, 2)), reverse=True)
    if ranked[0][0] - ranked[1][0] < CLEAR:
        return tr("The wording resembles no one side’s outlets clearly.")
    return (
        tr("The wording resembles left outlets’ wording most."),
        tr("The wording resembles center outlets’ wording most."),
        tr("The wording resembles right outlets’ wording most."),
    )[ranked[0][1]]


def shares(leaning: Leaning) -> str:
    """The three probabilities in one line."""
    return tr("left\u00a0{left:.2f} · center\u00a0{center:.2f} · right\u00a0{right:.2f}").format(
        left=leaning.left, center=leaning.center, right=leaning.right
    )


def no_leaning() -> str:
    """Why no leaning is given."""
    said = tr("No leaning is given: the text is not political, or has fewer than {count} words.")
    return said.format(count=FEWEST_WORDS)


def caution() -> str:
    """How far a leaning can be relied on, and what its band says."""
    weak = tr(
        "A hint about wording, not a verdict on a text or a person. It compares with US outlets by their ratings and "
        "is weak on outlets it has not seen: {f1} macro-F1 there, where guessing gives {chance}."
    ).format(f1=LEANING_F1, chance=LEANING_CHANCE)
    return f"{weak} {band()}"


def band() -> str:
    """What the band of a leaning says (`core.reports.report_figures.WIDTH`)."""
    return tr("8 in 10 articles of outlets it has not seen are rated within the band.")
