"""A generator whose policy is changed token by token, and the control of lambda (Algorithm 1 of Liu et al. 2021)."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor

from training.auditing.generation.generator import Generator
from training.auditing.generation.sampling import Candidates, Reweigh, Sampling, VanillaSampler
from training.loop.training_loop import TrainingError

INITIAL_LAMBDA = 0.6
"""The initial lambda (section 5.2.1)."""
MAX_DOUBLINGS = 8
"""Lambda stays within so many doublings and halvings of its initial value."""


@dataclass(frozen=True, slots=True)
class StepResult:
    """One step of a batch: the debiased ``log_policy`` [B, k], its ``divergence`` [B] from the vanilla policy in nats,
    the increase (``gain_increase`` [B]) of the gain, and the ``strength`` [B] (lambda) that was used.
    """

    log_policy: Tensor
    divergence: Tensor
    gain_increase: Tensor
    strength: Tensor


@dataclass(frozen=True, slots=True)
class PolicyShift:
    """Means over the tokens of all rows: divergence in nats, increase of the gain, lambda."""

    divergence: float
    gain_increase: float
    strength: float


class LambdaControl:
    """Adapts the lambda [B] of each row (``strength``) to its divergence.

    Lambda starts anew with each text and stays within ``max_doublings`` doublings of its start: where only one token
    can follow, the divergence never reaches sigma / 2, and lambda would double without end. 0 stays 0. As printed, it
    forgets its start within some ten tokens; with ``max_doublings`` 0 it is constant, for a sweep as in Table 7.
    """

    def __init__(self, strength: Tensor, *, sigma: float, max_doublings: int) -> None:
        self.strength = strength
        self._sigma = sigma
        self._least, self._most = strength / 2**max_doublings, strength * 2**max_doublings

    def adapt(self, vanilla: Tensor, policy: Tensor, gain_increase: Tensor) -> StepResult:
        """The policy to draw from, and lambda for the next token: halved from 2 sigma on, doubled up to sigma / 2.

        ``vanilla`` and ``policy`` are log policies [B, k]. A row with values that are not finite keeps the vanilla
        policy, and its lambda is halved.
        """
        strength = self.strength
        divergence = (vanilla.exp() * (vanilla - policy)).sum(1)
        sound = torch.isfinite(policy).all(1) & torch.isfinite(divergence + gain_increase)
        halved = ~sound | (divergence >= 2 * self._sigma)
        doubled = sound & (divergence <= self._sigma / 2)
        changed = torch.where(halved, strength / 2, torch.where(doubled, 2 * strength, strength))
        self.strength = changed.clamp(min=self._least, max=self._most)
        return StepResult(
            torch.where(sound.unsqueeze(1), policy, vanilla),
            torch.where(sound, divergence, 0),
            torch.where(sound, gain_increase, 0),
            strength,
        )


class PolicyController(Protocol):
    """Debiases a batch of rows, one token at a time."""

    def step(self, found: Candidates, numbers: Tensor) -> StepResult:
        """The debiased policy over candidates; ``numbers`` [B] in [0, 1) are the random numbers of this step."""
        ...


class ControlledGenerator(VanillaSampler, ABC):
    """A generator that is debiased while it generates: a `Sampler`. Subclasses create the controller of a batch.

    With a ``strength`` of 0 its texts are those of `VanillaSampler` with the same seed. ``policy_shift`` is over all
    texts that it sampled.
    """

    def __init__(
        self,
        generator: Generator,
        *,
        strength: float = INITIAL_LAMBDA,
        max_doublings: int = MAX_DOUBLINGS,
        sampling: Sampling | None = None,
    ) -> None:
        super().__init__(generator, sampling)
        if not 0 <= strength < math.inf:
            raise TrainingError("Lambda must be 0 or more; the paper starts with 0.6.")
        self._strength, self._reach = strength, max_doublings
        self._sums = torch.zeros(3, dtype=torch.float64, device=generator.device)
        self._tokens = 0

    @property
    def policy_shift(self) -> PolicyShift:
        """Mean distance of its policies from the vanilla ones; zeros without debiasing."""
        divergence, gain_increase, strength = (self._sums / max(1, self._tokens)).tolist()
        return PolicyShift(divergence, gain_increase, strength)

    @abstractmethod
    def _start(self, strength: Tensor) -> PolicyController:
        """The controller of a new batch whose rows begin with lambda ``strength`` [B]."""

    def _reweigh(self, rows: int) -> Reweigh | None:
        if not self._strength:
            return None
        calibration = self._start(torch.full((rows,), self._strength, device=self.generator.device))

        def reweigh(found: Candidates, numbers: Tensor) -> Tensor:
            outcome = calibration.step(found, numbers)
            self._sums += torch.stack([outcome.divergence, outcome.gain_increase, outcome.strength]).sum(1)
            self._tokens += rows
            return outcome.log_policy

        return reweigh
