"""The trainable reader: one encoder with heads for span tags, sentence bias, political leaning and auxiliary tasks.

Also its losses, its predictions (by the model, or by the exported graph), and loading it from a bundle so that
training can continue from the model in use. The weights of a bundle are int8 with a scale for each output: what is
loaded equals the trained reader up to that rounding.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from onnxruntime import InferenceSession
from safetensors import SafetensorError
from torch import Tensor, nn
from transformers import AutoModel, AutoTokenizer, PreTrainedTokenizerBase
from transformers.utils import logging

from core.bundles.manifest import BundleError
from core.bundles.reader import load_reader_bundle
from core.bundles.tokenizer_checks import rebuild_tokenizer
from core.engine.cues import Lexicon
from core.engine.spans import Span, decode
from core.types import GUIDE_CLASSES, LABELS
from training.loop.batches import IGNORED, Batch, EncodedExample, Stream, collate, length_batches
from training.loop.devices import autocast
from training.loop.training_loop import TrainingError

_CLASS_WEIGHT = 0.3
"""The weight of the loss of the guide's classes: they explain a finding and do not decide whether there is one."""

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
    """Logits: ``spans`` [batch, tokens, 7], ``bias`` [batch], ``leaning`` [batch, 4], ``classes`` [batch, tokens, 23].

    ``classes`` are those of the guide, of a token that is marked. ``meaning`` [batch, hidden] is the mean of the token
    states, by which texts are compared.
    """

    spans: Tensor
    bias: Tensor
    leaning: Tensor
    meaning: Tensor
    classes: Tensor


