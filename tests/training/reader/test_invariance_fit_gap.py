"""Protects the figure that says how unlike people are read: nothing where all read alike, else the mean gap."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest
import torch

from core.stereotypes.templates import TemplateHalf, build_frames
from training.modeling.reader import load_base, predict
from training.reader.invariance_fit import TemplateGap
from training.reader.stages import ExampleEncoder
from training.types import Example

CPU = torch.device("cpu")


def test_it_is_the_mean_gap_over_the_pairs_of_the_training_half(tiny_base: Path) -> None:
    torch.manual_seed(1)
    model, tokenizer = load_base(str(tiny_base))
    encode = ExampleEncoder(tokenizer)
    with torch.no_grad():
        model.bias.weight *= 50
    texts = {variant.text for frame in build_frames(TemplateHalf.TRAINING) for variant in frame.variants}
    rows = encode([Example(text, "x") for text in texts])
    with torch.no_grad():  # Scores about one half, where a difference shows.
        model.bias.bias -= float(predict(model, rows, device=CPU).bias.mean())
    chances = torch.sigmoid(torch.tensor(predict(model, rows, device=CPU).bias)).tolist()
    of = dict(zip(texts, chances, strict=True))
    gaps = [
        abs(of[one.text] - of[other.text])
        for frame in build_frames(TemplateHalf.TRAINING)
        for one, other in combinations(frame.variants, 2)
    ]
    assert max(gaps) > 0.001
    assert TemplateGap(encode)(model, device=CPU) == pytest.approx(sum(gaps) / len(gaps), abs=1e-5)


def test_a_reader_that_sees_no_difference_has_none(tiny_base: Path) -> None:
    model, tokenizer = load_base(str(tiny_base))
    with torch.no_grad():
        model.bias.weight.zero_()
    assert TemplateGap(ExampleEncoder(tokenizer))(model, device=CPU) == 0
