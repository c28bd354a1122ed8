"""The bullets and numbers of lists, counted as word processors and browsers count them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

_BULLETS = "•◦▪"
_PLACE = re.compile(r"%([1-9])")
_LONGEST = 24
_ROMAN = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl")),
    *((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)
_MOST_ROMAN = 3999
_SIGNS = "*†‡§"
"""The signs of notes in the order of the Chicago Manual of Style; then they are doubled, and so on."""
_MOST_SIGNS = 20


@dataclass(frozen=True, slots=True)
class ListLevel:
    """How the items of one level of a list are labelled.

    ``numbers`` are ``1``, ``a``, ``A``, ``i``, ``I``, ``*``, ``none``, or empty for bullets. ``start`` is the first
    number. ``text`` is the label; in it ``%1`` to ``%9`` are the numbers of the levels, this one or outer ones. None is
    the number with a period.
    """

    numbers: str = "1"
    start: int = 1
    text: str | None = None


_BULLETED = ListLevel("")


@dataclass(frozen=True, slots=True)
class ListDefinition:
    """A list: its levels, from 1 on. Lists with the same ``counter`` go on with each other's numbers.

    ``restarts`` has the numbers that the first items of levels have nevertheless.
    """

    counter: str
    levels: Mapping[int, ListLevel] = field(default_factory=dict)
    restarts: Mapping[int, int] = field(default_factory=dict)


class ListCounter:
    """Counts the items of lists: an item goes on from the last one of its list and level, and resets deeper ones."""

    def __init__(self) -> None:
        self._counts: dict[str, list[int | None]] = {}

    def next(
        self,
        list_id: str,
        level: int,
        levels: Mapping[int, ListLevel],
        *,
        number: int | None = None,
    ) -> str:
        """The label of the next item of a list at a level, from 1 on; ``number`` is its own number if it has one.

        Levels that ``levels`` does not describe have bullets.
        """
        counts = self._counts.setdefault(list_id, [])
        del counts[level:]
        counts += [None] * (level - len(counts))
        here = levels.get(level, _BULLETED)
        last = counts[level - 1]
        counts[level - 1] = number if number is not None else here.start if last is None else last + 1

        def shown(place: re.Match[str]) -> str:
            at = int(place[1])
            outer = levels.get(at, _BULLETED)
            count = counts[at - 1] if at <= len(counts) else None
            return numeral(outer.start if count is None else count, outer.numbers)

        if not here.numbers:
            return bullet(level)
        by_default = "" if here.numbers == "none" else f"%{min(level, 9)}."
        text = by_default if here.text is None else here.text[:_LONGEST]
        return "".join(filter(str.isprintable, _PLACE.sub(shown, text))).strip()


def bullet(level: int) -> str:
    """The bullet of a list of a level, from 1 on."""
    return _BULLETS[min(level, len(_BULLETS)) - 1]


def numeral(number: int, numbers: str) -> str:
    """A number as `ListLevel` names the kinds of numbers; those that letters cannot write are in digits."""
    if numbers in ("", "none"):
        return ""
    found = ""
    if numbers in ("a", "A") and number > 0:
        found = _in_letters(number)
    elif numbers in ("i", "I") and 0 < number <= _MOST_ROMAN:
        found = _in_roman(number)
    elif numbers == "*" and 0 < number <= _MOST_SIGNS:
        times, sign = divmod(number - 1, len(_SIGNS))
        found = _SIGNS[sign] * (times + 1)
    return (found.upper() if numbers.isupper() else found) or str(number)


def _in_letters(number: int) -> str:
    letters = ""
    while number:
        number, last = divmod(number - 1, 26)
        letters = chr(ord("a") + last) + letters
    return letters


def _in_roman(number: int) -> str:
    letters = ""
    for value, letter in _ROMAN:
        count, number = divmod(number, value)
        letters += letter * count
    return letters
