"""Accepts and rejects the tracked changes of the open docx or odt: the file is written anew and its text shown."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QDialog

from app.documents.document_controller import DocumentController
from app.documents.session import Session, office_document
from app.editor.editor import TextEditor
from app.editor.marks import shift_position
from app.editor.positions import OffsetMap, edits_between
from app.widgets.dialogs import OpenDialogs
from core.i18n import ntr, tr

if TYPE_CHECKING:
    from core.documents.types import Span
    from core.revisions.types import AnsweredComment, Revision

_MOST_UNDONE = 10
"""Each step keeps a whole file."""
_LEFT = tr(
    "The remaining changes cannot be rejected: an OpenDocument file does not record how "
    "reformatted text looked before."
)


class RevisionsController(QObject):
    """``changed``: the revisions in the file, or whether they can be resolved, may be others now.

    ``resolved``: some were accepted or rejected. ``status_message`` says how many.
    """

    changed = Signal()
    resolved = Signal()
    status_message = Signal(str)

    def __init__(
        self,
        editor: TextEditor,
        documents: DocumentController,
        make_dialog: Callable[[RevisionsController], QDialog],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._editor, self._documents, self._make_dialog = editor, documents, make_dialog
        self._dialogs = OpenDialogs()
        self.answered: list[AnsweredComment] = []
        self._undo: deque[tuple[str, bytes]] = deque(maxlen=_MOST_UNDONE)
        documents.opened.connect(self.changed)
        documents.saved.connect(self.changed)
        editor.document().modificationChanged.connect(lambda _: self.changed.emit())

    @property
    def session(self) -> Session:
        """The open draft."""
        return self._documents.session

    @property
    def obstacle(self) -> str:
        """Why nothing can be accepted or rejected now, in a sentence; empty if it can."""
        if not self.session.editable:
            return tr(
                "This draft is read-only: its tracked changes are shown, but cannot be accepted or rejected."
            )
        if self.unsaved:
            return tr("The draft has unsaved edits. Save it to accept or reject tracked changes.")
        return ""

    @property
    def unsaved(self) -> bool:
        """Whether the draft has edits that are not in its file."""
        return self._documents.modified or self.session.path is None

    @property
    def can_undo(self) -> bool:
        """Whether the file is still as the last step made it."""
        return bool(self._undo) and self._undo[-1][0] == self.session.sha256 and not self.obstacle

    @property
    def has_rows(self) -> bool:
        """Whether there is anything to list."""
        return self.session.has_revisions or bool(self.answered)

    def set_answered(self, answered: list[AnsweredComment]) -> None:
        """List these comments after the revisions: they were answered, and their findings are gone."""
        self.answered = answered
        self.changed.emit()

    def show_dialog(self) -> None:
        """Open the list of the revisions."""
        self._dialogs.show("revisions", lambda: self._make_dialog(self))

    def close(self) -> None:
        """Close the list."""
        self._dialogs.close()

    def save(self) -> None:
        """Save the draft."""
        self._documents.save()

    def resolve(self, revisions: Sequence[Revision] | None, *, accepted: bool) -> None:
        """Accept or reject these revisions of the file as it is now; None: all of them."""
        session = self.session
        kept: list[bytes] = []

        def make_bytes() -> bytes:
            before, after = _resolved(session, revisions, accepted=accepted)
            kept.append(before)
            return after

        if self.obstacle or not self._documents.rewrite_file(make_bytes):
            return
        is_same = self.session.sha256 == session.sha256
        if not is_same:
            self._undo.append((self.session.sha256, kept[0]))
        if is_same or (revisions is None and self.session.has_revisions):
            self.status_message.emit(_LEFT)
        else:
            self._report(len(revisions) if revisions is not None else None, accepted=accepted)
        self.resolved.emit()
        self.changed.emit()

    def undo(self) -> None:
        """Write the file as it was before the last step."""
        if not self.can_undo:
            return
        data = self._undo[-1][1]
        if self._documents.rewrite_file(lambda: data):
            self._undo.pop()
            self.status_message.emit(tr("The file is as it was before."))
            self.resolved.emit()
            self.changed.emit()

    def place(self, revision: Revision | AnsweredComment) -> Span | None:
        """Where a revision or a comment is in the editor, in UTF-16 units; None where its text is not shown there."""
        if revision.place is None:
            return None
        text = self.session.text
        units = OffsetMap(text)
        start, end = (units.to_utf16(at) for at in revision.place)
        if self._documents.modified:
            edits = edits_between(text, self._editor.text())
            start, end = shift_position(start, edits), shift_position(end, edits)
        return start, end

    def line(self, revision: Revision | AnsweredComment) -> int:
        """The number of the line that a revision or a comment with a place begins in."""
        assert revision.place is not None
        return self.session.text.count("\n", 0, revision.place[0]) + 1

    def go_to(self, revision: Revision | AnsweredComment, *, take_focus: bool = False) -> None:
        """Select a revision or a comment in the text, or put the caret where words were deleted."""
        place = self.place(revision)
        if place is None:
            return
        self._editor.go_to(*place)
        if take_focus:
            self._editor.window().activateWindow()
            self._editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def _report(self, count: int | None, *, accepted: bool) -> None:
        if count is None:
            said = tr("All tracked changes accepted.") if accepted else tr("All tracked changes rejected.")
        elif accepted:
            said = ntr("{n} tracked change accepted.", "{n} tracked changes accepted.", count).format(
                n=f"{count:,}"
            )
        else:
            said = ntr("{n} tracked change rejected.", "{n} tracked changes rejected.", count).format(
                n=f"{count:,}"
            )
        self.status_message.emit(said)


def _resolved(
    session: Session, revisions: Sequence[Revision] | None, *, accepted: bool
) -> tuple[bytes, bytes]:
    """The bytes of the file of a session, and those with revisions accepted or rejected. Raises FileError."""
    from core.revisions.resolve import accept, accept_all, reject, reject_all

    document = office_document(session)
    assert document is not None
    if revisions is None:
        after = accept_all(document) if accepted else reject_all(document)
    else:
        after = accept(document, revisions) if accepted else reject(document, revisions)
    return document.package.data, after
