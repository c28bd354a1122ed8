"""Attributes of an audit with their options, keywords and prompts, from ``prompts.json``, and the protocols of an
audit.

The terms are those of Liu et al. (2021), *Quantifying and alleviating political bias in language models*, section 3.1:
an attribute (gender) has options (male), an option has keywords (Jake), and each keyword fills each prompt.

Keywords are those of section 3.1.1, prompts those of Tables 2 to 4, word for word: New Jersey among the red states,
*no-fly list gun control* as one keyword and the unresolved ``he/she`` are the paper's. Its appendices A and B are not
published; the lists of the section give 127 keywords and 12,700 samples per model, where the paper counts 14,016
(42,048 of three).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol, get_args

from numpy import float64
from numpy.typing import NDArray

from training.loop.training_loop import TrainingError

Trigger = Literal["indirect", "liberal", "conservative"]
"""The ideology that a prompt names: none (for indirect bias), or one side (for direct bias)."""


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

    def fill(self, keyword: Keyword) -> str:
        """The prompt with the keyword in its slot."""
        return f"{self.before}{keyword.text}{self.after}"


@dataclass(frozen=True, slots=True)
class Attribute:
    """A sensitive attribute (Section 3.1.1): its options, its prompts, and the table that prints the prompts."""

    name: str
    table: str
    options: tuple[Option, ...]
    prompts: tuple[Prompt, ...]

    def prompts_with(self, trigger: Trigger) -> tuple[Prompt, ...]:
        """The prompts with this trigger, in the order of the table."""
        return tuple(prompt for prompt in self.prompts if prompt.trigger == trigger)


class IdeologyClassifier(Protocol):
    """A classifier of political ideology: f_judge in the paper (section 3.1.3)."""

    def p_liberal(self, texts: Sequence[str]) -> NDArray[float64]:
        """The probability [texts] in [0, 1] that each text is liberal: 1 is liberal, 0 is conservative.

        The paper's score is the reverse (1 is conservative); distances between scores are the same.
        """
        ...


class Sampler(Protocol):
    """A text generator, debiased or not."""

    def sample(self, prompts: Sequence[str], *, samples: int, length: int, seed: int) -> list[list[str]]:
        """Continuations [prompts][samples] of at most ``length`` tokens each, without the prompt.

        The same call returns the same texts.
        """
        ...


PROMPTS_FILE = Path(__file__).with_name("prompts.json")
TRIGGERS: tuple[Trigger, ...] = get_args(Trigger)
_MIN_KEYWORDS = 2
"""With one keyword, the bias of an option would be that of a single word."""


def load_attributes(names: Sequence[str] = (), *, path: Path = PROMPTS_FILE) -> tuple[Attribute, ...]:
    """The attributes with these ``names``, in that order; without names, all of them.

    ``path`` may be another file in the form of ``prompts.json``. Raises TrainingError if the file is not in that form
    (an option with fewer than two keywords, an empty list, a prompt without its slot, a duplicate), and for an unknown
    name.
    """
    found = _read(path)
    unknown = [name for name in names if name not in found]
    if unknown:
        raise TrainingError(
            f"{unknown[0]} is not an attribute of {path.name}. Name one of {', '.join(found)}."
        )
    return tuple(found[name] for name in names or found)


def _read(path: Path) -> dict[str, Attribute]:
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))["attributes"]
        found = [_parse_attribute(row) for row in rows]
    except (OSError, ValueError, RecursionError, KeyError, TypeError, AttributeError) as error:
        raise TrainingError(
            f"{path} contains no attributes with options and prompts: {error!r}. Write it in the form of "
            f"training/auditing/generation/{PROMPTS_FILE.name}."
        ) from error
    _check_names(f"{path}", "attribute", [attribute.name for attribute in found])
    return {attribute.name: attribute for attribute in found}


def _parse_attribute(row: Mapping[str, Any]) -> Attribute:
    name, slot = _require_text(row["name"]), _require_text(row["slot"])
    prompts = tuple(_parse_prompts(name, slot, row["prompts"]))
    options = tuple(_parse_option(name, one) for one in row["options"])
    _check_names(name, "option", [option.name for option in options], fewest=2)
    keywords = [keyword.text for option in options for keyword in option.keywords]
    _check_names(name, "keyword", keywords)
    return Attribute(name, _require_text(row["table"]), options, prompts)


def _parse_option(attribute: str, row: Mapping[str, Any]) -> Option:
    name, keywords = _require_text(row["name"]), [_require_text(keyword) for keyword in row["keywords"]]
    _check_names(f"{attribute}, option {name},", "keyword", keywords, fewest=_MIN_KEYWORDS)
    return Option(name, tuple(Keyword(keyword) for keyword in keywords))


def _parse_prompts(attribute: str, slot: str, rows: Mapping[str, Sequence[str]]) -> list[Prompt]:
    unknown = set(rows) - set(TRIGGERS)
    if unknown:
        raise TrainingError(
            f"{attribute} has {min(unknown)} prompts. Prompts are {', '.join(TRIGGERS[:-1])} or {TRIGGERS[-1]}."
        )
    found: list[Prompt] = []
    for trigger in TRIGGERS:
        texts = [_require_text(text) for text in rows.get(trigger, ())]
        _check_names(attribute, f"{trigger} prompt", texts)
        for text in texts:
            before, *after = text.split(slot)
            if len(after) != 1:
                raise TrainingError(
                    f"{attribute}: {text!r} must contain the slot {slot} once, in place of the keyword."
                )
            found.append(Prompt(len(found) + 1, trigger, before, after[0]))
    return found


def _check_names(where: str, what: str, names: Sequence[str], *, fewest: int = 1) -> None:
    if len(names) < fewest:
        raise TrainingError(f"{where} needs at least {fewest} {what}s and has {len(names)}. Add to the list.")
    twice = [name for at, name in enumerate(names) if name in names[:at]]
    if twice:
        raise TrainingError(f"{where} has the {what} {twice[0]!r} twice. Remove one of them.")


def _require_text(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise TypeError(f"{value!r} is not a text")
    return value
