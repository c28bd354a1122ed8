"""Bundles whose checksums are right and that do harm: they have no end, take all memory, crash, or are two things."""

from __future__ import annotations

import json
import shutil
import struct
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from tests.tiny import describe
from tests.tiny_rewriter import describe_rewriter


def copied(bundle: Path, folder: Path) -> Path:
    """A copy of a bundle, to be spoiled."""
    return Path(shutil.copytree(bundle, folder))


def described(folder: Path) -> Path:
    """The bundle with checksums that are right again."""
    role = json.loads((folder / "bundle.json").read_text())["role"]
    (folder / "bundle.json").unlink()
    (describe if role == "reader" else describe_rewriter)(folder)
    return folder


def _before_bias(folder: Path, nodes: list[onnx.NodeProto], constants: list[np.ndarray[Any, Any]]) -> Path:
    """Put nodes that make ``bias`` out of ``old_bias`` into a reader's graph; the constants are k0, k1, …"""
    model = onnx.load(folder / "reader.onnx")
    for node in model.graph.node:
        for at, name in enumerate(node.output):
            if name == "bias":
                node.output[at] = "old_bias"
    model.graph.node.extend(nodes)
    model.graph.initializer.extend(numpy_helper.from_array(one, f"k{at}") for at, one in enumerate(constants))
    onnx.save(model, folder / "reader.onnx")
    return described(folder)


def without_an_end(folder: Path) -> Path:
    """A reader with a loop that never ends."""
    body = helper.make_graph(
        [
            helper.make_node("Identity", ["go"], ["go_on"]),
            helper.make_node("Abs", ["state"], ["next"]),
        ],
        "body",
        [
            helper.make_tensor_value_info("turn", TensorProto.INT64, []),
            helper.make_tensor_value_info("go", TensorProto.BOOL, []),
            helper.make_tensor_value_info("state", TensorProto.FLOAT, ["B"]),
        ],
        [
            helper.make_tensor_value_info("go_on", TensorProto.BOOL, []),
            helper.make_tensor_value_info("next", TensorProto.FLOAT, ["B"]),
        ],
    )
    loop = helper.make_node("Loop", ["", "k0", "old_bias"], ["bias"], body=body)
    return _before_bias(folder, [loop], [np.array(True)])


def without_measure(folder: Path) -> Path:
    """A reader that wants more memory than there is, while it reads."""
    nodes = [
        helper.make_node("ConstantOfShape", ["k0"], ["zeros"]),
        helper.make_node("ReduceSum", ["zeros"], ["nothing"], keepdims=0),
        helper.make_node("Add", ["old_bias", "nothing"], ["bias"]),
    ]
    return _before_bias(folder, nodes, [np.array([2**38], dtype=np.int64)])


def without_unknown_words(folder: Path) -> Path:
    """A reader whose tokenizer reads plain words and panics or fails on others: a Unigram model without ``unk_id``."""
    path = folder / "tokenizer.json"
    tokenizer = json.loads(path.read_text(encoding="utf-8"))
    pieces = list(tokenizer["model"]["vocab"])
    tokenizer["model"] = {"type": "Unigram", "vocab": [[piece, -1.0] for piece in pieces], "unk_id": None}
    path.write_text(json.dumps(tokenizer), encoding="utf-8")
    return described(folder)


def without_heads(folder: Path) -> Path:
    """A rewriter with no attention heads: a width is divided by their number."""
    return _with_heads(folder, 0)


def _with_heads(folder: Path, heads: int) -> Path:
    path = folder / "model.bin"
    data = bytearray(path.read_bytes())
    for half in (b"encoder", b"decoder"):
        name = half + b"/num_heads\0"
        at = data.index(name) + len(name)
        assert data[at] == 0, "a single value has no dimensions"
        data[at + 6 : at + 8] = struct.pack("<h", heads)
    path.write_bytes(data)
    return described(folder)


def with_short_weights(folder: Path) -> Path:
    """A rewriter whose position encodings say that they are wider than the layers, and have as many bytes as before."""
    path = folder / "model.bin"
    data = bytearray(path.read_bytes())
    name = b"decoder/position_encodings/encodings\0"
    at = data.index(name) + len(name)
    assert data[at] == 2
    rows, columns = struct.unpack_from("<II", data, at + 1)
    struct.pack_into("<II", data, at + 1, rows * 2, columns // 2)
    path.write_bytes(data)
    return described(folder)


def as_two_formats(folder: Path) -> Path:
    """A sound reader that ONNX Runtime takes for its own format, unless it is told what it is."""
    path = folder / "reader.onnx"
    model = onnx.load(path)
    version = model.ir_version
    model.ClearField("ir_version")
    model.ClearField("producer_name")
    start = bytes((1 << 3, version, 2 << 3 | 2, 8)) + b"ORTM1234"
    path.write_bytes(start + model.SerializeToString())
    return described(folder)
