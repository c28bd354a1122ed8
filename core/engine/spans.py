"""Decoding token probabilities into spans of whole words.

The engine and training share this code, so that measured scores are those of the app.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.text.tokens import WORD
from core.types import KINDS, LABELS, Kind

_ARTICLES = ("a", "an", "the")


@dataclass(frozen=True, slots=True)
class Span:
    """Biased words ``text[start:end]`` of one sentence; ``confidence`` is in [0, 1]."""

    start: int
    end: int
    kind: Kind
    confidence: float


def word_probabilities(
    probabilities: NDArray[np.float32], offsets: Sequence[tuple[int, int]], words: Sequence[tuple[int, int]]
) -> NDArray[np.float32]:
    """Label probabilities of each word: those of its sub-token with the lowest probability of O.

    ``probabilities`` is [tokens, 7]; ``offsets`` are the tokens' (start, end), (0, 0) for special tokens, ascending.
    Returns [words, 7]; a word without a token (cut off) is O with probability 1.
    """
    gathered = np.zeros((len(words), len(LABELS)), dtype=np.float32)
    gathered[:, 0] = 1.0
    token = 0
    for index, (start, end) in enumerate(words):
        while token < len(offsets) and offsets[token][1] <= start:
            token += 1
        at = token
        while at < len(offsets) and offsets[at][0] < end:
            if offsets[at][1] > start and probabilities[at, 0] < gathered[index, 0]:
                gathered[index] = probabilities[at]
            at += 1
    return gathered


def decode(
    probabilities: NDArray[np.float32],
    offsets: Sequence[tuple[int, int]],
    text: str,
    *,
    threshold: float,
) -> list[Span]:
    """Spans of a sentence, from the label probabilities of its tokens; see `decode_words`."""
    words = [match.span() for match in WORD.finditer(text)]
    return decode_words(word_probabilities(probabilities, offsets, words), text, threshold=threshold)


def decode_words(scores: NDArray[Any], text: str, *, threshold: float) -> list[Span]:
    """Spans of a sentence: runs of words whose bias probability (1 - O) reaches ``threshold``.

    ``scores`` is [words, 7], a row for each `WORD` of ``text``. Punctuation ends a run, and so does a word that is
    likelier to begin a span of another kind than to continue this one. A hyphen between spaces, as in tokenised text
    (``self - proclaimed``), does not end it where the next word is likelier to continue. Articles at either end of a
    run are left out. The kind of a run is the one with the highest total probability over its words; its confidence is
    the highest of its words. Spans are sorted, disjoint and cover whole words.
    """
    words = [match.span() for match in WORD.finditer(text)]
    biased = 1.0 - scores[:, 0]
    kinds = scores[:, 1::2] + scores[:, 2::2]
    spans: list[Span] = []
    run: list[int] = []

    def is_article(at: int) -> bool:
        start, end = words[at]
        return end - start <= 3 and text[start:end].lower() in _ARTICLES

    def close() -> None:
        while run and is_article(run[0]):
            run.pop(0)
        while run and is_article(run[-1]):
            run.pop()
        if run:
            mass = kinds[run].sum(axis=0)
            confidence = float(biased[run].max())
            spans.append(Span(words[run[0]][0], words[run[-1]][1], KINDS[int(mass.argmax())], confidence))
            run.clear()

    for index, (start, _end) in enumerate(words):
        if biased[index] < threshold:
            close()
            continue
        if run:
            gap = text[words[run[-1]][1] : start]
            begins = scores[index, 1::2].sum() > scores[index, 2::2].sum()
            changed = kinds[index].argmax() != kinds[run[-1]].argmax()
            touching = gap.isspace() or (gap.strip() == "-" and not begins)
            if not touching or (begins and changed):
                close()
        run.append(index)
    close()
    return spans
