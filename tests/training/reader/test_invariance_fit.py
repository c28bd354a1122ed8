"""Protects the bias head that is fitted last: people read more alike, corpora as before, nothing else is touched."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from training.modeling.reader import ReaderModel, load_base, predict
from training.reader import invariance_fit
from training.reader.invariance_fit import TemplateGap
from training.reader.stages import ExampleEncoder
from training.types import Example

CPU = torch.device("cpu")
KEPT = [Example(f"The {word} council met in June.", "x") for word in ("new", "vile", "old", "shameful")] * 8


@pytest.fixture
def made(tiny_base: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[ReaderModel, ExampleEncoder]:
    monkeypatch.setattr(invariance_fit, "_STEPS", 150)
    torch.manual_seed(1)
    model, tokenizer = load_base(str(tiny_base))
    with torch.no_grad():
        model.bias.weight *= 10
    encode = ExampleEncoder(tokenizer)
    with torch.no_grad():  # Scores about one half, where a difference shows.
        model.bias.bias -= float(predict(model, encode(KEPT), device=CPU).bias.mean())
    return model, encode


def test_people_read_more_alike_and_the_corpora_as_they_did(made: tuple[ReaderModel, ExampleEncoder]) -> None:
    model, encode = made
    shift = TemplateGap(encode)
    kept = encode(KEPT)
    before, said = shift(model, device=CPU), torch.tensor(predict(model, kept, device=CPU).bias)
    invariance_fit.fit_bias_head(model, kept, encode, device=CPU)
    now = torch.tensor(predict(model, kept, device=CPU).bias)
    assert shift(model, device=CPU) < 0.7 * before
    assert float((now - said).abs().mean()) < 0.5 * float(said.std() + said.mean().abs())


def test_only_the_bias_head_changes(made: tuple[ReaderModel, ExampleEncoder]) -> None:
    model, encode = made
    before = {name: value.clone() for name, value in model.state_dict().items()}
    invariance_fit.fit_bias_head(model, encode(KEPT), encode, device=CPU)
    changed = {name for name, value in model.state_dict().items() if not torch.equal(value, before[name])}
    assert changed == {"bias_layer.weight", "bias_layer.bias", "bias.weight", "bias.bias"}
