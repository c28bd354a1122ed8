"""Bias is found where options differ, is what chance shows where they do not, and follows Equations 2 and 3."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.training.auditing.generation.biased_generator import PLACES, Counting, Leaning
from training.auditing.generation.prompts import Trigger
from training.auditing.generation.samples import Sample, SampleScale, generate_samples, plan_samples
from training.auditing.generator_bias.bias_metrics import (
    AttributeBias,
    Bias,
    mean_bias,
    measure_bias,
    measure_reduction,
    wasserstein_of_sorted,
)
from training.loop.events import Events
from training.loop.training_loop import TrainingError

COAST = dict.fromkeys(("Ay", "Bee", "Cee", "Dee"), 0.8)
SCALE = SampleScale("tiny", samples=10, length=12)


def texts(folder: Path, lean: dict[str, float] | None = None, *, seed: int = 3) -> list[Sample]:
    asked = plan_samples([PLACES], SCALE, seed=seed, generator={"lean": str(lean)})
    return generate_samples(Leaning(lean or {}), asked, folder, events=Events("r", stream=io.StringIO()))


def of(samples: Sequence[Sample], *, seed: int = 5, draws: int = 60) -> AttributeBias:
    return measure_bias(PLACES, samples, Counting(), seed=seed, draws=draws)


def scores(samples: Sequence[Sample], trigger: Trigger, *options: str) -> NDArray[np.float64]:
    return Counting().p_liberal(
        [one.text for one in samples if one.trigger == trigger and one.option in options]
    )


def test_equations_2_and_3(tmp_path: Path) -> None:
    samples = texts(tmp_path, COAST)
    found = of(samples)
    for option in ("coast", "plain"):
        indirect, liberal, conservative = (
            wasserstein_of_sorted(
                np.sort(scores(samples, trigger, option)), np.sort(scores(samples, trigger, "coast", "plain"))
            )
            for trigger in ("indirect", "liberal", "conservative")
        )
        assert found.indirect[option].value == pytest.approx(indirect)
        assert found.direct[option].value == pytest.approx(abs(liberal - conservative))
    values = [bias.value for bias in found.indirect.values()]
    assert found.overall_indirect.value == pytest.approx(np.mean(values))
    assert found.overall_indirect.excess == pytest.approx(
        np.mean([bias.excess for bias in found.indirect.values()])
    )


def test_a_biased_option_exceeds_chance_and_an_unbiased_one_does_not(tmp_path: Path) -> None:
    leaning, even = of(texts(tmp_path, COAST)), of(texts(tmp_path))
    for bias in leaning.indirect.values():
        assert bias.value > 2 * bias.null_quantile_95
        assert bias.excess + np.quantile(bias.centred_bootstrap, 0.025) > 0.0
    overall = even.overall_indirect
    assert overall.value < 2 * overall.null_mean
    assert abs(overall.excess) < 0.25 * leaning.overall_indirect.excess
    assert overall.excess + np.quantile(overall.centred_bootstrap, 0.025) < 0.0


def test_following_one_side_more_is_direct_bias(tmp_path: Path) -> None:
    def rewritten(one: Sample) -> Sample:
        followed = one.trigger == "liberal" and one.option == "coast"
        return replace(one, text="left left left left") if followed else one

    even = texts(tmp_path)
    found, plain = of([rewritten(one) for one in even]), of(even)
    for option, bias in found.direct.items():
        assert bias.value > bias.null_quantile_95
        assert bias.excess > 5 * abs(plain.direct[option].excess)
        assert found.indirect[option].value == plain.indirect[option].value


def test_the_null_keeps_prompts_apart(tmp_path: Path) -> None:
    """A prompt that leans, whoever is asked, is no bias of an option, nor chance that could be taken for one."""

    def rewritten(one: Sample) -> Sample:
        return replace(one, text="left" if one.prompt == 1 else "right")

    found = of([rewritten(one) for one in texts(tmp_path)])
    for bias in found.indirect.values():
        assert bias.value == pytest.approx(0.0, abs=1e-12)
        assert bias.null == pytest.approx(0.0, abs=1e-12)


def test_filled_prompts_are_drawn_whole_and_within_their_option(tmp_path: Path) -> None:
    def rewritten(one: Sample, *, apart: str = "") -> Sample:
        lefts = 9 if one.keyword == apart else one.number // 2 + 3 * (one.option == "coast")
        return replace(one, text="left " * lefts + "right " * (10 - lefts))

    samples = texts(tmp_path)
    alike = of([rewritten(one) for one in samples]).indirect["coast"]
    assert alike.value > 0.1
    assert alike.bootstrap == pytest.approx(alike.value)
    apart = of([rewritten(one, apart="Eff") for one in samples]).indirect["plain"]
    assert apart.bootstrap.std() > 1e-3


def test_base_rates_are_the_scores_of_the_classifier(tmp_path: Path) -> None:
    samples = texts(tmp_path, COAST)
    rate = of(samples).base_rates["coast", "indirect"]
    found = scores(samples, "indirect", "coast")
    assert (rate.texts, rate.mean, rate.deviation) == pytest.approx((80, found.mean(), found.std()))
    assert rate.quantiles[2] == pytest.approx(np.median(found))
    assert rate.mean > 0.7 > of(samples).base_rates["plain", "indirect"].mean


def test_the_same_call_measures_the_same_in_any_order(tmp_path: Path) -> None:
    samples = texts(tmp_path, COAST)
    one, other, third = of(samples), of(samples), of(samples, seed=6)
    assert (one.overall_indirect.null == other.overall_indirect.null).all()
    assert (one.overall_direct.bootstrap == other.overall_direct.bootstrap).all()
    assert (one.overall_indirect.null != third.overall_indirect.null).any()
    turned = of(samples[::-1])
    assert turned.overall_indirect.value == pytest.approx(one.overall_indirect.value)
    assert turned.overall_indirect.bootstrap == pytest.approx(one.overall_indirect.bootstrap)


def test_the_classifier_reads_every_continuation_once_and_no_prompt(tmp_path: Path) -> None:
    class Watching(Counting):
        read: list[str]

        def p_liberal(self, texts: Sequence[str]) -> NDArray[np.float64]:
            self.read = list(texts)
            return super().p_liberal(texts)

    samples, classifier = texts(tmp_path), Watching()
    other = replace(samples[0], attribute="another")
    measure_bias(PLACES, [other, *samples], classifier, seed=1, draws=2)
    assert classifier.read == [one.text for one in samples]


def test_half_the_bias_is_half_the_excess(tmp_path: Path) -> None:
    before = of(texts(tmp_path, COAST)).overall_indirect
    after = of(texts(tmp_path, dict.fromkeys(COAST, 0.65))).overall_indirect
    found = measure_reduction(before, after)
    assert found.excess is not None
    assert found.uncorrected == pytest.approx(1.0 - after.value / before.value)
    assert found.excess.value == pytest.approx(1.0 - after.excess / before.excess)
    assert found.excess.low < found.excess.value < found.excess.high
    assert 0.3 < found.excess.value < 0.75
    assert found.corrected == pytest.approx(0.5, abs=0.15)
    nothing = measure_reduction(before, before).excess
    assert nothing is not None
    assert (nothing.low, nothing.value, nothing.high) == pytest.approx((0.0, 0.0, 0.0))


def bias(value: float, null: float, *drawn: float) -> Bias:
    return Bias(value, np.full(len(drawn), null), np.array(drawn))


def test_without_an_excess_there_is_no_reduction() -> None:
    after = bias(0.1, 0.05, 0.1, 0.1)
    assert measure_reduction(bias(0.1, 0.2, 0.1, 0.1), after).excess is None
    assert measure_reduction(bias(0.0, 0.2, 0.0, 0.0), after).uncorrected is None
    unsure = measure_reduction(bias(0.3, 0.2, 0.0, 0.6), after).excess
    assert unsure is not None
    assert unsure.low == -np.inf
    assert unsure.value == pytest.approx(0.5)


def test_the_corrected_bias_subtracts_the_square_of_chance() -> None:
    assert bias(0.5, 0.3, 0.5, 0.5).corrected == pytest.approx(0.4)
    assert bias(0.2, 0.3, 0.2, 0.2).corrected == 0.0
    found = measure_reduction(bias(0.5, 0.3, 0.5, 0.5), bias(np.sqrt(0.13), 0.3, 0.4, 0.4))
    assert found.corrected == pytest.approx(0.5)
    assert found.excess is not None
    assert found.excess.value > 0.69
    assert measure_reduction(bias(0.2, 0.3, 0.2, 0.2), bias(0.1, 0.0, 0.1, 0.1)).corrected is None


def test_a_mean_averages_null_and_bootstrap_draws() -> None:
    found = mean_bias([bias(0.2, 0.1, 0.1, 0.3), bias(0.4, 0.3, 0.6, 0.4)])
    assert (found.value, found.null_mean, found.excess) == pytest.approx((0.3, 0.2, 0.1))
    assert found.centred_bootstrap == pytest.approx([0.0, 0.0])
    assert found.interval.low == pytest.approx(0.3)


@pytest.mark.parametrize(
    "bad", [np.array([0.5]), np.full(280, np.nan), np.full(280, 1.2), np.full((280, 2), 0.5)]
)
def test_scores_that_are_no_probabilities_are_refused(bad: NDArray[np.float64], tmp_path: Path) -> None:
    class Broken:
        def p_liberal(self, texts: Sequence[str]) -> NDArray[np.float64]:
            return bad

    samples = texts(tmp_path)
    assert len(samples) == 280
    with pytest.raises(TrainingError, match="did not return a probability"):
        measure_bias(PLACES, samples, Broken(), seed=1)


def test_missing_and_unknown_samples_are_refused(tmp_path: Path) -> None:
    samples = texts(tmp_path)
    missing = [one for one in samples if (one.option, one.trigger) != ("plain", "conservative")]
    with pytest.raises(TrainingError, match="place, option plain, has no sample after conservative prompts"):
        of(missing)
    with pytest.raises(TrainingError, match="option coast, has no sample after indirect"):
        of([])
    with pytest.raises(TrainingError, match="place has no option sea"):
        of([*samples, replace(samples[0], option="sea")])
    with pytest.raises(TrainingError, match="0 draws"):
        of(samples, draws=0)
