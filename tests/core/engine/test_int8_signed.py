"""Protects the faster reading: weights made signed in memory answer the same to the bit, and only where they can."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper

import core.engine.onnx_session as graph_module
from core.engine.int8_signed import _probe, has_exact_products, to_signed
from core.engine.reader import Reader

INT8, UINT8 = TensorProto.INT8, TensorProto.UINT8


def model(zeros: list[int], *, raw: bool = True, shared: bool = False) -> onnx.ModelProto:
    """Float rows, made bytes, times a matrix of bytes with a zero point for each of three columns."""
    draw = np.random.default_rng(5)
    weights = numpy_helper.from_array(draw.integers(0, 256, (8, 3)).astype(np.uint8), "w")
    zero = helper.make_tensor("z", UINT8, [3], bytes(zeros) if raw else zeros, raw=raw)
    nodes = [
        helper.make_node("DynamicQuantizeLinear", ["x"], ["q", "s", "p"]),
        helper.make_node("MatMulInteger", ["q", "w", "p", "z"], ["y"]),
    ]
    outputs = [helper.make_tensor_value_info("y", TensorProto.INT32, ["rows", 3])]
    if shared:
        nodes.append(helper.make_node("Cast", ["w"], ["other"], to=TensorProto.FLOAT))
        outputs.append(helper.make_tensor_value_info("other", TensorProto.FLOAT, [8, 3]))
    rows = helper.make_tensor_value_info("x", TensorProto.FLOAT, ["rows", 8])
    graph = helper.make_graph(nodes, "g", [rows], outputs, [weights, zero], doc_string="kept")
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)


def types(data: bytes) -> dict[str, int]:
    """The type of each tensor; the model is checked."""
    read = onnx.load_from_string(data)
    onnx.checker.check_model(read)
    return {tensor.name: tensor.data_type for tensor in read.graph.initializer}


def answers(data: bytes, **given: Any) -> list[Any]:
    """What a model gives, in sums that no processor cuts off: older ones are told to turn the weights back."""
    options = onnxruntime.SessionOptions()
    options.add_session_config_entry("session.x64quantprecision", "1")
    session = onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    return list(session.run(None, given))


@pytest.mark.parametrize("raw", [True, False])
@pytest.mark.parametrize("zeros", [[128, 127, 129], [0, 255, 3], [200, 201, 202]])
def test_signed_weights_give_the_same_sums(zeros: list[int], raw: bool) -> None:
    """Zero points stand in a file as bytes or as numbers of one or two bytes each."""
    data = model(zeros, raw=raw).SerializeToString()
    made = to_signed(data)
    assert types(made) == {"w": INT8, "z": INT8}
    assert onnx.load_from_string(made).graph.doc_string == "kept"
    rows = np.random.default_rng(6).normal(size=(5, 8)).astype(np.float32)
    for one, other in zip(answers(data, x=rows), answers(made, x=rows), strict=True):
        assert np.array_equal(one, other)


def test_weights_that_something_else_uses_too_stay() -> None:
    data = model([1, 2, 3], shared=True).SerializeToString()
    assert types(to_signed(data)) == {"w": UINT8, "z": UINT8}


def test_signed_weights_stay_signed() -> None:
    once = to_signed(model([1, 2, 3]).SerializeToString())
    assert to_signed(once) == once


def test_what_is_no_model_is_given_back() -> None:
    for data in (b"", b"\xff\xff", b"no model at all", model([1, 2, 3]).SerializeToString()[:-9]):
        assert to_signed(data) == data


def test_the_probe_is_a_model_whose_sums_pass_16_bits() -> None:
    most = np.full((3, 64), 255, dtype=np.uint8)
    (sums,) = answers(_probe(), a=most)
    assert sums.shape == (3, 16)
    assert (sums == 255 * 127 * 64).all()
    assert 255 * 127 * 2 > 32_767
    assert isinstance(has_exact_products(), bool)


def test_a_processor_that_cuts_sums_off_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    class Saturated:
        def __init__(self, *_arguments: object, **_options: object) -> None: ...

        def run(self, _names: None, given: dict[str, Any]) -> list[Any]:
            return [np.full((len(given["a"]), 16), 32_767 * 32)]

    monkeypatch.setattr(onnxruntime, "InferenceSession", Saturated)
    assert not has_exact_products.__wrapped__()


def test_the_reader_reads_the_same_with_and_without(
    tiny_bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bundled reader where it is there; else the tiny one."""
    from core.engine.engine import bundled_reader

    folder = bundled_reader() if (bundled_reader() / "bundle.json").is_file() else tiny_bundle
    texts = [f"The senator revealed {number} shameful records of the chairman." for number in range(8)]
    monkeypatch.setattr(graph_module, "has_exact_products", lambda: False)
    plain = Reader.load(folder, threads=1).read(texts)
    monkeypatch.setattr(graph_module, "has_exact_products", has_exact_products)
    assert Reader.load(folder, threads=1).read(texts) == plain
