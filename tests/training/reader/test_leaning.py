"""The leaning head of a model: a large outlet is thinned, pairs tell what an editor moves, nothing else changes."""

from __future__ import annotations

from pathlib import Path

import torch

from core.types import Kind
from training.corpora import allsides
from training.loop.batches import EncodedExample, encode
from training.modeling import leaning_head
from training.modeling.reader import load_base
from training.types import Example, GoldSpan


def row(label: int, outlet: str) -> EncodedExample:
    return EncodedExample(
        [2, 3], [-100, -100], [(0, 0), (0, 0)], Example("x", "articles", leaning=label, group=outlet)
    )


def test_a_large_outlet_is_thinned() -> None:
    rows = [row(0, "large")] * 40 + [row(1, "small")] * 3
    kept = allsides.limit_per_group(rows, lambda row: row.example.group, most=10, seed=1)
    assert [sum(one.example.group == name for one in kept) for name in ("large", "small")] == [10, 3]


def test_an_edit_is_the_neutral_side_less_the_biased_one_of_its_group(tiny_base: Path) -> None:
    model, tokenizer = load_base(tiny_base)
    spans = (GoldSpan(4, 12, Kind.FRAMING),)

    def side(text: str, group: str, *, biased: bool) -> Example:
        return Example(text, "wnc", spans=spans if biased else (), group=group)

    rows = encode(
        [
            side("the union met.", "second", biased=False),
            side("the shameful council met.", "first", biased=True),
            side("the council met.", "first", biased=False),
            side("the ruthless school spoke.", "alone", biased=True),
            side("the shameful union met.", "second", biased=True),
        ],
        tokenizer,
    )
    cpu = torch.device("cpu")
    states = leaning_head.mean_states(model, rows, device=cpu)
    edits = leaning_head.edit_shifts(model, rows, device=cpu)
    assert torch.allclose(edits, torch.stack([states[2] - states[1], states[0] - states[4]]), atol=1e-5)
    assert leaning_head.edit_shifts(model, rows[3:4], device=cpu).shape == (0, states.shape[1])


def test_only_the_leaning_head_changes(tiny_base: Path) -> None:
    model, _ = load_base(tiny_base)
    before = {name: value.clone() for name, value in model.state_dict().items()}
    width = model.leaning_layer.in_features
    leaning_head.set_head(
        model, leaning_head.LeaningHead(torch.nn.Linear(width, width), torch.nn.Linear(width, 4))
    )
    changed = {name for name, value in model.state_dict().items() if not torch.equal(value, before[name])}
    assert changed == {"leaning_layer.weight", "leaning_layer.bias", "leaning.weight", "leaning.bias"}
