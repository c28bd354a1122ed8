"""The engine: one document in, one report out."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path

from core.bundles.manifest import LEANING_MACRO_F1
from core.bundles.reader import ReaderBundle, SensitivityCurve
from core.documents import prose
from core.documents.characters import is_invisible
from core.documents.languages import add_foreign
from core.documents.suppression import checked_sentences, is_suppressed
from core.documents.types import Document, Prose, Sentence
from core.engine.cues import Lexicon
from core.engine.language import Language, detect_language, find_foreign
from core.engine.paragraphs import ReadSentence, mean_bias, read_paragraphs
from core.engine.political_leaning import document_leaning, is_confident, mask_publisher, split_parts
from core.engine.reader import Cancelled, Reader, Reading
from core.engine.sentence_cache import MAX_SENTENCES, CachedSentence, SentenceKey, as_document, sentence_keys
from core.engine.spans import Span
from core.paths import models_folder
from core.text.english import ARTICLES, CONJUNCTIONS, has_content_word
from core.text.tokens import WORD
from core.types import KINDS, Finding, Kind, Leaning, NoLeaning, Report, Summary, count_kinds, fingerprint

MAX_CACHED_CUES = 20_000
SENTENCES_PER_BATCH = 5_000
"""Sentences analysed at a time, which bounds the memory that is needed besides their readings."""

_NEAR = 200


class Engine:
    """A reader and a lexicon. Keeps no document: the same text always gives the same report."""

    def __init__(self, reader: Reader, lexicon: Lexicon) -> None:
        self.reader = reader
        self.lexicon = lexicon
        self._cues = lru_cache(maxsize=MAX_CACHED_CUES)(lexicon.cues)
        self._memory: dict[SentenceKey, CachedSentence] = {}

    @classmethod
    def load(cls, folder: Path | str | None = None) -> Engine:
        """Open the reader in ``folder``, by default the bundled one. Raises BundleError and LexiconError."""
        return cls(Reader.load(bundled_reader() if folder is None else folder), Lexicon.load())

    @property
    def name(self) -> str:
        """The reader's name and version, as shown to a person."""
        return self.bundle.title

    @property
    def sensitivity(self) -> SensitivityCurve | None:
        """The operating points of the reader; None where they were not measured."""
        return self.bundle.sensitivity

    @property
    def bundle(self) -> ReaderBundle:
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
        threshold: float | None = None,
        cancelled: Callable[[], bool] | None = None,
        on_progress: Callable[[float], None] | None = None,
    ) -> Report:
        """Analyse a document.

        Findings are words that reach ``threshold`` (by default the reader's own), of ``kinds``, with at least
        ``min_confidence``. Without ``include_quotes``, findings inside quotations are left out and quoted sentences,
        though listed, do not count in the summary; the leaning is read from all prose. A sentence that is suppressed
        for all kinds is not read, nor is one in another language, which ``unread`` names; other suppressed text gives
        no findings. ``on_progress`` is called with the share of
        new text that is read, in [0, 1]. Raises ReaderError, and Cancelled once ``cancelled()`` is true.
        """
        wanted = checked_sentences(document.sentences, document.suppressed)
        known = self._cached(document, wanted, threshold, cancelled, on_progress)
        if cancelled is not None and cancelled():
            raise Cancelled
        foreign = find_foreign([one.language for one in known], wanted, document.paragraphs)
        unread = add_foreign(document, [wanted[at] for at in foreign])
        if foreign:
            kept = sorted({*range(len(wanted))}.difference(foreign))
            wanted, known = [wanted[at] for at in kept], [known[at] for at in kept]
        placed = [one.at(sentence) for one, sentence in zip(known, wanted, strict=True)]
        sentences = tuple([reading for reading, _ in placed])
        findings = tuple(
            [
                finding
                for _, found in placed
                for finding in found
                if finding.kind in kinds
                and finding.confidence >= min_confidence
                and (include_quotes or not finding.quoted)
                and not (document.suppressed and is_suppressed(document.suppressed, finding))
            ]
        )
        counted = [sentence for sentence in sentences if include_quotes or not sentence.quoted]
        leaning = document_leaning(self.reader, [one.publisher_masked for one in known], cancelled=cancelled)
        summary = Summary(
            sentences=len(counted),
            biased_sentences=sum(sentence.biased for sentence in counted),
            bias=mean_bias(counted),
            leaning=None if isinstance(leaning, NoLeaning) else leaning,
            kinds=count_kinds(findings),
            no_leaning=leaning if isinstance(leaning, NoLeaning) else None,
        )
        return Report(
            path=path,
            format=document.format.value,
            characters=len(document.source),
            summary=summary,
            sentences=sentences,
            findings=findings,
            notes=document.notes,
            unread=unread,
            leaning_f1=self.bundle.score(LEANING_MACRO_F1),
            paragraphs=read_paragraphs(
                document.paragraphs,
                [
                    ReadSentence(sentence, one.reading.political, one.words, one.leaning)
                    for sentence, one in zip(sentences, known, strict=True)
                ],
                political=self.bundle.thresholds.political,
                least=self.bundle.thresholds.leaning,
                include_quotes=include_quotes,
            ),
        )

    def _cached(
        self,
        document: Document,
        sentences: Sequence[Sentence],
        threshold: float | None,
        cancelled: Callable[[], bool] | None,
        on_progress: Callable[[float], None] | None,
    ) -> list[CachedSentence]:
        """The reading of each sentence, from the cache where it was read before."""
        least = self.bundle.thresholds.span if threshold is None else threshold
        wanted = list(sentence_keys(document, sentences, least))
        memory = self._memory
        if len(memory) > MAX_SENTENCES + len(wanted):
            memory = self._memory = {key: memory[key] for key in wanted if key in memory}
        fresh = [key for key in dict.fromkeys(wanted) if key not in memory]
        for at in range(0, len(fresh), SENTENCES_PER_BATCH):
            some = fresh[at : at + SENTENCES_PER_BATCH]
            tell = (
                None
                if on_progress is None
                else partial(_report_progress, on_progress, at / len(fresh), len(some) / len(fresh))
            )
            memory.update(zip(some, self._read(document, some, least, cancelled, tell), strict=True))
        return [memory[key] for key in wanted]

    def _read(
        self,
        document: Document,
        fresh: Sequence[SentenceKey],
        threshold: float,
        cancelled: Callable[[], bool] | None,
        on_progress: Callable[[float], None] | None,
    ) -> Iterator[CachedSentence]:
        """Read new sentences, each as a document of its own, unless they are in another language."""
        alones = [as_document(key, document) for key in fresh]
        texts = [prose(one, one.sentences[0]) for one in alones]
        languages = []
        for text in texts:
            if cancelled is not None and cancelled():
                raise Cancelled
            languages.append(detect_language(text.text))
        read = [
            "" if language is Language.FOREIGN else text.text
            for text, language in zip(texts, languages, strict=True)
        ]
        readings = self.reader.read(read, threshold=threshold, cancelled=cancelled, on_progress=on_progress)
        masked = list(map(mask_publisher, read))
        readings = self._with_masked_leaning(readings, read, masked, cancelled)
        for one, text, language, said, reading in zip(
            alones, texts, languages, masked, readings, strict=True
        ):
            yield CachedSentence(
                publisher_masked=split_parts(said),
                words=len(said.split()),
                reading=reading,
                biased=reading.bias >= self.bundle.thresholds.bias,
                findings=tuple(
                    finding
                    for span in map(partial(self._named, text.text), reading.spans)
                    for finding in self._findings(one, text, span)
                ),
                language=language,
                has_leaning=is_confident(Leaning(*reading.leaning), self.bundle.thresholds.leaning),
            )

    def _with_masked_leaning(
        self,
        readings: Sequence[Reading],
        texts: Sequence[str],
        masked: Sequence[str],
        cancelled: Callable[[], bool] | None,
    ) -> list[Reading]:
        """The readings, each with the political leaning of the text without its publisher's name."""
        changed = [said for text, said in zip(texts, masked, strict=True) if said != text]
        again = dict(zip(changed, self.reader.read(changed, cancelled=cancelled), strict=True))
        return [
            replace(reading, leaning=again[said].leaning, political=again[said].political)
            if said in again
            else reading
            for said, reading in zip(masked, readings, strict=True)
        ]

    def _named(self, text: str, span: Span) -> Span:
        """The span with the kind that is shown: a reader with guide classes predicts kinds from the context, too."""
        if self.reader.predicts_classes:
            return span
        return replace(span, kind=self.lexicon.correct_kind(text[span.start : span.end], span.kind))

    def _findings(self, document: Document, text: Prose, span: Span) -> Iterator[Finding]:
        """The findings of one span: one, or one for each part that markup leaves of it."""
        for first, last in _parts(document, text, span):
            start, end, read = text.offsets[first], text.end(last - 1), text.text[first:last]
            words = document.source[start:end]
            yield Finding(
                start=start,
                end=end,
                text=words,
                kind=span.kind,
                confidence=span.confidence,
                quoted=_is_quoted(document.quotes, start, end),
                why=self._cues(text.text, first, last, span.kind),
                fingerprint=fingerprint(span.kind, read, *_neighbours(text.text, first, last)),
                words="" if read == words else read,
                guide_class=span.guide_class,
            )


