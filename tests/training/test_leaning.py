"""The leaning head of a model: a large outlet is thinned, and nothing else of the model changes."""

from __future__ import annotations

from pathlib import Path

import torch

from training import leaning
from training.batches import Encoded
from training.corpora.base import Example
from training.model import load_base


def row(label: int, outlet: str) -> Encoded:
    return Encoded(
        [2, 3], [-100, -100], [(0, 0), (0, 0)], Example("x", "articles", leaning=label, group=outlet)
    )


def test_a_large_outlet_is_thinned() -> None:
    rows = [row(0, "large")] * 40 + [row(1, "small")] * 3
    kept = leaning.thin(rows, seed=1, most=10)
    assert [sum(one.example.group == name for one in kept) for name in ("large", "small")] == [10, 3]


def test_only_the_leaning_head_changes(tiny_base: Path) -> None:
    model, _ = load_base(tiny_base)
    before = {name: value.clone() for name, value in model.state_dict().items()}
    width = model.leaning_layer.in_features
    leaning.put(model, leaning.Head(torch.nn.Linear(width, width), torch.nn.Linear(width, 4)))
    changed = {name for name, value in model.state_dict().items() if not torch.equal(value, before[name])}
    assert changed == {"leaning_layer.weight", "leaning_layer.bias", "leaning.weight", "leaning.bias"}
