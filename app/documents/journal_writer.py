"""Writes every edit of the document into its journal; the disk is accessed in another thread."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from PySide6.QtCore import QObject, QTimer, Signal

from app.documents.document_controller import DocumentController
from app.documents.session import Session
from app.editor.editor import TextEditor
from app.editor.positions import exact_text
from core.i18n import tr
from core.storage.draft_comments import DraftComment
from core.storage.journal import Journal, journals_folder
from core.storage.journal_format import NOT_SAVED, DraftLocation

CHECK_MS = 1500
"""After this pause the text is compared with the journal."""


class JournalWriter(QObject):
    """Writes a ``core.storage.journal.Journal`` of the document in ``editor``.

    ``message``: a sentence when it cannot be written, and when it can again.
    """

    message = Signal(str)

    def __init__(self, editor: TextEditor, documents: DocumentController) -> None:
        super().__init__(editor)
        self._editor = editor
        self._documents = documents
        self._journal: Journal | None = None
        self._length = 0
        self._recorded: list[DraftComment] = []
        # Qt's report of an edit is not always exact: after a pause the whole text is compared with the journal.
        self._check = QTimer(self, singleShot=True, interval=CHECK_MS)
        self._check.timeout.connect(self._rested)
        editor.document().contentsChange.connect(self._edited)
        documents.about_to_close.connect(self.close)
        documents.opened.connect(self._start)
        documents.saved.connect(self._saved)
        documents.detached.connect(self._detached)
        documents.format_chosen.connect(self._format_chosen)
        documents.comments.changed.connect(self._comments_changed)
        self._start()

    @property
    def journal(self) -> Journal | None:
        """The journal of the present document; None after ``close``."""
        return self._journal

    @property
    def is_written(self) -> bool:
        """Whether every edit so far is on the disk."""
        return self._journal is None or self._journal.written_revision == self._journal.revision

    def check(self) -> None:
        """Make the journal equal to the text of the editor."""
        if self._journal is not None:
            self._journal.whole(exact_text(self._editor.document(), 0, self._length_now()))

    def close(self, *, keep: bool = False) -> None:
        """Close the journal, and remove it unless ``keep``."""
        self._check.stop()
        if self._journal is not None:
            journal, self._journal = self._journal, None
            journal.close(keep=keep)

    def restart(self) -> None:
        """Remove the journal, and start a new one with the unsaved text and comments."""
        self._start()
        if self._documents.comments.unsaved(self._editor.text()):
            self._comments_changed()

    def _start(self) -> None:
        self.close()
        session = self._documents.session
        self._journal = Journal(
            journals_folder(), journal_place(session), text=session.text, on_error=self._emit_message
        )
        self._length = self._length_now()
        self._recorded = []

    def _saved(self) -> None:
        if self._journal is not None:
            self.check()
            self._recorded = []
            self._journal.saved(journal_place(self._documents.session))

    def _comments_changed(self) -> None:
        if self._journal is not None:
            self.check()
            self._recorded = self._documents.comments.unsaved(self._editor.text())
            self._journal.comments(self._recorded)

    def _rested(self) -> None:
        """Nothing was typed for a while. An undo may have brought back words that a comment was saved without."""
        self.check()
        if len(self._documents.comments):
            known = {one.identity for one in self._recorded}
            if any(
                one.identity not in known for one in self._documents.comments.unsaved(self._editor.text())
            ):
                self._comments_changed()

    def _detached(self) -> None:
        if self._journal is not None:
            self._journal.saved(replace(journal_place(self._documents.session), digest=NOT_SAVED))

    def _format_chosen(self) -> None:
        if self._journal is not None:
            self._journal.read_as(self._documents.session.format)

    def _emit_message(self, problem: str) -> None:
        """Called in the journal's thread."""
        self.message.emit(problem or tr("What you write is protected against a crash again."))

    def _length_now(self) -> int:
        return self._editor.document().characterCount() - 1

    def _edited(self, position: int, removed: int, added: int) -> None:
        """Record an edit. Qt may count the end of the last paragraph in both numbers, so the lengths decide."""
        if self._journal is None:
            return
        before, self._length = self._length, self._length_now()
        end = min(position + added, self._length)
        removed_units = before - self._length + end - position
        inserted = exact_text(self._editor.document(), position, end)
        if 0 <= removed_units <= min(removed, before - position):
            if removed_units or inserted:
                self._journal.edit(position, removed_units, inserted)
        else:
            self.check()
        self._check.start()


def journal_place(session: Session) -> DraftLocation:
    """The file and identity of a document, for its journal."""
    return DraftLocation(
        uid=session.uid,
        name=session.name,
        path=session.path,
        format=session.format,
        encoding=session.encoding,
        sha256=session.sha256,
        since=datetime.now().astimezone().isoformat(timespec="seconds"),
    )
