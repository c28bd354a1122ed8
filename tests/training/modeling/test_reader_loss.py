"""What a row costs: unmarked words by the weight of their example, classes of marked words, a teacher's answers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from core.types import GUIDE_CLASSES, LABELS, Kind
from training.loop.batches import IGNORED, EncodedExample, SoftLabels, Stream, collate, encode
from training.modeling.reader import ReaderOutput, load_base, reader_loss, task_loss
from training.types import Example, GoldSpan

TAGS, CLASSES = len(LABELS), len(GUIDE_CLASSES)


def row(tags: Sequence[int], *, weight: float = 1.0, **labels: object) -> EncodedExample:
    example = Example("x", "made", spans=(), unmarked_weight=weight)
    count = len(tags)
    return replace(
        EncodedExample(list(range(count)), list(tags), [(0, 1)] * count, example),
        **labels,  # type: ignore[arg-type]
    )


def output(rows: int, tokens: int) -> ReaderOutput:
    """A reader that finds everything equally likely."""
    return ReaderOutput(
        spans=torch.zeros(rows, tokens, TAGS),
        bias=torch.zeros(rows),
        leaning=torch.zeros(rows, 4),
        meaning=torch.zeros(rows, 8),
        classes=torch.zeros(rows, tokens, CLASSES),
    )


def loss(rows: Sequence[EncodedExample], tasks: tuple[str, ...], made: ReaderOutput | None = None) -> float:
    batch = collate(rows)
    return float(task_loss(made or output(*batch.ids.shape), batch, tasks))


@pytest.mark.parametrize("weight", [0.0, 0.1, 0.5, 1.0])
def test_an_unmarked_word_counts_by_the_weight_of_its_example(weight: float) -> None:
    found = loss([row([IGNORED, 0, 0, 1, 2, IGNORED], weight=weight)], ("spans",))
    assert found == pytest.approx(math.log(TAGS) * (2 * weight + 2) / 4)


def test_an_arguable_word_costs_as_much_marked_as_unmarked() -> None:
    """So that the model says of it what lies between a clear and a neutral word."""
    words = row([0, 1, 2, 0], arguable=(1, 2))
    made = output(1, 4)
    made.spans[0, 1, 1] = made.spans[0, 2, 2] = 5.0
    sure, unsure = loss([words], ("spans",), made), loss([words], ("spans",))
    made.spans[0, 1, 0] = made.spans[0, 2, 0] = 5.0
    assert loss([words], ("spans",), made) < unsure < sure
    clear = loss([row([0, 1, 2, 0])], ("spans",))
    assert unsure == pytest.approx(clear)


def test_tokens_of_an_arguable_span_are_known(tiny_base: Path) -> None:
    text = "The vast plan failed badly."
    spans = (GoldSpan(4, 8, Kind.FRAMING, is_clear=False), GoldSpan(21, 26, Kind.FRAMING))
    (made,) = encode([Example(text, "made", spans=spans)], load_base(tiny_base)[1])
    assert made.arguable
    assert all(4 <= made.offsets[at][0] < 8 for at in made.arguable)


def test_a_row_that_is_marked_in_full_keeps_its_weight_beside_one_that_is_not() -> None:
    found = loss([row([0, 0, 0, 0]), row([0, 0, 1, IGNORED], weight=0.1)], ("spans",))
    assert found == pytest.approx(math.log(TAGS) * (4 + 2 * 0.1 + 1) / 7)


def test_with_no_weight_an_unmarked_word_may_be_anything() -> None:
    made = output(1, 2)
    made.spans[0, 0, 3] = 40.0
    assert loss([row([0, 1], weight=0.0)], ("spans",), made) == pytest.approx(math.log(TAGS) / 2)
    assert loss([row([0, 1], weight=1.0)], ("spans",), made) > 15


def test_classes_cost_over_marked_words_alone_and_where_the_stream_asks() -> None:
    classed = row([0, 1, 2], classes=[IGNORED, 4, 4])
    assert loss([classed], ("classes",)) == pytest.approx(0.3 * math.log(CLASSES))
    assert loss([classed], ("spans", "classes")) == pytest.approx(math.log(TAGS) + 0.3 * math.log(CLASSES))
    assert loss([classed], ("spans",)) == pytest.approx(math.log(TAGS))
    assert loss([row([0, 1, 2])], ("classes",)) == 0.0
    made = output(1, 3)
    made.classes[0, 1:, 4] = 40.0
    made.classes[0, 0, 7] = 40.0
    assert loss([classed], ("classes",), made) == pytest.approx(0.0, abs=1e-6)


def test_rows_without_labels_cost_nothing() -> None:
    unknown = row([IGNORED, IGNORED])
    assert loss([unknown], ("spans", "classes", "bias", "leaning")) == 0.0


def test_a_teacher_is_learned_from_whatever_the_tasks() -> None:
    even = SoftLabels(np.full((2, TAGS), 1 / TAGS, np.float32), 0.5)
    taught = row([IGNORED, IGNORED], soft_labels=even)
    assert loss([taught], ()) == pytest.approx(math.log(TAGS) + math.log(2))
    assert loss([taught, row([IGNORED])], ()) == pytest.approx(loss([taught], ()))
    sure = replace(even, tags=np.eye(TAGS, dtype=np.float32)[[0, 1]], bias=1.0)
    made = output(1, 2)
    made.spans[0, 0, 0] = made.spans[0, 1, 1] = made.bias[0] = 40.0
    assert loss([row([0, 0], soft_labels=sure)], (), made) == pytest.approx(0.0, abs=1e-6)


def test_a_step_on_classes_moves_their_head_and_the_encoder(tiny_base: Path) -> None:
    torch.manual_seed(1)
    model, tokenizer = load_base(tiny_base)
    text = "The shameful council met."
    rows = encode([Example(text, "x", spans=(GoldSpan(4, 12, Kind.FRAMING, "judgement"),))], tokenizer)
    stream = Stream("annotated", rows, 1.0, ("classes",))
    reader_loss(model, torch.device("cpu"))(stream, rows).backward()  # type: ignore[no-untyped-call]
    assert float(model.classes.weight.grad.abs().sum()) > 0  # type: ignore[union-attr]
    assert model.spans.weight.grad is None or float(model.spans.weight.grad.abs().sum()) == 0
    assert any(float(one.grad.abs().sum()) > 0 for one in model.encoder.parameters() if one.grad is not None)
