"""Whether a sentence is in English. Only English is read: the words of another language have no meaning to the reader.

What is not certain counts as English. Most sentences are told by their function words; the others by py3langid
(Lui & Baldwin 2012, *langid.py*), which is loaded for the first of them and uses no network.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import replace
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING

from core.documents import prose
from core.documents.languages import add_foreign
from core.documents.suppression import checked_sentences
from core.documents.types import Document, Sentence
from core.text.english import reads_as_english
from core.text.tokens import WORD

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

MAX_CACHED = 20_000
MIN_FOREIGN_PROBABILITY = 0.998
"""Of 135,000 English sentences of news and of Wikipedia (also in lower case, of names, of code) none has this
probability of being foreign with `MIN_WORDS` words; of foreign ones that are as long nearly all have it."""

MIN_WORDS = 4
_MIN_LIKELY_PROBABILITY = 0.5
_MAX_CHARACTERS = 1000
_NOT_FOREIGN = ("en", "pcm", "zxx")
"""The detector's codes of English, of Nigerian Pidgin, and of what is in no language, such as code."""


class Language(Enum):
    """What the words of a sentence tell; ``LIKELY_FOREIGN``: too few or too mixed to be certain."""

    ENGLISH = 0
    LIKELY_FOREIGN = 1
    FOREIGN = 2


@lru_cache(maxsize=MAX_CACHED)
def detect_language(text: str) -> Language:
    """What the words of one sentence tell about its language."""
    text = text[:_MAX_CHARACTERS]
    words = WORD.findall(text)
    if reads_as_english(words):
        return Language.ENGLISH
    if not text.isascii() and _is_in_another_script(words):
        return Language.FOREIGN
    words = [word for word in words if any(map(str.isalpha, word))]
    if not words:
        return Language.ENGLISH
    foreign = _foreign_probability(text)
    if foreign < _MIN_LIKELY_PROBABILITY:
        return Language.ENGLISH
    # A name is in the language of its bearer.
    plain = words if text.isupper() else words[:1] + [word for word in words[1:] if not word[0].isupper()]
    if len(plain) < len(words):
        foreign = min(foreign, _foreign_probability(" ".join(plain)))
    if foreign >= MIN_FOREIGN_PROBABILITY and len(plain) >= MIN_WORDS:
        return Language.FOREIGN
    return Language.LIKELY_FOREIGN if foreign >= _MIN_LIKELY_PROBABILITY else Language.ENGLISH


def find_foreign(
    languages: Sequence[Language], sentences: Sequence[Sentence], paragraphs: Sequence[tuple[int, int]]
) -> list[int]:
    """The numbers of the sentences in another language; all arguments are sorted.

    A sentence that is likely foreign counts as such where all that is certain in its paragraph is foreign; in a
    paragraph without anything certain, where that holds for the whole document. So no sentence beside an English one
    goes unread on account of its neighbours.
    """
    if Language.FOREIGN not in languages:
        return []
    all_foreign = Language.ENGLISH not in languages
    found: list[int] = []
    first = 0
    for _, end in paragraphs:
        last = bisect_left(sentences, end, lo=first, key=lambda sentence: sentence.start)
        own = languages[first:last]
        likely = all_foreign or (Language.FOREIGN in own and Language.ENGLISH not in own)
        found += [
            first + number
            for number, language in enumerate(own)
            if language is Language.FOREIGN or (likely and language is Language.LIKELY_FOREIGN)
        ]
        first = last
    return found


def without_foreign(document: Document) -> Document:
    """The document without the sentences in another language, which are in ``unread`` instead.

    The engine does the same as it reads; this is for what reads no reports.
    """
    sentences = checked_sentences(document.sentences, document.suppressed)
    languages = [detect_language(prose(document, sentence).text) for sentence in sentences]
    foreign = find_foreign(languages, sentences, document.paragraphs)
    left_out = [sentences[number] for number in foreign]
    gone = frozenset(left_out)
    return replace(
        document,
        sentences=tuple(sentence for sentence in document.sentences if sentence not in gone),
        unread=add_foreign(document, left_out),
    )


def _is_in_another_script(words: Iterable[str]) -> bool:
    """Whether most letters of words, not of symbols as in a formula, are not Latin."""
    letters = [
        letter
        for word in words
        if len(word) > 1
        for letter in unicodedata.normalize("NFKC", word)
        if letter.isalpha()
    ]
    others = sum(not unicodedata.name(letter, "LATIN").startswith("LATIN") for letter in letters)
    return 2 * others > len(letters)


def _foreign_probability(text: str) -> float:
    detector = _detector()
    if detector is None:
        return 0.0
    probabilities = dict(detector.rank(text))
    return float(1 - sum(probabilities[code] for code in _NOT_FOREIGN))


@lru_cache(maxsize=1)
def _detector() -> LanguageIdentifier | None:
    """None where it cannot be loaded: it unpacks its model into a temporary file, and a disk may be full."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    try:
        return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    except OSError:
        return None
