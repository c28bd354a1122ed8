"""The edits of a document as a person wants to see them tracked: whole words, and the edits of one reword together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.formats.office_document import OfficeDocument
from core.revisions.types import Note
from core.text.diff import TextEdit


def whole_words(document: OfficeDocument, changes: Sequence[TextEdit]) -> list[TextEdit]:
    """The same changes; one that replaces part of a word replaces all of it that has the same formatting."""
    text, layout = document.text, document.layout
    found: list[TextEdit] = []
    for number, (start, end, new) in enumerate(changes):
        floor = found[-1].end if found else 0
        ceiling = changes[number + 1].start if number + 1 < len(changes) else len(text)
        segments = layout.segments_at(layout.line_at(start), start, end)
        around = [
            (low, high) for segment, low, high in segments if segment.target and low <= start and end <= high
        ]
        if new and start < end and around and "\n" not in new:
            low, high = max(around[0][0], floor), min(around[-1][1], ceiling)
            first, last = start, end
            while first > low and text[first - 1].isalnum() and (text[start] + new[0]).isalnum():
                first -= 1
            while last < high and text[last].isalnum() and (text[end - 1] + new[-1]).isalnum():
                last += 1
            found.append(TextEdit(first, last, text[first:start] + new + text[end:last]))
        else:
            found.append(TextEdit(start, end, new))
    return found


def grouped(
    changes: Sequence[TextEdit], notes: Sequence[Note]
) -> Iterator[tuple[Note | None, list[TextEdit]]]:
    """The edits that touch the range of a note together, and the others one by one; ``notes`` are disjoint."""
    waiting = sorted(notes, key=lambda note: note.start)
    group: list[TextEdit] = []
    note: Note | None = None
    for change in changes:
        while waiting and waiting[0].end < change.start:
            waiting.pop(0)
        if note is not None and change.start <= note.end:
            group.append(change)
            continue
        if group:
            yield note, group
        note = waiting.pop(0) if waiting and waiting[0].start <= change.end else None
        group = [change]
    if group:
        yield note, group
