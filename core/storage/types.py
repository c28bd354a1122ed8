"""What the store holds, as plain data, and the one error that it raises."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Literal

from core.documents.types import Format
from core.types import Kind, Leaning, Summary

Scope = Literal["once", "words"]
FILE = "evenhand.sqlite3"
"""The store's file in the person's data folder."""


class StoreError(Exception):
    """The store cannot do what was asked; its text says for a person why, and what to do. No text is lost by it."""


@dataclass(frozen=True, slots=True)
class Draft:
    """One draft. ``uid`` is a UUID and names it for good; ``path`` is None while it lies nowhere."""

    uid: str
    name: str
    path: Path | None = None


@dataclass(frozen=True, slots=True)
class Scores:
    """How a version read: mean bias in [0, 1], biased sentences of all sentences, findings per kind, leaning."""

    bias: float
    biased_sentences: int
    sentences: int
    kinds: dict[Kind, int] = field(default_factory=dict)
    leaning: Leaning | None = None

    @classmethod
    def of(cls, summary: Summary) -> Scores:
        """The scores of a report."""
        return cls(
            bias=summary.bias,
            biased_sentences=summary.biased_sentences,
            sentences=summary.sentences,
            kinds=dict(summary.kinds),
            leaning=summary.leaning,
        )


@dataclass(frozen=True, slots=True)
class Version:
    """A text that a draft had, without the text. ``made_at`` is in UTC; ``why`` is a word of the program's own.

    ``characters`` are code points; ``sha256`` is that of the text in UTF-8, in hexadecimal digits.
    """

    id: int
    made_at: datetime
    why: str
    format: Format
    characters: int
    words: int
    sha256: str
    scores: Scores | None = None


@dataclass(frozen=True, slots=True)
class Ignore:
    """A finding that is passed over in one draft: this one (``once``) or these words wherever they stand (``words``).

    ``fingerprint`` is that of ``core.types``; ``id`` is 0 until the store has it.
    """

    scope: Scope
    kind: Kind
    words: str
    fingerprint: str
    id: int = 0
