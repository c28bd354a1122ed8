"""Metrics: classification and span scores, calibration, agreement, confidence intervals and significance tests."""

from training.metrics.agreement import alpha
from training.metrics.calibration import (
    Brier,
    adaptive_calibration_error,
    brier,
    calibration_error,
    fit_scale,
    fit_temperature,
    maximum_calibration_error,
    reliability,
)
from training.metrics.classification import (
    KindedSpan,
    Score,
    accuracy,
    class_f1,
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
    "Brier",
    "KindedSpan",
    "Score",
    "accuracy",
    "adaptive_calibration_error",
    "alpha",
    "brier",
    "calibration_error",
    "class_f1",
    "confusion",
    "fit_scale",
    "fit_temperature",
    "kind_scores",
    "macro_f1",
    "maximum_calibration_error",
    "positive_score",
    "reliability",
    "score",
    "span_counts",
    "span_scores",
    "weighted_f1",
]