def bundled_reader() -> Path:
    """The folder of the reader that comes with Evenhand."""
    return models_folder() / "reader"


def _report_progress(on_progress: Callable[[float], None], before: float, size: float, share: float) -> None:
    """Report that ``share`` is done of a part which begins at ``before`` and makes up ``size`` of the whole."""
    on_progress(before + size * share)


def _parts(document: Document, text: Prose, span: Span) -> list[tuple[int, int]]:
    """(start, end) in ``text`` of the words of ``span``, cut at non-prose spans between words.

    What stands inside a word, or is read as characters, does not cut it. Conjunctions and articles at the edges of
    several parts are trimmed, and are no part alone. Parts without a letter are left out, and of several parts those
    with function words alone, unless all are such.
    """
    words = [word.span() for word in WORD.finditer(text.text, span.start, span.end)]
    at = bisect_left(document.non_prose, text.offsets[span.start], key=lambda skipped: skipped.end)
    stop = text.end(span.end - 1)
    cuts = set()
    while at < len(document.non_prose) and document.non_prose[at].start < stop:
        skipped = document.non_prose[at]
        if not skipped.read_as and not is_invisible(document.source[skipped.start : skipped.end]):
            cuts.add(bisect_left(text.offsets, skipped.start))
        at += 1
    parts: list[list[tuple[int, int]]] = [[]]
    for start, end in words:
        if parts[-1] and any(parts[-1][-1][1] <= cut <= start for cut in cuts):
            parts.append([])
        parts[-1].append((start, end))
    if len(parts) > 1:
        parts = [_trimmed(text.text, part) for part in parts]
    kept = [
        (part[0][0], part[-1][1])
        for part in parts
        if not all(_is_edge_word(text.text[start:end]) for start, end in part)
        and any(map(str.isalpha, text.text[part[0][0] : part[-1][1]]))
    ]
    return [(start, end) for start, end in kept if has_content_word(text.text[start:end])] or kept


def _trimmed(text: str, part: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The words of a part without the conjunctions and articles at its edges."""
    while part and _is_edge_word(text[slice(*part[0])]):
        part = part[1:]
    while part and _is_edge_word(text[slice(*part[-1])]):
        part = part[:-1]
    return part


def _is_edge_word(word: str) -> bool:
    return word.lower() in CONJUNCTIONS | ARTICLES


def _is_quoted(quotes: Sequence[tuple[int, int]], start: int, end: int) -> bool:
    """Whether ``start:end`` lies inside one of the (sorted, disjoint) quotations."""
    at = bisect_left(quotes, end, key=lambda quote: quote[1])
    return at < len(quotes) and quotes[at][0] <= start


def _neighbours(text: str, start: int, end: int) -> tuple[str, str]:
    """The nearest word before and after ``text[start:end]``, or empty."""
    before = WORD.findall(text[max(0, start - _NEAR) : start])
    after = WORD.search(text[end : end + _NEAR])
    return (before[-1] if before else "", after.group() if after else "")
