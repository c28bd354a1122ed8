"""Suggestions that a person used: which sentence of the file became which, and why, as notes for tracked changes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.revisions.types import Note


@dataclass(frozen=True, slots=True)
class Reword:
    """The sentence ``before`` became ``after``; ``comment`` says why, or is empty."""

    before: str
    after: str
    comment: str = ""


def add_reword(rewords: Sequence[Reword], new: Reword) -> tuple[Reword, ...]:
    """The rewords with another one; one that continues an earlier one is joined with it."""
    for number, old in enumerate(rewords):
        if old.after == new.before:
            comments = dict.fromkeys(filter(None, (old.comment, new.comment)))
            joined = Reword(old.before, new.after, "\n".join(comments))
            return (*rewords[:number], *rewords[number + 1 :], joined)
    return (*rewords, new)


def notes_for(rewords: Sequence[Reword], before: str, after: str) -> list[Note]:
    """Notes on the text ``before``, for those rewords whose new sentence is in the text ``after``; disjoint."""
    notes: list[Note] = []
    found = [
        Note(place.start(), place.end(), reword.comment)
        for reword in rewords
        if reword.before and reword.after in after
        for place in re.finditer(re.escape(reword.before), before)
    ]
    for note in sorted(found, key=lambda note: note.start):
        if not notes or notes[-1].end <= note.start:
            notes.append(note)
    return notes
