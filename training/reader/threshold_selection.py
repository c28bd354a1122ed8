"""Calibration and thresholds of a trained reader, fitted on dev data, and its dev scores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from core.bundles.reader import Calibration, PlattScaling, Thresholds
from core.types import LABELS
from training.loop.batches import IGNORED, EncodedExample
from training.metrics import (
    KindedSpan,
    calibration_error,
    fit_scale,
    fit_temperature,
    macro_f1,
    span_scores,
)
from training.modeling.reader import Logits, ReaderModel, decode_spans, predict, softmax
from training.reader.export import TunedParameters

Floats = NDArray[np.float64]
_THRESHOLDS = tuple(float(value) for value in np.arange(0.15, 0.75, 0.025))


@dataclass(frozen=True, slots=True)
class DevRows:
    """Encoded dev rows: BABE, both sides of WNC, article windows, and prose that is not political."""

    babe: Sequence[EncodedExample]
    wnc: Sequence[EncodedExample]
    articles: Sequence[EncodedExample]
    other: Sequence[EncodedExample]


@dataclass(frozen=True, slots=True)
class DevLogits:
    """The model's logits for each part of DevRows."""

    babe: Logits
    wnc: Logits
    articles: Logits
    other: Logits


def predict_dev(rows: DevRows, read_rows: Callable[[Sequence[EncodedExample]], Logits]) -> DevLogits:
    """Predict every dev row once."""
    return DevLogits(*map(read_rows, (rows.babe, rows.wnc, rows.articles, rows.other)))


def select_parameters(logits: DevLogits, rows: DevRows) -> TunedParameters:
    """Fit temperatures and offsets by log loss, and thresholds by dev scores.

    The span threshold has the best mean of exact and overlap F1 over WNC and BABE, equally over their biased
    sentences (the protocol of WIKIBIAS, section 3.2) and over all of them (as in a draft); the bias threshold has the
    best macro-F1 on BABE.
    """
    bias_gold = _bias_gold(rows.babe)
    bias = PlattScaling(*fit_scale(logits.babe.bias, bias_gold))
    tags, gold_tags = _known_tags((logits.babe, rows.babe), (logits.wnc, rows.wnc))
    spans = fit_temperature(tags, gold_tags)
    leaning_gold = np.array([int(row.example.leaning or 0) for row in rows.articles], dtype=np.int64)
    leaning = fit_temperature(logits.articles.leaning[:, :3], leaning_gold)
    odds = np.concatenate([political_odds(logits.articles.leaning), political_odds(logits.other.leaning)])
    is_political = np.concatenate([np.ones(len(rows.articles)), np.zeros(len(rows.other))])
    calibration = Calibration(
        spans=PlattScaling(spans),
        bias=bias,
        leaning=PlattScaling(leaning),
        political=PlattScaling(*fit_scale(odds, is_political)),
    )
    thresholds = Thresholds(
        span=_span_threshold(logits, rows, spans),
        bias=_bias_threshold(calibrate(logits.babe.bias, bias), bias_gold),
        political=0.5,
    )
    return TunedParameters(calibration, thresholds)


def dev_scores(logits: DevLogits, rows: DevRows, tuned: TunedParameters) -> dict[str, float]:
    """Dev scores for the card: span F1 on biased sentences, sentence macro-F1, leaning macro-F1, calibration."""
    scores: dict[str, float] = {}
    spans_temperature = tuned.calibration.spans.temperature
    for name, part, found in (("wnc", rows.wnc, logits.wnc), ("babe", rows.babe, logits.babe)):
        spans = decode_spans(found, part, threshold=tuned.thresholds.span, temperature=spans_temperature)
        exact, overlap = span_scores(*biased_span_tuples(span_tuples(spans), part))
        scores[f"{name}_exact_f1"] = exact.f1
        scores[f"{name}_overlap_f1"] = overlap.f1
        scores[f"{name}_overlap_precision"] = overlap.precision
        scores[f"{name}_overlap_recall"] = overlap.recall
        neutral = [len(here) for here, row in zip(spans, part, strict=True) if not row.example.spans]
        scores[f"{name}_neutral_sentences_marked"] = float(np.mean([count > 0 for count in neutral]))
    probabilities = calibrate(logits.babe.bias, tuned.calibration.bias)
    gold = _bias_gold(rows.babe)
    scores["babe_macro_f1"] = macro_f1(
        gold.astype(int).tolist(), (probabilities >= tuned.thresholds.bias).astype(int).tolist()
    )
    scores["babe_calibration_error"] = calibration_error(probabilities, gold)
    leaning = [int(row.example.leaning or 0) for row in rows.articles]
    scores["leaning_macro_f1"] = macro_f1(leaning, logits.articles.leaning[:, :3].argmax(axis=1).tolist())
    return scores


