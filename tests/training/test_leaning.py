"""The leaning head: outlets count alike, the best dev round is kept, and nothing else of the model changes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
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


def test_each_leaning_weighs_alike() -> None:
    rows = [row(0, "a")] * 90 + [row(0, "b")] * 10 + [row(2, "c")] * 5
    weights = leaning.row_weights(rows)
    assert weights[:100].sum() == pytest.approx(weights[100:].sum(), rel=1e-5)
    assert weights[95] > weights[0]


def test_a_separable_leaning_is_learned() -> None:
    random = np.random.default_rng(0)
    labels = random.integers(0, 3, 600)
    states = torch.from_numpy(random.normal(0, 0.3, (600, 8)).astype(np.float32))
    states[torch.arange(600), torch.from_numpy(labels)] += 1.0
    rows = [row(int(label), f"outlet {at % 12}") for at, label in enumerate(labels)]
    head = leaning.fit((states[:500], rows[:500]), (states[500:], rows[500:]), seed=1)
    assert head.score > 0.85


def test_only_the_leaning_head_changes(tiny_base: Path) -> None:
    model, _ = load_base(tiny_base)
    before = {name: value.clone() for name, value in model.state_dict().items()}
    width = model.leaning_layer.in_features
    leaning.put(model, leaning.Head(torch.nn.Linear(width, width), torch.nn.Linear(width, 4), 0.0))
    changed = {name for name, value in model.state_dict().items() if not torch.equal(value, before[name])}
    assert changed == {"leaning_layer.weight", "leaning_layer.bias", "leaning.weight", "leaning.bias"}
