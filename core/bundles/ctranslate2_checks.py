"""What a CTranslate2 model may be: the encoder and decoder of a BART, every tensor of the size that the others ask for.

CTranslate2 believes the sizes in ``model.bin``: with weights that are too short, or no attention heads, it reads beyond
them or divides by zero, which ends the program. The layout is that of ``ModelSpec`` in its converters, version 6.
"""

from __future__ import annotations

import json
import math
import re
import struct
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from core.bundles.rewriter import MODEL_FILES
from core.i18n import tr

VERSION, SPECIFICATION, MAX_REVISION = 6, "TransformerSpec", 7
_ITEM_BYTES = {0: 4, 1: 1, 2: 2, 3: 4, 4: 2, 5: 2}
_FLOAT, _INT8, _INT16, _HALF = 0, 1, 2, 4
_MAX_VARIABLES, _MAX_DIMENSIONS, _MAX_SIZE = 20_000, 4, 2**24
_HALVES = ("encoder", "decoder")
_LAYER = re.compile(r"(encoder|decoder)/layer_(0|[1-9]\d{0,3})/")
_FLAGS = {0, 1}
_NONE = {0}
_SCALARS: dict[str, set[int] | None] = {
    "activation": set(range(6)),
    "alibi": _NONE,
    "alibi_use_positive_positions": _FLAGS,
    "alignment_heads": None,
    "alignment_layer": None,
    "embeddings_merge": _FLAGS,
    "multi_query_attention": _NONE,
    "num_heads": None,
    "pre_norm": _NONE,
    "scale_alibi": _NONE,
    "scale_embeddings": None,
    "start_from_zero_embedding": _NONE,
}
"""The single values of either half, and what they may be; None where that is checked apart or does no harm."""

_CONFIGURATION: dict[str, tuple[type, ...]] = {
    "add_source_bos": (bool,),
    "add_source_eos": (bool,),
    "bos_token": (str,),
    "decoder_start_token": (str,),
    "eos_token": (str,),
    "layer_norm_epsilon": (float, type(None)),
    "multi_query_attention": (bool,),
    "unk_token": (str,),
}


class WeightsError(ValueError):
    """The model is not one that may be run; the message is the end of a sentence, without a full stop."""


class _Variable(NamedTuple):
    shape: tuple[int, ...]
    kind: int
    data: memoryview


_Shape = tuple[int | None, ...]


def rebuild_model_files(folder: Path, required: Collection[str]) -> dict[str, bytes]:
    """The files of a rewriter's model for CTranslate2, checked. The vocabulary must have the ``required`` pieces.

    Raises WeightsError and OSError.
    """
    weights, configuration, pieces = ((folder / name).read_bytes() for name in MODEL_FILES)
    vocabulary = check_vocabulary(pieces)
    if lacking := sorted(set(required) - set(vocabulary)):
        raise WeightsError(tr("its vocabulary lacks {lacking}").format(lacking=", ".join(lacking)))
    check_weights(weights, len(vocabulary))
    contents = (weights, rebuild_configuration(configuration, vocabulary), json.dumps(vocabulary).encode())
    return dict(zip(MODEL_FILES, contents, strict=True))


def check_vocabulary(data: bytes) -> list[str]:
    """The pieces of ``shared_vocabulary.json``. Raises WeightsError."""
    pieces = _json(data)
    if not isinstance(pieces, list) or not all(isinstance(piece, str) for piece in pieces):
        raise WeightsError(tr("its vocabulary is not a list of wordpieces"))
    if len(set(pieces)) != len(pieces):
        raise WeightsError(tr("its vocabulary contains a wordpiece twice"))
    return pieces


def rebuild_configuration(data: bytes, vocabulary: Sequence[str]) -> bytes:
    """``config.json`` again, with the options that a BART has. Raises WeightsError where one of them is wrong."""
    options = _json(data)
    if not isinstance(options, dict):
        raise WeightsError(tr("its configuration is not a CTranslate2 configuration"))
    known = set(vocabulary)
    kept = {name: value for name, value in options.items() if name in _CONFIGURATION}
    for name, value in kept.items():
        is_token = isinstance(value, str)
        if not isinstance(value, _CONFIGURATION[name]) or (is_token and value not in known):
            raise WeightsError(tr("in its configuration, {part} is wrong").format(part=name))
        if isinstance(value, float) and not 0 < value < 1:
            raise WeightsError(tr("in its configuration, {part} is wrong").format(part=name))
    if kept.get("multi_query_attention"):
        raise WeightsError(tr("in its configuration, {part} is wrong").format(part="multi_query_attention"))
    return json.dumps(kept).encode()


