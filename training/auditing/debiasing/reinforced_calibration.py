"""Reinforced calibration: Algorithm 1 of Liu et al. 2021, between the softmax and the draw of every token.

For each token the last hidden state h is shifted to maximize lambda R - KL(theta || theta_d) (Equation 9), by K steps
of Adam from a zero shift; then lambda is halved or doubled by the divergence. The model is not run again, and its past
keys and values stay: the shift acts behind the last layer. Gradients are written out, which makes a step a third faster
than autograd; tests compare them with autograd.

Decisions where the paper leaves something open, or cannot mean what it prints:

- The policy is the softmax over the vanilla candidates (``sampling.Candidates``), from which tokens are drawn. Both
  policies have the same support, so that the divergence is that of the draw, and a step costs 50 rows of the output
  layer, not a vocabulary.
- E_t of Equation 4 is one action, drawn from the vanilla policy with its own random number. The gain enters as its
  increase over that of the vanilla policy, as PPO's advantage: the ratio has mean 1 under the vanilla policy, so that
  the expectation keeps its maximum, and an action does not become likelier because it was drawn.
- The shift is a combination of the candidates' centred output rows: Adam's parameters are its k coordinates. A shift
  orthogonal to them would change what the classifier reads, but no token that can be drawn, and no divergence.
- Lambda belongs to a row and starts anew with each text (``controlled_generation.LambdaControl``).
- Adam's rate is ``RATE`` times the root of sigma (the divergence grows with the square of the shift) in units of 1 /
  ``Generator.logit_scale`` squared, in which a step of 1 changes a candidate's logit by about 1. Fifteen steps can
  reach only some sigmas, so that the control sets the divergence and one token does not change it much.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

from training.auditing.debiasing.controlled_generation import (
    INITIAL_LAMBDA,
    MAX_DOUBLINGS,
    ControlledGenerator,
    LambdaControl,
    StepResult,
)
from training.auditing.debiasing.rewards import Reward
from training.auditing.generation.generator import Generator
from training.auditing.generation.sampling import Candidates, Sampling, draw_tokens

STEPS = 15
"""K (section 5.2.1)."""
RATE = 0.08
_BETA_1, _BETA_2, _EPSILON = 0.9, 0.999, 1e-8
"""Adam's beta 1, beta 2 and epsilon (Kingma and Ba 2015)."""


class CalibrationController:
    """Algorithm 1 for a batch of rows: a `PolicyController`."""

    def __init__(
        self, generator: Generator, reward: Reward, strength: Tensor, *, max_doublings: int = MAX_DOUBLINGS
    ) -> None:
        self._table = generator.rows
        self._rate = RATE * math.sqrt(reward.sigma) / generator.logit_scale**2
        self._gain = reward.gain()
        self.control = LambdaControl(strength, sigma=reward.sigma, max_doublings=max_doublings)

    def step(self, found: Candidates, numbers: Tensor) -> StepResult:
        """The debiased policy over candidates; ``numbers`` [B] in [0, 1) draw the actions."""
        near = self._table[found.ids]
        self._gain.advance(found.state, near)
        vanilla = found.log_policy()
        before = self._gain(torch.zeros_like(found.state), found.logits)[0]
        shift = self._optimize_shift(found, near, draw_tokens(vanilla, numbers), before)
        logits = _shift_logits(found, near, shift)
        gain_increase = self._gain(shift, logits)[0] - before
        return self.control.adapt(vanilla, found.log_policy(logits), gain_increase)

    def _optimize_shift(self, found: Candidates, near: Tensor, actions: Tensor, before: Tensor) -> Tensor:
        """The shift [B, d] after K steps of gradient ascent on Equation 9 with Adam."""
        vanilla = found.log_policy()
        chances, at = vanilla.exp(), actions.unsqueeze(1)
        drawn = torch.zeros_like(chances).scatter(1, at, 1)
        vanilla_drawn = vanilla.gather(1, at)
        apart = near - near.mean(1, keepdim=True)
        # The effect of a step along one candidate's row on another's logit, [B, k, k], so that a step takes few
        # operations.
        gram = torch.bmm(near, apart.transpose(1, 2))
        along, mean, square = (torch.zeros_like(chances) for _ in range(3))
        shift = torch.zeros_like(found.state)
        for step in range(1, STEPS + 1):
            logits = found.logits + torch.bmm(gram, along.unsqueeze(2)).squeeze(2)
            policy = found.log_policy(logits)
            gain, slope = self._gain(shift, logits)
            weight = self.control.strength.unsqueeze(1) * (policy.gather(1, at) - vanilla_drawn).exp()
            lift = weight * (gain - before).unsqueeze(1)
            # Gradients by the logits: of the ratio, ratio x (drawn - policy); of the divergence, policy - vanilla
            # policy.
            now = policy.exp()
            up = torch.addcmul(chances - now, lift, drawn - now) / found.temperature
            by_gain = torch.bmm(apart, slope.unsqueeze(2)).squeeze(2)
            slope_along = torch.addcmul(torch.bmm(up.unsqueeze(1), gram).squeeze(1), weight, by_gain)
            mean = torch.lerp(slope_along, mean, _BETA_1)
            square = torch.lerp(slope_along.square(), square, _BETA_2)
            unbiased, root = 1 - _BETA_1**step, math.sqrt(1 - _BETA_2**step)
            along = torch.addcdiv(
                along, mean, square.sqrt() + _EPSILON * root, value=self._rate * root / unbiased
            )
            shift = torch.bmm(along.unsqueeze(1), apart).squeeze(1)
        return shift


def _shift_logits(found: Candidates, near: Tensor, shift: Tensor) -> Tensor:
    """The candidates' logits [B, k] with a shifted state."""
    return torch.baddbmm(found.logits.unsqueeze(2), near, shift.unsqueeze(2)).squeeze(2)


class ReinforcedCalibration(ControlledGenerator):
    """The generator with reinforced calibration (Algorithm 1)."""

    def __init__(
        self,
        generator: Generator,
        reward: Reward,
        *,
        strength: float = INITIAL_LAMBDA,
        max_doublings: int = MAX_DOUBLINGS,
        sampling: Sampling | None = None,
    ) -> None:
        super().__init__(generator, strength=strength, max_doublings=max_doublings, sampling=sampling)
        self._reward = reward

    def _start(self, strength: Tensor) -> CalibrationController:
        return CalibrationController(self.generator, self._reward, strength, max_doublings=self._reach)
