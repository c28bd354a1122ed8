"""Algorithm 1: nothing changes at lambda 0, the gain rises with lambda, the divergence is held, no NaN gets out."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch
from torch import Tensor

from tests.training.auditing.generation import tiny_generator as tiny
from training.auditing.debiasing import reinforced_calibration
from training.auditing.debiasing.controlled_generation import MAX_DOUBLINGS, StepResult
from training.auditing.debiasing.reinforced_calibration import CalibrationController, ReinforcedCalibration
from training.auditing.debiasing.rewards import Gain, HeadReward, Reward, WordReward
from training.auditing.debiasing.training_data import BiasWords
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
MODES = pytest.mark.parametrize("mode", ["words", "head"])


def reward(made: Generator, mode: str) -> Reward:
    if mode == "words":
        return WordReward(made, BiasWords(tiny.LIBERAL, tiny.CONSERVATIVE))
    return HeadReward(tiny.head())


@torch.inference_mode()
def walk(
    made: Generator, calibration: CalibrationController, places: int
) -> Iterator[tuple[Candidates, StepResult]]:
    """So many calibrated places of the prompts."""
    noise = torch.rand(places, 2, len(PROMPTS), generator=torch.Generator().manual_seed(9))
    rows = made.begin(made.ids(PROMPTS, longest=20))
    for numbers in noise:
        found = find_candidates(made, rows.state, Sampling(top_k=20))
        outcome = calibration.step(found, numbers[1])
        yield found, outcome
        rows.advance(found.ids.gather(1, draw_tokens(outcome.log_policy, numbers[0]).unsqueeze(1)).squeeze(1))


def calibration(
    made: Generator, mode: str, strength: float, *, max_doublings: int = MAX_DOUBLINGS
) -> CalibrationController:
    return CalibrationController(
        made, reward(made, mode), torch.full((len(PROMPTS),), strength), max_doublings=max_doublings
    )


@MODES
@pytest.mark.parametrize("kind", ["gpt2", "llama"])
def test_only_with_lambda_0_texts_are_the_vanilla_ones(kind: str, mode: str) -> None:
    made = tiny.generator(kind)
    vanilla = VanillaSampler(made).sample(PROMPTS, samples=4, length=12, seed=2)
    off = ReinforcedCalibration(made, reward(made, mode), strength=0.0)
    assert off.sample(PROMPTS, samples=4, length=12, seed=2) == vanilla
    assert off.policy_shift.divergence == 0
    on = ReinforcedCalibration(made, reward(made, mode))
    assert on.sample(PROMPTS, samples=4, length=12, seed=2) != vanilla
    assert on.policy_shift.divergence > 0
    assert on.policy_shift.gain_increase > 0


@MODES
def test_a_debiased_text_is_the_same_again_and_in_another_batch(mode: str) -> None:
    made = tiny.generator()
    sampler = ReinforcedCalibration(made, reward(made, mode))
    texts = sampler.sample(PROMPTS, samples=2, length=10, seed=2)
    assert sampler.sample(PROMPTS, samples=2, length=10, seed=2) == texts
    small = tiny.generator(batch=3)
    assert (
        ReinforcedCalibration(small, reward(small, mode)).sample(PROMPTS, samples=2, length=10, seed=2)
        == texts
    )


def test_lambda_0_changes_no_policy() -> None:
    made = tiny.generator()
    for found, outcome in walk(made, calibration(made, "head", 0.0), 6):
        torch.testing.assert_close(outcome.log_policy, found.log_policy(), atol=1e-5, rtol=0)
        assert not outcome.strength.any()


@MODES
def test_the_gain_and_the_divergence_rise_with_lambda(mode: str) -> None:
    made = tiny.generator()
    rises, divergences = [], []
    for strength in (0.01, 0.1, 1.0):
        outcomes = [
            outcome for _, outcome in walk(made, calibration(made, mode, strength, max_doublings=0), 15)
        ]
        rises.append(float(torch.stack([one.gain_increase for one in outcomes]).mean()))
        divergences.append(float(torch.stack([one.divergence for one in outcomes]).mean()))
        assert all((one.strength == strength).all() for one in outcomes)
    assert 0 < rises[0] < rises[1] < rises[2]
    assert 0 < divergences[0] < divergences[1] < divergences[2]


@MODES
def test_the_control_halves_and_doubles_lambda_as_printed(mode: str) -> None:
    made = tiny.generator()
    run = calibration(made, mode, 0.6)
    sigma = reward(made, mode).sigma
    seen = set()
    strength = run.control.strength
    for _, outcome in walk(made, run, 25):
        assert (outcome.strength == strength).all()
        factor = torch.where(outcome.divergence <= sigma / 2, 2.0, 1.0)
        factor = torch.where(outcome.divergence >= 2 * sigma, 0.5, factor)
        seen |= set(factor.tolist())
        strength = (strength * factor).clamp(0.6 / 2**8, 0.6 * 2**8)
        assert (run.control.strength == strength).all()
    assert {0.5, 1.0} <= seen


@MODES
def test_the_control_corrects_a_policy_that_drifted(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # A narrow aim and steps that could leave it far behind.
    made, narrow = tiny.generator(), 0.004
    monkeypatch.setattr(reinforced_calibration, "RATE", 0.4)

    def late(max_doublings: int) -> float:
        aimed = reward(made, mode)
        aimed.sigma = narrow
        run = CalibrationController(
            made, aimed, torch.full((len(PROMPTS),), 30.0), max_doublings=max_doublings
        )
        return float(torch.stack([outcome.divergence for _, outcome in walk(made, run, 40)][20:]).mean())

    free, held = late(0), late(12)
    assert held < free / 2
    assert held < 4 * narrow


@MODES
def test_the_steps_are_those_of_adam_on_equation_9(mode: str) -> None:
    """The slopes that are written out lead where autograd and torch's Adam lead."""
    made = tiny.generator()
    run, other = calibration(made, mode, 0.6), reward(made, mode).gain()
    numbers = torch.tensor([0.1, 0.4, 0.7, 0.95])
    state = made.begin(made.ids(PROMPTS, longest=20)).state.clone()
    found = find_candidates(made, state, Sampling(top_k=12, temperature=0.8))
    found = Candidates(found.ids, found.logits.clone(), state, 0.8)
    with torch.no_grad():
        outcome = run.step(found, numbers)
    near = made.rows[found.ids]
    wanted = by_autograd(
        made,
        found,
        near,
        gained=other,
        actions=draw_tokens(found.log_policy(), numbers),
        sigma=reward(made, mode).sigma,
    )
    torch.testing.assert_close(outcome.log_policy, wanted, atol=2e-3, rtol=0)
    assert (outcome.log_policy - found.log_policy()).abs().max() > 0.05


