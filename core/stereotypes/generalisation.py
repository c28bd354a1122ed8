"""Generalising words: the general person noun for an identity term, or the hypernym of a noun.

After Badjatiya et al. 2019, section 4.3.4, but in running text: the new word keeps the number of the old one, and an
adjective before a noun is deleted, as "voter" is the hypernym of "Muslim voter".
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from core.documents.types import Sentence
from core.engine.cue_classes import LexiconError
from core.i18n import tr
from core.rewriting.edits import Passage, replace_words
from core.stereotypes.identity_terms import PERSON_NOUNS, IdentityTerm, load_identity_terms
from core.text.english import (
    BE_FORMS,
    DEGREE_WORDS,
    FUNCTION_WORDS,
    capitalise,
    has_capitals,
    indefinite_article,
    is_sentence_start,
    pluralise,
    singular_candidates,
)
from core.text.tokens import WORD, last_word

HYPERNYMS_FILE = "hypernyms.txt.gz"
NO_HYPERNYM = "-"
"""Marks a noun without a useful hypernym in the table."""

_MANY = frozenset("are were".split())
_NOT = frozenset("not also openly now".split())
_POSSESSIVE = re.compile(r"['’]s$", re.IGNORECASE)
_JOINTS = re.compile(r"[\s\-‐‑]+")
_NEXT = re.compile(rf"\s+({WORD.pattern})")


@dataclass(frozen=True, slots=True)
class WordPlace:
    """A word of a text, or an identity term of several words; ``word == text[start:end]``, without possessive
    ending.
    """

    start: int
    end: int
    word: str


class Generaliser:
    """Generalises words with the identity terms and a table of hypernyms."""

    def __init__(self, terms: Iterable[IdentityTerm], hypernyms: Mapping[str, str]) -> None:
        self._hypernyms = hypernyms
        self._terms: dict[str, IdentityTerm] = {}
        for term in terms:
            for form in term.forms:
                self._terms.setdefault(_key(form), term)
        self._longest = max((len(key.split()) for key in self._terms), default=1)

    @classmethod
    def load(cls) -> Generaliser:
        """The identity terms and hypernyms that come with Evenhand, read once. Raises LexiconError."""
        return _loaded()

    def term(self, word: str) -> IdentityTerm | None:
        """The identity term of which ``word`` is a form, ignoring case; or None."""
        return self._terms.get(_key(word))

    def term_at(self, word: str, before: str, after: str) -> IdentityTerm | None:
        """The identity term that ``word`` is between ``before`` and ``after``; None where it does not refer to a
        person.

        A word written without its capital is none ("democratic"), unless the text has no capitals at all; an ambiguous
        one ("black") is an identity term only before a person noun.
        """
        term = self.term(word)
        if term is None or (word == word.lower() and self._lacks_capital(term, word, before + after)):
            return None
        if term.is_unambiguous or _key(word) == _key(term.plural) != _key(term.term):
            return term
        following = _following(after)
        return term if following in PERSON_NOUNS or following in self._terms else None

    def places(self, text: str) -> list[WordPlace]:
        """The words of ``text``, those of an identity term together."""
        words = [match.span() for match in WORD.finditer(text)]
        found: list[WordPlace] = []
        at = 0
        while at < len(words):
            used = next(
                (
                    count
                    for count in range(min(self._longest, len(words) - at), 1, -1)
                    if _key(text[words[at][0] : words[at + count - 1][1]]) in self._terms
                ),
                1,
            )
            start, end = words[at][0], words[at + used - 1][1]
            end -= len(ending.group()) if (ending := _POSSESSIVE.search(text[start:end])) else 0
            if end > start:
                found.append(WordPlace(start, end, text[start:end]))
            at += used
        return found

    def generalise(self, word: str, before: str, after: str) -> str | None:
        """The generalisation of ``word`` between ``before`` and ``after``, in its number and case.

        Empty where the word is best deleted; None where nothing more general is known. `replace_word` corrects an
        article before it.
        """
        term = self.term_at(word, before, after)
        found = self._noun(word, before) if term is None else self._person(term, word, before, after)
        if found and word[0].isupper() and is_sentence_start(before, len(before)):
            return capitalise(found)
        return found

    def _lacks_capital(self, term: IdentityTerm, word: str, around: str) -> bool:
        form = next(form for form in term.forms if _key(form) == _key(word))
        return form != form.lower() and has_capitals(around)

    def _person(self, term: IdentityTerm, word: str, before: str, after: str) -> str | None:
        key = _key(word)
        if key == _key(term.plural) != _key(term.term):
            return pluralise(term.general)
        following, previous = _following(after), _previous(before)
        if key == _key(term.adjective) and self._qualifies(term, previous, following):
            return ""
        if previous in BE_FORMS | DEGREE_WORDS | _NOT:
            many = any(being in _MANY for being in WORD.findall(before.lower())[-3:])
            return pluralise(term.general) if many else f"{indefinite_article(term.general)} {term.general}"
        if key == _key(term.term) == _key(term.plural) and previous not in (
            "a",
            "an",
            "one",
            "each",
            "every",
        ):
            return pluralise(term.general)
        if term.is_noun and key == _key(term.term):
            return term.general
        return pluralise(term.general) if previous == "the" and term.is_unambiguous else None

    def _qualifies(self, term: IdentityTerm, previous: str, following: str) -> bool:
        """Whether the adjective of ``term`` modifies a noun: a known one, or any word where the term is not a noun
        itself.
        """
        if not following or following in FUNCTION_WORDS:
            return False
        if following in PERSON_NOUNS or following in self._terms or self._singular(following) is not None:
            return True
        return _key(term.adjective) != _key(term.term) or not (term.is_noun or previous == "the")

    def _noun(self, word: str, before: str) -> str | None:
        """The hypernym of a noun; None for a capitalised word that may be a name."""
        lower = word.lower()
        one = self._singular(lower)
        if one is None or not self._hypernyms[one]:
            return None
        many = one != lower
        if word != lower and not (many and is_sentence_start(before, len(before))):
            return None
        return pluralise(self._hypernyms[one]) if many else self._hypernyms[one]

    def _singular(self, lower: str) -> str | None:
        """The entry of the table that a word in lower case is a form of."""
        return next((one for one in (lower, *singular_candidates(lower)) if one in self._hypernyms), None)


def replace_word(text: str, start: int, end: int, *, words: str) -> str:
    """``text`` with ``text[start:end]`` replaced by ``words`` or deleted; articles, capitals and spaces are
    corrected.
    """
    whole = Passage(text, Sentence(0, len(text), False), text, tuple(range(len(text))), (True,) * len(text))
    return whole.apply(replace_words(whole, start, end, words))


def read_hypernyms(path: Path) -> dict[str, str]:
    """The hypernym of each noun, empty for none; each line of the file has a hypernym, then its nouns. Raises
    LexiconError.
    """
    try:
        lines = gzip.decompress(path.read_bytes()).decode("utf-8").splitlines()
    except (OSError, ValueError, EOFError) as error:
        message = tr("The table of general words in {path} cannot be read ({error}). Reinstall Evenhand.")
        raise LexiconError(message.format(path=path, error=error)) from error
    rows = [line.split() for line in lines]
    return {word: general.strip(NO_HYPERNYM) for general, *words in rows for word in words}


@cache
def _loaded() -> Generaliser:
    from resources import ROOT

    return Generaliser(load_identity_terms(), read_hypernyms(ROOT / "lexicons" / HYPERNYMS_FILE))


def _key(word: str) -> str:
    return _JOINTS.sub(" ", word.casefold())


def _previous(before: str) -> str:
    """The word right before, in lower case, or empty."""
    found = last_word(before)
    return found.group().lower() if found and found.end() < len(before) else ""


def _following(after: str) -> str:
    """The word right behind, in lower case, or empty."""
    found = _NEXT.match(after)
    return _POSSESSIVE.sub("", found[1].lower()) if found else ""
