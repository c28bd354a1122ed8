"""A teacher's probabilities reach the right tokens, once for each row, and never the user's own data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from core.types import LABELS
from training.loop.batches import EncodedExample, Stream, encode
from training.modeling import reader
from training.modeling.reader import Logits, load_base
from training.reader import pseudo_labels, stages
from training.reader.pseudo_labels import PseudoLabeler
from training.reader.stages import TrainedReader
from training.types import Example

CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def teacher(tiny_base: Path) -> TrainedReader:
    torch.manual_seed(1)
    return TrainedReader(*load_base(tiny_base))


@pytest.fixture
def predicted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that were predicted, one by one."""
    texts: list[str] = []
    real = pseudo_labels.predict

    def counting(model: Any, rows: list[EncodedExample], **settings: Any) -> Logits:
        texts.extend(row.example.text for row in rows)
        return real(model, rows, **settings)

    monkeypatch.setattr(pseudo_labels, "predict", counting)
    return texts


def rows_of(tokenizer: Any, *texts: str) -> list[EncodedExample]:
    return encode([Example(text, "prose") for text in texts], tokenizer)


def test_every_row_is_predicted_once(teacher: TrainedReader, predicted: list[str]) -> None:
    labeler = PseudoLabeler(*teacher, device=CPU, max_tokens=32)
    rows = rows_of(teacher.tokenizer, "a cruel king", "the king")
    first = labeler(rows[:1])
    both = labeler(rows)
    assert predicted == ["a cruel king", "the king"]
    assert both[0] is first[0]
    assert [row.example for row in both] == [row.example for row in rows]


def test_the_labels_are_the_teachers_probabilities(teacher: TrainedReader) -> None:
    rows = rows_of(teacher.tokenizer, "a cruel king", "the very cruel king of spain")
    labeled = PseudoLabeler(*teacher, device=CPU, max_tokens=32)(rows)
    logits = reader.predict(teacher.model, rows, device=CPU)
    for at, row in enumerate(labeled):
        assert row.soft_labels is not None
        inside = [place for place, (start, end) in enumerate(row.offsets) if start < end]
        expected: NDArray[np.float64] = reader.softmax(logits.spans[at])[inside]
        np.testing.assert_allclose(row.soft_labels.tags[inside], expected, atol=1e-5)
        assert row.soft_labels.tags.shape == (len(row.ids), len(LABELS))
        assert row.soft_labels.bias == pytest.approx(1 / (1 + np.exp(-logits.bias[at])), abs=1e-5)


def test_the_users_own_data_keep_their_labels_alone(teacher: TrainedReader, predicted: list[str]) -> None:
    loss = stages.distillation_loss(teacher.model, teacher, CPU)
    rows = rows_of(teacher.tokenizer, "a cruel king")
    assert loss(Stream("corrections", rows, 1.0, ("spans",)), rows).item() == 0.0
    assert not predicted
    assert loss(Stream("wnc", rows, 1.0, ("spans",)), rows).detach().item() > 0.0
    assert predicted == ["a cruel king"]
