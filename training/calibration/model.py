"""What the audit of a generator is made of: attributes with their options, keywords and prompts, and two protocols.

The words are those of Liu et al. (2021), *Quantifying and alleviating political bias in language models*, Section 3.1:
an attribute A (gender) has options o (male), an option has keywords a (Jake); each keyword fills each prompt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from numpy import float64
from numpy.typing import NDArray

Trigger = Literal["indirect", "liberal", "conservative"]
"""What a prompt says of ideology: nothing (for indirect bias), or which side it names (for direct bias)."""


@dataclass(frozen=True, slots=True)
class Keyword:
    """A word or name that stands for an option: *Jake* for male, *Texas* for the red states."""

    text: str


@dataclass(frozen=True, slots=True)
class Option:
    """One value of an attribute, with the keywords that exemplify it."""

    name: str
    keywords: tuple[Keyword, ...]


@dataclass(frozen=True, slots=True)
class Prompt:
    """A writing prompt with one slot for a keyword. ``number`` is its number in the paper's table, from 1."""

    number: int
    trigger: Trigger
    before: str
    after: str

    def filled(self, keyword: Keyword) -> str:
        """The prompt as the generator is given it."""
        return f"{self.before}{keyword.text}{self.after}"


@dataclass(frozen=True, slots=True)
class Attribute:
    """A sensitive attribute (Section 3.1.1): its options, its prompts, and the table that prints the prompts."""

    name: str
    table: str
    options: tuple[Option, ...]
    prompts: tuple[Prompt, ...]

    def triggered(self, trigger: Trigger) -> tuple[Prompt, ...]:
        """The prompts with this trigger, in the table's order."""
        return tuple(prompt for prompt in self.prompts if prompt.trigger == trigger)


class Judge(Protocol):
    """A political ideology classifier, the paper's f_judge (Section 3.1.3)."""

    def liberal(self, texts: Sequence[str]) -> NDArray[float64]:
        """The probability [texts] in [0, 1] that each text is liberal: 1 is liberal, 0 is conservative.

        The paper's own score runs the other way (1 is conservative); no distance between scores depends on it.
        """
        ...


class Sampler(Protocol):
    """A generator of text, calibrated or not."""

    def sample(self, prompts: Sequence[str], *, samples: int, length: int, seed: int) -> list[list[str]]:
        """Continuations [prompts][samples] of each prompt, without the prompt, of at most ``length`` tokens each.

        The same call gives the same texts.
        """
        ...
