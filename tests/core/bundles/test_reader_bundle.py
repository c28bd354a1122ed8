"""Protects the person from a damaged or hostile model: nothing of a bundle is run before it is checked."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from core.bundles.manifest import BundleError
from core.bundles.onnx_checks import GraphError, check_graph
from core.bundles.reader import load_reader_bundle
from core.types import GUIDE_CLASSES, LABELS
from tests.tiny import RUN, describe

LABELLED = {"spans": list(LABELS), "leaning": ["left", "center", "right"]}
TUNED = {"span": 0.5, "bias": 0.5, "political": 0.5}


@pytest.fixture
def bundle(tiny_bundle: Path, tmp_path: Path) -> Path:
    """A copy that the test may spoil."""
    return Path(shutil.copytree(tiny_bundle, tmp_path / "reader"))


def change(folder: Path, **fields: Any) -> None:
    """Replace top-level fields of the description, and nothing else."""
    path = folder / "bundle.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | fields))


def test_a_good_bundle_loads(bundle: Path) -> None:
    loaded = load_reader_bundle(bundle)
    assert loaded.title == "reader tiny 0.1"
    assert loaded.run == RUN
    assert loaded.max_tokens == 32
    assert loaded.graph == bundle / "reader.onnx"
    assert loaded.card == bundle / "README.md"
    assert loaded.thresholds.bias == 0.5
    assert loaded.calibration.political.temperature == 1.0
    assert [corpus.licence for corpus in loaded.corpora] == ["CC0-1.0"]


def test_a_missing_bundle_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(BundleError, match=r"There is no model in .*nothing.*Reinstall Evenhand or import"):
        load_reader_bundle(tmp_path / "nothing")


@pytest.mark.parametrize("name", ["reader.onnx", "tokenizer.json", "README.md"])
def test_one_changed_byte_is_damage(bundle: Path, name: str) -> None:
    path = bundle / name
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    with pytest.raises(BundleError) as caught:
        load_reader_bundle(bundle)
    assert str(caught.value) == (
        f"The model in {bundle} is damaged: {name} does not match its checksum. "
        "Reinstall Evenhand or import the model again."
    )


def test_a_missing_file_is_named(bundle: Path) -> None:
    (bundle / "tokenizer.json").unlink()
    with pytest.raises(BundleError, match=r"tokenizer\.json is missing"):
        load_reader_bundle(bundle)


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"format": 1}', '"x"', "[" * 100_000, "\ufeff{}"])
def test_a_description_that_is_none_is_damage(bundle: Path, text: str) -> None:
    (bundle / "bundle.json").write_text(text)
    with pytest.raises(BundleError, match="is damaged: "):
        load_reader_bundle(bundle)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"format": 2}, "newer version of Evenhand"),
        ({"format": 0}, "format is missing or wrong"),
        ({"role": "oracle"}, "its role is 'oracle'"),
        ({"labels": {"spans": ["O"], "leaning": ["left", "center", "right"]}}, "its labels"),
        ({"labels": LABELLED | {"classes": list(GUIDE_CLASSES)[::-1]}}, "its labels"),
        ({"labels": LABELLED | {"classes": 23}}, "labels.classes is missing or wrong"),
        ({"name": ""}, "name is missing or wrong"),
        ({"version": 1}, "version is missing or wrong"),
        ({"name": "a\x1b[31m"}, "name is missing or wrong"),
        ({"max_tokens": 4}, "max_tokens is missing or wrong"),
        ({"max_tokens": True}, "max_tokens is missing or wrong"),
        ({"run": "yesterday"}, "run is missing or wrong"),
        ({"corpora": ["BABE"]}, "corpora[0] is missing or wrong"),
        ({"thresholds": {"span": 0.5, "bias": 1.5, "political": 0.5}}, "thresholds.bias is missing or wrong"),
        ({"thresholds": TUNED | {"leaning": 1.5}}, "thresholds.leaning is missing or wrong"),
        ({"thresholds": TUNED | {"leaning": None}}, "thresholds.leaning is missing or wrong"),
        ({"thresholds": TUNED | {"leaning": True}}, "thresholds.leaning is missing or wrong"),
        ({"calibration": {"spans": {"temperature": 0}}}, "calibration.spans.temperature is missing or wrong"),
        ({"calibration": {}}, "calibration.spans is missing or wrong"),
        ({"sha256": {}}, "reader.onnx has no checksum"),
    ],
)
def test_a_wrong_field_is_named(bundle: Path, fields: dict[str, Any], said: str) -> None:
    change(bundle, **fields)
    with pytest.raises(BundleError) as caught:
        load_reader_bundle(bundle)
    assert said in str(caught.value)


@pytest.mark.parametrize(("stated", "read"), [({}, 0.0), ({"leaning": 0}, 0.0), ({"leaning": 0.6}, 0.6)])
def test_the_certainty_of_a_leaning_may_be_stated(
    bundle: Path, stated: dict[str, float], read: float
) -> None:
    change(bundle, thresholds=TUNED | stated)
    assert load_reader_bundle(bundle).thresholds.leaning == read


def test_numbers_must_be_finite(bundle: Path) -> None:
    path = bundle / "bundle.json"
    path.write_text(path.read_text().replace('"bias": 0.5', '"bias": NaN'))
    with pytest.raises(BundleError, match=r"thresholds\.bias"):
        load_reader_bundle(bundle)


@pytest.mark.parametrize(
    "name", ["../reader.onnx", "/etc/passwd", "C:\\reader.onnx", "..\\reader.onnx", "a/../../b"]
)
def test_a_path_outside_the_folder_is_refused(bundle: Path, name: str) -> None:
    hashes = json.loads((bundle / "bundle.json").read_text())["sha256"]
    change(bundle, graph=name, sha256=hashes | {name: "0" * 64})
    with pytest.raises(BundleError, match="outside its folder"):
        load_reader_bundle(bundle)


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege on Windows")
def test_a_link_out_of_the_folder_is_refused(bundle: Path, tmp_path: Path) -> None:
    shutil.move(bundle / "reader.onnx", tmp_path / "elsewhere.onnx")
    (bundle / "reader.onnx").symlink_to(tmp_path / "elsewhere.onnx")
    with pytest.raises(BundleError, match="outside its folder"):
        load_reader_bundle(bundle)


def test_a_file_over_the_cap_is_refused(bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.bundles.manifest.MAX_FILE_BYTES", 100)
    with pytest.raises(BundleError, match="larger than"):
        load_reader_bundle(bundle)


def external_data(model: onnx.ModelProto) -> None:
    """Say that a weight lies in another file."""
    tensor = model.graph.initializer[0]
    tensor.ClearField("raw_data")
    tensor.data_location = TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value="/etc/passwd")


def external_data_in_an_attribute(model: onnx.ModelProto) -> None:
    """The same in a constant inside a branch of an If node."""
    tensor = numpy_helper.from_array(np.zeros(3, np.float32), "hidden")
    external = onnx.TensorProto()
    external.CopyFrom(tensor)
    external.data_location = TensorProto.EXTERNAL
    constant = helper.make_node("Constant", [], ["hidden"], value=external)
    branch = helper.make_graph([constant], "branch", [], [])
    model.graph.node.append(helper.make_node("If", ["c"], ["y"], then_branch=branch, else_branch=branch))


def custom_operator(model: onnx.ModelProto) -> None:
    """An operator that only a library from outside could run."""
    model.graph.node.append(helper.make_node("Run", ["input_ids"], ["extra"], domain="evil.example"))


def custom_operator_in_a_function(model: onnx.ModelProto) -> None:
    """The same inside a function that the model itself defines."""
    inner = helper.make_node("Run", ["x"], ["y"], domain="evil.example")
    opsets = [helper.make_opsetid("evil.example", 1)]
    model.functions.append(helper.make_function("own", "wrap", ["x"], ["y"], [inner], opsets))
    model.graph.node.append(helper.make_node("wrap", ["input_ids"], ["extra"], domain="own"))


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (external_data, "files outside the graph"),
        (external_data_in_an_attribute, "files outside the graph"),
        (custom_operator, r"custom operators \(evil\.example\)"),
        (custom_operator_in_a_function, r"custom operators \(evil\.example\)"),
    ],
)
def test_a_graph_that_reaches_out_is_refused(
    bundle: Path, spoil: Callable[[onnx.ModelProto], None], said: str
) -> None:
    model = onnx.load(bundle / "reader.onnx")
    spoil(model)
    (bundle / "reader.onnx").write_bytes(model.SerializeToString())
    (bundle / "bundle.json").unlink()
    describe(bundle)
    with pytest.raises(BundleError, match=said):
        load_reader_bundle(bundle)


def test_functions_of_the_model_itself_are_allowed() -> None:
    inner = helper.make_node("Identity", ["x"], ["y"])
    graph = helper.make_graph([helper.make_node("wrap", ["a"], ["b"], domain="own")], "g", [], [])
    model = helper.make_model(graph)
    model.functions.append(
        helper.make_function("own", "wrap", ["x"], ["y"], [inner], [helper.make_opsetid("", 17)])
    )
    check_graph(model.SerializeToString())


@pytest.mark.parametrize("keep", [0, 1, 2, 3, 50, 500, -1])
def test_a_cut_graph_is_refused_and_never_crashes(tiny_bundle: Path, keep: int) -> None:
    data = (tiny_bundle / "reader.onnx").read_bytes()
    with pytest.raises(GraphError):
        check_graph(data[:keep])


@pytest.mark.parametrize(
    "data", [b"\xff" * 40, b"PK\x03\x04 a zip", b"\x80\x04\x95 a pickle", b"text", bytes(100)]
)
def test_other_files_are_no_graph(data: bytes) -> None:
    with pytest.raises(GraphError):
        check_graph(data)


@pytest.mark.parametrize(
    ("stated", "margin"), [({}, 0.0), ({"demographic": 0.1}, 0.0), ({"demographic": 0.8}, 0.3)]
)
def test_demographic_spans_may_have_a_higher_threshold(
    bundle: Path, stated: dict[str, float], margin: float
) -> None:
    change(bundle, thresholds=TUNED | {"span": 0.5} | stated)
    assert load_reader_bundle(bundle).thresholds.demographic_margin == pytest.approx(margin)


def test_a_reader_may_raise_the_words_of_the_cue_lists(bundle: Path) -> None:
    assert load_reader_bundle(bundle).calibration.cue_offset == 0.0
    stated = json.loads((bundle / "bundle.json").read_text())["calibration"]
    change(bundle, calibration=stated | {"cue_offset": 1.5})
    assert load_reader_bundle(bundle).calibration.cue_offset == 1.5
    change(bundle, calibration=stated | {"cue_offset": 11})
    with pytest.raises(BundleError, match="cue_offset"):
        load_reader_bundle(bundle)
