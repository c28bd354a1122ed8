"""The trainable reader: one encoder, three answers (span tags, sentence bias, leaning), and heads of related tasks."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors import SafetensorError
from torch import Tensor, nn
from transformers import AutoModel, AutoTokenizer, PreTrainedTokenizerBase
from transformers.utils import logging

from core.spans import LABELS
from training.loop import TrainingError

LEANING_CLASSES = 4
"""Left, center, right, not political."""

TOKENIZERS = (
    "tokenizer.json",
    "vocab.txt",
    "tokenizer.model",
    "spiece.model",
    "sentencepiece.bpe.model",
    "vocab.json",
)
WEIGHTS = ("model.safetensors", "model.safetensors.index.json")


@dataclass(frozen=True, slots=True)
class ReaderOutput:
    """Logits: ``spans`` [batch, tokens, 7], ``bias`` [batch], ``leaning`` [batch, 4].

    ``meaning`` [batch, hidden] is the mean of the token states, by which texts are compared.
    """

    spans: Tensor
    bias: Tensor
    leaning: Tensor
    meaning: Tensor


class ReaderModel(nn.Module):
    """Encoder and heads. The sentence heads read the mean of the token states, each through its own layer."""

    def __init__(self, encoder: nn.Module, hidden: int, *, dropout: float = 0.1) -> None:
        super().__init__()
        self.encoder = encoder
        self.dropout = nn.Dropout(dropout)
        self.spans = nn.Linear(hidden, len(LABELS))
        self.bias_layer = nn.Linear(hidden, hidden)
        self.bias = nn.Linear(hidden, 1)
        self.leaning_layer = nn.Linear(hidden, hidden)
        self.leaning = nn.Linear(hidden, LEANING_CLASSES)
        self.related = nn.ModuleDict()

    def add_related(self, classes: dict[str, int]) -> None:
        """Give each related task a linear head over the mean state."""
        for name, count in classes.items():
            self.related[name] = nn.Linear(self.bias.in_features, count)

    def encode(self, input_ids: Tensor, attention_mask: Tensor) -> tuple[Tensor, Tensor]:
        """Token states [batch, tokens, hidden] and their mean over real tokens [batch, hidden]."""
        states = self.encoder(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        mask = attention_mask.unsqueeze(-1).to(states.dtype)
        return states, (states * mask).sum(1) / mask.sum(1).clamp(min=1)

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> ReaderOutput:
        """Read a batch: int64 [batch, tokens] each, mask 1 for real tokens."""
        states, mean = self.encode(input_ids, attention_mask)
        bias_state = torch.tanh(self.bias_layer(self.dropout(mean)))
        leaning_state = torch.tanh(self.leaning_layer(self.dropout(mean)))
        return ReaderOutput(
            spans=self.spans(self.dropout(states)),
            bias=self.bias(self.dropout(bias_state)).squeeze(-1),
            leaning=self.leaning(self.dropout(leaning_state)),
            meaning=mean,
        )

    def related_logits(self, input_ids: Tensor, attention_mask: Tensor, task: str) -> Tensor:
        """Logits [batch, classes] of a related task."""
        _, mean = self.encode(input_ids, attention_mask)
        return self.related[task](self.dropout(mean))  # type: ignore[no-any-return]


def load_base(base: str | Path) -> tuple[ReaderModel, PreTrainedTokenizerBase]:
    """A fresh reader on an encoder by hub name or folder (safetensors only, no remote code), and its tokenizer.

    Raises TrainingError that says what is missing where the encoder or its tokenizer cannot be had.
    """
    logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    name = Path(base).name if Path(base).is_dir() else str(base)
    # Without its files the library would make up an empty tokenizer.
    if Path(base).is_dir() and not _has(Path(base), TOKENIZERS):
        raise TrainingError(f"{name}: {_lacking(Path(base), TOKENIZERS, 'tokenizer')}")
    try:
        tokenizer = AutoTokenizer.from_pretrained(str(base), trust_remote_code=False)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise TrainingError(f"{name}: {_lacking(Path(base), TOKENIZERS, 'tokenizer')}") from error
    if not getattr(tokenizer, "is_fast", False):
        raise TrainingError(
            f"{name}: its tokenizer tells no places in the text. Name a base with a tokenizer.json."
        )
    try:
        encoder = AutoModel.from_pretrained(str(base), use_safetensors=True, trust_remote_code=False)
    except (OSError, ValueError, KeyError, SafetensorError) as error:
        raise TrainingError(f"{name}: {_lacking(Path(base), WEIGHTS, 'weights')}") from error
    if getattr(encoder, "pooler", None) is not None:
        encoder.pooler = None
    return ReaderModel(encoder, encoder.config.hidden_size), tokenizer


def _lacking(base: Path, files: tuple[str, ...], what: str) -> str:
    """Why a base cannot be used, and what to do."""
    if not base.is_dir():
        return (
            "this base model cannot be had. Name a folder that holds one, or a name of the Hugging Face hub while "
            "there is a network."
        )
    if not _has(base, files):
        return f"there is no {what} in this folder ({' or '.join(files)}). Copy the base model's files there."
    return (
        f"its {what} cannot be read. Copy the base model again, as safetensors and without code of its own."
    )


def _has(base: Path, files: tuple[str, ...]) -> bool:
    return any((base / file).is_file() for file in files)