def selection_score(model: ReaderModel, rows: DevRows, *, device: torch.device) -> float:
    """Selects a checkpoint: the mean of span F1 (exact and overlap, WNC and BABE) and sentence macro-F1 on dev."""
    babe, wnc = predict(model, rows.babe, device=device), predict(model, rows.wnc, device=device)
    parts = ((wnc, rows.wnc), (babe, rows.babe))
    found = max(_span_total(parts, threshold, 1.0) for threshold in _THRESHOLDS[::3])
    labels = _bias_gold(rows.babe).astype(int).tolist()
    return (found + macro_f1(labels, (babe.bias > 0).astype(int).tolist())) / 5


def calibrate(logits: Floats, scale: PlattScaling) -> Floats:
    """Calibrated probabilities of logits."""
    return np.asarray(1.0 / (1.0 + np.exp(-(logits / scale.temperature + scale.offset))))


def political_odds(leaning: Floats) -> Floats:
    """Log-odds that a text is political, from leaning logits [rows, 4]."""
    other = np.clip(softmax(leaning)[:, 3], 1e-6, 1 - 1e-6)
    return np.asarray(np.log1p(-other) - np.log(other))


def span_tuples(spans: Sequence[Sequence[object]]) -> list[list[KindedSpan]]:
    """(start, end, kind) of engine spans or gold spans."""
    return [[(span.start, span.end, span.kind) for span in here] for here in spans]  # type: ignore[attr-defined]


def biased_span_tuples(
    found: list[list[KindedSpan]], rows: Sequence[EncodedExample]
) -> tuple[list[list[KindedSpan]], list[list[KindedSpan]]]:
    """Found and gold spans of the rows that have gold spans."""
    kept = [at for at, row in enumerate(rows) if row.example.spans]
    return [found[at] for at in kept], span_tuples([rows[at].example.spans or () for at in kept])


def _bias_gold(rows: Sequence[EncodedExample]) -> Floats:
    return np.array([float(row.example.bias or 0.0) for row in rows])


def _known_tags(*parts: tuple[Logits, Sequence[EncodedExample]]) -> tuple[Floats, NDArray[np.int64]]:
    tags: list[Floats] = []
    gold: list[int] = []
    for logits, rows in parts:
        for found, row in zip(logits.spans, rows, strict=True):
            known = [at for at, tag in enumerate(row.tags) if tag != IGNORED]
            tags.append(found[known])
            gold.extend(row.tags[at] for at in known)
    return np.concatenate(tags) if tags else np.zeros((0, len(LABELS))), np.array(gold, dtype=np.int64)


def _span_threshold(logits: DevLogits, rows: DevRows, temperature: float) -> float:
    parts = ((logits.wnc, rows.wnc), (logits.babe, rows.babe))
    best: float = max(_THRESHOLDS, key=lambda threshold: _span_total(parts, float(threshold), temperature))
    return round(best, 4)


def _span_total(
    parts: Sequence[tuple[Logits, Sequence[EncodedExample]]], threshold: float, temperature: float
) -> float:
    """Exact plus overlap F1, summed over the parts, each over its biased sentences and over all of them."""
    total = 0.0
    for found, part in parts:
        spans = span_tuples(decode_spans(found, part, threshold=threshold, temperature=temperature))
        every = spans, span_tuples([row.example.spans or () for row in part])
        for exact, overlap in (span_scores(*biased_span_tuples(spans, part)), span_scores(*every)):
            total += exact.f1 + overlap.f1
    return total / 2


def _bias_threshold(probabilities: Floats, gold: Floats) -> float:
    choices = np.arange(0.3, 0.71, 0.02)
    labels = gold.astype(int).tolist()
    found = [macro_f1(labels, (probabilities >= choice).astype(int).tolist()) for choice in choices]
    smooth = np.convolve(np.pad(found, 2, mode="edge"), np.ones(5) / 5, mode="valid")
    return round(float(choices[int(smooth.argmax())]), 4)