def check_weights(data: bytes | memoryview, pieces: int) -> None:
    """Raise WeightsError unless ``model.bin`` holds a BART over so many pieces, and nothing else."""
    try:
        variables = _read_variables(memoryview(data))
    except (struct.error, UnicodeDecodeError) as error:
        raise _cut_short() from error
    for name, variable in variables.items():
        if _ITEM_BYTES[variable.kind] * math.prod(variable.shape) != len(variable.data):
            raise _wrong_size(name)
    expected = _expected_shapes(variables, pieces)
    for name, shape in expected.items():
        _check_shape(variables, name, shape)
    known = {*expected, *_scales(expected), *(f"{half}/{name}" for half in _HALVES for name in _SCALARS)}
    if strangers := sorted(variables.keys() - known - _optional(expected)):
        raise WeightsError(tr("its weights have an unknown part ({name})").format(name=strangers[0]))
    for half in _HALVES:
        _check_scalars(variables, half)
    for name, variable in variables.items():
        kind = {_FLOAT: "<f4", _HALF: "<f2"}.get(variable.kind)
        if kind is not None and not np.isfinite(np.frombuffer(variable.data, dtype=kind)).all():
            raise WeightsError(tr("its weights have values that are not finite ({name})").format(name=name))


def _read_variables(data: memoryview) -> dict[str, _Variable]:
    """All variables by their name, aliases too."""
    reader = _BinaryReader(data)
    if reader.numbers("I")[0] != VERSION or reader.text() != SPECIFICATION:
        raise WeightsError(
            tr("its weights are not those of CTranslate2 in its version {n}").format(n=VERSION)
        )
    if reader.numbers("I")[0] > MAX_REVISION:
        raise WeightsError(tr("its weights were made by a newer version of CTranslate2"))
    variables: dict[str, _Variable] = {}
    for _ in range(reader.count()):
        name = reader.text()
        shape = reader.numbers(f"{reader.numbers('B')[0]}I")
        kind, size = reader.numbers("BI")
        if (
            name in variables
            or kind not in _ITEM_BYTES
            or len(shape) > _MAX_DIMENSIONS
            or max(shape, default=0) > _MAX_SIZE
        ):
            raise _wrong_size(name)
        variables[name] = _Variable(shape, kind, reader.bytes(size))
    for _ in range(reader.count()):
        alias, name = reader.text(), reader.text()
        if alias in variables or name not in variables:
            raise _wrong_size(alias)
        variables[alias] = variables[name]
        if f"{name}_scale" in variables:
            variables[f"{alias}_scale"] = variables[f"{name}_scale"]
    if not reader.is_at_end:
        raise WeightsError(tr("its weights file is longer than its header says"))
    return variables


class _BinaryReader:
    """Little-endian numbers, texts and bytes, one after another. Raises struct.error at the end."""

    def __init__(self, data: memoryview) -> None:
        self._data = data
        self._at = 0

    @property
    def is_at_end(self) -> bool:
        return self._at == len(self._data)

    def numbers(self, form: str) -> tuple[int, ...]:
        found = struct.unpack_from(f"<{form}", self._data, self._at)
        self._at += struct.calcsize(f"<{form}")
        return found

    def count(self) -> int:
        (count,) = self.numbers("I")
        if count > _MAX_VARIABLES:
            raise _cut_short()
        return count

    def bytes(self, size: int) -> memoryview:
        if self._at + size > len(self._data):
            raise struct.error
        self._at += size
        return self._data[self._at - size : self._at]

    def text(self) -> str:
        (size,) = self.numbers("H")
        raw = bytes(self.bytes(size))
        if not raw.endswith(b"\0") or b"\0" in raw[:-1]:
            raise struct.error
        return raw[:-1].decode("utf-8")


def _expected_shapes(variables: Mapping[str, _Variable], pieces: int) -> dict[str, _Shape]:
    """The tensors that there must be; None is a size that any number may be."""
    words = variables.get("decoder/embeddings/weight")
    if words is None or len(words.shape) != 2 or not words.shape[1]:
        raise _wrong_size("decoder/embeddings/weight")
    width = words.shape[1]
    shapes: dict[str, _Shape] = {
        "encoder/embeddings_0/weight": (pieces, width),
        "decoder/embeddings/weight": (pieces, width),
        "decoder/projection/weight": (pieces, width),
    }
    for half in _HALVES:
        shapes[f"{half}/position_encodings/encodings"] = (None, width)
        shapes |= _norm(f"{half}/layernorm_embedding", width)
        for at in range(_layer_count(variables, half)):
            shapes |= _layer_shapes(variables, f"{half}/layer_{at}", width, crosses=half == "decoder")
    return shapes


