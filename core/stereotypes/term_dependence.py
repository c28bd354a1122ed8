"""Term-dependent findings: findings that come from a stereotyped word rather than from what the text says with it.

A finding depends on the term where its score falls below the threshold once the word is generalised. Generalised are
identity terms, and words that are biased when read alone. Words of the cue lists or with known replacements are
loaded, not stereotyped: their findings never depend on the term.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial

from core.documents import prose
from core.documents.types import Document, Prose, Sentence
from core.engine.cues import Lexicon
from core.engine.reader import Reader
from core.rewriting.candidates import load_known_replacements
from core.rewriting.edits import sentence_at
from core.stereotypes.generalisation import Generaliser, WordPlace, replace_word
from core.stereotypes.word_scores import load_word_scores, score_words
from core.text.english import FUNCTION_WORDS
from core.text.tokens import split_chunks
from core.types import Finding


@dataclass(frozen=True, slots=True)
class _Query:
    """A marked span of a sentence, and the sentence with its words generalised; None where none could be."""

    start: int
    end: int
    text: str
    changed: str | None


def find_term_dependent(
    reader: Reader,
    document: Document,
    findings: Sequence[Finding],
    *,
    threshold: float | None = None,
    lexicon: Lexicon | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> tuple[bool, ...]:
    """For each of a document's findings, in order, whether it depends on the term itself.

    Words are marked from ``threshold`` on, by default the reader's own. Without a ``lexicon`` only identity terms are
    generalised. Raises ReaderError and Cancelled.
    """
    read = cache(partial(prose, document))
    spans = [_in_prose(document, finding, read) for finding in findings]
    known = Generaliser.load()
    return tuple(_are_dependent(reader, spans, known, threshold, lexicon, cancelled))


def _in_prose(
    document: Document, finding: Finding, read: Callable[[Sentence], Prose]
) -> tuple[str, int, int]:
    """The prose of a finding's sentence, and the finding in it; of a very long sentence the part that is read."""
    sentence = sentence_at(document, finding.start)
    if sentence is None:
        return "", 0, 0
    found = read(sentence)
    first, last = bisect_left(found.offsets, finding.start), bisect_left(found.offsets, finding.end)
    for start, end in split_chunks(found.text):
        if start <= first < min(end, last):
            return found.text[start:end], first - start, min(last, end) - start
    return "", 0, 0


def _are_dependent(
    reader: Reader,
    spans: Sequence[tuple[str, int, int]],
    generaliser: Generaliser,
    threshold: float | None,
    lexicon: Lexicon | None,
    cancelled: Callable[[], bool] | None,
) -> list[bool]:
    """All spans together, so that the reader's threads share the work."""
    all_places = cache(generaliser.places)
    places = [
        [place for place in all_places(text) if place.start < end and place.end > start]
        for text, start, end in spans
    ]
    content_words = {
        place.word for found in places for place in found if place.word.casefold() not in FUNCTION_WORDS
    }
    words = sorted(content_words) if lexicon is not None else []
    scores = score_words(reader, words, stored=load_word_scores(reader.bundle), cancelled=cancelled)
    sensitive = {score.word for score in scores if score.sensitive}
    queries = [
        _build_query(span, found, generaliser, sensitive, lexicon)
        for span, found in zip(spans, places, strict=True)
    ]
    changed = list(dict.fromkeys(query.changed for query in queries if query.changed is not None))
    readings = reader.read(changed, threshold=threshold, cancelled=cancelled)
    read = dict(zip(changed, readings, strict=True))
    return [
        query.changed is not None
        and not any(
            span.start < len(query.changed) - (len(query.text) - query.end) and span.end > query.start
            for span in read[query.changed].spans
        )
        for query in queries
    ]


def _build_query(
    span: tuple[str, int, int],
    places: Sequence[WordPlace],
    generaliser: Generaliser,
    sensitive: set[str],
    lexicon: Lexicon | None,
) -> _Query:
    text, start, end = span
    if lexicon is not None and lexicon.match(text[start:end]):
        return _Query(start, end, text, None)
    changed, loaded = text, load_known_replacements()
    for place in reversed(places):
        if place.word.lower() in loaded:
            return _Query(start, end, text, None)
        before, after = text[: place.start], text[place.end :]
        if generaliser.term_at(place.word, before, after) is None and place.word not in sensitive:
            continue
        general = generaliser.generalise(place.word, before, after)
        if general is not None:
            changed = replace_word(changed, place.start, place.end, words=general)
    return _Query(start, end, text, None if changed == text else changed)
