"""Shows the tracked changes of the open docx or odt in its text: who inserted, deleted, moved or formatted what."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, QPointF, Signal

from app.background.reading import BackgroundRead
from app.documents.document_controller import DocumentController
from app.documents.revision_strings import describe_revision
from app.documents.revisions_controller import RevisionsController
from app.documents.session import Session, read_revisions_of
from app.editor.editor import TextEditor
from app.editor.marks import shift_position
from app.editor.positions import OffsetMap, edits_between
from app.editor.revision_marks import RevisionMark, RevisionMarks
from app.settings.settings import Settings
from core.revisions.types import Revision, RevisionKind

SETTING = "show_revisions"


class ShownRevisions(QObject):
    """Marks the revisions in ``editor`` while the setting is on. They move with edits, and are read anew with the file.

    ``status_message``: what the revision is that the caret has come to.
    """

    status_message = Signal(str)

    def __init__(
        self,
        editor: TextEditor,
        documents: DocumentController,
        settings: Settings,
        revisions: RevisionsController,
    ) -> None:
        super().__init__(editor)
        self._editor, self._documents, self._settings = editor, documents, settings
        self._revisions = revisions
        self._read = BackgroundRead(self)
        self._asked = self._listed = ""
        self._found: list[Revision] = []
        self._at_caret: list[Revision] = []
        documents.about_to_close.connect(self._forget)
        documents.opened.connect(self._refresh)
        documents.saved.connect(self._refresh)
        editor.document().modificationChanged.connect(self._modification_changed)
        editor.cursorPositionChanged.connect(self._caret_moved)
        settings.changed.connect(self._setting_changed)

    @property
    def is_current(self) -> bool:
        """Whether the marks are those of the file as it is now; a moment after it was saved they are not yet."""
        return bool(self._listed) and self._listed == self._documents.session.sha256

    @property
    def obstacle(self) -> str:
        """Why no revision can be accepted or rejected now, in a sentence; empty if it can."""
        return self._revisions.obstacle

    def resolve(self, revision: Revision, *, accepted: bool) -> None:
        """Accept or reject a revision that is shown."""
        if self.is_current and revision in self._found:
            self._revisions.resolve([revision], accepted=accepted)

    def close(self) -> None:
        """Stop reading."""
        self._read.cancel()

    def describe_at(self, point: QPointF) -> list[str]:
        """What the revisions at a point of the viewport are."""
        return [describe_revision(mark.revision) for mark in self._editor.revisions_at_point(point)]

    def _setting_changed(self, name: str) -> None:
        if name == SETTING:
            self._refresh()

    def _refresh(self) -> None:
        """Show the revisions of the file as it is now, if there are any and they are wanted."""
        session = self._documents.session
        if not session.has_revisions or not self._settings.value(SETTING):
            self._forget()
        elif session.sha256 != self._asked:
            self._asked = session.sha256
            self._read.start(partial(read_revisions_of, session), partial(self._show, session))
        else:
            self._modification_changed(self._documents.modified)

    def _forget(self) -> None:
        self._read.cancel()
        self._asked = self._listed = ""
        self._found = []
        self._place([])

    def _show(self, session: Session, found: list[Revision] | str) -> None:
        if session.sha256 == self._documents.session.sha256:
            # Why a file cannot be read stands in the list of revisions.
            self._listed, self._found = session.sha256, [] if isinstance(found, str) else found
            self._place(self._found)

    def _modification_changed(self, modified: bool) -> None:
        """Undoing brings words back, but not their marks: place all of them again."""
        if not modified and self.is_current:
            self._place(self._found)

    def _place(self, found: list[Revision]) -> None:
        """Mark these revisions of the file in the text, which may have been edited since."""
        if not found and not len(self._editor.revisions):
            return
        text = self._documents.session.text
        units = OffsetMap(text)
        edits = edits_between(text, self._editor.text()) if self._documents.modified else ()
        authors: dict[str, int] = {}
        marks = []
        for revision in found:
            author = authors.setdefault(revision.author, len(authors))
            if revision.place is None:
                continue
            start, end = (shift_position(units.to_utf16(at), edits) for at in revision.place)
            is_place = revision.kind is RevisionKind.DELETED or start == end
            if is_place or start < end:
                marks.append(RevisionMark(start, start if is_place else end, revision, author))
        self._editor.set_revisions(RevisionMarks(marks))

    def _caret_moved(self) -> None:
        if not len(self._editor.revisions):
            return
        cursor = self._editor.textCursor()
        here = [mark.revision for mark in self._editor.revisions.at(cursor.position())]
        new = [revision for revision in here if revision not in self._at_caret]
        self._at_caret = here
        if new and not cursor.hasSelection() and self._editor.hasFocus():
            self.status_message.emit(" · ".join(map(describe_revision, new)))
