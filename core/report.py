"""What the engine says about one document, and its JSON form (the contract of ``evenhand check``)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from core.findings import KINDS, Finding, Kind


@dataclass(frozen=True, slots=True)
class Leaning:
    """Probabilities of left, center and right (they sum to 1), and how far the windows of the text disagree.

    ``spread`` is the standard deviation of (right - left) over the windows that were read, in [0, 1].
    """

    left: float
    center: float
    right: float
    spread: float = 0.0


@dataclass(frozen=True, slots=True)
class SentenceReading:
    """One sentence: where it stands, how biased it reads in [0, 1], and how it leans."""

    start: int
    end: int
    bias: float
    biased: bool
    quoted: bool
    leaning: Leaning


@dataclass(frozen=True, slots=True)
class Summary:
    """The document in figures. Quoted sentences and findings count only if quotes were asked for."""

    sentences: int
    biased_sentences: int
    bias: float
    leaning: Leaning | None
    kinds: dict[Kind, int]


@dataclass(frozen=True, slots=True)
class ParagraphReading:
    """The sentences of one paragraph that count, in figures; (start, end) spans all of its sentences.

    ``bias`` is their mean weighted by length, 0 where there are none. ``leaning`` is their mean weighted by how
    political each is, its spread the standard deviation of (right - left) between them; None where the paragraph is
    too short or not political.
    """

    start: int
    end: int
    bias: float
    sentences: int
    leaning: Leaning | None


@dataclass(frozen=True, slots=True)
class Report:
    """The reading of one document. ``notes`` are plain sentences for a person (what was assumed or left out).

    What the author switched off is in none of the parts: not the sentences, not the findings, not the paragraphs.
    """

    path: str
    format: str
    characters: int
    summary: Summary
    sentences: tuple[SentenceReading, ...]
    findings: tuple[Finding, ...]
    notes: tuple[str, ...] = ()
    paragraphs: tuple[ParagraphReading, ...] = ()


def count_kinds(findings: tuple[Finding, ...]) -> dict[Kind, int]:
    """Findings per kind, zero where there are none."""
    counted = Counter(finding.kind for finding in findings)
    return {kind: counted.get(kind, 0) for kind in KINDS}
