"""How neutral a policy is: the debias gains D of section 4.2 (bias words) and section 4.3 (a classifier).

A gain is a function of the shift that Algorithm 1 seeks for the last hidden state, and gives its slope as well.
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
"""Gamma of Equation 7; the paper says (0, 1)."""
WINDOW = 5
"""Tau of Equation 7 (section 5.2.1): this place and five before it."""


class Gain(Protocol):
    """The gain at one place after the other of a batch of rows."""

    def advance(self, state: Tensor, near: Tensor) -> None:
        """Go on to the next place: its vanilla state [B, d], and the output rows of its candidates [B, k, d]."""
        ...

    def __call__(self, shift: Tensor, logits: Tensor) -> tuple[Tensor, Tensor]:
        """The gain [B] under a shift [B, d], and its slope [B, d]; ``logits`` [B, k] are the candidates', shifted."""
        ...


class Reward(Protocol):
    """A mode of Algorithm 1. ``sigma`` is its target divergence."""

    sigma: float

    def gain(self) -> Gain:
        """The gain for a new batch of rows."""
        ...


class WordReward:
    """Mode 1, word embedding debias: Equations 5 and 6.

    Equation 6 as printed takes the logarithm of an inner product that may be negative. It is read as what it says in
    words, the softmax of the states' inner products with the output embeddings: dist(w) = -log softmax(h E)_w, minus
    the log probability of w. Three decisions are ours:

    - The softmax is taken over the candidates that may be drawn, so that a step costs 50 rows and not a vocabulary.
    - Distances are in units of log V, the distance of every word from a uniform policy, and the sums over a list are
      means: the squared term and the balancing term are then of one size, which in sums over 250 words they are not
      (the balancing term is one part in a thousand), and lists need not be of one length.
    - A word is the mean of its tokens, as it stands inside a sentence.
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
    """Of a list only its mean embedding counts: the mean of its distances is linear in it."""

    def __init__(self, rows: Tensor, offsets: Tensor, unit: float) -> None:
        self._rows, self._offsets, self._unit = rows, offsets, unit

    def advance(self, state: Tensor, near: Tensor) -> None:
        self._state, self._near = state, near

    def __call__(self, shift: Tensor, logits: Tensor) -> tuple[Tensor, Tensor]:
        words = torch.addmm(self._offsets, self._state + shift, self._rows.T)
        far = (logits.logsumexp(1, keepdim=True) - words) / self._unit
        apart = far[:, 0] - far[:, 1]
        gain = far.square().sum(1) - apart.abs()
        # Of each distance, the slope of the gain: twice itself, and what pulls the two together.
        pull = apart.sign()
        each = (2 * far + torch.stack([-pull, pull], 1)) / self._unit
        expected = torch.bmm(logits.softmax(1).unsqueeze(1), self._near).squeeze(1)
        return gain, each.sum(1, keepdim=True) * expected - each @ self._rows


class HeadReward:
    """Mode 2, classifier guided debias: Equations 7 and 8, by a head over the generator's own states.

    r(x_i) = -log max(p, 1 - p) is greatest, log 2, where the classifier is in two minds. The places of the window are
    all read under the shift that is sought, h_i + shift, though only the last one is still to be drawn from: so the
    window decides where the shift goes, and one odd state does not. (With the earlier places as they are they would be
    constants, and Equation 7 the same as Equation 8.) At the first places the window is as long as there are places.
    """

    sigma = 0.05

    def __init__(self, head: IdeologyHead, *, discount: float = DISCOUNT, window: int = WINDOW) -> None:
        self._head, self._discount, self._window = head, discount, window

    def gain(self) -> Gain:
        """The gain for a new batch of rows."""
        return _HeadGain(self._head, self._discount, self._window)


class _HeadGain:
    """What the first layer makes of a state is kept: a shift adds the same to it at all places of the window."""

    def __init__(self, head: IdeologyHead, discount: float, window: int) -> None:
        self._into, self._bias = (part.detach() for part in head.first_layer())
        answer, offsets = head.answer.weight.detach(), head.answer.bias.detach()
        self._out, self._offset = answer[1:] - answer[:1], offsets[1:] - offsets[:1]
        self._back = self._out.T * self._into
        self._even, self._one = offsets.new_tensor(0.5), offsets.new_ones(1)
        self._discount, self._window = discount, window
        self._read: list[Tensor] = []

    def advance(self, state: Tensor, near: Tensor) -> None:  # noqa: ARG002
        earlier = self._read[-self._window :] if self._window else []
        self._read = [*earlier, functional.linear(state, self._into, self._bias)]
        self._places = torch.stack(self._read, 1)
        ages = torch.arange(len(self._read) - 1, -1, -1, device=state.device)
        self._weights = self._discount**ages / len(self._read)

    def __call__(self, shift: Tensor, logits: Tensor) -> tuple[Tensor, Tensor]:  # noqa: ARG002
        inside = torch.tanh(self._places + (shift @ self._into.T).unsqueeze(1))
        margin = functional.linear(inside, self._out, self._offset).squeeze(2)
        gain = -functional.logsigmoid(margin.abs()) @ self._weights
        # Of -log max(p, 1 - p) by the margin, and of tanh.
        down = (margin.sigmoid() - torch.heaviside(margin, self._even)) * self._weights
        through = torch.addcmul(self._one, inside, inside, value=-1)
        return gain, torch.bmm(down.unsqueeze(1), through).squeeze(1) @ self._back
