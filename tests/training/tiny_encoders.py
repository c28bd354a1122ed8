"""Random encoders of several architectures with one small tokenizer, as local folders."""

from __future__ import annotations

from pathlib import Path

from transformers import (
    AutoTokenizer,
    BertConfig,
    BertModel,
    MPNetConfig,
    MPNetModel,
    RobertaConfig,
    RobertaModel,
    XLNetConfig,
    XLNetModel,
)
from transformers.utils import logging

_SHAPE = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64}
ARCHITECTURES = ("bert", "roberta", "xlnet", "mpnet")


def make_encoder(folder: Path, architecture: str, *, like: Path) -> Path:
    """An encoder of two layers of 32 with the tokenizer in ``like``; XLNet pads on the left, as published ones do."""
    logging.disable_progress_bar()  # a bar leaves a thread behind
    tokenizer = AutoTokenizer.from_pretrained(str(like))
    size = len(tokenizer)
    if architecture == "bert":
        model = BertModel(BertConfig(vocab_size=size, **_SHAPE))
    elif architecture == "roberta":
        model = RobertaModel(RobertaConfig(vocab_size=size, max_position_embeddings=132, **_SHAPE))
    elif architecture == "mpnet":
        model = MPNetModel(MPNetConfig(vocab_size=size, max_position_embeddings=132, **_SHAPE))
    else:
        model = XLNetModel(XLNetConfig(vocab_size=size, d_model=32, n_layer=2, n_head=2, d_inner=64))
        tokenizer.padding_side = "left"
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder
