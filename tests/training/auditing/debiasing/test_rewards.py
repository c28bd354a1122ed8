"""The gains are those of Equations 5 to 8, and the slopes that are written out are the slopes of the gains."""

from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor

from tests.training.auditing.generation import tiny_generator as tiny
from training.auditing.debiasing.rewards import DISCOUNT, WINDOW, Gain, HeadReward, Reward, WordReward
from training.auditing.debiasing.training_data import BiasWords
from training.types import CorpusError

WORDS = BiasWords(tiny.LIBERAL, (*tiny.CONSERVATIVE, "old school"))


def rewards() -> list[Reward]:
    return [WordReward(tiny.generator(), WORDS), HeadReward(tiny.head())]


def places(count: int) -> tuple[Tensor, Tensor, Tensor]:
    """States [count, B, d] one after the other, the candidates' rows [B, k, d] and logits [B, k] of the last."""
    draw = torch.Generator().manual_seed(2)
    states = torch.randn(count, 3, 32, generator=draw) * 2
    rows = tiny.generator().rows
    logits, ids = (states[-1] @ rows.T).topk(9, dim=1)
    return states, rows[ids], logits


def reached(gain: Gain, states: Tensor, near: Tensor) -> Gain:
    for state in states:
        gain.advance(state, near)
    return gain


@pytest.mark.parametrize("reward", rewards())
def test_the_gradient_is_that_of_the_gain(reward: Reward) -> None:
    states, near, logits = places(4)
    gain = reached(reward.gain(), states, near)
    shift = (torch.randn(3, 32, generator=torch.Generator().manual_seed(1)) / 5).requires_grad_(True)
    moved = logits + torch.einsum("bkd,bd->bk", near, shift)
    found, slope = gain(shift, moved)
    (wanted,) = torch.autograd.grad(found.sum(), shift)
    assert wanted.abs().max() > 1e-3
    torch.testing.assert_close(slope, wanted, atol=1e-4, rtol=1e-3)


def test_mode_1_is_equation_5_of_the_distances_of_equation_6() -> None:
    made = tiny.generator()
    states, near, logits = places(1)
    shift = torch.full((3, 32), 0.05)
    moved = logits + torch.einsum("bkd,bd->bk", near, shift)
    found, _ = reached(WordReward(made, WORDS).gain(), states, near)(shift, moved)
    for row in range(3):
        state = states[0, row] + shift[row]

        def far(side: tuple[str, ...], state: Tensor = state, row: int = row) -> float:
            rows, _ = made.words(side)
            each = [float(moved[row].logsumexp(0) - state @ one) / math.log(len(made.rows)) for one in rows]
            return sum(each) / len(each)

        liberal, conservative = far(WORDS.liberal), far(WORDS.conservative)
        gain = liberal**2 + conservative**2 - abs(liberal - conservative)
        assert float(found[row]) == pytest.approx(gain, rel=1e-4)


def test_mode_1_is_greater_where_bias_words_are_less_likely() -> None:
    made = tiny.generator()
    states, near, logits = places(1)
    gain = reached(WordReward(made, WORDS).gain(), states, near)
    away = -torch.cat([made.words(WORDS.liberal)[0], made.words(WORDS.conservative)[0]]).mean(0).expand(3, 32)
    none = torch.zeros(3, 32)
    # The candidates' logits are kept: what moves is the likelihood of the words against them.
    assert (gain(away, logits)[0] > gain(none, logits)[0]).all()


@pytest.mark.parametrize("count", [1, 4, WINDOW + 1, WINDOW + 4])
def test_mode_2_is_equation_7_of_the_gains_of_equation_8(count: int) -> None:
    head = tiny.head()
    states, near, logits = places(count)
    shift = torch.full((3, 32), 0.3)
    found, _ = reached(HeadReward(head).gain(), states, near)(shift, logits)
    window = states[-(WINDOW + 1) :]
    for row in range(3):
        total = 0.0
        for age, state in enumerate(reversed(window)):
            liberal = float(head(state[row] + shift[row]).softmax(0)[1])
            y = 1 if liberal >= 0.5 else 0
            entropy = -(y * math.log(liberal) + (1 - y) * math.log(1 - liberal))
            total += DISCOUNT**age * entropy
        assert float(found[row]) == pytest.approx(total / len(window), rel=1e-4)


def test_mode_2_is_greatest_where_the_classifier_is_undecided() -> None:
    states, near, logits = places(1)
    head = tiny.head()
    sure, _ = reached(HeadReward(head).gain(), states, near)(torch.zeros(3, 32), logits)
    head.answer.weight.data[0] = head.answer.weight.data[1]
    head.answer.bias.data[:] = 0
    torn, slope = reached(HeadReward(head).gain(), states, near)(torch.zeros(3, 32), logits)
    torch.testing.assert_close(torn, torch.full((3,), math.log(2)))
    assert (sure < torn).all()
    assert not slope.any(), "nothing is better than the middle"


def test_a_gain_of_one_batch_knows_nothing_of_another() -> None:
    states, near, logits = places(3)
    for reward in rewards():
        reached(reward.gain(), states * 3, near)
        again, _ = reached(reward.gain(), states, near)(torch.zeros(3, 32), logits)
        alone, _ = reached(reward.gain(), states, near)(torch.zeros(3, 32), logits)
        assert (again == alone).all()


def test_the_target_divergences_are_those_of_the_paper() -> None:
    assert [reward.sigma for reward in rewards()] == [0.02, 0.05]


def test_an_empty_list_of_words_is_refused() -> None:
    with pytest.raises(CorpusError, match="is empty"):
        BiasWords(("climate",), ())
