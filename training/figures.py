"""``figures.json`` of a run: confusion matrices, reliability diagrams, and published figures beside its own."""

from __future__ import annotations

import json
import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.files import write_bytes
from core.runs.figures import Confusion, Figures, Reliability
from core.runs.model import FIGURES
from training.metrics import calibration_error, confusion, reliability

Floats = NDArray[np.float64]


def confusion_of(
    name: str, gold: Sequence[Hashable], found: Sequence[Hashable], labels: Mapping[Any, str]
) -> Confusion:
    """The confusion matrix of ``found`` against ``gold``; ``labels`` names each value, in the order to be shown."""
    counts = confusion(gold, found, list(labels)).tolist()
    return Confusion(name, tuple(labels.values()), tuple(tuple(row) for row in counts))


def reliability_of(name: str, probabilities: Floats, gold: Floats, *, bins: int = 10) -> Reliability:
    """The reliability of the probabilities of a yes: ``probabilities`` [rows] in [0, 1], ``gold`` [rows] 0 or 1."""
    parts = tuple(reliability(probabilities, gold, bins))
    return Reliability(name, parts, calibration_error(probabilities, gold, bins=bins))


def top_label_reliability(
    name: str, probabilities: Floats, gold: NDArray[np.int64], *, bins: int = 10
) -> Reliability:
    """The reliability of the likeliest class (Guo et al. 2017): ``probabilities`` [rows, classes], ``gold`` [rows]."""
    right = (probabilities.argmax(axis=1) == gold).astype(np.float64)
    return reliability_of(name, probabilities.max(axis=1), right, bins=bins)


def write_figures(folder: Path, figures: Figures) -> Path:
    """Write ``figures`` into the folder of a run, whole or not at all; what is empty is left out.

    Raises ValueError for a figure that is no number, and FileError where the file cannot be written.
    """
    for row in figures.published:
        if not (math.isfinite(row.ours) and math.isfinite(row.published)):
            raise ValueError(f"{row.name}: {row.metric} is no number.")
    named = {key: rows for key, rows in asdict(figures).items() if rows}
    path = folder / FIGURES
    write_bytes(path, (json.dumps(named, indent=2, allow_nan=False) + "\n").encode())
    return path
