"""A text belongs to its seed, prompt and number alone, and tokens are drawn as often as their policy says."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as some

from tests.training.auditing.generation import tiny_generator as tiny
from training.auditing.generation.sampling import (
    EXCLUDED_LOGIT,
    Sampling,
    VanillaSampler,
    draw_tokens,
    find_candidates,
)
from training.loop.training_loop import TrainingError

PROMPTS = ["the people", "I think that she says it was", "a law about guns and", "the"]
LOGITS = some.lists(some.floats(-20, 20), min_size=1, max_size=8)


def test_a_text_does_not_depend_on_the_other_prompts_of_its_batch() -> None:
    texts = VanillaSampler(tiny.generator()).sample(PROMPTS, samples=3, length=10, seed=6)
    alone = VanillaSampler(tiny.generator(batch=2))
    assert alone.sample(PROMPTS[::-1], samples=3, length=10, seed=6) == texts[::-1]
    assert alone.sample(PROMPTS[2:3], samples=2, length=10, seed=6) == [texts[2][:2]]
    shorter = alone.sample(PROMPTS, samples=1, length=4, seed=6)
    assert all(one[0].startswith(other[0]) for one, other in zip(texts, shorter, strict=True))


def test_seeds_prompts_and_samples_give_other_texts() -> None:
    sampler = VanillaSampler(tiny.generator())
    texts = [text for row in sampler.sample(PROMPTS, samples=3, length=10, seed=6) for text in row]
    texts += [text for row in sampler.sample(PROMPTS, samples=3, length=10, seed=7) for text in row]
    assert len(set(texts)) == len(texts)


def test_no_prompt_gives_no_text_and_no_sample_is_an_error() -> None:
    sampler = VanillaSampler(tiny.generator())
    assert sampler.sample([], samples=1, length=3, seed=0) == []
    for samples, length in ((0, 3), (1, 0)):
        with pytest.raises(TrainingError, match="at least"):
            sampler.sample(["the"], samples=samples, length=length, seed=0)


@given(logits=LOGITS, number=some.floats(0, 1, exclude_max=True))
def test_a_random_number_selects_the_candidate_of_its_interval(logits: list[float], number: float) -> None:
    policy = torch.tensor([logits]).log_softmax(1)
    place = int(draw_tokens(policy, torch.tensor([number], dtype=torch.float64)))
    ends = policy.double().exp().cumsum(1)[0].tolist()
    wanted = number * ends[-1]
    assert wanted < ends[place]
    assert place == 0 or ends[place - 1] <= wanted


@given(number=some.floats(0, 1, exclude_max=True), kept=some.integers(1, 5))
def test_excluded_tokens_are_never_drawn(number: float, kept: int) -> None:
    logits = torch.full((1, 6), EXCLUDED_LOGIT)
    logits[0, :kept] = torch.linspace(1, -1, kept)
    assert int(draw_tokens(logits.log_softmax(1), torch.tensor([number], dtype=torch.float64))) < kept


@torch.inference_mode()
def test_candidates_are_the_top_k_tokens_within_the_nucleus() -> None:
    made = tiny.generator()
    state = made.begin([tiny.ids(["the", "people"]), tiny.ids(["old", "stone"])]).state
    logits = (state @ made.rows.T)[:, len(tiny.SPECIAL) :]
    for top in (1, 7):
        found = find_candidates(made, state, Sampling(temperature=0.7, top_k=top))
        best, places = logits.topk(top)
        assert (found.ids == places + len(tiny.SPECIAL)).all()
        torch.testing.assert_close(found.log_policy(), (best / 0.7).log_softmax(1))
    found = find_candidates(made, state, Sampling(top_k=20, top_p=0.6))
    chances = logits.topk(20).values.softmax(1)
    for kept, row in zip((found.log_policy().exp() > 0).sum(1).tolist(), chances, strict=True):
        assert row[: kept - 1].sum() < 0.6 <= row[:kept].sum()
    everything = find_candidates(made, state, Sampling(top_k=1000))
    assert (everything.log_policy().exp() > 0).sum(1).tolist() == [len(tiny.WORDS)] * 2


def test_a_single_candidate_is_always_drawn() -> None:
    greedy = VanillaSampler(tiny.generator(), Sampling(top_k=1))
    one, other = (greedy.sample(["the"], samples=2, length=6, seed=seed) for seed in (1, 2))
    assert one == other
    assert one[0][0] == one[0][1]


@pytest.mark.parametrize("wrong", [{"temperature": 0.0}, {"top_k": 0}, {"top_p": 0.0}, {"top_p": 1.5}])
def test_settings_that_leave_nothing_to_draw_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(TrainingError, match="temperature above 0"):
        Sampling(**wrong)  # type: ignore[arg-type]


def test_values_that_are_not_finite_never_become_text(monkeypatch: pytest.MonkeyPatch) -> None:
    made = tiny.generator()
    made.rows = made.rows.clone()
    made.rows[7] = torch.nan
    with pytest.raises(TrainingError, match="not finite"):
        VanillaSampler(made).sample(["the"], samples=1, length=3, seed=0)
