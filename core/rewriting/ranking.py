"""Which of several wordings is shown first, and which is good enough to be taken unasked.

A logistic model of whether an editor would choose the wording, fitted by the rewriter's recipe on the edits of pairs
(`training.rewriting.ranker`), and a price on moving the sentence's leaning.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

from core.reader import Reading


class Evidence(NamedTuple):
    """What is known of a wording. Probabilities stand as log-odds.

    ``confidence``: that the flagged words are biased; ``bias``: that the sentence is; ``drop``: by how much that falls;
    ``likely``: of the new words, by the model or the table of known ones; ``model``: by the model alone; ``out``: that
    the model would take the words out; ``empty``: 1 where nothing takes their place; ``part``: 1 where only some of
    the flagged words go; ``wide``: 1 where a neighbour is reworded, too; ``best``: 1 where no words are likelier;
    ``others``: the sentence's other findings; ``meaning``: the cosine of what it says before and after.
    """

    confidence: float
    bias: float
    drop: float
    likely: float
    model: float
    out: float
    empty: float
    part: float
    wide: float
    best: float
    others: float
    meaning: float


@dataclass(frozen=True, slots=True)
class Ranking:
    """``offset`` and ``weights`` (one for each of `Evidence`) of the logistic model, in log-odds.

    ``leaning`` is what a shift of the sentence's leaning (`lean`) by 1 costs, in log-odds.
    """

    offset: float
    weights: Evidence
    leaning: float

    def score(self, evidence: Evidence, shift: float) -> float:
        """How good a wording is, in [0, 1]; without a ``shift``, how likely an editor would choose it."""
        odds = self.offset + sum(weight * value for weight, value in zip(self.weights, evidence, strict=True))
        return 1 / (1 + math.exp(-max(-60.0, min(60.0, odds - self.leaning * shift))))


PLAIN = Ranking(
    offset=0.0,
    weights=Evidence(0.1, 0.0, 0.1, 0.5, 0.5, 0.0, 0.0, -1.0, -1.0, 0.5, 0.0, 0.0),
    leaning=30.0,
)
"""For a rewriter whose bundle brings none: set by hand, mostly how likely its words are."""


def lean(reading: Reading) -> float:
    """Whose wording a text resembles, between left (-1) and right (1) outlets'; near 0 where it is hardly political."""
    left, _, right = reading.leaning
    return reading.political * (right - left)


def log_odds(probability: float) -> float:
    """The log-odds of a probability, kept within those of 1 in 10,000."""
    bounded = min(max(probability, 1e-4), 1 - 1e-4)
    return math.log(bounded / (1 - bounded))
