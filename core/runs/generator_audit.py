"""The results of a generator audit: bias by system, attribute and option, and the generated texts.

The recipe (``training.auditing.generator_bias.recipe``) writes them part by part, so that a stopped audit has results.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from core.runs.folder import (
    STORED_KEY,
    damage_as_run_error,
    finite_number,
    read_result,
    read_text,
    result_to_json,
)
from core.storage.files import write_bytes

AUDIT_FILE = "audit.json"
"""The file in a run's folder with the results of an audit."""
RECIPE = "audit"
"""The name of the recipe in the store."""
VANILLA = "vanilla"
"""The system that is the unchanged generator."""
OVERALL = "overall"
"""Used as an option: the mean over all options."""
BiasKind = Literal["indirect", "direct"]
BIAS_KINDS: tuple[BiasKind, ...] = ("indirect", "direct")
_MEASURES = ("value", "low", "high", "null", "null_high", "excess", "corrected")


@dataclass(frozen=True, slots=True)
class BiasMetrics:
    """A bias in units of p(liberal), in [0, 1], and the part of it expected by chance (Liu et al. 2021, section 3.2).

    ``low`` and ``high`` are its 95% interval; ``null`` is the mean with shuffled options, ``null_high`` its 95th
    percentile. ``removed_share`` is the share of the vanilla system's corrected bias that is removed; None where there
    was none, or nothing to compare with.
    """

    value: float
    low: float
    high: float
    null: float
    null_high: float
    excess: float
    corrected: float
    removed_share: float | None


@dataclass(frozen=True, slots=True)
class AuditPart:
    """One system on one attribute. ``metrics`` are named like the metrics of the run (``indirect, male, value``)."""

    system: str
    attribute: str
    key: str
    metrics: dict[str, float] = field(metadata={STORED_KEY: "figures"})

    def bias(self, kind: BiasKind, option: str) -> BiasMetrics | None:
        """The bias of an option, or of OVERALL; None where it is missing."""
        values = {name: self.metrics.get(f"{kind}, {option}, {name}") for name in _MEASURES}
        found = {name: value for name, value in values.items() if value is not None}
        if len(found) < len(values):
            return None
        share = self.metrics.get(f"{kind}, {option}, corrected_gone")
        return BiasMetrics(**found, removed_share=None if self.system == VANILLA else share)

    def rate(self, option: str) -> float | None:
        """The mean p(liberal) of an option's texts after neutral prompts: 0 is conservative, 1 liberal."""
        return self.metrics.get(f"rate indirect, {option}, mean")

    @property
    def perplexity_ratio(self) -> float | None:
        """Perplexity over that of the vanilla system's texts; None where it is not known."""
        return _ratio(self.metrics, "perplexity", "vanilla_perplexity")


@dataclass(frozen=True, slots=True)
class Audit:
    """The results of an audit so far.

    ``options`` are those of each requested attribute, ``systems`` the requested ones, VANILLA first. ``paces`` has for
    each system the seconds per 100 tokens (``per_100``) and those of the vanilla system at the same time
    (``vanilla_per_100``). ``ideology_classifier`` is its title, or its base model where
    ``classifier_run`` names the run that trained it; ``classifier_score`` is its macro-F1 on held-out publishers.
    """

    generator: str
    ideology_classifier: str = field(metadata={STORED_KEY: "judge"})
    scale: str
    seed: int
    options: dict[str, tuple[str, ...]]
    systems: tuple[str, ...]
    classifier_run: str = field(default="", metadata={STORED_KEY: "judge_run"})
    classifier_score: float | None = field(default=None, metadata={STORED_KEY: "judge_score"})
    parts: tuple[AuditPart, ...] = ()
    paces: dict[str, dict[str, float]] = field(default_factory=dict)

    @property
    def is_complete(self) -> bool:
        """Whether every system is measured on every attribute."""
        return len(self.parts) == len(self.options) * len(self.systems)

    def part(self, system: str, attribute: str) -> AuditPart | None:
        """The result of a system on an attribute; None where it is not measured yet."""
        wanted = (system, attribute)
        return next((part for part in self.parts if (part.system, part.attribute) == wanted), None)

    def pace(self, system: str) -> float | None:
        """Seconds per 100 tokens; None where that was not measured."""
        return self.paces.get(system, {}).get("per_100")

    def pace_ratio(self, system: str) -> float | None:
        """Its time relative to the vanilla system; None where that was not measured."""
        return _ratio(self.paces.get(system, {}), "per_100", "vanilla_per_100")


@dataclass(frozen=True, slots=True)
class AuditedText:
    """A generated text and the classifier's p(liberal) for it, in [0, 1]."""

    text: str
    liberal: float


@dataclass(frozen=True, slots=True)
class SampledPrompt:
    """A prompt filled with a keyword of an option, and the text of each system; ``number`` is its index."""

    option: str
    keyword: str
    trigger: str
    prompt: str
    number: int
    texts: dict[str, AuditedText]


def read_audit(folder: Path) -> Audit | None:
    """The results so far, from a run's folder; None where there are none.

    Raises RunError where the file is damaged.
    """
    return read_result(folder / AUDIT_FILE, Audit)


def write_audit(folder: Path, audit: Audit) -> None:
    """Write the results into a run's folder, atomically. Raises FileError."""
    write_bytes(folder / AUDIT_FILE, f"{json.dumps(result_to_json(audit), indent=1)}\n".encode())


def texts_file(system: str, attribute: str) -> str:
    """The file in a run's folder with the texts of a system after the prompts of an attribute, one JSON line each."""
    return f"texts-{attribute}-{system}.jsonl"


def read_texts(folder: Path, attribute: str, systems: Sequence[str]) -> list[SampledPrompt]:
    """The texts of these systems after each prompt of an attribute, in the order of the vanilla system's.

    A system whose file is not there is left out. Raises RunError where a file is damaged.
    """
    found: dict[tuple[str, str, str, str, int], dict[str, AuditedText]] = {}
    for system in systems:
        path = folder / texts_file(system, attribute)
        if not path.is_file():
            continue
        with damage_as_run_error(path):
            for line in read_text(path).split("\n")[:-1]:
                row = json.loads(line)
                key = (
                    str(row["option"]),
                    str(row["keyword"]),
                    str(row["trigger"]),
                    str(row["prompt"]),
                    int(row["number"]),
                )
                text = AuditedText(str(row["text"]), finite_number(row["liberal"]))
                found.setdefault(key, {})[system] = text
    return [SampledPrompt(*key, texts) for key, texts in found.items()]


def _ratio(metrics: Mapping[str, float], name: str, base: str) -> float | None:
    return metrics[name] / metrics[base] if name in metrics and metrics.get(base) else None
