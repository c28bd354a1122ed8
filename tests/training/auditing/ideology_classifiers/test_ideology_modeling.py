"""Which weights of the classifier's encoder are trained: all but the embeddings and the lowest third of the layers."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch import nn
from transformers import AutoConfig, AutoModel

from tests.training.tiny_encoders import ARCHITECTURES, make_encoder
from training.auditing.ideology_classifiers.modeling import IdeologyEncoder


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_the_lowest_third_of_the_layers_is_frozen(architecture: str, tiny_base: Path, tmp_path: Path) -> None:
    config = AutoConfig.from_pretrained(str(make_encoder(tmp_path, architecture, like=tiny_base)))
    config.num_hidden_layers = 6
    model = IdeologyEncoder(AutoModel.from_config(config), 32, torch.ones(3, 2) / 2)
    before = {name: value.clone() for name, value in model.state_dict().items()}
    model.train()
    side, publisher = model(torch.arange(10, 20).view(2, 5), torch.ones(2, 5, dtype=torch.long))
    (side.square().sum() + publisher.square().sum()).backward()
    torch.optim.SGD(model.parameters(), lr=1.0).step()
    after = model.state_dict()
    layers = [f"{at}." for at in range(6)]
    moved = {
        layer
        for layer in layers
        for name in before
        if f"layer.{layer}" in name and not torch.equal(before[name], after[name])
    }
    assert moved == set(layers[2:])
    words = next(name for name in before if "word_embedding" in name)
    assert torch.equal(before[words], after[words])


def test_frozen_layers_have_no_dropout(tiny_base: Path) -> None:
    encoder = AutoModel.from_config(AutoConfig.from_pretrained(str(tiny_base), num_hidden_layers=3))
    model = IdeologyEncoder(encoder, encoder.config.hidden_size, torch.ones(3, 2) / 2)
    for mode in (True, False):
        model.train(mode)
        drops = {name: part.training for name, part in model.named_modules() if isinstance(part, nn.Dropout)}
        held = [name for name in drops if "embeddings" in name or "layer.0." in name]
        assert held
        assert not any(drops[name] for name in held)
        assert all(drops[name] == mode for name in drops if name not in held)
