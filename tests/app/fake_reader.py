"""A reader for tests of the window: it flags given words and knows no model, but its reports are sound."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Event
from types import SimpleNamespace

from app.analysis.explanations import lexicon
from core.bundles.reader import OperatingPoint, SensitivityCurve
from core.documents.suppression import is_suppressed
from core.documents.types import Document
from core.engine.cues import Lexicon
from core.engine.paragraphs import ReadSentence, read_paragraphs
from core.engine.reader import UNIFORM, Cancelled, Reading
from core.engine.spans import Span
from core.types import (
    KINDS,
    Cue,
    Finding,
    Kind,
    Leaning,
    Report,
    SentenceReading,
    Summary,
    count_kinds,
    fingerprint,
)

FLAGGED = {
    "shameful": (Kind.FRAMING, 0.93, Cue("shameful", "contentious_label", "MOS:LABEL")),
    "disgraceful": (Kind.FRAMING, 0.9, Cue("disgraceful", "contentious_label", "MOS:LABEL")),
    "legendary": (Kind.FRAMING, 0.88, Cue("legendary", "puffery", "MOS:PUFFERY")),
    "reveals": (Kind.EPISTEMOLOGICAL, 0.78, Cue("reveals", "factive_verb", "MOS:SAID")),
    "claims": (Kind.EPISTEMOLOGICAL, 0.64, Cue("claims", "assertive_verb", "MOS:SAID")),
    "chairman": (Kind.DEMOGRAPHIC, 0.61, Cue("chairman", "gendered_default", "MOS:GNL")),
    "plot": (Kind.FRAMING, 0.55, None),
    "perhaps": (Kind.EPISTEMOLOGICAL, 0.2, Cue("perhaps", "hedge", "MOS:SAID")),
}
CURVE = SensitivityCurve(
    (
        OperatingPoint(0.85, 0.81, 0.27, 10.1),
        OperatingPoint(0.6, 0.74, 0.31, 13.5),
        OperatingPoint(0.325, 0.63, 0.42, 24.2),
        OperatingPoint(0.1, 0.42, 0.53, 51.7),
    ),
    default=2,
)

_LEANING = Leaning(0.2, 0.3, 0.5)


@dataclass
class FakeSentences:
    """Reads sentences, and words alone: each of ``words`` adds to the bias. ``texts`` collects what is read."""

    words: dict[str, tuple[Kind, float, Cue | None]]
    texts: list[str] = field(default_factory=list)
    bundle: SimpleNamespace = field(
        default_factory=lambda: SimpleNamespace(
            thresholds=SimpleNamespace(span=0.325, bias=0.5), word_scores=None
        )
    )

    def read(
        self,
        texts: Sequence[str],
        *,
        threshold: float | None = None,
        cancelled: Callable[[], bool] | None = None,
        on_progress: Callable[[float], None] | None = None,
    ) -> list[Reading]:
        """A reading of each text; a word alone reads as biased as it is sure to be flagged."""
        if cancelled is not None and cancelled():
            raise Cancelled
        self.texts += texts
        if on_progress is not None:
            on_progress(1.0)
        return [
            self._reading(text, self.bundle.thresholds.span if threshold is None else threshold)
            for text in texts
        ]

    def _reading(self, text: str, least: float) -> Reading:
        hits = [
            (m, self.words[m.group().casefold()])
            for m in re.finditer(r"\w+", text)
            if m.group().casefold() in self.words
        ]
        spans = tuple(Span(*m.span(), kind, sure) for m, (kind, sure, _) in hits if sure >= least)
        bias = (
            hits[0][1][1]
            if len(hits) == 1 and hits[0][0].group() == text
            else min(0.97, 0.08 + 0.45 * len(spans))
        )
        chances = [max([0.02, *(sure for _, (kind, sure, _) in hits if kind is one)]) for one in KINDS]
        return Reading(spans, bias, UNIFORM, 1.0, (chances[0], chances[1], chances[2]))


@dataclass
class FakeReader:
    """Flags ``words`` that reach the threshold; ``classes`` are the guide's classes of some.

    A sentence with the word ``slanted`` reads as biased although that is not flagged.
    ``gate``, where given, is waited for in every reading; ``seen`` collects the texts.
    """

    words: dict[str, tuple[Kind, float, Cue | None]] = field(default_factory=lambda: dict(FLAGGED))
    classes: dict[str, str] = field(default_factory=dict)
    gate: Event | None = None
    seen: list[str] = field(default_factory=list)
    threads: list[str] = field(default_factory=list)
    name: str = "reader test 1.0"
    sensitivity: SensitivityCurve | None = CURVE

    def __post_init__(self) -> None:
        self.reader = FakeSentences(self.words)

    @property
    def lexicon(self) -> Lexicon:
        """The bundled cue lists."""
        return lexicon()

    def analyse(
        self,
        document: Document,
        *,
        path: str,
        include_quotes: bool,
        threshold: float | None = None,
        cancelled: Callable[[], bool],
        on_progress: Callable[[float], None] = lambda _: None,
    ) -> Report:
        """A report with the flagged words, quoted ones left out unless wanted."""
        self.seen.append(document.source)
        on_progress(0.5)
        while self.gate is not None and not self.gate.is_set():
            if cancelled():
                raise Cancelled
            time.sleep(0.002)
        if cancelled():
            raise Cancelled
        least = CURVE.at(0).threshold if threshold is None else threshold
        found = (
            f
            for f in self._findings(document)
            if f.confidence >= least and not is_suppressed(document.suppressed, f)
        )
        findings = tuple(f for f in found if include_quotes or not f.quoted)
        sentences = tuple(
            SentenceReading(s.start, s.end, bias, bias >= 0.5, s.quoted, _LEANING)
            for s in document.sentences
            for slanted in ["slanted" in document.source[s.start : s.end]]
            for bias in [
                min(0.97, 0.08 + 0.7 * slanted + 0.45 * sum(s.start <= f.start < s.end for f in findings))
            ]
        )
        biased = sum(sentence.biased for sentence in sentences)
        mean = sum(sentence.bias for sentence in sentences) / len(sentences) if sentences else 0.0
        leaning = Leaning(0.2, 0.3, 0.5, 0.15) if len(document.source) > 200 else None
        summary = Summary(len(sentences), biased, mean, leaning, count_kinds(findings))
        read = [
            ReadSentence(s, 1.0, len(document.source[s.start : s.end].split()), _LEANING) for s in sentences
        ]
        paragraphs = read_paragraphs(document.paragraphs, read, political=0.5, include_quotes=include_quotes)
        form = document.format.value
        return Report(
            path,
            form,
            len(document.source),
            summary,
            sentences,
            findings,
            paragraphs=paragraphs,
            unread=document.unread,
        )

    def _findings(self, document: Document) -> list[Finding]:
        found = []
        for match in re.finditer(r"\w+", document.source):
            if (told := self.words.get(match.group().casefold())) is None:
                continue
            kind, confidence, cue = told
            if any(span.start < match.end() and match.start() < span.end for span in document.non_prose):
                continue
            quoted = any(start <= match.start() and match.end() <= end for start, end in document.quotes)
            before, after = (
                document.source[: match.start()].split()[-1:],
                document.source[match.end() :].split()[:1],
            )
            print_of = fingerprint(kind, match.group(), "".join(before), "".join(after))
            why = (cue,) if cue else ()
            named = self.classes.get(match.group().casefold(), "")
            words = match.group()
            found.append(
                Finding(*match.span(), words, kind, confidence, quoted, why, print_of, guide_class=named)
            )
        return found