class ReaderModel(nn.Module):
    """Encoder and heads. The sentence heads take the mean of the token states, each through its own layer."""

    def __init__(self, encoder: nn.Module, hidden: int, *, dropout: float = 0.1) -> None:
        super().__init__()
        self.encoder = encoder
        self.dropout = nn.Dropout(dropout)
        self.spans = nn.Linear(hidden, len(LABELS))
        self.classes = nn.Linear(hidden, len(GUIDE_CLASSES))
        self.bias_layer = nn.Linear(hidden, hidden)
        self.bias = nn.Linear(hidden, 1)
        self.leaning_layer = nn.Linear(hidden, hidden)
        self.leaning = nn.Linear(hidden, LEANING_CLASSES)
        self.related = nn.ModuleDict()

    def add_auxiliary_heads(self, classes: dict[str, int]) -> None:
        """Add a linear head over the mean state for each auxiliary task."""
        for name, count in classes.items():
            self.related[name] = nn.Linear(self.bias.in_features, count)

    def encode(self, input_ids: Tensor, attention_mask: Tensor) -> tuple[Tensor, Tensor]:
        """Token states [batch, tokens, hidden] and their mean over real tokens [batch, hidden]."""
        states = self.encoder(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        mask = attention_mask.unsqueeze(-1).to(states.dtype)
        return states, (states * mask).sum(1) / mask.sum(1).clamp(min=1)

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> ReaderOutput:
        """Logits of a batch: int64 [batch, tokens] each, mask 1 for real tokens."""
        states, mean = self.encode(input_ids, attention_mask)
        bias_state = torch.tanh(self.bias_layer(self.dropout(mean)))
        leaning_state = torch.tanh(self.leaning_layer(self.dropout(mean)))
        return ReaderOutput(
            spans=self.spans(self.dropout(states)),
            bias=self.bias(self.dropout(bias_state)).squeeze(-1),
            leaning=self.leaning(self.dropout(leaning_state)),
            meaning=mean,
            classes=self.classes(self.dropout(states)),
        )

    def auxiliary_logits(self, input_ids: Tensor, attention_mask: Tensor, task: str) -> Tensor:
        """Logits [batch, classes] of an auxiliary task."""
        _, mean = self.encode(input_ids, attention_mask)
        return self.related[task](self.dropout(mean))  # type: ignore[no-any-return]


def load_base(base: str | Path) -> tuple[ReaderModel, PreTrainedTokenizerBase]:
    """A fresh reader on an encoder by hub name or folder (safetensors only, no remote code), and its tokenizer.

    Raises TrainingError, which says what is missing, where the encoder or its tokenizer cannot be loaded.
    """
    logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    name = Path(base).name if Path(base).is_dir() else str(base)
    tokenizer = load_tokenizer(base)
    try:
        encoder = AutoModel.from_pretrained(str(base), use_safetensors=True, trust_remote_code=False)
    except (OSError, ValueError, KeyError, SafetensorError) as error:
        raise TrainingError(f"{name}: {_base_problem(Path(base), WEIGHTS, 'weights')}") from error
    if getattr(encoder, "pooler", None) is not None:
        encoder.pooler = None
    return ReaderModel(encoder, encoder.config.hidden_size), tokenizer


def load_tokenizer(base: str | Path) -> Any:
    """The fast tokenizer of an encoder. Raises TrainingError, which says what is missing."""
    name = Path(base).name if Path(base).is_dir() else str(base)
    # Without its files the library would create an empty tokenizer.
    if Path(base).is_dir() and not _has_any(Path(base), TOKENIZERS):
        raise TrainingError(f"{name}: {_base_problem(Path(base), TOKENIZERS, 'tokenizer')}")
    try:
        tokenizer = AutoTokenizer.from_pretrained(str(base), trust_remote_code=False)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise TrainingError(f"{name}: {_base_problem(Path(base), TOKENIZERS, 'tokenizer')}") from error
    if not getattr(tokenizer, "is_fast", False):
        raise TrainingError(f"{name}: its tokenizer has no offsets. Name a base with a tokenizer.json.")
    return tokenizer


def check_tokenizer(base: str | Path) -> None:
    """Raise TrainingError for a base whose tokenizer no bundle may have, before anything is trained on it."""
    name = Path(base).name if Path(base).is_dir() else str(base)
    backend = load_tokenizer(base).backend_tokenizer
    try:
        rebuild_tokenizer(Path(base), backend.to_str().encode())
    except BundleError as error:
        message = (
            "its tokenizer is not the WordPiece of BERT, the only one that a reader has. Name another base."
        )
        raise TrainingError(f"{name}: {message}") from error


def _base_problem(base: Path, files: tuple[str, ...], what: str) -> str:
    """Why a base cannot be used, and what to do."""
    if not base.is_dir():
        return (
            "this base model cannot be loaded. Name a folder that holds one, or a name on the Hugging Face hub while "
            "online."
        )
    if not _has_any(base, files):
        return f"there is no {what} in this folder ({' or '.join(files)}). Copy the base model's files there."
    return (
        f"its {what} cannot be read. Copy the base model again, as safetensors and without code of its own."
    )


def _has_any(base: Path, files: tuple[str, ...]) -> bool:
    return any((base / file).is_file() for file in files)


def reader_loss(
    model: ReaderModel, device: torch.device
) -> Callable[[Stream[EncodedExample], Sequence[EncodedExample]], Tensor]:
    """The loss of a batch of one of the reader's streams, for ``training_loop.train``."""

    def of_batch(stream: Stream[EncodedExample], rows: Sequence[EncodedExample]) -> Tensor:
        return _step_loss(model, collate(rows).to(device), stream.tasks)

    return of_batch


def task_loss(output: ReaderOutput, batch: Batch, tasks: tuple[str, ...]) -> Tensor:
    """Sum of the losses of the outputs in ``tasks``, over the rows that have labels for them."""
    examples = [row.example for row in batch.rows]
    total = output.bias.new_zeros(())
    if "spans" in tasks and bool((batch.tags != IGNORED).any()):
        total = total + _span_loss(output.spans, batch)
    if "classes" in tasks and bool((batch.classes != IGNORED).any()):
        total = total + _CLASS_WEIGHT * nn.functional.cross_entropy(
            output.classes.float().flatten(0, 1), batch.classes.flatten(), ignore_index=IGNORED
        )
    known = [at for at, example in enumerate(examples) if example.bias is not None]
    if "bias" in tasks and known:
        gold = torch.tensor([float(examples[at].bias or 0.0) for at in known], device=output.bias.device)
        total = total + nn.functional.binary_cross_entropy_with_logits(output.bias[known].float(), gold)
    known = [at for at, example in enumerate(examples) if example.leaning is not None]
    if "leaning" in tasks and known:
        gold_leaning = torch.tensor(
            [int(examples[at].leaning or 0) for at in known], device=output.bias.device
        )
        total = total + nn.functional.cross_entropy(output.leaning[known].float(), gold_leaning)
    return total + _distilled(output, batch)


def _span_loss(logits: Tensor, batch: Batch) -> Tensor:
    """Cross-entropy of the tags, unmarked words by the weight of their example; an arguable word is half unmarked."""
    scores = logits.float().log_softmax(-1)
    losses = nn.functional.nll_loss(
        scores.flatten(0, 1), batch.tags.flatten(), ignore_index=IGNORED, reduction="none"
    ).view_as(batch.tags)
    half = torch.zeros_like(batch.tags, dtype=torch.bool)
    for row, encoded in enumerate(batch.rows):
        half[row, list(encoded.arguable)] = True
    losses = torch.where(half & (batch.tags > 0), (losses - scores[..., 0]) / 2, losses)
    unmarked = torch.tensor([row.example.unmarked_weight for row in batch.rows], device=losses.device)
    weights = torch.where(batch.tags == 0, unmarked[:, None], 1.0)
    return (losses * weights).sum() / (batch.tags != IGNORED).sum()


def _distilled(output: ReaderOutput, batch: Batch) -> Tensor:
    """Cross-entropy against a teacher's probabilities, for the rows that have them (Hinton et al. 2015)."""
    total = output.bias.new_zeros(())
    taught = [(at, row.soft_labels) for at, row in enumerate(batch.rows) if row.soft_labels is not None]
    for at, soft_labels in taught:
        tags = torch.from_numpy(soft_labels.tags).to(output.spans.device)
        bias = output.bias.new_full((), soft_labels.bias).float()
        spans = output.spans[at, : len(tags)].float().log_softmax(-1)
        total = total - (tags * spans).sum(-1).mean()
        total = total + nn.functional.binary_cross_entropy_with_logits(output.bias[at].float(), bias)
    return total / max(1, len(taught))


def _step_loss(model: ReaderModel, batch: Batch, tasks: tuple[str, ...]) -> Tensor:
    if len(tasks) == 1 and tasks[0] in model.related:
        logits = model.auxiliary_logits(batch.ids, batch.attention_mask, tasks[0]).float()
        gold = torch.tensor([row.example.label for row in batch.rows], device=logits.device)
        return nn.functional.cross_entropy(logits, gold)
    return task_loss(model(batch.ids, batch.attention_mask), batch, tasks)


Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Logits:
    """Logits for rows: ``spans`` one [tokens, 7] each, ``bias`` [rows], ``leaning`` [rows, 4]."""

    spans: list[Floats]
    bias: Floats
    leaning: Floats


def predict(
    model: ReaderModel, rows: Sequence[EncodedExample], *, device: torch.device, size: int = 64
) -> Logits:
    """Logits of all rows in evaluation mode, in bf16 where the device trains in it, batched by length."""
    model.to(device).eval()
    spans: list[Floats] = [np.zeros((0, 7))] * len(rows)
    bias = np.zeros(len(rows))
    leaning = np.zeros((len(rows), 4))
    with torch.inference_mode(), autocast(device):
        for indices in length_batches(rows, size):
            batch = collate([rows[at] for at in indices]).to(device)
            output = model(batch.ids, batch.attention_mask)
            tags = output.spans.float().cpu().numpy().astype(np.float64)
            bias[indices] = output.bias.float().cpu().numpy()
            leaning[indices] = output.leaning.float().cpu().numpy()
            for at, index in enumerate(indices):
                spans[index] = tags[at, : len(rows[index].ids)]
    return Logits(spans, bias, leaning)


def predict_with_graph(graph: Path, rows: Sequence[EncodedExample]) -> Logits:
    """Logits of all rows by an exported reader, row by row as the engine does."""
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


def political_odds(leaning: Floats) -> Floats:
    """Log-odds that a text is political, from leaning logits [rows, 4]."""
    other = np.clip(softmax(leaning)[:, 3], 1e-6, 1 - 1e-6)
    return np.asarray(np.log1p(-other) - np.log(other))


def decode_spans(
    logits: Logits,
    rows: Sequence[EncodedExample],
    *,
    threshold: float,
    demographic_margin: float = 0.0,
    temperature: float = 1.0,
    cue_offset: float = 0.0,
) -> list[list[Span]]:
    """The spans of every row, by the decoder of the engine."""
    return [
        decode(
            softmax(tags, temperature).astype(np.float32),
            row.offsets,
            row.example.text,
            threshold=threshold,
            demographic_margin=demographic_margin,
            cues=_cue_words(row.example.text) if cue_offset else None,
            cue_offset=cue_offset,
        )
        for tags, row in zip(logits.spans, rows, strict=True)
    ]


@lru_cache(maxsize=20_000)
def _cue_words(text: str) -> NDArray[np.bool_]:
    return _lexicon().cue_words(text)


@lru_cache(maxsize=1)
def _lexicon() -> Lexicon:
    return Lexicon.load()


_NOT_EXPORTED = ("position_ids", "token_type_ids")
_PREFIX = "model."
_BY_ROW = re.compile(r"\.layer\.(weight|bias)$")
_STEPS = 6
"""At most so many nodes, casts and scales, lie between an int8 multiplication and the addition of its bias."""


def load_bundle_weights(folder: Path, model: ReaderModel) -> None:
    """Load the weights of the reader in ``folder`` into ``model``, which must be of its shape.

    Raises BundleError, and ValueError where the graph is not one that ``training.reader.export`` wrote from such a
    model.
    """
    graph = onnx.load(load_reader_bundle(folder).graph).graph
    weights = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    users = {name: node for node in graph.node for name in node.input}
    state = model.state_dict()
    found: dict[str, NDArray[Any]] = {}
    for name, values in weights.items():
        plain = name.removesuffix("_quantized")
        if plain != name:
            values = (values.astype(np.float32) - weights.get(f"{plain}_zero_point", 0)) * weights[
                f"{plain}_scale"
            ]
        if _parameter_name(plain) in state:
            found[_parameter_name(plain)] = values
        elif plain.endswith(".weight"):
            continue  # a parameter that this model does not have
        elif plain != name or (values.ndim == 2 and users[name].op_type == "MatMul"):
            found[_parameter_name(_bias_after(users[name], users)).removesuffix("bias") + "weight"] = values
    for name, wanted in state.items():
        if name not in found and (name.endswith(_NOT_EXPORTED) or name.startswith("classes.")):
            continue  # readers of earlier versions have no classes
        values = found.get(name, np.empty(0))
        if sorted(values.shape) != sorted(wanted.shape):
            raise ValueError(f"The reader in {folder} has no {name} of shape {tuple(wanted.shape)}.")
        linear = values.ndim == 2 and "embeddings" not in name
        state[name] = torch.tensor(np.ascontiguousarray(values.T if linear else values), dtype=wanted.dtype)
    model.load_state_dict(state)


def _parameter_name(name: str) -> str:
    """A name of the graph as a parameter of the model: `training.reader.export` wraps layers as ``layer``."""
    return _BY_ROW.sub(r".\1", name.removeprefix(_PREFIX))


def _bias_after(node: Any, users: dict[str, Any]) -> str:
    """The name of the bias that is added after a quantised multiplication."""
    for _ in range(_STEPS):
        if node.op_type == "Add":
            return next(str(name) for name in node.input if name.startswith(_PREFIX))
        node = users[node.output[0]]
    raise ValueError("A multiplication of the graph has no bias.")
