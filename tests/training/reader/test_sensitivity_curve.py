"""The curve of sensitivity: measured with the bundle that ships, written so that the bundle still opens."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from core.bundles.reader import load_reader_bundle
from core.types import Kind
from training.reader import sensitivity_curve
from training.reader.export import seal_bundle
from training.types import Example, GoldSpan

ROWS = [
    Example("The shameful plan.", "wnc", spans=(GoldSpan(4, 12, Kind.FRAMING),), bias=1.0),
    Example("The plan.", "wnc", spans=(), bias=0.0),
    Example("A plain day.", "wnc", spans=(GoldSpan(2, 7, Kind.FRAMING),), bias=1.0),
    Example("A day.", "wnc", spans=(), bias=0.0),
]


@pytest.fixture
def bundle(tiny_bundle: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "reader"
    shutil.copytree(tiny_bundle, folder)
    seal_bundle(folder, "# a reader\n\n## What it cannot do\n\nMuch.\n")
    return folder


@pytest.mark.parametrize("tuned", [0.05, 0.325, 0.5, 0.9])
def test_thresholds_lie_around_the_tuned_one_and_fall(tuned: float) -> None:
    points = sensitivity_curve.thresholds(tuned)
    assert points[3] == tuned
    assert points == sorted(set(points), reverse=True)
    assert len(points) == 7
    assert all(0 < point < 1 for point in points)


def test_precision_recall_and_marks_are_counted(bundle: Path) -> None:
    """The tiny reader is sure of one word only: it is right, and it is half of what there is to find."""
    points = sensitivity_curve.measure(bundle, ROWS)
    assert {(point.precision, point.recall) for point in points[:4]} == {(1.0, 0.5)}
    assert points[3].marks_per_1000_words == pytest.approx(1000 / 10)
    assert points[3].threshold == load_reader_bundle(bundle).thresholds.span


def test_what_is_written_is_read_back_and_written_once(bundle: Path) -> None:
    points = sensitivity_curve.measure(bundle, ROWS)
    for _ in range(2):
        sensitivity_curve.write_curve(bundle, points, pairs=2)
    curve = load_reader_bundle(bundle).sensitivity
    assert curve is not None
    assert list(curve.points) == points
    card = (bundle / "README.md").read_text(encoding="utf-8")
    assert card.count(sensitivity_curve.HEADING) == 1
    assert card.startswith("# a reader\n\n## What it cannot do\n\nMuch.\n\n## Sensitivity\n")
    assert "on 2 dev" in card
    assert list(json.loads((bundle / "bundle.json").read_text()))[-1] == "sha256"
