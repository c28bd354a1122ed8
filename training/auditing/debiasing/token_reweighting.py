"""Debiasing by token reweighting (ours): candidates are reweighted by how neutral the text with each of them is.

Algorithm 1 shifts a hidden state until that state looks neutral, and then draws any token; yet section 4.2 defines the
gain of the token x_t, and Equation 7 that of the text x_1:t. Here the gain of a candidate is that of the text with it,
scored from its tokens by the bias words of mode 1 or by a linear classifier (`TokenScorer`), and no state is shifted.
The policy that maximizes lambda E[D] - KL(policy || vanilla) then has a closed form: the vanilla probabilities times
exp(lambda D). Lambda starts at 0.6 and is halved and doubled by the divergence as in Algorithm 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, diags
from sklearn.linear_model import LogisticRegression
from torch import Tensor
from torch.nn.functional import logsigmoid

from training.auditing.debiasing.controlled_generation import (
    INITIAL_LAMBDA,
    MAX_DOUBLINGS,
    ControlledGenerator,
    LambdaControl,
    StepResult,
)
from training.auditing.debiasing.ideology_head import MAX_TOKENS
from training.auditing.debiasing.training_data import BiasWords, SideTexts
from training.auditing.generation.generator import Generator
from training.auditing.generation.sampling import Candidates, Sampling
from training.loop.events import Events
from training.metrics import macro_f1
from training.types import CorpusError

WINDOW = 50
"""Tokens of a segment that the classifier is trained on: about as many as a text has while it is generated."""
MIN_TOKENS = 20
"""Segments with fewer tokens are left out."""
_PENALTY = 0.3
"""Inverse regularization strength; with 0.03 the dev macro-F1 is the same within .01."""


@dataclass(frozen=True, slots=True)
class TokenScorer:
    """Predicts the log-odds of the liberal side: the mean of ``weights`` [V] over the tokens of a text, plus ``bias``.

    ``dev_macro_f1`` is the score on dev segments, None without them.
    """

    weights: Tensor
    bias: float
    dev_macro_f1: float | None = None


def fit_token_classifier(
    generator: Generator, train: SideTexts, dev: SideTexts, *, seed: int, events: Events
) -> TokenScorer:
    """A linear f_debias over the tokens of ``train``: logistic regression on token shares, weighted by inverse
    frequency.

    ``dev`` is only for evaluation. Raises CorpusError if a side has no text of ``MIN_TOKENS`` tokens, and StoppedError
    if the run is stopped.
    """
    events.stage = "f_debias"
    known, sides = _token_segments(generator, train)
    unknown, gold = _token_segments(generator, dev)
    events.emit("stage", f"f_debias over tokens, on {len(known)} segments")
    counts = _token_shares(known, len(generator.rows))
    texts = np.asarray((counts > 0).sum(axis=0)).ravel()
    # A token of only one segment does not generalize.
    rarity = np.log((len(known) + 1) / (texts + 1)) * (texts > 1)
    events.check_cancelled()
    model = LogisticRegression(C=_PENALTY, max_iter=300, class_weight="balanced", random_state=seed)
    model.fit(counts @ diags(rarity), sides)
    found = model.predict(_token_shares(unknown, len(generator.rows)) @ diags(rarity))
    return _make_scorer(
        generator, model.coef_[0] * rarity, model.intercept_[0], macro_f1(gold, found.tolist())
    )


def fit_bias_word_scorer(
    generator: Generator, words: BiasWords, train: SideTexts, *, seed: int, events: Events
) -> TokenScorer:
    """A scorer by bias words: how much closer the tokens of a text are to the liberal than to the conservative ones.

    The similarity is the inner product with a word's row of the output layer, as in Equation 6, averaged over a list;
    the balancing term of Equation 5 keeps the difference of both at zero. A logistic regression with one slope, fitted
    on ``train``, sets zero and scale. Raises as `fit_token_classifier`.
    """
    events.stage = "bias words"
    known, sides = _token_segments(generator, train)
    events.emit("stage", f"the bias words, on {len(known)} segments")
    liberal, conservative = (generator.words(side)[0].mean(0) for side in (words.liberal, words.conservative))
    nearer = (generator.rows @ (liberal - conservative)).float().cpu().numpy()
    values = _token_shares(known, len(nearer)) @ nearer
    unit = max(float(values.std()), float(np.finfo(np.float32).tiny))
    events.check_cancelled()
    model = LogisticRegression(class_weight="balanced", random_state=seed)
    model.fit((values / unit).reshape(-1, 1), sides)
    return _make_scorer(generator, nearer * (model.coef_[0, 0] / unit), model.intercept_[0], None)


def _make_scorer(
    generator: Generator, weights: NDArray[np.floating], bias: float, score: float | None
) -> TokenScorer:
    return TokenScorer(torch.from_numpy(weights.astype(np.float32)).to(generator.device), float(bias), score)


def _token_segments(generator: Generator, sides: SideTexts) -> tuple[list[list[int]], list[int]]:
    """Segments of tokens, and the side of each; 1 is liberal."""
    sides.require_both()
    found: list[list[int]] = []
    labels: list[int] = []
    for liberal, texts in ((0, sides.conservative), (1, sides.liberal)):
        whole = generator.ids([f" {text}" for text in texts], longest=MAX_TOKENS)
        cut = [ids[at : at + WINDOW] for ids in whole for at in range(0, len(ids), WINDOW)]
        long = [ids for ids in cut if len(ids) >= MIN_TOKENS]
        if not long:
            raise CorpusError(
                f"No {'liberal' if liberal else 'conservative'} text has {MIN_TOKENS} tokens. Give longer texts."
            )
        found += long
        labels += [liberal] * len(long)
    return found, labels


def _token_shares(stretches: Sequence[Sequence[int]], vocabulary: int) -> csr_matrix:
    """The share of each token in each segment [segments, V]."""
    rows = np.repeat(np.arange(len(stretches)), [len(ids) for ids in stretches])
    columns = np.concatenate([np.asarray(ids) for ids in stretches])
    values = np.concatenate([np.full(len(ids), 1 / len(ids)) for ids in stretches])
    return csr_matrix((values, (rows, columns)), shape=(len(stretches), vocabulary))


SIGMA = 0.2
"""Target divergence. Of 0.05, 0.1 and 0.2 it is the least with which the classifier removed more than half of the
excess by the 95% interval in both of two generators with a known bias that no table shows (injected without
``known_bias.MAX_FREQUENCY_RATIO``); perplexity was at most twice the vanilla one. It was not tuned again for bias
words, which removed a half, nine tenths and nearly all of the excess of another such generator, injected with that
bound.
"""


class TokenController:
    """A batch of rows: a `PolicyController`. The gain is r of Equation 8 for the whole text so far."""

    def __init__(self, scorer: TokenScorer, strength: Tensor, *, max_doublings: int = MAX_DOUBLINGS) -> None:
        self._scorer = scorer
        self._sum = torch.zeros_like(strength)
        self._tokens = 0
        self.control = LambdaControl(strength, sigma=SIGMA, max_doublings=max_doublings)

    def step(self, found: Candidates, numbers: Tensor) -> StepResult:  # noqa: ARG002
        """The debiased policy over candidates; no random number is used."""
        weights = self._scorer.weights
        if found.last is not None:
            self._sum = self._sum + weights[found.last]
            self._tokens += 1
        sums = self._sum.unsqueeze(1) + weights[found.ids]
        gain = -logsigmoid((sums / (self._tokens + 1) + self._scorer.bias).abs())
        vanilla = found.log_policy()
        policy = (vanilla + self.control.strength.unsqueeze(1) * gain).log_softmax(1)
        gain_increase = ((policy.exp() - vanilla.exp()) * gain).sum(1)
        return self.control.adapt(vanilla, policy, gain_increase)


class TokenReweighting(ControlledGenerator):
    """The generator with token reweighting."""

    def __init__(
        self,
        generator: Generator,
        scorer: TokenScorer,
        *,
        strength: float = INITIAL_LAMBDA,
        max_doublings: int = MAX_DOUBLINGS,
        sampling: Sampling | None = None,
    ) -> None:
        super().__init__(generator, strength=strength, max_doublings=max_doublings, sampling=sampling)
        self._scorer = scorer

    def _start(self, strength: Tensor) -> TokenController:
        return TokenController(self._scorer, strength, max_doublings=self._reach)
