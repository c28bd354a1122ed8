"""From a pair of sentences, biased and neutral, to the words that the editor took out or changed.

The word diff of Pryzant et al. 2020 (section 2) and WIKIBIAS (appendix C), made stricter where an edit says nothing
about neutrality: spelling variants, white space, punctuation and bare articles are not spans.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher

WORD = re.compile(r"\w+(?:['’]\w+)*|[^\w\s]")
_SMALL = frozenset({"a", "an", "the"})
_SPELLING = 0.82
_MOST = 0.6


@dataclass(frozen=True, slots=True)
class Edit:
    """One changed stretch: ``biased[start:end]`` became ``after`` (empty where it was deleted)."""

    start: int
    end: int
    before: str
    after: str


def words(text: str) -> list[tuple[int, int]]:
    """Offsets of words and single punctuation marks, in order."""
    return [match.span() for match in WORD.finditer(text)]


def edits(biased: str, neutral: str) -> tuple[Edit, ...]:
    """Changed or deleted stretches of ``biased``, trimmed to content words; empty where nothing tells of bias.

    Pairs in which more than 60% of the biased words changed are rewritten sentences, not edits: they give none.
    """
    left, right = words(biased), words(neutral)
    left_words = [biased[start:end].lower() for start, end in left]
    right_words = [neutral[start:end].lower() for start, end in right]
    found: list[Edit] = []
    changed = 0
    for tag, i1, i2, j1, j2 in SequenceMatcher(a=left_words, b=right_words, autojunk=False).get_opcodes():
        if tag not in ("replace", "delete"):
            continue
        first, last = _trim(left_words, i1, i2)
        if first == last:
            continue
        changed += last - first
        before = " ".join(left_words[first:last])
        after = " ".join(right_words[j1:j2])
        if _same_word(before, after):
            continue
        start, end = left[first][0], left[last - 1][1]
        found.append(Edit(start, end, biased[start:end], after))
    if changed > _MOST * max(1, len(left_words)):
        return ()
    return tuple(found)


def _trim(tokens: list[str], first: int, last: int) -> tuple[int, int]:
    """Take articles, punctuation and bare numbers off both ends."""

    def idle(token: str) -> bool:
        return token in _SMALL or not any(character.isalpha() for character in token)

    while first < last and idle(tokens[first]):
        first += 1
    while last > first and idle(tokens[last - 1]):
        last -= 1
    return first, last


def _same_word(before: str, after: str) -> bool:
    """True for spelling variants and white space: ``behavior``/``behaviour``, ``well known``/``well-known``."""
    bare_before, bare_after = (re.sub(r"\W", "", side) for side in (before, after))
    if bare_before == bare_after:
        return True
    if " " in before or " " in after or min(len(bare_before), len(bare_after)) < 5:
        return False
    same_start = bare_before[:3] == bare_after[:3]
    return same_start and SequenceMatcher(a=bare_before, b=bare_after).ratio() >= _SPELLING
