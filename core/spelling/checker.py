"""The misspelled words of a draft: not in the dictionary, not among a person's own words, not ignored."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Protocol

from core.documents.types import Document, Span
from core.spelling.dictionary import MAX_CORRECTIONS, scripts_of
from core.spelling.words import Word, WordFinder, is_checked, normalise, parts_of, without_possessive

_STEP = 500
"""After how many words the check looks again whether it was cancelled."""


class Dictionary(Protocol):
    """The part of ``core.spelling.dictionary.SpellingDictionary`` that the checker uses."""

    scripts: frozenset[str]

    def has(self, word: str) -> bool: ...

    def corrections(self, word: str) -> tuple[str, ...]: ...


class WordSet:
    """A person's own words, or those that are ignored.

    A word in lower case also stands for its capitalised form and for the same word in capitals, and every word for its
    form with ``'s``.
    """

    def __init__(self, words: Iterable[str] = ()) -> None:
        self._words = frozenset(map(normalise, words))
        self._upper = frozenset(map(str.upper, self._words))

    def __contains__(self, word: str) -> bool:
        whole = normalise(word)
        for form in (whole, without_possessive(whole)):
            if form in self._words or form.lower() in self._words or (form.isupper() and form in self._upper):
                return True
        return False

    def similar(self, word: str) -> list[str]:
        """Up to two words that resemble a misspelled one."""
        return get_close_matches(normalise(word), sorted(self._words), n=2, cutoff=0.8)


@dataclass(frozen=True, slots=True)
class SpellingChoices:
    """What a person has chosen: whether words in capitals and words in quotations are checked."""

    capitals: bool = False
    quotations: bool = True


class SpellingChecker:
    """Checks documents with one dictionary, and remembers each word that it has looked up."""

    def __init__(self, dictionary: Dictionary) -> None:
        self._dictionary = dictionary
        self._finder = WordFinder()
        self._known: dict[tuple[str, bool], tuple[Span, ...]] = {}

    def check(
        self,
        document: Document,
        *,
        choices: SpellingChoices | None = None,
        accepted: Iterable[WordSet] = (),
        cancelled: Callable[[], bool] = lambda: False,
    ) -> list[Word]:
        """The misspelled words of a document in order; a word with hyphens is checked part by part.

        Words in ``accepted`` are never misspelled. The check stops once ``cancelled()`` is true; the result is then
        incomplete.
        """
        choices, accepted = choices or SpellingChoices(), tuple(accepted)
        found: list[Word] = []
        for number, word in enumerate(self._finder.words(document, quotations=choices.quotations)):
            if number % _STEP == 0 and cancelled():
                break
            bad = self.misspelled_parts(word.text, capitals=choices.capitals)
            if not bad or any(word.text in words for words in accepted):
                continue
            for start, end in bad:
                text = word.text[start:end]
                if not any(text in words for words in accepted):
                    found.append(Word(word.start + start, word.start + end, text))
        return found

    def misspelled_parts(self, word: str, *, capitals: bool = False) -> tuple[Span, ...]:
        """The places of the parts of a word that are not in the dictionary; none if the whole word is in it."""
        key = (word, capitals)
        if key not in self._known:
            self._known[key] = self._look_up(word, capitals)
        return self._known[key]

    def corrections(self, word: str, own: WordSet) -> tuple[str, ...]:
        """Up to five corrections of a misspelled word, with its kind of apostrophe; similar own words come first."""
        found = dict.fromkeys([*own.similar(word), *self._dictionary.corrections(normalise(word))])
        sign = "’" if "’" in word else "'"
        return tuple(one.replace("'", sign) for one in list(found)[:MAX_CORRECTIONS])

    def _look_up(self, word: str, capitals: bool) -> tuple[Span, ...]:
        places = parts_of(word)
        if len(places) > 1 and self._has(word):
            return ()
        return tuple(
            (start, end)
            for start, end in places
            if is_checked(word[start:end], capitals=capitals) and not self._has(word[start:end])
        )

    def _has(self, word: str) -> bool:
        """Whether a word is in the dictionary, or in a script that the dictionary does not cover."""
        word = normalise(word)
        if not scripts_of(word) <= self._dictionary.scripts:
            return True
        base = without_possessive(word)
        return self._dictionary.has(word) or (base != word and self._dictionary.has(base))
