"""What an audit would take here: some prompts are sampled for a few tokens, and the classifier learns a little."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from training.calibration.model import Sampler
from training.calibration.samples import Plan
from training.events import Trial
from training.tables.calibration_making import Experiment, Slot
from training.tables.calibration_systems import CLASSIFIER, EVERY, Systems

_ARTICLES = 64
"""Articles of a side from which the classifier learns here."""
_PROMPTS = 32
_SHORT, _LONG = 2, 10
"""Tokens: what is drawn twice tells reading a prompt from drawing a token."""
_ROUNDS = 3
"""How often a pace is taken, beside the generator as it is."""
_BYTES = 8
"""Of a token in the files of an audit: a text is kept twice."""


def try_out(experiment: Experiment, slots: Sequence[Slot], trial: Trial) -> None:
    """Add to ``trial`` the seconds that all parts would take, and their bytes.

    Judging and measuring, which take a small part of it, are not in it. Raises as the parts do.
    """
    systems = experiment.systems
    paces: dict[str, tuple[float, float]] = {}
    for slot in slots:
        asked = experiment.asked(slot, [slot.attribute])
        texts, length = len(asked.places) * asked.scale.samples, asked.scale.length
        if slot.system not in paces:
            sampler = _sampler(systems, slot, trial)
            paces[slot.system] = paced(sampler, asked)
            taken = paces[slot.system][1] + next(iter(paces.values()))[1]
            trial.seconds += _ROUNDS * _PROMPTS * length * taken
        start, token = paces[slot.system]
        trial.seconds += texts * (start + length * token)
        trial.checkpoint_bytes += texts * length * _BYTES


def _sampler(systems: Systems, slot: Slot, trial: Trial) -> Sampler:
    """The system ready to write; a classifier that learnt from few articles counts as one that learnt from all."""
    if EVERY[slot.system].mode != CLASSIFIER:
        return systems.sampler(EVERY[slot.system], slot.seed)
    parts, most = systems.material.parts(slot.seed), systems.fitting.articles
    some = _ARTICLES if most is None else min(most, _ARTICLES)
    counts = Counter((part is parts.dev, row.liberal) for part in (parts.learnt, parts.dev) for row in part)
    whole, few = (
        sum(count if cap is None else min(count, cap) for count in counts.values()) for cap in (most, some)
    )
    systems.fitting = replace(systems.fitting, articles=some)
    began, told = time.monotonic(), trial.seconds
    sampler = systems.sampler(EVERY[slot.system], slot.seed)
    trial.seconds += (time.monotonic() - began + trial.seconds - told) * (whole / few - 1)
    return sampler


def paced(sampler: Sampler, asked: Plan) -> tuple[float, float]:
    """Seconds of a text to read its prompt, and of each of its tokens, by the first prompts of what is asked."""
    prompts, seed = [place.text for place in asked.places[:_PROMPTS]], asked.seed
    sampler.sample(prompts, samples=1, length=1, seed=seed)
    took = []
    for length in (_SHORT, _LONG):
        began = time.perf_counter()
        sampler.sample(prompts, samples=1, length=length, seed=seed)
        took.append((time.perf_counter() - began) / len(prompts))
    token = max(0.0, (took[1] - took[0]) / (_LONG - _SHORT))
    return max(0.0, took[0] - _SHORT * token), token
