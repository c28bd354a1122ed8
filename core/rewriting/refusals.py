"""Why the candidates that were tried for a finding are not suggested, as a sentence for the person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import Enum, auto

from core.i18n import ntr, tr

NOTHING_PROPOSED = tr("No suitable suggestion found: no likely words were proposed.")


class Refusal(Enum):
    """The first requirement that a candidate fails, in the order in which they are checked.

    ``UNCHANGED`` is never shown to a person: the candidate repeats the sentence in the same words.
    """

    UNCHANGED = auto()
    FACT_LOST = auto()
    DOUBT_LOST = auto()
    NOT_ENGLISH = auto()
    STILL_BIASED = auto()
    UNCERTAIN = auto()


def explain_refusals(refused: Iterable[Refusal]) -> str:
    """A sentence on why there is no suggestion, from what each candidate that was tried fails."""
    counts = Counter(refused)
    reasons = [_reason(one, counts[one]) for one in Refusal if one is not Refusal.UNCHANGED and counts[one]]
    if not reasons:
        return NOTHING_PROPOSED
    return tr("No suitable suggestion found. Of those tried, {reasons}.").format(reasons=", ".join(reasons))


def _reason(refusal: Refusal, n: int) -> str:
    match refusal:
        case Refusal.FACT_LOST:
            text = ntr(
                "{n:,} loses a number, a name, a negation or a punctuation mark",
                "{n:,} lose a number, a name, a negation or a punctuation mark",
                n,
            )
        case Refusal.DOUBT_LOST:
            text = ntr("{n:,} turns a doubt into a fact", "{n:,} turn a doubt into a fact", n)
        case Refusal.NOT_ENGLISH:
            text = ntr("{n:,} is not sound English", "{n:,} are not sound English", n)
        case Refusal.STILL_BIASED:
            text = tr("{n:,} would not make the sentence less biased")
        case _:
            text = ntr("{n:,} is too uncertain", "{n:,} are too uncertain", n)
    return text.format(n=n)
