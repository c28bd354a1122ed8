"""Scores: BLEU from counts is NLTK's, and the bootstrap says how sure a difference is."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from training.metrics.generation import bleu, bleu_of, compare, sentence_stats, share

WORDS = "the mayor opened a new hall near old river town today".split()


def sentences(seed: int, count: int = 40) -> list[str]:
    draw = random.Random(seed)
    return [" ".join(draw.choices(WORDS, k=draw.randrange(3, 14))) for _ in range(count)]


@pytest.mark.parametrize("seed", range(5))
def test_counts_give_the_bleu_of_nltk(seed: int) -> None:
    draw = random.Random(seed)
    references = sentences(seed)
    found = [" ".join(word for word in one.split() if draw.random() > 0.2) or "x" for one in references]
    expected = bleu(found, references)
    assert 0 < expected < 100
    assert math.isclose(
        float(bleu_of(sentence_stats(found, references).counts.sum(0))), expected, rel_tol=1e-9
    )


def test_exact_match_forgets_spacing_and_case() -> None:
    counted = sentence_stats(["The mayor ' s hall .", "a hall"], ["the mayor's hall.", "the hall"])
    assert counted.exact.tolist() == [1.0, 0.0]


def test_a_better_system_is_surely_better_and_an_equal_one_is_not() -> None:
    references = sentences(1)
    better = sentence_stats([*references[:30], *sentences(2)[30:]], references)
    worse = sentence_stats([*references[:8], *sentences(2)[8:]], references)
    found = compare(better, worse, resamples=500)
    assert found.exact == pytest.approx(55.0)
    assert found.exact_p == found.bleu_p == 0.0
    assert found.bleu > 10
    back = compare(worse, better, resamples=500)
    assert back.exact_p == back.bleu_p == 1.0
    assert compare(worse, worse, resamples=500).exact_p == 1.0


def test_the_bootstrap_is_as_wide_as_its_sentences_allow() -> None:
    """Two of forty sentences more: the share of resamples without gain is that of drawing neither, (38/40)^40."""
    references = sentences(1)
    base = sentence_stats(["x"] * 40, references)
    more = sentence_stats([*references[:2], *["x"] * 38], references)
    assert compare(more, base, resamples=20_000).exact_p == pytest.approx((38 / 40) ** 40, abs=0.01)


def test_shares_are_percents() -> None:
    assert share([True, False, False, False]) == 25.0
    assert np.isnan(share([]))
