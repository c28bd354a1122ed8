"""Shows in the text of the open docx or odt where it refers to notes, and leads from there to the notes and back."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject, QPointF, Signal
from PySide6.QtWidgets import QMenu

from app.documents.document_controller import DocumentController
from app.editor.editor import TextEditor
from app.editor.marks import shift_position
from app.editor.note_marks import NoteMark, NoteMarks
from app.editor.positions import OffsetMap, edits_between
from app.widgets.labels import to_single_line
from core.formats.types import Container
from core.i18n import tr
from core.text.diff import TextEdit

_MOST_SHOWN = 200


class ShownNotes(QObject):
    """Marks the references to notes in ``editor``. They move with edits, and are those of the file once it is saved.

    ``status_message``: what the note is whose reference the caret has come to.
    """

    status_message = Signal(str)

    def __init__(self, editor: TextEditor, documents: DocumentController) -> None:
        super().__init__(editor)
        self._editor, self._documents = editor, documents
        self._at_caret: list[str] = []
        documents.opened.connect(self._opened)
        documents.saved.connect(self._refresh)
        editor.document().modificationChanged.connect(self._modification_changed)
        editor.cursorPositionChanged.connect(self._caret_moved)

    def describe_at(self, point: QPointF) -> list[str]:
        """What the notes are whose sign is at a point of the viewport."""
        return [self._describe(mark) for mark in self._editor.notes_at_point(point)]

    def add_to(self, menu: QMenu, position: int) -> None:
        """Add what is offered at ``position``, in UTF-16 units: to go to a note, or back to its reference."""
        here = self._editor.notes.between(position, position + 1)
        for mark in here:
            self._add(menu, tr("Go to {note}").format(note=mark.label), mark.start)
        note = self._editor.notes.of_note(position)
        if note is not None:
            self._add(menu, tr("Back to the reference to {note}").format(note=note.label), note.place)
        if here or note is not None:
            menu.addSeparator()

    def _add(self, menu: QMenu, text: str, target: int) -> None:
        menu.addAction(text.replace("&", "&&")).triggered.connect(partial(self._editor.go_to, target))

    def _describe(self, mark: NoteMark) -> str:
        words = to_single_line(self._editor.text_between(mark.start, min(mark.end, mark.start + _MOST_SHOWN)))
        return tr("{name}: {words}").format(
            name=mark.label, words=f"{words}…" if mark.end - mark.start > _MOST_SHOWN else words
        )

    @property
    def _file(self) -> Container | None:
        session = self._documents.session
        return session.container if session.can_track else None

    def _opened(self) -> None:
        file = self._file
        self._place(edits_between(file.text, self._editor.text()) if file is not None else ())

    def _modification_changed(self, modified: bool) -> None:
        """Undoing brings words back, but not the places in them."""
        if not modified:
            self._refresh()

    def _refresh(self) -> None:
        """Take the places from the file again, if the text is as in it."""
        file = self._file
        if file is None or file.text == self._editor.text():
            self._place(())

    def _place(self, edits: Sequence[TextEdit]) -> None:
        """Mark the references in the text of the file, which these edits have changed since."""
        file = self._file
        marks = []
        if file is not None:
            units = OffsetMap(file.text)
            for one in file.appearance.note_references:
                places = (one.place, one.start, one.end)
                place, start, end = (shift_position(units.to_utf16(at), edits) for at in places)
                marks.append(NoteMark(place, start, end, one.sign, one.label))
        self._editor.set_notes(NoteMarks(marks))

    def _caret_moved(self) -> None:
        if not len(self._editor.notes):
            return
        cursor = self._editor.textCursor()
        here = self._editor.notes.between(cursor.position(), cursor.position())
        labels = [mark.label for mark in here]
        new = [mark for mark in here if mark.label not in self._at_caret]
        self._at_caret = labels
        if new and not cursor.hasSelection() and self._editor.hasFocus():
            self.status_message.emit(" · ".join(map(self._describe, new)))
