"""Metrics: classification and span scores, calibration, agreement, confidence intervals and significance tests."""

from training.metrics.agreement import krippendorff_alpha
from training.metrics.calibration import (
    calibration_error,
    fit_scale,
    fit_temperature,
    reliability,
)
from training.metrics.classification import (
    Score,
    SpanWithKind,
    accuracy,
    confusion,
    kind_scores,
    macro_f1,
    positive_score,
    score,
    span_counts,
    span_scores,
    weighted_f1,
)

__all__ = [
    "Score",
    "SpanWithKind",
    "accuracy",
    "calibration_error",
    "confusion",
    "fit_scale",
    "fit_temperature",
    "kind_scores",
    "krippendorff_alpha",
    "macro_f1",
    "positive_score",
    "reliability",
    "score",
    "span_counts",
    "span_scores",
    "weighted_f1",
]
