"""The trainable reader: one encoder, three answers (span tags, sentence bias, leaning), and heads of related tasks."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn
from transformers import AutoModel, AutoTokenizer, PreTrainedTokenizerBase
from transformers.utils import logging

from core.spans import LABELS

LEANING_CLASSES = 4
"""Left, center, right, not political."""


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

    Raises OSError with the library's message where the encoder cannot be had.
    """
    logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    options = {"use_safetensors": True, "trust_remote_code": False}
    encoder = AutoModel.from_pretrained(str(base), **options)
    if getattr(encoder, "pooler", None) is not None:
        encoder.pooler = None
    tokenizer = AutoTokenizer.from_pretrained(str(base), trust_remote_code=False)
    return ReaderModel(encoder, encoder.config.hidden_size), tokenizer
