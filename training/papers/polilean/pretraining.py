"""Continued pre-training on partisan texts, masked or causal as the model is (Feng et al. 2023, Table 9)."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from training.auditing.compass.models_under_test import MASKED, ModelUnderTest
from training.auditing.compass.probes import max_tokens
from training.loop.batches import Stream
from training.loop.events import Events
from training.loop.training_loop import TrainingError, TrainingSettings, train
from training.modeling.pretrained import load_pretrained, write_model

BATCH_SIZE, LEARNING_RATE, WEIGHT_DECAY, WARMUP = 32, 2e-5, 1e-5, 0.06
MASKED_SHARE = 0.15
"""Share of the tokens to predict (Devlin et al. 2019, section 3.1): 80% masked, 10% replaced, 10% unchanged."""
_IGNORED = -100


@dataclass(frozen=True, slots=True)
class Budget:
    """How much is trained: at most ``blocks`` (None: all) of ``tokens``, for ``epochs``."""

    blocks: int | None
    tokens: int
    epochs: int

    def as_fact(self) -> str:
        """The text in the facts of a model. It is fixed, so that models of earlier versions are found."""
        return f"Effort(blocks={self.blocks}, tokens={self.tokens}, epochs={self.epochs})"


SCALES = {
    "smoke": Budget(blocks=8, tokens=32, epochs=1),
    "cpu": Budget(blocks=1280, tokens=64, epochs=1),
    "full": Budget(blocks=None, tokens=512, epochs=20),
}
"""``full`` has the twenty epochs of Table 9; the paper does not name the length of a block."""


def pretrain(
    model_to_train: ModelUnderTest,
    texts: Sequence[str],
    budget: Budget,
    *,
    seed: int,
    device: torch.device,
    events: Events,
    folder: Path,
) -> Path:
    """Train the model on ``texts`` and return its folder; an existing one is returned as it is.

    An interrupted training resumes from its checkpoint. A missing output layer is trained at ten times the learning
    rate. Instead of Table 9's Adam, AdamW with the library's betas and epsilon is used. Raises TrainingError if the
    model is not available, the texts are too few for one block, or the folder cannot be written, and StoppedError if
    the run is stopped.
    """
    if (folder / "config.json").is_file():
        return folder
    torch.manual_seed(seed)  # A head that is missing is drawn.
    model, tokenizer, whole = _open(model_to_train, device, events)
    rows = cut_blocks(tokenizer, texts, tokens=min(budget.tokens, max_tokens(model)))
    if budget.blocks is not None and len(rows) > budget.blocks:
        rows = random.Random(seed).sample(rows, budget.blocks)
    if not rows:
        raise TrainingError(
            f"The texts of {events.stage} do not fill one block of {budget.tokens} tokens. Name a larger corpus."
        )
    settings = TrainingSettings(
        steps=budget.epochs * -(-len(rows) // BATCH_SIZE),
        batch_size=BATCH_SIZE,
        learning_rate=LEARNING_RATE,
        weight_decay=WEIGHT_DECAY,
        warmup=WARMUP,
        seed=seed,
    )
    events.emit("stage", f"{len(rows)} blocks of {budget.tokens} tokens", steps=settings.steps)
    checkpoint = folder.with_name(f"{folder.name}.pt")
    train(
        model,
        [Stream("texts", rows, 1.0)],
        settings,
        loss_fn=_masked_loss(model, tokenizer, device)
        if model_to_train.kind == MASKED
        else _causal_loss(model, device),
        device=device,
        events=events,
        backbone=None if whole else model.base_model,
        checkpoint=checkpoint,
    )
    write_model(model, tokenizer, folder)
    checkpoint.unlink(missing_ok=True)
    return folder


def cut_blocks(tokenizer: Any, texts: Sequence[str], *, tokens: int) -> list[list[int]]:
    """The concatenated texts, cut into blocks of ``tokens``; the remainder is dropped.

    An end or separator token stands between texts; blocks get the special tokens that the tokenizer puts around a text.
    """
    frame = tokenizer("", add_special_tokens=True)["input_ids"]
    first, last = frame[: len(frame) // 2], frame[len(frame) // 2 :]
    between = tokenizer.eos_token_id if tokenizer.sep_token_id is None else tokenizer.sep_token_id
    stream: list[int] = []
    for text in texts:
        stream += tokenizer(text, add_special_tokens=False)["input_ids"]
        stream += [] if between is None else [between]
    inner = tokens - len(frame)
    return [
        [*first, *stream[at : at + inner], *last] for at in range(0, len(stream) - inner + 1, max(1, inner))
    ]


def mask_tokens(ids: Tensor, tokenizer: Any, *, words: int) -> tuple[Tensor, Tensor]:
    """Tokens [B, T] with masks, and labels [B, T], -100 for tokens that are not predicted; special tokens never are.

    Uses torch's global random generator, which a checkpoint saves.
    """
    special = torch.isin(ids, torch.tensor(tokenizer.all_special_ids))
    asked = (torch.rand(ids.shape) < MASKED_SHARE) & ~special
    labels = torch.where(asked, ids, torch.full_like(ids, _IGNORED))
    draw = torch.rand(ids.shape)
    hidden = torch.where(asked & (draw < 0.8), torch.full_like(ids, tokenizer.mask_token_id), ids)
    other = torch.randint(words, ids.shape)
    return torch.where(asked & (draw >= 0.9), other, hidden), labels


def _masked_loss(
    model: Any, tokenizer: Any, device: torch.device
) -> Callable[[Stream[list[int]], Sequence[list[int]]], Tensor]:
    words = len(tokenizer)

    def of_batch(_stream: Stream[list[int]], rows: Sequence[list[int]]) -> Tensor:
        ids, labels = mask_tokens(torch.tensor(list(rows)), tokenizer, words=words)
        if not bool((labels != _IGNORED).any()):  # a batch of few tokens may be asked for none
            labels[:, 1] = ids[:, 1]
        loss: Tensor = model(input_ids=ids.to(device), labels=labels.to(device)).loss
        return loss

    return of_batch


def _causal_loss(
    model: Any, device: torch.device
) -> Callable[[Stream[list[int]], Sequence[list[int]]], Tensor]:
    def of_batch(_stream: Stream[list[int]], rows: Sequence[list[int]]) -> Tensor:
        ids = torch.tensor(list(rows), device=device)
        loss: Tensor = model(input_ids=ids, labels=ids).loss
        return loss

    return of_batch


def _open(model_to_train: ModelUnderTest, device: torch.device, events: Events) -> tuple[Any, Any, bool]:
    """The model, its tokenizer, and whether all weights were there.

    An encoder without a masked language modeling layer gets a new one over its word embeddings.
    """
    opened = load_pretrained(
        "masked" if model_to_train.kind == MASKED else "causal",
        model_to_train.base,
        otherwise="a language model. Name a folder that holds one as safetensors, or, with a network "
        "connection, a name of the Hugging Face hub.",
    )
    if not opened.is_complete:
        events.emit(
            "warning", f"{opened.name} has no trained output layer: a new one is trained on these texts."
        )
    return opened.model.to(device), opened.tokenizer, opened.is_complete
