"""Readings of tokens, by f_debias and by bias words: what they learn, what teaches them, and what they refuse."""

from __future__ import annotations

import io
import random

import pytest

from tests.training.auditing.generation import tiny_generator as tiny
from training.auditing.debiasing import token_reweighting
from training.auditing.debiasing.token_reweighting import (
    MIN_TOKENS,
    TokenScorer,
    fit_bias_word_scorer,
    fit_token_classifier,
)
from training.auditing.debiasing.training_data import BiasWords, SideTexts
from training.loop.events import Events
from training.types import CorpusError

PLAIN = [word for word in tiny.WORDS if word not in (*tiny.LIBERAL, *tiny.CONSERVATIVE)]
EVENTS = Events("test", stream=io.StringIO())


def texts(leaning: tuple[str, ...], count: int, seed: int, *, length: int = 60) -> tuple[str, ...]:
    """Plain words, every fifth of a side."""
    draw = random.Random(f"{leaning} {seed}")
    return tuple(
        " ".join(draw.choice(leaning if at % 5 == 0 else PLAIN) for at in range(length)) for _ in range(count)
    )


def both(count: int, seed: int) -> SideTexts:
    return SideTexts(texts(tiny.LIBERAL, count, seed), texts(tiny.CONSERVATIVE, count, seed))


def fitted(train: SideTexts, dev: SideTexts) -> TokenScorer:
    return fit_token_classifier(tiny.generator(), train, dev, seed=1, events=EVENTS)


def test_words_of_a_side_have_weight_and_others_hardly_any() -> None:
    found = fitted(both(40, 1), both(10, 2))
    weights = found.weights
    liberal, conservative, plain = (
        weights[tiny.ids(side)] for side in (tiny.LIBERAL, tiny.CONSERVATIVE, PLAIN)
    )
    assert liberal.min() > 3 * plain.abs().max() > 0
    assert conservative.max() < -3 * plain.abs().max()
    assert found.dev_macro_f1 == 1
    assert abs(found.bias) < liberal.min()
    again = fitted(both(40, 1), both(10, 2))
    assert (again.weights == weights).all()
    assert (again.bias, again.dev_macro_f1) == (found.bias, found.dev_macro_f1)


def test_a_word_of_one_segment_has_no_weight() -> None:
    train = both(20, 1)
    once = "climate " + " ".join(PLAIN[:30])
    none = tuple(text.replace("climate", "unions") for text in train.liberal)
    found = fitted(SideTexts((once, *none), train.conservative), both(5, 2))
    climate, unions = found.weights[tiny.ids(["climate", "unions"])]
    assert climate == 0
    assert unions > 0


def test_dev_texts_do_not_change_the_scorer() -> None:
    train = both(20, 1)
    found, other = (fitted(train, dev) for dev in (both(5, 2), SideTexts(train.conservative, train.liberal)))
    assert (found.weights == other.weights).all()
    assert found.bias == other.bias
    assert found.dev_macro_f1 == 1
    assert other.dev_macro_f1 == 0


def test_texts_are_cut_into_segments_without_short_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[list[int]] = []
    shares = token_reweighting._token_shares

    def looked(stretches: list[list[int]], vocabulary: int) -> object:
        seen.extend(stretches)
        return shares(stretches, vocabulary)

    monkeypatch.setattr(token_reweighting, "_token_shares", looked)
    monkeypatch.setattr(token_reweighting, "WINDOW", 20)
    monkeypatch.setattr(token_reweighting, "MIN_TOKENS", 8)
    ends = {15: [15], 27: [20], 28: [20, 8], 60: [20, 20, 20]}
    for length, wanted in ends.items():
        seen.clear()
        sides = SideTexts(*(texts(side, 4, 3, length=length) for side in (tiny.LIBERAL, tiny.CONSERVATIVE)))
        fitted(sides, sides)
        assert sorted(map(len, seen)) == sorted(16 * wanted)


def by_words(words: BiasWords, train: SideTexts) -> TokenScorer:
    return fit_bias_word_scorer(tiny.generator(), words, train, seed=1, events=EVENTS)


def test_a_token_weighs_by_its_similarity_to_the_liberal_words() -> None:
    """Equation 6's inner products: of one word a side, those with the difference of the two rows."""
    words = BiasWords(tiny.LIBERAL[:1], tiny.CONSERVATIVE[:1])
    found = by_words(words, both(40, 1))
    rows = tiny.generator().rows
    liberal, conservative = (rows[tiny.ids([side[0]])[0]] for side in (words.liberal, words.conservative))
    nearer = rows @ (liberal - conservative)
    scale = found.weights @ nearer / (nearer @ nearer)
    assert found.weights.numpy() == pytest.approx((scale * nearer).numpy(), rel=1e-4, abs=1e-5)
    assert found.dev_macro_f1 is None


def test_zero_lies_between_the_sides_with_liberal_above() -> None:
    train = both(40, 1)
    found = by_words(BiasWords(tiny.LIBERAL, tiny.CONSERVATIVE), train)
    read = [
        [float(found.weights[tiny.ids(text.split())].mean()) + found.bias for text in side]
        for side in (train.liberal, train.conservative)
    ]
    assert sum(one > 0 for one in read[0]) > 30 > 10 > sum(one > 0 for one in read[1])
    swapped = by_words(BiasWords(tiny.CONSERVATIVE, tiny.LIBERAL), train)
    # The texts decide which list counts as liberal.
    assert swapped.weights.numpy() == pytest.approx(found.weights.numpy(), rel=1e-3, abs=1e-4)


def test_words_that_do_not_separate_the_sides_have_no_weight() -> None:
    same = BiasWords(("law",), ("law",))
    found = by_words(same, both(10, 1))
    assert not found.weights.any()


def test_bias_words_without_articles_are_refused() -> None:
    words = BiasWords(tiny.LIBERAL, tiny.CONSERVATIVE)
    with pytest.raises(CorpusError, match=f"No liberal text has {MIN_TOKENS} tokens"):
        by_words(words, SideTexts(("a law",), both(5, 1).conservative))


def test_articles_without_long_texts_are_refused() -> None:
    good = both(5, 1)
    with pytest.raises(CorpusError, match="no liberal text"):
        fitted(SideTexts((), good.conservative), good)
    with pytest.raises(CorpusError, match="no conservative text"):
        fitted(good, SideTexts(good.liberal, ("",)))
    with pytest.raises(CorpusError, match=f"No conservative text has {MIN_TOKENS} tokens. Give longer texts"):
        fitted(SideTexts(good.liberal, ("a law",)), good)
