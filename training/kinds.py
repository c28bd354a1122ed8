"""The kind of an edited or marked stretch of words, where no corpus has gold kinds.

The cue class of the words decides, after the definitions of WIKIBIAS: a word for a group or a gendered default that
was changed is demographic; what changes how believable a statement is (verbs of saying and knowing, hedges, doubt, a
change of function words that changes the claim) is epistemological; all else is framing.
"""

from __future__ import annotations

import re

from core.cues import Lexicon
from core.findings import Kind

_WORD = re.compile(r"\w+(?:['’]\w+)*")
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
        old = {word.lower() for word in _WORD.findall(before)}
        new = {word.lower() for word in _WORD.findall(after)}
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
