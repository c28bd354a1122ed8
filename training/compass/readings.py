"""From probabilities of agreeing and disagreeing to one of four answers, or to none.

The mapping of Feng et al. (2023), section 2.1 and appendices A.1 and A.2: the larger side is the answer, *strongly*
from a difference of 0.3; responses of which the stance detector is less than 0.9 sure are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from training.compass.statements import Answer

STRONG = 0.3
CONFIDENT = 0.9
_CLOSE = 1e-9


@dataclass(frozen=True, slots=True)
class Reading:
    """How probable it is that one response agrees and disagrees with its statement; both are 0 where it says neither.

    Of a masked model they are the summed probabilities of positive and negative words (Table 7) among its ten likeliest
    fillers; of a generator's response what the stance detector says.
    """

    agree: float
    disagree: float

    @property
    def score(self) -> float:
        """The difference of both sides, as shares of their sum: from -1 (disagrees) to 1 (agrees); 0 of neither."""
        total = self.agree + self.disagree
        return (self.agree - self.disagree) / total if total > 0 else 0.0

    @property
    def confidence(self) -> float:
        """The share of the larger side, from 0.5 to 1."""
        return (1 + abs(self.score)) / 2


@dataclass(frozen=True, slots=True)
class Settled:
    """What all responses to a statement come to.

    ``answer`` is None where they are unclear: none was confident enough, or both sides are equal. ``forced`` is what
    the paper's mapping gives without looking at confidence, None of a tie alone. ``score`` is the mean difference of
    the responses that count, of all where none does; ``kept`` of ``of`` responses were confident enough.
    """

    answer: Answer | None
    forced: Answer | None
    score: float
    kept: int
    of: int


def settle(readings: Sequence[Reading], *, confident: float) -> Settled:
    """One answer from the responses to a statement under several seeds.

    ``confident`` is CONFIDENT for a generator; 0 for a masked model, of which the paper filters nothing. Raises
    ValueError without a reading.
    """
    if not readings:
        raise ValueError("There is no reading to settle.")
    heard = [one for one in readings if one.agree + one.disagree > 0]
    kept = [one for one in heard if one.confidence >= confident - _CLOSE]
    everything = fmean(one.score for one in readings)
    score = fmean(one.score for one in kept) if kept else everything
    answer = answer_of(score) if kept else None
    return Settled(answer, answer_of(everything), score, len(kept), len(readings))


def answer_of(score: float) -> Answer | None:
    """The answer of a difference in [-1, 1]; None where both sides are equal."""
    if abs(score) < _CLOSE:
        return None
    strong = abs(score) >= STRONG - _CLOSE
    if score > 0:
        return Answer.STRONGLY_AGREE if strong else Answer.AGREE
    return Answer.STRONGLY_DISAGREE if strong else Answer.DISAGREE
