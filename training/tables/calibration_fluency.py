"""Perplexity of a system's texts beside those of the vanilla system, place by place.

A text of another system is often a vanilla text with words replaced, or begins as one, since it is drawn with the same
numbers. A model that learnt the vanilla text at a place may therefore read no text of that place.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

from training.calibration.ngram import PARTS, NgramModel, words
from training.loop import TrainingError


def perplexities(vanilla: Sequence[str], own: Sequence[str], *, seed: int) -> tuple[float, float]:
    """Perplexity of the vanilla texts and of ``own``, both [places], by n-gram models of the vanilla texts.

    Each of five models learns the vanilla texts of four fifths of the places and reads what both have at the others.
    The paper (section 6.2) does not say what its models read. Raises TrainingError for fewer places than models, and
    where texts hold no token.
    """
    if len(vanilla) != len(own) or len(own) < PARTS:
        raise TrainingError(
            f"{len(own)} texts beside {len(vanilla)} of the vanilla system cannot be read in {PARTS} parts. "
            "Generate as many, and more."
        )
    learnt, read = [words(text) for text in vanilla], [words(text) for text in own]
    order = list(range(len(own)))
    random.Random(seed).shuffle(order)
    sums = [0.0, 0.0]
    for part in range(PARTS):
        held_out = set(order[part::PARTS])
        model = NgramModel([row for at, row in enumerate(learnt) if at not in held_out])
        for side, rows in enumerate((learnt, read)):
            sums[side] += model.log_likelihood([rows[at] for at in sorted(held_out)])
    before, after = (sum(map(len, rows)) for rows in (learnt, read))
    if not (before and after):
        raise TrainingError("Texts without a word have no perplexity. Generate more text.")
    return math.exp(-sums[0] / before), math.exp(-sums[1] / after)
