"""Words that a person always allows: a finding that holds nothing else is left out.

The dictionary is one person's, so only the window asks it; `evenhand check` answers the same on every machine.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable

from core.words import WORD

LONGEST = 120
"""Characters of the longest phrase that can be allowed; more is a sentence, not a name."""

_ROOM = 2 * LONGEST


def evened(words: str) -> str:
    """``words`` as they are compared: case and runs of white space do not count."""
    return " ".join(words.split()).casefold()


def phrase_of(words: str) -> str:
    """What is kept of ``words`` as an allowed phrase: from its first whole word to its last, spaces evened.

    Empty where there is no word in it, or more than `LONGEST` characters.
    """
    places = [match.span() for match in WORD.finditer(words)]
    phrase = " ".join(words[places[0][0] : places[-1][1]].split()) if places else ""
    return phrase if len(phrase) <= LONGEST else ""


class Allowed:
    """Phrases to look for in a text, as whole words. An empty one allows nothing."""

    def __init__(self, phrases: Iterable[str] = ()) -> None:
        self._phrases = {evened(phrase) for phrase in map(phrase_of, phrases) if phrase}
        self._lengths = sorted({len(WORD.findall(phrase)) for phrase in self._phrases})

    def __bool__(self) -> bool:
        return bool(self._phrases)

    def covers(self, text: str, start: int, end: int) -> bool:
        """Whether each word in ``text[start:end]`` belongs to an allowed phrase that stands there.

        A phrase may begin before and end after those words: with "kung fu" allowed, a "fu" is covered in "kung fu"
        and nowhere else. Of "kung fu master" not every word is covered.
        """
        if not self._phrases:
            return False
        words = _around(text, start, end)
        first = bisect_right(words, start, key=lambda word: word[1])
        last = bisect_left(words, end, key=lambda word: word[0])
        covered: set[int] = set()
        for at in range(max(0, first - self._lengths[-1] + 1), last):
            for length in self._lengths:
                if at + length > len(words):
                    break
                if evened(text[words[at][0] : words[at + length - 1][1]]) in self._phrases:
                    covered.update(range(at, at + length))
        return first < last and covered.issuperset(range(first, last))


def _around(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The words of ``text[start:end]``, and those on either side that a phrase over its edge can reach."""
    left, right = max(0, start - _ROOM), min(len(text), end + _ROOM)
    words = [(left + a, left + b) for a, b in (match.span() for match in WORD.finditer(text[left:right]))]
    if left and words and words[0][0] == left:
        del words[0]
    if right < len(text) and words and words[-1][1] == right:
        del words[-1]
    return words
