"""Causal language models that sample in a moment: two layers, random weights, a vocabulary of whole words."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import GPT2Config, GPT2LMHeadModel, LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from training.auditing.debiasing.ideology_head import IdeologyHead
from training.auditing.generation.generator import Generator

WORDS = (
    "the people of this state will vote for a law and I think that she says it was about taxes guns health climate "
    "border army unions wages church schools rivers trees music bread water stone cloud light green slow quick old new"
).split()
LIBERAL, CONSERVATIVE = ("unions", "wages", "climate", "health"), ("border", "army", "church", "guns")
SPECIAL = ("<unk>", "<pad>", "<end>")
CPU = torch.device("cpu")
_NONE: dict[str, Any] = {"bos_token_id": None, "eos_token_id": None}


def tokenizer(*, pad: bool = True, end: bool = True) -> PreTrainedTokenizerFast:
    """One token a word; ``pad`` and ``end`` say whether it has those tokens."""
    plain = Tokenizer(
        models.WordLevel({word: at for at, word in enumerate((*SPECIAL, *WORDS))}, unk_token="<unk>")
    )
    plain.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    named = {"unk_token": "<unk>"} | ({"pad_token": "<pad>"} if pad else {})
    return PreTrainedTokenizerFast(tokenizer_object=plain, **named, **({"eos_token": "<end>"} if end else {}))


@cache
def _model(kind: str) -> Any:
    with torch.random.fork_rng():
        torch.manual_seed(11)
        size = len(SPECIAL) + len(WORDS)
        if kind == "gpt2":
            shape = GPT2Config(
                vocab_size=size,
                n_embd=32,
                n_layer=2,
                n_head=2,
                n_positions=64,
                initializer_range=0.25,
                **_NONE,
            )
            model: Any = GPT2LMHeadModel(shape)
        else:
            model = LlamaForCausalLM(
                LlamaConfig(
                    vocab_size=size,
                    hidden_size=32,
                    intermediate_size=48,
                    num_hidden_layers=2,
                    num_attention_heads=2,
                    max_position_embeddings=64,
                    initializer_range=0.25,
                    tie_word_embeddings=False,
                    **_NONE,
                )
            )
    return model.eval().requires_grad_(False)


def generator(
    kind: str = "gpt2",
    *,
    pad: bool = True,
    end: bool = True,
    batch: int = 32,
    said: list[str] | None = None,
    device: torch.device = CPU,
    bf16: bool = False,
) -> Generator:
    """A fresh generator on always the same weights: tied and with learnt places (``gpt2``), or neither (``llama``)."""
    return Generator(
        copy.deepcopy(_model(kind)).to(device) if bf16 or device != CPU else _model(kind),
        tokenizer(pad=pad, end=end),
        name=kind,
        device=device,
        batch=batch,
        bf16=bf16,
        on_message=(said if said is not None else []).append,
    )


def save(folder: Path, kind: str = "gpt2") -> Path:
    """The generator as a folder."""
    _model(kind).save_pretrained(folder)
    tokenizer().save_pretrained(folder)
    return folder


def head(width: int = 32, seed: int = 5) -> IdeologyHead:
    """A head with random weights that is rather sure of its side."""
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        made = IdeologyHead(width)
        made.answer.weight.data *= 4
        made.standardise(torch.randn(50, width) * 2 + 1)
    return made.eval().requires_grad_(False)


def ids(words: Sequence[str]) -> list[int]:
    """The tokens of words."""
    return [len(SPECIAL) + WORDS.index(word) for word in words]
