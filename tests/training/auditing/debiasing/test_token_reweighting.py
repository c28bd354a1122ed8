"""Token reweighting: the gain is that of the text with each candidate, and the policy the best there is."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor
from torch.nn.functional import logsigmoid

from tests.training.auditing.generation import tiny_generator as tiny
from training.auditing.debiasing.controlled_generation import MAX_DOUBLINGS, StepResult
from training.auditing.debiasing.token_reweighting import (
    SIGMA,
    TokenController,
    TokenReweighting,
    TokenScorer,
)
from training.auditing.generation.generator import Generator
from training.auditing.generation.sampling import (
    Candidates,
    Sampling,
    VanillaSampler,
    draw_tokens,
    find_candidates,
)
from training.loop.training_loop import TrainingError

PROMPTS = ["the people of this state", "I think that she says it was", "a law about guns and", "the"]
SIZE = len(tiny.SPECIAL) + len(tiny.WORDS)


def reading(*, bias: float = 0.5, scale: float = 3.0) -> TokenScorer:
    weights = torch.randn(SIZE, generator=torch.Generator().manual_seed(4)) * scale
    return TokenScorer(weights, bias, 1.0)


def calibration(strength: float, *, max_doublings: int = MAX_DOUBLINGS) -> TokenController:
    return TokenController(reading(), torch.full((len(PROMPTS),), strength), max_doublings=max_doublings)


@torch.inference_mode()
def walk(
    made: Generator, run: TokenController, places: int
) -> Iterator[tuple[Candidates, StepResult, Tensor]]:
    """So many calibrated places of the prompts, and what was drawn before each [B, places so far]."""
    noise = torch.rand(places, len(PROMPTS), generator=torch.Generator().manual_seed(9))
    rows = made.begin(made.ids(PROMPTS, longest=20))
    drawn: list[Tensor] = []
    for numbers in noise:
        found = find_candidates(made, rows.state, Sampling(top_k=20), last=drawn[-1] if drawn else None)
        outcome = run.step(found, numbers)
        yield (
            found,
            outcome,
            torch.stack(drawn, 1) if drawn else torch.zeros(len(PROMPTS), 0, dtype=torch.long),
        )
        drawn.append(found.ids.gather(1, draw_tokens(outcome.log_policy, numbers).unsqueeze(1)).squeeze(1))
        rows.advance(drawn[-1])


def gain(text: Tensor) -> float:
    """Equation 8 of a whole text [tokens]."""
    read = reading()
    return float(-logsigmoid((read.weights[text].mean() + read.bias).abs()))


def test_the_policy_is_the_best_by_the_gain_of_the_whole_text() -> None:
    """Of lambda E[D] - KL no other policy has more; D is reckoned anew from all tokens."""
    made, strength = tiny.generator(), 4.0
    chooser = torch.Generator().manual_seed(1)
    for found, outcome, before in walk(made, calibration(strength, max_doublings=0), 8):
        gains = torch.tensor(
            [
                [gain(torch.cat([text, one.view(1)])) for one in row]
                for text, row in zip(before, found.ids, strict=True)
            ]
        )
        vanilla = found.log_policy()

        def worth(policy: Tensor, gains: Tensor = gains, vanilla: Tensor = vanilla) -> Tensor:
            return strength * (policy.exp() * gains).sum(1) - (policy.exp() * (policy - vanilla)).sum(1)

        best = worth(outcome.log_policy)
        for size in (0.01, 0.3, 3.0):
            other = outcome.log_policy + size * torch.randn(gains.shape, generator=chooser)
            assert (worth(other.log_softmax(1)) < best).all()
        rise = ((outcome.log_policy.exp() - vanilla.exp()) * gains).sum(1)
        torch.testing.assert_close(outcome.gain_increase, rise, atol=1e-5, rtol=0)


@pytest.mark.parametrize("kind", ["gpt2", "llama"])
def test_only_with_lambda_0_texts_are_the_vanilla_ones(kind: str) -> None:
    made = tiny.generator(kind)
    vanilla = VanillaSampler(made).sample(PROMPTS, samples=4, length=12, seed=2)
    assert (
        TokenReweighting(made, reading(), strength=0.0).sample(PROMPTS, samples=4, length=12, seed=2)
        == vanilla
    )
    on = TokenReweighting(made, reading())
    texts = on.sample(PROMPTS, samples=4, length=12, seed=2)
    assert texts != vanilla
    assert on.policy_shift.divergence > 0
    assert on.policy_shift.gain_increase > 0
    small = tiny.generator(kind, batch=3)
    assert TokenReweighting(small, reading()).sample(PROMPTS, samples=4, length=12, seed=2) == texts


def test_texts_are_more_neutral_than_those_of_the_generator() -> None:
    made, read = tiny.generator(), reading(bias=0.0)

    def apart(sampler: VanillaSampler) -> float:
        texts = sampler.sample(PROMPTS, samples=20, length=20, seed=2)
        found = [read.weights[tiny.ids(text.split())].mean() for of_one in texts for text in of_one]
        return float(np.abs(found).mean())

    assert apart(TokenReweighting(made, read)) < 0.6 * apart(VanillaSampler(made))


def test_lambda_is_halved_and_doubled_as_in_algorithm_1() -> None:
    made, sigma = tiny.generator(), SIGMA
    run = calibration(0.6)
    strength, seen = run.control.strength, set()
    for _, outcome, _ in walk(made, run, 30):
        assert (outcome.strength == strength).all()
        factor = torch.where(outcome.divergence <= sigma / 2, 2.0, 1.0)
        factor = torch.where(outcome.divergence >= 2 * sigma, 0.5, factor)
        seen |= set(factor.tolist())
        strength = (strength * factor).clamp(0.6 / 2**MAX_DOUBLINGS, 0.6 * 2**MAX_DOUBLINGS)
        assert (run.control.strength == strength).all()
    assert seen == {0.5, 1.0, 2.0}


@settings(deadline=None, max_examples=40)
@given(
    strength=st.floats(0, 500),
    top_p=st.floats(0.05, 1),
    scale=st.sampled_from([0.0, 1e-6, 3.0, 1e30, float("nan")]),
)
def test_the_result_is_always_a_distribution(strength: float, top_p: float, scale: float) -> None:
    made = tiny.generator()
    state = made.begin(made.ids(PROMPTS, longest=20)).state
    found = find_candidates(made, state, Sampling(top_k=12, top_p=top_p))
    run = TokenController(reading(scale=scale), torch.full((len(PROMPTS),), strength))
    outcome = run.step(found, torch.zeros(len(PROMPTS)))
    torch.testing.assert_close(outcome.log_policy.exp().sum(1), torch.ones(len(PROMPTS)))
    assert torch.isfinite(outcome.divergence + outcome.gain_increase).all()
    # What the nucleus leaves out stays out.
    assert (outcome.log_policy[found.logits < -1e8] < -100).all()


def test_an_invalid_lambda_is_refused() -> None:
    with pytest.raises(TrainingError, match="0 or more"):
        TokenReweighting(tiny.generator(), reading(), strength=-1.0)


@pytest.mark.gpu
def test_cpu_and_gpu_give_the_same_policies() -> None:
    cuda = torch.device("cuda")
    made = tiny.generator(device=cuda)
    read = reading()
    on = TokenReweighting(made, TokenScorer(read.weights.to(cuda), read.bias, 1.0))
    texts = on.sample(PROMPTS, samples=3, length=10, seed=2)
    assert texts == TokenReweighting(tiny.generator(), read).sample(PROMPTS, samples=3, length=10, seed=2)
