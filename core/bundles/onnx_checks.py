"""What an ONNX file may hold, read from its bytes: no external data, no operators from elsewhere.

A walk over the protobuf wire format (protobuf.dev, "Encoding") with the fields of ``onnx.proto``. `rebuild_graph`
writes again what it has understood, so that ONNX Runtime is given what was checked and nothing else: a number that is
longer than need be, a field of another wire type and a group are refused; an unknown field is left out.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.i18n import tr

ALLOWED_DOMAINS = frozenset({"", "ai.onnx", "ai.onnx.ml", "com.microsoft"})
"""Operator sets that ONNX Runtime itself implements; anything else would need a library from outside."""

_CHILDREN: dict[str, dict[int, str]] = {
    "model": {7: "graph", 25: "function"},
    "graph": {1: "node", 5: "tensor", 15: "sparse"},
    "function": {7: "node", 11: "attribute"},
    "node": {5: "attribute"},
    "attribute": {5: "tensor", 6: "graph", 10: "tensor", 11: "graph", 22: "sparse", 23: "sparse"},
    "sparse": {1: "tensor", 2: "tensor"},
    "tensor": {},
}
_NUMBER, _EIGHT_BYTES, _BYTES, _FOUR_BYTES = 0, 1, 2, 5
_PACKED = (_NUMBER, _BYTES)
_ONE_NUMBER: tuple[int, ...] = (_NUMBER,)
_ONE_TEXT: tuple[int, ...] = (_BYTES,)
_FIELDS: dict[str, dict[int, tuple[int, ...]]] = {
    "model": {1: _ONE_NUMBER, 5: _ONE_NUMBER} | dict.fromkeys((2, 3, 4, 6, 7, 8, 14, 25), _ONE_TEXT),
    "graph": dict.fromkeys((1, 2, 5, 10, 11, 12, 13, 14, 15, 16), _ONE_TEXT),
    "function": dict.fromkeys((1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14), _ONE_TEXT),
    "node": dict.fromkeys((1, 2, 3, 4, 5, 6, 7, 8, 9), _ONE_TEXT),
    "attribute": {2: (_FOUR_BYTES,), 3: _ONE_NUMBER, 7: (_FOUR_BYTES, _BYTES), 8: _PACKED, 20: _ONE_NUMBER}
    | dict.fromkeys((1, 4, 5, 6, 9, 10, 11, 13, 14, 15, 21, 22, 23), _ONE_TEXT),
    "sparse": {1: _ONE_TEXT, 2: _ONE_TEXT, 3: _PACKED},
    "tensor": {1: _PACKED, 2: _ONE_NUMBER, 4: (_FOUR_BYTES, _BYTES), 5: _PACKED, 7: _PACKED, 11: _PACKED}
    | {10: (_EIGHT_BYTES, _BYTES), 13: _ONE_TEXT, 14: _ONE_NUMBER}
    | dict.fromkeys((6, 8, 9, 12, 16), _ONE_TEXT),
}
"""The fields that a message may have, with their wire types; others are left out."""

_NAMES: dict[str, tuple[int, int]] = {"node": (7, 4), "function": (10, 1)}
"""The fields of the operator's domain and name: as it is used, and as it is defined."""

_EXTERNAL_DATA, _DATA_LOCATION = 13, 14
_DEEPEST = 64
_LARGEST_FIELD = 2**29 - 1
Chunk = bytes | memoryview


class GraphError(ValueError):
    """The graph is not one that may be run; the message is the end of a sentence, without a full stop."""


def check_graph(data: bytes | memoryview) -> None:
    """Raise GraphError if ``data`` is no ONNX model, keeps data outside itself or needs foreign operators."""
    _GraphCheck().model(memoryview(data))


def rebuild_graph(data: bytes | memoryview) -> bytes:
    """The model again, of the parts that were checked and in their order. Raises GraphError as `check_graph` does."""
    return b"".join(_GraphCheck().model(memoryview(data)))


