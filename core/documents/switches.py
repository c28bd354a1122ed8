"""What of a document is left unchecked: whole sentences that are not read, and findings that are not shown."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from core.documents.model import Off, Sentence
from core.findings import KINDS, Finding


def checked_sentences(sentences: Sequence[Sentence], off: Sequence[Off]) -> Sequence[Sentence]:
    """The sentences but for those wholly in a stretch that is off for all kinds."""
    whole = [one for one in off if len(one.kinds) == len(KINDS)]
    if not whole:
        return sentences
    return [sentence for sentence in sentences if not _inside(sentence, whole)]


def is_off(off: Sequence[Off], finding: Finding) -> bool:
    """Whether a finding overlaps a stretch that is off for its kind."""
    at = bisect_right(off, finding.start, key=lambda one: one.end)
    while at < len(off) and off[at].start < finding.end:
        if finding.kind in off[at].kinds:
            return True
        at += 1
    return False


def _inside(sentence: Sentence, whole: Sequence[Off]) -> bool:
    at = bisect_right(whole, sentence.start, key=lambda one: one.start) - 1
    return at >= 0 and sentence.end <= whole[at].end
