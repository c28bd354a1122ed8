"""A finding: one stretch of wording that the reader does not think neutral, and why."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from enum import StrEnum


class Kind(StrEnum):
    """The three kinds of bias of WIKIBIAS (Zhong et al. 2021, section 2; Recasens et al. 2013)."""

    FRAMING = "framing"
    EPISTEMOLOGICAL = "epistemological"
    DEMOGRAPHIC = "demographic"


KINDS: tuple[Kind, ...] = tuple(Kind)


@dataclass(frozen=True, slots=True)
class Cue:
    """Why a finding may be there: a word of a list, the class of that list, and the guide it belongs to."""

    cue: str
    category: str
    source: str


@dataclass(frozen=True, slots=True)
class Finding:
    """A span of the source text. Offsets are Unicode code points; ``text == source[start:end]``."""

    start: int
    end: int
    text: str
    kind: Kind
    confidence: float
    quoted: bool
    why: tuple[Cue, ...] = ()
    fingerprint: str = field(default="")


def fingerprint(kind: Kind, words: str, before: str, after: str) -> str:
    """A name for a finding that survives moves of the text: kind, its words and the neighbouring words.

    ``before`` and ``after`` are the nearest words in the same sentence, or empty. Case and runs of white space
    do not count. Returns 16 hexadecimal digits.
    """
    parts = [kind.value, *(" ".join(part.split()).casefold() for part in (words, before, after))]
    return hashlib.sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]
