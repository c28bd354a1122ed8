"""Word effects for the tests of the panel, written by hand."""

from __future__ import annotations

import re

from core.stereotypes.word_effects import SentenceEffect, WordEffect
from core.stereotypes.word_scores import WordScore
from core.types import KINDS, Kind

SOURCE = "The Muslim mayor spoke. A shameful plot failed. Muslim voters came to the town hall."


def effects(
    word: str, general: str, *biases: tuple[float, float], source: str = SOURCE
) -> tuple[SentenceEffect, ...]:
    """The sentences of ``source`` that hold ``word``, with these biases before and after."""
    found = []
    places = [match.span() for match in re.finditer(rf"\b{word}\b", source)]
    for (at, to), (before, after) in zip(places, biases, strict=True):
        start = source.rfind(". ", 0, at) + 2 if ". " in source[:at] else 0
        end = source.index(".", at) + 1
        text = source[start:end]
        without = " ".join(text.replace(word, general).split())
        found.append(SentenceEffect(start, end, at, to, general, text, without, before, after))
    return tuple(found)


def word(
    text: str,
    bias: float,
    *,
    kind: Kind = Kind.FRAMING,
    count: int = 1,
    group: str = "",
    found: tuple[SentenceEffect, ...] = (),
) -> WordEffect:
    """A word whose likeliest kind is ``kind``."""
    kinds = {one: bias if one is kind else 0.01 for one in KINDS}
    return WordEffect(text, count, WordScore(text, bias, kinds), group, found)


def rows() -> list[WordEffect]:
    """The words of ``SOURCE``, one an identity term with effects."""
    muslim = effects("Muslim", "", (0.82, 0.31), (0.44, 0.19))
    return [
        word("shameful", 0.93, found=effects("shameful", "", (0.9, 0.2))),
        word("Muslim", 0.83, kind=Kind.DEMOGRAPHIC, count=2, group="faith", found=muslim),
        word("plot", 0.55),
        word("mayor", 0.12, kind=Kind.EPISTEMOLOGICAL),
        word("town", 0.02),
    ]
