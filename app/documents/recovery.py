"""Finds unsaved drafts after a crash and offers to restore them; they are removed only on request."""

from __future__ import annotations

import threading
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.background.reading import run_with_timeout
from app.documents.document_controller import DocumentController, describe_lost
from app.documents.draft_comments import count_added, move_comments
from app.documents.journal_writer import JournalWriter
from app.documents.session import (
    FileState,
    Session,
    UnsavedDraft,
    held_by_file,
    open_session,
    without_comments,
)
from core.documents.format_specs import extracts_text
from core.documents.types import Format
from core.i18n import tr
from core.storage.draft_comments import DraftComment
from core.storage.files import FileError
from core.storage.journal import FoundJournals, OrphanedJournal, find_orphans, journal_folders

if TYPE_CHECKING:
    from app.documents.recovery_dialog import RecoveryDialog

_WRITTEN_S = 5.0
FILE_WAIT_S = 5.0
"""How long the file of an unsaved draft may take to be read."""
_END_WAIT_S = 2.0


def compare_with_file(orphan: OrphanedJournal) -> UnsavedDraft:
    """Compare the text of a journal with the present file."""
    place = orphan.place
    session = _session_without_file(orphan)
    if place.path is None:
        return UnsavedDraft(orphan, FileState.UNTITLED, session, "")
    try:
        found = replace(open_session(place.path), uid=place.uid)
    except FileError:
        return _draft_without_file(orphan)
    if not found.editable:
        return UnsavedDraft(orphan, FileState.CHANGED, session, found.text)
    if found.container is None and not extracts_text(place.format):
        found = replace(found, format=place.format)
    same = found.sha256 == place.sha256
    comments, found = _compare_comments(orphan, found, same=same)
    orphan = replace(orphan, comments=comments)
    return UnsavedDraft(orphan, FileState.SAME if same else FileState.CHANGED, found, found.text)


def _compare_comments(
    orphan: OrphanedJournal, session: Session, *, same: bool
) -> tuple[tuple[DraftComment, ...], Session]:
    """The comments of a journal that its file differs in, and the session of the file without those that were undone.

    The file may have been saved with them just before the crash. Unless it is the ``same`` as when it was last saved
    here, what was undone is left in it: somebody may have answered.
    """
    held = held_by_file(session, orphan.comments, orphan.commented_text)
    # In a page, one that was undone and added again is the one that stands there.
    again = {(one.end, one.text) for one in held if not one.is_undone}
    undone = [one for one in held if same and one.is_undone and (one.end, one.text) not in again]
    if undone:
        try:
            session = without_comments(session, undone)
        except FileError:
            undone = []
    removed, there = ({one.identity for one in some} for some in (undone, held))
    comments = (
        one
        for one in orphan.comments
        if (one.identity in removed if one.is_undone else one.identity not in there)
    )
    return tuple(comments), session


def _session_without_file(orphan: OrphanedJournal) -> Session:
    place = orphan.place
    plain = Format.PLAIN if extracts_text(place.format) else place.format
    return Session(name=place.name, format=plain, uid=place.uid)


def _draft_without_file(orphan: OrphanedJournal) -> UnsavedDraft:
    """The draft of a journal whose file is gone or cannot be read."""
    place, session = orphan.place, _session_without_file(orphan)
    # Text can be saved under the old name; a word processor's file cannot be created from text.
    if place.path is not None and not extracts_text(place.format):
        session = replace(session, path=place.path, encoding=place.encoding)
    return UnsavedDraft(orphan, FileState.GONE if place.path else FileState.UNTITLED, session, "")


def find_unsaved(stopped: threading.Event) -> tuple[list[UnsavedDraft], FoundJournals]:
    """All drafts to offer, newest first. Journals whose text equals the file, and that have no comments, are removed.

    Each is compared by itself: a file that does not answer, or that cannot be read, hides no other draft.
    """
    found = find_orphans(*journal_folders())
    offered = []
    for orphan in found.orphans:
        if stopped.is_set():
            orphan.release()
            continue
        try:
            unsaved = run_with_timeout(FILE_WAIT_S, partial(compare_with_file, orphan))
        except Exception:
            unsaved = _draft_without_file(orphan)
        is_saved = unsaved.state is not FileState.UNTITLED and unsaved.saved == orphan.text
        if is_saved and not orphan.damaged and not unsaved.orphan.comments:
            orphan.discard()
        else:
            offered.append(unsaved)
    return offered, found


