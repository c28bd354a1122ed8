"""Bias and political leaning by paragraph, from the readings of the sentences."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from core.engine.political_leaning import MIN_WORDS, is_confident
from core.types import Leaning, NoLeaning, ParagraphReading, SentenceReading

MIN_SENTENCES = 2
"""Fewer sentences give no spread, so no leaning."""


@dataclass(frozen=True, slots=True)
class ReadSentence:
    """A sentence that was read, how political it is in [0, 1], its number of words after publisher masking, and its
    leaning, also where the reader cannot tell it from this sentence alone.
    """

    reading: SentenceReading
    political: float
    words: int
    leaning: Leaning


def read_paragraphs(
    paragraphs: Sequence[tuple[int, int]],
    sentences: Sequence[ReadSentence],
    *,
    political: float,
    least: float = 0.0,
    include_quotes: bool = False,
) -> tuple[ParagraphReading, ...]:
    """The readings of the paragraphs with at least one of ``sentences``; both are sorted.

    Quoted sentences count only with ``include_quotes``, so a paragraph may have none that counts. A paragraph gets a
    leaning where its mean ``political`` reaches the threshold of that name, and its likeliest side ``least``.
    """
    found = []
    first = 0
    for start, end in paragraphs:
        last = bisect_left(sentences, end, lo=first, key=lambda sentence: sentence.reading.start)
        counted = [one for one in sentences[first:last] if include_quotes or not one.reading.quoted]
        if last > first:
            bias = mean_bias([one.reading for one in counted])
            leaning = NoLeaning.UNABLE if least >= 1 else _leaning(counted, political)
            if isinstance(leaning, Leaning) and not is_confident(leaning, least):
                leaning = NoLeaning.UNSURE
            known_leaning, reason = (leaning, None) if isinstance(leaning, Leaning) else (None, leaning)
            found.append(ParagraphReading(start, end, bias, len(counted), known_leaning, reason))
        first = last
    return tuple(found)


def mean_bias(sentences: Sequence[SentenceReading]) -> float:
    """The mean bias weighted by the sentences' length in the source; 0 where there is none."""
    length = sum(sentence.end - sentence.start for sentence in sentences)
    total = math.fsum(sentence.bias * (sentence.end - sentence.start) for sentence in sentences)
    return total / length if length else 0.0


def _leaning(counted: Sequence[ReadSentence], political: float) -> Leaning | NoLeaning:
    counted = [one for one in counted if one.words]
    words = sum(one.words for one in counted)
    if words < MIN_WORDS or len(counted) < MIN_SENTENCES:
        return NoLeaning.SHORT
    weights = [one.political for one in counted]
    total = math.fsum(weights)
    if total <= 0 or total / len(weights) < political:
        return NoLeaning.UNPOLITICAL

    def mean(values: Sequence[float]) -> float:
        return math.fsum(value * weight for value, weight in zip(values, weights, strict=True)) / total

    leanings = [one.leaning for one in counted]
    sides = [leaning.right - leaning.left for leaning in leanings]
    middle = mean(sides)
    return Leaning(
        left=mean([leaning.left for leaning in leanings]),
        center=mean([leaning.center for leaning in leanings]),
        right=mean([leaning.right for leaning in leanings]),
        spread=math.sqrt(mean([(side - middle) ** 2 for side in sides])),
    )
