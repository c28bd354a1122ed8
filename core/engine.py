"""The engine: one document in, one report out."""

from __future__ import annotations

import math
import re
import statistics
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import pairwise
from pathlib import Path

from core.bundle import Bundle
from core.cues import Lexicon
from core.documents import prose
from core.documents.model import Document, Prose
from core.findings import KINDS, Finding, Kind, fingerprint
from core.reader import Reader, Reading
from core.report import Leaning, Report, SentenceReading, Summary, count_kinds
from core.spans import WORD, Span

WINDOW_WORDS = 100
MOST_WINDOWS = 12
WINDOW_CHARACTERS = 1500
FEWEST_WORDS = 40
"""Leaning is read from at most so many windows of this size, and not from a text with fewer words."""

CUE_ENTRIES = 20_000
_NEAR = 200
_TOKEN = re.compile(r"\S+")


class Engine:
    """A reader and a lexicon. Holds no document: the same text always gives the same report."""

    def __init__(self, reader: Reader, lexicon: Lexicon) -> None:
        self.reader = reader
        self.lexicon = lexicon
        self._cues = lru_cache(maxsize=CUE_ENTRIES)(lexicon.cues)

    @classmethod
    def load(cls, folder: Path | str | None = None) -> Engine:
        """Open the reader in ``folder``, by default the bundled one. Raises BundleError and LexiconError."""
        return cls(Reader.load(bundled_reader() if folder is None else folder), Lexicon.load())

    @property
    def name(self) -> str:
        """The reader's name and version, as shown to a person."""
        return self.bundle.title

    @property
    def bundle(self) -> Bundle:
        """The bundle that the reader was loaded from."""
        return self.reader.bundle

    def analyse(
        self,
        document: Document,
        *,
        path: str = "-",
        kinds: Collection[Kind] = KINDS,
        min_confidence: float = 0.0,
        include_quotes: bool = False,
        cancelled: Callable[[], bool] | None = None,
    ) -> Report:
        """Read a document.

        Findings are those of ``kinds`` with at least ``min_confidence``. Without ``include_quotes`` the
        findings inside quotations are left out and quoted sentences, though listed, do not count in the
        summary; the leaning is read from all prose. Raises Cancelled once ``cancelled()`` is true, and
        ReaderError.
        """
        texts = [prose(document, sentence) for sentence in document.sentences]
        readings = self.reader.read([text.text for text in texts], cancelled=cancelled)
        sentences = tuple(
            SentenceReading(
                start=sentence.start,
                end=sentence.end,
                bias=reading.bias,
                biased=reading.bias >= self.bundle.thresholds.bias,
                quoted=sentence.quoted,
                leaning=Leaning(*reading.leaning),
            )
            for sentence, reading in zip(document.sentences, readings, strict=True)
        )
        findings = tuple(
            finding
            for text, reading in zip(texts, readings, strict=True)
            for span in map(partial(self._named, text.text), reading.spans)
            if span.kind in kinds and span.confidence >= min_confidence
            for finding in self._findings(document, text, span)
            if include_quotes or not finding.quoted
        )
        counted = [sentence for sentence in sentences if include_quotes or not sentence.quoted]
        summary = Summary(
            sentences=len(counted),
            biased_sentences=sum(sentence.biased for sentence in counted),
            bias=_mean_bias(counted),
            leaning=self._leaning(texts, cancelled),
            kinds=count_kinds(findings),
        )
        return Report(
            path=path,
            format=document.format.value,
            characters=len(document.source),
            summary=summary,
            sentences=sentences,
            findings=findings,
        )

    def _named(self, text: str, span: Span) -> Span:
        return replace(span, kind=self.lexicon.named_kind(text[span.start : span.end], span.kind))

    def _findings(self, document: Document, text: Prose, span: Span) -> Iterator[Finding]:
        """The findings of one span: one, or one for each stretch of words that masks leave of it."""
        for start, end in _on_source(document, text, span):
            first, last = bisect_left(text.offsets, start), bisect_left(text.offsets, end)
            words = document.source[start:end]
            yield Finding(
                start=start,
                end=end,
                text=words,
                kind=span.kind,
                confidence=span.confidence,
                quoted=_is_quoted(document.quotes, start, end),
                why=self._cues(text.text, first, last, span.kind),
                fingerprint=fingerprint(span.kind, words, *_neighbours(text.text, first, last)),
            )

    def _leaning(self, texts: Sequence[Prose], cancelled: Callable[[], bool] | None) -> Leaning | None:
        """The leaning of the text from its windows, weighted by how political each is."""
        windows, words = leaning_windows([text.text for text in texts])
        if words < FEWEST_WORDS:
            return None
        readings = self.reader.read(windows, cancelled=cancelled)
        weights = [reading.political for reading in readings]
        if statistics.fmean(weights) < self.bundle.thresholds.political or not sum(weights):
            return None
        return _weighted_leaning(readings, weights)


