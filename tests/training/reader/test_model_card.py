"""What a reader says of itself follows from its run, what it was trained without among it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from core.bundles.manifest import LEANING_MACRO_F1, MAX_EVALUATIONS, MAX_LIMITATIONS
from core.bundles.reader import Calibration, PlattScaling, Thresholds
from core.types import KINDS, Kind
from training.corpora import wikibias_manual
from training.reader import model_card
from training.reader.dataset_mix import CORPORA, DatasetMix
from training.reader.export import TunedParameters
from training.reader.leaning_stage import NEVER, ConfidencePoint
from training.types import Example, GoldSpan

ONE = PlattScaling(1.0)
REQUEST = {"name": "reader", "version": "1", "scale": "smoke", "base": "b", "seed": "42", "device": "cpu"}


def mixture(**parts: Any) -> DatasetMix:
    empty: dict[str, Any] = {name: [] for name in DatasetMix.__slots__}
    return DatasetMix(**{**empty, "auxiliary": {}, "dropped": 7, "corpora": CORPORA, "missing": (), **parts})


def tuned(leaning: float) -> TunedParameters:
    return TunedParameters(Calibration(ONE, ONE, ONE, ONE), Thresholds(0.3, 0.5, 0.5, leaning))


def card(
    mix: DatasetMix, *, leaning: float = 0.6, metrics: dict[str, float] | None = None, **request: str
) -> str:
    return model_card.write_card(
        request={**REQUEST, **request},
        run="run-1",
        mixture=mix,
        metrics=metrics or {},
        tuned=tuned(leaning),
        leaning=[ConfidencePoint(0.35, 1.0, 0.5), ConfidencePoint(0.6, 0.25, 0.75)],
    )


def test_every_corpus_that_was_read_is_named_with_its_terms_and_others_as_missing() -> None:
    whole = card(mixture())
    for facts in CORPORA:
        assert f"- {facts.name} ({facts.homepage}); terms: {facts.licence}" in whole
    assert "Trained without" not in whole
    left = tuple(facts for facts in CORPORA if facts is not wikibias_manual.FACTS)
    made = card(mixture(corpora=left, missing=(f"{wikibias_manual.FACTS.name}: gold spans",)))
    assert f"- {wikibias_manual.FACTS.name} (" not in made
    assert f"\n- Trained without {wikibias_manual.FACTS.name}: gold spans\n" in made


def test_it_says_which_labels_came_from_a_language_model() -> None:
    row = Example("a", "editors", spans=(), bias=0.0)
    made = card(mixture(annotated=[row] * 1200, annotated_corpora=[row] * 2300))
    assert "1,200 sentences are marked in full" in made
    assert "so are 2,300 of the corpora above" in made
    assert "**They were annotated by a large language model**" in made


def test_spans_are_counted_by_kind_over_every_part() -> None:
    row = Example("a cruel king", "x", spans=(GoldSpan(2, 7, Kind.FRAMING),))
    other = replace(row, spans=(GoldSpan(2, 7, Kind.DEMOGRAPHIC),))
    made = card(mixture(wikibias=[row], annotated=[row, row], gbnc=[other]))
    assert "Span labels used: 3 framing, 1 demographic." in made


@pytest.mark.parametrize(
    ("request_", "told"),
    [
        ({}, "It had no teacher."),
        ({"teacher": "none"}, "It had no teacher."),
        ({"teacher": "big"}, "A teacher on `big` went through both stages first"),
        ({"injected": "pairs.jsonl"}, "Injected pairs (`evenhand train data inject`) add typed spans."),
        ({"base_sha256": "ab12"}, "(SHA-256 of its weights: `ab12`)"),
    ],
)
def test_how_it_was_trained(request_: dict[str, str], told: str) -> None:
    assert told in card(mixture(), **request_)


def test_text_of_its_owner_is_told() -> None:
    rows = [Example("a", "x")]
    made = card(mixture(corrections=rows, own_pairs=rows * 2))
    assert "1 sentences of its owner's corrections" in made
    assert "2 sentences of its owner's pairs" in made
    assert "owner" not in card(mixture())


def test_the_leaning_has_its_curve_and_from_where_on_it_is_shown_or_that_it_never_is() -> None:
    made = card(mixture())
    assert "A leaning is shown from a confidence of 0.6 on." in made
    assert "| 0.60 | 0.250 | 0.750 |" in made
    assert "so no leaning is shown" in card(mixture(), leaning=NEVER)


def test_scores_of_the_bundle_are_those_of_its_int8_graph_where_there_are() -> None:
    metrics = {
        "babe_macro_f1": 0.8,
        "int8_babe_macro_f1": 0.79,
        "wikibias_sentence_f1": 0.66,
        "leaning_macro_f1": 0.45,
        "kind_framing_f1": 0.5,
        "kind_framing_gold": 11.0,
        "what_nobody_named": 1.0,
    }
    found = {one.name: (one.value, one.split, one.n) for one in model_card.evaluations(metrics)}
    assert found["BABE, sentence, macro-F1"] == (0.79, "dev", None)
    assert found["WIKIBIAS, sentence, F1"] == (0.66, "dev", None)
    assert found[LEANING_MACRO_F1] == (0.45, "dev", None)
    assert found["WNC, framing, overlap F1"] == (0.5, "dev", 11)
    assert len(found) == 4
    made = card(mixture(), metrics=metrics)
    assert "| BABE, sentence, macro-F1 (checkpoint) | 0.8000 |" in made
    assert "| BABE, sentence, macro-F1 (int8) | 0.7900 |" in made
    assert "| WNC, framing, overlap F1 (int8) | 0.5000 |" in made


def test_a_bundle_may_hold_as_many_scores_and_limitations_as_there_are() -> None:
    assert len(model_card._SCORES) <= MAX_EVALUATIONS
    assert len(model_card.LIMITATIONS) <= MAX_LIMITATIONS
    assert len(set(model_card._SCORES.values())) == len(model_card._SCORES)
    assert all(f"annotated_{kind}_f1" in model_card._SCORES for kind in KINDS)
