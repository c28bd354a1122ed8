"""Dev scores against cases that were counted by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from core.types import KINDS, Kind
from tests.training.reader.made_dev_rows import (
    annotated,
    dev_logits_of,
    dev_rows_of,
    example,
    manual,
    place,
)
from training.corpora.annotated_sentences import MINIMAL_PAIRS, AnnotatedSentence
from training.metrics import SpanWithKind
from training.modeling.reader import load_base
from training.reader import dev_scores
from training.reader.dev_scores import (
    annotated_scores,
    edited_span_scores,
    minimal_pair_scores,
    selection_score,
    sentence_scores,
    span_total,
    wikibias_kind_scores,
    wikibias_span_scores,
)
from training.reader.stages import ExampleEncoder
from training.types import Example

FRAMING, EPISTEMOLOGICAL, DEMOGRAPHIC = KINDS
KINGS = [
    manual("the cruel king and his vile sons", {"cruel": FRAMING, "vile": FRAMING}),
    manual("some claim that the king won", {"claim": EPISTEMOLOGICAL}),
    manual("the chairman spoke", {"chairman": DEMOGRAPHIC}),
    manual("the king spoke", {}, original=False),
]


def spans(text: str, **words: Kind) -> list[SpanWithKind]:
    return [(*place(text, word), kind) for word, kind in words.items()]


def texts(sentences: list[AnnotatedSentence]) -> list[str]:
    return [one.example.text for one in sentences]


def test_wikibias_counts_spans_of_biased_source_sentences() -> None:
    """Found of four gold spans: one exactly, one by a longer mark; besides one wrong, and one in a target sentence."""
    first, second, _third, fourth = (" ".join(one.tagged.tokens) for one in KINGS)
    found = [
        [*spans(first, cruel=FRAMING), (*place(first, "vile sons"), FRAMING)],
        spans(second, king=FRAMING),
        [],
        spans(fourth, king=FRAMING),
    ]
    scores = wikibias_span_scores(found, KINGS)
    assert scores["wikibias_exact_f1"] == pytest.approx(2 * (1 / 3) * (1 / 4) / (1 / 3 + 1 / 4))
    assert scores["wikibias_overlap_precision"] == pytest.approx(2 / 3)
    assert scores["wikibias_overlap_recall"] == pytest.approx(2 / 4)
    assert scores["wikibias_overlap_f1"] == pytest.approx(2 * (2 / 3) * (1 / 2) / (2 / 3 + 1 / 2))


def test_a_sentence_has_the_kinds_of_its_spans() -> None:
    first, second, _third, fourth = (" ".join(one.tagged.tokens) for one in KINGS)
    found = [
        spans(first, cruel=FRAMING, vile=DEMOGRAPHIC),
        spans(second, claim=EPISTEMOLOGICAL),
        [],
        spans(fourth, king=EPISTEMOLOGICAL),
    ]
    scores = wikibias_kind_scores(found, KINGS)
    assert scores["wikibias_framing_f1"] == 1.0
    assert scores["wikibias_epistemological_f1"] == pytest.approx(2 * 0.5 * 1 / 1.5)
    assert scores["wikibias_demographic_f1"] == 0.0
    assert scores["wikibias_kinds_macro_f1"] == pytest.approx((1 + 2 / 3) / 3)


def test_of_annotated_sentences_clear_spans_are_found_and_a_mark_may_touch_any() -> None:
    """Of three clear spans two are found; of five marks three touch a span, one of them an arguable one."""
    gold = [
        annotated("a vile and rude plan", {"vile": FRAMING, "rude": FRAMING}, arguable=["rude"]),
        annotated("some claim it failed", {"some": EPISTEMOLOGICAL, "claim": EPISTEMOLOGICAL}),
        annotated("the plan was read out on Monday by ten people"),
        annotated("why would anybody agree", grade=1),
    ]
    one, two, three, four = texts(gold)
    found = [
        spans(one, vile=FRAMING, rude=FRAMING),
        spans(two, claim=FRAMING),
        spans(three, read=FRAMING),
        spans(four, why=FRAMING),
    ]
    scores = annotated_scores(found, gold)
    assert scores["annotated_clear_recall"] == pytest.approx(2 / 3)
    assert scores["annotated_precision"] == pytest.approx(3 / 5)
    assert scores["annotated_f1"] == pytest.approx(2 * (2 / 3) * (3 / 5) / (2 / 3 + 3 / 5))
    assert scores["annotated_epistemological_f1"] == 0.0, "the span is found, and named another kind"
    assert scores["annotated_framing_f1"] == pytest.approx(2 * 1 * (2 / 5) / (1 + 2 / 5))
    assert scores["annotated_demographic_f1"] == 0.0
    assert scores["annotated_neutral_marks_per_1000_words"] == pytest.approx(1000 / 10), (
        "grade 1 is not neutral"
    )


def test_nothing_marked_and_nothing_there_is_zero_and_no_error() -> None:
    scores = annotated_scores([[]], [annotated("a plain day")])
    assert set(scores.values()) == {0.0}
    assert set(annotated_scores([], []).values()) == {0.0}


def twin(text: str, name: str, group: str, **words: Kind) -> AnnotatedSentence:
    made = annotated(text, words)
    grouped = Example(text, "written", spans=made.example.spans, bias=1.0, group=group)
    return AnnotatedSentence(grouped, made.grade, made.references, name)


def test_twins_are_read_alike_where_spans_are_found_in_both_or_in_neither() -> None:
    pair, other = f"{MINIMAL_PAIRS}p1", f"{MINIMAL_PAIRS}p2"
    gold = [
        twin("the rabid left lied", "sides-loaded", pair, rabid=FRAMING, lied=FRAMING),
        twin("the rabid right lied", "sides-loaded", pair, rabid=FRAMING, lied=FRAMING),
        twin("the left met", "sides-plain", other),
        twin("the right met", "sides-plain", other),
        twin("she is bossy", "people", f"{MINIMAL_PAIRS}q1", bossy=DEMOGRAPHIC),
        twin("a vile plan", "framing", "written 7", vile=FRAMING),
    ]
    one, two, _three, four, five, _six = texts(gold)
    found = [
        spans(one, rabid=FRAMING, lied=FRAMING),
        spans(two, rabid=FRAMING),
        [],
        spans(four, right=FRAMING),
        spans(five, bossy=DEMOGRAPHIC),
        [],
    ]
    scores = minimal_pair_scores(found, np.array([0.9, 0.7, 0.1, 0.2, 0.9, 0.9]), gold)
    assert scores == {
        "sides_alike": pytest.approx(1 / 2),
        "sides_marks_differ": 1.0,
        "sides_bias_difference": pytest.approx((0.2 + 0.1) / 2),
    }, "one without its twin says nothing"


def test_sentences_are_scored_from_the_threshold_on() -> None:
    scores = sentence_scores(np.array([0.9, 0.5, 0.4, 0.1]), [1, 0, 1, 0], 0.5)
    assert scores == {"f1": 0.5, "macro_f1": 0.5, "accuracy": 0.5}


def test_edited_pairs_are_scored_over_biased_sides_and_marks_of_neutral_ones_are_told() -> None:
    pairs = [
        example("a vile plan", {"vile": FRAMING}),
        example("a plan", {}),
        example("a rude and loud man", {"rude": FRAMING}),
        example("a man", {}),
    ]
    rows = dev_rows_of(wnc=pairs).wnc
    found = [
        spans("a vile plan", vile=FRAMING),
        spans("a plan", plan=FRAMING),
        [(*place(pairs[2].text, "rude and"), FRAMING)],
        [],
    ]
    assert edited_span_scores(found, rows) == {
        "exact_f1": 0.5,
        "overlap_f1": 1.0,
        "overlap_precision": 1.0,
        "overlap_recall": 1.0,
        "neutral_sentences_marked": 0.5,
    }


def test_a_span_threshold_is_chosen_by_gold_spans_where_there_are_any() -> None:
    """BABE and WNC stand in only where neither corpus is there, not where a threshold finds none of their spans."""
    pairs = [example("a vile plan", {"vile": FRAMING})]
    gold = [annotated("a rude man", {"rude": FRAMING})]
    chances = {"vile": 0.9, "rude": 0.3}
    without, with_gold = (
        dev_rows_of(babe=pairs, wnc=pairs),
        dev_rows_of(babe=pairs, wnc=pairs, marked_in_full=gold),
    )
    assert span_total(dev_logits_of(without, chances), without, threshold=0.5) == 2.0
    assert span_total(dev_logits_of(with_gold, chances), with_gold, threshold=0.5) == 0.0
    assert span_total(dev_logits_of(with_gold, chances), with_gold, threshold=0.2) == 2.0


def test_checkpoints_are_selected_by_spans_twice_and_labels_once(
    tiny_base: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = dev_rows_of(
        babe=[example("a vile plan", {"vile": FRAMING}), example("a plan", {})],
        wikibias=KINGS,
        marked_in_full=[annotated("a rude man", {"rude": FRAMING})],
    )
    words = {"cruel", "vile", "claim", "chairman", "rude"}
    perfect = dev_logits_of(
        rows, dict.fromkeys(words, 0.99), {"babe": (2, -2), "wikibias": (2, 2, 2, -2), "annotated": (2,)}
    )
    for made, wanted in (
        (perfect, 1.0),
        (dev_logits_of(rows, {}, {"babe": (-2, -2), "wikibias": (-2,) * 4}), None),
    ):
        monkeypatch.setattr(dev_scores, "predict_dev", lambda *_, made=made: made)
        score = selection_score(None, rows, device=torch.device("cpu"))  # type: ignore[arg-type]
        assert score == (pytest.approx(wanted) if wanted else pytest.approx((1 / 3 + 1 / 5) / 2 / 3))
    monkeypatch.undo()
    model, tokenizer = load_base(tiny_base)
    encode = ExampleEncoder(tokenizer)
    encoded = dev_rows_of(babe=[], wikibias=KINGS)
    rows = type(rows)(
        babe=encode([example("a vile plan", {"vile": FRAMING})]),
        wikibias=encode([row.example for row in encoded.wikibias]),
        annotated=[],
        wnc=[],
        gold_wikibias=KINGS,
        gold_annotated=[],
    )
    assert 0 <= selection_score(model, rows, device=torch.device("cpu")) <= 1
