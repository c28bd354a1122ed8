"""A judge that is a fine-tuned encoder: the mean of its token states, one linear layer, a class for each side.

Liu et al. (2021), Section 5.2, fine-tune XLNet; any encoder with a fast tokenizer does. It is kept as a folder of
safetensors, the tokenizer and a table of what it was made with; nothing of it is code.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from transformers import AutoConfig, AutoModel, PreTrainedTokenizerFast
from transformers.utils import logging

from training.batches import by_length
from training.calibration.judging import Masks
from training.calibration.judging_texts import NAMES, Sides
from training.loop import TrainingError
from training.model import load_base
from training.precision import autocast

MAX_TOKENS = 128
"""Pieces of a tokenizer: enough for nearly all texts of 100 words and marks."""
DESCRIPTION, WEIGHTS, TOKENIZER = "judge.json", "model.safetensors", "tokenizer.json"
FORMAT = 1
_AT_ONCE = 64


class JudgeModel(nn.Module):
    """An encoder and a linear layer over the mean of its token states."""

    def __init__(self, encoder: nn.Module, hidden: int, classes: int) -> None:
        super().__init__()
        self.encoder = encoder
        self.dropout = nn.Dropout(0.1)
        self.answer = nn.Linear(hidden, classes)

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Logits [batch, classes] of int64 [batch, tokens] each, mask 1 for real tokens."""
        states = self.encoder(input_ids=ids, attention_mask=mask).last_hidden_state
        weights = mask.unsqueeze(-1).to(states.dtype)
        mean = (states * weights).sum(1) / weights.sum(1).clamp(min=1)
        return self.answer(self.dropout(mean))  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True)
class JudgedRow:
    """A text as pieces, and its class."""

    ids: list[int]
    label: int = 0

    def __len__(self) -> int:
        """Its pieces."""
        return len(self.ids)


def begin(base: str, classes: int) -> tuple[JudgeModel, Any]:
    """A judge that has learnt nothing yet, and its tokenizer. Raises TrainingError where the base cannot be had."""
    reader, tokenizer = load_base(base)
    return JudgeModel(reader.encoder, reader.bias.in_features, classes), tokenizer


def encoded(texts: Sequence[str], tokenizer: Any) -> list[list[int]]:
    """The pieces of masked texts, MAX_TOKENS at most."""
    if not texts:
        return []
    return [list(ids) for ids in tokenizer(list(texts), truncation=True, max_length=MAX_TOKENS)["input_ids"]]


def batch(rows: Sequence[JudgedRow], *, pad: int, device: torch.device) -> tuple[Tensor, Tensor]:
    """Pieces and mask [rows, tokens], padded to the longest."""
    width = max(len(row) for row in rows)
    ids = torch.full((len(rows), width), pad)
    mask = torch.zeros((len(rows), width), dtype=torch.long)
    for at, row in enumerate(rows):
        ids[at, : len(row)] = torch.tensor(row.ids)
        mask[at, : len(row)] = 1
    return ids.to(device), mask.to(device)


def logits(
    model: JudgeModel, rows: Sequence[JudgedRow], *, pad: int, device: torch.device
) -> NDArray[np.float64]:
    """The model's answers [rows, classes], in evaluation mode."""
    model.to(device).eval()
    found = np.zeros((len(rows), model.answer.out_features))
    with torch.inference_mode(), autocast(device):
        for chosen in by_length(rows, _AT_ONCE):
            ids, mask = batch([rows[at] for at in chosen], pad=pad, device=device)
            found[chosen] = model(ids, mask).float().cpu().numpy()
    return found


class EncoderJudge:
    """A fitted judge: of two sides a ``Judge`` of the calibration, of three one that tells left, center and right."""

    def __init__(
        self, model: JudgeModel, tokenizer: Any, masks: Masks, *, sides: Sides, device: torch.device
    ) -> None:
        self._model, self._tokenizer, self._masks, self._device = model, tokenizer, masks, device
        self.sides: Sides = sides

    @classmethod
    def load(cls, folder: Path, *, device: torch.device) -> Self:
        """The judge in ``folder``. Raises TrainingError where there is none, or it is damaged."""
        logging.set_verbosity_error()  # type: ignore[no-untyped-call]
        try:
            told = json.loads((folder / DESCRIPTION).read_text(encoding="utf-8"))
            sides, names = told["sides"], [str(name) for name in told["outlets"]]
            if told["format"] != FORMAT or sides not in NAMES:
                raise TrainingError(f"{folder.name} is a judge of another version. Train it again.")
            config = AutoConfig.from_pretrained(str(folder), trust_remote_code=False)
            encoder = AutoModel.from_config(config, trust_remote_code=False)  # type: ignore[no-untyped-call]
            if getattr(encoder, "pooler", None) is not None:
                encoder.pooler = None
            model = JudgeModel(encoder, config.hidden_size, len(NAMES[sides]))
            model.load_state_dict(load_file(folder / WEIGHTS))
            tokenizer = PreTrainedTokenizerFast(tokenizer_file=str(folder / TOKENIZER))  # type: ignore[no-untyped-call]
        except (OSError, ValueError, KeyError, TypeError, RuntimeError, SafetensorError) as error:
            raise TrainingError(
                f"{folder} holds no judge that can be read. Train one with `evenhand train run judge`."
            ) from error
        tokenizer.pad_token_id = told["pad"]
        return cls(model, tokenizer, Masks(names), sides=sides, device=device)

    def chances(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Probabilities [texts, classes] in the order of ``NAMES``; alike for a text with no word left to read."""
        read = [self._masks.tokens(text) for text in texts]
        rows = [JudgedRow(ids) for ids in encoded([" ".join(words) for words in read], self._tokenizer)]
        found = logits(self._model, rows, pad=int(self._tokenizer.pad_token_id or 0), device=self._device)
        powers = np.exp(found - found.max(axis=1, keepdims=True))
        chances = np.asarray(powers / powers.sum(axis=1, keepdims=True), dtype=np.float64)
        chances[[not any(word.isalnum() for word in words) for words in read]] = 1 / chances.shape[1]
        return chances

    def liberal(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """p(liberal) [texts]; of three sides the share of the left in left and right."""
        found = self.chances(texts)
        if self.sides == "two":
            return found[:, 1]
        return np.asarray(found[:, 0] / (found[:, 0] + found[:, 2]).clip(min=1e-12), dtype=np.float64)


def save(
    folder: Path,
    model: JudgeModel,
    tokenizer: Any,
    *,
    sides: Sides,
    outlets: Sequence[str],
    facts: dict[str, Any],
) -> None:
    """Write a judge into ``folder``: weights, shape, tokenizer, the outlets that are masked, and ``facts``."""
    folder.mkdir(parents=True, exist_ok=True)
    save_file(
        {name: value.contiguous().cpu() for name, value in model.state_dict().items()}, folder / WEIGHTS
    )
    model.encoder.config.save_pretrained(str(folder))  # type: ignore[union-attr, operator]
    tokenizer.backend_tokenizer.save(str(folder / TOKENIZER))
    told = {
        "format": FORMAT,
        "sides": sides,
        "classes": list(NAMES[sides]),
        "pad": int(tokenizer.pad_token_id or 0),
        "outlets": sorted(outlets),
        **facts,
    }
    (folder / DESCRIPTION).write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
