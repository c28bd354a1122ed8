"""Which commands a few letters mean: letters are matched with the beginnings of words, in order."""

from __future__ import annotations

import re
from collections.abc import Sequence

_WORD = re.compile(r"\w+")


def rank(letters: str, name: str, told: str = "") -> int | None:
    """How well ``letters`` fit a command, 0 the best; None where they do not.

    They fit best at the start of the ``name``, then at the beginnings of its words (``fn`` and ``fi ne`` mean Find
    next), then anywhere in it, and last in what is ``told`` of the command.
    """
    wanted, text = letters.casefold().strip(), name.casefold()
    if not wanted or text.startswith(wanted):
        return 0
    words = _WORD.findall(text)
    skipped = _skipped("".join(_WORD.findall(wanted)), words)
    if skipped is not None:
        return 1 + skipped
    if wanted in text:
        return 50
    if all(part in told.casefold() for part in wanted.split()):
        return 100
    return None


def _skipped(letters: str, words: Sequence[str]) -> int | None:
    """How few words must be passed over so that pieces of ``letters`` begin the others; None if it cannot be."""
    if not letters:
        return 0
    best: int | None = None
    for passed, word in enumerate(words):
        for length in range(_common(letters, word), 0, -1):
            rest = _skipped(letters[length:], words[passed + 1 :])
            if rest is not None and (best is None or passed + rest < best):
                best = passed + rest
    return best


def _common(one: str, other: str) -> int:
    length = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        length += 1
    return length
