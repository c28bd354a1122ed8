"""One hunspell dictionary: whether a word is in it, and corrections for a word that is not."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from core.i18n import tr

MAX_BYTES = 50_000_000
MAX_CORRECTIONS = 5
_SAMPLE = 2_000
_MOST_TRIED = 10
_SPLIT = re.compile("[ -]")


class DictionaryError(Exception):
    """A dictionary cannot be used; the text tells a person why, and what to do."""


class SpellingDictionary:
    """The dictionary of ``path``, an ``.aff`` file with its ``.dic`` beside it.

    Reading takes about a second for 50,000 entries. Raises DictionaryError. One thread at a time may use it.
    """

    def __init__(self, path: Path) -> None:
        from spylls.hunspell import Dictionary

        try:
            if max(one.stat().st_size for one in (path, path.with_suffix(".dic"))) > MAX_BYTES:
                raise ValueError("too large")
            self._dictionary = Dictionary.from_files(str(path.with_suffix("")))
        except Exception as error:
            # The files are other people's, and their reader raises whatever it stumbles over.
            said = tr(
                "The dictionary {name} cannot be read. Choose another one in the settings, under Spelling."
            )
            raise DictionaryError(said.format(name=path.stem)) from error
        words = self._dictionary.dic.words
        self._corrections: dict[str, tuple[str, ...]] = {}
        self.scripts = frozenset(
            script for word in words[:: len(words) // _SAMPLE + 1] for script in scripts_of(word.stem)
        )
        """The scripts of its words, such as LATIN."""

    def has(self, word: str) -> bool:
        """Whether a word is in it, also inflected, or capitalised as at the start of a sentence."""
        return bool(self._dictionary.lookup(word))

    def corrections(self, word: str) -> tuple[str, ...]:
        """Up to ``MAX_CORRECTIONS`` corrections for a word, the likeliest first.

        They are one edit away; only if there are none is the word compared with all others, which takes a second or
        two.
        """
        if word not in self._corrections:
            self._corrections[word] = tuple(self._find(word))
        return self._corrections[word]

    def _find(self, word: str) -> list[str]:
        for near in (self._one_edit_away(word), self._alike(word)):
            texts = dict.fromkeys(text for text in near if text != word and not _has_stray_letter(text))
            if texts:
                return list(texts)[:MAX_CORRECTIONS]
        return []

    def _one_edit_away(self, word: str) -> Iterator[str]:
        aff = self._dictionary.aff
        kept = aff.MAXNGRAMSUGS, aff.PHONE
        # Otherwise the word is compared with all others whenever few are near.
        aff.MAXNGRAMSUGS, aff.PHONE = 0, None
        try:
            for suggestion in islice(self._dictionary.suggester.suggestions(word), _MOST_TRIED):
                yield str(suggestion.text)
        finally:
            aff.MAXNGRAMSUGS, aff.PHONE = kept

    def _alike(self, word: str) -> Iterator[str]:
        for text in self._dictionary.suggester.ngram_suggestions(word, handled=set()):
            yield str(text).capitalize() if word[:1].isupper() and text.islower() else str(text)


def _has_stray_letter(text: str) -> bool:
    """Whether a correction splits a word and leaves a single letter: “chairman n”."""
    parts = _SPLIT.split(text)
    return len(parts) > 1 and any(len(part) < 2 and part not in ("a", "I") for part in parts)


def scripts_of(word: str) -> frozenset[str]:
    """The scripts of the letters of a word, by the first word of their Unicode names: ``LATIN``, ``CYRILLIC``."""
    if word.isascii():
        return frozenset(("LATIN",)) if any(map(str.isalpha, word)) else frozenset()
    return frozenset(unicodedata.name(sign, "").partition(" ")[0] for sign in word if sign.isalpha())
