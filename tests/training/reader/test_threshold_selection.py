"""Thresholds and calibration: found on made dev data where they are known, each corpus counting equally."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.bundles.reader import PlattScaling
from core.types import Kind
from tests.training.reader.made_dev_rows import annotated, dev_logits_of, dev_rows_of, example, manual
from training.corpora.annotated_sentences import MINIMAL_PAIRS
from training.reader.dev_scores import THRESHOLDS
from training.reader.leaning_stage import LeaningFit
from training.reader.threshold_selection import calibrate, dev_scores, select_parameters

LEANING = LeaningFit(
    PlattScaling(1.5), PlattScaling(2.0, 0.25), 0.62, {}, (), np.zeros((0, 3)), np.zeros(0, dtype=np.int64)
)
VILE = example("a vile plan", {"vile": Kind.FRAMING})
NEUTRAL = example("a plan", {})


def test_the_span_threshold_finds_the_weak_word_and_leaves_the_neutral_one() -> None:
    """*rude* is less likely than *vile* and more than *plan*: the threshold lies between."""
    rows = dev_rows_of(
        babe=[VILE, NEUTRAL],
        wikibias=[manual("a rude and vile king", {"rude": Kind.FRAMING, "vile": Kind.FRAMING})],
        marked_in_full=[annotated("a rude man", {"rude": Kind.FRAMING}), annotated("a plain plan")],
    )
    made = dev_logits_of(rows, {"vile": 0.9, "rude": 0.45, "plan": 0.3}, {"babe": (1, -1)})
    tuned = select_parameters(made, rows, LEANING)
    assert tuned.thresholds.span in [round(one, 4) for one in THRESHOLDS]
    scores = dev_scores(made, rows, tuned)
    assert scores["annotated_f1"] == scores["wikibias_exact_f1"] == 1.0
    assert scores["annotated_neutral_marks_per_1000_words"] == 0.0


def test_demographic_spans_get_a_threshold_of_their_own_where_bare_groups_are_likely_too() -> None:
    """*murky* is right at .85, *gay* is wrong at .6, and framing words of .5 have to stay."""
    rows = dev_rows_of(
        babe=[VILE, NEUTRAL],
        wikibias=[manual("a lumpy and murky king", {"lumpy": Kind.FRAMING, "murky": Kind.DEMOGRAPHIC})],
        marked_in_full=[
            annotated("a murky man", {"murky": Kind.DEMOGRAPHIC}),
            annotated("a lumpy man and a gay one", {"lumpy": Kind.FRAMING}),
            annotated("a plain day"),
        ],
    )
    chances = {"murky": (0.85, Kind.DEMOGRAPHIC), "gay": (0.6, Kind.DEMOGRAPHIC), "lumpy": 0.5}
    made = dev_logits_of(rows, chances)
    tuned = select_parameters(made, rows, LEANING)
    assert tuned.thresholds.span < tuned.thresholds.demographic
    scores = dev_scores(made, rows, tuned)
    assert scores["annotated_f1"] == scores["annotated_demographic_f1"] == 1.0


def test_the_bias_threshold_separates_what_can_be_separated() -> None:
    texts = [example(f"{'vile' if at % 2 else 'new'} plan {at}", {}, bias=float(at % 2)) for at in range(40)]
    rows = dev_rows_of(babe=texts)
    bias = [(-1.0, 3.0)[at % 2] + 0.02 * at for at in range(40)]
    made = dev_logits_of(rows, {}, {"babe": bias})
    tuned = select_parameters(made, rows, LEANING)
    scores = dev_scores(made, rows, tuned)
    assert scores["babe_macro_f1"] == scores["babe_sentence_accuracy"] == 1.0
    assert 0.3 <= tuned.thresholds.bias <= 0.7


def test_a_large_corpus_does_not_outvote_a_small_one() -> None:
    """Above zero every sentence of a corpus of 600 is biased and none of a corpus of 20, all of whose are there."""
    many = [example(f"plan {at}", {}, bias=float(at % 2)) for at in range(600)]
    few = [annotated(f"day {at}") for at in range(20)]
    rows = dev_rows_of(babe=many, marked_in_full=few)
    bias = {"babe": [(-2.0, 2.0)[at % 2] for at in range(600)], "annotated": [2.0] * 20}
    tuned = select_parameters(dev_logits_of(rows, {}, bias), rows, LEANING)
    sure, not_sure = calibrate(np.array([2.0, -2.0]), tuned.calibration.bias)
    assert sure == pytest.approx(1 / 3, abs=0.02), (
        "half of one corpus is biased there, all of the other is not"
    )
    assert not_sure < 0.02


def test_what_concerns_leaning_comes_from_its_own_stage() -> None:
    rows = dev_rows_of(babe=[VILE, NEUTRAL])
    tuned = select_parameters(dev_logits_of(rows, {"vile": 0.9}, {"babe": (1, -1)}), rows, LEANING)
    assert (tuned.calibration.leaning, tuned.calibration.political) == (LEANING.leaning, LEANING.political)
    assert (tuned.thresholds.leaning, tuned.thresholds.political) == (0.62, 0.5)


def test_corpora_that_are_not_there_have_no_scores() -> None:
    rows = dev_rows_of(babe=[VILE, NEUTRAL], wnc=[VILE, NEUTRAL])
    made = dev_logits_of(rows, {"vile": 0.9}, {"babe": (1, -1)})
    scores = dev_scores(made, rows, select_parameters(made, rows, LEANING))
    assert {"babe_macro_f1", "wnc_overlap_f1", "babe_calibration_error"} <= set(scores)
    assert not [name for name in scores if name.startswith(("wikibias", "annotated"))]


def test_calibration_is_a_sigmoid_of_the_scaled_logit() -> None:
    found = calibrate(np.array([0.0, 2.0]), PlattScaling(2.0, 1.0))
    assert found.tolist() == pytest.approx([1 / (1 + np.exp(-1)), 1 / (1 + np.exp(-2))])


def test_cue_words_are_raised_where_they_are_right_more_often_than_their_probability_says() -> None:
    """*claims* is right at .3 and *plan* wrong at .4: no one threshold parts them, and the cue lists do."""
    rows = dev_rows_of(
        babe=[VILE, NEUTRAL],
        wikibias=[manual("a vile king claims it", {"vile": Kind.FRAMING, "claims": Kind.EPISTEMOLOGICAL})],
        marked_in_full=[
            annotated("the man claims it", {"claims": Kind.EPISTEMOLOGICAL}),
            annotated("a plan for a day"),
        ],
    )
    chances = {"vile": 0.9, "claims": (0.3, Kind.EPISTEMOLOGICAL), "plan": 0.4}
    made = dev_logits_of(rows, chances)
    tuned = select_parameters(made, rows, LEANING)
    assert tuned.calibration.cue_offset > 0
    scores = dev_scores(made, rows, tuned)
    assert scores["annotated_f1"] == scores["wikibias_exact_f1"] == 1.0
    assert scores["annotated_neutral_marks_per_1000_words"] == 0.0


def test_cue_words_are_left_alone_where_their_probability_is_right() -> None:
    rows = dev_rows_of(babe=[VILE, NEUTRAL], marked_in_full=[annotated("a vile man", {"vile": Kind.FRAMING})])
    assert select_parameters(dev_logits_of(rows, {"vile": 0.9}), rows, LEANING).calibration.cue_offset == 0.0


def test_a_choice_that_marks_few_neutral_words_is_taken_even_if_it_finds_less() -> None:
    """*rude* is right at .5 and *plan* wrong at .6, in neutral sentences of fewer than 300 words."""
    words = " ".join(f"day{at}" for at in range(250))
    rows = dev_rows_of(
        babe=[VILE, NEUTRAL],
        marked_in_full=[
            annotated("a vile man", {"vile": Kind.FRAMING}),
            *[annotated(f"a murky day {at}", {"murky": Kind.FRAMING}) for at in range(20)],
            annotated(f"a plan {words}"),
        ],
    )
    tuned = select_parameters(dev_logits_of(rows, {"vile": 0.9, "murky": 0.5, "plan": 0.6}), rows, LEANING)
    assert not dev_scores(dev_logits_of(rows, {"vile": 0.9, "murky": 0.5, "plan": 0.6}), rows, tuned)[
        "annotated_neutral_marks_per_1000_words"
    ]


def test_of_two_thresholds_the_one_is_taken_that_reads_both_sides_alike() -> None:
    """*lumpy* is marked at .6 and *murky* at .45; four words at .5 are wrong, which costs less."""
    pair = [
        replace(
            annotated(f"the {word} lied", {word: Kind.FRAMING}),
            example=replace(example(f"the {word} lied", {word: Kind.FRAMING}), group=f"{MINIMAL_PAIRS}1"),
            written_for="sides",
        )
        for word in ("lumpy", "murky")
    ]
    wrong = ("plan", "lake", "boat", "tree")
    rows = dev_rows_of(
        babe=[VILE, NEUTRAL],
        marked_in_full=[
            *pair,
            annotated("a vile man by plan by lake by boat by tree", {"vile": Kind.FRAMING}),
        ],
    )
    chances = {"vile": 0.9, "lumpy": 0.6, "murky": 0.45, **dict.fromkeys(wrong, 0.5)}
    tuned = select_parameters(dev_logits_of(rows, chances), rows, LEANING)
    assert dev_scores(dev_logits_of(rows, chances), rows, tuned)["sides_alike"] == 1.0
