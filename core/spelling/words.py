"""The words of a draft whose spelling is checked: its prose without code, addresses, names of files, and numbers."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from core.documents.prose_view import view_prose
from core.documents.types import Document, Span, merge_spans
from core.i18n import tr
from core.text.tokens import WORD
from core.types import ALL_KINDS

MAX_LENGTH = 60
"""The length of the longest word that is checked; no dictionary has longer ones."""

APOSTROPHES = "'’ʼ‘"
_HYPHEN = re.compile("[-‐‑]")
_NOT_SEEN = re.compile("[\u00ad\u200b-\u200d\u2060\ufeff]")
_BEFORE_NAMES = frozenset("@#$\\%")
_SLASHES = frozenset("/\\")
_PATH_STARTS = ("/", "~", ".", "\\")
_CHUNK_ENDS = " \t\n\u00a0([\"“‘'"
_ELIDED = frozenset(("tis", "twas", "twere", "twill", "em", "til", "bout", "cuz", "neath", "gainst", "nuff"))


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a source: ``source[start:end] == text``, in code points. It may contain hyphens."""

    start: int
    end: int
    text: str


class WordFinder:
    """Finds the words of documents, and caches those of the last one by paragraph."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[Span, ...]] = {}

    def words(self, document: Document, *, quotations: bool = True) -> Iterator[Word]:
        """The words of a document to check, in order; those in quotations only with ``quotations``.

        What is excluded from all checks is left out: code, passages in another language, titles, and what a comment
        switches off. So is a word with markup inside, which a correction would remove.
        """
        known, self._known = self._known, {}
        skipped = [(one.start, one.end) for one in document.suppressed if len(one.kinds) == len(ALL_KINDS)]
        excluded = merge_spans([*skipped, *(() if quotations else document.quotes)])
        source = document.source
        for first, last in document.paragraphs:
            view = view_prose(source, first, last, non_prose=document.non_prose)
            places = self._known[view.text] = known.get(view.text) or tuple(find_words(view.text))
            for start, end in places:
                begin, stop = view.source_span(start, end)
                text = view.text[start:end]
                if source[begin:stop] == text and not _overlaps(excluded, begin, stop):
                    yield Word(begin, stop, text)


def find_words(text: str) -> Iterator[Span]:
    """The places of words in prose, without those with digits and those of addresses, paths and tags."""
    for found in WORD.finditer(text):
        start, end = found.span()
        word = found.group()
        if end - start > MAX_LENGTH or "_" in word or any(map(str.isnumeric, word)):
            continue
        if not _is_name(text, start, end) and not _is_elided(text, start, word):
            yield start, end


def clean_word(text: str) -> str:
    """What a person has typed, as one word. Raises ValueError, with a message for the person, if it is not one."""
    word = text.strip()
    if len(word) > MAX_LENGTH or list(find_words(word)) != [(0, len(word))]:
        said = tr("Write one word without spaces or digits, at most {most} characters.")
        raise ValueError(said.format(most=MAX_LENGTH))
    return word


def parts_of(word: str) -> list[Span]:
    """The places of the parts of a word between its hyphens."""
    places, start = [], 0
    for hyphen in _HYPHEN.finditer(word):
        places.append((start, hyphen.start()))
        start = hyphen.end()
    return [(first, last) for first, last in (*places, (start, len(word))) if first < last]


def is_checked(part: str, *, capitals: bool = False) -> bool:
    """Whether to look up a part of a word: no initial, no name like iPhone; one in capitals only with ``capitals``."""
    word = without_possessive(part)
    if len(word) < 2 or (word[0].islower() and not word.islower()):
        return False
    in_capitals = word.isupper() or (len(word) > 2 and word[-1] == "s" and word[:-1].isupper())
    return capitals or not in_capitals


def normalise(word: str) -> str:
    """A word as dictionaries write it: composed characters, straight apostrophes, no invisible characters."""
    if word.isascii():
        return word
    word = _NOT_SEEN.sub("", unicodedata.normalize("NFC", word))
    for sign in APOSTROPHES[1:]:
        word = word.replace(sign, "'")
    return word


def without_possessive(word: str) -> str:
    """A word without the ``'s`` at its end."""
    return word[:-2] if len(word) > 2 and word[-1] in "sS" and word[-2] in APOSTROPHES else word


def _is_name(text: str, start: int, end: int) -> bool:
    """Whether a word is part of a tag, a file name, a host, a path, or an abbreviation with periods."""
    before, after = text[start - 1 : start], text[end : end + 1]
    if before in _BEFORE_NAMES:
        return True
    if before == "." and text[start - 2 : start - 1].isalnum() and start > 1:
        return True
    if after == "." and text[end + 1 : end + 2].isalnum():
        return True
    if before not in _SLASHES and after not in _SLASHES:
        return False
    left = max((text.rfind(sign, 0, start) for sign in _CHUNK_ENDS), default=-1) + 1
    return text.startswith(_PATH_STARTS, left) or "\\" in (before, after) or text[left + 1 : left + 2] == ":"


def _is_elided(text: str, start: int, word: str) -> bool:
    """Whether it is ’tis, ’em and the like, which dictionaries leave out."""
    return start > 0 and text[start - 1] in APOSTROPHES and word.lower() in _ELIDED


def _overlaps(spans: tuple[Span, ...], start: int, end: int) -> bool:
    at = bisect_right(spans, start, key=lambda span: span[1])
    return at < len(spans) and spans[at][0] < end
