"""Protects ``figures.json``: the layout that the window reads, written whole or not at all."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from core.runs.metrics import PublishedMetric, RunMetrics
from core.runs.types import METRICS_FILE
from core.storage.files import FileError
from training.reader.charts import (
    count_confusion,
    measure_reliability,
    measure_top_label_reliability,
    write_run_metrics,
)

OURS = PublishedMetric(
    "BABE SG2", "macro-F1", ours=0.81, published=0.804, source="Spinde et al. 2021, Table 5"
)


def test_the_file_has_the_layout_of_its_contract(tmp_path: Path) -> None:
    chances, gold = np.array([0.1, 0.2, 0.9]), np.array([0.0, 1.0, 1.0])
    figures = RunMetrics(
        confusion=(count_confusion("BABE dev", [0, 1, 1], [0, 0, 1], {0: "not biased", 1: "biased"}),),
        reliability=(measure_reliability("BABE dev", chances, gold, bins=2),),
        published=(OURS,),
    )
    assert write_run_metrics(tmp_path, figures) == tmp_path / METRICS_FILE
    assert json.loads((tmp_path / METRICS_FILE).read_text(encoding="utf-8")) == {
        "confusion": [{"name": "BABE dev", "labels": ["not biased", "biased"], "counts": [[1, 0], [1, 1]]}],
        "reliability": [
            {
                "name": "BABE dev",
                "bins": [
                    {"low": 0.0, "high": 0.5, "count": 2, "confidence": pytest.approx(0.15), "share": 0.5},
                    {"low": 0.5, "high": 1.0, "count": 1, "confidence": 0.9, "share": 1.0},
                ],
                "error": pytest.approx((2 * 0.35 + 0.1) / 3),
            }
        ],
        "published": [
            {
                "name": "BABE SG2",
                "metric": "macro-F1",
                "ours": 0.81,
                "published": 0.804,
                "source": "Spinde et al. 2021, Table 5",
            }
        ],
    }


def test_what_is_empty_is_left_out(tmp_path: Path) -> None:
    write_run_metrics(tmp_path, RunMetrics(published=(OURS,)))
    assert list(json.loads((tmp_path / METRICS_FILE).read_text(encoding="utf-8"))) == ["published"]


def test_the_likeliest_class_is_what_is_checked() -> None:
    chances = np.array([[0.9, 0.05, 0.05], [0.1, 0.2, 0.7]])
    found = measure_top_label_reliability("leaning", chances, np.array([0, 1]))
    assert [(part.count, part.confidence, part.share) for part in found.bins] == [
        (1, 0.7, 0.0),
        (1, 0.9, 1.0),
    ]


def test_what_is_no_number_is_refused_and_the_file_stays(tmp_path: Path) -> None:
    write_run_metrics(tmp_path, RunMetrics(published=(OURS,)))
    before = (tmp_path / METRICS_FILE).read_bytes()
    lost = PublishedMetric("BABE SG2", "macro-F1", ours=float("nan"), published=0.804, source="")
    with pytest.raises(ValueError, match="macro-F1"):
        write_run_metrics(tmp_path, RunMetrics(published=(lost,)))
    assert (tmp_path / METRICS_FILE).read_bytes() == before


def test_a_folder_that_is_gone_is_said_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=METRICS_FILE):
        write_run_metrics(tmp_path / "gone", RunMetrics(published=(OURS,)))
