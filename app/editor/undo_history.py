"""Steps of a document's undo history that are more than typing: edits by commands, and actions that change no text.

They stand in the document's own history, so that their order with typing is right. Such an action is entered there as
an edit that changes nothing; it counts as a change of the draft only if it says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from PySide6.QtCore import QSignalBlocker
from PySide6.QtGui import QTextBlockFormat, QTextCursor, QTextDocument, QTextFormat

from core.text.diff import TextEdit

_PROPERTY = QTextFormat.Property.UserProperty.value + 1


def _nothing() -> None:
    """What undoing an edit of the text does besides."""


class Step:
    """One step; ``start`` and ``end`` are the lengths of the document's history before and after it.

    ``done``: it was made or redone, and neither undone nor forgotten since. ``forward`` and ``back``: the edits that it
    makes and that undo it, in UTF-16 units; None if it changes no text. ``is_change``: the draft differs by it.
    """

    def __init__(
        self,
        start: int,
        end: int,
        *,
        undo: Callable[[], None] = _nothing,
        redo: Callable[[], None] = _nothing,
        forward: Sequence[TextEdit] | None = None,
        back: Sequence[TextEdit] | None = None,
        is_change: bool = True,
    ) -> None:
        self.start, self.end, self.done = start, end, True
        self.undo, self.redo = undo, redo
        self.forward, self.back = forward, back
        self.is_change = is_change


class UndoHistory:
    """The steps of ``document``, known by the length of its history after each."""

    def __init__(self, document: QTextDocument) -> None:
        self._document = document
        self._steps: dict[int, Step] = {}
        self._length = 0
        self._number = 0
        document.undoCommandAdded.connect(self._edited)

    @property
    def last(self) -> Step | None:
        """The step that Undo would undo; None if that is typing, or there is nothing to undo."""
        return self._steps.get(self._document.availableUndoSteps())

    @property
    def following(self) -> Step | None:
        """The step that Redo would do again; None if that is typing, or there is nothing to redo."""
        if not self._document.isRedoAvailable():
            return None
        here = self._document.availableUndoSteps()
        return next((step for step in self._steps.values() if step.start == here), None)

    def add_edits(self, start: int, forward: Sequence[TextEdit], back: Sequence[TextEdit]) -> None:
        """A command has made edits since the history had the length ``start``; ``back`` undoes them."""
        self._add(Step(start, self._document.availableUndoSteps(), forward=forward, back=back))

    def add_action(
        self, undo: Callable[[], None], redo: Callable[[], None], *, is_change: bool = False
    ) -> None:
        """Something was done that changes no text; ``is_change``: the draft is to be saved because of it."""
        start = self._document.availableUndoSteps()
        with self._silently(is_change=is_change):
            self._number += 1
            changed = QTextBlockFormat()
            changed.setProperty(_PROPERTY, self._number)
            QTextCursor(self._document.lastBlock()).mergeBlockFormat(changed)
            self._edited()
        end = self._document.availableUndoSteps()
        self._add(Step(start, end, undo=undo, redo=redo, is_change=is_change))

    def undo_action(self, step: Step) -> None:
        """Undo a step that changes no text."""
        with self._silently(is_change=step.is_change):
            self._document.undo()
        self.set_done(step, done=False)
        step.undo()

    def redo_action(self, step: Step) -> None:
        """Do a step again that changes no text."""
        with self._silently(is_change=step.is_change):
            self._document.redo()
        self.set_done(step, done=True)
        step.redo()

    def set_done(self, step: Step | None, *, done: bool) -> None:
        """The document has undone or redone a step, or typing if it is None."""
        self._length = self._document.availableUndoSteps()
        if step is not None:
            step.done = done

    def clear(self) -> None:
        """The history of the document is empty."""
        self._cut(-1)
        self._length = 0

    def _add(self, step: Step) -> None:
        if step.end > step.start:
            self._steps[step.end] = step
            self._length = step.end

    def _edited(self) -> None:
        """An edit takes the place of everything that was undone before it."""
        self._cut(self._length)
        self._length = self._document.availableUndoSteps()

    def _cut(self, length: int) -> None:
        for end in [end for end in self._steps if end > length]:
            self._steps.pop(end).done = False

    @contextmanager
    def _silently(self, *, is_change: bool) -> Iterator[None]:
        """Change the history alone: for everyone else the text was not edited.

        Unless it ``is_change`` that is made or undone, the document is as modified as before.
        """
        document = self._document
        modified = document.isModified()
        with QSignalBlocker(document):
            yield
            if not is_change and document.isModified() != modified:
                document.setModified(modified)
        if document.isModified() != modified:
            document.modificationChanged.emit(not modified)
        document.undoAvailable.emit(document.isUndoAvailable())
        document.redoAvailable.emit(document.isRedoAvailable())
