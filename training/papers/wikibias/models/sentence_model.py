"""Tagged sentences as wordpieces, and the sentence classifier of section 3.1 on an encoder's [CLS] state.

Settings are those of Appendix D.1. It names no schedule, warm-up or dropout before the output layer, so the learning
rate is constant and there is no dropout there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from training.loop.batches import Stream, length_batches
from training.loop.devices import autocast
from training.loop.training_loop import TrainingError, TrainingSettings, train
from training.modeling.reader import load_base
from training.papers.wikibias.types import Budget, TrainingContext
from training.types import TaggedSentence

MAX_WORDPIECES = 128
"""Appendix D.1."""
NO_WORDPIECE = -1
"""The index of a token without a wordpiece: truncated, or of characters that the tokenizer drops."""
_AT_ONCE = 4096


@dataclass(frozen=True, slots=True)
class Row:
    """A sentence as wordpieces: ``ids`` with special tokens, and the first wordpiece of each token."""

    ids: tuple[int, ...]
    first_wordpieces: tuple[int, ...]
    sentence: TaggedSentence

    def __len__(self) -> int:
        """The number of wordpieces."""
        return len(self.ids)


@dataclass(frozen=True, slots=True)
class Batch:
    """Tensors of some rows: ``ids`` and ``mask`` int64 [batch, wordpieces], mask 1 for real wordpieces.

    ``first_wordpieces`` int64 [batch, tokens] is the first wordpiece of each token, NO_WORDPIECE where there is none.
    """

    ids: Tensor
    mask: Tensor
    first_wordpieces: Tensor


def encode(sentences: Sequence[TaggedSentence], tokenizer: Any, *, most: int = MAX_WORDPIECES) -> list[Row]:
    """The sentences as wordpieces, truncated at ``most``. Raises TrainingError for an empty sentence or token."""
    for number, sentence in enumerate(sentences, start=1):
        if not sentence.tokens or not all(token.strip() for token in sentence.tokens):
            what = "a token without characters" if sentence.tokens else "no tokens"
            raise TrainingError(
                f"Sentence {number} of {len(sentences)} has {what}. Take it out of the corpus."
            )
    return list(_rows(sentences, tokenizer, most))


def _rows(sentences: Sequence[TaggedSentence], tokenizer: Any, most: int) -> Iterator[Row]:
    # Tokens are joined by spaces, which RoBERTa's wordpieces need.
    for start in range(0, len(sentences), _AT_ONCE):
        some = sentences[start : start + _AT_ONCE]
        packed = tokenizer(
            [" ".join(sentence.tokens) for sentence in some],
            truncation=True,
            max_length=most,
            return_offsets_mapping=True,
            return_attention_mask=False,
            return_token_type_ids=False,
        )
        for ids, offsets, sentence in zip(packed["input_ids"], packed["offset_mapping"], some, strict=True):
            yield Row(tuple(ids), _first_wordpieces(sentence.tokens, offsets), sentence)


def _first_wordpieces(tokens: Sequence[str], offsets: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    """The first wordpiece of each token, from the offsets of the wordpieces; special tokens are skipped."""
    first_wordpieces = []
    piece = start = 0
    for token in tokens:
        end = start + len(token)
        while piece < len(offsets) and offsets[piece][1] <= start:
            piece += 1
        first_wordpieces.append(piece if piece < len(offsets) and offsets[piece][0] < end else NO_WORDPIECE)
        start = end + 1
    return tuple(first_wordpieces)


def collate(rows: Sequence[Row], *, pad: int, device: torch.device) -> Batch:
    """Rows as tensors, padded to their longest with ``pad`` (the tokenizer's ``pad_token_id``)."""
    each = [torch.tensor(row.ids) for row in rows]
    ids = pad_sequence(each, batch_first=True, padding_value=pad)
    mask = pad_sequence([torch.ones_like(one) for one in each], batch_first=True)
    pieces = [torch.tensor(row.first_wordpieces) for row in rows]
    first_wordpieces = pad_sequence(pieces, batch_first=True, padding_value=NO_WORDPIECE)
    return Batch(ids.to(device), mask.to(device), first_wordpieces.to(device))


Floats = NDArray[np.float64]

RATE, WIDTH = 2e-5, 768
"""The paper's learning rate, and the width of its encoder (BERT-base)."""
_PREDICT_BATCH_SIZE = 64


def scaled_learning_rate(hidden: int) -> float:
    """The paper's learning rate, scaled by the inverse of the encoder's width.

    Narrow encoders hardly change at 2e-5; the best rate of Adam scales with one over the width (Yang et al. 2021,
    Tensor Programs V). The output layer has the same rate, but see ``backbone_of``.
    """
    return RATE * WIDTH / hidden


class SentenceModel(nn.Module):
    """Encoder and output layer without intercept, as in the paper. ``cls_id`` is the id of [CLS]."""

    def __init__(self, encoder: nn.Module, hidden: int, outputs: int, *, cls_id: int) -> None:
        super().__init__()
        self.encoder = encoder
        self.head = nn.Linear(hidden, outputs, bias=False)
        self.cls_id = cls_id

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        """Logits [batch, outputs] of int64 [batch, wordpieces] each, mask 1 for real wordpieces."""
        states = self.encoder(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        places = (input_ids == self.cls_id).int().argmax(1)
        return self.head(states[torch.arange(len(states), device=states.device), places])  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True)
class Classifier:
    """A sentence model and the tokenizer of its encoder."""

    model: SentenceModel
    tokenizer: Any

    def rows(self, sentences: Sequence[TaggedSentence]) -> list[Row]:
        """The sentences as wordpieces, truncated at 128."""
        return encode(sentences, self.tokenizer)

    def logits(self, rows: Sequence[Row], *, device: torch.device) -> Tensor:
        """Logits [rows, outputs] in fp32, in the current mode of the model."""
        batch = collate(rows, pad=self.tokenizer.pad_token_id, device=device)
        return self.model(batch.ids, batch.mask).float()  # type: ignore[no-any-return]

    def read(self, rows: Sequence[Row], *, device: torch.device) -> Floats:
        """Logits [rows, outputs] of any number of rows, in evaluation mode."""
        self.model.to(device).eval()
        found = np.zeros((len(rows), self.model.head.out_features))
        with torch.inference_mode(), autocast(device):
            for indices in length_batches(rows, _PREDICT_BATCH_SIZE):
                some = self.logits([rows[at] for at in indices], device=device)
                found[indices] = some.cpu().numpy()
        return found


def new_classifier(context: TrainingContext, outputs: int) -> Classifier:
    """A new classifier on the encoder of ``context.base``, initialised with ``context.seed``.

    Raises TrainingError where the encoder cannot be had or its tokenizer has no [CLS].
    """
    torch.manual_seed(context.seed)
    reader, tokenizer = load_base(context.base)
    if tokenizer.cls_token_id is None or tokenizer.pad_token_id is None:
        raise TrainingError(
            f"{Path(context.base).name}: its tokenizer has no [CLS] or no padding. Name a base of BERT's family."
        )
    hidden = reader.bias.in_features
    return Classifier(
        SentenceModel(reader.encoder, hidden, outputs, cls_id=tokenizer.cls_token_id), tokenizer
    )


def backbone_of(encoder: nn.Module, budget: Budget) -> nn.Module | None:
    """The part with the paper's learning rate: the whole model (None), or of a short training only the encoder; new
    layers then have ten times that rate.
    """
    return encoder if budget.short else None


def train_classifier(
    classifier: Classifier,
    sentences: Sequence[TaggedSentence],
    context: TrainingContext,
    *,
    epochs: int,
    dev: Sequence[TaggedSentence],
    loss_fn: Callable[[Tensor, Sequence[Row]], Tensor],
    score: Callable[[Floats], float],
    checkpoint: Path,
) -> None:
    """Train on ``sentences`` for ``epochs``; the first epoch with the best score on ``dev`` is kept.

    ``loss_fn`` is given logits [rows, outputs] and their rows, ``score`` the logits of ``dev``. Raises TrainingError
    where there is no dev part, and as ``train`` does.
    """
    if not dev:
        raise TrainingError("The corpus has no dev part to choose the best epoch on. Add one.")
    rows, judged = classifier.rows(sentences), classifier.rows(dev)
    epoch = -(-len(rows) // context.budget.batch_size)
    settings = TrainingSettings(
        steps=epochs * epoch,
        batch_size=context.budget.batch_size,
        learning_rate=scaled_learning_rate(classifier.model.head.in_features),
        warmup=0.0,
        final_lr_ratio=1.0,
        seed=context.seed,
        weight_decay=0.0,
        eval_every=epoch,
    )
    train(
        classifier.model,
        [Stream("sentences", rows, 1.0)],
        settings,
        loss_fn=lambda _, some: loss_fn(classifier.logits(some, device=context.device), some),
        backbone=backbone_of(classifier.model.encoder, context.budget),
        device=context.device,
        events=context.events,
        checkpoint=checkpoint,
        eval_fn=lambda: score(classifier.read(judged, device=context.device)),
    )
