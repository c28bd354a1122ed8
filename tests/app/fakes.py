"""Reports for the tests of the widgets: made by hand, no reader behind them."""

from __future__ import annotations

from collections.abc import Sequence

from core.engine.paragraphs import ReadSentence, read_paragraphs
from core.types import (
    KINDS,
    Cue,
    Finding,
    Kind,
    Leaning,
    NoLeaning,
    ParagraphReading,
    Report,
    SentenceReading,
    Summary,
    count_kinds,
    fingerprint,
)

RIGHTWARD = Leaning(left=0.16, center=0.29, right=0.55, spread=0.2)
CENTRE = Leaning(left=0.3, center=0.4, right=0.3)

DRAFT = (
    "The senator's shameful record reveals that the chairman ignored ordinary people. "
    "He met the board on Tuesday. "
    "Critics claim that the legendary plan was, of course, a disaster. "
    "The report has 42 pages."
)
MARKED = (
    ("shameful", Kind.FRAMING, 0.93, Cue("shameful", "strong subjective", "WP:IMPARTIAL")),
    ("reveals", Kind.EPISTEMOLOGICAL, 0.78, Cue("reveal", "factive verb", "MOS:SAID")),
    ("chairman", Kind.DEMOGRAPHIC, 0.61, Cue("chairman", "gendered default", "MOS:GNL")),
    ("claim", Kind.EPISTEMOLOGICAL, 0.55, Cue("claim", "assertive verb", "MOS:CLAIM")),
    ("legendary", Kind.FRAMING, 0.88, Cue("legendary", "puffery", "MOS:PUFFERY")),
    ("of course", Kind.FRAMING, 0.71, Cue("of course", "editorialising", "MOS:EDITORIAL")),
    ("disaster", Kind.FRAMING, 0.52, None),
)


def finding(
    source: str,
    words: str,
    *,
    kind: Kind = Kind.FRAMING,
    confidence: float = 0.9,
    quoted: bool = False,
    cue: Cue | None = None,
    after: int = 0,
) -> Finding:
    """The first occurrence of ``words`` in ``source`` from code point ``after`` on, as a finding."""
    start = source.index(words, after)
    before = source[:start].split()[-1:]
    behind = source[start + len(words) :].split()[:1]
    return Finding(
        start=start,
        end=start + len(words),
        text=words,
        kind=kind,
        confidence=confidence,
        quoted=quoted,
        why=(cue,) if cue else (),
        fingerprint=fingerprint(kind, words, "".join(before), "".join(behind)),
    )


def sentences_of(
    source: str, biased: Sequence[float] = (0.81, 0.08, 0.74, 0.05)
) -> tuple[SentenceReading, ...]:
    """One reading per stretch that ends in a full stop and a space; ``biased`` repeats over them."""
    readings = []
    start = 0
    while start < len(source):
        stop = source.find(". ", start)
        end = len(source) if stop < 0 else stop + 1
        bias = biased[len(readings) % len(biased)]
        readings.append(SentenceReading(start, end, bias, bias >= 0.5, False, CENTRE))
        start = end + 1
    return tuple(readings)


def paragraphs_of(source: str, sentences: Sequence[SentenceReading]) -> tuple[ParagraphReading, ...]:
    """One reading per stretch between empty lines, of the sentences that begin in it."""
    spans = []
    start = 0
    while start < len(source):
        stop = source.find("\n\n", start)
        end = len(source) if stop < 0 else stop
        spans.append((start, end))
        start = end + 2
    read = [ReadSentence(one, 1.0, len(source[one.start : one.end].split()), CENTRE) for one in sentences]
    return read_paragraphs(spans, read, political=0.5)


def report(
    source: str = DRAFT,
    *,
    findings: Sequence[Finding] | None = None,
    sentences: Sequence[SentenceReading] | None = None,
    leaning: Leaning | None = RIGHTWARD,
    no_leaning: NoLeaning | None = None,
    notes: Sequence[str] = (),
) -> Report:
    """A report on ``source``; without ``findings``, those of ``DRAFT``."""
    if findings is None:
        findings = [
            finding(source, words, kind=kind, confidence=confidence, cue=cue)
            for words, kind, confidence, cue in MARKED
        ]
    read = tuple(sentences_of(source) if sentences is None else sentences)
    summary = Summary(
        sentences=len(read),
        biased_sentences=sum(reading.biased for reading in read),
        bias=sum(reading.bias for reading in read) / max(1, len(read)),
        leaning=leaning,
        kinds=count_kinds(tuple(findings)),
        no_leaning=no_leaning,
    )
    paragraphs = paragraphs_of(source, read)
    return Report(
        "", "plain", len(source), summary, read, tuple(findings), tuple(notes), paragraphs=paragraphs
    )


def long_report(count: int) -> tuple[str, Report]:
    """``count`` sentences with one finding each, all with different words."""
    sentences = [f"Sentence number {at} has the wording{at} that somebody chose. " for at in range(count)]
    source = "".join(sentences)
    findings = []
    at = 0
    for number, sentence in enumerate(sentences):
        words = f"wording{number}"
        start = at + sentence.index(words)
        kind = KINDS[number % 3]
        findings.append(
            Finding(
                start=start,
                end=start + len(words),
                text=words,
                kind=kind,
                confidence=0.5 + (number % 50) / 100,
                quoted=False,
                fingerprint=fingerprint(kind, words, "the", "that"),
            )
        )
        at += len(sentence)
    return source, report(source, findings=findings)
