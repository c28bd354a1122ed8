"""Does the int8 bundle, read by the app's own engine, say what the checkpoint says?"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from core.reader import Reader
from training.metrics import macro_f1, span_scores
from training.reading import Logits
from training.tuning import DevRows, as_tuples, biased_only


class ParityError(Exception):
    """The exported reader is worse than its checkpoint."""


def apart(one: Logits, other: Logits) -> float:
    """The mean absolute difference of the probability of bias, uncalibrated, over rows that both have read."""
    chances = [1 / (1 + np.exp(-logits.bias)) for logits in (one, other)]
    return float(np.abs(chances[0] - chances[1]).mean())


def check(bundle: Path, rows: DevRows, scores: Mapping[str, float], *, most: float) -> dict[str, float]:
    """Read the dev rows with the bundle and compare with the checkpoint's ``scores``.

    Both have thresholds of their own. Returns the int8 figures. Raises ParityError if the sentence macro-F1 on BABE
    dev falls by more than ``most``.
    """
    reader = Reader.load(bundle)
    threshold = reader.bundle.thresholds.bias
    readings = reader.read([row.example.text for row in rows.babe])
    gold = [int(row.example.bias or 0) for row in rows.babe]
    found = [int(reading.bias >= threshold) for reading in readings]
    figures = {"int8_babe_macro_f1": macro_f1(gold, found)}
    for name, part in (("wnc", rows.wnc), ("babe", rows.babe)):
        spans = as_tuples([reading.spans for reading in reader.read([row.example.text for row in part])])
        exact, overlap = span_scores(*biased_only(spans, part))
        figures[f"int8_{name}_exact_f1"] = exact.f1
        figures[f"int8_{name}_overlap_f1"] = overlap.f1
        neutral = [bool(here) for here, row in zip(spans, part, strict=True) if not row.example.spans]
        figures[f"int8_{name}_neutral_sentences_marked"] = sum(neutral) / max(1, len(neutral))
    if scores["babe_macro_f1"] - figures["int8_babe_macro_f1"] > most:
        raise ParityError(
            f"int8 macro-F1 {figures['int8_babe_macro_f1']:.4f} is more than {most} below the checkpoint's "
            f"{scores['babe_macro_f1']:.4f}: the bundle is not fit to use."
        )
    return figures
