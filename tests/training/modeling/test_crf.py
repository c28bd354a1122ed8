"""The CRF layer says what counting every sequence by hand says: log sum, best sequence, and BIO kept."""

from __future__ import annotations

import itertools

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from training.modeling.crf import LinearChainCrf

ONE = ("O", "B-bias", "I-bias")
TWO = ("B-framing", "O", "I-framing", "B-demographic", "I-demographic")


def made(labels: tuple[str, ...], seed: int) -> LinearChainCrf:
    crf = LinearChainCrf(labels)
    draw = torch.Generator().manual_seed(seed)
    for parameter in crf.parameters():
        parameter.data = torch.randn(parameter.shape, generator=draw, dtype=torch.float64)
    return crf


def allowed(labels: tuple[str, ...], path: tuple[int, ...]) -> bool:
    names = ["O", *(labels[at] for at in path)]
    return all(
        not label.startswith("I-") or last in (f"B-{label[2:]}", label)
        for last, label in itertools.pairwise(names)
    )


def scored(crf: LinearChainCrf, emissions: Tensor) -> dict[tuple[int, ...], float]:
    """Every allowed sequence of one sentence and its score."""
    start, end, steps = crf.start.tolist(), crf.end.tolist(), crf.transitions.tolist()
    found = {}
    for path in itertools.product(range(len(crf.labels)), repeat=len(emissions)):
        if allowed(crf.labels, path):
            score = start[path[0]] + end[path[-1]]
            score += sum(float(emissions[at, tag]) for at, tag in enumerate(path))
            score += sum(steps[last][tag] for last, tag in itertools.pairwise(path))
            found[path] = score
    return found


@settings(max_examples=25, deadline=None)
@given(
    labels=st.sampled_from([ONE, TWO]),
    masks=st.lists(st.lists(st.booleans(), min_size=4, max_size=4), min_size=1, max_size=3),
    scale=st.sampled_from([0.1, 1.0, 30.0]),
    seed=st.integers(0, 10**6),
)
def test_it_says_what_counting_every_sequence_says(
    labels: tuple[str, ...], masks: list[list[bool]], scale: float, seed: int
) -> None:
    crf, mask = made(labels, seed), torch.tensor(masks)
    draw = torch.Generator().manual_seed(seed + 1)
    emissions = torch.randn(*mask.shape, len(labels), generator=draw, dtype=torch.float64) * scale
    tags, expected, best = torch.full(mask.shape, -100), [], crf.decode(emissions, mask)
    for row, inside in enumerate(mask):
        if not inside.any():
            assert best[row] == []
            continue
        paths = scored(crf, emissions[row, inside])
        assert paths[tuple(best[row])] == pytest.approx(max(paths.values()))
        total = torch.tensor(list(paths.values()), dtype=torch.float64).logsumexp(0).item()
        gold = list(paths)[seed % len(paths)]
        tags[row, inside] = torch.tensor(gold)
        expected.append(total - paths[gold])
    mean = sum(expected) / max(1, len(expected))
    assert crf.loss(emissions, tags, mask).item() == pytest.approx(mean, rel=1e-5, abs=1e-6)


def test_a_forbidden_step_is_never_the_best_however_loud_the_emissions() -> None:
    crf = LinearChainCrf(TWO)
    emissions = torch.zeros(1, 6, len(TWO))
    emissions[..., TWO.index("I-framing")] = 1e9
    emissions[0, 2, TWO.index("I-demographic")] = 3e9
    (path,) = crf.decode(emissions, torch.ones(1, 6, dtype=torch.bool))
    assert allowed(TWO, tuple(path))


def test_the_loss_is_fp32_and_its_gradients_are_numbers_under_autocast() -> None:
    crf = LinearChainCrf(ONE)
    emissions = (torch.randn(2, 5, 3) * 300).bfloat16().requires_grad_()
    tags = torch.tensor([[2, 2, 0, 1, 2], [0, 2, 0, 0, 0]])  # I without B: somebody's bad row
    mask = torch.tensor([[True] * 5, [True, True, False, False, False]])
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = crf.loss(emissions, tags, mask)
    loss.backward()
    assert loss.dtype is torch.float32
    assert torch.isfinite(loss)
    assert emissions.grad is not None
    assert torch.isfinite(emissions.grad).all()
    assert all(torch.isfinite(parameter.grad).all() for parameter in crf.parameters())
    assert torch.equal(emissions.grad[1, 2:], torch.zeros(3, 3, dtype=torch.bfloat16))


def test_forbidden_steps_learn_nothing_and_the_others_learn() -> None:
    crf = LinearChainCrf(ONE)
    optimiser = torch.optim.SGD(crf.parameters(), lr=0.5)
    tags = torch.tensor([[1, 2, 0, 0], [0, 1, 2, 2]])
    mask = torch.ones(2, 4, dtype=torch.bool)
    losses = []
    for _ in range(20):
        optimiser.zero_grad()
        loss = crf.loss(torch.zeros(2, 4, 3), tags, mask)
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    assert losses[-1] < losses[0]
    assert crf.transitions[ONE.index("O"), ONE.index("I-bias")].item() == 0.0
    assert crf.start[ONE.index("I-bias")].item() == 0.0


@pytest.mark.parametrize("labels", [("O", "I-bias"), ("O", "bias"), ("O", "B-x", "I-y")])
def test_labels_that_are_not_bio_are_refused(labels: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match=r"BIO|beside"):
        LinearChainCrf(labels)
