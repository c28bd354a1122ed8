"""One mask for all tokens of a row: what is dropped, what is kept, and that the trained weights stay the same ones."""

from __future__ import annotations

from copy import deepcopy

import pytest
import torch
from torch import nn
from transformers import BertConfig, BertModel, MPNetConfig, MPNetModel

from training.modeling.dropout import SharedDropout, share_dropout

SIZES = {
    "vocab_size": 30,
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 32,
}
TINY, TINY_MPNET = BertConfig(**SIZES), MPNetConfig(**SIZES)


def test_a_feature_is_dropped_in_every_token_of_a_row_or_in_none() -> None:
    torch.manual_seed(1)
    found = SharedDropout(0.5)(torch.ones(6, 5, 40))
    assert {round(value, 3) for value in found.unique().tolist()} == {0.0, 2.0}
    assert bool((found == found[:, :1]).all())
    assert len({tuple(row[0].tolist()) for row in found}) == 6


def test_the_mean_of_the_states_stays() -> None:
    torch.manual_seed(2)
    assert abs(float(SharedDropout(0.1)(torch.ones(64, 3, 500)).mean()) - 1) < 0.02


def test_nothing_is_dropped_outside_training() -> None:
    states = torch.rand(2, 3, 8)
    assert SharedDropout(0.5).eval()(states) is states


def test_an_encoder_keeps_its_weights_and_its_states() -> None:
    encoder = BertModel(TINY, add_pooling_layer=False).eval()
    changed = deepcopy(encoder)
    share_dropout(changed)
    ids = torch.tensor([[1, 2, 3, 0], [4, 5, 6, 7]])
    mask = torch.tensor([[1, 1, 1, 0], [1, 1, 1, 1]])
    expected = encoder(input_ids=ids, attention_mask=mask).last_hidden_state
    found = changed(input_ids=ids, attention_mask=mask).last_hidden_state
    assert list(encoder.state_dict()) == list(changed.state_dict())
    torch.testing.assert_close(found[mask.bool()], expected[mask.bool()], rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    ("encoder", "attention"),
    [
        (BertModel(TINY, add_pooling_layer=False), "attention.self.dropout"),
        (MPNetModel(TINY_MPNET, add_pooling_layer=False), "attention.attn.dropout"),
    ],
    ids=("bert", "mpnet"),
)
def test_every_dropout_of_an_encoder_is_shared_and_attention_has_none(
    encoder: nn.Module, attention: str
) -> None:
    share_dropout(encoder)
    found = {name: part for name, part in encoder.named_modules() if isinstance(part, nn.Dropout)}
    inside = [part for name, part in found.items() if name.endswith(attention)]
    outside = [part for name, part in found.items() if not name.endswith(attention)]
    assert {part.p for part in inside} == {0.0}
    assert {(type(part), part.p) for part in outside} == {(SharedDropout, 0.1)}
    ids = torch.tensor([[1, 2, 3]])
    assert encoder.train()(input_ids=ids).last_hidden_state.shape == (1, 3, 16)
