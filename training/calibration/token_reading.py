"""f_debias over tokens: which side a text is on, read from its tokens alone (ours).

Liu et al. (2021) have a classifier over the generator's hidden states. A state tells little of the token behind it,
which is what is drawn; a reading of tokens tells of every one that may come next how the text with it would stand, and
no model has to run for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from scipy.sparse import csr_matrix, diags
from sklearn.linear_model import LogisticRegression
from torch import Tensor

from training.calibration.generator import Generator
from training.calibration.head import TOKENS
from training.calibration.seeds import Sides
from training.corpora.base import CorpusError
from training.events import Events
from training.metrics import macro_f1

WINDOW = 50
"""Tokens of a stretch that a classifier learns: about as many as a text has while it is written."""
LEAST = 20
"""Stretches of fewer tokens are left out."""
_PENALTY = 0.3
"""Inverse of the penalty; with 0.03 dev texts are read alike, within .01."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The log-odds of the liberal side: the mean of ``weights`` [V] over the tokens of a text, and ``bias``.

    ``dev_macro_f1`` is that of the stretches of the dev texts.
    """

    weights: Tensor
    bias: float
    dev_macro_f1: float


def fit_reading(generator: Generator, learnt: Sides, dev: Sides, *, seed: int, events: Events) -> Reading:
    """A linear f_debias over the tokens of ``learnt``: logistic regression on their shares, weighed by rarity.

    ``dev`` decides nothing. Raises CorpusError where a side has no text of ``LEAST`` tokens, and StoppedError if
    somebody stopped it.
    """
    events.stage = "f_debias"
    known, sides = _stretches(generator, learnt)
    unknown, gold = _stretches(generator, dev)
    events.say("stage", f"f_debias over tokens, on {len(known)} stretches")
    counts = _shares(known, len(generator.rows))
    texts = np.asarray((counts > 0).sum(axis=0)).ravel()
    # What only one stretch has says nothing of any other.
    rarity = np.log((len(known) + 1) / (texts + 1)) * (texts > 1)
    events.obey()
    model = LogisticRegression(C=_PENALTY, max_iter=300, class_weight="balanced", random_state=seed)
    model.fit(counts @ diags(rarity), sides)
    found = model.predict(_shares(unknown, len(generator.rows)) @ diags(rarity))
    weights = torch.from_numpy((model.coef_[0] * rarity).astype(np.float32)).to(generator.device)
    return Reading(weights, float(model.intercept_[0]), macro_f1(gold, found.tolist()))


def _stretches(generator: Generator, sides: Sides) -> tuple[list[list[int]], list[int]]:
    """Stretches of tokens, and the side of each; 1 is liberal."""
    sides.demand_both()
    found: list[list[int]] = []
    labels: list[int] = []
    for liberal, texts in ((0, sides.conservative), (1, sides.liberal)):
        whole = generator.ids([f" {text}" for text in texts], longest=TOKENS)
        cut = [ids[at : at + WINDOW] for ids in whole for at in range(0, len(ids), WINDOW)]
        long = [ids for ids in cut if len(ids) >= LEAST]
        if not long:
            raise CorpusError(
                f"No {'liberal' if liberal else 'conservative'} text has {LEAST} tokens. Give longer texts."
            )
        found += long
        labels += [liberal] * len(long)
    return found, labels


def _shares(stretches: Sequence[Sequence[int]], vocabulary: int) -> csr_matrix:
    """The share of each token in each stretch [stretches, V]."""
    rows = np.repeat(np.arange(len(stretches)), [len(ids) for ids in stretches])
    columns = np.concatenate([np.asarray(ids) for ids in stretches])
    values = np.concatenate([np.full(len(ids), 1 / len(ids)) for ids in stretches])
    return csr_matrix((values, (rows, columns)), shape=(len(stretches), vocabulary))
