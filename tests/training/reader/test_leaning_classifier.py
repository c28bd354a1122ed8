"""The fitted leaning head: it finds the sides, and looks away from what tells topics and houses apart and from what
neutral rewordings move.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from training.loop.batches import EncodedExample
from training.modeling.leaning_head import LeaningHead
from training.reader import leaning_classifier
from training.types import NOT_POLITICAL, Example

Floats = NDArray[np.float64]
STYLE = np.isin(np.arange(40), (5, 6, 7))
"""The directions in which made houses differ."""


def answers(head: LeaningHead, states: Floats) -> Floats:
    with torch.inference_mode():
        return np.asarray(head.output(torch.tanh(head.layer(torch.from_numpy(states).float()))).numpy())


def read_right(head: LeaningHead, states: Floats, labels: NDArray[np.int64]) -> float:
    return float((answers(head, states).argmax(1) == labels).mean())


def drawn(rows: int, *, classes: int = 3, seed: int = 1) -> tuple[Floats, NDArray[np.int64]]:
    """States whose first numbers tell their class."""
    draw = np.random.default_rng(seed)
    labels = draw.integers(0, classes, rows)
    states = draw.normal(0, 1, (rows, 12))
    states[np.arange(rows), labels] += 3.0
    return states, labels


def numbered(name: str, rows: int, of: int) -> list[str]:
    return [f"{name} {at % of}" for at in range(rows)]


def test_sides_and_what_is_not_political_are_told_apart() -> None:
    states, labels = drawn(600, classes=4)
    head = leaning_classifier.fit_leaning_head(
        states, labels.tolist(), numbered("house", 600, 20), [""] * 600
    )
    political = labels != NOT_POLITICAL
    found = answers(head, states)
    sides = found[political][:, :NOT_POLITICAL].argmax(1)
    assert (sides == labels[political]).mean() > 0.85
    odds = np.logaddexp.reduce(found[:, :NOT_POLITICAL], axis=1) - found[:, NOT_POLITICAL]
    above = odds[political][:, None] > odds[~political]
    assert above.mean() > 0.95


@pytest.mark.parametrize("shown", [(0, 1), (1, 2), (0, 2, 3), (2,)])
def test_a_class_that_nobody_showed_is_never_the_answer(shown: Sequence[int]) -> None:
    states, _ = drawn(90)
    labels = [shown[at % len(shown)] for at in range(90)]
    head = leaning_classifier.fit_leaning_head(states, labels, [str(at) for at in range(90)], [""] * 90)
    assert set(answers(head, 5 * states).argmax(1).tolist()) <= set(shown)


def test_without_a_political_row_there_is_nothing_to_fit() -> None:
    with pytest.raises(ValueError, match="No row has a leaning"):
        leaning_classifier.fit_leaning_head(np.zeros((2, 3)), [NOT_POLITICAL] * 2, ["a", "b"], ["", ""])


def test_what_topics_differ_in_is_looked_away_from() -> None:
    """Sides write on topics unevenly; a topic's direction then seems to tell the side, until it is known as a topic."""
    draw = np.random.default_rng(3)
    labels = draw.integers(0, 3, 3000)
    often = np.array([(0.8, 0.1, 0.1), (0.1, 0.8, 0.1), (0.1, 0.1, 0.8)])
    topics = np.array([draw.choice(3, p=often[label]) for label in labels])
    states = draw.normal(0, 1, (3000, 16))
    states[np.arange(3000), labels] += 0.8
    states[np.arange(3000), 8 + topics] += 4.0
    houses = numbered("house", 3000, 30)
    blind = leaning_classifier.fit_leaning_head(states, labels.tolist(), houses, [""] * 3000)
    knowing = leaning_classifier.fit_leaning_head(
        states, labels.tolist(), houses, [f"topic {at}" for at in topics]
    )
    states[:, 8:11] = draw.normal(0, 1, (3000, 3))
    states[np.arange(3000), 8 + draw.integers(0, 3, 3000)] += 4.0
    assert read_right(knowing, states, labels) > read_right(blind, states, labels) + 0.05


