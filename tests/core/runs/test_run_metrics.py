"""Protects the figures in a run's folder: read as they were written, and one clear sentence where they are damaged."""

from __future__ import annotations

import json

import pytest
from made_runs import a_run

from core.runs.folder import RunError
from core.runs.metrics import (
    ConfusionCounts,
    PublishedMetric,
    Reliability,
    ReliabilityBin,
    RunMetrics,
    read_run_metrics,
)
from core.runs.types import METRICS_FILE, Run

WHOLE = {
    "confusion": [{"name": "bias", "labels": ["neutral", "biased"], "counts": [[8, 2], [1, 9]]}],
    "reliability": [
        {
            "name": "bias",
            "bins": [{"low": 0.5, "high": 1, "count": 20, "confidence": 0.9, "share": 0.85}],
            "error": 0.05,
        }
    ],
    "published": [
        {"name": "BERT", "metric": "macro F1", "ours": 0.79, "published": 0.789, "source": "BABE, Table 5"}
    ],
}


def with_figures(text: str) -> Run:
    run = a_run()
    (run.folder / METRICS_FILE).write_text(text, encoding="utf-8")
    return run


def test_figures_are_read_as_they_stand() -> None:
    assert read_run_metrics(with_figures(json.dumps(WHOLE))) == RunMetrics(
        confusion=(ConfusionCounts("bias", ("neutral", "biased"), ((8, 2), (1, 9))),),
        reliability=(Reliability("bias", (ReliabilityBin(0.5, 1.0, 20, 0.9, 0.85),), 0.05),),
        published=(PublishedMetric("BERT", "macro F1", 0.79, 0.789, "BABE, Table 5"),),
    )


def test_any_part_may_be_missing() -> None:
    assert read_run_metrics(a_run()) == read_run_metrics(with_figures("{}")) == RunMetrics()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        '"x"',
        '{"confusion": 3}',
        '{"confusion": [3]}',
        '{"confusion": [{"name": "x", "labels": ["a"], "counts": [[1, 2]]}]}',
        '{"confusion": [{"name": "x", "labels": ["a", "b"], "counts": [[1, 2]]}]}',
        '{"confusion": [{"name": "x", "labels": ["a"], "counts": [[-1]]}]}',
        '{"confusion": [{"name": "x", "labels": [], "counts": []}]}',
        '{"reliability": [{"name": "x", "bins": [], "error": NaN}]}',
        '{"reliability": [{"name": "x", "bins": [{"low": "0"}], "error": 0}]}',
        '{"published": [{"name": "x"}]}',
        '{"published": null}',
        "[" * 100_000,
    ],
)
def test_damage_is_one_sentence(text: str) -> None:
    run = with_figures(text)
    with pytest.raises(RunError, match=f"results of the run {run.id} are damaged"):
        read_run_metrics(run)


def test_what_is_no_text_or_far_too_long_is_damage() -> None:
    run = a_run()
    for data in (b"\xff\xfe{}", b" " * 5_000_000 + b"{}"):
        (run.folder / METRICS_FILE).write_bytes(data)
        with pytest.raises(RunError, match="damaged"):
            read_run_metrics(run)
