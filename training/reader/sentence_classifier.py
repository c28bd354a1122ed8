"""Sentence classifiers on any encoder: their training on a fold in either protocol, and their scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import nn

from training.loop.batches import EncodedExample, Stream, encode
from training.loop.events import Events
from training.loop.training_loop import TrainingError, TrainingSettings, train
from training.metrics import accuracy, macro_f1, weighted_f1
from training.modeling.reader import ReaderModel, decode_spans, load_base, predict, reader_loss
from training.reader.dev_scores import edited_span_scores, span_tuples
from training.types import Example

MAX_TOKENS = 128
BATCH_SIZE, EARLY_STOPPING_BATCH_SIZE = 32, 64
LEARNING_RATE = 5e-5
PATIENCE = 2
_RELATED, _CLASSES = "related.", "classes."
_SPAN_THRESHOLD = 0.4


@dataclass(frozen=True, slots=True)
class Classifier:
    """A reader of which only the bias head is trained and scored, and the tokenizer of its encoder."""

    model: ReaderModel
    tokenizer: Any

    def rows(self, examples: Sequence[Example]) -> list[EncodedExample]:
        """The examples as tokens, cut at 128."""
        return encode(examples, self.tokenizer, max_tokens=MAX_TOKENS)


def new_classifier(
    base: str, *, seed: int, encoder: Path | None = None, auxiliary: Path | None = None
) -> Classifier:
    """A classifier with fresh heads on ``base`` (hub name or folder).

    ``encoder`` holds other weights for the encoder alone; ``auxiliary`` those of a reader after its broad stage.
    Raises TrainingError where the base cannot be had or the weights are not of its shape.
    """
    torch.manual_seed(seed)
    model, tokenizer = load_base(base)
    if encoder is not None:
        _put(model.encoder, encoder)
    if auxiliary is not None:
        _put(model, auxiliary)
    return Classifier(model, tokenizer)


def train_classifier(
    classifier: Classifier,
    streams: Sequence[Stream[EncodedExample]],
    *,
    early_stopping: bool,
    epochs: int,
    scored: Sequence[EncodedExample],
    seed: int,
    device: torch.device,
    events: Events,
    checkpoint: Path | None = None,
) -> None:
    """Train on all rows of ``streams``, an epoch being as many steps as all of them fill.

    With ``early_stopping`` (as in Spinde et al. 2021): at most ``epochs`` at a constant learning rate, until the loss
    on ``scored`` has not improved for two epochs; the best epoch counts. Without it: ``epochs`` with warm-up and decay,
    the heads at ten times the encoder's learning rate; ``scored`` is not used.
    """
    size = EARLY_STOPPING_BATCH_SIZE if early_stopping else BATCH_SIZE
    epoch = sum(-(-len(stream.rows) // size) for stream in streams)
    model = classifier.model
    settings = TrainingSettings(steps=epochs * epoch, batch_size=size, learning_rate=LEARNING_RATE, seed=seed)
    if early_stopping:
        settings = replace(
            settings,
            warmup=0.0,
            final_lr_ratio=1.0,
            weight_decay=0.0,
            eval_every=epoch,
            patience=PATIENCE,
        )
    train(
        model,
        streams,
        settings,
        loss_fn=reader_loss(model, device),
        backbone=None if early_stopping else model.encoder,
        device=device,
        events=events,
        checkpoint=checkpoint,
        eval_fn=(lambda: -bias_loss(model, scored, device=device)) if early_stopping else None,
    )


def evaluate(
    model: ReaderModel, rows: Sequence[EncodedExample], *, device: torch.device, words: bool = False
) -> dict[str, float]:
    """Macro and weighted F1 and accuracy of the sentence label; with ``words`` also the F1 of the biased sentences'
    marked words, exact and overlapping.
    """
    logits = predict(model, rows, device=device)
    gold = [int(row.example.bias or 0) for row in rows]
    found = label_scores(gold, (logits.bias > 0).astype(int).tolist())
    if words:
        spans = decode_spans(logits, rows, threshold=_SPAN_THRESHOLD)
        scores = edited_span_scores(span_tuples(spans), rows)
        found.update(span_exact_f1=scores["exact_f1"], span_overlap_f1=scores["overlap_f1"])
    return found


def label_scores(gold: Sequence[int], found: Sequence[int]) -> dict[str, float]:
    """The scores of a cell."""
    return {
        "macro_f1": macro_f1(gold, found),
        "weighted_f1": weighted_f1(gold, found),
        "accuracy": accuracy(gold, found),
    }


def bias_loss(model: ReaderModel, rows: Sequence[EncodedExample], *, device: torch.device) -> float:
    """The mean cross-entropy of the sentence labels of ``rows``."""
    logits = predict(model, rows, device=device).bias
    gold = np.array([float(row.example.bias or 0.0) for row in rows])
    return float(np.mean(np.logaddexp(0.0, logits) - gold * logits))


def _put(module: nn.Module, weights: Path) -> None:
    """Load weights; the heads of auxiliary tasks are left out."""
    try:
        state = {name: value for name, value in load_file(weights).items() if not name.startswith(_RELATED)}
        for name, fresh in module.state_dict().items():
            if name.startswith(_CLASSES):  # Readers of earlier versions have no classes.
                state.setdefault(name, fresh)
        module.load_state_dict(state)
    except (OSError, SafetensorError, RuntimeError) as error:
        raise TrainingError(
            f"{weights.name} does not hold the weights of this encoder. Name the one it was trained from."
        ) from error
