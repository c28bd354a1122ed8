"""How alike two phrases are by their letters, and which of several belong together; nothing to download."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from training.wikibias.phrases import ARTICLES, PREPOSITIONS, is_word, same_word

_GRAM = 3
_LIGHT = ARTICLES | PREPOSITIONS | {"and", "or"}


def similarity(one: Sequence[str], two: Sequence[str]) -> float:
    """From 0 to 1: the greater of the shares of common letter trigrams and of words that are one in another form.

    Both are Dice's coefficient over what the phrases hold; marks, articles, prepositions, "and" and "or" are left out.
    Tokens are lower case.
    """
    old, new = ([token for token in side if is_word(token) and token not in _LIGHT] for side in (one, two))
    if not old or not new:
        return 0.0
    return max(_dice(_grams(old), _grams(new)), _words_in_common(old, new))


def pairs(
    old: Sequence[Sequence[str]], new: Sequence[Sequence[str]], *, least: float
) -> list[tuple[int, int]]:
    """Which phrase of ``old`` goes with which of ``new``: the likest first, each once, none below ``least``."""
    ranked = sorted(
        (-similarity(one, two), abs(i - j), i, j) for i, one in enumerate(old) for j, two in enumerate(new)
    )
    found: list[tuple[int, int]] = []
    left, right = set(range(len(old))), set(range(len(new)))
    for likeness, _, i, j in ranked:
        if -likeness >= least and likeness and i in left and j in right:
            found.append((i, j))
            left.remove(i)
            right.remove(j)
    return sorted(found)


def _grams(tokens: Sequence[str]) -> Counter[str]:
    text = f" {' '.join(tokens)} "
    return Counter(text[at : at + _GRAM] for at in range(len(text) - _GRAM + 1))


def _dice(one: Counter[str], two: Counter[str]) -> float:
    return 2 * (one & two).total() / (one.total() + two.total())


def _words_in_common(one: Sequence[str], two: Sequence[str]) -> float:
    rest = list(two)
    common = 0
    for word in one:
        match = next((other for other in rest if same_word(word, other)), None)
        if match is not None:
            rest.remove(match)
            common += 1
    return 2 * common / (len(one) + len(two))
