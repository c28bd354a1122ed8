"""Words that an editor deleted or changed between two sentences, and the kind of bias of such an edit.

The word diff follows Pryzant et al. 2020 (section 2) and WIKIBIAS (appendix C), but is stricter where an edit says
nothing about neutrality: spelling variants, white space, punctuation and bare articles are not spans. The kind of an
edit follows from the cue class of its words, after the definitions of WIKIBIAS: a word for a group, or a gendered
default that was changed, is demographic; what changes how believable a statement is (verbs of saying and knowing,
hedges, doubt, function words that change the claim) is epistemological; everything else is framing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher

from core.engine.cues import Lexicon
from core.types import Kind

WORD = re.compile(r"\w+(?:['’]\w+)*|[^\w\s]")
_SMALL = frozenset({"a", "an", "the"})
_SPELLING = 0.82
_MOST = 0.6


@dataclass(frozen=True, slots=True)
class WordEdit:
    """One changed stretch: ``biased[start:end]`` became ``after`` (empty where it was deleted)."""

    start: int
    end: int
    before: str
    after: str


def words(text: str) -> list[tuple[int, int]]:
    """Offsets of words and single punctuation marks, in order."""
    return [match.span() for match in WORD.finditer(text)]


def find_word_edits(biased: str, neutral: str) -> tuple[WordEdit, ...]:
    """Changed or deleted stretches of ``biased``, trimmed to content words; empty where nothing tells of bias.

    Pairs in which more than 60% of the biased words changed are rewritten sentences, not edits: they give none.
    """
    left, right = words(biased), words(neutral)
    left_words = [biased[start:end].lower() for start, end in left]
    right_words = [neutral[start:end].lower() for start, end in right]
    found: list[WordEdit] = []
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
        found.append(WordEdit(start, end, biased[start:end], after))
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


_KIND_WORD = re.compile(r"\w+(?:['’]\w+)*")
_PRONOUNS = frozenset("he she him her his hers himself herself".split())
_GENDERED = frozenset(
    "man men woman women girl girls boy boys lady ladies gentleman gentlemen wife husband male female males "
    "females mankind manmade chairman chairmen chairwoman businessman businessmen actress comedienne heroine".split()
)
_NEUTRAL = frozenset(
    "they them their theirs themselves themself person people someone one human humanity".split()
)
_BELIEF = frozenset(
    "said stated wrote says states say claim claimed claims reported according believed believes argued alleged "
    "allegedly supposed supposedly purported purportedly reportedly perhaps possibly probably likely may might "
    "could would can appears appeared seems seemed fact actually indeed clearly obviously certainly known correct "
    "correctly incorrect incorrectly erroneous erroneously false falsely wrongly true truth proven doubtful managed "
    "asserted assert noted generally considered established".split()
)
_FUNCTION = frozenset(
    "a an the and or but if of to in on at by for from with before after as than so is are was were be been has "
    "have had do does did not no some many most all any one zero it its there while when where which that "
    "this".split()
)
_FEW = 4


class KindFinder:
    """Gives each stretch of biased words one of the three kinds."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon

    def of(self, before: str, after: str = "") -> Kind:
        """The kind of ``before``, knowing what an editor put in its place (empty if it was taken out)."""
        old = {word.lower() for word in _KIND_WORD.findall(before)}
        new = {word.lower() for word in _KIND_WORD.findall(after)}
        if self._about_a_group(before, old, new):
            return Kind.DEMOGRAPHIC
        cued = self._lexicon.kind_of(before)
        short = len(old) <= _FEW
        if cued is Kind.EPISTEMOLOGICAL and short:
            return cued
        if short and (old & _BELIEF or (new & _BELIEF and cued is None and len(new) <= _FEW)):
            return Kind.EPISTEMOLOGICAL
        if cued is None and new and old <= _FUNCTION and new <= _FUNCTION:
            return Kind.EPISTEMOLOGICAL
        return Kind.FRAMING

    def _about_a_group(self, before: str, old: set[str], new: set[str]) -> bool:
        if self._lexicon.kind_of(before) is Kind.DEMOGRAPHIC and len(old) <= _FEW:
            return True
        if old & _PRONOUNS and (new & _NEUTRAL or (new & _PRONOUNS and not old & new)):
            return True
        return bool(old & _GENDERED and new and not new & old and len(old) <= _FEW)
