"""Where a text that is too long for one run of the model is cut."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from core.words import WORD

PIECE_CHARACTERS = 2000
"""Longer texts are read in pieces of about this length, which bounds memory and what an edit re-reads."""


def pieces(text: str) -> Iterator[tuple[int, int]]:
    """(start, end) of the pieces of ``text``: at most PIECE_CHARACTERS each, never cut inside a word."""
    start = 0
    while len(text) - start > PIECE_CHARACTERS:
        cut = start + PIECE_CHARACTERS
        for word in WORD.finditer(text, start):
            if word.start() >= cut:
                break
            if word.end() > cut:
                cut = word.start() if word.start() > start else word.end()
                break
        yield start, cut
        start = cut
    if start < len(text) or not text:
        yield start, len(text)


def windows(offsets: Sequence[tuple[int, int]], most: int) -> Iterator[tuple[int, int]]:
    """(start, end) token positions of windows of at most ``most`` tokens, of about equal length.

    A window ends where white space follows, or failing that anywhere.
    """
    start = 0
    while start < len(offsets):
        left = len(offsets) - start
        end = start + math.ceil(left / math.ceil(left / most))
        if end < len(offsets):
            for at in range(end, start, -1):
                if offsets[at][0] > offsets[at - 1][1]:
                    end = at
                    break
        yield start, end
        start = end
