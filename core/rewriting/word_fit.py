"""Whether new words have the word class, number and verb form of those that they replace."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.rewriting.edits import Passage
from core.text.diff import TextEdit
from core.text.english import BE_FORMS
from core.text.tokens import WORD
from core.text.word_classes import load_word_classes

_ARTICLES = frozenset(("a", "an"))
_FINITE = frozenset(("VBD", "VBZ", "VBP", "VB", "MD"))
_VERBS = _FINITE | {"VBN", "VBG"}
_NOUNS = frozenset(("NN", "NNS"))
_ADJECTIVES = frozenset(("JJ", "JJS"))
_BEFORE_MODIFIER = frozenset(("DT", "PRP$", "JJ", "JJS", "IN", "CC", "CD", "POS"))
_LIKE = {
    **dict.fromkeys(_ADJECTIVES, _ADJECTIVES | {"VBN", "VBG"}),
    **dict.fromkeys(("RB", "RBS"), frozenset(("RB", "RBS", "IN"))),
    **dict.fromkeys(("VB", "VBP"), frozenset(("VB", "VBP"))),
    "VBZ": frozenset(("VBD",)),
}
"""Tags that can stand for one another, besides each for itself."""

_SUFFIXES = (
    (("ly",), ("RB",)),
    (("ness", "ism", "ity", "ment", "tion", "ist"), ("NN",)),
    (("isms", "ities", "ments", "tions", "ists"), ("NNS",)),
    (("al", "ous", "ive", "ful", "less", "ish", "ic", "able", "ible"), ("JJ",)),
    (("ed",), ("VBD", "VBN", "JJ")),
    (("ing",), ("VBG", "NN", "JJ")),
)
"""The tags of words that the table lacks, by their endings."""


def fits(passage: Passage, change: TextEdit) -> bool:
    """Whether the last words of both, or their verbs, share a word class; of deleted words, whether they can be spared.

    A word that the table of word classes lacks fits nowhere, unless it stood there; what replaces one is not judged.
    """
    old = _words(passage.text[change.start : change.end])
    new = _words(change.text)
    if not old:
        return True
    if not new:
        before = WORD.findall(passage.text[: change.start][-60:])
        following = WORD.search(passage.text, change.end)
        return _can_go(
            old, before[-1].lower() if before else "", following.group().lower() if following else ""
        )
    if any(not _tags(word) and word not in old for word in new):
        return False
    if _share(old[-1], new[-1]):
        return True
    verbs = _alike(old[0]) & _tags(new[0]) & _VERBS
    return bool(verbs) and not _tags(old[0]).isdisjoint(_VERBS) and len(old) + len(new) > 2


def _can_go(old: Sequence[str], before: str, following: str) -> bool:
    """Whether a sentence can spare ``old``: not its verb, nor a noun that no noun follows."""
    if len(old) > 1 and old[0] in BE_FORMS:
        return False
    tags = _tags(old[-1])
    if len(old) > 1 or not tags:
        return True
    if tags <= _NOUNS:
        return bool(_tags(following) & (_NOUNS | _ADJECTIVES))
    if tags <= _VERBS:
        return not tags <= _FINITE and (not before or bool(_tags(before) & _BEFORE_MODIFIER))
    return True


def _share(one: str, other: str) -> bool:
    """Whether two words are one, or have a word class in common; of an unknown ``one`` nothing is known."""
    return one == other or not _tags(one) or not _alike(one).isdisjoint(_tags(other))


def _alike(word: str) -> frozenset[str]:
    """The tags of the words that can stand for a word."""
    tags = _tags(word)
    return tags.union(*(_LIKE.get(tag, ()) for tag in tags))


def _words(text: str) -> list[str]:
    """The words of a text in lower case, without articles before others."""
    words = [word.lower() for word in WORD.findall(text)]
    return words[1:] if words and words[0] in _ARTICLES else words


def _tags(word: str) -> frozenset[str]:
    """The tags of a word; of one with a hyphen or an apostrophe, those of its last or first part."""
    known = load_word_classes()
    part = re.split(r"[-‐‑]", word)[-1].split("'")[0]
    by_ending = (tags for endings, tags in _SUFFIXES if part.endswith(endings))
    return known.get(word) or known.get(part) or frozenset(next(by_ending, ()))
