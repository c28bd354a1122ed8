"""Reading encoded rows with the trainable model, or with the graph that was made of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from onnxruntime import InferenceSession

from core.spans import Span, decode
from training.batches import Encoded, by_length, collate
from training.model import ReaderModel
from training.precision import autocast

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Logits:
    """Raw answers for rows: ``spans`` one [tokens, 7] each, ``bias`` [rows], ``leaning`` [rows, 4]."""

    spans: list[Floats]
    bias: Floats
    leaning: Floats


def read(model: ReaderModel, rows: Sequence[Encoded], *, device: torch.device, size: int = 64) -> Logits:
    """Read all rows in evaluation mode, bf16 where the device trains in it, in order of length."""
    model.to(device).eval()
    spans: list[Floats] = [np.zeros((0, 7))] * len(rows)
    bias = np.zeros(len(rows))
    leaning = np.zeros((len(rows), 4))
    with torch.inference_mode(), autocast(device):
        for indices in by_length(rows, size):
            batch = collate([rows[at] for at in indices]).to(device)
            output = model(batch.ids, batch.mask)
            tags = output.spans.float().cpu().numpy().astype(np.float64)
            bias[indices] = output.bias.float().cpu().numpy()
            leaning[indices] = output.leaning.float().cpu().numpy()
            for at, index in enumerate(indices):
                spans[index] = tags[at, : len(rows[index].ids)]
    return Logits(spans, bias, leaning)


def read_graph(graph: Path, rows: Sequence[Encoded]) -> Logits:
    """Read all rows with an exported reader, one row a run as the engine does."""
    session = InferenceSession(str(graph), providers=["CPUExecutionProvider"])
    spans: list[Floats] = []
    bias, leaning = np.zeros(len(rows)), np.zeros((len(rows), 4))
    for at, row in enumerate(rows):
        ids = np.array([row.ids], dtype=np.int64)
        given = {"input_ids": ids, "attention_mask": np.ones_like(ids)}
        tags, bias[at], leaning[at] = (found[0] for found in session.run(["spans", "bias", "leaning"], given))
        spans.append(tags.astype(np.float64))
    return Logits(spans, bias, leaning)


def softmax(logits: Floats, temperature: float = 1.0) -> Floats:
    """Softmax over the last axis."""
    scaled = logits / temperature
    powers = np.exp(scaled - scaled.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True))


def spans_of(
    logits: Logits, rows: Sequence[Encoded], *, threshold: float, temperature: float = 1.0
) -> list[list[Span]]:
    """Decode every row with the engine's own decoder."""
    return [
        decode(
            softmax(tags, temperature).astype(np.float32), row.offsets, row.example.text, threshold=threshold
        )
        for tags, row in zip(logits.spans, rows, strict=True)
    ]
