"""Reinforced calibration: Algorithm 1, between the softmax and the draw of every token.

At each place the last hidden state h is shifted so that lambda R - KL(theta || theta_d) is greatest (Equation 9), by K
steps of Adam from a shift of nought; then lambda is halved or doubled by the divergence that was reached. The model
itself is not run again, and its past keys and values stay: the shift enters behind the last layer. Slopes are written
out: a place costs what its many small calls cost, and autograd makes half as many again. Tests hold them against it.

What the paper leaves open, or cannot mean as it prints it, is decided here once.

- The policy is what tokens are drawn from: the softmax over the vanilla candidates (``decoding.Candidates``). Both
  policies have the same support, so that the divergence is that of the draw, and a step costs 50 rows of the output
  layer and not a vocabulary.
- E_t of Equation 4 is one action, drawn from the vanilla policy at this place by a number of its own. The gain enters
  as its rise over that of the vanilla policy, as PPO's advantage does: the ratio has mean 1 under the vanilla policy,
  so the expectation has its maximum where it was, and an action is not made likelier for having been drawn.
- The shift moves along the candidates' output rows, as far as they differ: Adam's parameters are its k coordinates
  there. A shift across them changes what the classifier reads and no token that could be drawn, and the divergence
  would say nothing of it.
- lambda belongs to a row and starts anew with each text (``steering.LambdaControl``).
- Adam's rate is ``RATE`` times the root of sigma (a divergence grows with the square of the shift) in units of
  1 / ``Generator.logit_scale`` squared, in which a step of 1 moves a candidate's logit by about 1. Fifteen steps can reach
  some sigmas and not more, so that the control sets the divergence and one place does not throw it far.
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
"""Adam's constants as Kingma and Ba print them."""


class CalibrationController:
    """Algorithm 1 for a batch of rows, place by place: `Steps`."""

    def __init__(
        self, generator: Generator, reward: Reward, strength: Tensor, *, max_doublings: int = MAX_DOUBLINGS
    ) -> None:
        self._table = generator.rows
        self._rate = RATE * math.sqrt(reward.sigma) / generator.logit_scale**2
        self._gain = reward.gain()
        self.control = LambdaControl(strength, sigma=reward.sigma, max_doublings=max_doublings)

    def step(self, found: Candidates, numbers: Tensor) -> StepResult:
        """Calibrate the policy over candidates; ``numbers`` [B] in [0, 1) draw the actions."""
        near = self._table[found.ids]
        self._gain.advance(found.state, near)
        vanilla = found.log_policy()
        before = self._gain(torch.zeros_like(found.state), found.logits)[0]
        shift = self._optimize_shift(found, near, draw_tokens(vanilla, numbers), before)
        logits = _shift_logits(found, near, shift)
        rise = self._gain(shift, logits)[0] - before
        return self.control.outcome(vanilla, found.log_policy(logits), rise)

    def _optimize_shift(self, found: Candidates, near: Tensor, actions: Tensor, before: Tensor) -> Tensor:
        """The shift [B, d] after K steps of Adam up the slope of Equation 9."""
        vanilla = found.log_policy()
        chances, at = vanilla.exp(), actions.unsqueeze(1)
        drawn = torch.zeros_like(chances).scatter(1, at, 1)
        vanilla_drawn = vanilla.gather(1, at)
        apart = near - near.mean(1, keepdim=True)
        # What a step along one candidate's row does to another's logit: [B, k, k], for steps of a few numbers each.
        gram = torch.bmm(near, apart.transpose(1, 2))
        along, mean, square = (torch.zeros_like(chances) for _ in range(3))
        shift = torch.zeros_like(found.state)
        for step in range(1, STEPS + 1):
            logits = found.logits + torch.bmm(gram, along.unsqueeze(2)).squeeze(2)
            policy = found.log_policy(logits)
            gain, slope = self._gain(shift, logits)
            weight = self.control.strength.unsqueeze(1) * (policy.gather(1, at) - vanilla_drawn).exp()
            lift = weight * (gain - before).unsqueeze(1)
            # By the logits, the ratio has the slope ratio x (drawn - policy), the divergence policy - vanilla policy.
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
    """The candidates' logits [B, k] where their states are shifted."""
    return torch.baddbmm(found.logits.unsqueeze(2), near, shift.unsqueeze(2)).squeeze(2)


class ReinforcedCalibration(ControlledGenerator):
    """The generator, calibrated by Algorithm 1 while it generates."""

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
