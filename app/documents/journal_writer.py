"""The journal of the window's draft: every edit of the pane is handed to it at once, and the disk waits elsewhere."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from PySide6.QtCore import QObject, QTimer, Signal

from app.documents.document_controller import Drafts
from app.documents.session import Session
from app.editor.editor import TextPane
from app.editor.positions import exact_part
from core.i18n import tr
from core.storage.journal import Journal, journals_folder
from core.storage.journal_format import NOWHERE, Place

_CHECK_MS = 1500


class Journalling(QObject):
    """Keeps one `core.storage.journal.Journal` for the draft in the pane.

    ``told``: a sentence when it cannot be written, and when it can again.
    """

    told = Signal(str)

    def __init__(self, pane: TextPane, drafts: Drafts) -> None:
        super().__init__(pane)
        self._pane = pane
        self._drafts = drafts
        self._journal: Journal | None = None
        self._length = 0
        # What Qt reports of an edit is not always exact: at rest the whole text is set against what was journalled.
        self._check = QTimer(self)
        self._check.setSingleShot(True)
        self._check.setInterval(_CHECK_MS)
        self._check.timeout.connect(self.check)
        pane.document().contentsChange.connect(self._edited)
        drafts.leaving.connect(self.close)
        drafts.opened.connect(self._opened)
        drafts.saved.connect(self._saved)
        drafts.standing_alone.connect(self._stands_alone)
        drafts.format_chosen.connect(self._format_chosen)
        self._opened()

    @property
    def journal(self) -> Journal | None:
        """The journal of the present draft; None after ``close``."""
        return self._journal

    @property
    def acknowledged(self) -> bool:
        """Whether every edit so far lies on the disk."""
        return self._journal is None or self._journal.acknowledged == self._journal.revision

    def check(self) -> None:
        """Have the journal tell exactly the text of the pane, whatever Qt said of the edits."""
        if self._journal is not None:
            self._journal.whole(exact_part(self._pane.document(), 0, self._units()))

    def close(self, *, keep: bool = False) -> None:
        """The draft may go: its journal ends, and is removed unless ``keep``."""
        self._check.stop()
        if self._journal is not None:
            journal, self._journal = self._journal, None
            journal.close(keep=keep)

    def begin_anew(self) -> None:
        """Let what was journalled so far go, and journal what is unsaved now."""
        self._opened()

    def _opened(self) -> None:
        self.close()
        session = self._drafts.session
        self._journal = Journal(journals_folder(), place_of(session), text=session.text, told=self._tell)
        self._length = self._units()

    def _saved(self) -> None:
        if self._journal is not None:
            self.check()
            self._journal.saved(place_of(self._drafts.session))

    def _stands_alone(self) -> None:
        if self._journal is not None:
            self._journal.saved(replace(place_of(self._drafts.session), digest=NOWHERE))

    def _format_chosen(self) -> None:
        if self._journal is not None:
            self._journal.read_as(self._drafts.session.format)

    def _tell(self, problem: str) -> None:
        """Called in the journal's thread."""
        self.told.emit(problem or tr("What you write is kept again in case of a crash."))

    def _units(self) -> int:
        return self._pane.document().characterCount() - 1

    def _edited(self, position: int, removed: int, added: int) -> None:
        """Qt may count the end of the last paragraph among both numbers: the lengths tell what really went and came."""
        if self._journal is None:
            return
        before, self._length = self._length, self._units()
        end = min(position + added, self._length)
        gone = before - self._length + end - position
        inserted = exact_part(self._pane.document(), position, end)
        if 0 <= gone <= min(removed, before - position):
            if gone or inserted:
                self._journal.edit(position, gone, inserted)
        else:
            self.check()
        self._check.start()


def place_of(session: Session) -> Place:
    """Where a draft lies, for its journal: what is saved there is the session's text."""
    return Place(
        uid=session.uid,
        name=session.name,
        path=session.path,
        format=session.format,
        encoding=session.encoding,
        sha256=session.sha256,
        stamp=session.stamp,
        since=datetime.now().astimezone().isoformat(timespec="seconds"),
    )
