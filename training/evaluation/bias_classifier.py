"""A sentence classifier, biased or neutral, that takes no part in filtering or in the shipped reader.

It scores rewrites as WIKIBIAS scores them (section 3.3, "Acc"): by the share that reads neutral. It is trained on
both sides of WNC's train pairs and on CW-Hard's statements, without near duplicates of sentences that are scored with
it.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file, save_file

from training.corpora import wikipedia
from training.corpora.wikipedia import load_pairs
from training.loop import training_loop
from training.loop.batches import EncodedExample, Stream, encode
from training.loop.events import Events
from training.modeling.reader import ReaderModel, load_base, predict, reader_loss
from training.reader.sentence_classifier import bias_loss
from training.text.near_duplicates import NearDuplicateIndex
from training.types import Example

BIAS_CLASSIFIER_BASE = "sentence-transformers/all-MiniLM-L6-v2"
_MAX_TOKENS = 72
_SIZE = 32
_DEV_SHARE = 16
_FILE = "judge.safetensors"  # The former word for the classifier, so that a trained one is found again.


@dataclass(frozen=True, slots=True)
class BiasClassifierSettings:
    """How the classifier is trained: ``base`` is an encoder of BERT's architecture by hub name or folder."""

    base: str = BIAS_CLASSIFIER_BASE
    steps: int = 400
    learning_rate: float = 1e-4
    eval_every: int = 80
    seed: int = 42
    device: str = "cpu"


class BiasClassifier:
    """A fitted classifier."""

    def __init__(self, model: ReaderModel, tokenizer: Any, *, device: str) -> None:
        self._model = model.to(device).eval()
        self._tokenizer = tokenizer
        self._device = device

    def read(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """The probability of each text that it is biased, [texts]; a text counts as neutral below 0.5."""
        rows = encode(
            [Example(text, "bias classifier") for text in texts], self._tokenizer, max_tokens=_MAX_TOKENS
        )
        logits = predict(self._model, rows, device=torch.device(self._device), size=_SIZE)
        return 1 / (1 + np.exp(-logits.bias))


def load_bias_classifier(
    data: Path, settings: BiasClassifierSettings, folder: Path, *, events: Events
) -> BiasClassifier:
    """The classifier with the weights in ``folder``; it is trained first where they are missing.

    Raises CorpusError where a corpus is missing, OSError where the base cannot be had.
    """
    torch.manual_seed(settings.seed)
    model, tokenizer = load_base(settings.base)
    path = folder / _FILE
    if path.is_file():
        model.load_state_dict(load_file(path))
        return BiasClassifier(model, tokenizer, device=settings.device)
    events.stage = "bias classifier"
    train, dev = _parts(examples(data), settings.seed)
    events.emit("start", f"{len(train)} sentences to learn from, {len(dev)} to stop by")
    _fit(
        model,
        (encode(train, tokenizer, max_tokens=_MAX_TOKENS), encode(dev, tokenizer)),
        settings,
        folder,
        events,
    )
    folder.mkdir(parents=True, exist_ok=True)
    save_file(model.state_dict(), path)
    return BiasClassifier(model, tokenizer, device=settings.device)


def examples(data: Path) -> list[Example]:
    """The training sentences: sides of WNC's train pairs that differ, and CW-Hard's statements.

    Left out: what is near a WNC dev pair, and all featured statements, since some are held out to be scored.
    """
    scored = NearDuplicateIndex(wikipedia.load_sentences(data, "dev"))
    found = [
        Example(text, "wnc", bias=bias, group=pair.group)
        for pair in load_pairs(data, "train")
        if pair.source != pair.target
        for text, bias in ((pair.source, 1.0), (pair.target, 0.0))
    ]
    found += [
        Example(example.text, "cw_hard", bias=example.bias, group=f"cw-{number}")
        for number, example in enumerate(wikipedia.load_cw_hard(data))
        if example.group != "neutral_featured"
    ]
    return [example for example in found if not scored.has_near_duplicate(example.text)]


def _parts(found: Sequence[Example], seed: int) -> tuple[list[Example], list[Example]]:
    """Train and dev by group; of CW-Hard as many neutral statements as biased ones, so that neither class is rare."""
    chooser = random.Random(seed)
    groups = sorted({example.group for example in found})
    chooser.shuffle(groups)
    held = set(groups[: max(1, len(groups) // _DEV_SHARE)])
    biased = [example for example in found if example.corpus == "cw_hard" and example.bias]
    neutral = [example for example in found if example.corpus == "cw_hard" and not example.bias]
    balanced = chooser.sample(neutral, min(len(neutral), len(biased)))
    kept = [example for example in found if example.corpus == "wnc"] + biased + balanced
    return (
        [example for example in kept if example.group not in held],
        [example for example in kept if example.group in held],
    )


def _fit(
    model: ReaderModel,
    parts: tuple[list[EncodedExample], list[EncodedExample]],
    settings: BiasClassifierSettings,
    folder: Path,
    events: Events,
) -> None:
    """Fine-tune all but the embeddings and the lowest third of the layers, which hold what any sentence needs."""
    train, dev = parts
    model.to(settings.device)
    encoder: Any = model.encoder
    for part in (encoder.embeddings, *encoder.encoder.layer[: encoder.config.num_hidden_layers // 3]):
        part.requires_grad_(False)
    device = torch.device(settings.device)
    training_loop.train(
        model,
        [Stream("bias classifier", train, 1.0, ("bias",))],
        training_loop.TrainingSettings(
            steps=settings.steps,
            batch_size=_SIZE,
            learning_rate=settings.learning_rate,
            final_lr_ratio=0.1,
            warmup=0.05,
            seed=settings.seed,
            eval_every=settings.eval_every,
            patience=3,
        ),
        loss_fn=reader_loss(model, device),
        device=device,
        events=events,
        checkpoint=folder / "judge.pt",
        eval_fn=lambda: -bias_loss(model, dev, device=device),
    )
