"""The dev parts of the reader, and what a reader scores on them.

WIKIBIAS is scored as its authors count (exact F1 of repaired spans over biased source sentences) and by overlap, its
labels by F1 and accuracy, its kinds by macro-F1 over sentences. Of annotated sentences clear spans have to be found,
and a mark is right that touches any span, clear or arguable.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from core.types import KINDS, Kind
from training.corpora.annotated_sentences import MINIMAL_PAIRS, AnnotatedSentence
from training.corpora.wikibias_manual import ManualSentence, to_example
from training.loop.batches import EncodedExample
from training.metrics import SpanWithKind, accuracy, macro_f1, positive_score, span_scores
from training.metrics.tags import tag_scores, tags_over
from training.modeling.reader import Logits, ReaderModel, decode_spans, predict
from training.reader.dataset_mix import DatasetMix
from training.types import Example

Floats = NDArray[np.float64]
Spans = Sequence[Sequence[SpanWithKind]]
MARK_COST = 0.03
"""A mark in neutral prose costs trust: two more in 1,000 words weigh as much as three points of F1."""

THRESHOLDS = tuple(float(value) for value in np.arange(0.1, 0.8, 0.025))


@dataclass(frozen=True, slots=True)
class DevRows:
    """Encoded dev rows: BABE, WIKIBIAS and the annotated sentences with their gold, and both sides of WNC."""

    babe: Sequence[EncodedExample]
    wikibias: Sequence[EncodedExample]
    annotated: Sequence[EncodedExample]
    wnc: Sequence[EncodedExample]
    gold_wikibias: Sequence[ManualSentence]
    gold_annotated: Sequence[AnnotatedSentence]


@dataclass(frozen=True, slots=True)
class DevLogits:
    """The model's logits for each part of DevRows."""

    babe: Logits
    wikibias: Logits
    annotated: Logits
    wnc: Logits


def dev_rows(mixture: DatasetMix, encode: Callable[[Sequence[Example]], list[EncodedExample]]) -> DevRows:
    """The dev parts as tokens."""
    return DevRows(
        babe=encode(mixture.dev_babe),
        wikibias=encode([to_example(sentence, prose=False) for sentence in mixture.dev_wikibias]),
        annotated=encode([sentence.example for sentence in mixture.dev_annotated]),
        wnc=encode(mixture.dev_wnc),
        gold_wikibias=mixture.dev_wikibias,
        gold_annotated=mixture.dev_annotated,
    )


def predict_dev(rows: DevRows, read_rows: Callable[[Sequence[EncodedExample]], Logits]) -> DevLogits:
    """Predict every dev row once."""
    return DevLogits(*map(read_rows, (rows.babe, rows.wikibias, rows.annotated, rows.wnc)))


def span_tuples(spans: Sequence[Sequence[object]]) -> list[list[SpanWithKind]]:
    """(start, end, kind) of engine spans or gold spans."""
    return [[(span.start, span.end, span.kind) for span in here] for here in spans]  # type: ignore[attr-defined]


def wikibias_span_scores(found: Spans, gold: Sequence[ManualSentence]) -> dict[str, float]:
    """Exact F1 as the authors count, and overlap F1, precision and recall, over the biased source sentences.

    ``found`` are spans of the tokens with spaces between.
    """
    tagged = [sentence.tagged for sentence in gold]
    tags = []
    for sentence, spans in zip(tagged, found, strict=True):
        places, at = [], 0
        for token in sentence.tokens:
            places.append((at, at + len(token)))
            at += len(token) + 1
        tags.append(tags_over(places, [(start, end) for start, end, _ in spans]))
    scores = tag_scores(tagged, tags)
    return {
        "wikibias_exact_f1": scores.authors_exact.f1,
        "wikibias_overlap_f1": scores.overlap.f1,
        "wikibias_overlap_precision": scores.overlap.precision,
        "wikibias_overlap_recall": scores.overlap.recall,
    }


def wikibias_kind_scores(found: Spans, gold: Sequence[ManualSentence]) -> dict[str, float]:
    """F1 of each kind over sentences, which have a kind where one of their spans has it, and the macro-F1."""
    scores: dict[str, float] = {}
    for kind in KINDS:
        truth = [int(kind in (sentence.tagged.kinds or ())) for sentence in gold]
        answers = [int(any(span[2] is kind for span in spans)) for spans in found]
        scores[f"wikibias_{kind}_f1"] = positive_score(truth, answers).f1
    return scores | {"wikibias_kinds_macro_f1": float(np.mean(list(scores.values())))}


def annotated_scores(found: Spans, gold: Sequence[AnnotatedSentence]) -> dict[str, float]:
    """Recall of clear spans, precision of marks, their F1 overall and of each kind; marks in neutral sentences."""
    scores: dict[str, float] = {}
    for name, kind in (("", None), *((f"{kind}_", kind) for kind in KINDS)):
        recall, precision = _overlap(found, gold, kind)
        both = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
        scores |= {f"annotated_{name}f1": both}
        if kind is None:
            scores |= {"annotated_clear_recall": recall, "annotated_precision": precision}
    neutral = [at for at, one in enumerate(gold) if not one.grade and not one.example.spans]
    words = sum(len(gold[at].example.text.split()) for at in neutral)
    scores["annotated_neutral_marks_per_1000_words"] = (
        1000 * sum(len(found[at]) for at in neutral) / max(1, words)
    )
    return scores


