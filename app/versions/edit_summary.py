"""The line that goes with an edit of a Wikipedia article: what was changed, in words, and no better than it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from core.text_diff import Change

LONGEST = 500
"""Code points that MediaWiki keeps of an edit summary."""
_WORDS = 8
_CHARACTERS = 80


def edit_summary(changes: Sequence[Change], *, more_neutral: bool) -> str:
    """One line of at most ``LONGEST`` code points: as many changes as fit, and how many there are in all.

    Only where the draft reads ``more_neutral`` than before does it claim to be neutral wording.
    """
    counted = Counter(_told(change) for change in changes)
    told = [f"{words} ({times}×)" if times > 1 else words for words, times in counted.items()]
    number = len(changes)
    head = "Neutral wording (NPOV): " if more_neutral else "Wording: "
    end = f"{number:,} change" if number == 1 else f"{number:,} changes"
    kept: list[str] = []
    for words in told:
        left = len(told) - len(kept) - 1
        line = _joined(head, [*kept, words], end, left)
        if len(line) > LONGEST:
            break
        kept.append(words)
    return _joined(head, kept, end, len(told) - len(kept))


def _joined(head: str, told: Sequence[str], end: str, left: int) -> str:
    return head + "; ".join([*told, *(["and more"] if left else []), end])


def _told(change: Change) -> str:
    if not change.old and not change.new:
        return "spacing"
    if all(_is_short(side) for side in (change.old, change.new)):
        return _described(change.old, change.new)
    old, new = len(change.old.split()), len(change.new.split())
    if not change.old:
        return f"{_counted(new)} added"
    return f"{_counted(old)} rewritten" if change.new else f"{_counted(old)} removed"


def _described(old: str, new: str) -> str:
    # In English whatever the window speaks: the line goes into an English article's history.
    if not new:
        return f"“{old}” removed"
    return f"“{old}” → “{new}”" if old else f"“{new}” added"


def _is_short(words: str) -> bool:
    return len(words) <= _CHARACTERS and len(words.split()) <= _WORDS


def _counted(words: int) -> str:
    return f"{words:,} word" if words == 1 else f"{words:,} words"
