"""The scores of a cell, counted by hand; sentences without gold kinds are left out; saved counts compare systems."""

from __future__ import annotations

import numpy as np
import pytest

from core.types import Kind
from training.loop.training_loop import TrainingError
from training.papers.wikibias.scoring import compare_systems, pack_counts, score, unpack_counts
from training.papers.wikibias.types import Predictions
from training.types import BEGIN, INSIDE, OUTSIDE, TaggedSentence

FRAMING, DEMOGRAPHIC = frozenset({Kind.FRAMING}), frozenset({Kind.DEMOGRAPHIC})
NONE: frozenset[Kind] = frozenset()


def sentence(tags: str, *, kinds: frozenset[Kind] | None = None, group: str = "") -> TaggedSentence:
    """A sentence of words w0, w1 …; B, I and O of ``tags`` are its tags, and it is biased if there is a B."""
    names = {"B": BEGIN, "I": INSIDE, "O": OUTSIDE}
    biased = "B" in tags
    return TaggedSentence(
        tuple(f"w{at}" for at in range(len(tags))),
        tuple(names[tag] for tag in tags),
        biased=biased,
        original=biased,
        group=group,
        kinds=kinds,
    )


def test_tags_are_counted_on_biased_sources_and_kept_for_each() -> None:
    test = [sentence("BIO"), sentence("OBO"), sentence("OOO")]
    found = [one.tags for one in (sentence("BIO"), sentence("BBO"), sentence("BOO"))]
    cell = score(Predictions(tags=found), test)
    assert cell.values["authors_exact_precision"] == pytest.approx(2 / 3)
    assert cell.values["authors_exact_recall"] == 1.0
    assert cell.values["authors_exact_f1"] == pytest.approx(0.8)
    assert cell.values["strict_all_precision"] == 0.5
    assert cell.values["authors_exact_f1_low"] <= 0.8 <= cell.values["authors_exact_f1_high"]
    assert cell.counts == "111121"
    assert "accuracy" not in cell.values


def test_labels_are_those_of_the_biased_class() -> None:
    test = [sentence("BO", group="a"), sentence("OO", group="a"), sentence("BO"), sentence("OO")]
    values = score(Predictions(biased=[True, True, True, False], facts={"dev_f1": 0.5}), test).values
    assert values["biased_precision"] == pytest.approx(2 / 3)
    assert values["biased_recall"] == 1.0
    assert values["biased_f1"] == pytest.approx(0.8)
    assert values["accuracy"] == 0.75
    assert values["macro_f1"] == pytest.approx((0.8 + 2 / 3) / 2)
    assert values["dev_f1"] == 0.5


def test_kinds_are_several_answers_and_unsaid_ones_are_left_out() -> None:
    test = [
        sentence("BO", kinds=FRAMING | DEMOGRAPHIC),
        sentence("BO", kinds=FRAMING),
        sentence("OO"),
        sentence("BO", kinds=None),
    ]
    values = score(Predictions(kinds=[FRAMING, FRAMING, DEMOGRAPHIC, DEMOGRAPHIC]), test).values
    assert values["framing_f1"] == 1.0
    assert values["demographic_f1"] == 0.0
    assert values["demographic_sentences"] == 1.0
    assert values["kinds_macro_f1"] == pytest.approx(1 / 3)
    with pytest.raises(TrainingError, match="no kinds of bias"):
        score(Predictions(kinds=[NONE]), [sentence("BO")])


def test_no_test_part_is_no_figure() -> None:
    with pytest.raises(TrainingError, match="no test part"):
        score(Predictions(biased=[]), [])


def test_packed_counts_are_unpacked_unchanged() -> None:
    counts = np.array([[0, 12, 0, 1], [2, 3, 2, 2]])
    assert pack_counts(counts) == "0c1232"
    assert unpack_counts("0c1232").tolist() == counts.tolist()


def test_systems_are_compared_by_sentence_over_all_seeds() -> None:
    right, wrong = "111" * 30, "011" * 30
    found = compare_systems([right, right], [right, wrong])
    assert found.difference.value == pytest.approx(0.5)
    assert found.difference.low > 0.0
    assert found.p < 0.01
