"""Converts the weights of int8 matrix products to signed bytes in memory, where the processor is faster on these.

A bundle's graph has unsigned weights, because older processors saturate sums of unsigned by signed products at 16 bits.
Processors with VNNI do not, and are faster on signed weights. Subtracting 128 from a weight and its zero point keeps
their difference, so every sum is the same integer and every output the same to the bit. Whether sums saturate is tested
with a product in ONNX Runtime itself. Field numbers are those of ``onnx.proto``.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core.bundles.onnx_checks import Chunk, GraphError, encode_varint, iterate_fields, length_delimited

_GRAPH = 7
_NODE, _TENSOR, _DECLARED = 1, 5, (11, 13)
_INPUT, _OPERATOR, _ATTRIBUTE, _SUBGRAPHS = 1, 4, 5, (6, 11)
_DIMS, _TYPE, _NUMBERS, _NAME, _RAW = 1, 2, 5, 8, 9
_UINT8, _INT8, _INT32 = 2, 3, 6
_PRODUCT = b"MatMulInteger"
_ROWS, _DEPTH = 16, 64


def to_signed(model: bytes) -> bytes:
    """The ONNX model with signed weights in its int8 products; unchanged where it cannot be parsed.

    Weights that are not unsigned bytes, or that are used elsewhere as well, are not changed.
    """
    parts: list[Chunk] = []
    try:
        for number, value in iterate_fields(memoryview(model)):
            parts += (
                length_delimited(number, _signed_graph(_bytes(value)))
                if number == _GRAPH
                else _field(number, value)
            )
    except GraphError:
        return model
    return b"".join(parts)


@lru_cache(maxsize=1)
def has_exact_products() -> bool:
    """Whether products of unsigned by signed bytes do not saturate here; False where that cannot be tested."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    most = np.full((_ROWS, _DEPTH), 255, dtype=np.uint8)
    try:
        session = onnxruntime.InferenceSession(_probe(), options, providers=["CPUExecutionProvider"])
        sums = [session.run(None, {"a": rows})[0] for rows in (most, most[:1])]
    except Exception:
        return False
    return all(bool((one == 255 * 127 * _DEPTH).all()) for one in sums)


def _signed_graph(graph: memoryview) -> list[Chunk]:
    tensors = {}
    uses: Counter[bytes] = Counter()
    pairs: list[list[bytes]] = []
    for number, value in iterate_fields(graph):
        if number == _TENSOR:
            tensors[_name(value, _NAME)] = _bytes(value)
        elif number in _DECLARED:
            uses[_name(value, 1)] += 1
        elif number == _NODE:
            operator, inputs = _node(_bytes(value))
            uses.update(inputs)
            if operator == _PRODUCT:
                pairs.append(inputs[1::2])
    changed: dict[bytes, list[Chunk]] = {}
    for pair in pairs:
        if len(pair) == 2 and all(uses[name] == 1 and name in tensors for name in pair):
            made = [_signed_tensor(tensors[name]) for name in pair]
            changed |= {name: one for name, one in zip(pair, made, strict=True) if one and all(made)}
    parts: list[Chunk] = []
    for number, value in iterate_fields(graph):
        new = changed.get(_name(value, _NAME)) if number == _TENSOR else None
        parts += length_delimited(number, new) if new else _field(number, value)
    return parts


def _node(node: memoryview) -> tuple[bytes, list[bytes]]:
    """Operator and inputs. Raises GraphError for a node with a subgraph, which may use any tensor."""
    operator, inputs = b"", []
    for number, value in iterate_fields(node):
        if number == _INPUT:
            inputs.append(bytes(_bytes(value)))
        elif number == _OPERATOR:
            operator = bytes(_bytes(value))
        elif number == _ATTRIBUTE and any(inner in _SUBGRAPHS for inner, _ in iterate_fields(_bytes(value))):
            raise GraphError
    return operator, inputs


def _signed_tensor(tensor: memoryview) -> list[Chunk] | None:
    """A tensor of unsigned bytes with 128 subtracted; None if it has another type."""
    kept: list[Chunk] = []
    numbers: NDArray[np.uint8] | None = None
    for number, value in iterate_fields(tensor):
        if number == _TYPE and value != _UINT8:
            return None
        if number == _RAW:
            numbers = np.frombuffer(_bytes(value), dtype=np.uint8)
        elif number == _NUMBERS:
            numbers = _unpacked(_bytes(value))
        elif number != _TYPE:
            kept += _field(number, value)
    if numbers is None:
        return None
    less = np.bitwise_xor(numbers, np.uint8(0x80))
    return [*kept, *_field(_TYPE, _INT8), *_field(_RAW, less.data)]


def _unpacked(packed: memoryview) -> NDArray[np.uint8]:
    """Numbers below 256, unpacked from varints."""
    read = np.frombuffer(packed, dtype=np.uint8)
    first = np.flatnonzero(np.concatenate(([True], read[:-1] < 0x80)))
    above = np.append(read, 0)[first + 1]
    return np.asarray(
        np.where(read[first] < 0x80, read[first], read[first] & 0x7F | above << 7), dtype=np.uint8
    )


def _probe() -> bytes:
    """A model that multiplies bytes ``a`` by a matrix of 127, with sums beyond 16 bits."""

    def declared(number: int, name: bytes, kind: int) -> list[Chunk]:
        form = length_delimited(2, length_delimited(1, _field(1, kind)))
        return length_delimited(number, [*_field(1, name), *form])

    weights = [*_field(_DIMS, _DEPTH), *_field(_DIMS, _ROWS), *_field(_TYPE, _INT8), *_field(_NAME, b"b")]
    weights += _field(_RAW, bytes([127]) * (_DEPTH * _ROWS))
    node = [*_field(1, b"a"), *_field(1, b"b"), *_field(2, b"c"), *_field(_OPERATOR, _PRODUCT)]
    graph = [*length_delimited(_NODE, node), *_field(2, b"probe"), *length_delimited(_TENSOR, weights)]
    graph += [*declared(11, b"a", _UINT8), *declared(12, b"c", _INT32)]
    return b"".join((*_field(1, 8), *length_delimited(_GRAPH, graph), *length_delimited(8, _field(2, 18))))


def _name(message: int | memoryview, field: int) -> bytes:
    return next(
        (bytes(_bytes(value)) for number, value in iterate_fields(_bytes(message)) if number == field), b""
    )


def _bytes(value: int | memoryview) -> memoryview:
    if isinstance(value, int):
        raise GraphError
    return value


def _field(number: int, value: int | Chunk) -> list[Chunk]:
    if isinstance(value, int):
        return [encode_varint(number << 3), encode_varint(value)]
    return length_delimited(number, [value])
