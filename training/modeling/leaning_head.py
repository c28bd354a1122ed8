"""The leaning head on the finished encoder: its features and logits, in the model and in the exported graph.

A head that is trained together with the encoder learns the topics and style of its publishers, and is no better than
chance on publishers it never saw. Here the encoder is frozen, and the head is fitted on its states
(`training.reader.leaning_classifier`). Exporting a restored reader again would round its encoder once more, so only
the tensors of the head are replaced in its graph, in int8 with a scale for each output, as ``training.reader.export``
writes them; every other byte is unchanged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import Tensor, nn

from training.loop.batches import EncodedExample, collate, length_batches
from training.loop.devices import autocast
from training.modeling.reader import ReaderModel


@dataclass(frozen=True, slots=True)
class LeaningHead:
    """A fitted head: the leaning layer and the output layer."""

    layer: nn.Linear
    output: nn.Linear


def mean_states(model: ReaderModel, rows: Sequence[EncodedExample], *, device: torch.device) -> Tensor:
    """Mean token states [rows, hidden], on the CPU, the encoder in evaluation mode."""
    model.to(device).eval()
    found: Tensor | None = None
    with torch.inference_mode(), autocast(device):
        for indices in length_batches(rows, 64):
            batch = collate([rows[at] for at in indices]).to(device)
            means = model.encode(batch.ids, batch.mask)[1].float().cpu()
            if found is None:
                found = torch.zeros((len(rows), means.shape[1]))
            found[indices] = means
    return torch.zeros((0, 1)) if found is None else found.clone()


def edit_shifts(model: ReaderModel, rows: Sequence[EncodedExample], *, device: torch.device) -> Tensor:
    """The shift of a sentence's state by an editor [pairs, hidden]: the neutral side's minus the biased one's.

    Both sides of a pair are in ``rows`` and share a group; the biased one has spans. A single side is left out.
    """
    sides = [
        {row.example.group: at for at, row in enumerate(rows) if bool(row.example.spans) is biased}
        for biased in (True, False)
    ]
    both = [group for group in sides[0] if group in sides[1]]
    states = mean_states(model, rows, device=device)
    before, after = (states[[side[group] for group in both]] for side in sides)
    return after - before


def head_logits(head: LeaningHead, states: Tensor) -> Tensor:
    """Logits [rows, 4] of a head on mean states."""
    with torch.inference_mode():
        return head.output(torch.tanh(head.layer(states)))  # type: ignore[no-any-return]


def set_head(model: ReaderModel, head: LeaningHead) -> None:
    """Replace the leaning head of the model; nothing else changes."""
    model.leaning_layer.load_state_dict(head.layer.state_dict())
    model.leaning.load_state_dict(head.output.state_dict())


_LAYER, _OUTPUT = "model.leaning_layer", "model.leaning"
_QUANTISED = ("weight_Transposed_quantized", "weight_Transposed_scale", "weight_Transposed_zero_point")


def write_head_into_graph(graph: Path, head: LeaningHead) -> None:
    """Replace the leaning head in the graph of a reader. Raises ValueError where there is none."""
    proto = onnx.load(graph)
    held = {tensor.name: tensor for tensor in proto.graph.initializer}
    for name, linear in ((_LAYER, head.layer), (_OUTPUT, head.output)):
        for part, values in _tensors(linear).items():
            tensor = held.get(f"{name}.{part}")
            if tensor is None or tuple(tensor.dims) != values.shape:
                raise ValueError(f"{graph.name} has no leaning head of this shape. Name a reader's bundle.")
            tensor.CopyFrom(numpy_helper.from_array(values, tensor.name))
    onnx.save(proto, graph)


def read_leaning_head(graph: Path) -> LeaningHead:
    """The leaning head in the graph of a reader, dequantised. Raises ValueError where there is none."""
    found = {tensor.name: numpy_helper.to_array(tensor) for tensor in onnx.load(graph).graph.initializer}
    try:
        return LeaningHead(_linear(found, _LAYER), _linear(found, _OUTPUT))
    except KeyError as error:
        raise ValueError(f"{graph.name} has no leaning head. Name a reader's bundle.") from error


def _linear(found: Mapping[str, NDArray[np.generic]], name: str) -> nn.Linear:
    numbers, scale, zero = (found[f"{name}.{part}"].astype(np.float32) for part in _QUANTISED)
    made = nn.Linear(*numbers.shape)
    weight = torch.from_numpy(((numbers - zero) * scale).T.copy())
    made.load_state_dict({"weight": weight, "bias": torch.from_numpy(found[f"{name}.bias"].copy())})
    return made


def _tensors(linear: nn.Linear) -> dict[str, NDArray[np.generic]]:
    """Weights [in, out] as uint8 with scale and zero point for each output, and the bias as it is."""
    weight = _numbers(linear.weight).T
    low, high = np.minimum(weight.min(axis=0), 0), np.maximum(weight.max(axis=0), 0)
    scale = np.maximum((high - low) / 255, 1e-12).astype(np.float32)
    zero = np.clip(np.round(-low / scale), 0, 255).astype(np.uint8)
    numbers = np.clip(np.round(weight / scale) + zero, 0, 255).astype(np.uint8)
    parts: tuple[NDArray[np.generic], ...] = (numbers, scale, zero)
    return {"bias": _numbers(linear.bias), **dict(zip(_QUANTISED, parts, strict=True))}


def _numbers(values: Tensor) -> NDArray[np.float32]:
    return np.asarray(values.detach().cpu().numpy(), dtype=np.float32)
