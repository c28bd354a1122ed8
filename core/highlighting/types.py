"""What markup consists of, for an editor that shows it: roles and spans of a line, and parts that can be folded.

Notes, headers and footers of files are folded, too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum


class MarkupRole(StrEnum):
    """What a stretch of a line is. ``MARK`` is the notation itself; ``TARGET`` is where a link leads."""

    MARK = "mark"
    TARGET = "target"
    LABEL = "label"
    TEMPLATE = "template"
    REFERENCE = "reference"
    COMMENT = "comment"
    CODE = "code"
    METADATA = "metadata"
    HEADING = "heading"
    STRONG = "strong"
    EMPHASIS = "emphasis"
    STRUCK = "struck"


@dataclass(frozen=True, slots=True)
class MarkupSpan:
    """``line[start:end]`` has a role. Spans of a line may overlap; a later one is laid over an earlier one."""

    start: int
    end: int
    role: MarkupRole


LineHighlighter = Callable[[str, int], tuple[list[MarkupSpan], int]]
"""The spans of a line and the state at its end, from the line without its end and the state at its start.

States are numbers below `STATES`; the first line begins in state 0.
"""

STATES = 4096
LONGEST_LINE = 20_000
"""Longer lines are not highlighted: nobody reads them, and every key in one would cost."""


class FoldKind(StrEnum):
    """What a fold hides."""

    TEMPLATE = "template"
    TABLE = "table"
    REFERENCE = "reference"
    COMMENT = "comment"
    CODE = "code"
    FRONT_MATTER = "front matter"
    NOTES = "notes"
    MARGINS = "headers and footers"


@dataclass(frozen=True, slots=True)
class Fold:
    """``text[start:end]``: at least two whole lines, without the end of the last. All but the first can be hidden.

    One with a ``label`` is a part of a line, or goes from the middle of a line to another line. All of it can be
    hidden, and the label stands for it.
    """

    start: int
    end: int
    kind: FoldKind
    label: str = ""


FoldFinder = Callable[[str], list[Fold]]
"""The folds of a text by their start: nested or disjoint. Without labels no two have the same first line."""
