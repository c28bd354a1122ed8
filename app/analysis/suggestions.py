"""Other words for a finding, as the window keeps them and as a person reads them: plain data, no widgets."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from itertools import pairwise

from app.editor.positions import is_word_character
from app.widgets.labels import to_single_line
from core.documents.types import Format
from core.i18n import tr
from core.text.diff import TextEdit, apply_edits
from core.types import Suggestion, Suggestions

CONTEXT = 3
_LONGEST = 120
_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Key:
    """What wordings depend on: a finding, the sentence around it and its place there. Not where the sentence stands."""

    fingerprint: str
    sentence: str
    offset: int
    quoted: bool
    format: Format


@dataclass(frozen=True, slots=True)
class DisplayedSuggestions:
    """What the card shows for a finding; the edits count from the start of ``sentence``.

    ``note`` is for a person: why there is nothing, or nothing yet (``pending``).
    """

    sentence: str = ""
    items: tuple[Suggestion, ...] = ()
    note: str = ""
    pending: bool = False


PENDING = DisplayedSuggestions(note=tr("Looking for wordings …"), pending=True)
WILL_APPLY = tr("Wording {number} will be put in as soon as it is found. Esc calls it off.")


def pending_for(number: int) -> DisplayedSuggestions:
    """What the card shows while the wording of that number is awaited, to be put in."""
    return replace(PENDING, note=f"{PENDING.note} {WILL_APPLY.format(number=number)}")


class DiffPart(Enum):
    """What becomes of a piece of a sentence."""

    KEPT = auto()
    OUT = auto()
    IN = auto()


@dataclass(frozen=True, slots=True)
class DiffChunk:
    """A stretch of a shown difference, on one line."""

    text: str
    part: DiffPart


def relative_to_sentence(found: Suggestions, start: int, sentence: str) -> DisplayedSuggestions:
    """Suggestions whose edits count from ``start``, the sentence's place in the source they were made for.

    One with an edit outside the sentence is left out: what cannot be shown must not be applied.
    """
    moved = [
        replace(item, edits=tuple(replace(e, start=e.start - start, end=e.end - start) for e in item.edits))
        for item in found.items
    ]
    items = tuple(item for item in moved if item.edits and _inside(item.edits, len(sentence)))
    return DisplayedSuggestions(
        sentence, items, found.note or ("" if items else tr("No better wording found."))
    )


def word_changes(sentence: str, edits: Sequence[TextEdit]) -> list[tuple[str, str]]:
    """(old words, new words) of every edit, in whole words, without the space around them."""
    return [
        (" ".join(sentence[edit.start : edit.end].split()), " ".join(edit.text.split()))
        for edit in _whole_words(sentence, edits)
    ]


def describe_change(old: str, new: str) -> str:
    """One change in words: ``“slammed” → “criticized”``, ``“infamous” removed``, ``“said” added``."""
    if not new:
        return tr("“{old}” removed").format(old=old)
    return f"“{old}” → “{new}”" if old else tr("“{new}” added").format(new=new)


def diff_chunks(sentence: str, edits: Sequence[TextEdit], *, around: int = CONTEXT) -> tuple[DiffChunk, ...]:
    """The changed words of a sentence with ``around`` words about each; what is left out is ``…``."""
    chunks: list[DiffChunk] = []
    at = 0
    for edit in _whole_words(sentence, edits):
        words = sentence[edit.start : edit.end]
        old, new = words.strip(), edit.text.strip()
        front = edit.start + len(words) - len(words.lstrip()) if old else edit.start
        chunks.append(DiffChunk(_shortened(sentence[at:front], around, first=not at), DiffPart.KEPT))
        if old:
            chunks.append(DiffChunk(_line(_cut(old)), DiffPart.OUT))
        if old and new:
            chunks.append(DiffChunk(" ", DiffPart.KEPT))
        if new:
            chunks.append(DiffChunk(_line(_cut(new)), DiffPart.IN))
        at = front + len(old)
    chunks.append(DiffChunk(_shortened(sentence[at:], around, last=True), DiffPart.KEPT))
    return tuple(chunk for chunk in chunks if chunk.text)


def _inside(edits: Sequence[TextEdit], length: int) -> bool:
    ends = [0, *(place for edit in edits for place in (edit.start, edit.end)), length]
    return all(one <= other for one, other in pairwise(ends))


def _whole_words(sentence: str, edits: Sequence[TextEdit]) -> list[TextEdit]:
    """The edits with the rest of every word that they cut; those that touch the same word become one."""
    joined: list[tuple[int, int, list[TextEdit]]] = []
    for edit in edits:
        start, end = _widened(sentence, edit)
        within = [edit]
        if joined and start < joined[-1][1]:
            first, last, before = joined.pop()
            start, end, within = first, max(end, last), [*before, edit]
        joined.append((start, end, within))
    return [
        TextEdit(start, end, apply_edits(sentence[start:end], within, offset=start))
        for start, end, within in joined
    ]


def _widened(sentence: str, edit: TextEdit) -> tuple[int, int]:
    start, end = edit.start, edit.end
    first = sentence[start] if start < end else edit.text[:1]
    last = sentence[end - 1] if start < end else edit.text[-1:]
    if first and is_word_character(first):
        while start and is_word_character(sentence[start - 1]):
            start -= 1
    if last and is_word_character(last):
        while end < len(sentence) and is_word_character(sentence[end]):
            end += 1
    return start, end


def _shortened(kept: str, around: int, *, first: bool = False, last: bool = False) -> str:
    """Unchanged text cut to a few words on the sides that touch a change."""
    words = list(_WORD.finditer(kept))
    if len(words) <= around * (1 if first or last else 2) + (around > 0):
        return _line(kept)
    head = kept[: words[around - 1].end()] if around else kept[: words[0].start()]
    tail = kept[words[-around].start() :] if around else kept[words[-1].end() :]
    if first:
        return _line(f"… {tail.lstrip()}")
    return _line(f"{head.rstrip()} …" if last else f"{head.rstrip()} … {tail.lstrip()}")


def _cut(words: str) -> str:
    if len(words) <= _LONGEST:
        return words
    half = _LONGEST // 2
    return f"{words[:half].rstrip()} … {words[-half:].lstrip()}"


def _line(text: str) -> str:
    return to_single_line(f"|{text}|")[1:-1]
