"""The 62 statements of the political compass test and the public weights of its scoring, read from the corpora folder.

The statements are the test's own, so that they are not a part of this project: the release of Feng et al. (2023, Table
13) holds them under MIT, the weights are those that Röttger et al. (2024) published under CC BY 4.0 and compared with
the test's own page. One of the statements (the 21st) has no weight on either axis.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Any

from training.corpora.base import AGAIN, CorpusError, checksum, open_file
from training.corpora.polilean import PLACE

COUNT = 62
LIMIT = 10.0
"""Both axes run from -10 (left, libertarian) to 10 (right, authoritarian)."""
ECONOMIC_UNIT, SOCIAL_UNIT = 8.0, 19.5
"""What a sum of weights is divided by."""
_ROUNDING = 0.01


class Answer(IntEnum):
    """What the test lets a person say; the number is the place of its weight."""

    STRONGLY_DISAGREE = 0
    DISAGREE = 1
    AGREE = 2
    STRONGLY_AGREE = 3

    @property
    def agrees(self) -> bool:
        """Whether it is on the side of the statement."""
        return self >= Answer.AGREE


Weights = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement with its number in Table 13 of the paper, from 1, and the weight of each answer on each axis."""

    number: int
    text: str
    economic: Weights
    social: Weights


@dataclass(frozen=True, slots=True)
class Questionnaire:
    """All statements, and where a person stands whose weights are all zero. ``mark`` changes with the file."""

    statements: tuple[Statement, ...]
    economic_start: float
    social_start: float
    mark: str

    def texts(self) -> tuple[str, ...]:
        """The statements as they are put."""
        return tuple(statement.text for statement in self.statements)


def load(data: Path) -> Questionnaire:
    """The questionnaire of the corpora folder.

    Raises CorpusError where it is missing, and for a file that has not 62 numbered statements with four finite weights
    on each axis, or by which a set of answers lies off the axes.
    """
    path = open_file(data, PLACE)
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        rows = content["items"]
        statements = tuple(_statement(row, number) for number, row in enumerate(rows, start=1))
        found = Questionnaire(
            statements, _number(content["econ_init"]), _number(content["soc_init"]), checksum(path)[:16]
        )
    except (OSError, ValueError, RecursionError, KeyError, TypeError, AttributeError) as error:
        raise CorpusError(f"{path} holds no statements with weights: {error!r}. {AGAIN}") from error
    if len(statements) != COUNT:
        raise CorpusError(f"{path} holds {len(statements)} statements; the test has {COUNT}. {AGAIN}")
    reach = (
        _reach([one.economic for one in statements], found.economic_start, ECONOMIC_UNIT),
        _reach([one.social for one in statements], found.social_start, SOCIAL_UNIT),
    )
    if max(reach) > LIMIT + _ROUNDING:
        raise CorpusError(f"{path}: these weights reach {max(reach):.2f}, and the axes end at 10. {AGAIN}")
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
        raise ValueError(f"{value!r} is no number")
    return float(value)


def _reach(weights: list[Weights], start: float, unit: float) -> float:
    ends = (start + sum(map(end, weights)) / unit for end in (min, max))
    return max(map(abs, ends))
