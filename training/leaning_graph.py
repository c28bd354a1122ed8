"""A leaning head put into a reader's finished graph: every other number of the file stays what it was, to the bit.

To export a restored reader again would round its encoder once more. Here only the head's own tensors are replaced, in
int8 with a scale for each output, as ``training.export`` writes them.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import Tensor, nn

from training.leaning import Head

_LAYER, _OUTPUT = "model.leaning_layer", "model.leaning"
_QUANTISED = ("weight_Transposed_quantized", "weight_Transposed_scale", "weight_Transposed_zero_point")


def put(graph: Path, head: Head) -> None:
    """Make ``head`` the leaning head of the reader's graph in ``graph``. Raises ValueError where there is none."""
    proto = onnx.load(graph)
    held = {tensor.name: tensor for tensor in proto.graph.initializer}
    for name, linear in ((_LAYER, head.layer), (_OUTPUT, head.output)):
        for part, values in _tensors(linear).items():
            tensor = held.get(f"{name}.{part}")
            if tensor is None or tuple(tensor.dims) != values.shape:
                raise ValueError(f"{graph.name} has no leaning head of this shape. Name a reader's bundle.")
            tensor.CopyFrom(numpy_helper.from_array(values, tensor.name))
    onnx.save(proto, graph)


def held(graph: Path) -> Head:
    """The leaning head of a reader's graph, as int8 has it. Raises ValueError where there is none."""
    found = {tensor.name: numpy_helper.to_array(tensor) for tensor in onnx.load(graph).graph.initializer}
    try:
        return Head(_linear(found, _LAYER), _linear(found, _OUTPUT))
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
