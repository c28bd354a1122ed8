"""Suggestions for a finding as the window shows them, and word-level differences as text chunks."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from itertools import pairwise

from app.editor.biased_sentences import BiasedSentence
from app.editor.positions import is_word_character
from app.widgets.labels import to_single_line
from core.documents.types import Format
from core.i18n import tr
from core.text.diff import TextEdit, apply_edits
from core.types import Finding, Kind, Suggestion, Suggestions

CONTEXT = 3
_MAX_CHARACTERS = 120
_MAX_ENTRIES = 2_000
_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class SuggestionKey:
    """What suggestions depend on: a finding, its sentence and its offset there, but not the place of the sentence.

    ``whole``: they reword the whole sentence at the findings with these offsets in it, whichever is asked about; empty
    if they reword the words of the finding.
    """

    fingerprint: str
    sentence: str
    offset: int
    quoted: bool
    format: Format
    whole: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class DisplayedSuggestions:
    """The suggestions on the card; the offsets of edits count from the start of ``sentence``.

    ``note`` says why there are none, or none yet (``pending``).
    """

    sentence: str = ""
    items: tuple[Suggestion, ...] = ()
    note: str = ""
    pending: bool = False


class SuggestionCache:
    """The known suggestions; beyond ``_MAX_ENTRIES``, those that were used last."""

    def __init__(self) -> None:
        self._known: OrderedDict[SuggestionKey, DisplayedSuggestions] = OrderedDict()

    def __contains__(self, key: SuggestionKey) -> bool:
        return key in self._known

    def get(self, key: SuggestionKey) -> DisplayedSuggestions | None:
        """What is known; None if nothing is."""
        if key in self._known:
            self._known.move_to_end(key)
        return self._known.get(key)

    def add(self, key: SuggestionKey, suggestions: DisplayedSuggestions) -> None:
        """Add suggestions."""
        self._known[key] = suggestions
        while len(self._known) > _MAX_ENTRIES:
            self._known.popitem(last=False)


PENDING = DisplayedSuggestions(note=tr("Looking for suggestions …"), pending=True)
WILL_APPLY = tr("Suggestion {number} will be applied as soon as it is found. Esc cancels this.")


def pending_for(number: int) -> DisplayedSuggestions:
    """What the card shows while it waits for the suggestion with this number."""
    return replace(PENDING, note=f"{PENDING.note} {WILL_APPLY.format(number=number)}")


class DiffPart(Enum):
    """What an edit does with a chunk of text."""

    EQUAL = auto()
    DELETED = auto()
    INSERTED = auto()


@dataclass(frozen=True, slots=True)
class DiffChunk:
    """One chunk of a displayed difference, on one line."""

    text: str
    part: DiffPart


def can_reword(finding: Finding) -> bool:
    """Whether the sentence of a finding may be reworded: the reader marked words in it, outside a quotation."""
    by_reader = not isinstance(finding, BiasedSentence) and finding.kind is not Kind.STYLE
    return by_reader and not finding.quoted


def relative_to_sentence(found: Suggestions, start: int, sentence: str) -> DisplayedSuggestions:
    """Suggestions with offsets from ``start``, the start of the sentence in its source.

    Those with an edit outside the sentence are dropped: what cannot be shown must not be applied.
    """
    moved = [
        replace(item, edits=tuple(e._replace(start=e.start - start, end=e.end - start) for e in item.edits))
        for item in found.items
    ]
    items = tuple(item for item in moved if item.edits and _are_inside(item.edits, len(sentence)))
    return DisplayedSuggestions(
        sentence, items, found.note or ("" if items else tr("No suitable suggestion found."))
    )


def relative_to_source(shown: DisplayedSuggestions, start: int) -> Suggestions:
    """The same with offsets in the source, in which the sentence begins at ``start``."""
    items = tuple(
        replace(item, edits=tuple(e._replace(start=e.start + start, end=e.end + start) for e in item.edits))
        for item in shown.items
    )
    return Suggestions(items, shown.note)


def word_changes(sentence: str, edits: Sequence[TextEdit]) -> list[tuple[str, str]]:
    """(old words, new words) of every edit, extended to whole words, without surrounding space."""
    return [
        (" ".join(sentence[edit.start : edit.end].split()), " ".join(edit.text.split()))
        for edit in _whole_words(sentence, edits)
    ]


def describe_change(old: str, new: str) -> str:
    """One change in words: ``“slammed” → “criticized”``, ``“infamous” removed``, ``“text” added``."""
    if not new:
        return tr("“{old}” removed").format(old=old)
    return f"“{old}” → “{new}”" if old else tr("“{new}” added").format(new=new)


def diff_chunks(sentence: str, edits: Sequence[TextEdit], *, around: int = CONTEXT) -> tuple[DiffChunk, ...]:
    """The changed words of a sentence with ``around`` words of context each; ``…`` stands for the rest."""
    chunks: list[DiffChunk] = []
    at = 0
    for edit in _whole_words(sentence, edits):
        words = sentence[edit.start : edit.end]
        old, new = words.strip(), edit.text.strip()
        front = edit.start + len(words) - len(words.lstrip()) if old else edit.start
        chunks.append(DiffChunk(_shorten(sentence[at:front], around, first=not at), DiffPart.EQUAL))
        if old:
            chunks.append(DiffChunk(_line(_shorten_middle(old)), DiffPart.DELETED))
        if old and new:
            chunks.append(DiffChunk(" ", DiffPart.EQUAL))
        if new:
            chunks.append(DiffChunk(_line(_shorten_middle(new)), DiffPart.INSERTED))
        at = front + len(old)
    chunks.append(DiffChunk(_shorten(sentence[at:], around, last=True), DiffPart.EQUAL))
    return tuple(chunk for chunk in chunks if chunk.text)


def _are_inside(edits: Sequence[TextEdit], length: int) -> bool:
    ends = [0, *(place for edit in edits for place in (edit.start, edit.end)), length]
    return all(one <= other for one, other in pairwise(ends))


def _whole_words(sentence: str, edits: Sequence[TextEdit]) -> list[TextEdit]:
    """The edits extended to whole words; edits of the same word are joined."""
    joined: list[tuple[int, int, list[TextEdit]]] = []
    for edit in edits:
        start, end = _extend(sentence, edit)
        within = [edit]
        if joined and start < joined[-1][1]:
            first, last, before = joined.pop()
            start, end, within = first, max(end, last), [*before, edit]
        joined.append((start, end, within))
    return [
        TextEdit(start, end, apply_edits(sentence[start:end], within, offset=start))
        for start, end, within in joined
    ]


def _extend(sentence: str, edit: TextEdit) -> tuple[int, int]:
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


def _shorten(kept: str, around: int, *, first: bool = False, last: bool = False) -> str:
    """Unchanged text shortened to a few words beside a change."""
    words = list(_WORD.finditer(kept))
    if len(words) <= around * (1 if first or last else 2) + (around > 0):
        return _line(kept)
    head = kept[: words[around - 1].end()] if around else kept[: words[0].start()]
    tail = kept[words[-around].start() :] if around else kept[words[-1].end() :]
    if first:
        return _line(f"… {tail.lstrip()}")
    return _line(f"{head.rstrip()} …" if last else f"{head.rstrip()} … {tail.lstrip()}")


def _shorten_middle(words: str) -> str:
    if len(words) <= _MAX_CHARACTERS:
        return words
    half = _MAX_CHARACTERS // 2
    return f"{words[:half].rstrip()} … {words[-half:].lstrip()}"


def _line(text: str) -> str:
    return to_single_line(f"|{text}|")[1:-1]
