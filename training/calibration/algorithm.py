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
- lambda belongs to a row, starts anew with each text, and stays within ``REACH`` doublings of its start: at places
  where only one token can follow no shift reaches sigma / 2, and a run of them would double it without end. 0 stays 0.
  As printed it forgets its start within some ten tokens; with a ``reach`` of 0 it is held still, for a sweep like
  Table 7's.
- Adam's rate is ``RATE`` times the root of sigma (a divergence grows with the square of the shift) in units of
  1 / ``Generator.spread`` squared, in which a step of 1 moves a candidate's logit by about 1. Fifteen steps can reach
  some sigmas and not more, so that the control sets the divergence and one place does not throw it far.
- Where a row's numbers are no longer finite, its token is drawn from the vanilla policy, and its lambda halved.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from training.calibration.decoding import Candidates, Reweigh, Sampling, Vanilla, draw
from training.calibration.generator import Generator
from training.calibration.rewards import Reward
from training.loop import TrainingError

STRENGTH, STEPS = 0.6, 15
"""The first lambda, and K (section 5.2.1)."""
RATE = 0.08
REACH = 8
_KEPT, _KEPT_SQUARES, _LEAST = 0.9, 0.999, 1e-8
"""Adam's constants as Kingma and Ba print them."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One place of a batch: ``log_policy`` [B, k] calibrated, its ``divergence`` [B] from the vanilla one in nats, the
    ``rise`` [B] of the gain, and the ``strength`` [B] (lambda) that it was sought with.
    """

    log_policy: Tensor
    divergence: Tensor
    rise: Tensor
    strength: Tensor


@dataclass(frozen=True, slots=True)
class Drift:
    """Means over the tokens of all rows: divergence in nats, rise of the gain, lambda."""

    divergence: float
    rise: float
    strength: float


class Calibration:
    """Algorithm 1 for a batch of rows, place by place. ``strength`` [B] is each row's lambda for the next place."""

    def __init__(self, generator: Generator, reward: Reward, strength: Tensor, *, reach: int = REACH) -> None:
        self._table, self._sigma = generator.rows, reward.sigma
        self._rate = RATE * math.sqrt(reward.sigma) / generator.spread**2
        self._gain = reward.gain()
        self.strength = strength
        self._least, self._most = strength / 2**reach, strength * 2**reach

    def step(self, found: Candidates, numbers: Tensor) -> Outcome:
        """Calibrate the policy over candidates; ``numbers`` [B] in [0, 1) draw the actions."""
        near = self._table[found.ids]
        self._gain.reach(found.state, near)
        vanilla, strength = found.log_policy(), self.strength
        before = self._gain(torch.zeros_like(found.state), found.logits)[0]
        shift = self._sought(found, near, draw(vanilla, numbers), before)
        logits = _shifted(found, near, shift)
        policy = found.log_policy(logits)
        divergence = (vanilla.exp() * (vanilla - policy)).sum(1)
        rise = self._gain(shift, logits)[0] - before
        sound = torch.isfinite(policy).all(1) & torch.isfinite(divergence + rise)
        self._control(divergence, sound)
        return Outcome(
            torch.where(sound.unsqueeze(1), policy, vanilla),
            torch.where(sound, divergence, 0),
            torch.where(sound, rise, 0),
            strength,
        )

    def _sought(self, found: Candidates, near: Tensor, actions: Tensor, before: Tensor) -> Tensor:
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
            weight = self.strength.unsqueeze(1) * (policy.gather(1, at) - vanilla_drawn).exp()
            lift = weight * (gain - before).unsqueeze(1)
            # By the logits, the ratio has the slope ratio x (drawn - policy), the divergence policy - vanilla policy.
            now = policy.exp()
            up = torch.addcmul(chances - now, lift, drawn - now) / found.temperature
            by_gain = torch.bmm(apart, slope.unsqueeze(2)).squeeze(2)
            slope_along = torch.addcmul(torch.bmm(up.unsqueeze(1), gram).squeeze(1), weight, by_gain)
            mean = torch.lerp(slope_along, mean, _KEPT)
            square = torch.lerp(slope_along.square(), square, _KEPT_SQUARES)
            unbiased, root = 1 - _KEPT**step, math.sqrt(1 - _KEPT_SQUARES**step)
            along = torch.addcdiv(
                along, mean, square.sqrt() + _LEAST * root, value=self._rate * root / unbiased
            )
            shift = torch.bmm(along.unsqueeze(1), apart).squeeze(1)
        return shift

    def _control(self, divergence: Tensor, sound: Tensor) -> None:
        """Halve lambda from 2 sigma on, double it up to sigma / 2."""
        halved = ~sound | (divergence >= 2 * self._sigma)
        doubled = sound & (divergence <= self._sigma / 2)
        changed = torch.where(
            halved, self.strength / 2, torch.where(doubled, 2 * self.strength, self.strength)
        )
        self.strength = changed.clamp(min=self._least, max=self._most)


def _shifted(found: Candidates, near: Tensor, shift: Tensor) -> Tensor:
    """The candidates' logits [B, k] where their states are shifted."""
    return torch.baddbmm(found.logits.unsqueeze(2), near, shift.unsqueeze(2)).squeeze(2)


class Calibrated(Vanilla):
    """The generator, calibrated while it generates: a `Sampler`.

    With a ``strength`` of 0 its texts are those of `Vanilla` under the same seed. ``drift`` is that of all it sampled.
    """

    def __init__(
        self,
        generator: Generator,
        reward: Reward,
        *,
        strength: float = STRENGTH,
        reach: int = REACH,
        sampling: Sampling | None = None,
    ) -> None:
        super().__init__(generator, sampling)
        if not 0 <= strength < math.inf:
            raise TrainingError(
                "The strength of a calibration (lambda) is 0 or more; the paper begins with 0.6."
            )
        self._reward, self._strength, self._reach = reward, strength, reach
        self._sums = torch.zeros(3, dtype=torch.float64, device=generator.device)
        self._tokens = 0

    @property
    def drift(self) -> Drift:
        """How far its policies were from the vanilla ones; zeros where nothing was calibrated."""
        divergence, rise, strength = (self._sums / max(1, self._tokens)).tolist()
        return Drift(divergence, rise, strength)

    def _reweigh(self, rows: int) -> Reweigh | None:
        if not self._strength:
            return None
        start = torch.full((rows,), self._strength, device=self.generator.device)
        calibration = Calibration(self.generator, self._reward, start, reach=self._reach)

        def reweigh(found: Candidates, numbers: Tensor) -> Tensor:
            outcome = calibration.step(found, numbers)
            self._sums += torch.stack([outcome.divergence, outcome.rise, outcome.strength]).sum(1)
            self._tokens += rows
            return outcome.log_policy

        return reweigh
