"""The results of an analysis as plain data: findings with their cues, suggestions, readings, the report."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum

from core.text.diff import TextEdit


class Kind(StrEnum):
    """The three kinds of bias of WIKIBIAS (Zhong et al. 2021, section 2; Recasens et al. 2013)."""

    FRAMING = "framing"
    EPISTEMOLOGICAL = "epistemological"
    DEMOGRAPHIC = "demographic"


KINDS: tuple[Kind, ...] = tuple(Kind)

LABELS: tuple[str, ...] = ("O", *(f"{part}-{kind}" for kind in KINDS for part in ("B", "I")))
"""BIO labels in the order of the model's span output: O, then B and I of each kind."""


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


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One way to reword a sentence.

    ``edits`` are sorted and disjoint and lie inside one sentence; ``sentence`` is that sentence's source after
    them. ``score`` ranks suggestions (higher is better, in [0, 1]); ``bias_before`` and ``bias_after`` are the
    sentence's bias as the reader reads it, in [0, 1], and the second is always the lower. ``leans`` are how it leans
    before and after, between left (-1) and right (1); None where it is not political.
    """

    edits: tuple[TextEdit, ...]
    sentence: str
    score: float
    bias_before: float
    bias_after: float
    leaning_positions: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Suggestions:
    """What the rewriter offers for one finding, best first; where that is nothing, ``note`` tells a person why."""

    items: tuple[Suggestion, ...] = ()
    note: str = ""


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
    """The analysis of one document. ``notes`` are sentences for a person on what was assumed or left out.

    ``leaning_f1`` is the macro-F1 of the reader's political leaning on held-out publishers; None where its bundle does
    not say. Suppressed text is in none of the parts.
    """

    path: str
    format: str
    characters: int
    summary: Summary
    sentences: tuple[SentenceReading, ...]
    findings: tuple[Finding, ...]
    notes: tuple[str, ...] = ()
    paragraphs: tuple[ParagraphReading, ...] = ()
    leaning_f1: float | None = None


def count_kinds(findings: tuple[Finding, ...]) -> dict[Kind, int]:
    """Findings per kind, zero where there are none."""
    counted = Counter(finding.kind for finding in findings)
    return {kind: counted.get(kind, 0) for kind in KINDS}
