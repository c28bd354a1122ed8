"""Checks of a finished reader: parity of int8 bundle and checkpoint, and scores by kind on hand-labelled spans.

The kinds of 300 spans of WNC's dev part were labelled by hand in two passes. ``corpora/wnc_dev_kinds.tsv`` holds row,
offsets and both labels, no text: the row is that of ``pairs.dev.tsv``.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from sklearn.metrics import cohen_kappa_score

from core.engine.reader import Reader
from core.types import KINDS, Kind
from training.loop.batches import EncodedExample
from training.metrics import SpanWithKind, kind_scores, macro_f1, span_scores
from training.modeling.reader import Logits
from training.reader.dev_scores import (
    DevRows,
    annotated_scores,
    edited_span_scores,
    span_tuples,
    wikibias_kind_scores,
    wikibias_span_scores,
)
from training.types import Example


class ParityError(Exception):
    """The exported reader is worse than its checkpoint."""


def mean_bias_difference(one: Logits, other: Logits) -> float:
    """The mean absolute difference of the uncalibrated probability of bias over rows that both have predicted."""
    probabilities = [1 / (1 + np.exp(-logits.bias)) for logits in (one, other)]
    return float(np.abs(probabilities[0] - probabilities[1]).mean())


def check_parity(
    bundle: Path, rows: DevRows, scores: Mapping[str, float], *, max_drop: float
) -> dict[str, float]:
    """Score the bundle on the dev rows and compare with the checkpoint's ``scores``.

    Each has its own thresholds. Returns the int8 scores. Raises ParityError if the sentence macro-F1 on BABE dev is
    lower by more than ``max_drop``.
    """
    reader = Reader.load(bundle)

    def spans(part: Sequence[EncodedExample]) -> list[list[SpanWithKind]]:
        return span_tuples([reading.spans for reading in reader.read([row.example.text for row in part])])

    readings = reader.read([row.example.text for row in rows.babe])
    gold = [int(row.example.bias or 0) for row in rows.babe]
    found = [int(reading.bias >= reader.bundle.thresholds.bias) for reading in readings]
    metrics = {"int8_babe_macro_f1": macro_f1(gold, found)}
    parts: dict[str, float] = {}
    for name, part in (("wnc", rows.wnc), ("babe", rows.babe)):
        parts |= {f"{name}_{key}": value for key, value in edited_span_scores(spans(part), part).items()}
    if rows.gold_wikibias:
        parts |= wikibias_span_scores(spans(rows.wikibias), rows.gold_wikibias)
        parts |= wikibias_kind_scores(spans(rows.wikibias), rows.gold_wikibias)
    if rows.gold_annotated:
        parts |= annotated_scores(spans(rows.annotated), rows.gold_annotated)
    metrics |= {f"int8_{key}": value for key, value in parts.items()}
    if scores["babe_macro_f1"] - metrics["int8_babe_macro_f1"] > max_drop:
        raise ParityError(
            f"int8 macro-F1 {metrics['int8_babe_macro_f1']:.4f} is more than {max_drop} below the checkpoint's "
            f"{scores['babe_macro_f1']:.4f}: the bundle is not fit to use."
        )
    return metrics


LABELS = Path(__file__).parents[1] / "corpora" / "wnc_dev_kinds.tsv"


def load_gold_kinds() -> tuple[dict[int, list[SpanWithKind]], float]:
    """Gold spans by row, where both passes agree on the kind, and Cohen's kappa of the passes."""
    with LABELS.open(encoding="utf-8", newline="") as stream:
        table = list(csv.DictReader(stream, delimiter="\t"))
    rows: dict[int, list[SpanWithKind]] = {}
    for line in table:
        rows.setdefault(int(line["row"]), [])
        if line["pass1"] == line["pass2"]:
            rows[int(line["row"])].append((int(line["start"]), int(line["end"]), Kind(line["pass1"])))
    passes = [[line[name] for line in table] for name in ("pass1", "pass2")]
    return rows, float(cohen_kappa_score(*passes))


def _spans(bundle: Path, texts: list[str]) -> list[list[SpanWithKind]]:
    """The spans that the bundle finds in each text."""
    return span_tuples([reading.spans for reading in Reader.load(bundle).read(texts)])


def demographic_scores(bundle: Path, dev_gbnc: list[Example]) -> dict[str, float]:
    """Exact and overlap F1 on the biased sides of GBNC's dev pairs, and the share of found spans named demographic."""
    biased = [example for example in dev_gbnc if example.spans]
    found = _spans(bundle, [example.text for example in biased])
    exact, overlap = span_scores(found, span_tuples([example.spans or () for example in biased]))
    kinds = [span[2] for spans in found for span in spans]
    share = kinds.count(Kind.DEMOGRAPHIC) / len(kinds) if kinds else 0.0
    return {"gbnc_exact_f1": exact.f1, "gbnc_overlap_f1": overlap.f1, "gbnc_named_demographic": share}


def gold_kind_scores(bundle: Path, dev_wnc: list[Example]) -> dict[str, float]:
    """Overlap F1 per kind of the bundle's spans, and the share of correct kinds."""
    rows, agreement = load_gold_kinds()
    texts = {int(example.group.rsplit("-", 1)[1]): example.text for example in dev_wnc if example.spans}
    chosen = sorted(set(rows) & set(texts))
    gold = [rows[row] for row in chosen]
    found = _spans(bundle, [texts[row] for row in chosen])
    metrics = {"kind_kappa": agreement}
    for kind in KINDS:
        score = kind_scores(found, gold)[kind]
        metrics[f"kind_{kind}_f1"] = score.f1
        metrics[f"kind_{kind}_gold"] = float(sum(span[2] is kind for spans in gold for span in spans))
    pairs = [
        (one[2], two[2])
        for here, truth in zip(found, gold, strict=True)
        for one in here
        for two in truth
        if one[0] < two[1] and two[0] < one[1]
    ]
    metrics["kind_accuracy_on_overlap"] = sum(a is b for a, b in pairs) / len(pairs) if pairs else 0.0
    return metrics
