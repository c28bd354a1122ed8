"""A suggestion: other words for a finding, read again by the engine before it is shown."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Edit:
    """``source[start:end]`` becomes ``replacement``. Offsets are Unicode code points of the whole source text."""

    start: int
    end: int
    replacement: str


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One way to reword a sentence.

    ``edits`` are sorted and disjoint and lie inside one sentence; ``sentence`` is that sentence's source after
    them. ``score`` ranks suggestions (higher is better, in [0, 1]); ``bias_before`` and ``bias_after`` are the
    sentence's bias as the reader reads it, in [0, 1], and the second is always the lower. ``leans`` are how it leans
    before and after, between left (-1) and right (1); None where it is not political.
    """

    edits: tuple[Edit, ...]
    sentence: str
    score: float
    bias_before: float
    bias_after: float
    leans: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Suggestions:
    """What the rewriter offers for one finding, best first; where that is nothing, ``note`` tells a person why."""

    items: tuple[Suggestion, ...] = ()
    note: str = ""
