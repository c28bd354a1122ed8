"""The shape of a document: source text, the parts of it that are not prose, its sentences."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from core.findings import KINDS, Kind


class Format(StrEnum):
    """Formats that can be read. ``auto`` is decided from the file name, then from the text."""

    PLAIN = "plain"
    MARKDOWN = "markdown"
    WIKITEXT = "wikitext"
    HTML = "html"
    DOCX = "docx"
    ODT = "odt"


@dataclass(frozen=True, slots=True)
class Mask:
    """A stretch of the source that is not prose.

    ``gap`` is False for pure mark-up (``''``, ``[[target|``, ``]]``), which vanishes when the sentence is read,
    and True for content that stands for something (a template, code, a URL, a reference), read as one space.
    """

    start: int
    end: int
    gap: bool


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence in the source: ``source[start:end]``. ``quoted``: most of its words stand inside a quotation."""

    start: int
    end: int
    quoted: bool


@dataclass(frozen=True, slots=True)
class Prose:
    """A sentence as the reader sees it. ``offsets[i]`` is the source offset of ``text[i]``."""

    text: str
    offsets: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Off:
    """``source[start:end]`` is not checked for ``kinds``: its author wrote so with a marker, or it is code."""

    start: int
    end: int
    kinds: tuple[Kind, ...] = KINDS


@dataclass(frozen=True, slots=True)
class Document:
    """Source text with its prose map. Masks, quotes, sentences, ``off`` and ``paragraphs`` are sorted and disjoint.

    ``quotes`` are (start, end) of direct quotations, quotation marks included; ``paragraphs`` of the sentences of each
    block that holds any. ``notes`` are sentences for a person about markers that could not be followed.
    """

    source: str
    format: Format
    masks: tuple[Mask, ...]
    sentences: tuple[Sentence, ...]
    quotes: tuple[tuple[int, int], ...]
    off: tuple[Off, ...] = ()
    paragraphs: tuple[tuple[int, int], ...] = ()
    notes: tuple[str, ...] = ()
