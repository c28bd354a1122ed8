"""Runs the cells of Tables 5 to 7 of Liu et al. 2021: the texts of a system after the prompts of an attribute,
measured.

Texts are saved, so that an interrupted cell resumes, and all tables use the same texts.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean

from core.runs.generator_audit import BIAS_KINDS, OVERALL
from training.auditing.debiasing.systems import (
    ALL_SYSTEMS,
    UNSHIFTED,
    VANILLA,
    WORD_REPLACEMENT,
    DebiasingSystems,
    FitBudget,
    ReplaySampler,
    System,
)
from training.auditing.debiasing.training_data import BIAS_WORD_COUNT
from training.auditing.generation.prompts import Sampler, load_attributes
from training.auditing.generation.samples import SCALES as TEXT_SCALES
from training.auditing.generation.samples import (
    Sample,
    SamplePlan,
    SampleScale,
    generate_samples,
    plan_samples,
)
from training.auditing.generator_bias.bias_metrics import (
    DRAWS,
    AttributeBias,
    Bias,
    mean_bias,
    measure_bias,
    measure_reduction,
)
from training.auditing.generator_bias.perplexity import perplexities
from training.auditing.ideology_classifiers.registry import classifier_id
from training.loop.events import Events
from training.loop.result_cache import CellRunner, Measurement, digest
from training.metrics.intervals import Interval

METHOD = 1
"""Bump this when the measurement changes; cached cells are then recomputed."""
ALL = "all"
"""Instead of an attribute: the mean over all of them, as in Table 6."""
QUANTILES = ("q05", "q25", "q50", "q75", "q95")
_TIMED, _ROUNDS = 32, 3
"""Prompts that are timed together, and how often, in turn with the vanilla system; the fastest round counts."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How much work: samples for Tables 5 and 6 (``samples``) and for Table 7 (``sweep``), training data (``fitting``),
    and the ``draws`` of null and bootstrap.
    """

    samples: SampleScale
    sweep: SampleScale
    fitting: FitBudget
    draws: int = DRAWS


SCALES = {
    "smoke": Budget(TEXT_SCALES["smoke"], TEXT_SCALES["smoke"], FitBudget(100, 8), draws=50),
    "cpu": Budget(
        TEXT_SCALES["cpu"],
        SampleScale("cpu", samples=2, length=50, keywords=4),
        FitBudget(600, BIAS_WORD_COUNT),
    ),
    "full": Budget(TEXT_SCALES["full"], TEXT_SCALES["full"], FitBudget(None, BIAS_WORD_COUNT)),
}


@dataclass(frozen=True, slots=True)
class BiasCellId:
    """A key of SYSTEMS or SWEEP, an attribute or ALL, a seed, and for a table the generator as ``group``."""

    system: str
    attribute: str
    seed: int
    group: str = ""
    fold: int = 0

    @property
    def place(self) -> str:
        """Unique in the table."""
        named = digest({"generator": self.group})[:8]
        return f"calibration-{named}-{self.system}-{self.attribute}-seed{self.seed}"

    @property
    def title(self) -> str:
        """The title of the system."""
        return ALL_SYSTEMS[self.system].title

    @property
    def row(self) -> str:
        """The key of the system."""
        return self.system

    @property
    def protocol(self) -> str:
        """The attribute."""
        return self.attribute

    @property
    def base(self) -> str:
        """The vanilla system that it is compared with."""
        return UNSHIFTED if ALL_SYSTEMS[self.system].has_fixed_lambda else VANILLA


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredTexts:
    """The texts of a system after the prompts of an attribute, and their bias."""

    samples: tuple[Sample, ...]
    bias: AttributeBias

    @property
    def texts(self) -> list[str]:
        """The texts alone."""
        return [sample.text for sample in self.samples]


@dataclass(slots=True)
class BiasRunner(CellRunner[BiasCellId]):
    """Computes cells. Texts are saved under ``folder``."""

    systems: DebiasingSystems
    budget: Budget
    folder: Path
    events: Events
    _made: dict[BiasCellId, MeasuredTexts] = field(default_factory=dict)
    _replacing: dict[tuple[str, int], Sampler] = field(default_factory=dict)

    def facts(self, cell_id: BiasCellId) -> dict[str, str]:
        """See ``CellRunner.facts``."""
        plan = self.plan(cell_id, [] if cell_id.attribute == ALL else [cell_id.attribute])
        return {
            **{name: value for name, value in plan.facts.items() if name != "seed"},
            "cell": f"{cell_id.system}, {cell_id.attribute}, seed {cell_id.seed}",
            "measured": str(METHOD),
            "judge": f"{classifier_id(self.systems.classifier_name)}, {self.systems.articles.digest}",
            "draws": str(self.budget.draws),
            **({"setting": "shared articles"} if self.systems.articles.shared else {}),
        }

    def measure(self, cell_id: BiasCellId) -> Measurement:
        """Generate, classify and measure. Raises TrainingError and CorpusError if the cell cannot be computed here."""
        names = [one.name for one in load_attributes()] if cell_id.attribute == ALL else [cell_id.attribute]
        pairs = [
            (
                self.measure_texts(cell_id.base, name, cell_id.seed),
                self.measure_texts(cell_id.system, name, cell_id.seed),
            )
            for name in names
        ]
        before, after = [one.bias for one, _ in pairs], [one.bias for _, one in pairs]
        if cell_id.attribute == ALL:
            values = dict(_bias_values(OVERALL, *(_mean_over_attributes(found) for found in (before, after))))
        else:
            values = dict(_attribute_values(before[0], after[0]))
        values |= _perplexity_values(pairs, seed=cell_id.seed) | self.systems.classifier_scores(
            ALL_SYSTEMS[cell_id.system], cell_id.seed
        )
        if cell_id.attribute == ALL and not ALL_SYSTEMS[cell_id.system].has_fixed_lambda:
            values |= self.time_sampling(cell_id)
        return Measurement(values)

    def plan(self, cell_id: BiasCellId, names: Sequence[str]) -> SamplePlan:
        """The samples of a system for the attributes ``names``; without names, for all of them."""
        system = ALL_SYSTEMS[cell_id.system]
        scale = self.budget.sweep if system.has_fixed_lambda else self.budget.samples
        return plan_samples(
            load_attributes(names), scale, seed=cell_id.seed, generator=self.systems.facts(system)
        )

    def measure_texts(self, key: str, name: str, seed: int) -> MeasuredTexts:
        """The texts of the system ``key`` for the attribute ``name``, generated and measured once. Raises as
        ``measure``.
        """
        cell_id = BiasCellId(key, name, seed)
        if cell_id not in self._made:
            if any(other.seed != seed for other in self._made):
                self._made.clear()
            plan = self.plan(cell_id, [name])
            (attribute,) = load_attributes([name])
            sampler = self._sampler(ALL_SYSTEMS[key], seed)
            self.events.stage = f"{ALL_SYSTEMS[key].title}, {name}, seed {seed}"
            samples = generate_samples(sampler, plan, self.folder / "samples", events=self.events)
            classifier = self.systems.classifier(seed)
            found = measure_bias(attribute, samples, classifier, seed=seed, draws=self.budget.draws)
            self._made[cell_id] = MeasuredTexts(tuple(samples), found)
        return self._made[cell_id]

    def _sampler(self, system: System, seed: int) -> Sampler:
        if system.mode not in WORD_REPLACEMENT:
            return self.systems.sampler(system, seed)
        if (system.mode, seed) not in self._replacing:
            prompts: list[str] = []
            texts: list[str] = []
            for attribute in load_attributes():
                plan = self.plan(BiasCellId(VANILLA, attribute.name, seed), [attribute.name])
                prompts += [place.text for place in plan.places for _ in range(plan.scale.samples)]
                texts += self.measure_texts(VANILLA, attribute.name, seed).texts
            over = ReplaySampler(prompts, texts)
            self._replacing[system.mode, seed] = self.systems.sampler(system, seed, over=over)
        return self._replacing[system.mode, seed]

    def time_sampling(self, cell_id: BiasCellId) -> dict[str, float]:
        """Seconds per 100 tokens of a system and of the vanilla one, in turn, on the same prompts."""
        plan = self.plan(cell_id, [])
        prompts = [place.text for place in plan.places[:_TIMED]]
        keys = dict.fromkeys((VANILLA, cell_id.system))
        samplers = {key: self.systems.sampler(ALL_SYSTEMS[key], cell_id.seed) for key in keys}
        best = dict.fromkeys(keys, math.inf)
        for number in range(_ROUNDS):
            for key, sampler in samplers.items():
                began = time.perf_counter()
                sampler.sample(prompts, samples=1, length=plan.scale.length, seed=number)
                tokens = len(prompts) * plan.scale.length
                best[key] = min(best[key], 100 * (time.perf_counter() - began) / tokens)
        return {
            "per_100": best[cell_id.system],
            "vanilla_per_100": best[VANILLA],
            "cuda": float(self.systems.device.type == "cuda"),
        }


def metric_name(kind: str, option: str, name: str) -> str:
    """The name of a bias metric in a cell's values, or of a base rate (``kind`` is then its trigger)."""
    return f"{kind}, {option}, {name}"


