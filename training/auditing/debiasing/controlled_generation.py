"""What steers a generator while it writes: lambda and its control, and what came of it (Algorithm 1)."""

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
"""The first lambda (section 5.2.1)."""
MAX_DOUBLINGS = 8
"""So many doublings and halvings lambda stays within."""


@dataclass(frozen=True, slots=True)
class StepResult:
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


class LambdaControl:
    """The lambda [B] of each row for its next place, ``strength``.

    It starts anew with each text and stays within ``max_doublings`` doublings of its start: at places where only one token can
    follow nothing reaches sigma / 2, and a run of them would double it without end. 0 stays 0. As printed it forgets
    its start within some ten tokens; with a ``max_doublings`` of 0 it is held still, for a sweep like Table 7's.
    """

    def __init__(self, strength: Tensor, *, sigma: float, max_doublings: int) -> None:
        self.strength = strength
        self._sigma = sigma
        self._least, self._most = strength / 2**max_doublings, strength * 2**max_doublings

    def outcome(self, vanilla: Tensor, policy: Tensor, rise: Tensor) -> StepResult:
        """What is drawn from, and lambda for the next place: halved from 2 sigma on, doubled up to sigma / 2.

        ``vanilla`` and ``policy`` are log policies [B, k]. Where a row's numbers are no longer finite, its token is
        drawn from the vanilla policy, and its lambda halved.
        """
        strength = self.strength
        divergence = (vanilla.exp() * (vanilla - policy)).sum(1)
        sound = torch.isfinite(policy).all(1) & torch.isfinite(divergence + rise)
        halved = ~sound | (divergence >= 2 * self._sigma)
        doubled = sound & (divergence <= self._sigma / 2)
        changed = torch.where(halved, strength / 2, torch.where(doubled, 2 * strength, strength))
        self.strength = changed.clamp(min=self._least, max=self._most)
        return StepResult(
            torch.where(sound.unsqueeze(1), policy, vanilla),
            torch.where(sound, divergence, 0),
            torch.where(sound, rise, 0),
            strength,
        )


class PolicyController(Protocol):
    """A calibration of a batch of rows, place by place."""

    def step(self, found: Candidates, numbers: Tensor) -> StepResult:
        """Calibrate the policy over candidates; ``numbers`` [B] in [0, 1) are for what is drawn on the way."""
        ...


class ControlledGenerator(VanillaSampler, ABC):
    """A generator that is calibrated while it generates: a `Sampler`, of which a mode says how it begins a batch.

    With a ``strength`` of 0 its texts are those of `VanillaSampler` under the same seed. ``drift`` is that of all it sampled.
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
            raise TrainingError(
                "The strength of a calibration (lambda) is 0 or more; the paper begins with 0.6."
            )
        self._strength, self._reach = strength, max_doublings
        self._sums = torch.zeros(3, dtype=torch.float64, device=generator.device)
        self._tokens = 0

    @property
    def drift(self) -> Drift:
        """How far its policies were from the vanilla ones; zeros where nothing was calibrated."""
        divergence, rise, strength = (self._sums / max(1, self._tokens)).tolist()
        return Drift(divergence, rise, strength)

    @abstractmethod
    def _start(self, strength: Tensor) -> PolicyController:
        """The calibration of a new batch whose rows begin with lambda ``strength`` [B]."""

    def _reweigh(self, rows: int) -> Reweigh | None:
        if not self._strength:
            return None
        calibration = self._start(torch.full((rows,), self._strength, device=self.generator.device))

        def reweigh(found: Candidates, numbers: Tensor) -> Tensor:
            outcome = calibration.step(found, numbers)
            self._sums += torch.stack([outcome.divergence, outcome.rise, outcome.strength]).sum(1)
            self._tokens += rows
            return outcome.log_policy

        return reweigh
