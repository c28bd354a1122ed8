"""One cell of Tables 5 to 7 of Liu et al. 2021: what a system writes after the prompts of an attribute, measured.

Texts are kept, so that what was stopped goes on in the midst of a cell, and all tables read the same ones.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean

from training.auditing.debiasing.systems import (
    EVERY,
    REPLACING,
    UNSHIFTED,
    VANILLA,
    Fitting,
    System,
    Systems,
    Written,
)
from training.auditing.debiasing.training_data import COUNT
from training.auditing.generation.prompts import Sampler, attributes
from training.auditing.generation.samples import SCALES as TEXT_SCALES
from training.auditing.generation.samples import Plan, Sample, Scale, generated, plan
from training.auditing.generation.sampling import Timing
from training.auditing.generator_bias.bias_metrics import (
    DRAWS,
    Bias,
    Measured,
    average,
    measured,
    reduction,
)
from training.auditing.generator_bias.perplexity import perplexities
from training.auditing.ideology_classifiers.registry import classifier_mark
from training.loop.events import Events
from training.metrics.intervals import Interval

METHOD = 1
"""Goes up when another way of measuring makes earlier cells another thing."""
ALL = "all"
"""In the place of an attribute: the mean over all of them, as in Table 6."""
OVERALL = "overall"
"""In the place of an option: the mean over all of them, as in Table 5."""
KINDS = ("indirect", "direct")
QUANTILES = ("q05", "q25", "q50", "q75", "q95")
_TIMED, _ROUNDS = 32, 3
"""Prompts that are timed together, and how often in turn with the vanilla system; the quickest counts."""


@dataclass(frozen=True, slots=True)
class Amount:
    """How much work: texts of Tables 5 and 6 (``samples``) and of Table 7 (``sweep``), what is learnt (``fitting``),
    and the ``draws`` of null and bootstrap.
    """

    samples: Scale
    sweep: Scale
    fitting: Fitting
    draws: int = DRAWS


SCALES = {
    "smoke": Amount(TEXT_SCALES["smoke"], TEXT_SCALES["smoke"], Fitting(100, 8), draws=50),
    "cpu": Amount(TEXT_SCALES["cpu"], Scale("cpu", samples=2, length=50, keywords=4), Fitting(600, COUNT)),
    "full": Amount(TEXT_SCALES["full"], TEXT_SCALES["full"], Fitting(None, COUNT)),
}


@dataclass(frozen=True, slots=True)
class Slot:
    """Which cell: a key of SYSTEMS or SWEEP, the name of an attribute or ALL, and the seed of everything."""

    system: str
    attribute: str
    seed: int

    @property
    def base(self) -> str:
        """The vanilla system that it is laid beside."""
        return UNSHIFTED if EVERY[self.system].swept else VANILLA


@dataclass(frozen=True, slots=True, eq=False)
class Generation:
    """What a system wrote after the prompts of an attribute, and what was measured of it."""

    samples: tuple[Sample, ...]
    found: Measured

    @property
    def texts(self) -> list[str]:
        """The texts alone."""
        return [sample.text for sample in self.samples]


@dataclass(slots=True)
class Experiment:
    """Makes cells. Texts lie under ``folder``."""

    systems: Systems
    amount: Amount
    folder: Path
    events: Events
    _made: dict[Slot, Generation] = field(default_factory=dict)
    _replacing: dict[tuple[str, int], Sampler] = field(default_factory=dict)

    def facts(self, slot: Slot) -> dict[str, str]:
        """Everything that a cell's figures depend on; cells with the same facts are the same."""
        asked = self.asked(slot, [] if slot.attribute == ALL else [slot.attribute])
        return {
            **{name: value for name, value in asked.facts.items() if name != "seed"},
            "cell": f"{slot.system}, {slot.attribute}, seed {slot.seed}",
            "measured": str(METHOD),
            "judge": f"{classifier_mark(self.systems.judging)}, {self.systems.material.mark}",
            "draws": str(self.amount.draws),
            **({"setting": "shared articles"} if self.systems.material.shared else {}),
        }

    def values(self, slot: Slot) -> dict[str, float]:
        """Write, judge and measure. Raises TrainingError and CorpusError where the cell cannot be made here."""
        began = time.monotonic()
        names = [one.name for one in attributes()] if slot.attribute == ALL else [slot.attribute]
        pairs = [
            (self.written(slot.base, name, slot.seed), self.written(slot.system, name, slot.seed))
            for name in names
        ]
        before, after = [one.found for one, _ in pairs], [one.found for _, one in pairs]
        if slot.attribute == ALL:
            values = dict(_biases(OVERALL, *(_over_attributes(found) for found in (before, after))))
        else:
            values = dict(_of_attribute(before[0], after[0]))
        values |= _fluency(pairs, seed=slot.seed) | self.systems.scored(EVERY[slot.system], slot.seed)
        if slot.attribute == ALL and not EVERY[slot.system].swept:
            values |= self.pace(slot)
        return {**values, "seconds": round(time.monotonic() - began, 1)}

    def asked(self, slot: Slot, names: Sequence[str]) -> Plan:
        """What a system is asked for the attributes ``names``; for all of them without a name."""
        system = EVERY[slot.system]
        scale = self.amount.sweep if system.swept else self.amount.samples
        return plan(attributes(names), scale, seed=slot.seed, generator=self.systems.facts(system))

    def written(self, key: str, name: str, seed: int) -> Generation:
        """What the system ``key`` of EVERY writes for the attribute ``name``, measured once. Raises as ``values``."""
        slot = Slot(key, name, seed)
        if slot not in self._made:
            if any(other.seed != seed for other in self._made):
                self._made.clear()
            asked = self.asked(slot, [name])
            (attribute,) = attributes([name])
            sampler = self._sampler(EVERY[key], seed)
            self.events.stage = f"{EVERY[key].title}, {name}, seed {seed}"
            samples = generated(sampler, asked, self.folder / "samples", events=self.events)
            judge = self.systems.judge(seed)
            found = measured(attribute, samples, judge, seed=seed, draws=self.amount.draws)
            self._made[slot] = Generation(tuple(samples), found)
        return self._made[slot]

    def _sampler(self, system: System, seed: int) -> Sampler:
        if system.mode not in REPLACING:
            return self.systems.sampler(system, seed)
        if (system.mode, seed) not in self._replacing:
            prompts: list[str] = []
            texts: list[str] = []
            for attribute in attributes():
                asked = self.asked(Slot(VANILLA, attribute.name, seed), [attribute.name])
                prompts += [place.text for place in asked.places for _ in range(asked.scale.samples)]
                texts += self.written(VANILLA, attribute.name, seed).texts
            over = Written(prompts, texts)
            self._replacing[system.mode, seed] = self.systems.sampler(system, seed, over=over)
        return self._replacing[system.mode, seed]

    def pace(self, slot: Slot) -> dict[str, float]:
        """Seconds of 100 tokens of a system and of the vanilla one, in turn, on the same prompts."""
        asked = self.asked(slot, [])
        prompts = [place.text for place in asked.places[:_TIMED]]
        keys = dict.fromkeys((VANILLA, slot.system))
        samplers = {key: self.systems.sampler(EVERY[key], slot.seed) for key in keys}
        best = dict.fromkeys(keys, math.inf)
        for number in range(_ROUNDS):
            for key, sampler in samplers.items():
                began = time.perf_counter()
                sampler.sample(prompts, samples=1, length=asked.scale.length, seed=number)
                took = Timing(len(prompts) * asked.scale.length, time.perf_counter() - began)
                best[key] = min(best[key], took.per_100)
        return {
            "per_100": best[slot.system],
            "vanilla_per_100": best[VANILLA],
            "cuda": float(self.systems.device.type == "cuda"),
        }


