"""How the rewriter's model is asked: the sentence to the encoder, a prompt with the flagged words to the decoder.

The training room asks in the same way.
"""

from __future__ import annotations

from collections.abc import Sequence

BEGIN = "[unused1]"
"""Stands before the first piece of the flagged words."""

END = "[unused2]"
"""Stands after the last piece of the flagged words."""

KEEP = "[unused3]"
"""The answer that the flagged words are well as they are."""

OUT = "[unused4]"
"""The answer that the flagged words should go and nothing take their place."""

ANSWER = "[unused5]"
"""The last piece of the prompt: what follows is the answer."""

AROUND = 4
"""Pieces of context that the prompt repeats on either side of the flagged ones."""


def prompt(pieces: Sequence[str], first: int, last: int) -> list[str]:
    """What the decoder is given before it answers: ``pieces[first:last]`` are flagged, with their neighbours."""
    left, right = pieces[max(0, first - AROUND) : first], pieces[last : last + AROUND]
    return [*left, BEGIN, *pieces[first:last], END, *right, ANSWER]


def touched(offsets: Sequence[tuple[int, int]], start: int, end: int) -> tuple[int, int]:
    """(first, last) of the pieces that stand for ``text[start:end]``; (0, 0) where there is none."""
    found = [at for at, (left, right) in enumerate(offsets) if right > start and left < end]
    return (found[0], found[-1] + 1) if found else (0, 0)
