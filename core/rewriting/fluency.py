"""How usual the sequence of words is where a suggestion stands, by counts of news and Wikipedia text.

The counts are of pairs of words, and of pairs and triples of word classes. Words that stand between similar words share
a class, so *his understand* is known to be odd even if the two words were never seen together.
`training.rewriter.ngram_counts` makes the file.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

FILE = "ngrams.npz"
EDGE = "<edge>"
"""Stands between the sentences that are counted."""

_TOKEN = re.compile(r"[^\W\d_]+|['’](?:[st]|re|ve|ll|[dm])\b|\d[\d.,]*|[.,;:!?()\"“”–—-]")
_ENDINGS = ("ing", "ed", "ly", "ness", "ions", "ion", "ity", "s")
RARE_NAMES = tuple(f"<{ending}>" for ending in (*_ENDINGS, "other"))
"""The names under which rare words are counted."""

_AFTER = 2
"""Words after a place that are judged with it."""

_WORD_PRIOR, _CLASS_PRIOR = 8.0, 20.0
"""How many observations an estimate from shorter sequences counts for."""

_STEPS = 8
"""Steps in which a stored count doubles."""

Table = tuple[NDArray[np.int64], NDArray[np.float64]]
"""Sorted keys of sequences, and their counts."""


class Fluency(NamedTuple):
    """How much likelier words are after those before them than elsewhere, as log-ratios: the least over a place.

    ``by_class``: the class of a word after those of the two before it, for the words of the place and the two after
    it; ``by_word``: a word after the one before it, for the words of the place and the next one.
    """

    by_class: float
    by_word: float


def tokenise(text: str) -> list[tuple[str, int, int]]:
    """The words, numbers and punctuation marks of a sentence with their places, as they are counted.

    Words are in lower case, every number is ``0``, and *don't* is ``do n't``.
    """
    found: list[tuple[str, int, int]] = []
    for match in _TOKEN.finditer(text):
        word = match.group().lower().replace("’", "'")
        start, end = match.span()
        last = found[-1][0] if found else ""
        if word == "'t" and last.endswith("n") and found[-1][2] == start:
            _, before, _ = found.pop()
            if last != "n":
                found.append((last[:-1], before, start - 1))
            found.append(("n't", start - 1, end))
        else:
            found.append(("0" if word[0].isdigit() else word, start, end))
    return found


def rare_name(word: str) -> str:
    """The name under which a rare word is counted: by its ending."""
    found = (
        name
        for name, ending in zip(RARE_NAMES, _ENDINGS, strict=False)
        if word.endswith(ending) and len(word) > len(ending) + 2
    )
    return next(found, RARE_NAMES[-1])


@dataclass(frozen=True, slots=True)
class NgramTables:
    """Counts of words and of sequences.

    ``names`` are the words; ``words`` and ``classes`` have the count and the class of each. A key of ``pairs`` is a
    number of two digits in the base of the number of words; one of ``class_triples`` has three, in the base of the
    number of classes. ``class_pairs`` is a matrix.
    """

    names: list[str]
    words: NDArray[np.float64]
    pairs: Table
    classes: NDArray[np.int64]
    class_pairs: NDArray[np.float64]
    class_triples: Table


class FluencyScorer:
    """Judges how usual words are where they stand, by counts."""

    def __init__(self, tables: NgramTables) -> None:
        self._tables = tables
        self._numbers = {word: number for number, word in enumerate(tables.names)}
        self._word_shares = (tables.words + 0.5) / tables.words.sum()
        self._class_words = tables.class_pairs.sum(axis=1)
        self._class_shares = (self._class_words + 0.5) / self._class_words.sum()

    def score(self, text: str, start: int, end: int) -> Fluency:
        """How usual ``text[start:end]`` is where it stands; an empty place is judged by the words after it."""
        tokens = tokenise(text)
        edge = self._numbers[EDGE]
        line = [edge, edge, *(self._number(word) for word, _, _ in tokens), edge]
        first = next((at for at, (_, _, right) in enumerate(tokens) if right > start), len(tokens))
        last = first
        while last < len(tokens) and tokens[last][1] < end:
            last += 1
        places = range(first, min(last + _AFTER, len(tokens) + 1))
        return Fluency(
            min(self._by_class(line[at : at + 3]) for at in places),
            min(self._by_word(line[at + 1], line[at + 2]) for at in places[: last - first + 1]),
        )

    def _number(self, word: str) -> int:
        number = self._numbers.get(word)
        return self._numbers[rare_name(word)] if number is None else number

    def _by_word(self, before: int, word: int) -> float:
        """The log-ratio of a word's probability after another to its own."""
        words = self._tables.words
        seen = _count(self._tables.pairs, before * len(words) + word)
        ratio = (seen / self._word_shares[word] + _WORD_PRIOR) / (words[before] + _WORD_PRIOR)
        return math.log(ratio)

    def _by_class(self, three: Sequence[int]) -> float:
        """The log-ratio of the probability of the last word's class after those of the others to its own."""
        one, two, here = (int(self._tables.classes[number]) for number in three)
        pairs, share = self._tables.class_pairs, self._class_shares[here]
        after_one = (pairs[two, here] / share + _CLASS_PRIOR) / (self._class_words[two] + _CLASS_PRIOR)
        seen = _count(self._tables.class_triples, (one * len(pairs) + two) * len(pairs) + here)
        return math.log((seen / share + _CLASS_PRIOR * after_one) / (pairs[one, two] + _CLASS_PRIOR))


