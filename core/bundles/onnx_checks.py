"""What an ONNX file may hold, read from its bytes: no external data, no operators from elsewhere.

A minimal walk over the protobuf wire format (protobuf.dev, "Encoding") with the field numbers of
``onnx.proto``. It looks at nodes, tensors, subgraphs and functions only, and skips the
weights unread.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.i18n import tr

ALLOWED_DOMAINS = frozenset({"", "ai.onnx", "ai.onnx.ml", "com.microsoft"})
"""Operator sets that ONNX Runtime itself implements; anything else would need a library from outside."""

_CHILDREN: dict[str, dict[int, str]] = {
    "model": {7: "graph", 20: "training", 25: "function"},
    "training": {1: "graph", 2: "graph"},
    "graph": {1: "node", 5: "tensor", 15: "sparse"},
    "function": {7: "node", 11: "attribute"},
    "node": {5: "attribute"},
    "attribute": {5: "tensor", 6: "graph", 10: "tensor", 11: "graph", 22: "sparse", 23: "sparse"},
    "sparse": {1: "tensor", 2: "tensor"},
    "tensor": {},
}
_NAMES: dict[str, tuple[int, int]] = {"node": (7, 4), "function": (10, 1)}
"""The fields of the operator's domain and name: as it is used, and as it is defined."""

_EXTERNAL_DATA, _DATA_LOCATION, _OUTSIDE = 13, 14, 1
_DEEPEST = 64


class GraphError(ValueError):
    """The graph is not one that may be run; the message is the end of a sentence, without a full stop."""


def check_graph(data: bytes | memoryview) -> None:
    """Raise GraphError if ``data`` is no ONNX model, keeps data outside itself or needs foreign operators."""
    operators: dict[str, set[tuple[str, str]]] = {kind: set() for kind in _NAMES}
    graphs = 0
    stack: list[tuple[str, memoryview, int]] = [("model", memoryview(data), 0)]
    while stack:
        kind, message, depth = stack.pop()
        if depth > _DEEPEST:
            raise GraphError(tr("its graphs are nested too deeply"))
        graphs += kind == "graph"
        named: dict[int, str] = {}
        for number, value in iterate_fields(message):
            if kind == "tensor" and (
                number == _EXTERNAL_DATA or (number, value) == (_DATA_LOCATION, _OUTSIDE)
            ):
                raise GraphError(tr("it keeps data in files outside the graph"))
            if isinstance(value, int):
                continue
            if child := _CHILDREN[kind].get(number):
                stack.append((child, value, depth + 1))
            elif number in _NAMES.get(kind, ()):
                named[number] = _text(value)
        if kind in _NAMES:
            domain, name = _NAMES[kind]
            operators[kind].add((named.get(domain, ""), named.get(name, "")))
    if not graphs:
        raise GraphError(tr("it holds no graph"))
    unknown = operators["node"] - operators["function"]
    if foreign := sorted({domain for domain, _name in unknown if domain not in ALLOWED_DOMAINS}):
        raise GraphError(tr("it uses custom operators ({names})").format(names=", ".join(foreign)))


def _text(value: memoryview) -> str:
    return bytes(value).decode("utf-8", "replace")


def iterate_fields(message: memoryview) -> Iterator[tuple[int, int | memoryview]]:
    """The (field number, value) pairs of one message; a length-delimited value is a view of its bytes.

    Raises GraphError where it is no such message.
    """
    at = 0
    while at < len(message):
        key, at = _varint(message, at)
        wire = key & 7
        if wire == 0:
            number, at = _varint(message, at)
            yield key >> 3, number
            continue
        if wire == 2:
            size, at = _varint(message, at)
        elif wire in (1, 5):
            size = 8 if wire == 1 else 4
        else:
            raise GraphError(tr("it is not an ONNX model"))
        if at + size > len(message):
            raise GraphError(tr("it is cut short"))
        yield key >> 3, message[at : at + size]
        at += size


def _varint(message: memoryview, at: int) -> tuple[int, int]:
    """The number at ``at`` and the offset after it."""
    number = 0
    for shift in range(0, 70, 7):
        if at >= len(message):
            raise GraphError(tr("it is cut short"))
        byte = message[at]
        at += 1
        number |= (byte & 0x7F) << shift
        if byte < 0x80:
            return number, at
    raise GraphError(tr("it is not an ONNX model"))
