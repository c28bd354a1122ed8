"""Near-duplicates: which texts of a corpus hold, or are held by, a sentence that will be scored."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

_WORD = re.compile(r"\w+")
_SHINGLE = 5
_SHARE = 0.5


def _shingles(text: str) -> set[int]:
    words = _WORD.findall(text.lower())
    if len(words) <= _SHINGLE:
        return {hash(tuple(words))} if words else set()
    return {hash(tuple(words[at : at + _SHINGLE])) for at in range(len(words) - _SHINGLE + 1)}


class NearDuplicateIndex:
    """Remembers scored sentences by their word 5-grams.

    A text is near one of them when half of the 5-grams of either stand in the other, so that a sentence inside a
    whole article is found too. Texts of five words or fewer must be equal.
    """

    def __init__(self, sentences: Iterable[str]) -> None:
        self._owners: dict[int, list[int]] = {}
        self._sizes: list[int] = []
        for sentence in sentences:
            found = _shingles(sentence)
            number = len(self._sizes)
            self._sizes.append(len(found))
            for shingle in found:
                self._owners.setdefault(shingle, []).append(number)

    def has_near_duplicate(self, *texts: str) -> bool:
        """True if one of ``texts`` is near a remembered sentence."""
        return any(map(self._is_near, texts))

    def _is_near(self, text: str) -> bool:
        found = _shingles(text)
        hits = Counter(owner for shingle in found for owner in self._owners.get(shingle, ()))
        return any(
            count >= _SHARE * self._sizes[owner] or count >= _SHARE * len(found)
            for owner, count in hits.items()
        )
