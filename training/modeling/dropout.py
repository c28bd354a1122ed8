"""Dropout that costs little on a processor, where drawing random numbers takes a fifth of a step's time."""

from __future__ import annotations

from typing import Any

from torch import Tensor, nn


class SharedDropout(nn.Dropout):
    """Dropout of whole features: one mask [rows, 1, hidden], which all tokens of a row share.

    Source: Gal and Ghahramani (2016), section 4, for recurrent networks.
    """

    def forward(self, states: Tensor) -> Tensor:
        """``states`` [rows, tokens, hidden], with the features of the mask set to zero."""
        if not self.training:
            return states
        return states * super().forward(states.new_ones(states.shape[0], 1, states.shape[2]))


def share_dropout(encoder: Any) -> None:
    """Give every dropout of the states of a BERT or MPNet one mask for all tokens, and its attention none.

    Attention is then computed by plain products, whose backward pass is the fastest on a processor.
    """
    for layer in list(encoder.modules()):
        for name, child in list(layer.named_children()):
            if type(child) is nn.Dropout:
                in_attention = hasattr(layer, "query") or hasattr(layer, "q")
                shared = nn.Dropout(0.0) if in_attention else SharedDropout(child.p)
                setattr(layer, name, shared.train(child.training))
    if encoder.config.model_type == "bert":
        encoder.set_attn_implementation("eager")