class _GraphCheck:
    """One walk; it remembers which operators are used and which are defined."""

    def __init__(self) -> None:
        self._operators: dict[str, set[tuple[str, str]]] = {kind: set() for kind in _NAMES}
        self._graphs = 0

    def model(self, data: memoryview) -> list[Chunk]:
        parts = self._message("model", data, 0)
        if not self._graphs:
            raise GraphError(tr("it contains no graph"))
        unknown = self._operators["node"] - self._operators["function"]
        if foreign := sorted({domain for domain, _name in unknown if domain not in ALLOWED_DOMAINS}):
            raise GraphError(tr("it uses custom operators ({names})").format(names=", ".join(foreign)))
        return parts

    def _message(self, kind: str, message: memoryview, depth: int) -> list[Chunk]:
        if depth > _DEEPEST:
            raise GraphError(tr("its graphs are nested too deeply"))
        self._graphs += kind == "graph"
        children, fields = _CHILDREN[kind], _FIELDS[kind]
        parts: list[Chunk] = []
        named: dict[int, str] = {}
        for number, wire, value in _wire_fields(message):
            if number not in fields:
                continue
            if wire not in fields[number]:
                raise GraphError(tr("it is not an ONNX model"))
            if kind == "tensor" and (number == _EXTERNAL_DATA or (number == _DATA_LOCATION and value)):
                raise GraphError(tr("it keeps data in files outside the graph"))
            if isinstance(value, int):
                parts += (encode_varint(number << 3), encode_varint(value))
                continue
            if child := children.get(number):
                parts += length_delimited(number, self._message(child, value, depth + 1))
            elif wire == _BYTES:
                parts += length_delimited(number, [value])
            else:
                parts += (encode_varint(number << 3 | wire), value)
            if number in _NAMES.get(kind, ()):
                named[number] = _text(value)
        if kind in _NAMES:
            domain, name = _NAMES[kind]
            self._operators[kind].add((named.get(domain, ""), named.get(name, "")))
        return parts


def _text(value: memoryview) -> str:
    return bytes(value).decode("utf-8", "replace")


def iterate_fields(message: memoryview) -> Iterator[tuple[int, int | memoryview]]:
    """The (field number, value) pairs of one message; a length-delimited value is a view of its bytes.

    Raises GraphError where it is no such message.
    """
    for number, _wire, value in _wire_fields(message):
        yield number, value


def encode_varint(number: int) -> bytes:
    """A number in groups of seven bits, as short as it can be."""
    if number < 0x80:
        return bytes((number,))
    found = bytearray()
    while number > 0x7F:
        found.append(number & 0x7F | 0x80)
        number >>= 7
    found.append(number)
    return bytes(found)


def length_delimited(number: int, parts: list[Chunk]) -> list[Chunk]:
    """A field of all these bytes together; they are copied once, when the model is put together."""
    return [encode_varint(number << 3 | _BYTES), encode_varint(sum(map(len, parts))), *parts]


def _wire_fields(message: memoryview) -> Iterator[tuple[int, int, int | memoryview]]:
    """The (field number, wire type, value) triples of one message."""
    at = 0
    while at < len(message):
        key, at = _varint(message, at)
        number, wire = key >> 3, key & 7
        if not 0 < number <= _LARGEST_FIELD:
            raise GraphError(tr("it is not an ONNX model"))
        if wire == _NUMBER:
            value, at = _varint(message, at)
            yield number, wire, value
            continue
        if wire == _BYTES:
            size, at = _varint(message, at)
        elif wire in (_EIGHT_BYTES, _FOUR_BYTES):
            size = 8 if wire == _EIGHT_BYTES else 4
        else:
            raise GraphError(tr("it is not an ONNX model"))
        if at + size > len(message):
            raise GraphError(tr("it is cut short"))
        yield number, wire, message[at : at + size]
        at += size


def _varint(message: memoryview, at: int) -> tuple[int, int]:
    """The number at ``at`` and the offset after it. A number that has a shorter form could be read in two ways."""
    number = 0
    for shift in range(0, 70, 7):
        if at >= len(message):
            raise GraphError(tr("it is cut short"))
        byte = message[at]
        at += 1
        number |= (byte & 0x7F) << shift
        if byte < 0x80:
            if (not byte and shift) or number >= 2**64:
                raise GraphError(tr("it is not an ONNX model"))
            return number, at
    raise GraphError(tr("it is not an ONNX model"))