def _count(counts: Table, key: int) -> float:
    keys, values = counts
    at = int(np.searchsorted(keys, key))
    return float(values[at]) if at < len(keys) and keys[at] == key else 0.0


@cache
def load_fluency_scorer() -> FluencyScorer:
    """The scorer with the counts that come with the app."""
    from resources import ROOT

    return FluencyScorer(read_tables(ROOT / "lexicons" / FILE))


def read_tables(path: Path) -> NgramTables:
    """The counts in a file of `write_tables`."""
    with np.load(path) as file:
        arrays = {name: file[name] for name in file.files}
    size = int(arrays["classes"].max()) + 1
    return NgramTables(
        bytes(arrays["names"]).decode().split("\n"),
        _unpacked(arrays["words"]),
        _table(arrays, "pair"),
        arrays["classes"].astype(np.int64),
        _unpacked(arrays["class_pairs"]).reshape(size, size),
        _table(arrays, "triple"),
    )


def write_tables(tables: NgramTables, path: Path) -> None:
    """Write counts, each in a byte: within 5% of what they were."""
    arrays: dict[str, NDArray[Any]] = {
        "names": np.frombuffer("\n".join(tables.names).encode(), dtype=np.uint8),
        "words": _packed(tables.words),
        "classes": tables.classes.astype(np.uint16),
        "class_pairs": _packed(tables.class_pairs).ravel(),
    }
    for name, (keys, counts) in (("pair", tables.pairs), ("triple", tables.class_triples)):
        arrays[f"{name}_gaps"] = np.diff(keys, prepend=0).astype(np.uint32)
        arrays[f"{name}_counts"] = _packed(counts)
    np.savez_compressed(path, allow_pickle=False, **arrays)


def _packed(counts: NDArray[np.float64]) -> NDArray[np.uint8]:
    steps = np.round(np.log2(np.maximum(counts, 1)) * _STEPS)
    return np.where(counts > 0, np.minimum(steps, 254) + 1, 0).astype(np.uint8)


def _unpacked(packed: NDArray[np.uint8]) -> NDArray[np.float64]:
    counts: NDArray[np.float64] = np.exp2((packed.astype(np.float64) - 1) / _STEPS)
    return np.where(packed > 0, counts, 0.0)


def _table(arrays: dict[str, NDArray[Any]], name: str) -> Table:
    keys: NDArray[np.int64] = np.cumsum(arrays[f"{name}_gaps"].astype(np.int64))
    return keys, _unpacked(arrays[f"{name}_counts"])
