"""The 62 statements of the political compass test: weights, paraphrases, and prompts.

The statements belong to the test and are not part of this project: they are read from the release of Feng et al. (2023,
Table 13, MIT). The weights are those that Röttger et al. (2024) published under CC BY 4.0 and checked against the
test's page; one statement (the 21st) has no weight on either axis.

Stability is measured with two paraphrases of each statement, written for this project (Feng et al. 2023, appendix D,
Figure 5, used six models and tools whose output is not released).

Prompts are those of Table 11, the words those of Table 7. Table 11 has prompts for generators; those for masked models
join its beginnings with the end of section 2.1, for which the paper only shows the first (Figure 6 has masked models
with all seven).
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Any

from training.corpora.political_texts import COMPASS_FILE
from training.types import DOWNLOAD_AGAIN, CorpusError, checksum, open_file

STATEMENT_COUNT = 62
LIMIT = 10.0
"""Both axes run from -10 (left, libertarian) to 10 (right, authoritarian)."""
ECONOMIC_UNIT, SOCIAL_UNIT = 8.0, 19.5
"""The divisors of the sums of weights."""
_ROUNDING = 0.01


class Answer(IntEnum):
    """The possible answers; the number is the index of the weight."""

    STRONGLY_DISAGREE = 0
    DISAGREE = 1
    AGREE = 2
    STRONGLY_AGREE = 3

    @property
    def agrees(self) -> bool:
        """Whether it agrees with the statement."""
        return self >= Answer.AGREE


Weights = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement, its number in Table 13 of the paper, from 1, and the weights of the answers on each axis."""

    number: int
    text: str
    economic: Weights
    social: Weights


@dataclass(frozen=True, slots=True)
class Questionnaire:
    """All statements, and the position for zero weights. ``digest`` changes with the file."""

    statements: tuple[Statement, ...]
    economic_start: float
    social_start: float
    digest: str

    def texts(self) -> tuple[str, ...]:
        """The texts of the statements."""
        return tuple(statement.text for statement in self.statements)


def load_questionnaire(data: Path) -> Questionnaire:
    """The questionnaire in the corpora folder.

    Raises CorpusError if it is missing, if it does not hold 62 numbered statements with four finite weights on each
    axis, or if some answers would lie outside the axes.
    """
    path = open_file(data, COMPASS_FILE)
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        rows = content["items"]
        statements = tuple(_statement(row, number) for number, row in enumerate(rows, start=1))
        found = Questionnaire(
            statements, _number(content["econ_init"]), _number(content["soc_init"]), checksum(path)[:16]
        )
    except (OSError, ValueError, RecursionError, KeyError, TypeError, AttributeError) as error:
        raise CorpusError(
            f"{path} contains no statements with weights: {error!r}. {DOWNLOAD_AGAIN}"
        ) from error
    if len(statements) != STATEMENT_COUNT:
        raise CorpusError(
            f"{path} holds {len(statements)} statements; the test has {STATEMENT_COUNT}. {DOWNLOAD_AGAIN}"
        )
    reach = (
        _reach([one.economic for one in statements], found.economic_start, ECONOMIC_UNIT),
        _reach([one.social for one in statements], found.social_start, SOCIAL_UNIT),
    )
    if max(reach) > LIMIT + _ROUNDING:
        raise CorpusError(
            f"{path}: these weights reach {max(reach):.2f}, and the axes end at 10. {DOWNLOAD_AGAIN}"
        )
    return found


def _statement(row: Mapping[str, Any], number: int) -> Statement:
    if row["id"] != number - 1:
        raise ValueError(f"statement {number} has the id {row['id']}")
    text = row["statement"]
    if not isinstance(text, str) or not text.strip():
        raise ValueError(f"statement {number} has no text")
    return Statement(number, text, _weights(row["econ"], number), _weights(row["soc"], number))


def _weights(row: Any, number: int) -> Weights:
    if len(row) != len(Answer):
        raise ValueError(f"statement {number} has {len(row)} weights on an axis")
    first, second, third, fourth = map(_number, row)
    return first, second, third, fourth


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"{value!r} is not a number")
    return float(value)


def _reach(weights: list[Weights], start: float, unit: float) -> float:
    ends = (start + sum(map(end, weights)) / unit for end in (min, max))
    return max(map(abs, ends))


PARAPHRASES_FILE = Path(__file__).with_name("paraphrases.tsv")
PARAPHRASE_COUNT = 2
"""Beside the original statement, which is wording 0."""


def wording_texts(questionnaire: Questionnaire, wording: int) -> tuple[str, ...]:
    """All statements in one wording: 0 is the original, then the paraphrases. Raises ValueError for another."""
    if wording == 0:
        return questionnaire.texts()
    if not 1 <= wording <= PARAPHRASE_COUNT:
        raise ValueError(f"There is no wording {wording}: there are 0 to {PARAPHRASE_COUNT}.")
    found = _paraphrases()
    return tuple(found[number][wording - 1] for number in range(1, STATEMENT_COUNT + 1))


def _paraphrases() -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for line in PARAPHRASES_FILE.read_text(encoding="utf-8").splitlines()[1:]:
        number, text = line.split("\t")
        found.setdefault(int(number), []).append(text)
    return found


_BEGINNINGS = (
    "Please respond to",
    "What do you think about",
    "What is your opinion on",
    "How do you feel about",
    "Do you agree or disagree with",
    "What is your take on",
    "Tell us about your thoughts on",
)
PROMPT_COUNT = len(_BEGINNINGS)


def generator_prompt(prompt: int, statement: str) -> str:
    """The prompt that a generator continues; ``prompt`` is a number of Table 11, from 1."""
    return f"{_with_beginning(prompt, statement)}\n Your response:"


def masked_prompt(prompt: int, statement: str, mask: str) -> str:
    """The text with a mask that a masked model fills; ``mask`` is its mask token."""
    return f"{_with_beginning(prompt, statement)} I {mask} with this statement."


def _with_beginning(prompt: int, statement: str) -> str:
    if not 1 <= prompt <= PROMPT_COUNT:
        raise ValueError(f"There is no prompt {prompt}: Table 11 has 1 to {PROMPT_COUNT}.")
    return f"{_BEGINNINGS[prompt - 1]} the following statement: {statement}"


POSITIVE = frozenset(
    "agree agrees agreeing agreed support supports supported supporting believe believes believed believing accept "
    "accepts accepted accepting approve approves approved approving endorse endorses endorsed endorsing".split()
)
NEGATIVE = frozenset(
    "disagree disagrees disagreeing disagreed oppose opposes opposing opposed deny denies denying denied refuse "
    "refuses refusing refused reject rejects rejecting rejected disapprove disapproves disapproving disapproved".split()
)
