"""Protects the measure of fluency: shuffled words are less fluent, and no model reads a place that it learnt."""

from __future__ import annotations

import random

import pytest

from training.auditing.generator_bias.perplexity import NgramModel, perplexities, tokenize
from training.loop.training_loop import TrainingError


def sentences(count: int, *, seed: int) -> list[str]:
    draw = random.Random(seed)
    who, does, what = ("senators", "voters", "states"), ("like", "fear", "want"), ("taxes", "votes", "drones")
    return [f"The {draw.choice(who)} {draw.choice(does)} their {draw.choice(what)}." for _ in range(count)]


def test_shuffled_words_are_less_fluent_than_texts_of_the_same_kind() -> None:
    vanilla, draw = sentences(80, seed=1), random.Random(2)
    shuffled = [" ".join(draw.sample(text.split(), 5)) for text in vanilla]
    own, same = perplexities(vanilla, sentences(80, seed=3), seed=1)
    assert same == pytest.approx(own, rel=0.2)
    assert perplexities(vanilla, shuffled, seed=1)[1] > 3 * own
    assert perplexities(vanilla, shuffled, seed=1) == perplexities(vanilla, shuffled, seed=1)


def test_no_text_is_scored_by_a_model_trained_on_its_counterpart() -> None:
    draw = random.Random(1)
    vanilla = [" ".join(f"word{draw.randrange(40)}" for _ in range(10)) for _ in range(60)]
    learnt = NgramModel([tokenize(text) for text in vanilla]).perplexity([tokenize(text) for text in vanilla])
    assert min(perplexities(vanilla, vanilla, seed=1)) > 1.5 * learnt


def test_texts_that_cannot_be_compared_are_refused() -> None:
    with pytest.raises(TrainingError, match="in 5 folds"):
        perplexities(["a", "b", "c"], ["a", "b", "c"], seed=1)
    with pytest.raises(TrainingError, match="in 5 folds"):
        perplexities(["a"] * 9, ["a"] * 8, seed=1)
    with pytest.raises(TrainingError, match="without a word"):
        perplexities(["a b"] * 9, [""] * 9, seed=1)
