"""The debias gains of Algorithm 1: by bias words (section 4.2) and by a classifier (section 4.3).

A gain is a function of the shift of the last hidden state; it also returns its gradient.
"""

from __future__ import annotations

import math
from typing import Protocol

import torch
from torch import Tensor
from torch.nn import functional

from training.auditing.debiasing.ideology_head import IdeologyHead
from training.auditing.debiasing.training_data import BiasWords
from training.auditing.generation.generator import Generator

DISCOUNT = 0.9
"""Gamma of Equation 7; the paper has an interval, (0, 1)."""
WINDOW = 5
"""Tau of Equation 7 (section 5.2.1): this position and five before it."""


class Gain(Protocol):
    """The gain of a batch of rows, position by position."""

    def advance(self, state: Tensor, near: Tensor) -> None:
        """Go to the next position: its vanilla state [B, d], and the output rows of its candidates [B, k, d]."""
        ...

    def __call__(self, shift: Tensor, logits: Tensor) -> tuple[Tensor, Tensor]:
        """The gain [B] of a shift [B, d], and its gradient [B, d]; ``logits`` [B, k] are those of the shifted state."""
        ...


class Reward(Protocol):
    """A mode of Algorithm 1. ``sigma`` is its target divergence."""

    sigma: float

    def gain(self) -> Gain:
        """The gain for a new batch of rows."""
        ...


class WordReward:
    """Mode 1, word embedding debias: Equations 5 and 6.

    Equation 6 as printed takes the logarithm of an inner product, which may be negative. Here it is what the text says,
    a softmax of inner products with the output embeddings: dist(w) = -log softmax(h E)_w, minus the log probability of
    w. Three decisions are ours:

    - The softmax is over the candidates, so that a step costs 50 rows and not a vocabulary.
    - Distances are in units of log V, the distance of every word under a uniform policy, and sums over a list are
      means. The squared term and the balancing term then have one magnitude (with sums over 250 words the balancing
      term would be one part in a thousand), and the lists may differ in length.
    - A word is the mean of its tokens inside a sentence.
    """

    sigma = 0.02

    def __init__(self, generator: Generator, words: BiasWords) -> None:
        self._unit = math.log(len(generator.rows))
        means = [
            [part.mean(0) for part in generator.words(side)] for side in (words.liberal, words.conservative)
        ]
        self._rows = torch.stack([row for row, _ in means])
        self._offsets = torch.stack([offset for _, offset in means])

    def gain(self) -> Gain:
        """The gain for a new batch of rows."""
        return _WordGain(self._rows, self._offsets, self._unit)


class _WordGain:
    """Only the mean embedding of a list counts: the mean of its distances is linear in it."""

    def __init__(self, rows: Tensor, offsets: Tensor, unit: float) -> None:
        self._rows, self._offsets, self._unit = rows, offsets, unit

    def advance(self, state: Tensor, near: Tensor) -> None:
        self._state, self._near = state, near

    def __call__(self, shift: Tensor, logits: Tensor) -> tuple[Tensor, Tensor]:
        words = torch.addmm(self._offsets, self._state + shift, self._rows.T)
        far = (logits.logsumexp(1, keepdim=True) - words) / self._unit
        apart = far[:, 0] - far[:, 1]
        gain = far.square().sum(1) - apart.abs()
        # Gradient of the gain by each distance: twice the distance, and the term that balances both.
        pull = apart.sign()
        each = (2 * far + torch.stack([-pull, pull], 1)) / self._unit
        expected = torch.bmm(logits.softmax(1).unsqueeze(1), self._near).squeeze(1)
        return gain, each.sum(1, keepdim=True) * expected - each @ self._rows


class HeadReward:
    """Mode 2, classifier guided debias: Equations 7 and 8, with a head over the generator's own states.

    r(x_i) = -log max(p, 1 - p) has its maximum, log 2, where the classifier is undecided. All positions of the window
    are read with the current shift, h_i + shift, although only the last one is drawn from: with unshifted earlier
    positions these terms would be constants, and Equation 7 the same as Equation 8. At the beginning of a text the
    window is shorter.
    """

    sigma = 0.05

    def __init__(self, head: IdeologyHead) -> None:
        self._head = head

    def gain(self) -> Gain:
        """The gain for a new batch of rows."""
        return _HeadGain(self._head)


class _HeadGain:
    """The first layer's output of each state is cached: a shift adds the same value at all positions of the window."""

    def __init__(self, head: IdeologyHead) -> None:
        self._into, self._bias = (part.detach() for part in head.first_layer())
        answer, offsets = head.answer.weight.detach(), head.answer.bias.detach()
        self._out, self._offset = answer[1:] - answer[:1], offsets[1:] - offsets[:1]
        self._back = self._out.T * self._into
        self._even, self._one = offsets.new_tensor(0.5), offsets.new_ones(1)
        self._read: list[Tensor] = []

    def advance(self, state: Tensor, near: Tensor) -> None:  # noqa: ARG002
        self._read = [*self._read[-WINDOW:], functional.linear(state, self._into, self._bias)]
        self._places = torch.stack(self._read, 1)
        ages = torch.arange(len(self._read) - 1, -1, -1, device=state.device)
        self._weights = DISCOUNT**ages / len(self._read)

    def __call__(self, shift: Tensor, logits: Tensor) -> tuple[Tensor, Tensor]:  # noqa: ARG002
        inside = torch.tanh(self._places + (shift @ self._into.T).unsqueeze(1))
        margin = functional.linear(inside, self._out, self._offset).squeeze(2)
        gain = -functional.logsigmoid(margin.abs()) @ self._weights
        # Derivatives of -log max(p, 1 - p) by the margin, and of tanh.
        down = (margin.sigmoid() - torch.heaviside(margin, self._even)) * self._weights
        through = torch.addcmul(self._one, inside, inside, value=-1)
        return gain, torch.bmm(down.unsqueeze(1), through).squeeze(1) @ self._back
