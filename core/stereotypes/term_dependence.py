"""Whether a finding comes from a stereotyped word rather than from what is said with it.

A flag leans on the word where its score falls under the threshold once the word is generalised: identity terms, and
words that alone read as biased. What the cue lists or the known wordings name is loaded, not stereotyped: such a flag
never leans on the word.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.documents import prose
from core.documents.types import Document
from core.engine.cues import Lexicon
from core.engine.reader import Reader
from core.rewriting.candidates import load_known_wordings
from core.rewriting.edits import sentence_at
from core.stereotypes.generalisation import Generaliser, WordPlace, replace_word
from core.stereotypes.word_scores import load_word_scores, score_words
from core.text.english import FUNCTION_WORDS
from core.types import Finding


@dataclass(frozen=True, slots=True)
class _Ask:
    """A flagged stretch of a sentence, and the sentence with its words generalised; None where none could be."""

    start: int
    end: int
    text: str
    changed: str | None


def is_term_dependent(
    reader: Reader,
    sentence: str,
    start: int,
    end: int,
    generaliser: Generaliser,
    *,
    threshold: float | None = None,
    lexicon: Lexicon | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> bool:
    """Whether ``sentence[start:end]`` (prose, whole words), which is flagged, no longer is once it is generalised.

    Words count as flagged from ``threshold`` on, by default the reader's own. Without a ``lexicon`` identity terms
    alone are generalised. Raises ReaderError and Cancelled.
    """
    return _leans(reader, [(sentence, start, end)], generaliser, threshold, lexicon, cancelled)[0]


def find_term_dependent(
    reader: Reader,
    document: Document,
    findings: Sequence[Finding],
    *,
    generaliser: Generaliser | None = None,
    threshold: float | None = None,
    lexicon: Lexicon | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> tuple[bool, ...]:
    """For each of a document's findings whether it leans on the word itself, in their order."""
    spans = [_in_prose(document, finding) for finding in findings]
    known = generaliser or Generaliser.load()
    return tuple(_leans(reader, spans, known, threshold, lexicon, cancelled))


def _in_prose(document: Document, finding: Finding) -> tuple[str, int, int]:
    """The prose of a finding's sentence, and the finding in it."""
    sentence = sentence_at(document, finding.start)
    if sentence is None:
        return "", 0, 0
    read = prose(document, sentence)
    inside = [at for at, offset in enumerate(read.offsets) if finding.start <= offset < finding.end]
    return (read.text, inside[0], inside[-1] + 1) if inside else ("", 0, 0)


def _leans(
    reader: Reader,
    spans: Sequence[tuple[str, int, int]],
    generaliser: Generaliser,
    threshold: float | None,
    lexicon: Lexicon | None,
    cancelled: Callable[[], bool] | None,
) -> list[bool]:
    """All spans together, so that the reader's threads share the work."""
    places = [
        [place for place in generaliser.places(text) if place.start < end and place.end > start]
        for text, start, end in spans
    ]
    told = {place.word for found in places for place in found if place.word.casefold() not in FUNCTION_WORDS}
    words = sorted(told) if lexicon is not None else []
    scores = score_words(reader, words, scan=load_word_scores(reader.bundle), cancelled=cancelled)
    sensitive = {score.word for score in scores if score.sensitive}
    asks = [
        _ask(span, found, generaliser, sensitive, lexicon) for span, found in zip(spans, places, strict=True)
    ]
    changed = list(dict.fromkeys(ask.changed for ask in asks if ask.changed is not None))
    readings = reader.read(changed, threshold=threshold, cancelled=cancelled)
    read = dict(zip(changed, readings, strict=True))
    return [
        ask.changed is not None
        and not any(
            span.start < len(ask.changed) - (len(ask.text) - ask.end) and span.end > ask.start
            for span in read[ask.changed].spans
        )
        for ask in asks
    ]


def _ask(
    span: tuple[str, int, int],
    places: Sequence[WordPlace],
    generaliser: Generaliser,
    sensitive: set[str],
    lexicon: Lexicon | None,
) -> _Ask:
    text, start, end = span
    if lexicon is not None and lexicon.match(text[start:end]):
        return _Ask(start, end, text, None)
    changed, loaded = text, load_known_wordings()
    for place in reversed(places):
        if place.word.lower() in loaded:
            return _Ask(start, end, text, None)
        before, after = text[: place.start], text[place.end :]
        if generaliser.term_at(place.word, before, after) is None and place.word not in sensitive:
            continue
        general = generaliser.generalise(place.word, before, after)
        if general is not None:
            changed = replace_word(changed, place.start, place.end, words=general)
    return _Ask(start, end, text, None if changed == text else changed)
