"""Sampling from a generator: candidate tokens, and a draw with random numbers that belong to the text.

The paper has "default GPT-2 settings" without values (section 5.2.1), and an argmax in Equation 1 that could not give
ten different samples. Here they are the defaults of the library that GPT-2 was run with: temperature 1, top-k 50, no
nucleus.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from training.auditing.generation.generator import EXCLUDED_LOGIT, Generator
from training.loop.training_loop import TrainingError


@dataclass(frozen=True, slots=True)
class Sampling:
    """Which tokens may be drawn: the ``top_k`` likeliest, and of these the fewest that hold ``top_p`` of the
    probability.
    """

    temperature: float = 1.0
    top_k: int = 50
    top_p: float = 1.0

    def __post_init__(self) -> None:
        """Raise TrainingError for settings that leave no token to draw."""
        if not (self.temperature > 0 and self.top_k >= 1 and 0 < self.top_p <= 1):
            raise TrainingError("Sampling needs a temperature above 0, a top-k from 1 and a top-p in (0, 1].")


@dataclass(frozen=True, slots=True)
class Candidates:
    """The candidates for the next token of each row, in descending order of probability.

    ``ids`` [B, k]; ``logits`` [B, k], EXCLUDED_LOGIT outside the nucleus; ``state`` [B, d], from which they were
    computed; ``last`` [B], the tokens drawn before them, None at the beginning of a text.
    """

    ids: Tensor
    logits: Tensor
    state: Tensor
    temperature: float
    last: Tensor | None = None

    def log_policy(self, logits: Tensor | None = None) -> Tensor:
        """Log probabilities [B, k]: of the vanilla policy, or with other logits of the same tokens."""
        return ((self.logits if logits is None else logits) / self.temperature).log_softmax(1)


Reweigh = Callable[[Candidates, Tensor], Tensor]
"""Computes another log policy [B, k] for candidates; its second argument is a random number [B] in [0, 1) for each row.
"""


class VanillaSampler:
    """The unchanged generator as a `Sampler`."""

    def __init__(self, generator: Generator, sampling: Sampling | None = None) -> None:
        self.generator = generator
        self.sampling = sampling or Sampling()

    def sample(self, prompts: Sequence[str], *, samples: int, length: int, seed: int) -> list[list[str]]:
        """Continuations [prompts][samples] of ``length`` tokens each, without the prompt.

        The random numbers of a text depend on the seed, its prompt and its number among the samples, so that it is the
        same whatever other prompts are sampled with it (unless two tokens are so close that rounding in another batch
        or on another device changes the draw). Raises TrainingError if ``samples`` or ``length`` is below 1, if a
        prompt is too long, if one row does not fit into memory, or if the model returns values that are not finite.
        """
        if samples < 1 or length < 1:
            raise TrainingError("Sample at least one text of one token.")
        ids = self.generator.ids(prompts, more=length)
        rows = [(at, number) for at in range(len(prompts)) for number in range(samples)]
        order = sorted(range(len(rows)), key=lambda row: len(ids[rows[row][0]]))

        def some(part: Sequence[int]) -> list[str]:
            noise = [
                _random_numbers(prompts[at], number, length=length, seed=seed)
                for at, number in map(rows.__getitem__, part)
            ]
            return self._texts([ids[rows[row][0]] for row in part], np.stack(noise))

        texts = dict(zip(order, self.generator.map_batches(order, some), strict=True))
        return [[texts[at * samples + number] for number in range(samples)] for at in range(len(prompts))]

    def _reweigh(self, rows: int) -> Reweigh | None:  # noqa: ARG002
        """What changes the policy of a new batch of rows; None for the vanilla policy."""
        return None

    @torch.inference_mode()
    def _texts(self, prompts: Sequence[Sequence[int]], noise: NDArray[np.float32]) -> list[str]:
        """Continuations of one batch; ``noise`` [B, length, 2] holds random numbers for tokens and reweighting."""
        generator, reweigh = self.generator, self._reweigh(len(prompts))
        numbers = torch.from_numpy(noise).to(generator.device)
        drawn: list[Tensor] = []
        rows = generator.begin(prompts)
        sound = torch.ones((), dtype=torch.bool, device=generator.device)
        for place in range(noise.shape[1]):
            if drawn:
                rows.advance(drawn[-1])
            found = find_candidates(generator, rows.state, self.sampling, last=drawn[-1] if drawn else None)
            sound &= torch.isfinite(found.logits).all()
            policy = found.log_policy() if reweigh is None else reweigh(found, numbers[:, place, 1])
            drawn.append(
                found.ids.gather(1, draw_tokens(policy, numbers[:, place, 0]).unsqueeze(1)).squeeze(1)
            )
        if not bool(sound):
            raise TrainingError(
                f"{generator.name} returns numbers that are not finite. Download its weights again."
            )
        texts: list[str] = generator.tokenizer.batch_decode(torch.stack(drawn, 1).cpu())
        return texts


def find_candidates(
    generator: Generator, state: Tensor, sampling: Sampling, *, last: Tensor | None = None
) -> Candidates:
    """The candidates after states [B, d]; ``last`` [B] are the tokens drawn before."""
    kept, ids = generator.top_tokens(state, min(sampling.top_k, len(generator.allowed)))
    chances = (kept / sampling.temperature).softmax(1)
    kept = kept.masked_fill(chances.cumsum(1) - chances >= sampling.top_p, EXCLUDED_LOGIT)
    return Candidates(ids, kept, state, sampling.temperature, last)


def draw_tokens(log_policy: Tensor, numbers: Tensor) -> Tensor:
    """The index [B] of the drawn candidate in each row of ``log_policy`` [B, k], by a number [B] in [0, 1) each."""
    shares = log_policy.double().exp().cumsum(1)
    wanted = (numbers.double() * shares[:, -1]).unsqueeze(1)
    return (shares <= wanted).sum(1).clamp(max=log_policy.shape[1] - 1)


def _random_numbers(prompt: str, number: int, *, length: int, seed: int) -> NDArray[np.float32]:
    """The random numbers [length, 2] in [0, 1) of one text."""
    digest = hashlib.sha256(f"{seed} {number} {prompt}".encode()).digest()
    return np.random.default_rng(int.from_bytes(digest[:16])).random((length, 2), dtype=np.float32)