def by_autograd(
    made: Generator, found: Candidates, near: Tensor, *, gained: Gain, actions: Tensor, sigma: float
) -> Tensor:
    gained.advance(found.state, near)
    vanilla, at = found.log_policy(), actions.unsqueeze(1)
    before = gained(torch.zeros_like(found.state), found.logits)[0].detach()
    along = torch.zeros_like(vanilla, requires_grad=True)
    adam = torch.optim.Adam(
        [along], lr=reinforced_calibration.RATE * sigma**0.5 / made.logit_scale**2, maximize=True
    )

    def policy_and_shift() -> tuple[Tensor, Tensor, Tensor]:
        shift = torch.einsum("bk,bkd->bd", along, near - near.mean(1, keepdim=True))
        logits = found.logits + torch.einsum("bkd,bd->bk", near, shift)
        return found.log_policy(logits), shift, logits

    for _ in range(reinforced_calibration.STEPS):
        policy, shift, logits = policy_and_shift()
        ratio = (policy - vanilla).gather(1, at).squeeze(1).exp()
        divergence = (vanilla.exp() * (vanilla - policy)).sum(1)
        adam.zero_grad()
        (0.6 * ratio * (gained(shift, logits)[0] - before) - divergence).sum().backward()
        adam.step()
    return policy_and_shift()[0].detach()


class Broken:
    """A gain that is not a number in the second row, or nowhere one."""

    sigma = 0.05

    def __init__(self, rows: slice) -> None:
        self._rows = rows

    def gain(self) -> Gain:
        return self

    def advance(self, state: Tensor, near: Tensor) -> None:
        self._near = near

    def __call__(self, shift: Tensor, logits: Tensor) -> tuple[Tensor, Tensor]:
        # The likelihood of the last candidate: a gain that can always rise.
        gain = logits[:, -1].clone()
        slope = self._near[:, -1].clone()
        gain[self._rows], slope[self._rows] = torch.nan, torch.inf
        return gain, slope


def test_only_a_row_that_is_not_finite_keeps_the_vanilla_policy() -> None:
    made = tiny.generator()
    run = CalibrationController(made, Broken(slice(1, 2)), torch.full((len(PROMPTS),), 0.6))
    for found, outcome in walk(made, run, 4):
        assert torch.isfinite(outcome.log_policy).all()
        assert torch.isfinite(outcome.divergence + outcome.gain_increase).all()
        same = (outcome.log_policy == found.log_policy()).all(1)
        assert same.tolist() == [False, True, False, False]
    assert float(run.control.strength[1]) == pytest.approx(0.6 / 2**4)


def test_a_broken_reward_leaves_the_vanilla_texts() -> None:
    made = tiny.generator()
    sampler = ReinforcedCalibration(made, Broken(slice(None)))
    vanilla = VanillaSampler(made).sample(PROMPTS, samples=2, length=8, seed=1)
    assert sampler.sample(PROMPTS, samples=2, length=8, seed=1) == vanilla
    assert sampler.policy_shift.divergence == sampler.policy_shift.gain_increase == 0


@pytest.mark.parametrize("strength", [-0.1, float("nan"), float("inf")])
def test_an_invalid_lambda_is_refused(strength: float) -> None:
    made = tiny.generator()
    with pytest.raises(TrainingError, match="0 or more"):
        ReinforcedCalibration(made, reward(made, "head"), strength=strength)


@pytest.mark.gpu
@MODES
def test_cpu_and_gpu_give_the_same_policies(mode: str) -> None:
    cuda = torch.device("cuda")
    made = tiny.generator(device=cuda)
    source = reward(made, mode)
    if isinstance(source, HeadReward):
        source = HeadReward(tiny.head().to(cuda))
    vanilla = VanillaSampler(made).sample(PROMPTS, samples=3, length=10, seed=2)
    assert (
        ReinforcedCalibration(made, source, strength=0.0).sample(PROMPTS, samples=3, length=10, seed=2)
        == vanilla
    )
    on = ReinforcedCalibration(made, source)
    on.sample(PROMPTS, samples=3, length=10, seed=2)
    assert on.policy_shift.gain_increase > 0
