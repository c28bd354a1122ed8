"""The data classes of the store, and the error that it raises."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from core.documents.types import Format
from core.types import Kind, Leaning, Summary

Scope = Literal["once", "words"]
FILE = "evenhand.sqlite3"
"""The store's file in the person's data folder."""
UNKNOWN_TIME = datetime.fromtimestamp(0, UTC)
"""Stands for a stored time that is damaged."""
MAX_VERSION_NAME = 100
"""Characters of the longest name of a version."""


class StoreError(Exception):
    """The store cannot do what was asked; its text tells a person why, and what to do. No text is lost."""


@dataclass(frozen=True, slots=True)
class Draft:
    """One draft. ``uid`` is a permanent UUID; ``path`` is None if it was never saved."""

    uid: str
    name: str
    path: Path | None = None


@dataclass(frozen=True, slots=True)
class Scores:
    """Scores of a version: mean bias in [0, 1], biased and all sentences, findings per kind, political leaning."""

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
    """A saved version of a draft, without its text. ``made_at`` is in UTC; ``why`` is the program's key for the reason.

    ``characters`` are code points; ``sha256`` is that of the text in UTF-8, in hexadecimal digits. ``damaged``: part of
    its row in the store could not be read and was replaced; the text is stored apart and may be whole. ``name``: the
    one that the person gave it, or empty.
    """

    id: int
    made_at: datetime
    why: str
    format: Format
    characters: int
    words: int
    sha256: str
    scores: Scores | None = None
    damaged: bool = False
    name: str = ""


def clean_version_name(name: str) -> str:
    """A name of a version as it is stored: one line with single spaces, at most ``MAX_VERSION_NAME`` characters."""
    return " ".join(name.split())[:MAX_VERSION_NAME].rstrip()


@dataclass(frozen=True, slots=True)
class Ignore:
    """An ignored finding of one draft: this one (``once``) or the same words anywhere in it (``words``).

    ``fingerprint`` is that of ``core.types``; ``id`` is 0 until the store has it.
    """

    scope: Scope
    kind: Kind
    words: str
    fingerprint: str
    id: int = 0
