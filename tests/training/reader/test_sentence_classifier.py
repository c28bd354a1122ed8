"""Sentence classifiers: padding changes no result on any architecture, and only early stopping reads the scored
fold.
"""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import save_file

from tests.training.tiny_encoders import ARCHITECTURES, make_encoder
from training.loop.batches import Stream
from training.loop.events import Events
from training.loop.training_loop import TrainingError
from training.modeling.reader import predict
from training.reader import sentence_classifier
from training.types import Example

CPU = torch.device("cpu")
TEXTS = (
    "The senator approved the budget.",
    "In 1984 the shameful council rejected the treaty near the river and then visited a factory, a school and a union.",
)
EXAMPLES = [
    Example(f"The {word}senator opened the school {number}.", "babe", spans=(), bias=float(bool(word)))
    for number in range(20)
    for word in ("", "shameful ")
]


def _events() -> Events:
    return Events("test", stream=io.StringIO())


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_padding_changes_no_answer(architecture: str, tiny_base: Path, tmp_path: Path) -> None:
    base = make_encoder(tmp_path / architecture, architecture, like=tiny_base)
    made = sentence_classifier.new_classifier(str(base), seed=1)
    rows = made.rows([Example(text, "x") for text in TEXTS])
    assert len(rows[1]) > 2 * len(rows[0])
    together = predict(made.model, rows, device=CPU).bias
    alone = [predict(made.model, [row], device=CPU).bias[0] for row in rows]
    np.testing.assert_allclose(
        together, alone, atol=1e-2 if torch.ops.mkldnn._is_mkldnn_bf16_supported() else 1e-5
    )


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_every_architecture_learns(architecture: str, tiny_base: Path, tmp_path: Path) -> None:
    base = make_encoder(tmp_path / architecture, architecture, like=tiny_base)
    made = sentence_classifier.new_classifier(str(base), seed=1)
    before = [value.clone() for value in made.model.encoder.parameters()]
    _learn(made, early_stopping=False, epochs=1)
    moved = [
        not torch.equal(old, new) for old, new in zip(before, made.model.encoder.parameters(), strict=True)
    ]
    assert sum(moved) > len(moved) / 2


def test_training_without_early_stopping_never_reads_the_scored_fold(
    tiny_base: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = sentence_classifier.new_classifier(str(tiny_base), seed=1)
    monkeypatch.setattr(sentence_classifier, "predict", None)
    _learn(made, early_stopping=False, epochs=1)


def test_early_stopping_restores_the_best_epoch_on_the_scored_fold(
    tiny_base: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = sentence_classifier.new_classifier(str(tiny_base), seed=1)
    seen: list[dict[str, torch.Tensor]] = []
    losses = iter((0.7, 0.5, 0.6, 0.5))

    def watch(*_: object, **__: object) -> float:
        seen.append({name: value.clone() for name, value in made.model.state_dict().items()})
        return next(losses)

    monkeypatch.setattr(sentence_classifier, "bias_loss", watch)
    _learn(made, early_stopping=True, epochs=10)
    assert len(seen) == 4
    assert all(torch.equal(value, seen[1][name]) for name, value in made.model.state_dict().items())


def test_weights_of_another_encoder_are_refused(tiny_base: Path, tmp_path: Path) -> None:
    save_file({"encoder.x": torch.zeros(2)}, tmp_path / "broad.safetensors")
    with pytest.raises(TrainingError, match=r"broad.safetensors does not hold"):
        sentence_classifier.new_classifier(str(tiny_base), seed=1, auxiliary=tmp_path / "broad.safetensors")


def test_related_heads_are_left_out(tiny_base: Path, tmp_path: Path) -> None:
    first = sentence_classifier.new_classifier(str(tiny_base), seed=1).model
    first.add_auxiliary_heads({"subjectivity": 2})
    save_file(first.state_dict(), tmp_path / "broad.safetensors")
    second = sentence_classifier.new_classifier(
        str(tiny_base), seed=2, auxiliary=tmp_path / "broad.safetensors"
    ).model
    assert torch.equal(first.bias.weight, second.bias.weight)
    assert not second.related


def _learn(made: sentence_classifier.Classifier, *, early_stopping: bool, epochs: int) -> None:
    rows = made.rows(EXAMPLES)
    sentence_classifier.train_classifier(
        made,
        [Stream("babe", rows, 1.0, ("bias",))],
        early_stopping=early_stopping,
        epochs=epochs,
        scored=rows,
        seed=1,
        device=CPU,
        events=_events(),
    )
