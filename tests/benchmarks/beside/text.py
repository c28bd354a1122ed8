"""Text to measure with: the sample drafts over and over, varied by rule so that every sentence is another one.

Nothing that remembers a sentence is any use on it. Names are made of syllables, numbers are drawn again, most sentences
get another opening. The same seed always gives the same text; no corpus is needed.
"""

from __future__ import annotations

import random
import re
from functools import lru_cache

from core.documents import parse, prose
from core.documents.format_specs import detect_format
from resources import ROOT

PARAGRAPH = 5
"""Sentences a paragraph."""

_NAMES = (
    "Port Ellery, Ellery, Tobias Wrenfield, Wrenfield, Ines Halloran, Halloran, Marisel Odane, Odane, Karsholm, "
    "Veltran, Veltra, Anselm Brodie, Brodie, Dresk"
).split(", ")
_NAME = re.compile(rf"\b(?:{'|'.join(sorted(_NAMES, key=len, reverse=True))})\b")
_NUMBER = re.compile(r"\d+")
_ONSETS = "b br c d dr f g gr h j k kl l m n p r s st t tr v w".split()
_RIMES = "an ar el en er im in ol on or ul un a e i o".split()
_ENDINGS = "by dale field ford ham holm ley more stad ton vik wick".split()
_MONTHS = "January February March April May June July August September October November December".split()
_OPENINGS = (
    "On {day} {month} ",
    "In {place}, ",
    "As {place} and {other} had feared, ",
    "{day} days after the vote in {place}, ",
    "According to the {place} {paper}, ",
    "At its meeting of {day} {month}, the paper from {place} wrote, ",
    "",
)
_PAPERS = "Courier Gazette Herald Mercury Observer Post".split()


def sentences(count: int, *, seed: int = 0) -> list[str]:
    """``count`` sentences, no two alike."""
    chance = random.Random(seed)
    models = _models()
    found: dict[str, None] = {}
    number = 0
    while len(found) < count:
        found.setdefault(_varied(models[number % len(models)], chance))
        number += 1
    return list(found)


def draft(lines: list[str]) -> str:
    """The sentences as plain text, in paragraphs."""
    parts = (" ".join(lines[at : at + PARAGRAPH]) for at in range(0, len(lines), PARAGRAPH))
    return "\n\n".join(parts) + "\n"


@lru_cache(maxsize=1)
def _models() -> tuple[str, ...]:
    """The sentences of the sample drafts that end with a full stop and quote nobody."""
    texts = []
    for name in ("sample.md", "sample.wikitext"):
        source = (ROOT / "samples" / name).read_text(encoding="utf-8")
        document = parse(source, detect_format(name, source))
        texts += [" ".join(prose(document, sentence).text.split()) for sentence in document.sentences]
    return tuple(text for text in texts if text.endswith(".") and '"' not in text)


def _varied(model: str, chance: random.Random) -> str:
    given: dict[str, str] = {}
    text = _NAME.sub(lambda match: given.setdefault(match.group(), _name(chance)), model)
    text = _NUMBER.sub(lambda match: str(chance.randint(2, 9 * 10 ** (len(match.group()) - 1))), text)
    opening = chance.choice(_OPENINGS).format(
        day=chance.randint(2, 30),
        month=chance.choice(_MONTHS),
        place=_name(chance),
        other=_name(chance),
        paper=chance.choice(_PAPERS),
    )
    return opening + (text[0].lower() + text[1:] if opening and not _NAME.match(model) else text)


def _name(chance: random.Random) -> str:
    return (chance.choice(_ONSETS) + chance.choice(_RIMES) + chance.choice(_ENDINGS)).capitalize()
