"""Tiny language models for the compass: one word a token, two layers, and answers that a test chooses."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
from transformers import (
    BartConfig,
    BartForSequenceClassification,
    BertConfig,
    BertForMaskedLM,
    GPT2Config,
    GPT2LMHeadModel,
    PreTrainedTokenizerFast,
)
from transformers.utils import logging

from training.auditing.compass.questionnaire import NEGATIVE, POSITIVE, STATEMENT_COUNT

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
WORDS = (
    "please respond to the following statement i with this your response what do you think about is opinion on how "
    "feel or take tell us thoughts statement a market school child people law money trade state art does . : ? "
    "example"
).split()
_SHAPE = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 48}


def vocabulary(*, without: Sequence[str] = ()) -> list[str]:
    """Every token; words in ``without`` are none."""
    words = [*WORDS, *sorted(POSITIVE), *sorted(NEGATIVE)]
    return [*SPECIAL, *dict.fromkeys(word for word in words if word not in without)]


def tokenizer(
    *, without: Sequence[str] = (), mask: bool = True, frame: bool = True
) -> PreTrainedTokenizerFast:
    """One token a word, lower case; ``mask``: it has a mask token; ``frame``: [CLS] and [SEP] go around a text."""
    plain = Tokenizer(
        models.WordLevel({word: at for at, word in enumerate(vocabulary(without=without))}, unk_token="[UNK]")
    )
    plain.normalizer = normalizers.Lowercase()
    plain.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    if frame:
        plain.post_processor = processors.TemplateProcessing(
            single="[CLS] $A [SEP]",
            pair="[CLS] $A [SEP] $B:1 [SEP]:1",
            special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
        )
    named = {"unk_token": "[UNK]", "pad_token": "[PAD]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    return PreTrainedTokenizerFast(
        tokenizer_object=plain, **named, **({"mask_token": "[MASK]"} if mask else {}), model_max_length=64
    )


def save_masked(
    folder: Path, *, favours: Mapping[str, float] | None = None, without: Sequence[str] = (), seed: int = 3
) -> Path:
    """A masked model as a folder; ``favours`` are words and what is added to their logits in every mask."""
    logging.disable_progress_bar()
    words = vocabulary(without=without)
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        shape = BertConfig(vocab_size=len(words), max_position_embeddings=64, initializer_range=0.2, **_SHAPE)
        model: Any = BertForMaskedLM(shape)
    for word, value in (favours or {}).items():
        model.cls.predictions.bias.data[words.index(word)] += value
    return _saved(model, tokenizer(without=without), folder)


def save_generator(folder: Path, *, seed: int = 5) -> Path:
    """A causal model as a folder."""
    logging.disable_progress_bar()
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        shape = GPT2Config(
            vocab_size=len(vocabulary()),
            n_embd=32,
            n_layer=2,
            n_head=2,
            n_positions=128,
            initializer_range=0.25,
            bos_token_id=None,
            eos_token_id=None,
        )
        model = GPT2LMHeadModel(shape)
    return _saved(model, tokenizer(mask=False, frame=False), folder)


def save_nli(folder: Path, *, labels: Sequence[str] = ("contradiction", "neutral", "entailment")) -> Path:
    """A BART classifier of sentence pairs as a folder."""
    logging.disable_progress_bar()
    with torch.random.fork_rng():
        torch.manual_seed(7)
        shape = BartConfig(
            vocab_size=len(vocabulary()),
            d_model=32,
            encoder_layers=1,
            decoder_layers=1,
            encoder_attention_heads=2,
            decoder_attention_heads=2,
            encoder_ffn_dim=48,
            decoder_ffn_dim=48,
            max_position_embeddings=128,
            num_labels=len(labels),
            label2id={label: at for at, label in enumerate(labels)},
            id2label=dict(enumerate(labels)),
            pad_token_id=0,
            bos_token_id=2,
            eos_token_id=3,
            decoder_start_token_id=3,
            init_std=0.5,
        )
        model = BartForSequenceClassification(shape)
    return _saved(model, tokenizer(mask=False), folder)


def _saved(model: Any, words: PreTrainedTokenizerFast, folder: Path) -> Path:
    model.save_pretrained(folder)
    words.save_pretrained(folder)
    return folder


def make_statements(data: Path) -> Path:
    """Sixty-two invented statements with invented weights in the layout of the real file; returns ``data``."""
    draw = random.Random(11)
    items = []
    for number in range(STATEMENT_COUNT):
        weights = (4, 3, 0, -1) if number % 2 else (-4, -3, 0, 1)
        axes = {
            "econ": [0, 0, 0, 0],
            "soc": [0, 0, 0, 0],
            ("econ" if number % 3 == 0 else "soc"): list(weights),
        }
        text = " ".join(draw.choice(WORDS[20:-5]) for _ in range(5))
        items.append({"id": number, "statement": f"{text} {'a ' * (number % 4)}.", **axes})
    content = {"econ_init": 0.38, "soc_init": 2.41, "items": items}
    path = data / "polilean" / "pct_scoring_weights.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), encoding="utf-8")
    return data
