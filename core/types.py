"""The results of an analysis as plain data: findings with their cues, suggestions, readings, the report."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import count, islice

from core.text.diff import TextEdit

STANDARD_INPUT = "-"
"""Names standard input where a path is expected."""

_COPY = "#"


class Kind(StrEnum):
    """What a finding is: one of the three kinds of bias of WIKIBIAS (Zhong et al. 2021, section 2; Recasens et al.
    2013), which the reader tells, or wording that a rule of a style pack flags.
    """

    FRAMING = "framing"
    EPISTEMOLOGICAL = "epistemological"
    DEMOGRAPHIC = "demographic"
    STYLE = "style"


KINDS: tuple[Kind, ...] = (Kind.FRAMING, Kind.EPISTEMOLOGICAL, Kind.DEMOGRAPHIC)
"""The kinds of bias, in the order of the model's output."""

ALL_KINDS: tuple[Kind, ...] = (*KINDS, Kind.STYLE)

LABELS: tuple[str, ...] = ("O", *(f"{part}-{kind}" for kind in KINDS for part in ("B", "I")))
"""BIO labels in the order of the model's span output: O, then B and I of each kind."""

GUIDE_CLASSES: dict[str, Kind] = {
    **dict.fromkeys(
        (
            "puffery",
            "judgement",
            "label",
            "loaded_verb",
            "loaded_noun",
            "metaphor",
            "intensifier",
            "editorialising",
            "partisan_term",
            "euphemism",
            "cliche",
        ),
        Kind.FRAMING,
    ),
    **dict.fromkeys(
        (
            "assertive_verb",
            "factive_verb",
            "report_verb",
            "doubt",
            "certainty",
            "hedge",
            "weasel",
            "entailment",
        ),
        Kind.EPISTEMOLOGICAL,
    ),
    **dict.fromkeys(("gendered_default", "needless_group", "group_term", "stereotype"), Kind.DEMOGRAPHIC),
}
"""What a style guide calls a finding, and the kind that it belongs to, in the order of the model's class output."""


@dataclass(frozen=True, slots=True)
class Cue:
    """A word from a cue list that explains a finding, the class of the list, and the guideline it comes from."""

    cue: str
    category: str
    source: str


@dataclass(frozen=True, slots=True)
class StyleNote:
    """What a rule of a style pack says of wording. ``rule`` is its key, ``pack`` the name of its pack.

    ``guide`` is the name of the guide and ``address`` its page, empty where the pack names none. ``replacements`` can
    stand in its place; an empty one takes it out.
    """

    pack: str
    rule: str
    message: str
    reason: str = ""
    guide: str = ""
    address: str = ""
    severity: str = "warning"
    replacements: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """Wording that is not neutral, as a span of the source. Offsets are code points; ``text == source[start:end]``.

    ``words``: the same as it is read, where markup or an invisible sign stands inside a word; else empty.
    ``guide_class``: a name in `GUIDE_CLASSES`; empty where the reader does not tell the class. ``style``: what a rule
    of a style pack says of this place; None where only the reader marks it.
    """

    start: int
    end: int
    text: str
    kind: Kind
    confidence: float
    quoted: bool
    why: tuple[Cue, ...] = ()
    fingerprint: str = field(default="")
    words: str = ""
    guide_class: str = ""
    style: StyleNote | None = None

    @property
    def shown(self) -> str:
        """The words for a person."""
        return self.words or self.text


def fingerprint(kind: Kind, words: str, before: str, after: str) -> str:
    """An identifier of a finding that stays the same when text moves: its kind, its words and its neighbouring words.

    ``before`` and ``after`` are the nearest words in the same sentence, or empty. Case and runs of white space are
    ignored. Returns 16 hexadecimal digits.
    """
    parts = [kind.value, *(" ".join(part.split()).casefold() for part in (words, before, after))]
    return hashlib.sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def base_fingerprint(fingerprint: str) -> str:
    """The fingerprint of a finding without its number among equal ones: ``f`` of ``f#2``."""
    return fingerprint.partition(_COPY)[0]


def numbered_fingerprint(fingerprint: str, number: int) -> str:
    """The fingerprint of the ``number``-th of equal findings in the order of a text: ``f``, ``f#2``, ``f#3`` …"""
    return fingerprint if number == 1 else f"{fingerprint}{_COPY}{number}"


def number_fingerprints(findings: Iterable[Finding]) -> Iterator[str]:
    """The fingerprint of each of all findings of a text, in its order, with its number among equal ones."""
    seen: Counter[str] = Counter()
    for finding in findings:
        seen[finding.fingerprint] += 1
        yield numbered_fingerprint(finding.fingerprint, seen[finding.fingerprint])