def placed_comments(unsaved: UnsavedDraft) -> list[DraftComment]:
    """The comments of a recovered draft on its text, as `DraftComments.unsaved` has them.

    Empty if its file is not there to hold them.
    """
    orphan = unsaved.orphan
    if unsaved.session.container is None:
        return []
    return move_comments(orphan.comments, orphan.commented_text, orphan.text)


def _without_file(orphan: OrphanedJournal) -> str:
    """What the comments of a draft say that has no file to hold them."""
    said = [
        tr("“{words}”: {text}").format(words=orphan.commented_text[one.start : one.end], text=one.text)
        for one in orphan.comments
        if not one.is_undone
    ]
    return tr("Comments need the file. These were added and cannot be restored: {comments}").format(
        comments=" · ".join(said)
    )


def _release(offered: list[UnsavedDraft]) -> None:
    for unsaved in offered:
        unsaved.orphan.release()


class Recovery(QObject):
    """Searches for journals in a thread, and shows the dialog if there are unsaved drafts. ``message``: a sentence."""

    message = Signal(str)
    _found = Signal(object, object)

    def __init__(self, window: QWidget, documents: DocumentController, journal_writer: JournalWriter) -> None:
        super().__init__(window)
        self._window = window
        self._documents = documents
        self._journal_writer = journal_writer
        self._requested = False
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None
        self.dialog: RecoveryDialog | None = None
        self._found.connect(self._offer)

    def search(self, *, requested: bool = False) -> None:
        """Search and offer unsaved drafts; if ``requested`` by the person, say also if there are none."""
        self._requested = requested or self._requested
        if self._thread is not None or self.dialog is not None:
            return
        self._thread = threading.Thread(target=self._search, name="recovery", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Keep what is still offered for the next start."""
        self._stopped.set()
        if self._thread is not None:
            self._thread.join(_END_WAIT_S)
        if self.dialog is not None:
            self.dialog.reject()

    def _search(self) -> None:
        offered, found = find_unsaved(self._stopped)
        if self._stopped.is_set():
            _release(offered)
            return
        # The window may have been closed in the meantime.
        with suppress(RuntimeError):
            self._found.emit(offered, found)

    def _offer(self, offered: list[UnsavedDraft], found: FoundJournals) -> None:
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        if self._stopped.is_set():
            _release(offered)
            return
        if found.unreadable:
            text = tr(
                "The recovery file of an unsaved draft is damaged and cannot be read. It is kept as {path}."
            )
            self.message.emit("\n".join(text.format(path=path) for path in found.unreadable))
        if offered:
            self._show(offered)
        elif self._requested:
            self._requested = False
            self.message.emit(tr("There is no unsaved draft to restore."))

    def _show(self, offered: list[UnsavedDraft]) -> None:
        from app.documents.recovery_dialog import RecoveryDialog

        self._requested = False
        self.dialog = RecoveryDialog(self._window, offered)
        self.dialog.restore_requested.connect(self._restore)
        self.dialog.finished.connect(self._closed)
        self.dialog.open()

    def _restore(self, unsaved: UnsavedDraft) -> None:
        """Open a draft; its old journal is removed once the new one is on the disk."""
        if self.dialog is None or not self._documents.confirm_close():
            return
        self.dialog.remove_row(unsaved)
        notes = [tr("This is the text that was not saved when Evenhand closed. It is still unsaved.")]
        if unsaved.orphan.damaged:
            notes.append(tr("Its recovery file is damaged: the last edits may be missing."))
        if unsaved.state is FileState.GONE:
            notes.append(tr("The file of this draft no longer exists; the text was recovered without it."))
        remaining = self.dialog.remaining
        if remaining:
            notes.append(tr("More unsaved drafts are under File ▸ Unsaved drafts."))
        comments = placed_comments(unsaved)
        added = count_added(unsaved.orphan.comments)
        if unsaved.session.container is None and added:
            notes.append(_without_file(unsaved.orphan))
        elif lost := describe_lost(added - count_added(comments)):
            notes.append(lost)
        self._documents.restore(
            replace(unsaved.session, notes=(*notes, *unsaved.session.notes)), unsaved.orphan.text, comments
        )
        journal = self._journal_writer.journal
        self._journal_writer.check()
        if journal is not None and journal.wait(journal.revision, _WRITTEN_S):
            unsaved.orphan.discard()
        else:
            unsaved.orphan.release()
        self.dialog.accept()

    def _closed(self) -> None:
        if self.dialog is not None:
            self.dialog.deleteLater()
            self.dialog = None
