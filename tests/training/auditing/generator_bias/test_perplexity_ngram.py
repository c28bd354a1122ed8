"""The n-gram model is a distribution in every context, unknown words included, and tells fluent text from shuffled."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from training.auditing.generator_bias.perplexity import START, NgramModel, tokenize
from training.loop.training_loop import TrainingError

ROWS = st.lists(st.lists(st.sampled_from("abcde"), max_size=6), min_size=1, max_size=8).filter(any)


@given(ROWS, st.integers(1, 4), st.lists(st.sampled_from(["a", "b", "z", START]), max_size=4))
def test_probabilities_sum_to_one(rows: list[list[str]], order: int, context: list[str]) -> None:
    model = NgramModel(rows, order=order)
    every = [*model.vocabulary, "a word never seen"]
    assert sum(math.exp(model.log_probability(word, context)) for word in every) == pytest.approx(1.0)


def test_kneser_ney_by_hand() -> None:
    """a b a b a c, bigrams: (s a) 1, (a b) 2, (b a) 2, (a c) 1, so D = 2 / (2 + 2 x 2) = 1/3.

    Words by contexts: a 2 of them (one a start, which keeps its count 1), b 1, c 1; D = 2 / (2 + 2 x 1) = 1/2.
    """
    model = NgramModel([["a", "b", "a", "b", "a", "c"]], order=2)
    lower = {
        "a": 1.5 / 4 + 0.5 * 3 / 4 / 4,
        "b": 0.5 / 4 + 0.5 * 3 / 4 / 4,
        "zz": 0.5 * 3 / 4 / 4,
    }
    shared = (1 / 3) * 2 / 3
    assert math.exp(model.log_probability("b", ["a"])) == pytest.approx((2 - 1 / 3) / 3 + shared * lower["b"])
    assert math.exp(model.log_probability("a", ["a"])) == pytest.approx(shared * lower["a"])
    assert math.exp(model.log_probability("zz", ["a"])) == pytest.approx(shared * lower["zz"])
    assert math.exp(model.log_probability("a", ["zz"])) == pytest.approx(lower["a"])


def test_perplexity_of_a_uniform_distribution_is_its_size() -> None:
    model = NgramModel([["a"], ["b"], ["c"]], order=1)
    assert model.perplexity([["a", "b"]]) == pytest.approx(model.perplexity([["c"]]))
    assert model.perplexity([["a"], ["never"]]) == pytest.approx(
        math.exp(-(model.log_probability("a", ()) + model.log_probability("never", ())) / 2)
    )


def test_words_and_marks() -> None:
    assert tokenize("It isn't the U.S., “is” it?") == (
        *("it", "isn't", "the", "u", ".", "s", ".", ",", "“", "is", "”", "it", "?"),
    )


def test_texts_without_words_are_refused() -> None:
    with pytest.raises(TrainingError, match="a text that is not empty"):
        NgramModel([[], []])
    with pytest.raises(TrainingError, match="an order of 1 or more"):
        NgramModel([["a"]], order=0)
    with pytest.raises(TrainingError, match="no perplexity"):
        NgramModel([["a"]]).perplexity([[]])
