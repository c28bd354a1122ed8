"""Charts of a reader's run (``figures.json``): confusion matrices, reliability diagrams, and published scores."""

from __future__ import annotations

import json
import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.runs.metrics import ConfusionCounts, PublishedMetric, Reliability, RunMetrics
from core.runs.types import METRICS_FILE
from core.storage.files import write_bytes
from training.metrics import calibration_error, confusion, macro_f1, reliability
from training.reader.dev_scores import DevLogits, DevRows
from training.reader.export import TunedParameters
from training.reader.leaning_stage import LeaningFit
from training.reader.threshold_selection import calibrate

Floats = NDArray[np.float64]

BABE_TABLE_5: dict[str, dict[str, tuple[float, float]]] = {
    "features": {"SG1": (0.511, 0.008), "SG2": (0.569, 0.008)},
    "BERT": {"SG1": (0.762, 0.019), "SG2": (0.789, 0.011)},
    "DistilBERT": {"SG1": (0.758, 0.029), "SG2": (0.777, 0.009)},
    "RoBERTa": {"SG1": (0.775, 0.023), "SG2": (0.799, 0.011)},
    "ELECTRA": {"SG1": (0.742, 0.020), "SG2": (0.760, 0.013)},
    "XLNet": {"SG1": (0.760, 0.042), "SG2": (0.797, 0.015)},
    "BERT + distant": {"SG1": (0.778, 0.017), "SG2": (0.804, 0.014)},
    "RoBERTa + distant": {"SG1": (0.798, 0.022), "SG2": (0.799, 0.017)},
}
"""Spinde et al. 2021, Table 5: F1 and its standard error over five stratified folds, early stopping on the scored fold.

The table says macro F1; the text of section 5 and the released code say weighted.
"""


def count_confusion(
    name: str, gold: Sequence[Hashable], found: Sequence[Hashable], labels: Mapping[Any, str]
) -> ConfusionCounts:
    """The confusion matrix of ``found`` against ``gold``; ``labels`` names the values in the order of the chart."""
    counts = confusion(gold, found, list(labels)).tolist()
    return ConfusionCounts(name, tuple(labels.values()), tuple(tuple(row) for row in counts))


def measure_reliability(name: str, probabilities: Floats, gold: Floats, *, bins: int = 10) -> Reliability:
    """The reliability of ``probabilities`` [rows] of the positive class against ``gold`` [rows], 0 or 1."""
    parts = tuple(reliability(probabilities, gold, bins))
    return Reliability(name, parts, calibration_error(probabilities, gold, bins=bins))


def measure_top_label_reliability(
    name: str, probabilities: Floats, gold: NDArray[np.int64], *, bins: int = 10
) -> Reliability:
    """Reliability of the most probable class (Guo et al. 2017): ``probabilities`` [rows, classes], ``gold`` [rows]."""
    right = (probabilities.argmax(axis=1) == gold).astype(np.float64)
    return measure_reliability(name, probabilities.max(axis=1), right, bins=bins)


def write_run_metrics(folder: Path, metrics: RunMetrics) -> Path:
    """Write the charts of a run into its folder, atomically; empty parts are left out.

    Raises ValueError for a value that is not finite, and FileError where the file cannot be written.
    """
    for row in metrics.published:
        if not (math.isfinite(row.ours) and math.isfinite(row.published)):
            raise ValueError(f"{row.name}: {row.metric} is not a number.")
    named = {key: rows for key, rows in asdict(metrics).items() if rows}
    path = folder / METRICS_FILE
    write_bytes(path, (json.dumps(named, indent=2, allow_nan=False) + "\n").encode())
    return path


def dev_metrics(logits: DevLogits, rows: DevRows, tuned: TunedParameters, leaning: LeaningFit) -> RunMetrics:
    """The charts of the dev parts: confusion and reliability of bias and leaning, and the published scores of BABE.

    The published scores are over BABE's folds, ours over a dev part: they are shown for orientation and are not
    comparable; `evenhand train table babe-5` compares.
    """
    gold = np.array([float(row.example.bias or 0) for row in rows.babe])
    probabilities = calibrate(logits.babe.bias, tuned.calibration.bias)
    found = (probabilities >= tuned.thresholds.bias).astype(float)
    ours = macro_f1(gold.astype(int).tolist(), found.astype(int).tolist())
    return RunMetrics(
        confusion=(
            count_confusion(
                "BABE dev, sentences", gold.tolist(), found.tolist(), {0.0: "not biased", 1.0: "biased"}
            ),
            count_confusion(
                "Articles of dev publishers",
                leaning.gold.tolist(),
                leaning.answers.argmax(axis=1).tolist(),
                dict(enumerate(("left", "center", "right"))),
            ),
        ),
        reliability=(
            measure_reliability("BABE dev, biased", probabilities, gold),
            measure_top_label_reliability(
                "Articles of dev publishers, leaning", leaning.answers, leaning.gold
            ),
        ),
        published=tuple(
            PublishedMetric(
                f"BABE SG2, {system}", "F1", ours, scores["SG2"][0], "Spinde et al. 2021, Table 5"
            )
            for system, scores in BABE_TABLE_5.items()
        ),
    )
