"""Thresholds chosen again: the weights and what concerns leaning stay, and the bundle says all that changed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from core.bundles.manifest import LEANING_MACRO_F1, Evaluation
from core.bundles.reader import load_reader_bundle
from training.evaluation import reader_thresholds
from training.reader import sensitivity_curve
from training.reader.export import seal_bundle

CARD = "# a reader\n\n## Selection on dev data\n\nSpan threshold 0.123.\n\n## What it cannot do\n\nMuch.\n"


@pytest.fixture
def bundle(tiny_bundle: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "reader"
    shutil.copytree(tiny_bundle, folder)
    scores = (
        Evaluation("BABE, sentence, macro-F1", 0.1, split="dev"),
        Evaluation(LEANING_MACRO_F1, 0.45, split="dev"),
    )
    seal_bundle(folder, CARD, evaluation=scores)
    return folder


def test_without_saving_the_bundle_is_unchanged_and_both_thresholds_are_shown(
    bundle: Path, corpora: Path
) -> None:
    before = {path.name: path.read_bytes() for path in bundle.iterdir()}
    table = reader_thresholds.run(corpora, bundle, save_results=False)
    assert {path.name: path.read_bytes() for path in bundle.iterdir()} == before
    assert table.splitlines()[0].split() == ["now", "chosen"]
    assert f"{load_reader_bundle(bundle).thresholds.span:.4f}" in table


def test_what_is_saved_is_in_the_bundle_and_its_card_once(bundle: Path, corpora: Path) -> None:
    before = load_reader_bundle(bundle)
    graph = before.graph.read_bytes()
    for _ in range(2):
        reader_thresholds.run(corpora, bundle, save_results=True)
    after = load_reader_bundle(bundle)
    assert after.graph.read_bytes() == graph
    assert (after.calibration.leaning, after.calibration.political, after.thresholds.leaning) == (
        before.calibration.leaning,
        before.calibration.political,
        before.thresholds.leaning,
    )
    assert after.score(LEANING_MACRO_F1) == 0.45
    assert after.score("BABE, sentence, macro-F1") not in (None, 0.1)
    assert after.sensitivity is not None
    assert after.sensitivity.at(0).threshold == after.thresholds.span
    card = (bundle / "README.md").read_text(encoding="utf-8")
    assert card.count("## Selection on dev data") == card.count(sensitivity_curve.HEADING) == 1
    assert f"Span threshold {after.thresholds.span} " in card
    assert reader_thresholds.COMMAND in card
    assert "0.123" not in card
    assert "Much." in card
