"""The comments that a person adds to the open docx, odt or html: steps of the undo history, written with the file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

from PySide6.QtCore import QObject, Signal

from app.editor.editor import TextEditor
from app.editor.marks import EditStep
from app.editor.revision_marks import stretch_range
from core.revisions.types import Stamp
from core.storage.draft_comments import DraftComment
from core.text.diff import find_edits


def move_comments(comments: Sequence[DraftComment], before: str, after: str) -> list[DraftComment]:
    """The comments on the text ``before`` at their words in the text ``after``, without those whose words are gone."""
    edits = find_edits(before, after) if before != after else ()
    found = []
    for one in comments:
        place: tuple[int, int] | None = (one.start, one.end)
        for start, end, text in reversed(edits):
            if place is not None:
                place = stretch_range(*place, EditStep(start, end - start, len(text)))
        if place is not None:
            found.append(replace(one, start=place[0], end=place[1]))
    return found


def count_added(comments: Sequence[DraftComment]) -> int:
    """How many of the comments were added, and not undone."""
    return sum(not one.is_undone for one in comments)


class DraftComments(QObject):
    """All comments that were added to the draft since its file was opened, also those that it was saved with since.

    ``changed``: there are others now.
    """

    changed = Signal()

    def __init__(self, editor: TextEditor) -> None:
        super().__init__(editor)
        self._editor = editor
        self._opened = 0
        self._text = ""
        self._comments: tuple[DraftComment, ...] = ()
        self._saved_text = ""
        self._saved: tuple[DraftComment, ...] = ()
        self._known_at_save: frozenset[tuple[str, str, datetime]] = frozenset()

    def __len__(self) -> int:
        return len(self._comments)

    def placed(self, text: str) -> list[DraftComment]:
        """The comments at their words in ``text``, the present one; without those whose words are gone."""
        return move_comments(self._comments, self._text, text)

    def unsaved(self, text: str) -> list[DraftComment]:
        """The comments in ``text`` that the file was not saved with, then those that were undone since it was."""
        saved, present = _identities(self._saved), _identities(self._comments)
        undone = [one for one in self._saved if one.identity not in present]
        return [
            *(one for one in self.placed(text) if one.identity not in saved),
            *(replace(one, is_undone=True) for one in move_comments(undone, self._saved_text, text)),
        ]

    def add(self, start: int, end: int, words: str, stamp: Stamp) -> None:
        """Add a comment on ``[start, end)`` of the text, in code points, as one step of the undo history."""
        text = self._editor.text()
        added = DraftComment(start, end, words, stamp.author, stamp.time)
        before = self._text, self._comments
        after = text, (*self.placed(text), added)
        undo, redo = (partial(self._go_to, self._opened, *state) for state in (before, after))
        self._editor.history.add_action(undo, redo, is_change=True)
        self._set(*after)

    def restore(self, comments: Sequence[DraftComment]) -> None:
        """Take these `unsaved` ones, on the present text, in place of all that there are."""
        text = self._editor.text()
        self._set_saved(text, [replace(one, is_undone=False) for one in comments if one.is_undone])
        self._set(text, tuple(one for one in comments if not one.is_undone))

    def mark_saved(self) -> int:
        """The file was saved with the comments; returns how many of the new ones it lacks, as their words are gone."""
        text = self._editor.text()
        known = self._known_at_save
        placed = self.placed(text)
        self._set_saved(text, placed)
        self._known_at_save = _identities(self._comments)
        return len(self._known_at_save - _identities(placed) - known)

    def mark_unsaved(self) -> None:
        """The file no longer is the one that was saved with the comments."""
        self._set_saved("", ())
        if self._comments:
            self.changed.emit()

    def clear(self) -> None:
        """Forget all of them: another file is open, or the file was read again with them."""
        self._opened += 1
        self._set_saved("", ())
        if self._comments:
            self._set("", ())

    def _go_to(self, opened: int, text: str, comments: tuple[DraftComment, ...]) -> None:
        """Undo or redo: these comments, on that text, unless they have been forgotten."""
        if self._opened == opened:
            self._set(text, comments)

    def _set_saved(self, text: str, comments: Sequence[DraftComment]) -> None:
        """The file holds these of the comments, on that text."""
        self._saved_text, self._saved = text, tuple(comments)
        self._known_at_save = _identities(comments)

    def _set(self, text: str, comments: tuple[DraftComment, ...]) -> None:
        self._text, self._comments = text, comments
        self.changed.emit()


def _identities(comments: Sequence[DraftComment]) -> frozenset[tuple[str, str, datetime]]:
    return frozenset(one.identity for one in comments)
