"""What the context menu of the text offers for a tracked change."""

from __future__ import annotations

from PySide6.QtWidgets import QMenu

from app.documents.revision_strings import describe_revision
from app.documents.shown_revisions import ShownRevisions
from app.editor.editor import TextEditor
from app.editor.revision_marks import RevisionMark
from app.widgets.plain_text import plain_text
from core.i18n import tr

ACCEPT = tr("Accept change")
REJECT = tr("Reject change")


class RevisionMenu:
    """For each revision: what it is, which selects its words, *Accept change* and *Reject change*."""

    def __init__(self, editor: TextEditor, shown: ShownRevisions) -> None:
        self._editor, self._shown = editor, shown

    def add_to(self, menu: QMenu, position: int) -> None:
        """Add what is offered for the revisions at ``position``, in UTF-16 units; nothing if none is there."""
        if self._shown.is_current:
            for mark in self._editor.revisions.at(position):
                self._add(menu, mark)

    def _add(self, menu: QMenu, mark: RevisionMark) -> None:
        revision, obstacle = mark.revision, self._shown.obstacle
        said = describe_revision(revision)
        menu.setToolTipsVisible(True)
        about = menu.addAction(said.replace("&", "&&"))
        about.triggered.connect(lambda: self._editor.go_to(mark.start, mark.end))
        for text, accepted in ((ACCEPT, True), (REJECT, False)):
            action = menu.addAction(text)
            action.setEnabled(not obstacle)
            action.setToolTip(plain_text(obstacle or said))
            action.setStatusTip(obstacle or said)
            action.triggered.connect(
                lambda _=False, accepted=accepted: self._shown.resolve(revision, accepted=accepted)
            )
        menu.addSeparator()