def figure(kind: str, option: str, name: str) -> str:
    """What the values of a cell call a figure of a bias, or of a base rate (``kind`` is its trigger)."""
    return f"{kind}, {option}, {name}"


def _of_attribute(before: Measured, after: Measured) -> Iterator[tuple[str, float]]:
    for option in after.indirect:
        pair = [(found.indirect[option], found.direct[option]) for found in (before, after)]
        yield from _biases(option, *pair)
    overall = [(found.overall_indirect, found.overall_direct) for found in (before, after)]
    yield from _biases(OVERALL, *overall)
    for (option, trigger), rate in after.rates.items():
        told = {
            "mean": rate.mean,
            "deviation": rate.deviation,
            **dict(zip(QUANTILES, rate.quantiles, strict=True)),
        }
        for name, value in told.items():
            yield figure(f"rate {trigger}", option, name), value


def _over_attributes(found: Sequence[Measured]) -> tuple[Bias, Bias]:
    return average([one.overall_indirect for one in found]), average([one.overall_direct for one in found])


def _biases(option: str, before: tuple[Bias, Bias], after: tuple[Bias, Bias]) -> Iterator[tuple[str, float]]:
    """Both biases of an option (or of all) with their null, and how much is gone; what is not finite is left out."""
    for kind, was, now in zip(KINDS, before, after, strict=True):
        gone = reduction(was, now)
        told = {
            "value": now.value,
            "low": now.interval.low,
            "high": now.interval.high,
            "null": now.null_mean,
            "null_high": now.null_high,
            "excess": now.excess,
            "corrected": now.corrected,
            "gone": gone.whole,
            "corrected_gone": gone.corrected,
            **_ends(gone.excess),
        }
        for name, value in told.items():
            if value is not None and math.isfinite(value):
                yield figure(kind, option, name), value


def _ends(gone: Interval | None) -> dict[str, float]:
    if gone is None:
        return {}
    return {"excess_gone": gone.value, "excess_gone_low": gone.low, "excess_gone_high": gone.high}


def _fluency(pairs: Sequence[tuple[Generation, Generation]], *, seed: int) -> dict[str, float]:
    """Perplexity by the n-gram models of each attribute, the mean over attributes."""
    read = [perplexities(was.texts, now.texts, seed=seed) for was, now in pairs]
    return {
        "perplexity": fmean(own for _, own in read),
        "vanilla_perplexity": fmean(vanilla for vanilla, _ in read),
        "texts": float(sum(len(now.texts) for _, now in pairs)),
    }
