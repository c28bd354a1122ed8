"""The stops of a reader: what a bundle may say of them, and that reading at another stop leaves its own as it was."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.bundles.manifest import BundleError
from core.bundles.reader import (
    OperatingPoint,
    SensitivityCurve,
    build_curve,
    load_reader_bundle,
    out_of_ten,
    threshold_at,
)
from core.engine.reader import Reader

STOPS = [
    OperatingPoint(0.8, 0.8, 0.3, 10.0),
    OperatingPoint(0.5, 0.6, 0.4, 24.0),
    OperatingPoint(0.1, 0.3, 0.6, 90.0),
]
TEXTS = [
    "The shameful plan.",
    "She claims that he lied, and it was legendary.",
    "Plain words.",
    "…",
    "x " * 400,
]


def described(bundle: Path, tmp_path: Path, value: object) -> Path:
    """A copy of a bundle with ``value`` as its sensitivity."""
    folder = tmp_path / "copy"
    shutil.copytree(bundle, folder)
    facts = json.loads((folder / "bundle.json").read_text())
    facts["sensitivity"] = value
    (folder / "bundle.json").write_text(json.dumps(facts))
    return folder


def entry(threshold: float, **other: Any) -> dict[str, Any]:
    return {"threshold": threshold, "precision": 0.5, "recall": 0.5, "marks_per_1000_words": 20, **other}


def test_steps_count_from_the_tuned_stop_and_end_at_the_last() -> None:
    curve = build_curve(STOPS, 0.5)
    assert (curve.lowest, curve.highest) == (-1, 1)
    assert [curve.at(step).threshold for step in (-9, -1, 0, 1, 9)] == [0.8, 0.8, 0.5, 0.1, 0.1]
    assert threshold_at(curve, 0) is None, "its own threshold, and its own spans"
    assert threshold_at(curve, 1) == 0.1
    assert threshold_at(None, 1) is None


@pytest.mark.parametrize("tuned", [0.325, 0.80001])
def test_the_tuned_threshold_must_be_a_stop(tuned: float) -> None:
    with pytest.raises(ValueError, match=r"."):
        build_curve(STOPS, tuned)


@pytest.mark.parametrize(("share", "tenths"), [(0, 0), (0.01, 1), (0.34, 3), (0.6255, 6), (0.99, 9), (1, 10)])
def test_shares_are_given_out_of_ten(share: float, tenths: int) -> None:
    assert out_of_ten(share) == tenths


def test_a_bundle_without_a_curve_has_none(tiny_bundle: Path) -> None:
    assert load_reader_bundle(tiny_bundle).sensitivity is None


def test_a_bundle_has_its_operating_points(tiny_bundle: Path, tmp_path: Path) -> None:
    own = load_reader_bundle(tiny_bundle).thresholds.span
    folder = described(tiny_bundle, tmp_path, [entry(0.99), entry(own), entry(0.01)])
    curve = load_reader_bundle(folder).sensitivity
    assert isinstance(curve, SensitivityCurve)
    assert curve.at(0) == OperatingPoint(own, 0.5, 0.5, 20)


@pytest.mark.parametrize(
    "value",
    [
        [],
        {},
        [{}],
        [entry(0.99)],
        "OWN RISING",
        [entry(0.9), entry(0.9)],
        "OWN OVER",
        "OWN NAN",
        [entry(0.5)] * 30,
    ],
)
def test_a_curve_that_makes_no_sense_is_damage(tiny_bundle: Path, tmp_path: Path, value: object) -> None:
    own = load_reader_bundle(tiny_bundle).thresholds.span
    cases = {
        "OWN RISING": [entry(0.001), entry(own)],
        "OWN OVER": [entry(own, precision=1.5)],
        "OWN NAN": [entry(own, recall=float("nan"))],
    }
    folder = described(tiny_bundle, tmp_path, cases.get(value, value) if isinstance(value, str) else value)
    with pytest.raises(BundleError, match="sensitivity"):
        load_reader_bundle(folder)


def test_another_threshold_costs_no_run_and_leaves_the_own_one_alone(
    tiny_bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = Reader.load(tiny_bundle, threads=1)
    own = reader.bundle.thresholds.span
    before = reader.read(TEXTS)
    monkeypatch.setattr(reader, "_read_batch", lambda _: pytest.fail("the model was run again"))
    for threshold in (0.05, 0.99, own):
        reader.read(TEXTS, threshold=threshold)
    assert reader.read(TEXTS) == reader.read(TEXTS, threshold=own) == before
    assert any(reading.spans for reading in before)


@given(st.floats(0.01, 0.99), st.floats(0.01, 0.99))
def test_a_lower_threshold_marks_every_word_that_a_higher_one_marks(one: float, other: float) -> None:
    reader = _reader()
    low, high = (reader.read(TEXTS, threshold=value) for value in sorted((one, other)))
    for wide, narrow in zip(low, high, strict=True):
        for span in narrow.spans:
            assert span.confidence >= max(one, other) - 0.001
            assert any(around.start <= span.start and span.end <= around.end for around in wide.spans)
        assert (wide.bias, wide.leaning, wide.political) == (narrow.bias, narrow.leaning, narrow.political)


@pytest.fixture(scope="module", autouse=True)
def _kept(tiny_bundle: Path) -> None:
    _READERS.append(Reader.load(tiny_bundle, threads=1))


_READERS: list[Reader] = []


def _reader() -> Reader:
    return _READERS[-1]


def test_the_shipped_reader_has_seven_measured_stops() -> None:
    """More marks, fewer of them right: the figures of the slider must rise and fall as it says."""
    curve = load_reader_bundle(Path(__file__).parents[3] / "resources" / "models" / "reader").sensitivity
    assert curve is not None
    assert (curve.lowest, curve.highest) == (-3, 3)
    assert [stop.precision for stop in curve.points] == sorted(
        (s.precision for s in curve.points), reverse=True
    )
    assert [stop.recall for stop in curve.points] == sorted(s.recall for s in curve.points)
    marks = [stop.marks_per_1000_words for stop in curve.points]
    assert marks == sorted(marks)
