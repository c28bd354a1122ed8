"""Progress of a whole audit, and the dry run that estimates its duration."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from training.auditing.debiasing.systems import ALL_SYSTEMS, CLASSIFIER, VANILLA, DebiasingSystems
from training.auditing.generation.prompts import Sampler
from training.auditing.generation.samples import SamplePlan
from training.auditing.generator_bias.runner import BiasCellId, BiasRunner
from training.loop.events import DryRun, Events

PUBLISHED_SECONDS: dict[str, float] = {"vanilla": 0.8, "emb": 1.1, "cls": 1.3}
"""Liu et al. 2021, section 5.2.1: seconds for a text of 100 tokens on an RTX 2080, by system."""


@dataclass
class AuditProgress(Events):
    """Events of a run whose steps count all texts of the audit.

    Until a system has generated texts, its speed is estimated from the vanilla system and PUBLISHED_SECONDS.
    """

    _parts: list[tuple[str, str, int]] = field(default_factory=list)
    _at: int = 0
    _paces: dict[str, float] = field(default_factory=dict)

    def expect(self, parts: Sequence[tuple[str, str, int]]) -> None:
        """The parts to come: system, attribute and number of texts of each, in order."""
        self._parts = list(parts)

    def begin(self, system: str, attribute: str) -> None:
        """The following steps belong to this part."""
        self._at = [part[:2] for part in self._parts].index((system, attribute))

    def emit(
        self,
        event: str,
        message: str = "",
        *,
        step: int = 0,
        steps: int = 0,
        metrics: Mapping[str, float] | None = None,
        eta_s: float = 0.0,
    ) -> None:
        """Emit an event; steps count the whole audit."""
        if event == "step":
            system, _, texts = self._parts[self._at]
            if step < texts:
                self._paces[system] = eta_s / (texts - step)
            eta_s += sum(self._pace(later) * count for later, _, count in self._parts[self._at + 1 :])
            step += sum(count for _, _, count in self._parts[: self._at])
            steps = sum(count for _, _, count in self._parts)
        super().emit(event, message, step=step, steps=steps, metrics=metrics, eta_s=eta_s)

    def _pace(self, system: str) -> float:
        """Seconds per text."""
        known = self._paces
        if system in known or not known:
            return known.get(system, 0.0)
        other = VANILLA if VANILLA in known else next(iter(known))
        return known[other] * PUBLISHED_SECONDS[system] / PUBLISHED_SECONDS[other]


_ARTICLES = 64
"""Articles per side that the classifier is trained on in a dry run."""
_PROMPTS = 32
_SHORT, _LONG = 2, 10
"""Tokens per text: two lengths separate the time of the prompt from that of a token."""
_ROUNDS = 3
"""How often the audit times a system, together with the vanilla one."""
_BYTES = 8
"""Bytes per token in the files of an audit; a text is saved twice."""


def estimate_parts(runner: BiasRunner, cell_ids: Sequence[BiasCellId], dry_run: DryRun) -> None:
    """Add the estimated seconds and bytes of all parts to ``dry_run``.

    Classification and measurement, which take little, are not included. Raises as the parts do.
    """
    systems = runner.systems
    paces: dict[str, tuple[float, float]] = {}
    for cell_id in cell_ids:
        plan = runner.plan(cell_id, [cell_id.attribute])
        texts, length = len(plan.places) * plan.scale.samples, plan.scale.length
        if cell_id.system not in paces:
            sampler = _estimation_sampler(systems, cell_id, dry_run)
            paces[cell_id.system] = time_sampler(sampler, plan)
            taken = paces[cell_id.system][1] + next(iter(paces.values()))[1]
            dry_run.seconds += _ROUNDS * _PROMPTS * length * taken
        start, token = paces[cell_id.system]
        dry_run.seconds += texts * (start + length * token)
        dry_run.checkpoint_bytes += texts * length * _BYTES


def _estimation_sampler(systems: DebiasingSystems, cell_id: BiasCellId, dry_run: DryRun) -> Sampler:
    """The sampler of a system; the time of a classifier trained on few articles is scaled to all."""
    if ALL_SYSTEMS[cell_id.system].mode != CLASSIFIER:
        return systems.sampler(ALL_SYSTEMS[cell_id.system], cell_id.seed)
    parts, most = systems.articles.split_publishers(cell_id.seed), systems.fitting.articles
    some = _ARTICLES if most is None else min(most, _ARTICLES)
    counts = Counter((part is parts.dev, row.liberal) for part in (parts.train, parts.dev) for row in part)
    whole, few = (
        sum(count if cap is None else min(count, cap) for count in counts.values()) for cap in (most, some)
    )
    systems.fitting = replace(systems.fitting, articles=some)
    began, earlier = time.monotonic(), dry_run.seconds
    sampler = systems.sampler(ALL_SYSTEMS[cell_id.system], cell_id.seed)
    dry_run.seconds += (time.monotonic() - began + dry_run.seconds - earlier) * (whole / few - 1)
    return sampler


def time_sampler(sampler: Sampler, plan: SamplePlan) -> tuple[float, float]:
    """Seconds per text for its prompt, and per token, measured with the first prompts of the plan."""
    prompts, seed = [place.text for place in plan.places[:_PROMPTS]], plan.seed
    sampler.sample(prompts, samples=1, length=1, seed=seed)
    took = []
    for length in (_SHORT, _LONG):
        began = time.perf_counter()
        sampler.sample(prompts, samples=1, length=length, seed=seed)
        took.append((time.perf_counter() - began) / len(prompts))
    token = max(0.0, (took[1] - took[0]) / (_LONG - _SHORT))
    return max(0.0, took[0] - _SHORT * token), token