def minimal_pair_scores(
    found: Spans, probabilities: Floats, gold: Sequence[AnnotatedSentence]
) -> dict[str, float]:
    """Whether minimal pairs are read alike, which differ in the political side, the people or the spelling.

    Of each pair the loaded spans, in their order, are found in both or in neither (``alike``); ``marks_differ`` is the
    share of pairs with another number of marks, ``bias_difference`` the mean difference of the bias.
    """
    groups: dict[str, dict[str, list[int]]] = {"sides": {}, "people": {}, "spelling": {}}
    for at, one in enumerate(gold):
        name = one.written_for.split("-")[0]
        if name in groups and one.example.group.startswith(MINIMAL_PAIRS):
            groups[name].setdefault(one.example.group, []).append(at)
    scores: dict[str, float] = {}
    for name, members in groups.items():
        pairs = [(places[0], places[1]) for places in members.values() if len(places) == 2]
        if not pairs:
            continue
        same = [
            hit == other
            for one, two in pairs
            for hit, other in zip(_found(found[one], gold[one]), _found(found[two], gold[two]), strict=False)
        ]
        if same:
            scores[f"{name}_alike"] = float(np.mean(same))
        scores[f"{name}_marks_differ"] = float(np.mean([len(found[a]) != len(found[b]) for a, b in pairs]))
        scores[f"{name}_bias_difference"] = float(
            np.mean([abs(probabilities[a] - probabilities[b]) for a, b in pairs])
        )
    return scores


def _found(spans: Sequence[SpanWithKind], one: AnnotatedSentence) -> list[bool]:
    """For each gold span of a sentence whether a mark touches it."""
    return [any(a < span.end and span.start < b for a, b, _ in spans) for span in one.example.spans or ()]


def _overlap(found: Spans, gold: Sequence[AnnotatedSentence], kind: Kind | None) -> tuple[float, float]:
    hit = clear = right = marks = 0
    for spans, one in zip(found, gold, strict=True):
        here = [span for span in spans if kind is None or span[2] is kind]
        truth = [span for span in one.example.spans or () if kind is None or span.kind is kind]
        touched = [span for span in truth if any(a < span.end and span.start < b for a, b, _ in here)]
        clear += sum(span.is_clear for span in truth)
        hit += sum(span.is_clear for span in touched)
        marks += len(here)
        right += sum(any(a < span.end and span.start < b for span in truth) for a, b, _ in here)
    return hit / max(1, clear), right / max(1, marks)


def sentence_scores(probabilities: Floats, gold: Sequence[int], threshold: float) -> dict[str, float]:
    """F1 of biased sentences, macro-F1 and accuracy."""
    answers = (probabilities >= threshold).astype(int).tolist()
    return {
        "f1": positive_score(gold, answers).f1,
        "macro_f1": macro_f1(gold, answers),
        "accuracy": accuracy(gold, answers),
    }


def bias_gold(rows: Sequence[EncodedExample]) -> list[int]:
    """1 for biased sentences; a sentence that many would let pass counts as neutral."""
    return [int((row.example.bias or 0.0) >= 0.5) for row in rows]


def edited_span_scores(found: Spans, rows: Sequence[EncodedExample]) -> dict[str, float]:
    """Exact and overlap scores over the biased sides, and the share of neutral sides in which a word is marked."""
    biased = [at for at, row in enumerate(rows) if row.example.spans]
    gold = span_tuples([rows[at].example.spans or () for at in biased])
    exact, overlap = span_scores([list(found[at]) for at in biased], gold)
    neutral = [bool(spans) for spans, row in zip(found, rows, strict=True) if not row.example.spans]
    return {
        "exact_f1": exact.f1,
        "overlap_f1": overlap.f1,
        "overlap_precision": overlap.precision,
        "overlap_recall": overlap.recall,
        "neutral_sentences_marked": float(np.mean(neutral)) if neutral else 0.0,
    }


def span_total(
    logits: DevLogits, rows: DevRows, *, threshold: float, temperature: float = 1.0, cue_offset: float = 0.0
) -> float:
    """The score by which a span threshold and the offset of cue words are chosen.

    It is exact and overlap F1 on WIKIBIAS, plus twice the F1 on annotated sentences, less MARK_COST for each mark in
    1,000 words of neutral ones.

    Without either corpus it is the overlap F1 on BABE and WNC.
    """
    total = 0.0

    def spans(found: Logits, part: Sequence[EncodedExample]) -> list[list[SpanWithKind]]:
        return span_tuples(
            decode_spans(found, part, threshold=threshold, temperature=temperature, cue_offset=cue_offset)
        )

    if rows.gold_wikibias:
        scores = wikibias_span_scores(spans(logits.wikibias, rows.wikibias), rows.gold_wikibias)
        total += scores["wikibias_exact_f1"] + scores["wikibias_overlap_f1"]
    if rows.gold_annotated:
        found_scores = annotated_scores(spans(logits.annotated, rows.annotated), rows.gold_annotated)
        total += 2 * found_scores["annotated_f1"]
        total -= MARK_COST * found_scores["annotated_neutral_marks_per_1000_words"]
    if not (rows.gold_wikibias or rows.gold_annotated):
        for found, part in ((logits.babe, rows.babe), (logits.wnc, rows.wnc)):
            total += edited_span_scores(spans(found, part), part)["overlap_f1"]
    return total


def selection_score(model: ReaderModel, rows: DevRows, *, device: torch.device) -> float:
    """Selects a checkpoint: the mean of the span scores, and of the macro-F1 on BABE and WIKIBIAS, in [0, 1]."""
    logits = predict_dev(rows, lambda part: predict(model, part, device=device))
    spans = max(span_total(logits, rows, threshold=threshold) for threshold in THRESHOLDS[::3]) / 4
    labels = [
        macro_f1(bias_gold(part), (found.bias > 0).astype(int).tolist())
        for found, part in ((logits.babe, rows.babe), (logits.wikibias, rows.wikibias))
        if part
    ]
    return (2 * spans + float(np.mean(labels))) / 3
