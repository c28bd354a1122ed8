"""Scores by group, answers that are kept, and votes: against hand counts and scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import balanced_accuracy_score, f1_score, precision_score, recall_score

from training.auditing.compass.group_scores import (
    balanced_accuracy,
    by_group,
    f1,
    groups_of,
    majority_vote,
    pack_rows,
    scores,
    unpack_rows,
)
from training.corpora.grouped_texts import GroupedText

PAIRS = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=2, max_size=40)


@given(PAIRS)
def test_scores_are_the_usual_ones(pairs: list[tuple[int, int]]) -> None:
    gold, found = ([pair[at] for pair in pairs] for at in range(2))
    values = scores(gold, found)
    if len(set(gold)) == 2:
        assert values["bacc"] == pytest.approx(balanced_accuracy_score(gold, found))
        assert values["f1"] == pytest.approx(f1_score(gold, found))
        assert values["recall"] == pytest.approx(recall_score(gold, found))
        whole = np.ones((1, len(gold)))
        assert balanced_accuracy(np.array(gold), np.array(found), whole)[0] == pytest.approx(values["bacc"])
        assert f1(np.array(gold), np.array(found), whole)[0] == pytest.approx(values["f1"])
    else:
        assert "bacc" not in values
    assert ("precision" in values) == (1 in found)
    if 1 in found:
        assert values["precision"] == pytest.approx(precision_score(gold, found))


def test_a_group_without_a_class_has_no_balanced_accuracy_but_its_rows() -> None:
    items = [GroupedText("a", 1, ("x",)), GroupedText("b", 0, ("x", "y")), GroupedText("c", 0, ("y",))]
    values = by_group(items, [1, 0, 1], [*groups_of(items), "empty"])
    assert groups_of(items) == ("x", "y")
    assert values["x bacc"] == 1.0
    assert values["y rows"] == 2
    assert "y bacc" not in values
    assert "y recall" not in values
    assert values["y precision"] == 0.0
    assert values["empty rows"] == 0
    assert {name for name in values if name.startswith("empty")} == {"empty rows"}


@given(st.lists(st.tuples(st.integers(0, 1), st.floats(0, 1)), max_size=30))
def test_predictions_survive_packing(rows: list[tuple[int, float]]) -> None:
    gold, chances = ([row[at] for row in rows] for at in range(2))
    labels, kept = unpack_rows(pack_rows(gold, chances))
    assert labels.tolist() == gold
    assert (kept >= 0.5).tolist() == [chance >= 0.5 for chance in chances]
    assert np.abs(kept - np.array(chances)).max(initial=0.0) <= 0.0101


def test_a_vote_is_the_majority_and_a_tie_the_mean_probability() -> None:
    one, two, three, four = (
        np.array(row) for row in ([0.9, 0.1, 0.6], [0.6, 0.4, 0.9], [0.1, 0.6, 0.4], [0.2, 0.1, 0.4])
    )
    assert majority_vote([one, two, three]).tolist() == [1, 0, 1]
    assert majority_vote([one, two, three, four]).tolist() == [0, 0, 1]
    assert majority_vote([one]).tolist() == [1, 0, 1]
