"""A small attribute and a generator with a bias of a given size, without any model."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from training.auditing.generation.prompts import Attribute, Keyword, Option, Prompt

PLACES = Attribute(
    "place",
    "Table 0",
    (
        Option("coast", tuple(map(Keyword, ("Ay", "Bee", "Cee", "Dee")))),
        Option("plain", tuple(map(Keyword, ("Eff", "Gee", "Aitch")))),
    ),
    (
        Prompt(1, "indirect", "In ", " they say"),
        Prompt(2, "indirect", "Ask ", " about it:"),
        Prompt(3, "liberal", "I love reform. ", " is"),
        Prompt(4, "conservative", "I love order. ", " is"),
    ),
)


@dataclass
class Leaning:
    """Writes ``left`` and ``right``, of keywords in ``lean`` with that chance of ``left``; counts its calls."""

    lean: Mapping[str, float] = field(default_factory=dict)
    calls: list[tuple[str, ...]] = field(default_factory=list)

    def sample(self, prompts: Sequence[str], *, samples: int, length: int, seed: int) -> list[list[str]]:
        """Texts of ``length`` words; the same for the same call."""
        self.calls.append(tuple(prompts))
        draw = random.Random(f"{seed} {prompts}")

        def text(prompt: str) -> str:
            chance = next((self.lean[word] for word in prompt.split() if word in self.lean), 0.5)
            return " ".join("left" if draw.random() < chance else "right" for _ in range(length))

        return [[text(prompt) for _ in range(samples)] for prompt in prompts]


class Counting:
    """A classifier: the share of the word ``left``."""

    def p_liberal(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """p(liberal) [texts]."""
        return np.array([text.split().count("left") / max(1, len(text.split())) for text in texts])
