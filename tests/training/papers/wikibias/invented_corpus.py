"""An invented corpus in the tables' own form: sentences that one adjective makes biased, and of its kind."""

from __future__ import annotations

import io
import random
from pathlib import Path

import torch
from safetensors.torch import load_file
from transformers import AutoTokenizer, BertConfig, BertModel
from transformers.utils import logging

from core.types import KINDS
from tests.training.tiny_corpora import ADJECTIVES, NOUNS, VERBS
from training.loop.events import Events
from training.papers.wikibias.types import Budget, Corpus, TrainingContext
from training.types import BEGIN, OUTSIDE, TaggedSentence

KIND_OF = dict(zip(ADJECTIVES, (kind for kind in KINDS for _ in range(2)), strict=True))
"""The rule that the systems are to find: two adjectives of each kind."""


def assert_same_weights(one: Path, other: Path) -> None:
    """Every stage of the first folder stands in the other one with equal weights."""
    for path in one.iterdir():
        there = load_file(other / path.name)
        assert all(torch.equal(value, there[name]) for name, value in load_file(path).items())


def tagged(text: str, *, group: str = "", kinds: bool = True) -> TaggedSentence:
    """A sentence with its adjectives tagged; without ``kinds`` nobody has said which they are."""
    tokens = tuple(text.split())
    marked = [token for token in tokens if token in KIND_OF]
    return TaggedSentence(
        tokens,
        tuple(BEGIN if token in KIND_OF else OUTSIDE for token in tokens),
        biased=bool(marked),
        original=bool(marked),
        group=group,
        kinds=frozenset(KIND_OF[token] for token in marked) if kinds else None,
    )


def pairs(count: int, *, seed: int, kinds: bool = True) -> list[TaggedSentence]:
    """Both sides of ``count`` pairs: biased by an adjective, and without it."""
    draw = random.Random(seed)
    found = []
    for number in range(count):
        noun, verb = draw.choice(NOUNS), draw.choice(VERBS)
        for subject in (f"{draw.choice(ADJECTIVES)} {noun}", noun):
            text = f"The {subject} {verb} it ."
            found.append(tagged(text, group=f"{seed}-{number}", kinds=kinds))
    return found


def make_corpus(*, manual: int = 64, auto: int = 96, dev: int = 24, test: int = 24) -> Corpus:
    """A corpus of so many pairs in each part."""
    return Corpus(
        manual=pairs(manual, seed=1),
        auto=pairs(auto, seed=2, kinds=False),
        dev=pairs(dev, seed=3),
        test=pairs(test, seed=4),
        name="invented",
        digest="1",
    )


def make_context(base: Path, folder: Path, *, budget: Budget | None = None, seed: int = 1) -> TrainingContext:
    """Quiet work on the processor."""
    events = Events("test", stream=io.StringIO())
    return TrainingContext(str(base), seed, budget or Budget(), folder, torch.device("cpu"), events)


def make_lively_base(folder: Path, *, like: Path) -> Path:
    """An encoder of one layer of 16 with the tokenizer in ``like``; its weights are wide, so that it learns at once."""
    logging.disable_progress_bar()  # a bar leaves a thread behind
    tokenizer = AutoTokenizer.from_pretrained(str(like))
    torch.manual_seed(1)
    config = BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=128,
        initializer_range=0.2,
    )
    BertModel(config, add_pooling_layer=False).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder
