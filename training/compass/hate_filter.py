"""Hateful texts are taken out before a model is pre-trained on the rest (Feng et al. 2023, section 3).

The paper's filter is a RoBERTa that was fine-tuned on the hate speech of TweetEval.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import torch

from training.batches import by_length
from training.loop import TrainingError
from training.pretrained import pretrained

EXAMPLE = "cardiffnlp/twitter-roberta-base-hate"
THRESHOLD = 0.5
_BATCH = 32
_TOKENS = 256
_HATEFUL = ("hate", "hateful", "label_1")
"""What classifiers call the class."""

Scorer = Callable[[Sequence[str]], list[float]]
"""The probability of each text that it is hateful."""


def without_hate(texts: Sequence[str], scorer: Scorer) -> list[str]:
    """The texts that ``scorer`` finds hateful with a probability of less than one half, in their order."""
    return [text for text, chance in zip(texts, scorer(texts), strict=True) if chance < THRESHOLD]


def load_scorer(base: str | Path, *, device: torch.device) -> Scorer:
    """A classifier of hate speech by hub name or folder: safetensors only, no remote code. It reads 256 tokens a text.

    Raises TrainingError where it cannot be had or has no class of hate.
    """
    opened = pretrained(
        "classes",
        base,
        otherwise=f"a classifier of hate speech. Say --hate-filter {EXAMPLE} while there is a network, or a folder "
        "that holds one as safetensors.",
    )
    name, model, tokenizer = opened.name, opened.model, opened.tokenizer
    classes = {label.lower(): number for label, number in model.config.label2id.items()}
    hateful = next((classes[label] for label in _HATEFUL if label in classes), None)
    if not opened.whole or hateful is None:
        raise TrainingError(f"{name} has no trained class called hate. Name a classifier of hate speech.")
    model = opened.still(device)

    @torch.inference_mode()
    def scorer(texts: Sequence[str]) -> list[float]:
        longest = min(_TOKENS, tokenizer.model_max_length)
        rows = tokenizer(list(texts), truncation=True, max_length=longest)["input_ids"] if texts else []
        found = [0.0] * len(rows)
        for part in by_length(rows, _BATCH):
            pad = tokenizer.pad({"input_ids": [rows[at] for at in part]}, return_tensors="pt").to(device)
            logits = model(input_ids=pad["input_ids"], attention_mask=pad["attention_mask"]).logits.float()
            for at, chance in zip(part, logits.softmax(1)[:, hateful].tolist(), strict=True):
                found[at] = chance
        return found

    return scorer
