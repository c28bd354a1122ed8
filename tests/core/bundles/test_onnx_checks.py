"""Protects that ONNX Runtime is given what was checked: a file cannot be one graph here and another one there."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path

import onnx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.bundles.onnx_checks import GraphError, check_graph, encode_varint, rebuild_graph
from core.engine.reader import Reader
from tests import hostile_models

EXTERNAL = onnx.TensorProto(name="w", dims=[1], data_type=1)


def longer(number: int) -> bytes:
    """A number with a group of seven bits more than it needs."""
    short = encode_varint(number)
    return short[:-1] + bytes((short[-1] | 0x80, 0))


def field(number: int, data: bytes) -> bytes:
    return encode_varint(number << 3 | 2) + encode_varint(len(data)) + data


def model(tensor: bytes) -> bytes:
    """A model whose graph has one initializer of these bytes."""
    return b"\x08\x09" + field(7, field(5, tensor))


def hidden_location(key: bytes, value: bytes) -> bytes:
    """A tensor that says in this way that it lies in a file."""
    location = onnx.TensorProto()
    location.external_data.add(key="location", value="/etc/hostname")
    return model(EXTERNAL.SerializeToString() + location.SerializeToString() + key + value)


def test_a_sound_graph_is_built_again_byte_for_byte(tiny_bundle: Path) -> None:
    data = (tiny_bundle / "reader.onnx").read_bytes()
    assert rebuild_graph(data) == data


@pytest.mark.parametrize(
    ("key", "value"),
    [
        (encode_varint(14 << 3), encode_varint(1)),
        (encode_varint(14 << 3), encode_varint(2**32 + 1)),
        (encode_varint(14 << 3), longer(1)),
        (longer(14 << 3), encode_varint(1)),
        (encode_varint((14 << 3) + 2**32), encode_varint(1)),
    ],
    ids=["plain", "a number that is cut to 1", "a longer number", "a longer tag", "a tag that is cut"],
)
def test_data_in_a_file_is_seen_however_it_is_written(key: bytes, value: bytes) -> None:
    plain = model(EXTERNAL.SerializeToString() + key + value)
    for data in (plain, hidden_location(key, value)):
        with pytest.raises(GraphError):
            check_graph(data)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: longer(7 << 3 | 2) + data[1:],
        lambda data: data[:1] + longer(len(data) - 2) + data[2:],
        lambda data: b"\x3b" + data,
        lambda data: b"\x02\x00" + data,
        lambda data: b"\x38\x01" + data,
        lambda data: b"\x0a\x01x" + data,
    ],
    ids=["tag", "length", "group", "field 0", "a graph that is a number", "a version that is a text"],
)
def test_what_can_be_read_in_two_ways_is_refused(spoil: Callable[[bytes], bytes]) -> None:
    data = field(7, field(2, b"g"))
    check_graph(data)
    with pytest.raises(GraphError):
        check_graph(spoil(data))


@given(st.integers(200, 2**20), st.binary(max_size=20), st.integers(0, 2))
def test_an_unknown_field_is_left_out(number: int, content: bytes, depth: int) -> None:
    stranger = field(number, content)
    known = field(2, b"g")
    graph = [field(7, known), field(7, known + stranger), field(7, field(1, stranger) + known)][depth]
    rebuilt = rebuild_graph(graph + (stranger if depth == 0 else b""))
    assert rebuilt == [field(7, known), field(7, known), field(7, field(1, b"") + known)][depth]


@given(st.binary(max_size=60))
def test_what_is_built_again_stays_the_same(data: bytes) -> None:
    try:
        rebuilt = rebuild_graph(field(7, data))
    except GraphError:
        return
    assert rebuild_graph(rebuilt) == rebuilt


def test_a_file_that_looks_like_another_format_is_loaded_as_what_was_checked(
    tiny_bundle: Path, tmp_path: Path
) -> None:
    folder = hostile_models.as_two_formats(hostile_models.copied(tiny_bundle, tmp_path / "two"))
    assert (folder / "reader.onnx").read_bytes()[4:8] == b"ORTM"
    text = ["The chairman reveals a shameful record."]
    assert Reader.load(folder).read(text) == Reader.load(tiny_bundle).read(text)


def test_the_least_onnxruntime_keeps_external_data_inside_the_folder() -> None:
    """Found by trying: 1.26 reads a sparse initializer from any file, 1.27 does not."""
    project = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text(encoding="utf-8"))
    (wanted,) = (name for name in project["project"]["dependencies"] if name.startswith("onnxruntime"))
    least = [int(number) for number in wanted.partition(">=")[2].partition(",")[0].split(".")]
    assert least >= [1, 27]
