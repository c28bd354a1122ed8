"""Calibration and thresholds of a trained reader, fitted on dev data, and its dev scores."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.bundles.reader import Calibration, PlattScaling, Thresholds
from core.types import LABELS, Kind
from training.loop.batches import IGNORED, EncodedExample
from training.metrics import SpanWithKind, calibration_error, fit_scale, fit_temperature, macro_f1
from training.modeling.reader import Logits, decode_spans
from training.reader.dev_scores import (
    THRESHOLDS,
    DevLogits,
    DevRows,
    annotated_scores,
    bias_gold,
    edited_span_scores,
    minimal_pair_scores,
    sentence_scores,
    span_total,
    span_tuples,
    wikibias_kind_scores,
    wikibias_span_scores,
)
from training.reader.export import TunedParameters
from training.reader.leaning_stage import LeaningFit

Floats = NDArray[np.float64]
CUE_OFFSETS = (0.0, 0.5, 1.0, 1.5)
MAX_NEUTRAL_MARKS = 3.0
"""A reader is not released that marks more in 1,000 words of neutral sentences, if any choice marks fewer."""
SIDES_WEIGHT = 0.5
"""The weight, beside `span_total`, of the share of loaded words that are read alike for either political side."""


def select_parameters(logits: DevLogits, rows: DevRows, leaning: LeaningFit) -> TunedParameters:
    """Fit temperatures and offsets by log loss, and thresholds by dev scores.

    Bias is calibrated on BABE, WIKIBIAS and the annotated sentences together, each corpus counting equally; the bias
    threshold has the best mean of their macro-F1. The span threshold and the offset of cue words are chosen
    together (`_span_threshold`); the threshold of demographic spans has the best F1 of their kind, on annotated
    sentences and WIKIBIAS together. What concerns leaning comes from ``leaning``.
    """
    parts = _labelled(logits, rows)
    values = np.concatenate([found for found, _ in parts])
    gold = np.concatenate([np.array(labels, dtype=np.float64) for _, labels in parts])
    weights = np.concatenate([np.full(len(labels), 1000 / len(labels)) for _, labels in parts])
    bias = PlattScaling(*fit_scale(values, gold, weights=weights))
    tags, gold_tags = _known_tags((logits.babe, rows.babe), (logits.annotated, rows.annotated))
    spans = fit_temperature(tags, gold_tags)
    span, cue_offset = _span_threshold(logits, rows, spans)
    calibration = Calibration(
        spans=PlattScaling(spans),
        bias=bias,
        leaning=leaning.leaning,
        political=leaning.political,
        cue_offset=cue_offset,
    )
    thresholds = Thresholds(
        span=span,
        bias=_bias_threshold([(calibrate(found, bias), labels) for found, labels in parts]),
        political=0.5,
        leaning=leaning.threshold,
        demographic=_demographic_threshold(logits, rows, span, calibration),
    )
    return TunedParameters(calibration, thresholds)


def dev_scores(logits: DevLogits, rows: DevRows, tuned: TunedParameters) -> dict[str, float]:
    """Dev scores for the card, the macro-F1 on BABE first; those of corpora that are not there are missing."""
    temperature, threshold = tuned.calibration.spans.temperature, tuned.thresholds.span

    def spans(found: Logits, part: Sequence[EncodedExample]) -> list[list[SpanWithKind]]:
        return span_tuples(
            decode_spans(
                found,
                part,
                threshold=threshold,
                demographic_margin=tuned.thresholds.demographic_margin,
                temperature=temperature,
                cue_offset=tuned.calibration.cue_offset,
            )
        )

    scores: dict[str, float] = {}
    if rows.gold_wikibias:
        found = spans(logits.wikibias, rows.wikibias)
        scores |= wikibias_span_scores(found, rows.gold_wikibias)
        scores |= wikibias_kind_scores(found, rows.gold_wikibias)
    if rows.gold_annotated:
        found = spans(logits.annotated, rows.annotated)
        scores |= annotated_scores(found, rows.gold_annotated)
        scores |= minimal_pair_scores(
            found, calibrate(logits.annotated.bias, tuned.calibration.bias), rows.gold_annotated
        )
    for name, part, here in (("wnc", rows.wnc, logits.wnc), ("babe", rows.babe, logits.babe)):
        scores |= {
            f"{name}_{key}": value for key, value in edited_span_scores(spans(here, part), part).items()
        }
    for name, part, here in (
        ("babe", rows.babe, logits.babe),
        ("wikibias", rows.wikibias, logits.wikibias),
        ("annotated", rows.annotated, logits.annotated),
    ):
        if part:
            probabilities, gold = calibrate(here.bias, tuned.calibration.bias), bias_gold(part)
            found_here = sentence_scores(probabilities, gold, tuned.thresholds.bias)
            scores |= {f"{name}_sentence_{key}": value for key, value in found_here.items()}
            scores[f"{name}_calibration_error"] = calibration_error(
                probabilities, np.array(gold, dtype=np.float64)
            )
    return {"babe_macro_f1": scores.pop("babe_sentence_macro_f1"), **scores}


def calibrate(logits: Floats, scale: PlattScaling) -> Floats:
    """Calibrated probabilities of logits."""
    return np.asarray(1.0 / (1.0 + np.exp(-(logits / scale.temperature + scale.offset))))


def _labelled(logits: DevLogits, rows: DevRows) -> list[tuple[Floats, list[int]]]:
    """The bias logits of each corpus that is there, and its labels."""
    parts = (
        (logits.babe, rows.babe),
        (logits.wikibias, rows.wikibias),
        (logits.annotated, rows.annotated),
    )
    return [(found.bias, bias_gold(part)) for found, part in parts if part]


def _known_tags(*parts: tuple[Logits, Sequence[EncodedExample]]) -> tuple[Floats, NDArray[np.int64]]:
    tags: list[Floats] = []
    gold: list[int] = []
    for logits, rows in parts:
        for found, row in zip(logits.spans, rows, strict=True):
            known = [at for at, tag in enumerate(row.tags) if tag != IGNORED]
            tags.append(found[known])
            gold.extend(row.tags[at] for at in known)
    return np.concatenate(tags) if tags else np.zeros((0, len(LABELS))), np.array(gold, dtype=np.int64)


def _span_threshold(logits: DevLogits, rows: DevRows, temperature: float) -> tuple[float, float]:
    """The span threshold and the offset of cue words that are best together."""

    def value(pair: tuple[float, float]) -> tuple[bool, float]:
        threshold, offset = pair
        total = span_total(logits, rows, threshold=threshold, temperature=temperature, cue_offset=offset)
        found = span_tuples(
            decode_spans(
                logits.annotated,
                rows.annotated,
                threshold=threshold,
                temperature=temperature,
                cue_offset=offset,
            )
        )
        neutral = annotated_scores(found, rows.gold_annotated)["annotated_neutral_marks_per_1000_words"]
        pairs = minimal_pair_scores(found, np.zeros(len(found)), rows.gold_annotated)
        return neutral <= MAX_NEUTRAL_MARKS, total + SIDES_WEIGHT * pairs.get("sides_alike", 0.0)

    best = max(
        ((threshold, offset) for offset in CUE_OFFSETS for threshold in THRESHOLDS),
        key=value,
    )
    return round(best[0], 4), best[1]


def _demographic_threshold(logits: DevLogits, rows: DevRows, span: float, calibration: Calibration) -> float:
    """The threshold of demographic spans, at least ``span``: bare names of groups reach ``span`` too often."""
    if not (rows.gold_annotated and rows.gold_wikibias):
        return span
    parts = (logits.annotated, rows.annotated), (logits.wikibias, rows.wikibias)
    annotated, wikibias = (
        decode_spans(
            found,
            part,
            threshold=span,
            temperature=calibration.spans.temperature,
            cue_offset=calibration.cue_offset,
        )
        for found, part in parts
    )
    choices = [span, *(one for one in map(float, np.arange(0.3, 0.95, 0.025)) if one > span)]

    def total(least: float) -> float:
        in_annotated, in_wikibias = (
            span_tuples(
                [
                    [one for one in here if one.kind is not Kind.DEMOGRAPHIC or one.confidence >= least]
                    for here in found
                ]
            )
            for found in (annotated, wikibias)
        )
        scores = annotated_scores(in_annotated, rows.gold_annotated)
        scores |= wikibias_kind_scores(in_wikibias, rows.gold_wikibias)
        return scores["annotated_demographic_f1"] + scores["wikibias_demographic_f1"]

    best = max(choices, key=total)
    return round(best, 4)


def _bias_threshold(parts: Sequence[tuple[Floats, list[int]]]) -> float:
    choices = np.arange(0.3, 0.71, 0.02)
    found = [
        float(np.mean([macro_f1(gold, (values >= choice).astype(int).tolist()) for values, gold in parts]))
        for choice in choices
    ]
    smooth = np.convolve(np.pad(found, 2, mode="edge"), np.ones(5) / 5, mode="valid")
    return round(float(choices[int(smooth.argmax())]), 4)
