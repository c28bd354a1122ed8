"""The linear classifier learns sides and publishers and is stored as plain numbers; stacking prefers better models."""

from __future__ import annotations

import random

import numpy as np
import pytest

from training.auditing.ideology_classifiers.ensemble import StackingModel
from training.auditing.ideology_classifiers.linear import (
    MIN_ARTICLES,
    LinearClassifier,
    LinearModels,
    publisher_targets,
)
from training.auditing.ideology_classifiers.masked_articles import LabelledArticle, PublisherMasks
from training.auditing.ideology_classifiers.splits import SegmentedArticle
from training.types import CorpusError

COMMON = ("the", "council", "met", "and", "voted", "on", "a", "budget")
OWN = ("union climate", "patriots border", "agency report")


def written(draw: random.Random, label: int) -> str:
    words = [draw.choice(COMMON) for _ in range(20)]
    return " ".join([*words[:10], *OWN[label].split(), *words[10:]])


def learnt(classes: int, *, each: int = 12) -> list[SegmentedArticle]:
    draw = random.Random(3)
    return [
        SegmentedArticle(
            (written(draw, label), written(draw, label)), label, f"publisher {label} {number % 3}"
        )
        for label in range(classes)
        for number in range(each)
    ]


@pytest.mark.parametrize("classes", [2, 3])
def test_sides_and_publishers_are_learned_and_saved_as_numbers(classes: int) -> None:
    model = LinearModels.fit(learnt(classes), classes=classes, seed=1)
    kept = LinearModels({name: table.copy() for name, table in model.tables.items()})
    assert all(table.dtype.kind in "fi" for table in kept.tables.values())
    draw = random.Random(9)
    texts = [written(draw, label) for label in range(classes)]
    for answers, again in zip(model.probabilities(texts), kept.probabilities(texts), strict=True):
        assert answers.shape == (classes, classes)
        assert np.allclose(answers.sum(axis=1), 1)
        assert answers.argmax(axis=1).tolist() == list(range(classes))
        assert np.array_equal(answers, again)


def test_small_publishers_of_a_side_are_merged() -> None:
    large = [SegmentedArticle(("a",), 0, "large")] * (MIN_ARTICLES - 1) + [
        SegmentedArticle(("a",), 1, "large")
    ]
    small = [SegmentedArticle(("a",), label, f"small {number}") for label in (0, 1) for number in range(4)]
    found = publisher_targets([*large, *small], classes=2)
    assert len(set(found.numbers)) == 3
    assert sorted(found.shares.tolist()) == [
        [0.0, 1.0],
        pytest.approx([1 - 1 / MIN_ARTICLES, 1 / MIN_ARTICLES]),
        [1.0, 0.0],
    ]


def test_the_linear_classifier_reads_masked_texts() -> None:
    draw = random.Random(3)
    rows = [
        LabelledArticle(written(draw, label), bool(label), f"publisher {number % 3}")
        for label in (0, 1)
        for number in range(12)
    ]
    classifier = LinearClassifier.fit(rows, masks=PublisherMasks(["Patriots Border"]), seed=1)
    scores = classifier.p_liberal(
        ["the council met", "the council Patriots Border met", "CNN: the council met", "?!"]
    )
    assert scores[0] == scores[1] == scores[2]
    assert scores[3] == 0.5
    assert classifier.p_liberal([]).shape == (0,)
    right, left = classifier.p_liberal([written(draw, 0), written(draw, 1)])
    assert right < 0.5 < left


def test_the_linear_classifier_needs_both_sides_and_words() -> None:
    row = LabelledArticle("the council met", True, "a")
    with pytest.raises(CorpusError, match="no row that is conservative"):
        LinearClassifier.fit([row], masks=PublisherMasks(()), seed=1)
    with pytest.raises(CorpusError, match="share a word"):
        LinearClassifier.fit(
            [row, LabelledArticle("patriots border", False, "b")], masks=PublisherMasks(()), seed=1
        )


def test_stacking_gives_the_better_member_more_weight() -> None:
    draw = np.random.default_rng(1)
    labels = draw.integers(0, 3, 600)
    good = draw.dirichlet(np.ones(3), 600) + 2 * np.eye(3)[labels]
    good /= good.sum(axis=1, keepdims=True)
    noise = draw.dirichlet(np.ones(3), 600)
    blend = StackingModel.fit([noise, good], labels.tolist(), seed=1)
    assert np.abs(blend.weights[:, 3:]).sum() > 5 * np.abs(blend.weights[:, :3]).sum()
    assert (blend.probabilities([noise, good]).argmax(axis=1) == labels).mean() > 0.95


def test_two_classes_are_stacked_with_opposite_weights() -> None:
    labels = [0, 1] * 50
    scores = np.where(np.array(labels)[:, None] == [[0, 1]], 0.7, 0.3)
    found = StackingModel.fit([scores], labels, seed=1).probabilities([scores])
    assert np.allclose(found.sum(axis=1), 1)
    assert found.argmax(axis=1).tolist() == labels