def _layer_count(variables: Mapping[str, _Variable], half: str) -> int:
    found = {int(match[2]) for name in variables if (match := _LAYER.match(name)) and match[1] == half}
    if not found or found != set(range(len(found))):
        raise WeightsError(tr("its weights lack layers"))
    return len(found)


def _layer_shapes(
    variables: Mapping[str, _Variable], layer: str, width: int, *, crosses: bool
) -> dict[str, _Shape]:
    inner = variables.get(f"{layer}/ffn/linear_0/weight")
    if inner is None or len(inner.shape) != 2 or not inner.shape[0]:
        raise _wrong_size(f"{layer}/ffn/linear_0/weight")
    rows = inner.shape[0]
    shapes = _attention(f"{layer}/self_attention", width, (3, 1))
    if crosses:
        shapes |= _attention(f"{layer}/attention", width, (1, 2, 1))
    shapes |= _linear(f"{layer}/ffn/linear_0", rows, width) | _linear(f"{layer}/ffn/linear_1", width, rows)
    return shapes | _norm(f"{layer}/ffn/layer_norm", width)


def _attention(place: str, width: int, times: tuple[int, ...]) -> dict[str, _Shape]:
    shapes = _norm(f"{place}/layer_norm", width)
    for number, time in enumerate(times):
        shapes |= _linear(f"{place}/linear_{number}", time * width, width)
    return shapes


def _linear(place: str, rows: int, columns: int) -> dict[str, _Shape]:
    return {f"{place}/weight": (rows, columns), f"{place}/bias": (rows,)}


def _norm(place: str, width: int) -> dict[str, _Shape]:
    return {f"{place}/gamma": (width,), f"{place}/beta": (width,)}


def _scales(expected: Mapping[str, _Shape]) -> set[str]:
    return {f"{name}_scale" for name in expected if name.endswith("/weight")}


def _optional(expected: Mapping[str, _Shape]) -> set[str]:
    return {"decoder/projection/bias"} if "decoder/projection/weight" in expected else set()


def _check_shape(variables: Mapping[str, _Variable], name: str, shape: _Shape) -> None:
    found = variables.get(name)
    if found is None or len(found.shape) != len(shape) or not all(found.shape):
        raise _wrong_size(name)
    if any(wanted not in (None, size) for wanted, size in zip(shape, found.shape, strict=True)):
        raise _wrong_size(name)
    scale = variables.get(f"{name}_scale") if name.endswith("/weight") else None
    is_quantised = found.kind == _INT8 and name.endswith("/weight")
    if found.kind not in (_FLOAT, _HALF) and not is_quantised:
        raise _wrong_size(name)
    if is_quantised != (scale is not None):
        raise _wrong_size(f"{name}_scale")
    if scale is not None and (scale.kind != _FLOAT or scale.shape != (found.shape[0],)):
        raise _wrong_size(f"{name}_scale")
    if name == "decoder/projection/weight" and (bias := variables.get("decoder/projection/bias")):
        _check_shape({"bias": bias}, "bias", (found.shape[0],))


def _check_scalars(variables: Mapping[str, _Variable], half: str) -> None:
    for name, allowed in _SCALARS.items():
        found = variables.get(f"{half}/{name}")
        if found is None:
            continue
        if found.shape:
            raise _wrong_size(f"{half}/{name}")
        number = _number(found)
        if not math.isfinite(number) or (allowed is not None and number not in allowed):
            raise _wrong_size(f"{half}/{name}")
    heads = variables.get(f"{half}/num_heads")
    width = variables["decoder/embeddings/weight"].shape[1]
    if (
        heads is None
        or heads.kind != _INT16
        or not 0 < (count := int(_number(heads))) <= width
        or width % count
    ):
        raise WeightsError(tr("its number of attention heads does not divide the width of its layers"))
    aligned = variables.get(f"{half}/alignment_heads"), variables.get(f"{half}/alignment_layer")
    if any(one is not None and not -1 <= _number(one) <= 1 for one in aligned):
        raise _wrong_size(f"{half}/alignment_heads")


def _number(scalar: _Variable) -> float:
    forms = {0: "f", 1: "b", 2: "h", 3: "i", 4: "e"}
    if scalar.kind not in forms:
        return math.nan
    (number,) = struct.unpack(f"<{forms[scalar.kind]}", scalar.data)
    return float(number)


def _json(data: bytes) -> Any:
    try:
        return json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise WeightsError(tr("a file of its weights is not JSON")) from error


def _cut_short() -> WeightsError:
    return WeightsError(tr("its weights are cut short"))


def _wrong_size(name: str) -> WeightsError:
    return WeightsError(
        tr("a part of its weights is missing or has the wrong size ({name})").format(name=name)
    )
