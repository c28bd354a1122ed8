"""A cache of sentence readings: a reading does not depend on where the sentence stands in the document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from core.documents.types import Document, NonProseSpan, Sentence
from core.engine.language import Language
from core.engine.political_leaning import Part
from core.engine.reader import Reading
from core.types import Finding, Leaning, SentenceReading

MAX_SENTENCES = 20_000
SentenceKey = tuple[str, tuple[tuple[int, int, bool, str], ...], tuple[tuple[int, int], ...], float]
"""The sentence's source, its non-prose spans and quotations with offsets from its start, and the threshold: all that
its findings depend on."""


@dataclass(slots=True)
class CachedSentence:
    """A sentence that was read, and its findings with offsets from its start.

    ``publisher_masked`` is its prose without its publisher's name, from `core.engine.political_leaning.split_parts`;
    ``words`` is the number of words in it. Where ``language`` is foreign, it was not read. ``has_leaning``: the reader
    is confident of its political leaning.
    """

    publisher_masked: tuple[Part, ...]
    words: int
    reading: Reading
    biased: bool
    findings: tuple[Finding, ...]
    language: Language
    has_leaning: bool
    leaning: Leaning = field(init=False)
    _sentence: Sentence | None = None
    _reading: SentenceReading | None = None
    _placed: tuple[Finding, ...] = ()

    def __post_init__(self) -> None:
        self.leaning = Leaning(*self.reading.leaning)

    def at(self, sentence: Sentence) -> tuple[SentenceReading, tuple[Finding, ...]]:
        """Reading and findings at the position of ``sentence``; the same objects as long as it does not move."""
        if self._reading is None or (sentence is not self._sentence and sentence != self._sentence):
            start = sentence.start
            self._sentence = sentence
            self._reading = SentenceReading(
                start,
                sentence.end,
                self.reading.bias,
                self.biased,
                sentence.quoted,
                self.leaning if self.has_leaning else None,
            )
            self._placed = tuple(
                [
                    Finding(
                        one.start + start,
                        one.end + start,
                        one.text,
                        one.kind,
                        one.confidence,
                        one.quoted,
                        one.why,
                        one.fingerprint,
                        one.words,
                        one.guide_class,
                    )
                    for one in self.findings
                ]
            )
        return self._reading, self._placed


def sentence_keys(
    document: Document, sentences: Sequence[Sentence], threshold: float
) -> Iterator[SentenceKey]:
    """The cache key of each of ``sentences`` (sorted, of ``document``), read at ``threshold``."""
    source, non_prose, quotes = document.source, document.non_prose, document.quotes
    at = quote = 0
    for sentence in sentences:
        start, end = sentence.start, sentence.end
        while at < len(non_prose) and non_prose[at].end <= start:
            at += 1
        while quote < len(quotes) and quotes[quote][1] <= start:
            quote += 1
        inside: tuple[tuple[int, int, bool, str], ...] = ()
        quoted: tuple[tuple[int, int], ...] = ()
        if at < len(non_prose) and non_prose[at].start < end:
            inside = tuple(_non_prose_in(non_prose, at, start, end))
        if quote < len(quotes) and quotes[quote][0] < end:
            quoted = tuple(_quotes_in(quotes, quote, start, end))
        yield source[start:end], inside, quoted, threshold


def as_document(key: SentenceKey, document: Document) -> Document:
    """The sentence of a key as a document of its own, in the format of ``document``."""
    text, non_prose, quotes, _ = key
    whole = Sentence(0, len(text), False)
    return Document(text, document.format, tuple(NonProseSpan(*span) for span in non_prose), (whole,), quotes)


def _non_prose_in(
    non_prose: Sequence[NonProseSpan], at: int, start: int, end: int
) -> Iterator[tuple[int, int, bool, str]]:
    while at < len(non_prose) and non_prose[at].start < end:
        one = non_prose[at]
        yield max(one.start, start) - start, min(one.end, end) - start, one.gap, one.read_as
        at += 1


def _quotes_in(quotes: Sequence[tuple[int, int]], at: int, start: int, end: int) -> Iterator[tuple[int, int]]:
    while at < len(quotes) and quotes[at][0] < end:
        yield max(quotes[at][0], start) - start, min(quotes[at][1], end) - start
        at += 1