def test_what_houses_of_a_leaning_differ_in_is_looked_away_from(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = np.random.default_rng(4)
    of = np.arange(1800) % 18
    labels = of % 3

    def written(marks: Floats) -> Floats:
        states = draw.normal(0, 1, (1800, 40)) + 4.0 * (marks * STYLE)[of]
        states[np.arange(1800), labels] += 1.5
        return states

    states, others = written(draw.normal(0, 1, (18, 40))), written(draw.normal(0, 1, (18, 40)))

    def read_by_others() -> float:
        head = leaning_classifier.fit_leaning_head(
            states, labels.tolist(), [f"house {at}" for at in of], [""] * 1800
        )
        return read_right(head, others, labels)

    knowing = read_by_others()
    monkeypatch.setattr(leaning_classifier, "PUBLISHER_WEIGHT", 0.0)
    assert knowing > read_by_others() + 0.05


@pytest.mark.parametrize("classes", [3, 4])
def test_what_neutral_rewordings_move_is_looked_away_from(classes: int) -> None:
    """Loaded words go with one side and with politics; once they are known to be an editor's matter, other rewordings
    move the answers less, and the sides are still told.
    """
    draw = np.random.default_rng(6)
    states, labels = drawn(1200, classes=classes)
    states[:, 8] += 1.5 * (labels == 0) + 0.5 * (labels == 2)
    moved = np.zeros((400, 12))
    moved[:, 8] = draw.normal(-2, 1, 400)
    moved += draw.normal(0, 0.1, moved.shape)
    houses = numbered("house", 1200, 30)

    def fitted(edits: Floats | None) -> tuple[float, float]:
        head = leaning_classifier.fit_leaning_head(states, labels.tolist(), houses, [""] * 1200, edits)
        before, after = answers(head, states[:200]), answers(head, states[:200] + moved[200:])
        odds = [np.logaddexp.reduce(told[:, :3], axis=1) - told[:, -1] for told in (before, after)]
        change = (
            odds[1] - odds[0] if classes > NOT_POLITICAL else (after - before)[:, 2] - (after - before)[:, 0]
        )
        return float(np.abs(change).mean()), read_right(head, states, labels)

    (free, right), (bound, still_right) = fitted(None), fitted(moved[:200])
    assert bound < free / 2
    assert still_right > right - 0.05


def test_a_large_house_weighs_by_the_square_root_of_its_rows() -> None:
    """A hundred rows of one house against one of another: its leaning's mean lies at ten elevenths of the way."""
    rows = np.vstack([np.tile([1.0, 0.0], (100, 1)), [[0.0, 1.0]], np.tile([-1.0, -1.0], (50, 1))])
    means = leaning_classifier._GroupMeans(
        rows, np.array([0] * 101 + [2] * 50), ["large"] * 100 + ["small"] + ["right"] * 50
    )
    assert means.sides[0] == pytest.approx([10 / 11, 1 / 11])
    assert means.sides[1] == pytest.approx([-1.0, -1.0])


def test_a_topic_of_one_side_is_none() -> None:
    rows = np.random.default_rng(5).normal(0, 1, (90, 4))
    gold = np.array([0, 1, 2] * 30)
    one_sided = np.array(["whole", "left"] * 45)
    one_sided[gold > 0] = "whole"
    assert not leaning_classifier._between_topics(rows, gold, one_sided).any()
    both = np.array(["here"] * 45 + ["there"] * 45)
    assert leaning_classifier._between_topics(rows, gold, both).any()


def test_windows_of_one_house_are_of_one_house_and_other_prose_of_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[tuple[list[str], list[str]]] = []

    def watch(
        _states: Floats, _labels: Sequence[int], houses: list[str], topics: list[str], _edits: Floats
    ) -> None:
        told.append((houses, topics))

    monkeypatch.setattr(leaning_classifier, "fit_leaning_head", watch)
    rows = [
        EncodedExample([], [], [], Example("x", "articles", leaning=2, group=outlet, topic="taxes"))
        for outlet in ("Fox News", "Fox Online News", "Vox")
    ]
    rows += [EncodedExample([], [], [], Example("x", "other", leaning=NOT_POLITICAL))] * 2
    leaning_classifier.fit_leaning_head_on_rows(torch.zeros(5, 2), rows, torch.zeros(0, 2))
    houses, topics = told[0]
    assert houses[0] == houses[1]
    assert len(set(houses)) == 4
    assert topics == ["taxes"] * 3 + [""] * 2