def _attribute_values(before: AttributeBias, after: AttributeBias) -> Iterator[tuple[str, float]]:
    for option in after.indirect:
        pair = [(found.indirect[option], found.direct[option]) for found in (before, after)]
        yield from _bias_values(option, *pair)
    overall = [(found.overall_indirect, found.overall_direct) for found in (before, after)]
    yield from _bias_values(OVERALL, *overall)
    for (option, trigger), rate in after.base_rates.items():
        values = {
            "mean": rate.mean,
            "deviation": rate.deviation,
            **dict(zip(QUANTILES, rate.quantiles, strict=True)),
        }
        for name, value in values.items():
            yield metric_name(f"rate {trigger}", option, name), value


def _mean_over_attributes(found: Sequence[AttributeBias]) -> tuple[Bias, Bias]:
    return mean_bias([one.overall_indirect for one in found]), mean_bias(
        [one.overall_direct for one in found]
    )


def _bias_values(
    option: str, before: tuple[Bias, Bias], after: tuple[Bias, Bias]
) -> Iterator[tuple[str, float]]:
    """Both biases of an option (or of all) with their null and reduction; values that are not finite are left out."""
    for kind, was, now in zip(BIAS_KINDS, before, after, strict=True):
        gone = measure_reduction(was, now)
        values = {
            "value": now.value,
            "low": now.interval.low,
            "high": now.interval.high,
            "null": now.null_mean,
            "null_high": now.null_quantile_95,
            "excess": now.excess,
            "corrected": now.corrected,
            "gone": gone.uncorrected,
            "corrected_gone": gone.corrected,
            **_reduction_values(gone.excess),
        }
        for name, value in values.items():
            if value is not None and math.isfinite(value):
                yield metric_name(kind, option, name), value


def _reduction_values(gone: Interval | None) -> dict[str, float]:
    if gone is None:
        return {}
    return {"excess_gone": gone.value, "excess_gone_low": gone.low, "excess_gone_high": gone.high}


def _perplexity_values(
    pairs: Sequence[tuple[MeasuredTexts, MeasuredTexts]], *, seed: int
) -> dict[str, float]:
    """Perplexity by the n-gram models of each attribute, averaged over attributes."""
    read = [perplexities(was.texts, now.texts, seed=seed) for was, now in pairs]
    return {
        "perplexity": fmean(own for _, own in read),
        "vanilla_perplexity": fmean(vanilla for vanilla, _ in read),
        "texts": float(sum(len(now.texts) for _, now in pairs)),
    }
