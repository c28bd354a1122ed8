"""The case of new words: that of their place, and of what they replace."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from core.words import WORD

PROPER = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february april june july august september "
    "october november december american british english scottish welsh irish french german italian spanish portuguese "
    "dutch belgian swiss austrian polish russian ukrainian turkish greek israeli palestinian arab iranian iraqi syrian "
    "egyptian indian pakistani chinese japanese korean vietnamese australian canadian mexican brazilian african asian "
    "european latino hispanic christian catholic protestant jewish muslim islamic hindu buddhist mormon".split()
)
"""Words that English writes with a capital and that the model, which knows no case, may write."""

_HEADLINE_SHARE, _HEADLINE_WORDS, _LONG_WORD = 0.8, 4, 4


def key(word: str) -> str:
    """``word`` as the model sees it: without case and accents."""
    spread = unicodedata.normalize("NFD", word.casefold().replace("’", "'"))
    return "".join(character for character in spread if unicodedata.category(character) != "Mn")


def has_capitals(text: str) -> bool:
    return any(map(str.isupper, text))


def is_shouted(text: str) -> bool:
    """Whether every letter of ``text`` is a capital, and there are several words of them."""
    return len(WORD.findall(text)) > 1 and text.isupper()


def is_headline(text: str) -> bool:
    """Whether nearly all longer words begin with a capital, as in headlines: then a capital marks no name."""
    words = [word for word in WORD.findall(text) if len(word) >= _LONG_WORD and word[0].isalpha()]
    capitals = sum(word[0].isupper() for word in words)
    return len(words) >= _HEADLINE_WORDS and capitals >= _HEADLINE_SHARE * len(words)


def opens_sentence(text: str, start: int) -> bool:
    """Whether no word stands before ``text[start]``."""
    return not any(map(str.isalnum, text[:start]))


def spelling(word: str, old: Sequence[str], *, text: str) -> str:
    """``word`` as the draft writes it: as one of the words ``old``, or as a name or ``I`` is written."""
    for known in old:
        if key(known) == key(word):
            return known
    lower = word.lower()
    if (lower in PROPER or lower.split("'")[0] == "i") and has_capitals(text):
        return word[:1].upper() + word[1:]
    return word


def capitalised(text: str) -> str:
    """``text`` with its first letter a capital; a word with a capital inside (``iPhone``) stays."""
    word = WORD.search(text)
    if word is None or any(map(str.isupper, word.group())):
        return text
    at = word.start()
    return text[:at] + text[at].upper() + text[at + 1 :]


def cased(words: str, old: str, *, text: str, start: int) -> str:
    """``words`` in the case that fits ``text[start:]``, where ``old`` stands."""
    names = [word.group() for word in WORD.finditer(text) if not opens_sentence(text, word.start())]
    own = WORD.findall(old)
    if own and own[0][1:].islower() and opens_sentence(text, start) and not is_headline(text):
        own[0] = own[0].lower()
    own += (name for name in names if any(map(str.isupper, name)))
    words = WORD.sub(lambda match: spelling(match.group(), own, text=text), words)
    letters = [character for character in old if character.isalpha()]
    if letters and all(map(str.isupper, letters)) and (len(letters) > 1 and is_shouted(text)):
        return words.upper()
    if is_headline(text) and letters and old.lstrip()[0].isupper():
        return re.sub(r"(?<![\w'’])[a-z]\w{3,}", lambda match: capitalised(match.group()), capitalised(words))
    if letters and letters[0].isupper() and opens_sentence(text, start):
        return capitalised(words)
    return words
