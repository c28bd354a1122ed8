"""BERT-ATTEN: hand-made attention gives the hand-worked words; layer, way and threshold come from dev alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from torch import nn

from tests.training.papers.wikibias.invented_corpus import make_context, make_corpus, tagged
from tests.training.tiny_encoders import ARCHITECTURES, make_encoder
from training.loop.training_loop import TrainingError
from training.papers.wikibias.models.attention import (
    METHODS,
    attention,
    attention_scores,
    choose,
    last_third,
    threshold_tags,
    word_of_wordpieces,
    word_scores,
)
from training.papers.wikibias.models.sentence_model import NO_WORDPIECE, Row, new_classifier
from training.papers.wikibias.types import Budget
from training.types import OUTSIDE

# "he li##ed ." between [CLS] and [SEP]; rows look, columns are looked at, and both ends get the most of all.
ONE_HEAD = np.array(
    [
        [0.0, 0.0, 0.0, 1.0, 0.0, 0.0],
        [0.2, 0.1, 0.2, 0.1, 0.3, 0.1],
        [0.1, 0.3, 0.1, 0.2, 0.2, 0.1],
        [0.1, 0.1, 0.4, 0.1, 0.2, 0.1],
        [0.2, 0.25, 0.2, 0.15, 0.1, 0.1],
        [0.0, 0.0, 0.0, 1.0, 0.0, 0.0],
    ]
)
OWNERS = np.array([NO_WORDPIECE, 0, 1, 1, 2, NO_WORDPIECE])
EXCLUDED = [False, False, True]


def test_a_hand_made_attention() -> None:
    # Pieces: "he" looks most at "li", "li" at "he", "##ed" at "li", "." at "he": he 2, lied 2.
    # Words: he -> lied .2 + .1 = .3; lied -> he (.3 + .1) / 2 = .2; . -> he .25, . -> lied .2 + .15 = .35.
    # Word count: he -> lied, lied -> he, . -> lied. Sum: he .2 + .25, lied .3 + .35; average: half of it.
    scores = word_scores(ONE_HEAD[None], OWNERS, excluded=EXCLUDED)
    assert scores[:, :2] == pytest.approx(np.array([[2, 2], [1, 2], [0.225, 0.325], [0.45, 0.65]]))
    assert np.isneginf(scores[:, 2]).all()


def test_heads_are_added_up() -> None:
    once, twice = (word_scores(np.stack([ONE_HEAD] * n), OWNERS, excluded=EXCLUDED) for n in (1, 2))
    for method, factor in zip(METHODS, (2, 2, 1, 2), strict=True):
        at = METHODS.index(method)
        assert twice[at, :2] == pytest.approx(factor * once[at, :2]), method


def test_a_barred_word_gets_nothing_where_it_had_the_most() -> None:
    # With the period open, "he" looks at it (.3): he 1 ("li" alone; "." looks at itself no more), lied 1 + "." at he.
    scores = word_scores(ONE_HEAD[None], OWNERS, excluded=[False] * 3)
    # Pieces: he -> ., li -> he, ##ed -> li, . -> he.
    assert scores[0].tolist() == [2, 1, 1]
    # Words: he -> lied .3 and . .3, the first of equals; lied -> he .2 and . .2, the first; . -> lied.
    assert scores[1].tolist() == [1, 2, 0]


def test_a_word_without_a_piece_is_never_chosen() -> None:
    scores = word_scores(
        ONE_HEAD[None], np.array([NO_WORDPIECE, 0, 2, 2, 3, NO_WORDPIECE]), excluded=[False] * 3 + [True]
    )
    assert np.isneginf(scores[:, 1]).all()
    assert scores[:, [0, 2]] == pytest.approx(word_scores(ONE_HEAD[None], OWNERS, excluded=EXCLUDED)[:, :2])


def test_a_word_alone_has_nobody_to_look_at_it() -> None:
    scores = word_scores(
        ONE_HEAD[None],
        np.array([NO_WORDPIECE, 0, NO_WORDPIECE, NO_WORDPIECE, NO_WORDPIECE, NO_WORDPIECE]),
        excluded=[False],
    )
    assert scores[:, 0].tolist() == [0, 0, 0, 0]


def test_a_sentence_without_any_piece_has_nothing_to_choose() -> None:
    assert np.isneginf(word_scores(ONE_HEAD[None], np.full(6, NO_WORDPIECE), excluded=EXCLUDED)).all()


def test_an_encoder_without_attention_is_told(tiny_base: Path, tmp_path: Path) -> None:
    class Blind(nn.Module):
        def set_attn_implementation(self, _: str) -> None:
            pass

        def forward(self, **_: object) -> SimpleNamespace:
            return SimpleNamespace(attentions=None)

    job = make_context(tiny_base, tmp_path)
    classifier = new_classifier(job, 2)
    classifier.model.encoder = Blind()
    with pytest.raises(TrainingError, match="bert does not return its attention"):
        attention_scores(classifier, [tagged("he lied .")], [1], context=job)


def test_pieces_belong_to_the_word_that_began_last() -> None:
    sentence = tagged("he lied now .")
    assert word_of_wordpieces(
        Row((2, 7, 8, 9, 5, 3), (1, 2, NO_WORDPIECE, 4), sentence), tail=1
    ).tolist() == [
        NO_WORDPIECE,
        0,
        1,
        1,
        3,
        NO_WORDPIECE,
    ]
    assert word_of_wordpieces(
        Row((2, 7, 3), (1, NO_WORDPIECE, NO_WORDPIECE, NO_WORDPIECE), sentence), tail=1
    ).tolist() == [
        NO_WORDPIECE,
        0,
        NO_WORDPIECE,
    ]


@pytest.mark.parametrize(
    ("count", "layers"), [(12, [9, 10, 11, 12]), (6, [5, 6]), (4, [4]), (2, [2]), (1, [1])]
)
def test_the_last_third_of_the_layers(count: int, layers: list[int]) -> None:
    assert last_third(count) == layers


def test_neighbouring_words_are_one_span() -> None:
    scores = np.array([1.0, 3.0, 4.0, -np.inf, 5.0])
    assert [tag[0] for tag in threshold_tags(scores, 3.0)] == ["O", "B", "I", "O", "B"]
    assert set(threshold_tags(scores, float("inf"))) == {OUTSIDE}


def test_the_threshold_with_the_most_right_spans_is_chosen() -> None:
    dev = [tagged("the shameful senator spoke"), tagged("a ruthless union spoke")]
    scores = [np.array([0.1, 0.8, 0.3, 0.2]), np.array([0.2, 0.6, 0.1, 0.1])]
    choice = choose(dev, scores, layer=3, method=1)
    assert (choice.layer, choice.method, choice.exact_f1) == (3, 1, 1.0)
    assert 0.3 < choice.threshold <= 0.6


def test_where_nothing_helps_nothing_is_chosen() -> None:
    dev = [tagged("the shameful senator spoke")]
    choice = choose(dev, [np.array([0.4, -np.inf, 0.3, 0.2])], layer=1, method=0)
    assert choice.exact_f1 == 0.0


def test_the_system_chooses_on_dev_and_answers_test(tiny_base: Path, tmp_path: Path) -> None:
    corpus = make_corpus(manual=12, auto=16, dev=10, test=6)
    job = make_context(tiny_base, tmp_path, budget=Budget(auto_epochs=1, manual_epochs=1, continued_epochs=1))
    predictions = attention(corpus, job)
    assert predictions.tags is not None
    assert predictions.facts is not None
    assert [len(tags) for tags in predictions.tags] == [len(one) for one in corpus.test]
    assert all(tags[-1] == OUTSIDE for tags in predictions.tags), "the final period is never chosen"
    pictures = {name: value for name, value in predictions.facts.items() if name.startswith("dev_")}
    assert set(pictures) == {f"dev_layer2_{method}" for method in METHODS}
    assert pictures[f"dev_layer2_{METHODS[int(predictions.facts['method'])]}"] == max(pictures.values())
    blind = [replace(one, tags=(OUTSIDE,) * len(one), biased=False) for one in corpus.test]
    assert attention(replace(corpus, test=blind), job) == predictions


def test_dev_without_a_biased_sentence_is_told(tiny_base: Path, tmp_path: Path) -> None:
    corpus = make_corpus(manual=4, auto=4, dev=4, test=4)
    plain = replace(corpus, dev=[one for one in corpus.dev if not one.biased])
    with pytest.raises(TrainingError, match="no biased source sentence in its dev part"):
        attention(plain, make_context(tiny_base, tmp_path))


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_neighbours_in_a_batch_do_not_change_what_is_seen(
    architecture: str, tiny_base: Path, tmp_path: Path
) -> None:
    job = make_context(make_encoder(tmp_path / architecture, architecture, like=tiny_base), tmp_path)
    classifier = new_classifier(job, 2)
    short, long = (
        tagged("The senator spoke ."),
        tagged("The shameful senator opened the museum near the river ."),
    )
    (alone,) = attention_scores(classifier, [short], [1, 2], context=job)
    beside, other = attention_scores(classifier, [short, long], [1, 2], context=job)
    assert alone.shape == (2, len(METHODS), 4)
    assert other.shape == (2, len(METHODS), 10)
    seen = METHODS.index("sum")
    assert beside[:, seen, :3] == pytest.approx(alone[:, seen, :3], abs=1e-5)
    # Attention of each head adds up to at most one for each of the words that look.
    assert 0.0 < alone[0, seen, :3].sum() <= 2 * 4
