"""Where terms stand in a row of tokens: terms of several words too, the longest first, none inside another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from training.bsw.model import tokens


@dataclass(frozen=True, slots=True)
class Found:
    """``term`` stands at ``row[start:end]``."""

    start: int
    end: int
    term: str


class Terms:
    """A list of terms, found as whole tokens. Empty terms are passed over."""

    def __init__(self, terms: Iterable[str]) -> None:
        by_first: defaultdict[str, list[tuple[tuple[str, ...], str]]] = defaultdict(list)
        for term in dict.fromkeys(terms):
            pieces = tokens(term)
            if pieces:
                by_first[pieces[0]].append((pieces, term))
        self._by_first = {
            first: sorted(found, key=lambda one: (-len(one[0]), one[1])) for first, found in by_first.items()
        }

    def find(self, row: Sequence[str]) -> list[Found]:
        """The occurrences from left to right; of two that begin at one place the longer."""
        found: list[Found] = []
        end = 0
        for start, token in enumerate(row):
            if start < end or token not in self._by_first:
                continue
            for pieces, term in self._by_first[token]:
                if tuple(row[start : start + len(pieces)]) == pieces:
                    end = start + len(pieces)
                    found.append(Found(start, end, term))
                    break
        return found


def members(rows: Sequence[Sequence[str]], terms: Iterable[str]) -> dict[str, NDArray[np.bool_]]:
    """For every term which of the rows hold it [rows]: each term by itself, so *african american* holds *african*."""
    holding: defaultdict[str, list[int]] = defaultdict(list)
    for place, row in enumerate(rows):
        for token in set(row):
            holding[token].append(place)
    found: dict[str, NDArray[np.bool_]] = {}
    for term in terms:
        finder, inside = Terms([term]), np.zeros(len(rows), dtype=np.bool_)
        for place in holding[pieces[0]] if (pieces := tokens(term)) else ():
            inside[place] = bool(finder.find(rows[place]))
        found[term] = inside
    return found