def bundled_reader() -> Path:
    """The folder of the reader that comes with Evenhand."""
    from resources import ROOT

    return ROOT / "models" / "reader"


def leaning_windows(texts: Sequence[str]) -> tuple[list[str], int]:
    """Windows of consecutive sentences to read the leaning from, and the number of words in all of ``texts``.

    A window is closed before the sentence that would take it past WINDOW_WORDS, so that an edit seldom moves
    the ends of later ones; a longer sentence is cut. Of more than MOST_WINDOWS, that many are taken evenly
    spread.
    """
    windows: list[str] = []
    held: list[str] = []
    size = words = 0
    for text in texts:
        for part, count in _parts(text):
            if held and size + count > WINDOW_WORDS:
                windows.append(" ".join(held))
                held, size = [], 0
            held.append(part)
            size += count
            words += count
    if held:
        windows.append(" ".join(held))
    if len(windows) > MOST_WINDOWS:
        step = (len(windows) - 1) / (MOST_WINDOWS - 1)
        windows = [windows[round(number * step)] for number in range(MOST_WINDOWS)]
    return windows, words


def _parts(text: str) -> Iterator[tuple[str, int]]:
    """Stretches of at most WINDOW_WORDS words of one sentence, with their number of words."""
    starts = [match.start() for match in _TOKEN.finditer(text) if WORD.search(match.group())]
    edges = [*starts[::WINDOW_WORDS], len(text)]
    for number, (start, end) in enumerate(pairwise(edges)):
        yield (
            text[start : min(end, start + WINDOW_CHARACTERS)],
            min(WINDOW_WORDS, len(starts) - number * WINDOW_WORDS),
        )


def _on_source(document: Document, text: Prose, span: Span) -> Iterator[tuple[int, int]]:
    """(start, end) in the source of the words of ``span``, cut at masks; what holds no letter is left out."""
    start, end = text.offsets[span.start], text.offsets[span.end - 1] + 1
    at = bisect_left(document.masks, start, key=lambda mask: mask.end)
    edges = [start]
    while at < len(document.masks) and document.masks[at].start < end:
        edges += (document.masks[at].start, document.masks[at].end)
        at += 1
    edges.append(end)
    for left, right in zip(edges[::2], edges[1::2], strict=True):
        words = list(WORD.finditer(document.source, left, max(left, right)))
        if any(character.isalpha() for word in words for character in word.group()):
            yield words[0].start(), words[-1].end()


def _is_quoted(quotes: Sequence[tuple[int, int]], start: int, end: int) -> bool:
    """Whether ``start:end`` lies inside one of the (sorted, disjoint) quotations."""
    at = bisect_left(quotes, end, key=lambda quote: quote[1])
    return at < len(quotes) and quotes[at][0] <= start


def _neighbours(text: str, start: int, end: int) -> tuple[str, str]:
    """The nearest word before and after ``text[start:end]``, or empty."""
    before = WORD.findall(text[max(0, start - _NEAR) : start])
    after = WORD.search(text[end : end + _NEAR])
    return (before[-1] if before else "", after.group() if after else "")


def _mean_bias(sentences: Sequence[SentenceReading]) -> float:
    """The mean bias weighted by the sentences' length in the source; 0 where there is none."""
    length = sum(sentence.end - sentence.start for sentence in sentences)
    total = math.fsum(sentence.bias * (sentence.end - sentence.start) for sentence in sentences)
    return total / length if length else 0.0


def _weighted_leaning(readings: Sequence[Reading], weights: Sequence[float]) -> Leaning:
    left, center, right = (
        math.fsum(reading.leaning[side] * weight for reading, weight in zip(readings, weights, strict=True))
        / math.fsum(weights)
        for side in range(3)
    )
    return Leaning(left, center, right, statistics.pstdev(r.leaning[2] - r.leaning[0] for r in readings))
