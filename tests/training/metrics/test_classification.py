"""Scores on hand-worked cases, and agreement with scikit-learn where it has the same measure."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, f1_score

from core.types import Kind
from training.metrics import (
    accuracy,
    calibration_error,
    confusion,
    fit_scale,
    fit_temperature,
    kind_scores,
    macro_f1,
    span_scores,
    weighted_f1,
)

F, E = Kind.FRAMING, Kind.EPISTEMOLOGICAL


def test_exact_and_overlap_by_hand() -> None:
    gold = [[(0, 5, F), (10, 15, F)], [(3, 6, F)]]
    found = [[(0, 5, F), (12, 20, F), (30, 33, F)], []]
    exact, overlap = span_scores(found, gold)
    assert (exact.precision, exact.recall) == (pytest.approx(1 / 3), pytest.approx(1 / 3))
    assert (overlap.precision, overlap.recall) == (pytest.approx(2 / 3), pytest.approx(2 / 3))


def test_a_span_of_another_kind_is_no_hit_for_its_kind() -> None:
    scores = kind_scores([[(0, 5, E)]], [[(0, 5, F)]])
    assert scores[F].recall == 0.0
    assert scores[E].precision == 0.0


def test_nothing_found_scores_zero() -> None:
    exact, overlap = span_scores([[]], [[(0, 1, F)]])
    assert exact.f1 == overlap.f1 == 0.0


LABELS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=2, max_size=30)


@given(LABELS)
def test_macro_f1_is_that_of_scikit_learn(pairs: list[tuple[int, int]]) -> None:
    gold, found = [one for one, _ in pairs], [two for _, two in pairs]
    assert macro_f1(gold, found) == pytest.approx(f1_score(gold, found, average="macro", zero_division=0))


def test_scaling_finds_back_a_known_distortion() -> None:
    random = np.random.default_rng(0)
    true_logits = random.normal(0, 2, 20_000)
    gold = (random.random(20_000) < 1 / (1 + np.exp(-true_logits))).astype(float)
    temperature, offset = fit_scale(3 * true_logits - 1.5, gold)
    assert temperature == pytest.approx(3.0, rel=0.1)
    assert offset == pytest.approx(0.5, abs=0.1)
    assert calibration_error(1 / (1 + np.exp(-((3 * true_logits - 1.5) / temperature + offset))), gold) < 0.02


def test_temperature_finds_back_a_known_one() -> None:
    random = np.random.default_rng(1)
    logits = random.normal(0, 1.5, (8_000, 3))
    chances = np.exp(logits) / np.exp(logits).sum(1, keepdims=True)
    gold = np.array([random.choice(3, p=row) for row in chances])
    assert fit_temperature(2 * logits, gold) == pytest.approx(2.0, rel=0.1)


@given(LABELS)
def test_weighted_f1_and_accuracy_are_those_of_scikit_learn(pairs: list[tuple[int, int]]) -> None:
    gold, found = [one for one, _ in pairs], [two for _, two in pairs]
    assert weighted_f1(gold, found) == pytest.approx(
        f1_score(gold, found, average="weighted", zero_division=0)
    )
    assert accuracy(gold, found) == pytest.approx(accuracy_score(gold, found))


def test_confusion_has_gold_as_rows_and_the_order_that_was_asked_for() -> None:
    counts = confusion(["left", "left", "right"], ["left", "right", "right"], ["right", "center", "left"])
    assert counts.tolist() == [[1, 0, 0], [0, 0, 0], [1, 0, 1]]
    with pytest.raises(ValueError, match="far"):
        confusion(["left"], ["far"], ["left", "right"])


def test_nothing_to_score_is_zero() -> None:
    assert macro_f1([], []) == weighted_f1([], []) == accuracy([], []) == 0.0
