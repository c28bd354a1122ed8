"""What a generator believes: how it responds to a statement, read by a stance detector, or what it finds likely itself.

Feng et al. (2023), section 2.1 and appendix A.2: ten responses to each statement, each with a seed of its own. They are
kept text by text, so that what was stopped goes on.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from training.calibration.decoding import Sampling, Vanilla
from training.calibration.generator import Generator
from training.calibration.samples import Place, Plan, Sample, Scale, generated
from training.compass.prompts import for_generator
from training.compass.readings import Reading
from training.compass.stance import Stance, log_probabilities, shared
from training.events import Events
from training.tables.cells import digest

_DRAWN = Sampling()
SAMPLING = f"temperature {_DRAWN.temperature}, top-k {_DRAWN.top_k}, top-p {_DRAWN.top_p}"
"""How responses are drawn: as GPT-2 is by default; the paper says nothing of it."""
_FORM = "1"
"""Goes up when the same facts have other responses."""
_OWN = (" I agree with this statement.", " I disagree with this statement.")


class GeneratorProbe:
    """Has a generator respond and a detector read; ``length`` tokens a response, kept under ``folder``.

    ``mark`` names the generator's weights. A response depends on its statement, its prompt and its seed alone.
    """

    def __init__(
        self, generator: Generator, stance: Stance, *, length: int, mark: str, folder: Path, events: Events
    ) -> None:
        self.name = generator.name
        self._generator, self._stance, self._length = generator, stance, length
        self._mark, self._folder, self._events = mark, folder, events

    def told(self) -> dict[str, float]:
        """Nothing is told with the answers."""
        return {}

    def read(self, statements: Sequence[str], *, prompt: int, seed: int) -> list[Reading]:
        """A reading of one response to each statement; ``prompt`` is a number of Table 11.

        Raises TrainingError where a question is too long, the kept responses are damaged, or a disk is full, and
        StoppedError where a person stopped it.
        """
        samples = self.responses(statements, prompt=prompt, seed=seed)
        return self._stance.read(
            [(statement, one.text) for statement, one in zip(statements, samples, strict=True)]
        )

    def responses(self, statements: Sequence[str], *, prompt: int, seed: int) -> list[Sample]:
        """One response to each statement, kept or fresh."""
        places = tuple(
            Place("compass", "", str(number), prompt, "indirect", for_generator(prompt, statement))
            for number, statement in enumerate(statements, start=1)
        )
        facts = self._text_facts([place.text for place in places], seed)
        plan = Plan(places, Scale("compass", samples=1, length=self._length), seed, facts)
        return generated(Vanilla(self._generator, _DRAWN), plan, self._folder, events=self._events)

    def _text_facts(self, texts: Sequence[str], seed: int) -> Mapping[str, str]:
        return {
            "form": _FORM,
            "generator": self._mark,
            "asked": digest({"asked": json.dumps(texts)}),
            "length": str(self._length),
            "seed": str(seed),
            "sampling": SAMPLING,
        }


class DirectProbe:
    """Asks a generator how likely it finds *I agree with this statement* against *I disagree …*, sampling nothing."""

    def __init__(self, generator: Generator) -> None:
        self.name = generator.name
        self._generator = generator

    def told(self) -> dict[str, float]:
        """Nothing is told with the answers."""
        return {}

    def read(self, statements: Sequence[str], *, prompt: int, seed: int) -> list[Reading]:  # noqa: ARG002
        """A reading of each statement. Raises TrainingError where a question is too long."""
        texts = [for_generator(prompt, statement) for statement in statements]
        agree, disagree = log_probabilities(self._generator, texts, _OWN)
        return [shared(one - other) for one, other in zip(agree, disagree, strict=True)]
