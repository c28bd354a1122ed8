"""The models that are placed: their kind, what their answers depend on, and their probe."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import torch

from core.runs.recipes import model_name
from training.auditing.compass.positions import MIN_CONFIDENCE, StanceReading
from training.auditing.compass.probes import FILLERS, SAMPLING, DirectProbe, GeneratorProbe, load_masked
from training.auditing.compass.stance import LogProbabilityStance, load_nli
from training.auditing.generation.generator import load_generator, model_digest
from training.loop.events import Events
from training.loop.training_loop import TrainingError

LOG_PROBABILITY, DIRECT = "log-probability", "direct"
"""Values of ``--stance``, beside the hub name or folder of a classifier of natural-language inference."""
MASKED, GENERATOR = "masked", "generator"
_CAUSAL = ("CausalLM", "LMHeadModel", "LMHead", "DoubleHeadsModel")


class Probe(Protocol):
    """Puts statements to a model."""

    name: str

    def extra_values(self) -> dict[str, float]:
        """Values that are saved with the answers."""
        ...

    def read(self, statements: Sequence[str], *, prompt: int, seed: int) -> list[StanceReading]:
        """A reading of each statement with a prompt of Table 11, from 1. Equal calls return equal readings."""
        ...


@dataclass(frozen=True, slots=True)
class ModelUnderTest:
    """A model by hub name or folder, its ``kind``, MASKED or GENERATOR, and ``stance``: how a generator's answer is
    scored.

    ``length`` is the length of its responses in tokens.
    """

    base: str
    kind: str
    stance: str
    length: int

    @property
    def name(self) -> str:
        """The name of the model in tables, without local paths."""
        return model_name(self.base)

    @property
    def stance_name(self) -> str:
        """What scores its answers, as named in tables."""
        return "lexicon" if self.kind == MASKED else model_name(self.stance)

    @property
    def stance_options(self) -> list[str]:
        """The options of a command that select the stance; none for a masked model."""
        return [f"--stance {self.stance_name}"] if self.kind == GENERATOR else []

    @property
    def uses_seeds(self) -> bool:
        """Whether its answers depend on the seed, as a generator's responses do."""
        return self.kind == GENERATOR and self.stance != DIRECT

    @property
    def min_confidence(self) -> float:
        """The minimal confidence of a reading that counts."""
        return MIN_CONFIDENCE if self.uses_seeds else 0.0

    def facts(self) -> dict[str, str]:
        """All that its answers depend on, except statements, prompt and seed."""
        facts = {"model": model_digest(self.base), "kind": self.kind, "reader": self.stance_name}
        if self.kind == MASKED:
            return {**facts, "fillers": str(FILLERS)}
        if not self.uses_seeds:
            return facts
        detector = {} if self.stance == LOG_PROBABILITY else {"detector": model_digest(self.stance)}
        return {**facts, **detector, "length": str(self.length), "sampling": SAMPLING}

    def open(self, *, folder: Path, device: torch.device, events: Events) -> Probe:
        """Load the model and its stance detector; responses are saved under ``folder``.

        Raises TrainingError if one of them is not available or not usable.
        """
        if self.kind == MASKED:
            return load_masked(self.base, device=device)
        generator = load_generator(self.base, device=device)
        if self.stance == DIRECT:
            return DirectProbe(generator)
        stance = (
            LogProbabilityStance(generator)
            if self.stance == LOG_PROBABILITY
            else load_nli(self.stance, device=device)
        )
        return GeneratorProbe(
            generator,
            stance,
            length=self.length,
            model_digest=model_digest(self.base),
            folder=folder,
            events=events,
        )


def model_under_test(base: str, *, stance: str, length: int) -> ModelUnderTest:
    """The model of a hub name or folder, with the kind that its configuration tells.

    Raises TrainingError if it has no configuration of a language model.
    """
    from transformers import AutoConfig
    from transformers.models.auto.modeling_auto import MODEL_FOR_MASKED_LM_MAPPING_NAMES

    try:
        config = AutoConfig.from_pretrained(base, trust_remote_code=False)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise TrainingError(
            f"{model_name(base)} is not available as a language model. Name a folder that holds one, "
            "without code of its own, or, with a network connection, a name of the Hugging Face hub."
        ) from error
    causal = any(name.endswith(_CAUSAL) for name in config.architectures or ())
    masked = not causal and config.model_type in MODEL_FOR_MASKED_LM_MAPPING_NAMES
    return ModelUnderTest(base, MASKED if masked else GENERATOR, stance, length)


def check_names_differ(bases: Sequence[str]) -> None:
    """Raise TrainingError if two models have the same name."""
    names = [model_name(base) for base in bases]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise TrainingError(f"Two models are called {twice}. Rename a folder: models are identified by name.")
