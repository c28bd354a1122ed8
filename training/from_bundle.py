"""A trainable reader from a reader's bundle, so that training can go on from the model that is in use.

The bundle's weights are int8 with a scale for each output; what comes back is the reader to within that rounding.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper

from core.bundle import load_bundle
from training.model import ReaderModel

_PREFIX = "model."
_BY_ROW = re.compile(r"\.layer\.(weight|bias)$")
_STEPS = 6
"""From a multiplication in int8 over casts and scales to the addition of its bias."""


def restore(folder: Path, model: ReaderModel) -> None:
    """Put the weights of the reader in ``folder`` into ``model``, which must be of its shape.

    Raises BundleError, and ValueError where the graph is not one that ``training.export`` wrote from such a model.
    """
    graph = onnx.load(load_bundle(folder).graph).graph
    held = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    users = {name: node for node in graph.node for name in node.input}
    state = model.state_dict()
    found: dict[str, NDArray[Any]] = {}
    for name, values in held.items():
        plain = name.removesuffix("_quantized")
        if plain != name:
            values = (values.astype(np.float32) - held[f"{plain}_zero_point"]) * held[f"{plain}_scale"]
        if _own(plain) in state:
            found[_own(plain)] = values
        elif plain != name or (values.ndim == 2 and users[name].op_type == "MatMul"):
            found[_own(_bias_after(users[name], users)).removesuffix("bias") + "weight"] = values
    for name, wanted in state.items():
        if name not in found and name.endswith(("position_ids", "token_type_ids")):
            continue
        values = found.get(name, np.empty(0))
        if sorted(values.shape) != sorted(wanted.shape):
            raise ValueError(f"The reader in {folder} has no {name} of shape {tuple(wanted.shape)}.")
        linear = values.ndim == 2 and "embeddings" not in name
        state[name] = torch.tensor(np.ascontiguousarray(values.T if linear else values), dtype=wanted.dtype)
    model.load_state_dict(state)


def _own(name: str) -> str:
    """A name of the graph as the model has it; ``layer`` is the one that `training.export` puts into another by row."""
    return _BY_ROW.sub(r".\1", name.removeprefix(_PREFIX))


def _bias_after(node: Any, users: dict[str, Any]) -> str:
    """The name of the bias that is added to what a quantised multiplication gives."""
    for _ in range(_STEPS):
        if node.op_type == "Add":
            return next(str(name) for name in node.input if name.startswith(_PREFIX))
        node = users[node.output[0]]
    raise ValueError("A multiplication of the graph has no bias.")
