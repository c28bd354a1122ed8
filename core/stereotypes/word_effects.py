"""The words of a draft with their scores, and the effect of generalising a word on the bias of its sentences.

Only content words are scored (no articles, pronouns and the like). The effect is computed for bias sensitive words and
identity terms, and for any other word with `effects_of_word`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from core.documents import prose
from core.documents.suppression import checked_sentences
from core.documents.types import Document, Prose, Sentence, SuppressedRange
from core.engine.language import without_foreign
from core.engine.reader import Cancelled, Reader
from core.stereotypes.generalisation import Generaliser, WordPlace, replace_word
from core.stereotypes.word_scores import WordScore, load_word_scores, score_words
from core.text.english import FUNCTION_WORDS
from core.text.tokens import split_chunks
from core.types import ALL_KINDS


@dataclass(frozen=True, slots=True)
class SentenceEffect:
    """One occurrence of a word, and the effect of generalising it on its sentence.

    ``start`` and ``end`` are the offsets of the sentence in the source, ``word_start`` and ``word_end`` those of the
    word.
    ``general`` replaces the word; it is empty where the word is deleted ("a Muslim voter" becomes "a voter").
    ``before`` and ``after`` are the prose of the sentence, ``bias_before`` and ``bias_after`` their bias, in [0, 1].
    """

    start: int
    end: int
    word_start: int
    word_end: int
    general: str
    before: str
    after: str
    bias_before: float
    bias_after: float


@dataclass(frozen=True, slots=True)
class WordEffect:
    """A word of the draft as first written, its number of occurrences, its score and effects.

    ``group`` is that of an identity term (``faith``, ``gender`` …), else empty.
    """

    word: str
    count: int
    score: WordScore
    group: str = ""
    effects: tuple[SentenceEffect, ...] = ()

    @property
    def shift(self) -> float:
        """By how much the bias of its sentences falls without the word, on average; 0 where there are no effects."""
        moved = [effect.bias_before - effect.bias_after for effect in self.effects]
        return sum(moved) / len(moved) if moved else 0.0


@dataclass(frozen=True, slots=True)
class _Found:
    """One occurrence of a word in the prose of a sentence, or of the part of a very long one that is read.

    ``group`` is that of the identity term it is there.
    """

    sentence: Sentence
    read: Prose
    place: WordPlace
    group: str

    def generalised(self, generaliser: Generaliser) -> tuple[str, str] | None:
        """The replacement and the resulting sentence; None where nothing more general is known."""
        text, start, end = self.read.text, self.place.start, self.place.end
        general = generaliser.generalise(self.place.word, text[:start], text[end:])
        after = text if general is None else replace_word(text, start, end, words=general)
        return None if general is None or after == text else (general, after)


def word_effects(
    reader: Reader,
    document: Document,
    *,
    include_quotes: bool = False,
    cancelled: Callable[[], bool] | None = None,
    on_progress: Callable[[float], None] | None = None,
) -> list[WordEffect]:
    """The words of ``document``, the most stereotyped first. Raises ReaderError, LexiconError and Cancelled.

    Quoted sentences are left out unless ``include_quotes``; suppressed text always is. ``on_progress`` is called with
    the share that is done, in [0, 1].
    """
    known = Generaliser.load()
    words = _words(document, include_quotes, known, cancelled)
    shown = {key: _display_form(found) for key, found in words.items()}
    stored = load_word_scores(reader.bundle)
    scores = score_words(
        reader, list(shown.values()), stored=stored, cancelled=cancelled, on_progress=_half(on_progress, 0)
    )
    rated = dict(zip(words, scores, strict=True))
    asked = {
        key: found
        for key, found in words.items()
        if rated[key].sensitive or any(place.group for place in found)
    }
    effects = _effects(reader, asked, known, cancelled, _half(on_progress, 0.5))
    if on_progress is not None:
        on_progress(1.0)
    rows = [
        WordEffect(
            shown[key],
            len(found),
            rated[key],
            next((place.group for place in found if place.group), ""),
            effects.get(key, ()),
        )
        for key, found in words.items()
    ]
    return sorted(rows, key=lambda row: (-row.score.bias, row.word.casefold()))


def effects_of_word(
    reader: Reader,
    document: Document,
    word: str,
    *,
    include_quotes: bool = False,
    cancelled: Callable[[], bool] | None = None,
) -> tuple[SentenceEffect, ...]:
    """The effect of generalising ``word`` at each occurrence; empty where nothing more general is known."""
    known = Generaliser.load()
    key = word.casefold()
    found = _words(document, include_quotes, known, cancelled).get(key, [])
    return _effects(reader, {key: found}, known, cancelled, None)[key]


def _words(
    document: Document,
    include_quotes: bool,
    generaliser: Generaliser,
    cancelled: Callable[[], bool] | None,
) -> dict[str, list[_Found]]:
    """The occurrences of each content word, by the word in lower case, in order."""
    words: dict[str, list[_Found]] = {}
    suppressed = [one for one in document.suppressed if len(one.kinds) == len(ALL_KINDS)]
    for sentence in checked_sentences(without_foreign(document).sentences, document.suppressed):
        if cancelled is not None and cancelled():
            raise Cancelled
        if include_quotes or not sentence.quoted:
            for found in _occurrences(document, sentence, suppressed, generaliser):
                words.setdefault(found.place.word.casefold(), []).append(found)
    return words


def _occurrences(
    document: Document, sentence: Sentence, suppressed: Sequence[SuppressedRange], generaliser: Generaliser
) -> Iterator[_Found]:
    whole = prose(document, sentence)
    for start, end in split_chunks(whole.text):
        read = replace(whole, text=whole.text[start:end], offsets=whole.offsets[start:end])
        for place in generaliser.places(read.text):
            word = place.word.casefold()
            if len(word) < 2 or word in FUNCTION_WORDS or not any(map(str.isalpha, word)):
                continue
            at = read.offsets[place.start]
            number = bisect_right(suppressed, at, key=lambda one: one.start) - 1
            if number >= 0 and at < suppressed[number].end:
                continue
            term = generaliser.term_at(place.word, read.text[: place.start], read.text[place.end :])
            yield _Found(sentence, read, place, term.group if term else "")


def _display_form(found: Sequence[_Found]) -> str:
    """The word in lower case if it occurs so anywhere, else as first written."""
    forms = [one.place.word for one in found]
    return next((form for form in forms if form == form.lower()), forms[0])


def _effects(
    reader: Reader,
    words: dict[str, list[_Found]],
    generaliser: Generaliser,
    cancelled: Callable[[], bool] | None,
    on_progress: Callable[[float], None] | None,
) -> dict[str, tuple[SentenceEffect, ...]]:
    made = {
        key: [(one, new) for one in found if (new := one.generalised(generaliser))]
        for key, found in words.items()
    }
    pairs = [(one.read.text, after) for rows in made.values() for one, (_, after) in rows]
    texts = list(dict.fromkeys(text for pair in pairs for text in pair))
    readings = reader.read(texts, cancelled=cancelled, on_progress=on_progress)
    bias = {text: reading.bias for text, reading in zip(texts, readings, strict=True)}
    return {
        key: tuple(
            SentenceEffect(
                start=one.sentence.start,
                end=one.sentence.end,
                word_start=one.read.offsets[one.place.start],
                word_end=one.read.offsets[one.place.end - 1] + 1,
                general=general,
                before=one.read.text,
                after=after,
                bias_before=bias[one.read.text],
                bias_after=bias[after],
            )
            for one, (general, after) in rows
        )
        for key, rows in made.items()
    }


def _half(on_progress: Callable[[float], None] | None, start: float) -> Callable[[float], None] | None:
    """A callback for one half of the work, beginning at ``start``; None without ``on_progress``."""
    return None if on_progress is None else lambda share: on_progress(start + share / 2)