def free_fingerprint(fingerprint: str, taken: Iterable[str], *, skipped: int = 0) -> str:
    """The fingerprint with its number among equal ones for a finding that is to be ignored.

    ``taken``: the fingerprints that are ignored; ``skipped``: how many equal findings before it are not ignored.
    """
    used = set(taken)
    names = (numbered_fingerprint(fingerprint, number) for number in count(1))
    return next(islice((name for name in names if name not in used), skipped, None))


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One way to reword a sentence.

    ``edits`` are sorted and disjoint and lie inside one sentence; ``sentence`` is that sentence's source after
    them. ``score`` ranks suggestions (higher is better, in [0, 1]); ``bias_before`` and ``bias_after`` are the
    sentence's bias by the reader, in [0, 1]; the second is lower, unless the words are those of a rule of a style pack.
    """

    edits: tuple[TextEdit, ...]
    sentence: str
    score: float
    bias_before: float
    bias_after: float


@dataclass(frozen=True, slots=True)
class Suggestions:
    """The suggestions for one finding, best first; if there are none, ``note`` tells the person why."""

    items: tuple[Suggestion, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Leaning:
    """Probabilities of left, center and right (they sum to 1), and how much the windows of the text disagree.

    ``spread`` is the standard deviation of (right - left) over the windows of the text, in [0, 1].
    """

    left: float
    center: float
    right: float
    spread: float = 0.0


class NoLeaning(StrEnum):
    """Why no political leaning is given: the text is too short or not political, or the reader cannot tell.

    ``UNSURE``: its likeliest side is too unlikely; ``UNABLE``: this reader never can. Later members come first where
    several hold.
    """

    SHORT = "short"
    UNPOLITICAL = "unpolitical"
    UNSURE = "unsure"
    UNABLE = "unable"


@dataclass(frozen=True, slots=True)
class SentenceReading:
    """One sentence: its place, its bias in [0, 1], and its political leaning; None where the reader cannot tell."""

    start: int
    end: int
    bias: float
    biased: bool
    quoted: bool
    leaning: Leaning | None


@dataclass(frozen=True, slots=True)
class Summary:
    """Totals of a document. Quoted sentences and findings count only if quotes are included.

    ``no_leaning`` says why ``leaning`` is None, where that is known. ``kinds`` counts the findings of the reader,
    ``style`` those that only a rule of a style pack makes.
    """

    sentences: int
    biased_sentences: int
    bias: float
    leaning: Leaning | None
    kinds: dict[Kind, int]
    no_leaning: NoLeaning | None = None
    style: int = 0


@dataclass(frozen=True, slots=True)
class ParagraphReading:
    """Totals of one paragraph; (start, end) spans all of its sentences.

    ``sentences`` are those that count. ``bias`` is their mean weighted by length, 0 without any. ``leaning`` is their
    mean weighted by how political each is, its spread the standard deviation of (right - left) between them; where it
    is None, ``no_leaning`` says why.
    """

    start: int
    end: int
    bias: float
    sentences: int
    leaning: Leaning | None
    no_leaning: NoLeaning | None = None


class UnreadKind(StrEnum):
    """Kinds of parts that people can read and Evenhand does not. ``core.documents.unread`` says why."""

    UNCLOSED = "unclosed"
    CAPTION = "caption"
    NOTE = "note"
    TEMPLATE = "template"
    REFERENCE = "reference"
    SECTION = "section"
    LINK_LABEL = "link label"
    CATEGORY = "category"
    METADATA = "metadata"
    ALTERNATIVE = "alternative"
    EMBEDDED = "embedded"
    FOOTNOTE = "footnote"
    MARGIN = "margin"
    COMMENT = "comment"
    DELETION = "deletion"
    IMPORTED = "imported"
    FOREIGN = "foreign"


@dataclass(frozen=True, slots=True)
class Unread:
    """A part with words that is not read: ``source[start:end]``; both are 0 where the source does not show the part."""

    kind: UnreadKind
    start: int = 0
    end: int = 0


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
    unread: tuple[Unread, ...] = ()


def count_kinds(findings: tuple[Finding, ...]) -> dict[Kind, int]:
    """The number of findings of each kind of bias, zeros included."""
    counted = Counter(finding.kind for finding in findings)
    return {kind: counted.get(kind, 0) for kind in KINDS}


def with_findings(report: Report, findings: Iterable[Finding]) -> Report:
    """A report with some of its findings alone, which its summary then counts."""
    kept = tuple(findings)
    summary = replace(
        report.summary, kinds=count_kinds(kept), style=sum(one.kind is Kind.STYLE for one in kept)
    )
    return replace(report, findings=kept, summary=summary)
