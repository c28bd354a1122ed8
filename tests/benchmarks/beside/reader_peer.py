"""The reader's encoder and heads in transformers on torch, fp32, reading in batches in input order.

Its time does not depend on its weights, so it is built from sizes, and they are drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import torch
from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

from tests.benchmarks.beside.reading import BATCH

MOST_TOKENS = 128
SIZES = {
    "vocab_size": 30522,
    "hidden_size": 384,
    "num_hidden_layers": 12,
    "num_attention_heads": 12,
    "intermediate_size": 1536,
    "max_position_embeddings": 512,
}
HEADS = (7, 1, 4)
"""Outputs for spans (of each token), bias and leaning."""


def reader_peer(bundle: Path, threads: int) -> Callable[[Sequence[str]], None]:
    """A function that reads sentences with the tokenizer of the reader in ``bundle``."""
    torch.set_num_threads(threads)
    encoder = BertModel(BertConfig(**SIZES), add_pooling_layer=False).eval()
    heads = [torch.nn.Linear(SIZES["hidden_size"], size) for size in HEADS]
    tokenizer = PreTrainedTokenizerFast(tokenizer_file=str(bundle / "tokenizer.json"), pad_token="[PAD]")

    def read(sentences: Sequence[str]) -> None:
        with torch.inference_mode():
            for at in range(0, len(sentences), BATCH):
                batch = tokenizer(
                    list(sentences[at : at + BATCH]),
                    padding=True,
                    truncation=True,
                    max_length=MOST_TOKENS,
                    return_tensors="pt",
                )
                ids, mask = batch["input_ids"], batch["attention_mask"]
                tokens = encoder(input_ids=ids, attention_mask=mask).last_hidden_state
                kept = mask.unsqueeze(-1)
                pooled = (tokens * kept).sum(1) / kept.sum(1)
                _ = heads[0](tokens), heads[1](pooled), heads[2](pooled)

    return read
