"""Any text as the tokens and tags of WIKIBIAS, and back; and with that any tagger of Table 7 on other sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from core.words import WORD
from training.loop import TrainingError
from training.metrics.tags import spans, tags_over
from training.wikibias.domains import Place, Tagger
from training.wikibias.making import Maker, Slot
from training.wikibias.model import OUTSIDE, Tagged

_TOKEN = re.compile(rf"{WORD.pattern}|\S")


def places(text: str) -> list[Place]:
    """Where the tokens of a text are: its words, and every sign by itself."""
    return [match.span() for match in _TOKEN.finditer(text)]


def tokens(text: str) -> tuple[str, ...]:
    """The tokens of a text."""
    return tuple(text[start:end] for start, end in places(text))


def bio(text: str, marked: Sequence[Place]) -> tuple[str, ...]:
    """BIO tags of the text's tokens; each is of the first marked stretch that it shares a character with."""
    return tuple(tags_over(places(text), marked))


def marks(text: str, tags: Sequence[str]) -> list[Place]:
    """The stretches of the text that BIO tags of its tokens mark, in code points."""
    here = places(text)
    return [(here[start][0], here[end - 1][1]) for start, end in spans(tags)]


def trained_tagger(maker: Maker, slot: Slot) -> Tagger:
    """The tagger of a cell of Table 7, on any texts.

    It learns as for its cell, or is there already where that cell was made; then the texts take the place of the test
    part. Raises TrainingError for a system that cannot be run here, or that gives no tags.
    """
    system, work = slot.row.load(), maker.work(slot)
    if system(maker.material, work).tags is None:
        raise TrainingError(f"{slot.row.title} marks no words. Name a tagger of Table 7.")

    def tagger(texts: Sequence[str]) -> list[list[Place]]:
        test = [
            Tagged(tokens(text), (OUTSIDE,) * len(places(text)), biased=True, original=True, group=str(at))
            for at, text in enumerate(texts)
        ]
        tags = system(replace(maker.material, test=test), work).tags or ()
        return [marks(text, of) for text, of in zip(texts, tags, strict=True)]

    return tagger
