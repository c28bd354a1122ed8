"""Protects what a person's processor reads: the int8 graph answers what the checkpoint answers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from training.loop.batches import encode
from training.modeling.reader import load_base, predict, predict_with_graph
from training.reader.export import write_graph
from training.reader.quality_checks import mean_bias_difference
from training.types import Example

TEXTS = (
    "The shameful senator closed the school.",
    "A law.",
    "Police said that the new policy was a disaster for the people of the town, and for nobody else.",
)


def test_the_graph_answers_like_the_checkpoint(tiny_base: Path, tmp_path: Path) -> None:
    torch.manual_seed(3)
    model, tokenizer = load_base(str(tiny_base))
    with torch.no_grad():
        model.bias.weight *= 20
    rows = encode([Example(text, "x") for text in TEXTS], tokenizer, max_tokens=64)
    checkpoint = predict(model, rows, device=torch.device("cpu"))
    write_graph(model, tmp_path / "reader.onnx")
    graph = predict_with_graph(tmp_path / "reader.onnx", rows)
    assert np.ptp(checkpoint.bias) > 0.05, "answers that are all alike would show nothing"
    assert mean_bias_difference(checkpoint, graph) < 0.02
    for one, other in zip(checkpoint.spans, graph.spans, strict=True):
        np.testing.assert_allclose(one, other, atol=0.1)


def test_exporting_leaves_the_model_as_it_was(tiny_base: Path, tmp_path: Path) -> None:
    model, _ = load_base(str(tiny_base))
    before = {name: value.clone() for name, value in model.state_dict().items()}
    write_graph(model, tmp_path / "reader.onnx")
    after = model.state_dict()
    assert before.keys() == after.keys()
    assert all(torch.equal(before[name], after[name]) for name in before)
