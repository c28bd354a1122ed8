"""Replacing with hypernyms of WordNet (section 4.3.4, Table 7)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from training.bsw.model import Labelled, tokens
from training.bsw.replacement.base import Finds, Replacing, Row
from training.bsw.wordnet import load_wordnet

__all__ = ["LEVELS", "ByWordNet", "load_wordnet"]

LEVELS = range(6)
"""The start levels of the paper's tables."""
_CLASSES = ("n", "v", "as", "r")
"""Senses are looked for among nouns, then verbs, adjectives, adverbs: Table 7 climbs from nouns where there are any."""
_LETTERS = "abcdefghijklmnopqrstuvwxyz'"
_LEAST_LETTERS = 4
"""Shorter words are not corrected: nearly all of them are one letter from another word."""


class ByWordNet(Replacing):
    """Each word becomes one that WordNet puts above it and that comes in the training rows.

    The search begins with the synsets ``level`` steps above those of the word (0: its own) and goes up step by step
    until a synset has a lemma in the training vocabulary; the first such lemma of a synset counts, and of several
    synsets at that step one is drawn, once for all occurrences. Lemmas count as WordNet writes them, so names with a
    capital are none of the lower-case vocabulary: this is how Table 7 has *person* for *muslim* at level 0. The word
    itself may be found at level 0, as *homosexual* there. A word that WordNet lacks is corrected first: to the most
    frequent training word one letter away that WordNet has. A word for which nothing is found stays. ``wordnet`` is
    what `load_wordnet` gives.
    """

    def __init__(self, wordnet: Any, *, level: int, seed: int) -> None:
        super().__init__()
        self._wordnet, self._level, self._seed = wordnet, level, seed
        self._general: dict[str, str | None] = {}

    def _learn(self, train: Sequence[Labelled], bsws: Sequence[str]) -> None:
        counts = Counter(token for row in train for token in row.tokens)
        self._general = {word: self._generalised(word, counts) for word in bsws}

    def _news(self, _rows: Sequence[Row], found: Sequence[Finds]) -> list[list[str | None]]:
        return [[self._general[one.term] for one in finds] for finds in found]

    def _generalised(self, word: str, counts: Mapping[str, int]) -> str | None:
        synsets = self._synsets(word, counts)
        for _ in range(self._level):
            synsets = _above(synsets)
        seen: set[Any] = set()
        while synsets:
            found = {first for synset in synsets if (first := _first(synset, counts))}
            if found:
                return random.Random(f"{self._seed} {self._level} {word}").choice(sorted(found))
            seen.update(synsets)
            synsets = [synset for synset in _above(synsets) if synset not in seen]
        return None

    def _synsets(self, term: str, counts: Mapping[str, int]) -> list[Any]:
        pieces = tokens(term)
        for form in dict.fromkeys(("_".join(pieces), "-".join(pieces))):
            if found := self._senses(form):
                return found
        corrected = self._corrected(term, counts) if len(pieces) == 1 else None
        return self._senses(corrected) if corrected else []

    def _senses(self, form: str) -> list[Any]:
        synsets = self._wordnet.synsets(form)
        by_class = ([one for one in synsets if one.pos() in classes] for classes in _CLASSES)
        return next((found for found in by_class if found), [])

    def _corrected(self, word: str, counts: Mapping[str, int]) -> str | None:
        if len(word) < _LEAST_LETTERS or not word.replace("'", "").isalpha():
            return None
        near = sorted((-counts[other], other) for other in set(_one_letter_away(word)) if other in counts)
        return next((other for _, other in near if self._senses(other)), None)


def _first(synset: Any, counts: Mapping[str, int]) -> str | None:
    """The first lemma of a synset that comes in the training rows; None where none does."""
    return next((str(lemma) for lemma in synset.lemma_names() if lemma in counts), None)


def _above(synsets: Sequence[Any]) -> list[Any]:
    """The synsets right above, each once, in their order."""
    return list(
        dict.fromkeys(
            above for synset in synsets for above in (*synset.hypernyms(), *synset.instance_hypernyms())
        )
    )


def _one_letter_away(word: str) -> Iterator[str]:
    """One letter left out, two changed over, one changed, one put in."""
    for at in range(len(word) + 1):
        head, tail = word[:at], word[at:]
        if tail:
            yield head + tail[1:]
            yield from (head + letter + tail[1:] for letter in _LETTERS if letter != tail[0])
        if len(tail) > 1:
            yield head + tail[1] + tail[0] + tail[2:]
        yield from (head + letter + tail for letter in _LETTERS)
