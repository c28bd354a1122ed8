"""Announcements for screen readers: the finding at the caret, the number of findings, and all messages."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget

from app.analysis.finding_counts import count_findings
from app.editor.editor import TextEditor
from app.review.findings_list import accessible_text
from app.review.review_controller import ReviewController
from core.i18n import ntr, tr
from core.types import Finding


def announce(widget: QWidget, text: str) -> None:
    """Have a screen reader speak ``text`` after its present output."""
    event = QAccessibleAnnouncementEvent(widget, text)
    event.setPoliteness(QAccessible.AnnouncementPoliteness.Polite)
    QAccessible.updateAccessibility(event)


class Announcer(QObject):
    """Announces for ``editor``; findings only while ``enabled()`` is true and the editor has the focus."""

    def __init__(self, editor: TextEditor, review: ReviewController, enabled: Callable[[], bool]) -> None:
        super().__init__(editor)
        self._editor = editor
        self._review = review
        self._enabled = enabled
        self._counted = False
        editor.finding_at_caret_changed.connect(self._caret_moved)
        review.shown.connect(self._analysis_shown)

    def open_draft(self) -> None:
        """Another draft is open: announce the number of its findings once they are known."""
        self._counted = False

    def announce(self, text: str) -> None:
        """Announce a message that is shown in the window."""
        announce(self._editor, text)

    def _caret_moved(self, finding: Finding | None) -> None:
        if finding is not None and self._editor.hasFocus() and self._enabled():
            announce(self._editor, accessible_text(finding))

    def _analysis_shown(self) -> None:
        if not self._counted and self._enabled():
            count = count_findings(self._review.counted, ()).found
            text = ntr("{count:,} finding in this draft", "{count:,} findings in this draft", count)
            announce(self._editor, text.format(count=count) if count else tr("No findings in this draft"))
        self._counted = True
