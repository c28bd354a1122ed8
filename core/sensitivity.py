"""How much a reader marks, and what that costs: its measured stops from only the surest words to all that might be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True, slots=True)
class Stop:
    """What was measured with words counted from ``threshold`` on.

    ``precision`` is the share of marks that touch words which editors took out, ``recall`` the share of those words
    that a mark touches; both in [0, 1].
    """

    threshold: float
    precision: float
    recall: float
    marks_per_1000_words: float


@dataclass(frozen=True, slots=True)
class Curve:
    """The stops of a reader, the surest first; ``default`` is the one that its spans were tuned for."""

    stops: tuple[Stop, ...]
    default: int

    @property
    def lowest(self) -> int:
        """The surest stop, counted from the default: 0 or less."""
        return -self.default

    @property
    def highest(self) -> int:
        """The stop that marks most, counted from the default: 0 or more."""
        return len(self.stops) - 1 - self.default

    def at(self, step: int) -> Stop:
        """The stop ``step`` away from the default, or the last one in that direction."""
        return self.stops[self.default + max(self.lowest, min(self.highest, step))]


def curve_of(stops: Sequence[Stop], tuned: float) -> Curve:
    """A curve around the threshold ``tuned``. Raises ValueError unless thresholds fall strictly and hold it."""
    thresholds = [stop.threshold for stop in stops]
    if any(one <= other for one, other in pairwise(thresholds)):
        raise ValueError("the thresholds do not fall")
    return Curve(tuple(stops), thresholds.index(tuned))


def threshold_of(curve: Curve | None, step: int) -> float | None:
    """The threshold to read with, ``step`` stops from the default; None for the reader's own."""
    return curve.at(step).threshold if curve is not None and step else None


def in_ten(share: float) -> int:
    """A share of one as "so many of ten", never none or all where it is not."""
    tenths = round(10 * share)
    if 0 < share < 1:
        return max(1, min(9, tenths))
    return tenths
